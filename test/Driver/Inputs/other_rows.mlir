// Rows in blocks of 128, whose last block is filled up with something else than
// zeros, so that copies alone do not do the work of its load: with -inf, with an
// argument, and with what the iteration has computed, where the mask depends on
// offsets that the loop carries.

!t = tensor<128xf32>
!p = tensor<128x!tile.ptr<f32>>
!o = tensor<128xi32>

// y[i] = the largest of x[i], x[i + 128], ...: the first block may be short as well.
tile.func @largest(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>,
                   %f: f32, %n: i32) {
  %zero = arith.constant 0 : i32
  %block = arith.constant 128 : i32
  %least = arith.constant #tile.inf<neg> : !t
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %max = scf.for %i = %zero to %n step %block iter_args(%acc = %least) -> (!t) : i32 {
    %is = tile.splat %i : i32 -> !o
    %offs = arith.addi %is, %range : !o
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %xs, %offs : !p, !o
    %v = tile.load %q, %m, %least : !p
    %next = arith.maximumf %acc, %v : !t
    scf.yield %next : !t
  } {tile.num_stages = 3 : i32}
  %ys = tile.splat %y : !tile.ptr<f32> -> !p
  %to = tile.addptr %ys, %range : !p, !o
  tile.store %to, %max : !p
  tile.return
}

// y[i] = x[i] + x[i + 128] + ..., where f stands for each that there is not.
tile.func @filled(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>,
                  %f: f32, %n: i32) {
  %zero = arith.constant 0 : i32
  %block = arith.constant 128 : i32
  %zeros = arith.constant #tile.zero : !t
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %fs = tile.splat %f : f32 -> !t
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %sum = scf.for %i = %zero to %n step %block iter_args(%acc = %zeros) -> (!t) : i32 {
    %is = tile.splat %i : i32 -> !o
    %offs = arith.addi %is, %range : !o
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %xs, %offs : !p, !o
    %v = tile.load %q, %m, %fs : !p
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  } {tile.num_stages = 3 : i32}
  %ys = tile.splat %y : !tile.ptr<f32> -> !p
  %to = tile.addptr %ys, %range : !p, !o
  tile.store %to, %sum : !p
  tile.return
}

// Two sums of which one fills up the other: y[i] doubles and loses 1 for each
// element that there is not. Odd blocks, and the offsets, are carried.
tile.func @carried(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>,
                   %f: f32, %n: i32) {
  %zero = arith.constant 0 : i32
  %block = arith.constant 128 : i32
  %blocks = arith.constant dense<128> : !o
  %ones = arith.constant dense<1.0> : !t
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %r:2 = scf.for %i = %zero to %n step %block
      iter_args(%acc = %ones, %offs = %range) -> (!t, !o) : i32 {
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %xs, %offs : !p, !o
    %less = arith.subf %acc, %ones : !t
    %v = tile.load %q, %m, %less : !p
    %next = arith.addf %acc, %v : !t
    %after = arith.addi %offs, %blocks : !o
    scf.yield %next, %after : !t, !o
  } {tile.num_stages = 3 : i32}
  %ys = tile.splat %y : !tile.ptr<f32> -> !p
  %to = tile.addptr %ys, %range : !p, !o
  tile.store %to, %r#0 : !p
  tile.return
}

tile.launch @masked(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>,
                    %w: !tile.ptr<f32>, %f: f32, %n: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @largest grid(%one : i64) args(%x, %y, %f, %n)
    : !tile.ptr<f32>, !tile.ptr<f32>, f32, i32
  tile.plan.dispatch @filled grid(%one : i64) args(%x, %z, %f, %n)
    : !tile.ptr<f32>, !tile.ptr<f32>, f32, i32
  tile.plan.dispatch @carried grid(%one : i64) args(%x, %w, %f, %n)
    : !tile.ptr<f32>, !tile.ptr<f32>, f32, i32
}
