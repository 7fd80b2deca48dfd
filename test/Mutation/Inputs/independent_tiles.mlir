// C = A B by one program that stays. Tiles are independent, so that the first copies of
// a tile are issued before the results of the one before are stored. Shifts stay in 32
// bits, which coordinates of maps have.

tile.func @independent_tiles_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                                    %c: !tile.ptr<f32>, %m: i32, %n: i32,
                                    %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %six = arith.constant 6 : i32
  %wide = arith.constant 16 : i32
  %tall = arith.constant 64 : i32
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<16x16xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  %rows = arith.ceildivsi %m, %tall : i32
  %cols = arith.ceildivsi %n, %wide : i32
  %tiles = arith.muli %rows, %cols : i32
  scf.for unsigned %tile = %pid to %tiles step %programs : i32 {
    %r = arith.remui %tile, %rows : i32
    %q = arith.divui %tile, %rows : i32
    %row = arith.shli %r, %six : i32
    %col = arith.shli %q, %four : i32
    %sum = scf.for %i = %zero to %k step %wide iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
      %x = tile.desc_load %da[%row, %i] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16>
      %y = tile.desc_load %db[%i, %col] : !tile.desc<16x16xf16>, [i32, i32] -> tensor<16x16xf16>
      %next = tile.dot %x, %y, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
      scf.yield %next : tensor<64x16xf32>
    } {tile.num_stages = 3 : i32}
    tile.desc_store %dc[%row, %col], %sum : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

tile.launch @independent_tiles(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                               %c: !tile.ptr<f32>, %m: i32, %n: i32) {
  %one = tile.plan.constant 1
  %k = tile.plan.constant 80
  tile.plan.dispatch @independent_tiles_kernel grid(%one : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i64
}
