// Sums of blocks of 128 numbers, one block an iteration of a loop from %lower to
// %upper in steps of %step.

!t = tensor<128xf32>
!p = tensor<128x!tile.ptr<f32>>

tile.func @block_sums_kernel(%y: !tile.ptr<f32>, %x: !tile.ptr<f32>, %lower: i32, %upper: i32, %step: i32) {
  %lanes = tile.arange : tensor<128xi32>
  %block = arith.constant dense<128> : tensor<128xi32>
  %none = arith.constant dense<0.0> : !t
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %first = tile.addptr %xs, %lanes : !p, tensor<128xi32>
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%acc = %none, %q = %first) -> (!t, !p) : i32 {
    %v = tile.load %q : !p
    %sum = arith.addf %acc, %v : !t
    %next = tile.addptr %q, %block : !p, tensor<128xi32>
    scf.yield %sum, %next : !t, !p
  } {tile.num_stages = 4 : i32}
  %ys = tile.splat %y : !tile.ptr<f32> -> !p
  %to = tile.addptr %ys, %lanes : !p, tensor<128xi32>
  tile.store %to, %r#0 : !p
  tile.return
}

tile.launch @block_sums(%y: !tile.ptr<f32>, %x: !tile.ptr<f32>, %lower: i32, %upper: i32, %step: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @block_sums_kernel grid(%one) args(%y, %x, %lower, %upper, %step) : !tile.ptr<f32>, !tile.ptr<f32>, i32, i32, i32
}
