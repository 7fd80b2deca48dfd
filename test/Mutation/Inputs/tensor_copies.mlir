// C = A B by one program, tile after tile, which tensor maps copy: three slots for five
// tiles along k, a product in flight. Loops in loops hand on slot and parity.

tile.func @tensor_copies_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
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
      } {tile.num_stages = 3 : i32}
      tile.desc_store %dc[%row, %col], %sum : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
    }
  }
  tile.return
}

tile.launch @tensor_copies(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                           %c: !tile.ptr<f32>, %m: i32, %n: i32) {
  %one = tile.plan.constant 1
  %k = tile.plan.constant 80
  tile.plan.dispatch @tensor_copies_kernel grid(%one : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i64
}
