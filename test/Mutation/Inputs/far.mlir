// y[i] = x[2^32 + i]: an offset that does not fit into 32 bits.
tile.func @far_kernel(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>, %n: i32) {
  %range = tile.arange : tensor<64xi32>
  %rows = arith.constant 65536 : i32
  %start = arith.muli %rows, %rows : i32
  %starts = tile.splat %start : i32 -> tensor<64xi32>
  %offs = arith.addi %starts, %range : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %range, %ns : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<64x!tile.ptr<i8>>
  %ys = tile.splat %y : !tile.ptr<i8> -> tensor<64x!tile.ptr<i8>>
  %px = tile.addptr %xs, %offs : tensor<64x!tile.ptr<i8>>, tensor<64xi32>
  %py = tile.addptr %ys, %range : tensor<64x!tile.ptr<i8>>, tensor<64xi32>
  %v = tile.load %px, %mask : tensor<64x!tile.ptr<i8>>
  tile.store %py, %v, %mask : tensor<64x!tile.ptr<i8>>
  tile.return
}
