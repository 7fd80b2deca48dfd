// y[i] = x[i] for i < n, x being of 8 bits with a sign.
tile.func @signed_kernel(%x: !tile.ptr<i8>, %y: !tile.ptr<i32>, %n: i32) {
  %range = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %range, %ns : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<64x!tile.ptr<i8>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %px = tile.addptr %xs, %range : tensor<64x!tile.ptr<i8>>, tensor<64xi32>
  %py = tile.addptr %ys, %range : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %v = tile.load %px, %mask : tensor<64x!tile.ptr<i8>>
  %wide = arith.extsi %v : tensor<64xi8> to tensor<64xi32>
  tile.store %py, %wide, %mask : tensor<64x!tile.ptr<i32>>
  tile.return
}
