// RUN: tile-opt %s --tile-default-launch | FileCheck %s
// RUN: tile-opt %s --tile-default-launch --tile-default-launch | FileCheck %s
// RUN: tile-opt %s --tile-default-launch --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-default-launch -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=Plan=

// REMARK: Function=copy_kernel | Plan=copy
// REMARK: Function=scale | Plan=scale_launch
// REMARK: Function=_kernel | Plan=_kernel_launch
// REMARK: Function=facts_kernel | Plan=facts

// CHECK: tile.func @copy_kernel(%p: !tile.ptr<f32>, %n: i64) {
// CHECK-LABEL: tile.launch @copy(
// CHECK-SAME: %p: !tile.ptr<f32>, %n: i64) {
// CHECK-NEXT: %[[X:.*]] = tile.plan.caller_grid x
// CHECK-NEXT: %[[Y:.*]] = tile.plan.caller_grid y
// CHECK-NEXT: %[[Z:.*]] = tile.plan.caller_grid z
// CHECK-NEXT: tile.plan.dispatch @copy_kernel grid(%[[X]], %[[Y]], %[[Z]]) args(%p, %n) : !tile.ptr<f32>, i64
// CHECK-NEXT: }
tile.func @copy_kernel(%p: !tile.ptr<f32>, %n: i64) {
  tile.return
}

// CHECK-LABEL: tile.launch @scale_launch(
// CHECK: tile.plan.dispatch @scale grid(%{{.*}}, %{{.*}}, %{{.*}}) args()
tile.func @scale() {
  tile.return
}

// CHECK-LABEL: tile.launch @_kernel_launch(
tile.func @_kernel() {
  tile.return
}

// Facts are conditions of the launch.

// CHECK: tile.func @facts_kernel(
// CHECK-LABEL: tile.launch @facts(
// CHECK-SAME: %p: !tile.ptr<f32>, %n: i32, %s: i32)
// CHECK: %[[P:.*]] = tile.plan.aligned %p, 16
// CHECK-NEXT: tile.plan.variant %[[P]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.variant else
// CHECK-NEXT: tile.plan.refuse "argument p is not aligned to 16 bytes"
// CHECK-NEXT: }
// CHECK-NEXT: %[[N:.*]] = tile.plan.divisible %n, 8
// CHECK-NEXT: tile.plan.variant %[[N]]
// CHECK: tile.plan.refuse "argument n is not a multiple of 8"
// CHECK: %[[S:.*]] = tile.plan.cmp eq %s, 1
// CHECK-NEXT: tile.plan.variant %[[S]]
// CHECK: tile.plan.refuse "argument s is not 1"
// CHECK: tile.plan.dispatch @facts_kernel
tile.func @facts_kernel(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32, tile.noalias},
                        %n: i32 {tile.divisible_by = 8 : i32},
                        %s: i32 {tile.equals = 1 : i32}) {
  tile.return
}

// Unchanged: a kernel that a plan dispatches, be it in a variant, and a private
// function.

// CHECK: tile.func @planned_kernel(
// CHECK-NOT: tile.launch
// CHECK: tile.func private @helper(
// CHECK-NOT: tile.launch
// CHECK: tile.launch @other(
// CHECK-NOT: tile.launch
tile.func @planned_kernel() {
  tile.return
}
tile.func private @helper() {
  tile.return
}
tile.launch @other(%n: i32) {
  %c = tile.plan.cmp gt %n, 0 : i32
  tile.plan.variant %c {
    tile.plan.dispatch @planned_kernel grid(%n : i32) args()
  }
  tile.plan.variant else {
    tile.plan.refuse "n is not positive"
  }
}
