// C = A B for one tile of C by mma.sync, whose registers are read while the
// iteration before multiplies: copies four iterations ahead, three slots.

tile.func @pipelined_mma_kernel(
    %a: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly},
    %b: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly},
    %c: !tile.ptr<f32> {tile.divisible_by = 16},
    %k: i32 {tile.divisible_by = 8}) attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 16 : i32
  %m = arith.constant 64 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x16xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
    %x = tile.desc_load %da[%zero, %i] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
    %y = tile.desc_load %db[%i, %zero] : !tile.desc<32x16xf16>, [i32, i32] -> tensor<32x16xf16>
    %next = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  } {tile.num_stages = 4 : i32}
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
  tile.return
}

tile.launch @pipelined_mma(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                       %c: !tile.ptr<f32>, %k: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @pipelined_mma_kernel grid(%one : i64) args(%a, %b, %c, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32
}
