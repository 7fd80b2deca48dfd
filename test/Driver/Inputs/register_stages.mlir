// C = (L L) B, L squared element by element, where the tiles of L right of its diagonal
// blocks, of 64 x 16, are taken for zeros: row r of tiles needs r steps along k, from
// none to 5. Two programs take every other row of tiles, and all its tiles; sizes are
// no multiples of these.

tile.func @squares(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                    %c: !tile.ptr<f16> {tile.noalias}, %m: i32, %n: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %wide = arith.constant 16 : i32
  %tall = arith.constant 64 : i32
  %id = tile.program_id x
  %programs = tile.num_programs x
  %first = arith.muli %id, %tall : i32
  %step = arith.muli %programs, %tall : i32
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<16x16xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  scf.for %row = %first to %m step %step : i32 {
    %end = arith.divsi %row, %four : i32
    %steps = arith.minsi %end, %k : i32
    scf.for %col = %zero to %n step %wide : i32 {
      %sum = scf.for %i = %zero to %steps step %wide iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
        %x = tile.desc_load %da[%row, %i] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16>
        %y = tile.desc_load %db[%i, %col] : !tile.desc<16x16xf16>, [i32, i32] -> tensor<16x16xf16>
        %s = arith.mulf %x, %x : tensor<64x16xf16>
        %next = tile.dot %s, %y, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
        scf.yield %next : tensor<64x16xf32>
      } {tile.num_stages = 3 : i32}
      %out = tile.convert %sum : tensor<64x16xf32> -> tensor<64x16xf16>
      tile.desc_store %dc[%row, %col], %out : !tile.desc<64x16xf16>, [i32, i32], tensor<64x16xf16>
    }
  }
  tile.return
}

tile.launch @squares_entry(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>) {
  %m = tile.plan.constant 376
  %n = tile.plan.constant 40
  %k = tile.plan.constant 88
  %two = tile.plan.constant 2
  tile.plan.dispatch @squares grid(%two : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i64, i64, i64
}
