// RUN: tile-opt %s --tile-widen-offsets | FileCheck %s --check-prefix=WIDE
// RUN: tile-opt %s --tile-specialize | FileCheck %s --check-prefix=FAST
// RUN: tile-opt %s --tile-raise-accesses | FileCheck %s --check-prefix=STRIDES
// RUN: tile-opt %s --tile-gpu-select --tile-gpu-choose-warps --tile-gpu-assign-layouts | FileCheck %s --check-prefix=LAYOUT

// Descriptors that an author writes, in the passes on accesses.

!d = !tile.desc<16x32xf32>
!v = tensor<16x32xf32>

// What a chain computes is computed in 64 bits; arguments are extended anyway.
// WIDE-LABEL: tile.func @copy_kernel
// WIDE-DAG: %[[PID:.*]] = arith.extsi %pid_x : i32 to i64
// WIDE-DAG: %[[C:.*]] = arith.constant 16 : i64
// WIDE: %[[ROW:.*]] = arith.muli %[[PID]], %[[C]] : i64
// WIDE: tile.make_desc %p, [%m, %n], [%s, %{{.*}}] : !tile.ptr<f32>, [i32, i32], [i32, i32]
// WIDE: tile.desc_load %{{.*}}[%[[ROW]], %j] : !tile.desc<16x32xf32>, [i64, i32]

// A stride that a fact gives becomes a constant, which makes addresses one step
// apart; others stay.
// STRIDES-LABEL: tile.func @copy_kernel
// STRIDES: %[[ONE:.*]] = arith.constant 1 : i32
// STRIDES-NEXT: tile.make_desc %p, [%m, %n], [%s, %[[ONE]]]

// The facts that widen the accesses of pointers widen these.
// FAST-LABEL: tile.func @copy_kernel(
// FAST-LABEL: tile.func @copy_kernel$fast(
// FAST-SAME: %p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %m: i32, %n: i32 {tile.divisible_by = 4 : i32}, %s: i32 {tile.divisible_by = 4 : i32}, %t: i32 {tile.equals = 1 : i32}, %j: i32 {tile.divisible_by = 4 : i32}

// The result has the layout in which the access is coalesced, a store that of its
// value: 512 elements are 8 for each thread of 2 warps.
// LAYOUT-LABEL: tile.func @copy_kernel
// LAYOUT: %[[X:.*]] = tile.desc_load {{.*}} -> tensor<16x32xf32, [[L:#.*]]>
// LAYOUT-NEXT: tile.desc_store %{{.*}}[%{{.*}}, %j], %[[X]] {{.*}} tensor<16x32xf32, [[L]]>
tile.func @copy_kernel(%p: !tile.ptr<f32>, %m: i32, %n: i32, %s: i32, %t: i32 {tile.equals = 1 : i32}, %j: i32) {
  %pid = tile.program_id x
  %c16 = arith.constant 16 : i32
  %row = arith.muli %pid, %c16 : i32
  %d = tile.make_desc %p, [%m, %n], [%s, %t] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %x = tile.desc_load %d[%row, %j] : !d, [i32, i32] -> !v
  tile.desc_store %d[%row, %j], %x : !d, [i32, i32], !v
  tile.return
}

tile.launch @copy(%p: !tile.ptr<f32>, %m: i32, %n: i32, %s: i32, %t: i32, %j: i32) {
  %g = tile.plan.cdiv %m, 16 : i32
  tile.plan.dispatch @copy_kernel grid(%g) args(%p, %m, %n, %s, %t, %j) : !tile.ptr<f32>, i32, i32, i32, i32, i32
}
