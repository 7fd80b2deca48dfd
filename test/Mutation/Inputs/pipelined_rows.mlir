// Sums of columns, by loads without masks that go through shared memory: copies two
// iterations ahead, two slots, each refilled in the iteration that reads it.

tile.func @pipelined_rows_kernel(
    %x: !tile.ptr<f32> {tile.divisible_by = 16, tile.readonly},
    %y: !tile.ptr<f32> {tile.divisible_by = 16},
    %n: i32) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %row = arith.constant dense<128> : tensor<128xi32>
  %range = tile.arange : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %first = tile.addptr %xs, %range : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %init = arith.constant #tile.zero : tensor<128xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %init, %p = %first)
      -> (tensor<128xf32>, tensor<128x!tile.ptr<f32>>) : i32 {
    %v = tile.load %p : tensor<128x!tile.ptr<f32>>
    %next = arith.addf %sum, %v : tensor<128xf32>
    %q = tile.addptr %p, %row : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    scf.yield %next, %q : tensor<128xf32>, tensor<128x!tile.ptr<f32>>
  } {tile.num_stages = 3 : i32}
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %to = tile.addptr %ys, %range : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %to, %r#0 : tensor<128x!tile.ptr<f32>>
  tile.return
}

tile.launch @pipelined_rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @pipelined_rows_kernel grid(%one : i64) args(%x, %y, %n)
    : !tile.ptr<f32>, !tile.ptr<f32>, i32
}
