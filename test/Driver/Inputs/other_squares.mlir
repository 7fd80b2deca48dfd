// As other_products.mlir, but A, which ends with ones, is squared before the product,
// and B ends with zeros: wgmma takes A from registers.

!a = tensor<64x32xf16>
!pa = tensor<64x32x!tile.ptr<f16>>
!oa = tensor<64x32xi32>
!ma = tensor<64x32xi1>
!b = tensor<32x16xf16>
!pb = tensor<32x16x!tile.ptr<f16>>
!ob = tensor<32x16xi32>
!mb = tensor<32x16xi1>
!acc = tensor<64x16xf32>

tile.func @squares(%a: !tile.ptr<f16> {tile.readonly}, %b: !tile.ptr<f16> {tile.readonly},
                %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32)
    attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bk = arith.constant 32 : i32
  %ones = arith.constant dense<1.0> : !a
  %zeros = arith.constant dense<0.0> : !b
  %rm = tile.arange : tensor<64xi32>
  %rk = tile.arange : tensor<32xi32>
  %rn = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %rm, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %rowsIn = arith.cmpi slt, %rows, %ms : tensor<64x1xi32>
  %maskRows = tile.broadcast %rowsIn : tensor<64x1xi1> -> !ma
  %cols = tile.expand_dims %rn, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %nsc = tile.splat %n : i32 -> tensor<1x16xi32>
  %colsIn = arith.cmpi slt, %cols, %nsc : tensor<1x16xi32>
  %maskCols = tile.broadcast %colsIn : tensor<1x16xi1> -> !mb
  %kRow = tile.splat %k : i32 -> tensor<64x1xi32>
  %startsA = arith.muli %rows, %kRow : tensor<64x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> !pa
  %bs = tile.splat %b : !tile.ptr<f16> -> !pb
  %init = arith.constant #tile.zero : !acc
  %sum = scf.for %i = %zero to %k step %bk iter_args(%acc = %init) -> (!acc) : i32 {
    %is = tile.splat %i : i32 -> tensor<32xi32>
    %ks = arith.addi %is, %rk : tensor<32xi32>
    %along = tile.expand_dims %ks, 0 : tensor<32xi32> -> tensor<1x32xi32>
    %limitA = tile.splat %k : i32 -> tensor<1x32xi32>
    %inA = arith.cmpi slt, %along, %limitA : tensor<1x32xi32>
    %maskK = tile.broadcast %inA : tensor<1x32xi1> -> !ma
    %maskA = arith.andi %maskRows, %maskK : !ma
    %rowStart = tile.broadcast %startsA : tensor<64x1xi32> -> !oa
    %colA = tile.broadcast %along : tensor<1x32xi32> -> !oa
    %offsA = arith.addi %rowStart, %colA : !oa
    %qa = tile.addptr %as, %offsA : !pa, !oa
    %x = tile.load %qa, %maskA, %ones : !pa
    %down = tile.expand_dims %ks, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %limitB = tile.splat %k : i32 -> tensor<32x1xi32>
    %inB = arith.cmpi slt, %down, %limitB : tensor<32x1xi32>
    %maskKB = tile.broadcast %inB : tensor<32x1xi1> -> !mb
    %maskB = arith.andi %maskKB, %maskCols : !mb
    %nb = tile.splat %n : i32 -> tensor<32x1xi32>
    %startB = arith.muli %down, %nb : tensor<32x1xi32>
    %rowB = tile.broadcast %startB : tensor<32x1xi32> -> !ob
    %colB = tile.broadcast %cols : tensor<1x16xi32> -> !ob
    %offsB = arith.addi %rowB, %colB : !ob
    %qb = tile.addptr %bs, %offsB : !pb, !ob
    %y = tile.load %qb, %maskB, %zeros : !pb
    %square = arith.mulf %x, %x : !a
    %next = tile.dot %square, %y, %acc : !a, !b -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 3 : i32}
  %dc = tile.make_desc %c, [%m, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x16xf32>, [i32, i32], !acc
  tile.return
}

tile.launch @square_product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                     %m: i32, %n: i32, %k: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @squares grid(%one : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i32
}
