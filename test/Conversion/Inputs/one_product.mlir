// A product that begins with a constant, in no loop.

tile.func @one(%a: !tile.ptr<f16> {tile.divisible_by = 16 : i32}, %b: !tile.ptr<f16> {tile.divisible_by = 16 : i32}, %c: !tile.ptr<f32>  {tile.divisible_by = 16 : i32}) {
  %m = arith.constant 64 : i32
  %k = arith.constant 32 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x32xf16>
  %dc = tile.make_desc %c, [%m, %k], [%k, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf32>
  %x = tile.desc_load %da[%zero, %zero] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
  %y = tile.desc_load %db[%zero, %zero] : !tile.desc<32x32xf16>, [i32, i32] -> tensor<32x32xf16>
  %z = arith.constant dense<1.5> : tensor<64x32xf32>
  %r = tile.dot %x, %y, %z : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  tile.desc_store %dc[%zero, %zero], %r : !tile.desc<64x32xf32>, [i32, i32], tensor<64x32xf32>
  tile.return
}
