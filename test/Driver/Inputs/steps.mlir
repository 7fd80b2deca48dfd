// C = A B for 64 x k and k x 32, in steps along k as the launch says.
tile.func @steps_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                        %k: i32, %first: i32, %step: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 64 : i32
  %columns = arith.constant 32 : i32
  %da = tile.make_desc %a, [%rows, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %columns], [%columns, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x32xf16>
  %dc = tile.make_desc %c, [%rows, %columns], [%columns, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf32>
  %init = arith.constant #tile.zero : tensor<64x32xf32>
  %sum = scf.for %i = %first to %k step %step iter_args(%acc = %init) -> (tensor<64x32xf32>) : i32 {
    %x = tile.desc_load %da[%zero, %i] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
    %y = tile.desc_load %db[%i, %zero] : !tile.desc<32x32xf16>, [i32, i32] -> tensor<32x32xf16>
    %next = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  } {tile.num_stages = 3 : i32}
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x32xf32>, [i32, i32], tensor<64x32xf32>
  tile.return
}

tile.launch @steps(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %k: i32, %first: i32, %step: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @steps_kernel grid(%one : i64) args(%a, %b, %c, %k, %first, %step)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i32
}
