// C = A B by one program that stays, whose threads copy: without maps of the arrays. The
// first copies of a tile are two groups, issued before the results of the one before are
// stored.

tile.func @grouped_tiles_kernel(
    %a: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly},
    %b: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly},
    %c: !tile.ptr<f16> {tile.divisible_by = 16}, %m: i32,
    %n: i32 {tile.divisible_by = 8},
    %k: i32 {tile.divisible_by = 8}) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wide = arith.constant 16 : i32
  %tall = arith.constant 64 : i32
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<16x16xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %rows = arith.ceildivsi %m, %tall : i32
  %cols = arith.ceildivsi %n, %wide : i32
  %tiles = arith.muli %rows, %cols : i32
  scf.for unsigned %tile = %pid to %tiles step %programs : i32 {
    %r = arith.remui %tile, %rows : i32
    %q = arith.divui %tile, %rows : i32
    %row = arith.muli %r, %tall : i32
    %col = arith.muli %q, %wide : i32
    %sum = scf.for %i = %zero to %k step %wide iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
      %x = tile.desc_load %da[%row, %i] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16>
      %y = tile.desc_load %db[%i, %col] : !tile.desc<16x16xf16>, [i32, i32] -> tensor<16x16xf16>
      %next = tile.dot %x, %y, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
      scf.yield %next : tensor<64x16xf32>
    } {tile.num_stages = 4 : i32}
    %out = tile.convert %sum : tensor<64x16xf32> -> tensor<64x16xf16>
    tile.desc_store %dc[%row, %col], %out : !tile.desc<64x16xf16>, [i32, i32], tensor<64x16xf16>
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

tile.launch @grouped_tiles(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                           %c: !tile.ptr<f16>, %m: i32) {
  %one = tile.plan.constant 1
  %n = tile.plan.constant 40
  %k = tile.plan.constant 80
  tile.plan.dispatch @grouped_tiles_kernel grid(%one : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i64, i64
}
