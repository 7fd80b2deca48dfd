// RUN: tile-opt %s --tile-persistent-schedule="assignment=dynamic programs-per-sm=2" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tile-opt %s --tile-persistent-schedule="assignment=dynamic programs-per-sm=2" \
// RUN:   --remark-format=emitRemark --remarks-filter=tile-persistent-schedule -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// A persistent kernel stays as it is.
// RUN: tile-opt %t.mlir --tile-persistent-schedule="assignment=dynamic" -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir
// RUN: tile-opt %t.mlir --tile-persistent-schedule --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-persistent-schedule -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AGAIN --implicit-check-not='[Passed]'
// AGAIN: [Missed] persistent-schedule {{.*}} Function=row_kernel | Reason="the kernel is persistent already"

// Nor has an order of tiles been asked for where tiles come from a counter.
// RUN: tile-opt %t.mlir --tile-cta-swizzle="order=column" -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir

// The counter is asked before the tile is computed, the answer is used after it.
// Scalars that do not depend on the tile leave the loop.

// REMARK: [Passed] persistent-schedule {{.*}} Function=row_kernel | Assignment=dynamic, GridDimensions=1, HoistedScalars=1, Iterations=independent, ProgramsPerSM=2

// CHECK-LABEL: tile.func @row_kernel(
// CHECK-SAME: %p: !tile.ptr<f32>, %n: i32, %tiles: i32, %next_tile: !tile.ptr<i32> {tile.noalias})
// CHECK-NEXT: %[[FIRST:.*]] = tile.program_id x
// CHECK-NEXT: %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1
// CHECK-NEXT: %[[ALL:.*]] = arith.muli %n, %tiles
// CHECK-NEXT: scf.while (%[[BEGUN:.*]] = %[[FIRST]]) : (i32) -> i32 {
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ult, %[[BEGUN]], %tiles
// CHECK-NEXT: scf.condition(%[[MORE]]) %[[BEGUN]]
// CHECK-NEXT: } do {
// CHECK-NEXT: ^{{.*}}(%[[TILE:.*]]: i32):
// CHECK-NEXT: %[[TAKEN:.*]] = tile.atomic_rmw add relaxed gpu %next_tile, %[[ONE]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[TILE]], %[[ALL]]
// CHECK-NEXT: %[[AT:.*]] = tile.addptr %p, %[[OFFSET]]
// CHECK-NEXT: %[[VALUE:.*]] = tile.load %[[AT]]
// CHECK-NEXT: tile.store %[[AT]], %[[VALUE]]
// CHECK-NEXT: %[[FOLLOWING:.*]] = arith.addi %[[TAKEN]], %[[PROGRAMS]]
// CHECK-NEXT: scf.yield %[[FOLLOWING]]
// CHECK-NEXT: } attributes {tile.tile_loop = #tile.tile_loop<independent>}
// CHECK-NEXT: tile.return
tile.func @row_kernel(%p: !tile.ptr<f32>, %n: i32) {
  %pid = tile.program_id x
  %count = tile.num_programs x
  %all = arith.muli %n, %count : i32
  %offset = arith.addi %pid, %all : i32
  %row = tile.addptr %p, %offset : !tile.ptr<f32>, i32
  %v = tile.load %row : !tile.ptr<f32>
  tile.store %row, %v : !tile.ptr<f32>
  tile.return
}

// A counter for each launch of a kernel, in its variant.

// CHECK-LABEL: tile.launch @row(
// CHECK: tile.plan.variant
// CHECK: %[[GRID:.*]] = tile.plan.min %{{.*}}, %m : i64, i32
// CHECK-NEXT: %[[BYTES:.*]] = tile.plan.constant 4
// CHECK-NEXT: %[[NEXT:.*]] = tile.plan.scratch %[[BYTES]] zero : i64 -> !tile.ptr<i32>
// CHECK-NEXT: tile.plan.dispatch @row_kernel grid(%[[GRID]]) args(%p, %n, %m, %[[NEXT]])
// CHECK: tile.plan.variant else
// CHECK: %[[OTHER:.*]] = tile.plan.scratch %{{.*}} zero
// CHECK-NEXT: tile.plan.dispatch @row_kernel grid(%{{.*}}) args(%p, %n, %{{.*}}, %[[OTHER]])
tile.launch @row(%p: !tile.ptr<f32>, %m: i32, %n: i32) {
  %fits = tile.plan.cmp le %n, 128 : i32
  tile.plan.variant %fits {
    tile.plan.dispatch @row_kernel grid(%m : i32) args(%p, %n) : !tile.ptr<f32>, i32
  }
  tile.plan.variant else {
    %few = tile.plan.constant 4
    tile.plan.dispatch @row_kernel grid(%few) args(%p, %n) : !tile.ptr<f32>, i32
  }
}

// Three dimensions: the counter's number stands for all of them. The kernel's own
// atomic keeps its place and its order; it has an argument of the counter's name.

// REMARK: [Passed] {{.*}} Function=cube_kernel | Assignment=dynamic, GridDimensions=3, {{.*}}Iterations=ordered

// CHECK-LABEL: tile.func @cube_kernel(
// CHECK-SAME: %next_tile: !tile.ptr<i32>, %tiles: i32, %tiles_x: i32, %tiles_y: i32, %next_tile_2: !tile.ptr<i32> {tile.noalias})
// CHECK: do {
// CHECK-NEXT: ^{{.*}}(%[[TILE:.*]]: i32):
// CHECK-NEXT: tile.atomic_rmw add relaxed gpu %next_tile_2,
// CHECK: %[[Z:.*]] = arith.divsi %[[TILE]], %{{.*}} : i32
// CHECK-NEXT: %[[BEFORE:.*]] = tile.atomic_rmw add acq_rel gpu %next_tile, %[[Z]]
// CHECK-NEXT: tile.print "before", %[[BEFORE]]
// CHECK: } attributes {tile.tile_loop = #tile.tile_loop<ordered>}
tile.func @cube_kernel(%next_tile: !tile.ptr<i32>) {
  %z = tile.program_id z
  %before = tile.atomic_rmw add acq_rel gpu %next_tile, %z : !tile.ptr<i32>
  tile.print "before", %before : i32
  tile.return
}
// CHECK-LABEL: tile.launch @cube(
// CHECK: tile.plan.dispatch @cube_kernel grid(%{{.*}}) args(%p, %{{.*}}, %m, %n, %{{.*}})
// CHECK-SAME: : !tile.ptr<i32>, i64, i32, i32, !tile.ptr<i32>
tile.launch @cube(%p: !tile.ptr<i32>, %m: i32, %n: i32, %k: i32) {
  tile.plan.dispatch @cube_kernel grid(%m : i32, %n : i32, %k : i32) args(%p)
    : !tile.ptr<i32>
}
