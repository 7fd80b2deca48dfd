// RUN: tile-opt %s --tile-carry-divisions | FileCheck %s
// RUN: tile-opt %s --tile-carry-divisions --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-carry-divisions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// tiles-once.test runs the result.

// REMARK: [Passed] carry-divisions {{.*}} Function=rows | Divisors=1

// CHECK-LABEL: tile.func @rows(
// CHECK-SAME: %n: i32, %tiles: i32)
// CHECK: %[[FIRST:.*]] = tile.program_id x
// CHECK: %[[STEP:.*]] = tile.num_programs x
// CHECK: %[[NEGATED:.*]] = arith.subi %{{.*}}, %n
// CHECK: %[[SIGN:.*]] = arith.select %{{.*}}, %c-1_i32, %{{.*}}
// CHECK: %[[SIZE:.*]] = arith.select %{{.*}}, %[[NEGATED]], %n
// CHECK: %[[ISZERO:.*]] = arith.cmpi eq, %n,
// CHECK: %[[D:.*]] = arith.select %[[ISZERO]], %{{.*}}, %n
// CHECK: %[[Q0:.*]] = arith.divsi %[[FIRST]], %[[D]]
// CHECK: %[[R0:.*]] = arith.remsi %[[FIRST]], %[[D]]
// CHECK: %[[DQ:.*]] = arith.divsi %[[STEP]], %[[D]]
// CHECK: %[[DR:.*]] = arith.remsi %[[STEP]], %[[D]]
// CHECK: %[[REST:.*]] = arith.subi %[[SIZE]], %[[DR]]
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %tiles step %[[STEP]] iter_args(%[[Q:.*]] = %[[Q0]], %[[R:.*]] = %[[R0]]) -> (i32, i32)
// CHECK-NEXT: tile.print "row", %[[Q]]
// CHECK-NEXT: tile.print "column", %[[R]]
// CHECK-NEXT: tile.print "again", %[[Q]]
// CHECK: %[[T:.*]] = arith.subi %[[R]], %[[REST]]
// CHECK: %[[UP:.*]] = arith.addi %[[T]], %[[SIZE]]
// CHECK: %[[CARRY:.*]] = arith.cmpi sge, %[[T]],
// CHECK: %[[NEXTR:.*]] = arith.select %[[CARRY]], %[[T]], %[[UP]]
// CHECK: %[[CARRIED:.*]] = arith.select %{{.*}}, %[[SIGN]],
// CHECK: %[[MORE:.*]] = arith.addi %[[DQ]], %[[CARRIED]]
// CHECK: %[[NEXTQ:.*]] = arith.addi %[[Q]], %[[MORE]]
// CHECK: scf.yield %[[NEXTQ]], %[[NEXTR]]
tile.func @rows(%n: i32, %tiles: i32) {
  %first = tile.program_id x
  %programs = tile.num_programs x
  scf.for %tile = %first to %tiles step %programs : i32 {
    %row = arith.divsi %tile, %n : i32
    %column = arith.remsi %tile, %n : i32
    %again = arith.divsi %tile, %n : i32
    tile.print "row", %row : i32
    tile.print "column", %column : i32
    tile.print "again", %again : i32
  }
  tile.return
}

// What the loop carries already stays, and so do its attributes; two divisors
// are carried both.

// REMARK: [Passed] carry-divisions {{.*}} Function=carries | Divisors=2

// CHECK-LABEL: tile.func @carries(
// CHECK: %[[LOOP:.*]]:5 = scf.for unsigned {{.*}} iter_args(%[[SUM:.*]] = %k, %[[Q1:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[R2:.*]] = %{{.*}})
// CHECK-NEXT: %[[ADDED:.*]] = arith.addi %[[SUM]], %[[Q1]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.addi %[[ADDED]], %[[R2]]
// CHECK: scf.yield %[[BOTH]],
// CHECK-NEXT: } {tile.tile_loop = #tile.tile_loop<ordered>}
// CHECK: tile.print "sum", %[[LOOP]]#0
tile.func @carries(%n: i32, %k: i32, %tiles: i32) {
  %first = tile.program_id x
  %programs = tile.num_programs x
  %sum = scf.for unsigned %tile = %first to %tiles step %programs
      iter_args(%before = %k) -> (i32) : i32 {
    %row = arith.divsi %tile, %n : i32
    %column = arith.remsi %tile, %k : i32
    %added = arith.addi %before, %row : i32
    %both = arith.addi %added, %column : i32
    scf.yield %both : i32
  } {tile.tile_loop = #tile.tile_loop<ordered>}
  tile.print "sum", %sum : i32
  tile.return
}

// Unchanged: a loop that does not begin at a program id, a divisor of the loop's
// own, a division in a branch, an unsigned division.

// REMARK-NOT: Function=unchanged
// CHECK-LABEL: tile.func @unchanged(
// CHECK-COUNT-3: scf.for %{{.*}} = %{{.*}} to %tiles step %{{[a-z_]*}} : i32 {
// CHECK: tile.return
tile.func @unchanged(%n: i32, %tiles: i32) {
  %zero = arith.constant 0 : i32
  %first = tile.program_id x
  %programs = tile.num_programs x
  scf.for %tile = %zero to %tiles step %programs : i32 {
    %row = arith.divsi %tile, %n : i32
    tile.print "row", %row : i32
  }
  scf.for %tile = %first to %tiles step %n : i32 {
    %row = arith.divsi %tile, %n : i32
    tile.print "row", %row : i32
  }
  scf.for %tile = %first to %tiles step %programs : i32 {
    %own = arith.addi %tile, %n : i32
    %row = arith.divsi %tile, %own : i32
    %column = arith.remui %tile, %n : i32
    %in = arith.cmpi slt, %row, %n : i32
    scf.if %in {
      %inner = arith.divsi %tile, %n : i32
      tile.print "inner", %inner : i32
    }
    tile.print "row", %row : i32
    tile.print "column", %column : i32
  }
  tile.return
}

// Unchanged, with a reason: the loop inside would hold what is carried.

// REMARK: [Missed] carry-divisions {{.*}} Function=loop_inside | Reason="a loop inside would hold what is carried in registers"
// CHECK-LABEL: tile.func @loop_inside(
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %tiles step %{{[a-z_]*}} : i32 {
// CHECK-NEXT: %[[ROW:.*]] = arith.divsi %[[TILE]], %n
// CHECK-NEXT: scf.for
tile.func @loop_inside(%n: i32, %tiles: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = tile.program_id x
  %programs = tile.num_programs x
  scf.for %tile = %first to %tiles step %programs : i32 {
    %row = arith.divsi %tile, %n : i32
    scf.for %k = %zero to %n step %one : i32 {
      tile.print "row", %row : i32
    }
  }
  tile.return
}
