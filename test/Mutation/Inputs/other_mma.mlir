// C = A B for one tile of C by mma.sync, where A ends with ones behind its last column
// and B with halves behind its last row: masks made again in the layouts of operands,
// which are read while the iteration before multiplies.

!a = tensor<64x32xf16>
!b = tensor<32x16xf16>
!acc = tensor<64x16xf32>

tile.func @other_mma_kernel(
    %a: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly},
    %b: !tile.ptr<f16> {tile.divisible_by = 16, tile.readonly},
    %c: !tile.ptr<f32> {tile.divisible_by = 16},
    %k: i32 {tile.divisible_by = 8}) attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = arith.constant 64 : i32
  %n = arith.constant 16 : i32
  %step = arith.constant 32 : i32
  %ones = arith.constant dense<1.0> : !a
  %halves = arith.constant dense<0.5> : !b
  %init = arith.constant #tile.zero : !acc
  %rm = tile.arange : tensor<64xi32>
  %rn = tile.arange : tensor<16xi32>
  %rk = tile.arange : tensor<32xi32>
  %rows = tile.expand_dims %rm, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %kRows = tile.splat %k : i32 -> tensor<64x1xi32>
  %starts = arith.muli %rows, %kRows : tensor<64x1xi32>
  %startsA = tile.broadcast %starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %cols = tile.expand_dims %rn, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %colsB = tile.broadcast %cols : tensor<1x16xi32> -> tensor<32x16xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!acc) : i32 {
    %is = tile.splat %i : i32 -> tensor<32xi32>
    %ks = arith.addi %is, %rk : tensor<32xi32>
    %limit = tile.splat %k : i32 -> tensor<32xi32>
    %inside = arith.cmpi slt, %ks, %limit : tensor<32xi32>
    %ka = tile.expand_dims %ks, 0 : tensor<32xi32> -> tensor<1x32xi32>
    %colsA = tile.broadcast %ka : tensor<1x32xi32> -> tensor<64x32xi32>
    %offsA = arith.addi %startsA, %colsA : tensor<64x32xi32>
    %pa = tile.addptr %as, %offsA : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %ia = tile.expand_dims %inside, 0 : tensor<32xi1> -> tensor<1x32xi1>
    %ma = tile.broadcast %ia : tensor<1x32xi1> -> tensor<64x32xi1>
    %x = tile.load %pa, %ma, %ones : tensor<64x32x!tile.ptr<f16>>
    %ns = tile.splat %n : i32 -> tensor<32xi32>
    %rowStarts = arith.muli %ks, %ns : tensor<32xi32>
    %kb = tile.expand_dims %rowStarts, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %startsB = tile.broadcast %kb : tensor<32x1xi32> -> tensor<32x16xi32>
    %offsB = arith.addi %startsB, %colsB : tensor<32x16xi32>
    %pb = tile.addptr %bs, %offsB : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ib = tile.expand_dims %inside, 1 : tensor<32xi1> -> tensor<32x1xi1>
    %mb = tile.broadcast %ib : tensor<32x1xi1> -> tensor<32x16xi1>
    %y = tile.load %pb, %mb, %halves : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %x, %y, %acc : !a, !b -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 4 : i32}
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x16xf32>, [i32, i32], !acc
  tile.return
}

tile.launch @other_mma(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %k: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @other_mma_kernel grid(%one : i64) args(%a, %b, %c, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32
}
