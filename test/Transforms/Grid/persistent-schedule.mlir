// RUN: tile-opt %s --tile-persistent-schedule=programs-per-sm=2 | FileCheck %s
// RUN: tile-opt %s --tile-persistent-schedule | FileCheck %s --check-prefix=RESIDENT
// RUN: tile-opt %s --tile-persistent-schedule=programs-per-sm=2 --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-persistent-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The id of the program becomes the loop's counter, the number of programs the
// number of tiles. Scalars that do not depend on the tile leave the loop: the
// constant, the quotient and the product; tensors stay.

// REMARK: [Passed] persistent-schedule {{.*}} Function=rows_kernel | Assignment=static, GridDimensions=1, HoistedScalars=3, Iterations=independent, ProgramsPerSM=2

// CHECK-LABEL: tile.func @rows_kernel(
// CHECK-SAME: %p: !tile.ptr<f32>, %n: i32, %tiles: i32)
// CHECK-NEXT: %[[FIRST:.*]] = tile.program_id x
// CHECK-NEXT: %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK-NEXT: %[[C:.*]] = arith.constant 128
// CHECK-NEXT: %[[Q:.*]] = arith.ceildivsi %n, %[[C]]
// CHECK-NEXT: %[[ALL:.*]] = arith.muli %[[Q]], %tiles
// CHECK-NEXT: scf.for unsigned %[[TILE:.*]] = %[[FIRST]] to %tiles step %[[PROGRAMS]] : i32 {
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[TILE]], %[[ALL]]
// CHECK-NEXT: %[[RANGE:.*]] = tile.arange
// CHECK-NEXT: %[[ROW:.*]] = tile.addptr %p, %[[OFFSET]]
// CHECK: tile.store
// CHECK-NEXT: } {tile.tile_loop = #tile.tile_loop<independent>}
// CHECK-NEXT: tile.return
tile.func @rows_kernel(%p: !tile.ptr<f32>, %n: i32) {
  %pid = tile.program_id x
  %count = tile.num_programs x
  %c128 = arith.constant 128 : i32
  %q = arith.ceildivsi %n, %c128 : i32
  %all = arith.muli %q, %count : i32
  %offset = arith.addi %pid, %all : i32
  %range = tile.arange : tensor<128xi32>
  %row = tile.addptr %p, %offset : !tile.ptr<f32>, i32
  %rows = tile.splat %row : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %ptrs = tile.addptr %rows, %range : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %ptrs : tensor<128x!tile.ptr<f32>>
  tile.store %ptrs, %v : tensor<128x!tile.ptr<f32>>
  tile.return
}

// Each dispatch of the kernel is rewritten, in variants too.

// CHECK-LABEL: tile.launch @rows(
// CHECK: tile.plan.variant
// CHECK-NEXT: %[[SMS:.*]] = tile.plan.num_sms
// CHECK-NEXT: %[[ATMOST:.*]] = tile.plan.mul %[[SMS]], 2
// CHECK-NEXT: %[[GRID:.*]] = tile.plan.min %[[ATMOST]], %m : i64, i32
// CHECK-NEXT: tile.plan.dispatch @rows_kernel grid(%[[GRID]]) args(%p, %n, %m)
// CHECK: tile.plan.variant else
// CHECK-NEXT: %[[FOUR:.*]] = tile.plan.constant 4
// CHECK: %[[FEW:.*]] = tile.plan.min %{{.*}}, %[[FOUR]]
// CHECK-NEXT: tile.plan.dispatch @rows_kernel grid(%[[FEW]]) args(%p, %n, %[[FOUR]])

// RESIDENT-LABEL: tile.launch @rows(
// RESIDENT: %[[SMS:.*]] = tile.plan.num_sms
// RESIDENT-NEXT: %[[CTAS:.*]] = tile.plan.resident_ctas @rows_kernel
// RESIDENT-NEXT: %[[ATONCE:.*]] = tile.plan.mul %[[SMS]], %[[CTAS]] : i64, i64
// RESIDENT-NEXT: tile.plan.min %[[ATONCE]], %m
tile.launch @rows(%p: !tile.ptr<f32>, %m: i32, %n: i32) {
  %fits = tile.plan.cmp le %n, 128 : i32
  tile.plan.variant %fits {
    tile.plan.dispatch @rows_kernel grid(%m : i32) args(%p, %n) : !tile.ptr<f32>, i32
  }
  tile.plan.variant else {
    %few = tile.plan.constant 4
    tile.plan.dispatch @rows_kernel grid(%few) args(%p, %n) : !tile.ptr<f32>, i32
  }
}

// Results of atomics may tell of other programs' stores: iterations stay in
// order. Atomics without results do not.

// REMARK: [Passed] {{.*}} Function=counter_kernel | {{.*}}Iterations=ordered
// REMARK: [Passed] {{.*}} Function=sum_kernel | {{.*}}Iterations=independent

// CHECK-LABEL: tile.func @counter_kernel(
// CHECK: } {tile.tile_loop = #tile.tile_loop<ordered>}
tile.func @counter_kernel(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %before = tile.atomic_rmw add acq_rel gpu %p, %pid : !tile.ptr<i32>
  tile.print "before", %before : i32
  tile.return
}
tile.launch @counter(%p: !tile.ptr<i32>, %n: i32) {
  tile.plan.dispatch @counter_kernel grid(%n : i32) args(%p) : !tile.ptr<i32>
}

// CHECK-LABEL: tile.func @sum_kernel(
// CHECK: } {tile.tile_loop = #tile.tile_loop<independent>}
tile.func @sum_kernel(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %before = tile.atomic_rmw add relaxed gpu %p, %pid : !tile.ptr<i32>
  tile.return
}
tile.launch @sum(%p: !tile.ptr<i32>, %n: i32) {
  tile.plan.dispatch @sum_kernel grid(%n : i32) args(%p) : !tile.ptr<i32>
}

// What an assertion guards stays behind it.

// CHECK-LABEL: tile.func @asserts_kernel(
// CHECK: %[[SUM:.*]] = arith.addi %n, %n
// CHECK: scf.for unsigned
// CHECK: tile.assert
// CHECK-NEXT: %[[Q:.*]] = arith.divsi %[[SUM]], %n
// CHECK-NEXT: tile.print "quotient", %[[Q]]
tile.func @asserts_kernel(%n: i32) {
  %pid = tile.program_id x
  %sum = arith.addi %n, %n : i32
  %some = arith.cmpi ne, %pid, %n : i32
  tile.assert %some, "a tile too many" : i1
  %q = arith.divsi %sum, %n : i32
  tile.print "quotient", %q : i32
  tile.return
}
tile.launch @asserts(%n: i32) {
  tile.plan.dispatch @asserts_kernel grid(%n : i32) args(%n) : i32
}
