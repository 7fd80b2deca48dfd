// RUN: not tile-opt %s --emit=ptx -o - 2>&1 | FileCheck %s --implicit-check-not=error:

// The order of a reduction is unspecified, so that a function that plainly depends
// on it is refused instead of giving what the layout happens to give.

tile.func @subtract_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f32>>
  // CHECK: reductions-order.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}'arith.subf' is not associative
  %d = tile.reduce %v axis 0 with arith.subf : (tensor<32xf32>) -> f32
  tile.store %y, %d : !tile.ptr<f32>
  tile.return
}
