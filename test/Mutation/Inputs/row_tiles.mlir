// C = A B, whose rows of tiles one loop with stages copies, multiplies and stores: what
// threads write for the store has a fence in the loop, where products need none.

tile.func @row_tiles_kernel(%a: !tile.ptr<f16> {tile.readonly}, %b: !tile.ptr<f16>,
                            %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %tall = arith.constant 64 : i32
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x16xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  %y = tile.desc_load %db[%zero, %zero] : !tile.desc<32x16xf16>, [i32, i32] -> tensor<32x16xf16>
  scf.for %row = %zero to %m step %tall : i32 {
    %x = tile.desc_load %da[%row, %zero] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
    %xy = tile.dot %x, %y, %init : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>
    tile.desc_store %dc[%row, %zero], %xy : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

tile.launch @row_tiles(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                       %m: i32, %n: i32, %k: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @row_tiles_kernel grid(%one : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i32
}
