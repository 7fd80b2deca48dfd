// C = A B for n x n matrices of f16, n <= 64, with rows of 64 elements.
!row = tensor<1x64xi32>
!col = tensor<64x1xi32>
!offs = tensor<64x64xi32>
!f16s = tensor<64x64xf16>
!f32s = tensor<64x64xf32>
!mask = tensor<64x64xi1>
!p16 = tensor<64x64x!tile.ptr<f16>>
!p32 = tensor<64x64x!tile.ptr<f32>>

tile.func @square_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                         %c: !tile.ptr<f32>, %n: i32) {
  %range = tile.arange : tensor<64xi32>
  %i = tile.expand_dims %range, 1 : tensor<64xi32> -> !col
  %j = tile.expand_dims %range, 0 : tensor<64xi32> -> !row
  %ni = tile.splat %n : i32 -> !col
  %nj = tile.splat %n : i32 -> !row
  %in_i = arith.cmpi slt, %i, %ni : !col
  %in_j = arith.cmpi slt, %j, %nj : !row
  %in_is = tile.broadcast %in_i : tensor<64x1xi1> -> !mask
  %in_js = tile.broadcast %in_j : tensor<1x64xi1> -> !mask
  %mask = arith.andi %in_is, %in_js : !mask
  %width = arith.constant dense<64> : !col
  %starts = arith.muli %i, %width : !col
  %rows = tile.broadcast %starts : !col -> !offs
  %cols = tile.broadcast %j : !row -> !offs
  %offs = arith.addi %rows, %cols : !offs
  %as = tile.splat %a : !tile.ptr<f16> -> !p16
  %bs = tile.splat %b : !tile.ptr<f16> -> !p16
  %cs = tile.splat %c : !tile.ptr<f32> -> !p32
  %pa = tile.addptr %as, %offs : !p16, !offs
  %pb = tile.addptr %bs, %offs : !p16, !offs
  %pc = tile.addptr %cs, %offs : !p32, !offs
  %zero = arith.constant dense<0.0> : !f16s
  %init = arith.constant dense<0.0> : !f32s
  %at = tile.load %pa, %mask, %zero : !p16
  %bt = tile.load %pb, %mask, %zero : !p16
  %ct = tile.dot %at, %bt, %init : !f16s, !f16s -> !f32s
  tile.store %pc, %ct, %mask : !p32
  tile.return
}
