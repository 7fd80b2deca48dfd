// c[64 p .. 64 p + 64, :] = rows 2^32 p and on of a, times b: of program 0 the first
// 64, of each other none. The product takes steps of 32 along k from the end, so that the
// last step may begin before 0.
tile.func @rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32> {tile.noalias},
                %m: i32, %n: i32, %k: i32, %rows: i32) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %height = arith.constant 64 : i32
  %step = arith.constant 32 : i32
  %factor = arith.constant 65536 : i32
  %id = tile.program_id x
  %out = arith.muli %id, %height : i32
  %plane = arith.muli %id, %factor : i32
  %row = arith.muli %plane, %factor : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x32xf16>
  %dc = tile.make_desc %c, [%rows, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf32>
  %init = arith.constant #tile.zero : tensor<64x32xf32>
  %last = arith.subi %k, %step : i32
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x32xf32>) : i32 {
    %j = arith.subi %last, %i : i32
    %x = tile.desc_load %da[%row, %j] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
    %y = tile.desc_load %db[%j, %zero] : !tile.desc<32x32xf16>, [i32, i32] -> tensor<32x32xf16>
    %next = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  } {tile.num_stages = 3 : i32}
  tile.desc_store %dc[%out, %zero], %sum : !tile.desc<64x32xf32>, [i32, i32], tensor<64x32xf32>
  tile.return
}

tile.launch @rows_entry(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                        %m: i32, %n: i32, %k: i32, %rows: i32) {
  %programs = tile.plan.cdiv %rows, 64 : i32
  tile.plan.dispatch @rows grid(%programs : i64) args(%a, %b, %c, %m, %n, %k, %rows)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i32, i32
}
