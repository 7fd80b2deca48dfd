// RUN: tile-opt %s --tile-cta-swizzle="order=auto l2-bytes=100663296 sms=170" | FileCheck %s
// RUN: tile-opt %s --tile-cta-swizzle="order=auto l2-bytes=100663296 sms=170" \
// RUN:   --remark-format=emitRemark --remarks-filter=tile-cta-swizzle -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-cta-swizzle="order=auto l2-bytes=100663296 sms=170 resident-ctas=4" \
// RUN:   --remark-format=emitRemark --remarks-filter=tile-cta-swizzle -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOUR

// Tiles of 128 x 64, steps of 32, f16: a step reads 128 * 32 * 2 bytes of the
// row panel and 32 * 64 * 2 of the column panel. With waves of 170 a group has 8
// rows: 8 * 8192 + 22 * 4096 bytes are fewer than with 4 or 16. With waves of 4 *
// 170 it has 16: 16 * 8192 + 43 * 4096, fewer than with 8 or 32.

// REMARK: [Passed] cta-swizzle {{.*}} Function=product | ColumnPanelBytesAStep=4096, GroupM=8, L2Bytes=100663296, Order=auto, ResidentCTAs="not known, taken as 1", RowPanelBytesAStep=8192, Tile="program id x"
// FOUR: [Passed] cta-swizzle {{.*}} Function=product | ColumnPanelBytesAStep=4096, GroupM=16, L2Bytes=100663296, Order=auto, ResidentCTAs=4, RowPanelBytesAStep=8192, Tile="program id x"

// CHECK-LABEL: tile.func @product(
// CHECK-SAME: %k: i32, %group_m: i32 {{.*}}, %group_m_2: i32)
// CHECK: arith.minsi %group_m_2, %{{.*}} : i32
tile.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %n: i32, %k: i32,
                   %group_m: i32 {tile.divisible_by = 1 : i32}) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %columns = arith.ceildivsi %n, %c64 : i32
  %m = arith.divsi %pid, %columns : i32
  %c = arith.remsi %pid, %columns : i32
  %as = tile.addptr %a, %m : !tile.ptr<f16>, i32
  %bs = tile.addptr %b, %c : !tile.ptr<f16>, i32
  %ap = tile.splat %as : !tile.ptr<f16> -> tensor<128x32x!tile.ptr<f16>>
  %bp = tile.splat %bs : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i32 {
    %av = tile.load %ap : tensor<128x32x!tile.ptr<f16>>
    %bv = tile.load %bp : tensor<32x64x!tile.ptr<f16>>
    %next = tile.dot %av, %bv, %acc : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  tile.print "sum", %sum : tensor<128x64xf32>
  tile.print "group", %group_m : i32
  tile.return
}

// N tiles * 4096 + 8192 bytes a step, against the cache divided by the steps.

// CHECK-LABEL: tile.launch @entry(
// CHECK: %[[TILES:.*]] = tile.plan.mul
// CHECK: %[[COLUMNS:.*]] = tile.plan.cdiv %n, 64
// CHECK: %[[B:.*]] = tile.plan.mul %[[COLUMNS]], 4096
// CHECK: %[[BYTES:.*]] = tile.plan.add %[[B]], 8192
// CHECK: %[[CACHE:.*]] = tile.plan.constant 100663296
// CHECK: %[[K:.*]] = tile.plan.cdiv %k, 32
// CHECK: %[[STEPS:.*]] = tile.plan.max %[[K]], 1
// CHECK: %[[ROOM:.*]] = tile.plan.div %[[CACHE]], %[[STEPS]]
// CHECK: %[[FITS:.*]] = tile.plan.cmp le %[[BYTES]], %[[ROOM]]
// CHECK: tile.plan.variant %[[FITS]] {
// CHECK-NEXT: %[[ROW_MAJOR:.*]] = tile.plan.constant 1
// CHECK-NEXT: tile.plan.dispatch @product grid(%[[TILES]]) args(%a, %b, %n, %k, %k, %[[ROW_MAJOR]])
// CHECK: tile.plan.variant else {
// CHECK-NEXT: %[[GROUP:.*]] = tile.plan.constant 8
// CHECK-NEXT: tile.plan.dispatch @product grid(%[[TILES]]) args(%a, %b, %n, %k, %k, %[[GROUP]])
tile.launch @entry(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  %rows = tile.plan.cdiv %m, 128 : i32
  %columns = tile.plan.cdiv %n, 64 : i32
  %tiles = tile.plan.mul %rows, %columns : i64, i64
  tile.plan.dispatch @product grid(%tiles) args(%a, %b, %n, %k, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32
}

// Loads outside of loops, on a plane: the plan's grid has the columns.

// REMARK: [Passed] cta-swizzle {{.*}} Function=outer | ColumnPanelBytesAStep=256, GroupM={{[0-9]+}}, {{.*}}RowPanelBytesAStep=512

// CHECK-LABEL: tile.func @outer(
// CHECK-SAME: %group_m: i32)
tile.func @outer(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %m = tile.program_id y
  %n = tile.program_id x
  %xs = tile.addptr %x, %m : !tile.ptr<f32>, i32
  %ys = tile.addptr %y, %n : !tile.ptr<f32>, i32
  %xp = tile.splat %xs : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %yp = tile.splat %ys : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xv = tile.load %xp : tensor<128x!tile.ptr<f32>>
  %yv = tile.load %yp : tensor<64x!tile.ptr<f32>>
  tile.print "x", %xv : tensor<128xf32>
  tile.print "y", %yv : tensor<64xf32>
  tile.return
}

// CHECK-LABEL: tile.launch @on_plane(
// CHECK: %[[B:.*]] = tile.plan.mul %columns, 256
// CHECK: tile.plan.add %[[B]], 512
// CHECK-NOT: tile.plan.max
// CHECK: tile.plan.cmp le
tile.launch @on_plane(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %rows: i32, %columns: i32) {
  tile.plan.dispatch @outer grid(%columns : i32, %rows : i32) args(%x, %y)
    : !tile.ptr<f32>, !tile.ptr<f32>
}

// REMARK: [Missed] {{.*}} Function=not_launched | Reason="no launch plan dispatches the kernel
tile.func @not_launched() {
  %m = tile.program_id y
  %n = tile.program_id x
  tile.print "row", %m : i32
  tile.print "column", %n : i32
  tile.return
}

// Each tile has memory of its own.
// REMARK: [Missed] {{.*}} Function=own_kernel | Reason="no loads are shared by the tiles of a row and others by those of a column
// CHECK-LABEL: tile.func @own_kernel(
// CHECK-NOT: group_m
// CHECK: tile.return
tile.func @own_kernel(%x: !tile.ptr<f32>) {
  %m = tile.program_id y
  %n = tile.program_id x
  %i = arith.addi %m, %n : i32
  %xs = tile.addptr %x, %i : !tile.ptr<f32>, i32
  %xp = tile.splat %xs : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %xv = tile.load %xp : tensor<128x!tile.ptr<f32>>
  tile.print "x", %xv : tensor<128xf32>
  tile.return
}
tile.launch @own(%x: !tile.ptr<f32>, %n: i32) {
  tile.plan.dispatch @own_kernel grid(%n : i32, %n : i32) args(%x) : !tile.ptr<f32>
}

// The end of the loop is an argument of a block, not of the kernel.
// REMARK: [Missed] {{.*}} Function=branch_kernel | Reason="the launch plan cannot count the iterations of the loop with the shared loads
// CHECK-LABEL: tile.func @branch_kernel(
// CHECK-NOT: group_m
// CHECK: tile.return
tile.func @branch_kernel(%x: !tile.ptr<f32>, %columns: i32, %n: i32) {
  %pid = tile.program_id x
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = arith.divsi %pid, %columns : i32
  %c = arith.remsi %pid, %columns : i32
  cf.br ^next(%one, %one, %one, %n : i32, i32, i32, i32)
^next(%i: i32, %j: i32, %l: i32, %end: i32):
  scf.for %k = %zero to %end step %one : i32 {
    %xs = tile.addptr %x, %m : !tile.ptr<f32>, i32
    %ys = tile.addptr %x, %c : !tile.ptr<f32>, i32
    %xp = tile.splat %xs : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
    %yp = tile.splat %ys : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %xv = tile.load %xp : tensor<128x!tile.ptr<f32>>
    %yv = tile.load %yp : tensor<64x!tile.ptr<f32>>
    tile.print "x", %xv : tensor<128xf32>
    tile.print "y", %yv : tensor<64xf32>
  }
  tile.return
}
tile.launch @branch(%x: !tile.ptr<f32>, %n: i32) {
  tile.plan.dispatch @branch_kernel grid(%n : i32) args(%x, %n, %n) : !tile.ptr<f32>, i32, i32
}
