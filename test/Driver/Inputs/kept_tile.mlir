// C = A (B0 + B1 + ...), with A kept in shared memory all through the loop.
tile.func @kept_tile_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16> {tile.readonly}, %c: !tile.ptr<f32>, %m: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 128 : i32
  %da = tile.make_desc %a, [%m, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<256x128xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<128x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<256x128xf32>
  %init = arith.constant #tile.zero : tensor<256x128xf32>
  %x = tile.desc_load %da[%zero, %zero] : !tile.desc<256x128xf16>, [i32, i32] -> tensor<256x128xf16>
  %sum = scf.for %i = %zero to %k step %n iter_args(%acc = %init) -> (tensor<256x128xf32>) : i32 {
    %y = tile.desc_load %db[%i, %zero] : !tile.desc<128x128xf16>, [i32, i32] -> tensor<128x128xf16>
    %next = tile.dot %x, %y, %acc : tensor<256x128xf16>, tensor<128x128xf16> -> tensor<256x128xf32>
    scf.yield %next : tensor<256x128xf32>
  } {tile.num_stages = 6 : i32}
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<256x128xf32>, [i32, i32], tensor<256x128xf32>
  tile.return
}
