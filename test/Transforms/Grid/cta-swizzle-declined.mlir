// Kernels whose programs cannot be renumbered, or are not worth it: nothing
// changes, and a remark says why.

// RUN: tile-opt %s --tile-cta-swizzle="order=grouped" -o %t.out
// RUN: tile-opt %s -o %t.source
// RUN: cmp %t.out %t.source
// RUN: tile-opt %s --tile-cta-swizzle="order=grouped" --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-cta-swizzle -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Passed]'

// RUN: not tile-opt %s --tile-cta-swizzle="order=grouped group-m=0" 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: group-m=0: a group has 1 to 1024 rows of tiles
// RUN: not tile-opt %s --tile-cta-swizzle="order=grouped group-m=1025" 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: group-m=1025: a group has
// RUN: not tile-opt %s --tile-cta-swizzle="order=hilbert group-m=6" 2>&1 | FileCheck %s --check-prefix=SIDE
// SIDE: error: group-m=6: the squares of Hilbert's curve have 2, 4, 8, ... rows
// RUN: not tile-opt %s --tile-cta-swizzle="order=auto l2-bytes=0" 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: l2-bytes and sms have to be positive, and resident-ctas has to be at least 0
// RUN: not tile-opt %s --tile-cta-swizzle="order=spiral" 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: Cannot find option named 'spiral'

// CHECK: [Missed] {{.*}} Function=whole | Reason="the tile is not split into a quotient and a remainder of one divisor
tile.func @whole() {
  %pid = tile.program_id x
  tile.print "row", %pid : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=rows | Reason="the tile has a quotient, and no remainder of the same divisor"
tile.func @rows(%n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  tile.print "row", %m : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=columns | Reason="the tile has a remainder, and no quotient of the same divisor"
tile.func @columns(%n: i32) {
  %pid = tile.program_id x
  %c = arith.remsi %pid, %n : i32
  tile.print "column", %c : i32
  tile.return
}

// Divisors that need not be equal, or are only if n is not negative, or only its low bits.
// CHECK: [Missed] {{.*}} Function=widths | Reason="the tile is divided in more than one width, by divisors that are not known to be equal"
tile.func @widths(%n: i32, %w: i64) {
  %pid = tile.program_id x
  %wide = arith.extsi %pid : i32 to i64
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %wide, %w : i64
  tile.print "row", %m : i32
  tile.print "column", %c : i64
  tile.return
}

// CHECK: [Missed] {{.*}} Function=zeros | Reason="the tile is divided in more than one width, by divisors that are not known to be equal"
tile.func @zeros(%n: i32) {
  %pid = tile.program_id x
  %wide = arith.extsi %pid : i32 to i64
  %w = arith.extui %n : i32 to i64
  %m = arith.floordivsi %pid, %n : i32
  %c = arith.remsi %wide, %w : i64
  tile.print "row", %m : i32
  tile.print "column", %c : i64
  tile.return
}

// CHECK: [Missed] {{.*}} Function=low | Reason="the tile is divided in more than one width, by divisors that are not known to be equal"
tile.func @low(%w: i64) {
  %pid = tile.program_id x
  %wide = arith.extsi %pid : i32 to i64
  %n = arith.trunci %w : i64 to i32
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %wide, %w : i64
  tile.print "row", %m : i32
  tile.print "column", %c : i64
  tile.return
}

// CHECK: [Missed] {{.*}} Function=cut_kernel | Reason="the tile is divided in more than one width, one of them narrower than its own"
tile.func @cut_kernel(%n: i32, %tiles: i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.index_cast %tiles : i64 to index
  %wide = arith.index_cast %n : i32 to index
  scf.for %t = %zero to %end step %one {
    %cut = arith.index_cast %t : index to i32
    %m = arith.divsi %cut, %n : i32
    %c = arith.remsi %t, %wide : index
    %c32 = arith.index_cast %c : index to i32
    tile.print "row", %m : i32
    tile.print "column", %c32 : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// A quotient that is rounded down is a signed one.
// CHECK: [Missed] {{.*}} Function=floor_signs | Reason="the tile is divided both as a signed and as an unsigned number"
tile.func @floor_signs(%n: i32) {
  %pid = tile.program_id x
  %m = arith.floordivsi %pid, %n : i32
  %c = arith.remui %pid, %n : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=floor_alone | Reason="the tile has a quotient, and no remainder of the same divisor"
tile.func @floor_alone(%n: i32) {
  %pid = tile.program_id x
  %m = arith.floordivsi %pid, %n : i32
  tile.print "row", %m : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=signs | Reason="the tile is divided both as a signed and as an unsigned number"
tile.func @signs(%n: i32) {
  %pid = tile.program_id x
  %m = arith.divui %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=none | Reason="the kernel does not use program id x
tile.func @none(%n: i32) {
  %pid = tile.program_id y
  tile.print "row", %pid : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=loaded | Reason="the divisor is not known to be the same for all programs, so that the new numbers may not be a permutation
tile.func @loaded(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %n = tile.load %p : !tile.ptr<i32>
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=by_row | Reason="the divisor is not known to be the same for all programs
tile.func @by_row(%n: i32) {
  %pid = tile.program_id x
  %y = tile.program_id y
  %d = arith.addi %n, %y : i32
  %m = arith.divsi %pid, %d : i32
  %c = arith.remsi %pid, %d : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=two_ways | Reason="the tile is divided in more than one way
tile.func @two_ways(%n: i32, %k: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %k : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=grouped | Reason="the kernel orders its tiles itself: what it divides it divides again
tile.func @grouped(%n: i32, %size: i32) {
  %pid = tile.program_id x
  %g = arith.divsi %pid, %n : i32
  %r = arith.remsi %pid, %n : i32
  %m = arith.remsi %r, %size : i32
  %c = arith.divsi %r, %size : i32
  tile.print "group", %g : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=too_late | Reason="the tile is used before the divisor is known, which may divide by zero itself"
tile.func @too_late(%n: i32) {
  %pid = tile.program_id x
  tile.print "number", %pid : i32
  %d = arith.divsi %n, %n : i32
  %m = arith.divsi %pid, %d : i32
  %c = arith.remsi %pid, %d : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=divided_rows | Reason="program id y is divided
tile.func @divided_rows(%n: i32) {
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.divsi %y, %n : i32
  tile.print "row", %m : i32
  tile.print "column", %x : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=waits | Reason="a loop without a fixed number of iterations reads memory: it may wait for another program
tile.func @waits(%flag: !tile.ptr<i32>, %n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %seen = tile.load %flag volatile : !tile.ptr<i32>
    %again = arith.cmpi eq, %seen, %zero : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// CHECK: [Missed] {{.*}} Function=reads_grid | Reason="PTX of the source reads the grid
tile.func @reads_grid(%n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  %id = tile.inline_ptx "add.u32 $0, $1, %ctaid.x;"(%m) : (i32) -> i32
  tile.print "row", %id : i32
  tile.print "column", %c : i32
  tile.return
}

// The same with a descriptor.
// CHECK: [Missed] {{.*}} Function=waits_desc | Reason="a loop without a fixed number of iterations reads memory
tile.func @waits_desc(%flag: !tile.ptr<i32>, %n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %flag, [%n], [%one] : !tile.ptr<i32>, [i32], [i32] -> !tile.desc<16xi32>
  scf.while : () -> () {
    %seen = tile.desc_load %d[%m] : !tile.desc<16xi32>, [i32] -> tensor<16xi32>
    %most = tile.reduce %seen axis 0 with arith.maxsi : (tensor<16xi32>) -> i32
    %again = arith.cmpi eq, %most, %zero : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  tile.print "column", %c : i32
  tile.return
}

// Each program has a bound of its own.
// CHECK: [Missed] {{.*}} Function=chunks | Reason="the bound of the tile loop is not known to be the same for all programs"
tile.func @chunks(%n: i32, %chunk: i32, %tiles: i32) {
  %pid = tile.program_id x
  %one = arith.constant 1 : i32
  %first = arith.muli %pid, %chunk : i32
  %end = arith.addi %first, %chunk : i32
  %last = arith.minsi %end, %tiles : i32
  scf.for %tile = %first to %last step %one : i32 {
    %m = arith.divsi %tile, %n : i32
    %c = arith.remsi %tile, %n : i32
    tile.print "row", %m : i32
    tile.print "column", %c : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// CHECK: declined.mlir:[[@LINE+9]]:8: {{.*}} [Missed] {{.*}} Function=calls | Reason="the kernel calls a function, which may ask for the grid: tile-inline-calls has to run before"
tile.func private @id() -> i32 {
  %pid = tile.program_id x
  tile.return %pid : i32
}
tile.func @calls(%n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  %y = tile.call @id() : () -> i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.print "number", %y : i32
  tile.return
}

// A loop of the author's is not known to have independent iterations.
// CHECK: [Missed] {{.*}} Function=own_loop | Reason="the tiles are numbers of a loop that is not marked tile.tile_loop"
tile.func @own_loop(%n: i32, %tiles: i32) {
  %first = tile.program_id x
  %programs = tile.num_programs x
  scf.for %tile = %first to %tiles step %programs : i32 {
    %m = arith.divsi %tile, %n : i32
    %c = arith.remsi %tile, %n : i32
    tile.print "row", %m : i32
    tile.print "column", %c : i32
  }
  tile.return
}
