// C = A B for 64 x k and k x 32, where row i of B is row index[i] of an array.
tile.func @gathered_rows_kernel(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %index: !tile.ptr<i32>,
                                %c: !tile.ptr<f32>, %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %rows = arith.constant 64 : i32
  %columns = arith.constant 32 : i32
  %da = tile.make_desc %a, [%rows, %k], [%k, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %dc = tile.make_desc %c, [%rows, %columns], [%columns, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf32>
  %init = arith.constant #tile.zero : tensor<64x32xf32>
  %none = arith.constant #tile.zero : tensor<32x1xi32>
  %empty = arith.constant #tile.zero : tensor<32x32xf16>
  %r = tile.arange : tensor<32xi32>
  %down = tile.expand_dims %r, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %right = tile.expand_dims %r, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %along = tile.broadcast %right : tensor<1x32xi32> -> tensor<32x32xi32>
  %is = tile.splat %index : !tile.ptr<i32> -> tensor<32x1x!tile.ptr<i32>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>>
  %ks = tile.splat %k : i32 -> tensor<32x1xi32>
  %ns = tile.splat %columns : i32 -> tensor<32x1xi32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x32xf32>) : i32 {
    %i_s = tile.splat %i : i32 -> tensor<32x1xi32>
    %at = arith.addi %i_s, %down : tensor<32x1xi32>
    %inside = arith.cmpi slt, %at, %ks : tensor<32x1xi32>
    %pi = tile.addptr %is, %at : tensor<32x1x!tile.ptr<i32>>, tensor<32x1xi32>
    %row = tile.load %pi, %inside, %none : tensor<32x1x!tile.ptr<i32>>
    %start = arith.muli %row, %ns : tensor<32x1xi32>
    %starts = tile.broadcast %start : tensor<32x1xi32> -> tensor<32x32xi32>
    %o = arith.addi %starts, %along : tensor<32x32xi32>
    %pb = tile.addptr %bs, %o : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
    %mask = tile.broadcast %inside : tensor<32x1xi1> -> tensor<32x32xi1>
    %y = tile.load %pb, %mask, %empty : tensor<32x32x!tile.ptr<f16>>
    %x = tile.desc_load %da[%zero, %i] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
    %next = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  } {tile.num_stages = 3 : i32}
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x32xf32>, [i32, i32], tensor<64x32xf32>
  tile.return
}

tile.launch @gathered_rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %index: !tile.ptr<i32>, %c: !tile.ptr<f32>, %k: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @gathered_rows_kernel grid(%one : i64) args(%a, %b, %index, %c, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<i32>, !tile.ptr<f32>, i32
}
