// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// What is printed parses as the same program: --verify-roundtrip takes the generic
// form, so that the operations' own assembly is compared here.
// RUN: tile-opt %s --mlir-print-op-generic > %t.source
// RUN: tile-opt %s | tile-opt --mlir-print-op-generic > %t.reparsed
// RUN: diff %t.source %t.reparsed

//===----------------------------------------------------------------------===//
// The program and its grid
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tile.func @grid()
// CHECK-NEXT: %pid_x = tile.program_id x{{$}}
// CHECK-NEXT: %pid_y = tile.program_id y{{$}}
// CHECK-NEXT: %pid_z = tile.program_id z {tag}
// CHECK-NEXT: %programs_x = tile.num_programs x{{$}}
// CHECK-NEXT: %programs_y = tile.num_programs y{{$}}
// CHECK-NEXT: %programs_z = tile.num_programs z{{$}}
tile.func @grid() {
  %0 = tile.program_id x
  %1 = tile.program_id y
  %2 = tile.program_id z {tag}
  %3 = tile.num_programs x
  %4 = tile.num_programs y
  %5 = tile.num_programs z
  tile.return
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tile.func @arange()
// CHECK-NEXT: tile.arange : tensor<128xi32>
// CHECK-NEXT: tile.arange : tensor<128xi32>
// CHECK-NEXT: tile.arange 128 : tensor<128xi32>
// CHECK-NEXT: tile.arange -4 : tensor<1xi32>
// CHECK-NEXT: tile.arange 2147483644 {tag} : tensor<4xi32>
tile.func @arange() {
  %0 = tile.arange : tensor<128xi32>
  %1 = tile.arange 0 : tensor<128xi32>
  %2 = tile.arange 128 : tensor<128xi32>
  %3 = tile.arange -4 : tensor<1xi32>
  %last = tile.arange 2147483644 {tag} : tensor<4xi32>
  tile.return
}

// CHECK-LABEL: tile.func @shape
// CHECK-SAME: (%x: f32, %p: !tile.ptr<i8>, %b: i1)
// CHECK-NEXT: %[[T:.*]] = tile.splat %x : f32 -> tensor<4x8xf32>
// CHECK-NEXT: %[[P:.*]] = tile.splat %p : !tile.ptr<i8> -> tensor<2x!tile.ptr<i8>>
// CHECK-NEXT: tile.splat %b : i1 -> tensor<1xi1>
// CHECK-NEXT: tile.expand_dims %[[P]], 0 : tensor<2x!tile.ptr<i8>> -> tensor<1x2x!tile.ptr<i8>>
// CHECK-NEXT: %[[COL:.*]] = tile.expand_dims %[[P]], 1 : tensor<2x!tile.ptr<i8>> -> tensor<2x1x!tile.ptr<i8>>
// CHECK-NEXT: tile.broadcast %[[COL]] : tensor<2x1x!tile.ptr<i8>> -> tensor<2x16x!tile.ptr<i8>>
// CHECK-NEXT: tile.reshape %[[T]] : tensor<4x8xf32> -> tensor<32xf32>
// CHECK-NEXT: tile.reshape %[[T]] {tag} : tensor<4x8xf32> -> tensor<2x2x8xf32>
// CHECK-NEXT: tile.trans %[[T]], [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
// CHECK-NEXT: tile.trans %[[T]], [0, 1] {tag} : tensor<4x8xf32> -> tensor<4x8xf32>
tile.func @shape(%x: f32, %p: !tile.ptr<i8>, %b: i1) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<2x!tile.ptr<i8>>
  %bs = tile.splat %b : i1 -> tensor<1xi1>
  %row = tile.expand_dims %ps, 0 : tensor<2x!tile.ptr<i8>> -> tensor<1x2x!tile.ptr<i8>>
  %col = tile.expand_dims %ps, 1 : tensor<2x!tile.ptr<i8>> -> tensor<2x1x!tile.ptr<i8>>
  %all = tile.broadcast %col : tensor<2x1x!tile.ptr<i8>> -> tensor<2x16x!tile.ptr<i8>>
  %flat = tile.reshape %t : tensor<4x8xf32> -> tensor<32xf32>
  %cube = tile.reshape %t {tag} : tensor<4x8xf32> -> tensor<2x2x8xf32>
  %turned = tile.trans %t, [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %same = tile.trans %t, [0, 1] {tag} : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tile.func @convert
// CHECK: %[[T:.*]] = tile.splat
// CHECK-NEXT: tile.convert %x : f32 -> f16
// CHECK-NEXT: tile.convert %x : f32 -> f16
// CHECK-NEXT: tile.convert %x rtz {tag} : f32 -> bf16
// CHECK-NEXT: tile.convert %x : f32 -> f64
// CHECK-NEXT: tile.convert %[[T]] : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT: tile.convert %[[T]] rtz : tensor<2xf32> -> tensor<2xf16>
// CHECK-NEXT: tile.convert %q : f8E5M2 -> f8E5M2
// CHECK-NEXT: tile.convert %i : i32 -> i32
tile.func @convert(%x: f32, %q: f8E5M2, %i: i32) {
  %t = tile.splat %x : f32 -> tensor<2xf32>
  %0 = tile.convert %x : f32 -> f16
  %1 = tile.convert %x rtne : f32 -> f16
  %2 = tile.convert %x rtz {tag} : f32 -> bf16
  %3 = tile.convert %x : f32 -> f64
  %4 = tile.convert %t : tensor<2xf32> -> tensor<2xf32>
  %5 = tile.convert %t rtz : tensor<2xf32> -> tensor<2xf16>
  %6 = tile.convert %q : f8E5M2 -> f8E5M2
  %7 = tile.convert %i : i32 -> i32
  tile.return
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tile.func @pointers
// CHECK: %[[P:.*]] = tile.splat
// CHECK: tile.addptr %p, %n : !tile.ptr<f32>, i64
// CHECK-NEXT: tile.addptr %[[P]], %{{.*}} {tag} : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
// CHECK-NEXT: tile.addptr %pp, %n : !tile.ptr<!tile.ptr<f32>>, i64
tile.func @pointers(%p: !tile.ptr<f32>, %pp: !tile.ptr<!tile.ptr<f32>>, %n: i64) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %offsets = tile.arange : tensor<4xi32>
  %0 = tile.addptr %p, %n : !tile.ptr<f32>, i64
  %1 = tile.addptr %ps, %offsets {tag} : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %2 = tile.addptr %pp, %n : !tile.ptr<!tile.ptr<f32>>, i64
  tile.return
}

// CHECK-LABEL: tile.func @loads
// CHECK: %[[P:.*]] = tile.splat %p
// CHECK: %[[M:.*]] = tile.splat %m
// CHECK: tile.load %p : !tile.ptr<f16>
// CHECK-NEXT: tile.load %p, %m : !tile.ptr<f16>
// CHECK-NEXT: tile.load %p, %m, %o : !tile.ptr<f16>
// CHECK-NEXT: tile.load %[[P]] volatile : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.load %[[P]], %[[M]] cache(ca) : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.load %[[P]] cache(cg) : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.load %[[P]] cache(cs) volatile : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.load %[[P]] cache(cv) evict(evict_last) : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.load %[[P]], %[[M]] cache(cg) evict(evict_first) volatile {tag} : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.load %pp : !tile.ptr<!tile.ptr<f32>>
tile.func @loads(%p: !tile.ptr<f16>, %pp: !tile.ptr<!tile.ptr<f32>>, %m: i1, %o: f16) {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
  %ms = tile.splat %m : i1 -> tensor<4xi1>
  %0 = tile.load %p : !tile.ptr<f16>
  %1 = tile.load %p, %m : !tile.ptr<f16>
  %2 = tile.load %p, %m, %o : !tile.ptr<f16>
  %3 = tile.load %ps volatile : tensor<4x!tile.ptr<f16>>
  %4 = tile.load %ps, %ms cache(ca) : tensor<4x!tile.ptr<f16>>
  %5 = tile.load %ps cache(cg) : tensor<4x!tile.ptr<f16>>
  %6 = tile.load %ps cache(cs) volatile : tensor<4x!tile.ptr<f16>>
  %7 = tile.load %ps cache(cv) evict(evict_last) : tensor<4x!tile.ptr<f16>>
  %8 = tile.load %ps, %ms cache(cg) evict(evict_first) volatile {tag} : tensor<4x!tile.ptr<f16>>
  %9 = tile.load %pp : !tile.ptr<!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @stores
// CHECK: %[[P:.*]] = tile.splat %p
// CHECK: %[[M:.*]] = tile.splat %m
// CHECK: %[[V:.*]] = tile.splat %v
// CHECK: tile.store %p, %v : !tile.ptr<f16>
// CHECK-NEXT: tile.store %p, %v, %m : !tile.ptr<f16>
// CHECK-NEXT: tile.store %[[P]], %[[V]] cache(wb) : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.store %[[P]], %[[V]], %[[M]] cache(wt) : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.store %[[P]], %[[V]] cache(cg) evict(evict_last) : tensor<4x!tile.ptr<f16>>
// CHECK-NEXT: tile.store %[[P]], %[[V]], %[[M]] cache(cs) evict(evict_first) {tag} : tensor<4x!tile.ptr<f16>>
tile.func @stores(%p: !tile.ptr<f16>, %m: i1, %v: f16) {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
  %ms = tile.splat %m : i1 -> tensor<4xi1>
  %vs = tile.splat %v : f16 -> tensor<4xf16>
  tile.store %p, %v : !tile.ptr<f16>
  tile.store %p, %v, %m : !tile.ptr<f16>
  tile.store %ps, %vs cache(wb) : tensor<4x!tile.ptr<f16>>
  tile.store %ps, %vs, %ms cache(wt) : tensor<4x!tile.ptr<f16>>
  tile.store %ps, %vs cache(cg) evict(evict_last) : tensor<4x!tile.ptr<f16>>
  tile.store %ps, %vs, %ms cache(cs) evict(evict_first) {tag} : tensor<4x!tile.ptr<f16>>
  tile.return
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// One plain operation is printed by its name; everything else as a region.
// CHECK-LABEL: tile.func @reduce
// CHECK: %[[T:.*]] = tile.splat %x
// CHECK: tile.reduce %[[T]] axis 0 with arith.addf : (tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[ROWS:.*]] = tile.reduce %[[T]] axis 1 with arith.maximumf {tag} : (tensor<4x8xf32>) -> tensor<4xf32>
// CHECK-NEXT: tile.reduce %[[ROWS]] axis 0 with arith.addf : (tensor<4xf32>) -> f32
// CHECK-NEXT: tile.reduce %[[ROWS]] axis 0 with math.copysign : (tensor<4xf32>) -> f32
// CHECK-NEXT: tile.reduce %[[ROWS]] axis 0 : (tensor<4xf32>) -> f32 {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] fastmath<reassoc> : f32
// CHECK-NEXT: tile.reduce.return %[[SUM]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.reduce %[[ROWS]] axis 0 : (tensor<4xf32>) -> f32 {
// CHECK-NEXT: ^bb0(%[[C:.*]]: f32, %[[D:.*]]: f32):
// CHECK-NEXT: %[[SUM2:.*]] = arith.addf %[[D]], %[[C]] : f32
// CHECK-NEXT: tile.reduce.return %[[SUM2]] : f32 {tag}
tile.func @reduce(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  %cols = tile.reduce %t axis 0 with arith.addf : (tensor<4x8xf32>) -> tensor<8xf32>
  %rows = tile.reduce %t axis 1 with arith.maximumf {tag} : (tensor<4x8xf32>) -> tensor<4xf32>
  %named = tile.reduce %rows axis 0 : (tensor<4xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.reduce.return %sum : f32
  }
  %loaded_dialect = tile.reduce %rows axis 0 with math.copysign : (tensor<4xf32>) -> f32
  %flags = tile.reduce %rows axis 0 : (tensor<4xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b fastmath<reassoc> : f32
    tile.reduce.return %sum : f32
  }
  %swapped = tile.reduce %rows axis 0 : (tensor<4xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %b, %a : f32
    tile.reduce.return %sum : f32 {tag}
  }
  tile.return
}

// CHECK-LABEL: tile.func @argmax
// CHECK: %[[R:.*]]:2 = tile.reduce %{{.*}}, %{{.*}} axis 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[AI:.*]]: i32, %[[B:.*]]: f32, %[[BI:.*]]: i32):
// CHECK-NEXT: %[[GT:.*]] = arith.cmpf ogt, %[[A]], %[[B]] : f32
// CHECK-NEXT: %[[V:.*]] = arith.select %[[GT]], %[[A]], %[[B]] : f32
// CHECK-NEXT: %[[VI:.*]] = arith.select %[[GT]], %[[AI]], %[[BI]] : i32
// CHECK-NEXT: tile.reduce.return %[[V]], %[[VI]] : f32, i32
// CHECK-NEXT: }
tile.func @argmax(%x: f32, %i: i32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  %j = tile.splat %i : i32 -> tensor<4x8xi32>
  %max, %arg = tile.reduce %t, %j axis 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %gt, %a, %b : f32
    %vi = arith.select %gt, %ai, %bi : i32
    tile.reduce.return %v, %vi : f32, i32
  }
  tile.return
}
