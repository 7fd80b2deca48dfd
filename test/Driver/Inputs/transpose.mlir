// Y = X^T in tiles of BM x BN; the tile changes threads on its way.
#BM = #tile.param<BM = 256>
#BN = #tile.param<BN = 256>
!x = !tile.t<[#BM, #BN], f32>
!y = !tile.t<[#BN, #BM], f32>
!dx = !tile.desc<[#BM, #BN], f32>
!dy = !tile.desc<[#BN, #BM], f32>

tile.func @transpose_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %dx = tile.make_desc %x, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !dx
  %dy = tile.make_desc %y, [%n, %m], [%m, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !dy
  %v = tile.desc_load %dx[%zero, %zero] : !dx, [i32, i32] -> !x
  %t = tile.trans %v, [1, 0] : !x -> !y
  tile.desc_store %dy[%zero, %zero], %t : !dy, [i32, i32], !y
  tile.return
}
