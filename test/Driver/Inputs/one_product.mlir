// A product outside of loops, of 128x64x16.

!a = tensor<128x16xf16>
!b = tensor<16x64xf16>
!acc = tensor<128x64xf32>
tile.func @product(%a: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly}, %b: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly}, %c: !tile.ptr<f32> {tile.divisible_by = 16}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = arith.constant 128 : i32
  %n = arith.constant 64 : i32
  %k = arith.constant 16 : i32
  %init = arith.constant #tile.zero : !acc
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<128x16xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<16x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<128x64xf32>
  %x = tile.desc_load %da[%zero, %zero] : !tile.desc<128x16xf16>, [i32, i32] -> !a
  %y = tile.desc_load %db[%zero, %zero] : !tile.desc<16x64xf16>, [i32, i32] -> !b
  %d = tile.dot %x, %y, %init : !a, !b -> !acc
  tile.desc_store %dc[%zero, %zero], %d : !tile.desc<128x64xf32>, [i32, i32], !acc
  tile.return
}
