// A loop with stages in a loop with stages.
!t = tensor<128xf32>
!p = tensor<128x!tile.ptr<f32>>
!o = tensor<128xi32>
tile.func @nest(%a: !tile.ptr<f32> {tile.readonly, tile.divisible_by = 16}, %c: !tile.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 128 : i32
  %r = tile.arange : !o
  %sp = tile.splat %a : !tile.ptr<f32> -> !p
  %p0 = tile.addptr %sp, %r : !p, !o
  %cp = tile.splat %c : !tile.ptr<f32> -> !p
  %c0 = tile.addptr %cp, %r : !p, !o
  %init = arith.constant #tile.zero : !t
  %x = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!t) : i32 {
    %off = arith.muli %i, %eight : i32
    %offs = tile.splat %off : i32 -> !o
    %p = tile.addptr %p0, %offs : !p, !o
    %v = tile.load %p : !p
    %acc1 = arith.addf %acc, %v : !t
    %y = scf.for %j = %zero to %i step %one iter_args(%acc2 = %acc1) -> (!t) : i32 {
      %off2 = arith.muli %j, %eight : i32
      %offs2 = tile.splat %off2 : i32 -> !o
      %p2 = tile.addptr %p0, %offs2 : !p, !o
      %v2 = tile.load %p2 : !p
      %acc3 = arith.addf %acc2, %v2 : !t
      scf.yield %acc3 : !t
    } {tile.num_stages = 3 : i32}
    %z = arith.mulf %y, %v : !t
    scf.yield %z : !t
  } {tile.num_stages = 4 : i32}
  tile.store %c0, %x : !p
  tile.return
}
tile.launch @launch(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %n: i32) {
  %one = tile.plan.cdiv %n, 1000000 : i32
  tile.plan.dispatch @nest grid(%one) args(%a, %c, %n) : !tile.ptr<f32>, !tile.ptr<f32>, i32
}
