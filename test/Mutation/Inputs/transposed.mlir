// y = x^T, a square of 32 x 32.
tile.func @transposed_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %range = tile.arange : tensor<32xi32>
  %col = tile.expand_dims %range, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %row = tile.expand_dims %range, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %cols = tile.broadcast %col : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows = tile.broadcast %row : tensor<1x32xi32> -> tensor<32x32xi32>
  %width = arith.constant dense<32> : tensor<32x32xi32>
  %first = arith.muli %cols, %width : tensor<32x32xi32>
  %offs = arith.addi %first, %rows : tensor<32x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %offs : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %py = tile.addptr %ys, %offs : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %v = tile.load %px : tensor<32x32x!tile.ptr<f32>>
  %t = tile.trans %v, [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %py, %t : tensor<32x32x!tile.ptr<f32>>
  tile.return
}
