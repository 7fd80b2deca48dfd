// C = A B for one tile of C, whose tiles of A and B begin at any element of k, and whose
// arrays end at different ones. Outside of its array each is zero.

tile.func @shifted_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                          %ka: i32, %kb: i64, %first: i32, %end: i32)
    attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %held = arith.constant 80 : i32
  %n = arith.constant 16 : i32
  %m = arith.constant 64 : i32
  %step = arith.constant 64 : i32
  %da = tile.make_desc %a, [%m, %ka], [%held, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%kb, %n], [%n, %one] : !tile.ptr<f16>, [i64, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %sum = scf.for %i = %first to %end step %step iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
    %x = tile.desc_load %da[%zero, %i] : !tile.desc<64x64xf16>, [i32, i32] -> tensor<64x64xf16>
    %y = tile.desc_load %db[%i, %zero] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16>
    %next = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  } {tile.num_stages = 3 : i32}
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
  tile.return
}

tile.launch @shifted(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                     %ka: i32, %kb: i64, %first: i32, %end: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @shifted_kernel grid(%one : i64) args(%a, %b, %c, %ka, %kb, %first, %end)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i64, i32, i32
}
