// C = A B by one program that stays. Four slots of 48 KiB leave no room for a tile of
// results, which is stored in four pieces.

tile.func @large_tiles_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                              %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32)
    attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %eight = arith.constant 8 : i32
  %deep = arith.constant 64 : i32
  %tall = arith.constant 128 : i32
  %wide = arith.constant 256 : i32
  %init = arith.constant #tile.zero : tensor<128x256xf32>
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x256xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<128x256xf16>
  %rows = arith.ceildivsi %m, %tall : i32
  %cols = arith.ceildivsi %n, %wide : i32
  %tiles = arith.muli %rows, %cols : i32
  scf.for unsigned %tile = %pid to %tiles step %programs : i32 {
    %r = arith.remui %tile, %rows : i32
    %q = arith.divui %tile, %rows : i32
    %row = arith.shli %r, %seven : i32
    %col = arith.shli %q, %eight : i32
    %sum = scf.for %i = %zero to %k step %deep iter_args(%acc = %init) -> (tensor<128x256xf32>) : i32 {
      %x = tile.desc_load %da[%row, %i] : !tile.desc<128x64xf16>, [i32, i32] -> tensor<128x64xf16>
      %y = tile.desc_load %db[%i, %col] : !tile.desc<64x256xf16>, [i32, i32] -> tensor<64x256xf16>
      %next = tile.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    } {tile.num_stages = 4 : i32}
    %half = tile.convert %sum : tensor<128x256xf32> -> tensor<128x256xf16>
    tile.desc_store %dc[%row, %col], %half : !tile.desc<128x256xf16>, [i32, i32], tensor<128x256xf16>
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

tile.launch @large_tiles(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                         %m: i32, %n: i32) {
  %one = tile.plan.constant 1
  %k = tile.plan.constant 72
  tile.plan.dispatch @large_tiles_kernel grid(%one : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i64
}
