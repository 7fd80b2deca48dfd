// RUN: tile-opt %s --tile-structure-branches | FileCheck %s --implicit-check-not=' cf.'
// RUN: tile-opt %s --tile-structure-branches -o /dev/null --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-structure-branches 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=Function=one_block

// An early return is a condition. What nothing reaches goes.

// REMARK: [Passed] structure-branches {{.*}} Function=early | Blocks=3

// CHECK-LABEL: tile.func @early(
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK-NEXT: %[[IN:.*]] = arith.cmpi slt, %[[PID]], %n
// CHECK-NEXT: scf.if %[[IN]] {
// CHECK-NEXT: tile.store %p, %[[PID]]
// CHECK-NEXT: } else {
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
// CHECK-NEXT: }
tile.func @early(%p: !tile.ptr<i32>, %n: i32) {
  %pid = tile.program_id x
  %in = arith.cmpi slt, %pid, %n : i32
  cf.cond_br %in, ^work, ^out
^work:
  tile.store %p, %pid : !tile.ptr<i32>
  tile.return
^out:
  tile.return
^never:
  tile.store %p, %n : !tile.ptr<i32>
  tile.return
}

// The results of a helper function come from either way.

// CHECK-LABEL: tile.func private @choose(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: i32)
// CHECK: %[[R:.*]] = scf.if %[[C]] -> (i32) {
// CHECK-NEXT: scf.yield %[[X]] : i32
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[TWICE:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT: scf.yield %[[TWICE]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: tile.return %[[R]] : i32
tile.func private @choose(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^yes, ^no
^yes:
  tile.return %x : i32
^no:
  %y = arith.addi %x, %x : i32
  tile.return %y : i32
}

// A pointer outlives its loop: the argument stands for it where it has not been
// computed.

// REMARK: [Passed] {{.*}} Function=outlives | Blocks=4

// CHECK-LABEL: tile.func @outlives(
// CHECK-SAME: %{{.*}}: i32, %[[Q:.*]]: !tile.ptr<f32>, %[[P:.*]]: !tile.ptr<i32>)
// CHECK: %[[LOOP:.*]]:2 = scf.while (%[[I:.*]] = %{{.*}}, %{{.*}} = %[[P]])
// CHECK: %[[AT:.*]] = tile.addptr %[[P]], %[[I]]
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[AT]]
// CHECK: tile.store %[[LOOP]]#1, %{{.*}}
tile.func @outlives(%n: i32, %q: !tile.ptr<f32>, %p: !tile.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %again = arith.cmpi slt, %i, %n : i32
  %at = tile.addptr %p, %i : !tile.ptr<i32>, i32
  cf.cond_br %again, ^body, ^out
^body:
  %next = arith.addi %i, %one : i32
  cf.br ^head(%next : i32)
^out:
  tile.store %at, %n : !tile.ptr<i32>
  tile.return
}

// Inside a region.

// CHECK-LABEL: tile.func @inner(
// CHECK: scf.execute_region
// CHECK: scf.if
// CHECK: scf.yield %{{.*}} : i32
// CHECK: tile.print
tile.func @inner(%c: i1, %n: i32) {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^yes, ^no
  ^yes:
    scf.yield %n : i32
  ^no:
    %twice = arith.addi %n, %n : i32
    scf.yield %twice : i32
  }
  tile.print "r", %r : i32
  tile.return
}

// Unchanged.

// CHECK-LABEL: tile.func @one_block(
// CHECK-NEXT: %[[PID:.*]] = tile.program_id x
// CHECK-NEXT: tile.store %p, %[[PID]]
// CHECK-NEXT: tile.return
// CHECK-NEXT: }
tile.func @one_block(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  tile.store %p, %pid : !tile.ptr<i32>
  tile.return
}
