// RUN: tile-opt %s --tile-specialize | FileCheck %s
// RUN: tile-opt %s --tile-specialize=max-clones=4 | FileCheck %s
// RUN: tile-opt %s --tile-specialize --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-specialize -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// a + i * sm + j * sk, 64 x 64 of f16, in a loop that advances by 64 * sk: unit
// stride along the last dimension, rows at multiples of 8 elements, and a bound
// on columns at a multiple of 8. The bound on rows, m, does not matter.

// REMARK: [Passed] specialize {{.*}} Function=matrix | Clone=matrix$fast, Facts="a is aligned to 16 bytes, k is a multiple of 8, sm is a multiple of 8, sk is 1", Widths="load 1 to 8"

// CHECK-LABEL: tile.func @matrix(
// CHECK-LABEL: tile.func @matrix$fast(
// CHECK-SAME: %a: !tile.ptr<f16> {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %sm: i32 {tile.divisible_by = 8 : i32}, %sk: i32 {tile.equals = 1 : i32})

// Only operands of products have clones for their other dimension.
// CHECK-NOT: $fast2

tile.func @matrix(%a: !tile.ptr<f16>, %m: i32, %k: i32, %sm: i32, %sk: i32) {
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %r = tile.arange : tensor<64xi32>
  %w = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
  %i = tile.expand_dims %w, 1 : tensor<64xi64> -> tensor<64x1xi64>
  %j = tile.expand_dims %w, 0 : tensor<64xi64> -> tensor<1x64xi64>
  %wm = arith.extsi %sm : i32 to i64
  %wk = arith.extsi %sk : i32 to i64
  %tm = tile.splat %wm : i64 -> tensor<64x1xi64>
  %tk = tile.splat %wk : i64 -> tensor<1x64xi64>
  %im = arith.muli %i, %tm : tensor<64x1xi64>
  %jk = arith.muli %j, %tk : tensor<1x64xi64>
  %bm = tile.broadcast %im : tensor<64x1xi64> -> tensor<64x64xi64>
  %bj = tile.broadcast %jk : tensor<1x64xi64> -> tensor<64x64xi64>
  %o = arith.addi %bm, %bj : tensor<64x64xi64>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %first = tile.addptr %as, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi64>
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %rows = arith.cmpi slt, %r, %ms : tensor<64xi32>
  %er = tile.expand_dims %rows, 1 : tensor<64xi1> -> tensor<64x1xi1>
  %br = tile.broadcast %er : tensor<64x1xi1> -> tensor<64x64xi1>
  %wbk = arith.extsi %bk : i32 to i64
  %step = arith.muli %wk, %wbk : i64
  %steps = tile.splat %step : i64 -> tensor<64x64xi64>
  %end = scf.for %kk = %zero to %k step %bk iter_args(%p = %first)
      -> tensor<64x64x!tile.ptr<f16>> : i32 {
    %left = arith.subi %k, %kk : i32
    %ls = tile.splat %left : i32 -> tensor<64xi32>
    %cols = arith.cmpi slt, %r, %ls : tensor<64xi32>
    %ec = tile.expand_dims %cols, 0 : tensor<64xi1> -> tensor<1x64xi1>
    %bc = tile.broadcast %ec : tensor<1x64xi1> -> tensor<64x64xi1>
    %mask = arith.andi %br, %bc : tensor<64x64xi1>
    %v = tile.load %p, %mask : tensor<64x64x!tile.ptr<f16>>
    %next = tile.addptr %p, %steps : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi64>
    scf.yield %next : tensor<64x64x!tile.ptr<f16>>
  }
  tile.return
}

// CHECK-LABEL: tile.launch @launch(
// CHECK: %[[A:.*]] = tile.plan.aligned %a, 16
// CHECK-NEXT: %[[K:.*]] = tile.plan.divisible %k, 8
// CHECK-NEXT: %[[SM:.*]] = tile.plan.divisible %k, 8
// CHECK-NEXT: %[[SK:.*]] = tile.plan.cmp eq %s, 1
// CHECK-NEXT: %[[ALL:.*]] = tile.plan.all %[[A]], %[[K]], %[[SM]], %[[SK]]
// CHECK-NEXT: tile.plan.variant %[[ALL]]
// CHECK-NEXT: @matrix$fast grid
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.variant else
// CHECK-NEXT: @matrix grid

tile.launch @launch(%a: !tile.ptr<f16>, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.constant 1
  tile.plan.dispatch @matrix grid(%g) args(%a, %m, %k, %k, %s) : !tile.ptr<f16>, i32, i32, i32, i32
}
