// C = A B and D = A G: two products of one A.
tile.func @gated_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %g: !tile.ptr<f16>, %c: !tile.ptr<f32>, %d: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %deep = arith.constant 64 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x128xf16>
  %dg = tile.make_desc %g, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<128x128xf32>
  %dd = tile.make_desc %d, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<128x128xf32>
  %init = arith.constant #tile.zero : tensor<128x128xf32>
  %r:2 = scf.for %i = %zero to %k step %deep iter_args(%p = %init, %q = %init) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %x = tile.desc_load %da[%zero, %i] : !tile.desc<128x64xf16>, [i32, i32] -> tensor<128x64xf16>
    %y = tile.desc_load %db[%i, %zero] : !tile.desc<64x128xf16>, [i32, i32] -> tensor<64x128xf16>
    %z = tile.desc_load %dg[%i, %zero] : !tile.desc<64x128xf16>, [i32, i32] -> tensor<64x128xf16>
    %xy = tile.dot %x, %y, %p : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %xz = tile.dot %x, %z, %q : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %xy, %xz : tensor<128x128xf32>, tensor<128x128xf32>
  } {tile.num_stages = 4 : i32}
  tile.desc_store %dc[%zero, %zero], %r#0 : !tile.desc<128x128xf32>, [i32, i32], tensor<128x128xf32>
  tile.desc_store %dd[%zero, %zero], %r#1 : !tile.desc<128x128xf32>, [i32, i32], tensor<128x128xf32>
  tile.return
}
