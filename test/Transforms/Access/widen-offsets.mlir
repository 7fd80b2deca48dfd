// RUN: tile-opt %s --tile-widen-offsets | FileCheck %s
// RUN: tile-opt %s --tile-widen-offsets --tile-widen-offsets | FileCheck %s
// RUN: tile-opt %s --tile-widen-offsets --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-widen-offsets -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=Offsets=

// REMARK: Function=chain | Offsets=1
// REMARK: Function=shared_with_mask | Offsets=1
// REMARK: Function=ends | Offsets=5
// REMARK: Function=zero_extension | Offsets=2
// REMARK: Function=below_an_extension | Offsets=1

// CHECK-LABEL: tile.func @chain
// CHECK-SAME: (%p: !tile.ptr<f32>, %s: i32)
// CHECK-DAG: %[[S:.*]] = arith.extsi %s : i32 to i64
// CHECK-DAG: %[[PID:.*]] = arith.extsi %pid_x : i32 to i64
// CHECK-DAG: %[[C:.*]] = arith.constant 1024 : i64
// CHECK-DAG: %[[D:.*]] = arith.constant dense<-3> : tensor<64xi64>
// CHECK: %[[START:.*]] = arith.muli %[[PID]], %[[C]] : i64
// CHECK: %[[MINUS:.*]] = arith.subi %[[START]], %[[S]] : i64
// CHECK: %[[SPLAT:.*]] = tile.splat %[[MINUS]] : i64 -> tensor<64xi64>
// CHECK: %[[R:.*]] = tile.arange : tensor<64xi32>
// CHECK: %[[RW:.*]] = arith.extsi %[[R]] : tensor<64xi32> to tensor<64xi64>
// CHECK: %[[SUM:.*]] = arith.addi %[[SPLAT]], %[[RW]] : tensor<64xi64>
// CHECK: %[[ALL:.*]] = arith.addi %[[SUM]], %[[D]] : tensor<64xi64>
// CHECK: tile.addptr %{{.*}}, %[[ALL]] : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
// CHECK-NOT: i32
// CHECK: tile.return
tile.func @chain(%p: !tile.ptr<f32>, %s: i32) {
  %pid = tile.program_id x
  %c = arith.constant 1024 : i32
  %d = arith.constant dense<-3> : tensor<64xi32>
  %start = arith.muli %pid, %c : i32
  %minus = arith.subi %start, %s : i32
  %starts = tile.splat %minus : i32 -> tensor<64xi32>
  %r = tile.arange : tensor<64xi32>
  %sum = arith.addi %starts, %r : tensor<64xi32>
  %all = arith.addi %sum, %d : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %all : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %q : tensor<64x!tile.ptr<f32>>
  tile.return
}

// The mask goes on comparing the 32-bit sum, which wraps; overflow flags do not
// pass to the 64-bit one.

// CHECK-LABEL: tile.func @shared_with_mask
// CHECK-DAG: %[[WIDE:.*]] = arith.addi %{{.*}}, %{{.*}} : tensor<64xi64>
// CHECK-DAG: %[[NARROW:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nuw> : tensor<64xi32>
// CHECK: arith.cmpi slt, %[[NARROW]], %{{.*}} : tensor<64xi32>
// CHECK: tile.addptr %{{.*}}, %[[WIDE]] : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
tile.func @shared_with_mask(%p: !tile.ptr<f32>, %n: i32) {
  %r = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %o = arith.addi %r, %ns overflow<nuw> : tensor<64xi32>
  %m = arith.cmpi slt, %o, %ns : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %q, %m : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Chains end at quotients, remainders, shifts, loaded indices and what a loop
// carries.

// CHECK-LABEL: tile.func @ends
// CHECK: %[[SUM:.*]] = arith.addi %n, %n : i32
// CHECK: %[[QUOTIENT:.*]] = arith.divsi %[[SUM]], %n : i32
// CHECK: %[[QW:.*]] = arith.extsi %[[QUOTIENT]] : i32 to i64
// CHECK: tile.addptr %p, %[[QW]] : !tile.ptr<i32>, i64
// CHECK: %[[REM:.*]] = arith.remsi %[[SUM]], %n : i32
// CHECK: %[[RW:.*]] = arith.extsi %[[REM]] : i32 to i64
// CHECK: tile.addptr %p, %[[RW]]
// CHECK: %[[SHIFT:.*]] = arith.shli %[[SUM]], %n : i32
// CHECK: %[[SW:.*]] = arith.extsi %[[SHIFT]] : i32 to i64
// CHECK: tile.addptr %p, %[[SW]]
// CHECK: %[[INDEX:.*]] = tile.load %p : !tile.ptr<i32>
// CHECK: %[[IW:.*]] = arith.extsi %[[INDEX]] : i32 to i64
// CHECK: tile.addptr %p, %[[IW]]
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[SUM]])
// CHECK-NEXT: %[[CW:.*]] = arith.extsi %[[CARRIED]] : i32 to i64
// CHECK: tile.addptr %p, %[[CW]]
tile.func @ends(%p: !tile.ptr<i32>, %n: i32) {
  %sum = arith.addi %n, %n : i32
  %quotient = arith.divsi %sum, %n : i32
  %a = tile.addptr %p, %quotient : !tile.ptr<i32>, i32
  tile.store %a, %n : !tile.ptr<i32>
  %rem = arith.remsi %sum, %n : i32
  %b = tile.addptr %p, %rem : !tile.ptr<i32>, i32
  tile.store %b, %n : !tile.ptr<i32>
  %shift = arith.shli %sum, %n : i32
  %c = tile.addptr %p, %shift : !tile.ptr<i32>, i32
  tile.store %c, %n : !tile.ptr<i32>
  %index = tile.load %p : !tile.ptr<i32>
  %d = tile.addptr %p, %index : !tile.ptr<i32>, i32
  tile.store %d, %n : !tile.ptr<i32>
  %end = scf.for %i = %n to %sum step %n iter_args(%o = %sum) -> i32 : i32 {
    %e = tile.addptr %p, %o : !tile.ptr<i32>, i32
    tile.store %e, %n : !tile.ptr<i32>
    %next = arith.addi %o, %n : i32
    scf.yield %next : i32
  }
  tile.return
}

// A zero extension stays, with what it extends in its own width.

// CHECK-LABEL: tile.func @zero_extension
// CHECK: %[[SUM:.*]] = arith.addi %a, %a : i16
// CHECK: %[[WIDE:.*]] = arith.extui %[[SUM]] : i16 to i64
// CHECK: tile.addptr %p, %[[WIDE]] : !tile.ptr<f32>, i64
// CHECK: %[[TWICE:.*]] = arith.addi %[[WIDE]], %[[WIDE]] : i64
// CHECK: tile.addptr %{{.*}}, %[[TWICE]]
tile.func @zero_extension(%p: !tile.ptr<f32>, %a: i16) {
  %sum = arith.addi %a, %a : i16
  %wide = arith.extui %sum : i16 to i32
  %q = tile.addptr %p, %wide : !tile.ptr<f32>, i32
  %twice = arith.addi %wide, %wide : i32
  %r = tile.addptr %q, %twice : !tile.ptr<f32>, i32
  %v = tile.load %r : !tile.ptr<f32>
  tile.store %r, %v : !tile.ptr<f32>
  tile.return
}

// An offset that is an i64 already may extend a narrower sum: part of the chain.

// CHECK-LABEL: tile.func @below_an_extension
// CHECK: %[[A:.*]] = arith.extsi %a : i32 to i64
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[A]], %[[A]] : i64
// CHECK-NEXT: tile.addptr %p, %[[PRODUCT]]
tile.func @below_an_extension(%p: !tile.ptr<f32>, %a: i32) {
  %product = arith.muli %a, %a : i32
  %wide = arith.extsi %product : i32 to i64
  %q = tile.addptr %p, %wide : !tile.ptr<f32>, i64
  %v = tile.load %q : !tile.ptr<f32>
  tile.store %q, %v : !tile.ptr<f32>
  tile.return
}

// Unchanged: 64-bit offsets, and dead code of others.

// CHECK-LABEL: tile.func @unchanged
// CHECK-NEXT: %[[DEAD:.*]] = arith.muli %b, %b : i32
// CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %b : i32 to i64
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %a, %[[WIDE]] : i64
// CHECK-NEXT: %[[Q:.*]] = tile.addptr %p, %[[SUM]] : !tile.ptr<f32>, i64
// CHECK-NEXT: tile.load %[[Q]]
// CHECK-NEXT: tile.return
tile.func @unchanged(%p: !tile.ptr<f32>, %a: i64, %b: i32) {
  %dead = arith.muli %b, %b : i32
  %wide = arith.extsi %b : i32 to i64
  %sum = arith.addi %a, %wide : i64
  %q = tile.addptr %p, %sum : !tile.ptr<f32>, i64
  %v = tile.load %q : !tile.ptr<f32>
  tile.return
}
