// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-convert-math | FileCheck %s

// exp(x) = 2^(x log2 e), log2 e = 1.442695, in f32; `afn` selects ex2.approx.
// CHECK-LABEL: llvm.func @exponentials
// CHECK-SAME: (%[[X:.*]]: f32, %[[V:.*]]: vector<4xf32>, %[[H:.*]]: f16)
// CHECK: %[[C:.*]] = arith.constant 1.442695{{.*}} : f32
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[X]], %[[C]] : f32
// CHECK-NEXT: llvm.intr.exp2(%[[M]]) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// CHECK-NEXT: llvm.intr.exp2(%[[V]]) {fastmathFlags = #llvm.fastmath<afn>} : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %[[CV:.*]] = arith.constant dense<1.442695{{.*}}> : vector<4xf32>
// CHECK-NEXT: %[[MV:.*]] = arith.mulf %[[V]], %[[CV]] : vector<4xf32>
// CHECK-NEXT: llvm.intr.exp2(%[[MV]])
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[H]] : f16 to f32
// CHECK: %[[E:.*]] = llvm.intr.exp2({{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// CHECK-NEXT: arith.truncf %[[E]] : f32 to f16
llvm.func @exponentials(%x: f32, %v: vector<4xf32>, %h: f16) {
  %0 = math.exp %x : f32
  %1 = math.exp2 %v : vector<4xf32>
  %2 = math.exp %v : vector<4xf32>
  %3 = math.exp %h : f16
  llvm.return
}

// -----

// div.full takes scalars.
// CHECK-LABEL: llvm.func @divisions
// CHECK-SAME: (%[[X:.*]]: f32, %[[B:.*]]: vector<2xbf16>)
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]], %[[X]]) : (f32, f32) -> f32
// CHECK-COUNT-2: arith.extf %[[B]] : vector<2xbf16> to vector<2xf32>
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.div.full"
// CHECK-NOT: llvm.nvvm.div.full
// CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xbf16>
llvm.func @divisions(%x: f32, %b: vector<2xbf16>) {
  %0 = arith.divf %x, %x : f32
  %1 = arith.divf %b, %b : vector<2xbf16>
  llvm.return
}

// -----

// `tile.precise` and f64: libdevice and IEEE division.
// CHECK-DAG: llvm.func @__nv_expf(f32) -> f32
// CHECK-DAG: llvm.func @__nv_exp2f(f32) -> f32
// CHECK-DAG: llvm.func @__nv_exp(f64) -> f64
// CHECK-LABEL: llvm.func @precise
// CHECK-SAME: (%[[X:.*]]: f32, %[[D:.*]]: f64)
// CHECK-NEXT: llvm.call @__nv_expf(%[[X]]) : (f32) -> f32
// CHECK-NEXT: llvm.call @__nv_exp2f(%[[X]]) : (f32) -> f32
// CHECK-NEXT: llvm.call @__nv_exp(%[[D]]) : (f64) -> f64
// CHECK-NEXT: arith.divf %[[X]], %[[X]] {tile.precise} : f32
// CHECK-NEXT: arith.divf %[[D]], %[[D]] : f64
llvm.func @precise(%x: f32, %d: f64) {
  %0 = math.exp %x {tile.precise} : f32
  %1 = math.exp2 %x {tile.precise} : f32
  %2 = math.exp %d : f64
  %3 = arith.divf %x, %x {tile.precise} : f32
  %4 = arith.divf %d, %d : f64
  llvm.return
}

// -----

// Other functions are libdevice's: element by element, 16-bit floats in f32.
// CHECK-DAG: llvm.func @__nv_sinf(f32) -> f32
// CHECK-DAG: llvm.func @__nv_logf(f32) -> f32
// CHECK-DAG: llvm.func @__nv_pow(f64, f64) -> f64
// CHECK-LABEL: llvm.func @libdevice
// CHECK-SAME: (%[[V:.*]]: vector<2xf32>, %[[H:.*]]: f16, %[[D:.*]]: f64)
// CHECK-COUNT-2: llvm.call @__nv_sinf(%{{.*}}) : (f32) -> f32
// CHECK: %[[W:.*]] = llvm.fpext %[[H]] : f16 to f32
// CHECK-NEXT: %[[L:.*]] = llvm.call @__nv_logf(%[[W]]) : (f32) -> f32
// CHECK-NEXT: llvm.fptrunc %[[L]] : f32 to f16
// CHECK-NEXT: llvm.call @__nv_pow(%[[D]], %[[D]]) : (f64, f64) -> f64
llvm.func @libdevice(%v: vector<2xf32>, %h: f16, %d: f64) {
  %0 = math.sin %v : vector<2xf32>
  %1 = math.log %h : f16
  %2 = math.powf %d, %d : f64
  llvm.return
}

// -----

// Rounded divisions: the truncated quotient q; ceil is q + 1 where there is a
// remainder and the signs agree, floor is q - 1 where they differ.
// CHECK-LABEL: llvm.func @rounded
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-DAG: %[[Q:.*]] = arith.divsi %[[A]], %[[B]] : i32
// CHECK-DAG: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i1
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[UP:.*]] = arith.addi %[[Q]], %[[ONE]] : i32
// CHECK: arith.select %{{.*}}, %[[UP]], %[[Q]] : i32
// CHECK: %[[R:.*]] = arith.divsi %[[A]], %[[B]] : i32
// CHECK: arith.cmpi ne, %{{.*}}, %{{.*}} : i1
// CHECK: %[[MINUS:.*]] = arith.constant -1 : i32
// CHECK: %[[DOWN:.*]] = arith.addi %[[R]], %[[MINUS]] : i32
// CHECK: arith.select %{{.*}}, %[[DOWN]], %[[R]] : i32
// CHECK: arith.divui
// CHECK-NOT: arith.ceildiv
// CHECK-NOT: arith.floordiv
// CHECK: llvm.return
llvm.func @rounded(%a: i32, %b: i32) {
  %0 = arith.ceildivsi %a, %b : i32
  %1 = arith.floordivsi %a, %b : i32
  %2 = arith.ceildivui %a, %b : i32
  llvm.return
}

// -----

// Unchanged: what LLVM has an instruction for.
// CHECK-LABEL: llvm.func @unchanged
// CHECK-SAME: (%[[V:.*]]: vector<4xf32>, %[[N:.*]]: i32)
// CHECK-NEXT: math.sqrt %[[V]] : vector<4xf32>
// CHECK-NEXT: math.absf %[[V]] : vector<4xf32>
// CHECK-NEXT: math.fma %[[V]], %[[V]], %[[V]] : vector<4xf32>
// CHECK-NEXT: math.floor %[[V]] : vector<4xf32>
// CHECK-NEXT: math.roundeven %[[V]] : vector<4xf32>
// CHECK-NEXT: math.copysign %[[V]], %[[V]] : vector<4xf32>
// CHECK-NEXT: math.ctpop %[[N]] : i32
// CHECK-NEXT: arith.divsi %[[N]], %[[N]] : i32
// CHECK-NEXT: arith.maximumf %[[V]], %[[V]] : vector<4xf32>
// CHECK-NEXT: llvm.return
llvm.func @unchanged(%v: vector<4xf32>, %n: i32) {
  %0 = math.sqrt %v : vector<4xf32>
  %1 = math.absf %v : vector<4xf32>
  %2 = math.fma %v, %v, %v : vector<4xf32>
  %3 = math.floor %v : vector<4xf32>
  %4 = math.roundeven %v : vector<4xf32>
  %5 = math.copysign %v, %v : vector<4xf32>
  %6 = math.ctpop %n : i32
  %7 = arith.divsi %n, %n : i32
  %8 = arith.maximumf %v, %v : vector<4xf32>
  llvm.return
}

// -----

// Functions that libdevice does not have.
llvm.func @ipowi(%n: i32) {
  // expected-error @below {{failed to legalize operation 'math.ipowi'}}
  %0 = math.ipowi %n, %n : i32
  llvm.return
}
