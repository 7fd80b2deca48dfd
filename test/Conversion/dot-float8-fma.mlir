// A product of 8-bit floats too small for mma.sync: its operands are widened to f32
// first, by instructions where the target has them.

// RUN: tile-opt %s --emit=ptx --target=sm_80 -o - | FileCheck %s --implicit-check-not=mma.sync --implicit-check-not=e5m2x2
// RUN: tile-opt %s --emit=ptx --target=sm_90a -o - | FileCheck %s --check-prefix=CVT --implicit-check-not=mma.sync

// CHECK-LABEL: .entry small
// CHECK: cvt.f32.f16
// CHECK: fma.rn.f32
// CVT-LABEL: .entry small
// CVT: cvt.rn.f16x2.e5m2x2
// CVT: cvt.f32.f16
// CVT: fma.rn.f32
tile.func @small(%p: !tile.ptr<f8E5M2>, %q: !tile.ptr<f32>) {
  %ps = tile.splat %p : !tile.ptr<f8E5M2> -> tensor<16x4x!tile.ptr<f8E5M2>>
  %a = tile.load %ps : tensor<16x4x!tile.ptr<f8E5M2>>
  %rs = tile.splat %p : !tile.ptr<f8E5M2> -> tensor<4x8x!tile.ptr<f8E5M2>>
  %b = tile.load %rs : tensor<4x8x!tile.ptr<f8E5M2>>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  %c = tile.dot %a, %b, %zero : tensor<16x4xf8E5M2>, tensor<4x8xf8E5M2> -> tensor<16x8xf32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>>
  tile.store %qs, %c : tensor<16x8x!tile.ptr<f32>>
  tile.return
}
