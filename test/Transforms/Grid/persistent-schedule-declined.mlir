// Kernels that stay as they are, with the reason.

// RUN: tile-opt %s --tile-persistent-schedule -o %t.out
// RUN: tile-opt %s -o %t.source
// RUN: cmp %t.out %t.source
// RUN: tile-opt %s --tile-persistent-schedule --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-persistent-schedule -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='[Passed]'

// RUN: not tile-opt %s --tile-persistent-schedule=programs-per-sm=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: programs-per-sm must not be negative

// CHECK: [Missed] persistent-schedule {{.*}} Function=not_launched | Reason="no launch plan dispatches the kernel"
tile.func @not_launched() {
  %pid = tile.program_id x
  tile.print "pid", %pid : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=alike | Reason="the kernel uses no program id: its programs are all the same"
tile.func @alike(%p: !tile.ptr<i32>) {
  %n = tile.num_programs x
  tile.store %p, %n : !tile.ptr<i32>
  tile.return
}

// Why stands at what is in the way.
// CHECK: declined.mlir:[[@LINE+6]]:3: {{.*}} [Missed] {{.*}} Function=own_loop | Reason="the kernel distributes its work over programs itself: a loop's step comes from num_programs"
tile.func @own_loop(%tiles: i32) {
  %first = tile.program_id x
  %programs = tile.num_programs x
  %two = arith.constant 2 : i32
  %step = arith.muli %programs, %two : i32
  scf.for %tile = %first to %tiles step %step : i32 {
    tile.print "tile", %tile : i32
  }
  tile.return
}

// CHECK: [Missed] {{.*}} Function=persistent | Reason="the kernel is persistent already"
tile.func @persistent(%tiles: i32) {
  %first = tile.program_id x
  %programs = tile.num_programs x
  scf.for unsigned %tile = %first to %tiles step %programs : i32 {
    tile.print "tile", %tile : i32
  } {tile.tile_loop = #tile.tile_loop<ordered>}
  tile.return
}

// CHECK: declined.mlir:[[@LINE+4]]:3: {{.*}} [Missed] {{.*}} Function=waits | Reason="a loop without a fixed number of iterations reads memory: it may wait for another program"
tile.func @waits(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %seen = tile.atomic_rmw add acquire gpu %p, %one : !tile.ptr<i32>
    %again = arith.cmpi slt, %seen, %pid : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  tile.return
}

// CHECK: [Missed] {{.*}} Function=waits_desc | Reason="a loop without a fixed number of iterations reads memory
tile.func @waits_desc(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%one], [%one] : !tile.ptr<i32>, [i32], [i32] -> !tile.desc<1xi32>
  scf.while : () -> () {
    %seen = tile.desc_load %d[%pid] : !tile.desc<1xi32>, [i32] -> tensor<1xi32>
    %most = tile.reduce %seen axis 0 with arith.maxsi : (tensor<1xi32>) -> i32
    %again = arith.cmpi slt, %most, %pid : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  tile.return
}

// CHECK: declined.mlir:[[@LINE+7]]:8: {{.*}} [Missed] {{.*}} Function=calls | Reason="the kernel calls a function, which may ask for the grid: tile-inline-calls has to run before"
tile.func private @id() -> i32 {
  %pid = tile.program_id x
  tile.return %pid : i32
}
tile.func @calls() {
  %pid = tile.program_id x
  %y = tile.call @id() : () -> i32
  tile.print "number", %y : i32
  tile.return
}

// Branches are made loops and conditions of before.
// CHECK: declined.mlir:[[@LINE+4]]:3: {{.*}} [Missed] {{.*}} Function=branches | Reason="the kernel branches between blocks: tile-structure-branches has to run before"
tile.func @branches(%p: !tile.ptr<i32>, %n: i32) {
  %pid = tile.program_id x
  %in = arith.cmpi slt, %pid, %n : i32
  cf.cond_br %in, ^store, ^out
^store:
  tile.store %p, %pid : !tile.ptr<i32>
  cf.br ^out
^out:
  tile.return
}

// CHECK: declined.mlir:[[@LINE+3]]:9: {{.*}} [Missed] {{.*}} Function=reads_grid | Reason="PTX of the source reads the grid"
tile.func @reads_grid() {
  %pid = tile.program_id x
  %id = tile.inline_ptx "add.u32 $0, $1, %nctaid.x;"(%pid) : (i32) -> i32
  tile.print "id", %id : i32
  tile.return
}

tile.launch @all(%p: !tile.ptr<i32>, %n: i32) {
  tile.plan.dispatch @alike grid(%n : i32) args(%p) : !tile.ptr<i32>
  tile.plan.dispatch @own_loop grid(%n : i32) args(%n) : i32
  tile.plan.dispatch @persistent grid(%n : i32) args(%n) : i32
  tile.plan.dispatch @waits grid(%n : i32) args(%p) : !tile.ptr<i32>
  tile.plan.dispatch @waits_desc grid(%n : i32) args(%p) : !tile.ptr<i32>
  tile.plan.dispatch @calls grid(%n : i32) args()
  tile.plan.dispatch @branches grid(%n : i32) args(%p, %n) : !tile.ptr<i32>, i32
  tile.plan.dispatch @reads_grid grid(%n : i32) args()
}
