// Sums of columns whose last blocks are short: copies two iterations ahead leave zeros
// there, and what reads them puts in half of the sum so far.

tile.func @other_rows_kernel(
    %x: !tile.ptr<f32> {tile.divisible_by = 16, tile.readonly},
    %y: !tile.ptr<f32> {tile.divisible_by = 16},
    %n: i32 {tile.divisible_by = 4}) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %block = arith.constant 128 : i32
  %ones = arith.constant dense<1.0> : tensor<128xf32>
  %half = arith.constant dense<0.5> : tensor<128xf32>
  %range = tile.arange : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %r = scf.for %i = %zero to %n step %block iter_args(%sum = %ones)
      -> (tensor<128xf32>) : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %offs = arith.addi %is, %range : tensor<128xi32>
    %mask = arith.cmpi slt, %offs, %ns : tensor<128xi32>
    %p = tile.addptr %xs, %offs : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    %less = arith.mulf %sum, %half : tensor<128xf32>
    %v = tile.load %p, %mask, %less : tensor<128x!tile.ptr<f32>>
    %next = arith.addf %sum, %v : tensor<128xf32>
    scf.yield %next : tensor<128xf32>
  } {tile.num_stages = 3 : i32}
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %to = tile.addptr %ys, %range : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %to, %r : tensor<128x!tile.ptr<f32>>
  tile.return
}

tile.launch @other_rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @other_rows_kernel grid(%one : i64) args(%x, %y, %n)
    : !tile.ptr<f32>, !tile.ptr<f32>, i32
}
