// y[i] = the sum of exp(x[i, j] - max) over j, for rows of any length: largest number
// and sum go along from block to block. What is behind a row's end is -inf, whose
// exponential is zero.

!t = tensor<128xf32>
!p = tensor<128x!tile.ptr<f32>>
!o = tensor<128xi32>

tile.func @online(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>, %n: i32,
                  %stride: i32) attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %block = arith.constant 128 : i32
  %least = arith.constant #tile.inf<neg> : !t
  %lowest = arith.constant -1.0e30 : f32
  %none = arith.constant 0.0 : f32
  %row = tile.program_id x
  %start = arith.muli %row, %stride : i32
  %first = tile.addptr %x, %start : !tile.ptr<f32>, i32
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %xs = tile.splat %first : !tile.ptr<f32> -> !p
  %r:2 = scf.for %i = %zero to %n step %block
      iter_args(%max = %lowest, %sum = %none) -> (f32, f32) : i32 {
    %is = tile.splat %i : i32 -> !o
    %offs = arith.addi %is, %range : !o
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %xs, %offs : !p, !o
    %v = tile.load %q, %m, %least : !p
    %here = tile.reduce %v axis 0 with arith.maximumf : (!t) -> f32
    %next = arith.maximumf %max, %here : f32
    %nexts = tile.splat %next : f32 -> !t
    %shifted = arith.subf %v, %nexts : !t
    %exp = math.exp %shifted : !t
    %part = tile.reduce %exp axis 0 with arith.addf : (!t) -> f32
    %change = arith.subf %max, %next : f32
    %factor = math.exp %change : f32
    %scaled = arith.mulf %sum, %factor : f32
    %total = arith.addf %scaled, %part : f32
    scf.yield %next, %total : f32, f32
  } {tile.num_stages = 3 : i32}
  %to = tile.addptr %y, %row : !tile.ptr<f32>, i32
  tile.store %to, %r#1 : !tile.ptr<f32>
  tile.return
}

tile.launch @softmax_sums(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32,
                          %stride: i32) {
  tile.plan.dispatch @online grid(%m : i32) args(%x, %y, %n, %stride)
    : !tile.ptr<f32>, !tile.ptr<f32>, i32, i32
}
