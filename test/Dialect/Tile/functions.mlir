// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic > %t.source
// RUN: tile-opt %s | tile-opt --mlir-print-op-generic > %t.reparsed
// RUN: diff %t.source %t.reparsed
// RUN: FileCheck %s --check-prefix=GENERIC --input-file=%t.source

// CHECK-LABEL: tile.func private @two(%x: f32, %t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
// CHECK-NEXT: tile.return %x, %t : f32, tensor<4xf32>
tile.func private @two(%x: f32, %t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
  tile.return %x, %t : f32, tensor<4xf32>
}

// CHECK-LABEL: tile.func private @nothing() {
// CHECK-NEXT: tile.return {tag}
tile.func private @nothing() {
  tile.return {tag}
}

// CHECK-LABEL: tile.func @caller(%x: f32) attributes {tile.num_warps = 8 : i32} {
// CHECK: %[[R:.*]]:2 = tile.call @two(%x, %{{.*}}) : (f32, tensor<4xf32>) -> (f32, tensor<4xf32>)
// CHECK-NEXT: tile.call @nothing() {tag} : () -> ()
tile.func @caller(%x: f32) attributes {tile.num_warps = 8 : i32} {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  %r:2 = tile.call @two(%x, %t) : (f32, tensor<4xf32>) -> (f32, tensor<4xf32>)
  tile.call @nothing() {tag} : () -> ()
  tile.return
}

// CHECK-LABEL: tile.func @facts(
// CHECK-SAME: %p: !tile.ptr<f32> {tile.divisible_by = 16 : i32, tile.noalias, tile.readonly},
// CHECK-SAME: %n: i32 {tile.divisible_by = 8 : i64}, %one: i64 {tile.equals = 1 : i64},
// CHECK-SAME: %flag: i1 {tile.equals = true})
tile.func @facts(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32, tile.noalias, tile.readonly},
                 %n: i32 {tile.divisible_by = 8 : i64}, %one: i64 {tile.equals = 1 : i64},
                 %flag: i1 {tile.equals = true}) {
  tile.return
}

// Attributes with a meaning on operations.
// CHECK-LABEL: tile.func @marks
// CHECK: math.exp %x {tile.precise} : f32
// CHECK: scf.for
// CHECK: } {tile.num_stages = 3 : i32}
tile.func @marks(%x: f32, %n: i32) {
  %e = math.exp %x {tile.precise} : f32
  scf.for %i = %n to %n step %n : i32 {
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Argument names are kept, since MLIR forgets SSA names. A numbered argument, or
// one called argN at place N, has none.
// CHECK-LABEL: tile.func @names(%alpha: i32, %beta: i32, %arg2: i32, %arg0: i32, %odd3F: i32 {tile.name = "odd?"})
// GENERIC: arg_attrs = [{tile.name = "alpha"}, {tile.name = "beta"}, {}, {tile.name = "arg0"}, {tile.name = "odd?"}], function_type = (i32, i32, i32, i32, i32) -> (), sym_name = "names"
tile.func @names(%alpha: i32, %b: i32 {tile.name = "beta"}, %2: i32, %arg0: i32, %_odd: i32 {tile.name = "odd?"}) {
  tile.return
}

// A kernel has every element type as an argument.
// CHECK-LABEL: tile.func @types(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: f16, %g: bf16, %h: f32, %i: f64, %j: f8E4M3FN, %k: f8E5M2, %l: !tile.ptr<!tile.ptr<i1>>)
tile.func @types(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: f16, %g: bf16, %h: f32, %i: f64, %j: f8E4M3FN, %k: f8E5M2, %l: !tile.ptr<!tile.ptr<i1>>) {
  tile.return
}
