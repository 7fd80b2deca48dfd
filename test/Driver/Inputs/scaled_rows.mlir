// C = (S A) B for one tile of C: S scales the rows of A, which go to shared memory when
// they have been scaled; two groups of warps read all of them.

!a = tensor<64x32xf16>
!wide = tensor<64x32xf32>
!acc = tensor<64x128xf32>
!scale = tensor<64x1xf32>

tile.func @scaled_rows_kernel(
    %a: !tile.ptr<f16> {tile.readonly}, %b: !tile.ptr<f16> {tile.readonly},
    %s: !tile.ptr<f32> {tile.readonly}, %c: !tile.ptr<f32>,
    %k: i32) attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 128 : i32
  %m = arith.constant 64 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x128xf16>
  %ds = tile.make_desc %s, [%m, %one], [%one, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x1xf32>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x128xf32>
  %column = tile.desc_load %ds[%zero, %zero] : !tile.desc<64x1xf32>, [i32, i32] -> !scale
  %scales = tile.broadcast %column : !scale -> !wide
  %init = arith.constant #tile.zero : !acc
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!acc) : i32 {
    %x = tile.desc_load %da[%zero, %i] : !tile.desc<64x32xf16>, [i32, i32] -> !a
    %y = tile.desc_load %db[%i, %zero] : !tile.desc<32x128xf16>, [i32, i32] -> tensor<32x128xf16>
    %xs = arith.extf %x : !a to !wide
    %scaled = arith.mulf %xs, %scales : !wide
    %half = arith.truncf %scaled : !wide to !a
    %next = tile.dot %half, %y, %acc : !a, tensor<32x128xf16> -> !acc
    scf.yield %next : !acc
  }
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x128xf32>, [i32, i32], !acc
  tile.return
}

tile.launch @scaled_rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %s: !tile.ptr<f32>,
                         %c: !tile.ptr<f32>, %k: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @scaled_rows_kernel grid(%one : i64) args(%a, %b, %s, %c, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, !tile.ptr<f32>, i32
}
