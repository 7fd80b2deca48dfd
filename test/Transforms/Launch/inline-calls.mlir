// RUN: tile-opt %s --tile-inline-calls | FileCheck %s
// RUN: tile-opt %s --tile-inline-calls --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-inline-calls -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Calls in the source: one of @square, two of @twice, one in a loop.
// REMARK: [Passed] inline-calls {{.*}} Calls=4

// CHECK-NOT: private
// CHECK-NOT: tile.call

tile.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  tile.return %y : f32
}
tile.func private @twice(%x: f32) -> (f32, f32) {
  %y = tile.call @square(%x) : (f32) -> f32
  %z = arith.addf %y, %y : f32
  tile.return %z, %x : f32, f32
}
tile.func private @unused(%t: tensor<8xf32>) -> tensor<8xf32> {
  tile.return %t : tensor<8xf32>
}

// CHECK-LABEL: tile.func @nested
// CHECK-NEXT: %[[A:.*]] = tile.load %p
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[Z:.*]] = arith.addf %[[Y]], %[[Y]]
// CHECK-NEXT: %[[Y2:.*]] = arith.mulf %[[Z]], %[[Z]]
// CHECK-NEXT: %[[Z2:.*]] = arith.addf %[[Y2]], %[[Y2]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[Z2]], %[[A]]
// CHECK-NEXT: tile.store %p, %[[SUM]]
tile.func @nested(%p: !tile.ptr<f32>) {
  %a = tile.load %p : !tile.ptr<f32>
  %b, %same = tile.call @twice(%a) : (f32) -> (f32, f32)
  %c, %d = tile.call @twice(%b) : (f32) -> (f32, f32)
  %sum = arith.addf %c, %same : f32
  tile.store %p, %sum : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @in_loop
// CHECK: scf.for
// CHECK-SAME: iter_args(%[[X:.*]] = %x)
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: scf.yield %[[Y]]
tile.func @in_loop(%p: !tile.ptr<f32>, %x: f32, %n: i32) {
  %y = scf.for %i = %n to %n step %n iter_args(%v = %x) -> f32 : i32 {
    %w = tile.call @square(%v) : (f32) -> f32
    scf.yield %w : f32
  }
  tile.store %p, %y : !tile.ptr<f32>
  tile.return
}

// Unchanged: a kernel without calls, and its plan.

// CHECK-LABEL: tile.func @alone
// CHECK-NEXT: tile.return
tile.func @alone() {
  tile.return
}
// CHECK-LABEL: tile.launch @plan
// CHECK-NEXT: tile.plan.dispatch @alone
tile.launch @plan(%n: i32) {
  tile.plan.dispatch @alone grid(%n : i32) args()
}
