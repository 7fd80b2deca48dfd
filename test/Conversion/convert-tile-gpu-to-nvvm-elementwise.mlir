// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

// Two registers a thread: vectors of 2.
#l = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>

// CHECK-LABEL: llvm.func @arithmetic
// CHECK-SAME: %[[X:.*]]: f32 {
// CHECK: %[[A:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xf32>
// CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : vector<2xf32>
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[C]] fastmath<fast> : vector<2xf32>
// CHECK-NEXT: math.exp %[[B]] {tile.precise} : vector<2xf32>
// CHECK-NEXT: math.fma %[[A]], %[[B]], %[[C]] : vector<2xf32>
// CHECK-NEXT: arith.fptosi %[[B]] : vector<2xf32> to vector<2xi8>
// CHECK-NEXT: arith.addf %[[X]], %[[X]] : f32
tile.func @arithmetic(%x: f32) attributes {tile_gpu.num_warps = 2 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #l>
  %c = arith.constant dense<2.0> : tensor<128xf32, #l>
  %b = arith.mulf %a, %c fastmath<fast> : tensor<128xf32, #l>
  %e = math.exp %b {tile.precise} : tensor<128xf32, #l>
  %f = math.fma %a, %b, %c : tensor<128xf32, #l>
  %i = arith.fptosi %b : tensor<128xf32, #l> to tensor<128xi8, #l>
  %y = arith.addf %x, %x : f32
  tile.return
}

// Masks are taken apart, so that each is a predicate.
// CHECK-LABEL: llvm.func @masks
// CHECK: %[[A:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xf32>
// CHECK-NOT: arith.cmpf {{.*}} : vector
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.select {{.*}} : vector
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: %[[S:.*]] = llvm.insertelement {{.*}} : vector<2xf32>
// CHECK: llvm.return
tile.func @masks(%x: f32, %y: f32) attributes {tile_gpu.num_warps = 2 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #l>
  %b = tile.splat %y : f32 -> tensor<128xf32, #l>
  %m = arith.cmpf olt, %a, %b : tensor<128xf32, #l>
  %s = arith.select %m, %a, %b : tensor<128xi1, #l>, tensor<128xf32, #l>
  tile.return
}

// A scalar condition stays one.
// CHECK-LABEL: llvm.func @scalar_condition
// CHECK-SAME: %[[M:.*]]: i1 {
// CHECK: arith.select %[[M]], %{{.*}}, %{{.*}} : vector<2xf32>
tile.func @scalar_condition(%m: i1, %x: f32) attributes {tile_gpu.num_warps = 2 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #l>
  %b = arith.negf %a : tensor<128xf32, #l>
  %s = arith.select %m, %a, %b : tensor<128xf32, #l>
  tile.return
}

// 8-bit floats are integers in registers: 1.0 is 0x38 = 56 with 4 bits of exponent
// (bias 7, 3 of fraction), 0x3C = 60 with 5 (bias 15, 2 of fraction).
// CHECK-LABEL: llvm.func @float8_constants
// CHECK: arith.constant dense<56> : vector<2xi8>
// CHECK: arith.constant 60 : i8
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i8
tile.func @float8_constants(%m: i1, %x: f8E5M2) attributes {tile_gpu.num_warps = 2 : i32} {
  %a = arith.constant dense<1.0> : tensor<128xf8E4M3FN, #l>
  %b = arith.constant 1.0 : f8E5M2
  %s = arith.select %m, %x, %b : f8E5M2
  tile.return
}

// Addresses: a scalar by GEP in elements of the pointee's size (i1: one byte,
// a pointer: eight), tensors in 64-bit integers.
// CHECK-LABEL: llvm.func @addresses
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {tile.name = "p"{{.*}}}, %[[B:.*]]: !llvm.ptr<1> {tile.name = "b"{{.*}}}, %[[Q:.*]]: !llvm.ptr<1> {tile.name = "q"{{.*}}}, %[[N:.*]]: i32 {
// CHECK: %[[W:.*]] = llvm.sext %[[N]] : i32 to i64
// CHECK-NEXT: llvm.getelementptr %[[P]][%[[W]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
// CHECK: llvm.getelementptr %[[B]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK: llvm.getelementptr %[[Q]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
// CHECK: %[[I:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
// CHECK: %[[PS:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xi64>
// CHECK: %[[O:.*]] = llvm.sext %{{.*}} : vector<2xi32> to vector<2xi64>
// CHECK: llvm.mlir.constant(2 : i64) : i64
// CHECK: %[[S:.*]] = llvm.mul %[[O]], %{{.*}} : vector<2xi64>
// CHECK-NEXT: llvm.add %[[PS]], %[[S]] : vector<2xi64>
tile.func @addresses(%p: !tile.ptr<f16>, %b: !tile.ptr<i1>, %q: !tile.ptr<!tile.ptr<f16>>, %n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  %0 = tile.addptr %p, %n : !tile.ptr<f16>, i32
  %1 = tile.addptr %b, %n : !tile.ptr<i1>, i32
  %2 = tile.addptr %q, %n : !tile.ptr<!tile.ptr<f16>>, i32
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<128x!tile.ptr<f16>, #l>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #l>
  %3 = tile.addptr %ps, %ns : tensor<128x!tile.ptr<f16>, #l>, tensor<128xi32, #l>
  tile.return
}

// Bytes need no factor, 64-bit offsets no extension.
// CHECK-LABEL: llvm.func @byte_addresses
// CHECK: %[[PS:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xi64>
// CHECK: %[[NS:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xi64>
// CHECK-NOT: llvm.sext
// CHECK-NOT: llvm.mul
// CHECK: llvm.add %[[PS]], %[[NS]] : vector<2xi64>
tile.func @byte_addresses(%p: !tile.ptr<i8>, %n: i64) attributes {tile_gpu.num_warps = 2 : i32} {
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>, #l>
  %ns = tile.splat %n : i64 -> tensor<128xi64, #l>
  %0 = tile.addptr %ps, %ns : tensor<128x!tile.ptr<i8>, #l>, tensor<128xi64, #l>
  tile.return
}

// Float conversions: f16 and bf16 through f32; towards zero by the intrinsics of
// cvt.rz, whose second operand gives the lower half.
// CHECK-LABEL: llvm.func @conversions
// CHECK-SAME: %[[X:.*]]: f32 {{.*}}, %[[H:.*]]: f16 {{.*}}, %[[D:.*]]: f64 {
// CHECK: arith.truncf %[[X]] : f32 to f16
// CHECK: arith.extf %[[H]] : f16 to f64
// CHECK: %[[E:.*]] = arith.extf %[[H]] : f16 to f32
// CHECK-NEXT: arith.truncf %[[E]] : f32 to bf16
// CHECK: %[[F:.*]] = llvm.call_intrinsic "llvm.nvvm.d2f.rz"(%{{.*}}) : (f64) -> f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rz"(%{{.*}}, %[[F]]) : (f32, f32) -> vector<2xbf16>
// CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rz"
// CHECK: llvm.return
tile.func @conversions(%x: f32, %h: f16, %d: f64) attributes {tile_gpu.num_warps = 2 : i32} {
  %0 = tile.convert %x : f32 -> f16
  %1 = tile.convert %h : f16 -> f64
  %2 = tile.convert %h : f16 -> bf16
  %3 = tile.convert %d rtz : f64 -> bf16
  %a = tile.splat %x : f32 -> tensor<128xf32, #l>
  %4 = tile.convert %a : tensor<128xf32, #l> -> tensor<128xf16, #l>
  %5 = tile.convert %a rtz : tensor<128xf32, #l> -> tensor<128xf16, #l>
  tile.return
}

// Unchanged: scalar code of arith, math and scf, and launch plans.
// CHECK-LABEL: llvm.func @unchanged
// CHECK-SAME: %[[X:.*]]: f32 {{.*}}, %[[N:.*]]: i32 {
// CHECK-NEXT: %[[R:.*]] = scf.for %{{.*}} = %[[N]] to %[[N]] step %[[N]] iter_args(%[[A:.*]] = %[[X]]) -> (f32)  : i32 {
// CHECK-NEXT:   %[[E:.*]] = math.exp %[[A]] : f32
// CHECK-NEXT:   scf.yield %[[E]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.func @unchanged(%x: f32, %n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) : i32 {
    %e = math.exp %a : f32
    scf.yield %e : f32
  }
  tile.return
}
// CHECK-LABEL: tile.launch @plan
// CHECK-NEXT: tile.plan.dispatch @unchanged grid(%n : i32) args(%x, %n) : f32, i32
tile.launch @plan(%x: f32, %n: i32) {
  tile.plan.dispatch @unchanged grid(%n : i32) args(%x, %n) : f32, i32
}
