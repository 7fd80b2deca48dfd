// C = 2 A B as in tensor_copies.mlir, but threads store the result themselves, by way
// of a buffer whose bytes the next copies take: of two loops, none begins early.

tile.func @tensor_loads_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                               %c: !tile.ptr<f32> {tile.noalias}, %m: i32,
                               %n: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wide = arith.constant 16 : i32
  %tall = arith.constant 64 : i32
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %da = tile.make_desc %a, [%m, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<16x16xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  scf.for %row = %zero to %m step %tall : i32 {
    scf.for %col = %zero to %n step %wide : i32 {
      %sum = scf.for %i = %zero to %k step %wide iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
        %x = tile.desc_load %da[%row, %i] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16>
        %y = tile.desc_load %db[%i, %col] : !tile.desc<16x16xf16>, [i32, i32] -> tensor<16x16xf16>
        %next = tile.dot %x, %y, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
        scf.yield %next : tensor<64x16xf32>
      } {tile.num_stages = 2 : i32}
      %twice = scf.for %i = %zero to %k step %wide iter_args(%acc = %sum) -> (tensor<64x16xf32>) : i32 {
        %x2 = tile.desc_load %da[%row, %i] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16>
        %y2 = tile.desc_load %db[%i, %col] : !tile.desc<16x16xf16>, [i32, i32] -> tensor<16x16xf16>
        %next = tile.dot %x2, %y2, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
        scf.yield %next : tensor<64x16xf32>
      } {tile.num_stages = 2 : i32}
      tile.desc_store %dc[%row, %col], %twice cache(cs) : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
    }
  }
  tile.return
}

tile.launch @tensor_loads(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                          %c: !tile.ptr<f32>, %m: i32, %n: i32) {
  %one = tile.plan.constant 1
  %k = tile.plan.constant 80
  tile.plan.dispatch @tensor_loads_kernel grid(%one : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i64
}
