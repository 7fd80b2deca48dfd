// RUN: tile-opt %s --tile-specialize | FileCheck %s
// RUN: tile-opt %s --tile-specialize=max-clones=0 | FileCheck %s
// RUN: tile-opt %s --tile-specialize --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-specialize -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// CHECK-NOT: $fast
// CHECK-NOT: tile.plan.variant

// REMARK: [Missed] specialize {{.*}} Function=stated | Reason="every access has its full width"
tile.func @stated(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %q : tensor<64x!tile.ptr<f32>>
  tile.return
}

// REMARK: [Missed] specialize {{.*}} Function=scalars | Reason="the kernel has no accesses of tensors"
tile.func @scalars(%p: !tile.ptr<f32>, %n: i32) {
  %v = tile.load %p : !tile.ptr<f32>
  tile.return
}

// No argument makes a stride of 2 consecutive, or a mask of an equality
// constant.

// REMARK: [Missed] specialize {{.*}} Function=stride_two | Reason="no fact about an argument widens an access: stride of dim 0 is 2"
tile.func @stride_two(%p: !tile.ptr<f32>, %n: i32) {
  %r = tile.arange : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %w = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
  %wtwo = arith.extsi %two : tensor<64xi32> to tensor<64xi64>
  %o = arith.muli %w, %wtwo : tensor<64xi64>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %v = tile.load %q : tensor<64x!tile.ptr<f32>>
  tile.return
}

// REMARK: [Missed] specialize {{.*}} Function=equality | Reason="no fact about an argument widens an access: mask constant over 1"
tile.func @equality(%p: !tile.ptr<f32>, %n: i32) {
  %r = tile.arange : tensor<64xi32>
  %s = tile.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi ne, %r, %s : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %q, %m : tensor<64x!tile.ptr<f32>>
  tile.return
}

// The only plan passes n = 1021.

// REMARK: [Missed] specialize {{.*}} Function=broken | Reason="the launch plan passes arguments that break the facts"
tile.func @broken(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %n: i32) {
  %r = tile.arange : tensor<1024xi32>
  %s = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %s : tensor<1024xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %q, %m : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// One store after a loop of loads that are wide already.
// REMARK: [Missed] specialize {{.*}} Function=too_few | Reason="facts about arguments would widen too few accesses to matter"
tile.func @too_few(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %q: !tile.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = tile.arange : tensor<1024xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %pr = tile.addptr %ps, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %qr = tile.addptr %qs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %init = arith.constant #tile.zero : tensor<1024xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<1024xf32>) : i32 {
    %inner = scf.for %j = %zero to %n step %one iter_args(%a = %acc) -> (tensor<1024xf32>) : i32 {
      %v = tile.load %pr : tensor<1024x!tile.ptr<f32>>
      %next = arith.addf %a, %v : tensor<1024xf32>
      scf.yield %next : tensor<1024xf32>
    }
    scf.yield %inner : tensor<1024xf32>
  }
  tile.store %qr, %sum : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// REMARK: [Missed] specialize {{.*}} Function=unlaunched | Reason="no launch plan dispatches the kernel"
tile.func @unlaunched(%p: !tile.ptr<f32>) {
  tile.return
}

// CHECK-LABEL: tile.launch @all(
// CHECK-COUNT-6: tile.plan.dispatch
// CHECK-NEXT: }
tile.launch @all(%p: !tile.ptr<f32>, %n: i32) {
  %c = tile.plan.constant 1021
  tile.plan.dispatch @stated grid(%n : i32) args(%p) : !tile.ptr<f32>
  tile.plan.dispatch @scalars grid(%n : i32) args(%p, %n) : !tile.ptr<f32>, i32
  tile.plan.dispatch @stride_two grid(%n : i32) args(%p, %n) : !tile.ptr<f32>, i32
  tile.plan.dispatch @equality grid(%n : i32) args(%p, %n) : !tile.ptr<f32>, i32
  tile.plan.dispatch @too_few grid(%n : i32) args(%p, %p, %n) : !tile.ptr<f32>, !tile.ptr<f32>, i32
  tile.plan.dispatch @broken grid(%n : i32) args(%p, %c) : !tile.ptr<f32>, i64
}
