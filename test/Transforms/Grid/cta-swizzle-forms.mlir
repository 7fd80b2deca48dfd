// Other forms in which a kernel splits its tile, all of 3 x 3 tiles in groups of two rows:
//
//     0  2  4
//     1  3  5     program 1 computes tile (1, 0), program 2 tile (0, 1), program 8 the
//     6  7  8     last one; a tile prints 10 row + column, and its number, 3 row + column

// RUN: tile-opt %s --tile-cta-swizzle="order=grouped group-m=2" -o %t.mlir --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-cta-swizzle 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='[Missed]'
// RUN: tile-run %t.mlir --kernel=wide 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=indices 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=difference 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=twice 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=naturals 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=loop 3 9 | FileCheck %s --check-prefix=LOOP
// RUN: tile-run %t.mlir --kernel=counter 3 9 | FileCheck %s --check-prefix=LOOP
// GRID-DAG: (program 1, 0, 0) tile = 10{{$}}
// GRID-DAG: (program 2, 0, 0) tile = 1{{$}}
// GRID-DAG: (program 5, 0, 0) tile = 12{{$}}
// GRID-DAG: (program 8, 0, 0) tile = 22{{$}}
// NUMBER-DAG: (program 1, 0, 0) number = 3{{$}}
// NUMBER-DAG: (program 2, 0, 0) number = 1{{$}}
// NUMBER-DAG: (program 8, 0, 0) number = 8{{$}}

// As the source has it: row-major order.
// RUN: tile-run %s --kernel=wide 3 | FileCheck %s --check-prefix=SOURCE
// SOURCE-DAG: (program 1, 0, 0) tile = 1{{$}}
// SOURCE-DAG: (program 3, 0, 0) tile = 10{{$}}

// Unsigned: -1 is more than there are tiles, and 0 divides nothing. Signed, the number 5
// has quotient -5 by -1, and the tile prints -50.
// RUN: tile-run %t.mlir --kernel=naturals -- -1 | FileCheck %s --check-prefix=MINUS
// RUN: tile-run %s --kernel=naturals -- -1 | FileCheck %s --check-prefix=MINUS
// MINUS-DAG: (program 5, 0, 0) tile = 5{{$}}
// MINUS-DAG: (program 5, 0, 0) number = 5{{$}}
// RUN: tile-run %t.mlir --kernel=wide -- -1 | FileCheck %s --check-prefix=SIGNED
// SIGNED-DAG: (program 5, 0, 0) tile = -50{{$}}

// One program goes through all tiles.
// LOOP: tile = 0{{$}}
// LOOP-NEXT: tile = 10{{$}}
// LOOP-NEXT: tile = 1{{$}}
// LOOP-NEXT: tile = 11{{$}}
// LOOP-NEXT: tile = 2{{$}}
// LOOP-NEXT: tile = 12{{$}}
// LOOP-NEXT: tile = 20{{$}}
// LOOP-NEXT: tile = 21{{$}}
// LOOP-NEXT: tile = 22{{$}}

// In 64 bits, and the divisor comes after the number.
// REMARK: [Passed] {{.*}} Function=wide_kernel |
tile.func @wide_kernel(%n: i32) {
  %pid = tile.program_id x
  %w = arith.extsi %pid : i32 to i64
  %d = arith.extsi %n : i32 to i64
  %m = arith.divsi %w, %d : i64
  %c = arith.remsi %w, %d : i64
  %ten = arith.constant 10 : i64
  %ms = arith.muli %m, %ten : i64
  %tile = arith.addi %ms, %c : i64
  tile.print "tile", %tile : i64
  tile.print "number", %pid : i32
  tile.return
}
tile.launch @wide(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @wide_kernel grid(%nine) args(%n) : i32
}

// REMARK: [Passed] {{.*}} Function=index_kernel |
tile.func @index_kernel(%n: i32) {
  %pid = tile.program_id x
  %i = arith.index_cast %pid : i32 to index
  %d = arith.index_cast %n : i32 to index
  %m = arith.divsi %i, %d : index
  %c = arith.remsi %i, %d : index
  %m32 = arith.index_cast %m : index to i32
  %c32 = arith.index_cast %c : index to i32
  %i32 = arith.index_cast %i : index to i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m32, %ten : i32
  %tile = arith.addi %ms, %c32 : i32
  tile.print "tile", %tile : i32
  tile.print "number", %i32 : i32
  tile.return
}
tile.launch @indices(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @index_kernel grid(%nine) args(%n) : i32
}

// The remainder is what the quotient leaves.
// REMARK: [Passed] {{.*}} Function=difference_kernel |
tile.func @difference_kernel(%n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %whole = arith.muli %n, %m : i32
  %c = arith.subi %pid, %whole : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %tile = arith.addi %ms, %c : i32
  tile.print "tile", %tile : i32
  tile.print "number", %pid : i32
  tile.return
}
tile.launch @difference(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @difference_kernel grid(%nine) args(%n) : i32
}

// Each division computes the divisor, behind a use of the number: n + 128 - 128.
// REMARK: [Passed] {{.*}} Function=twice_kernel |
tile.func @twice_kernel(%n: i32) {
  %pid = tile.program_id x
  tile.print "number", %pid : i32
  %block = arith.constant 128 : i32
  %more = arith.addi %n, %block : i32
  %first = arith.subi %more, %block : i32
  %m = arith.divsi %pid, %first : i32
  %block2 = arith.constant 128 : i32
  %more2 = arith.addi %n, %block2 : i32
  %second = arith.subi %more2, %block2 : i32
  %c = arith.remsi %pid, %second : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %tile = arith.addi %ms, %c : i32
  tile.print "tile", %tile : i32
  tile.return
}
tile.launch @twice(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @twice_kernel grid(%nine) args(%n) : i32
}

// REMARK: [Passed] {{.*}} Function=naturals_kernel |
tile.func @naturals_kernel(%n: i32) {
  %pid = tile.program_id x
  %m = arith.divui %pid, %n : i32
  %c = arith.remui %pid, %n : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %tile = arith.addi %ms, %c : i32
  tile.print "tile", %tile : i32
  tile.print "number", %pid : i32
  tile.return
}
tile.launch @naturals(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @naturals_kernel grid(%nine) args(%n) : i32
}

// REMARK: [Passed] {{.*}} Function=loop_kernel |
tile.func @loop_kernel(%n: i64, %tiles: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %t = %zero to %tiles step %one : i64 {
    %m = arith.divsi %t, %n : i64
    %c = arith.remsi %t, %n : i64
    %ten = arith.constant 10 : i64
    %ms = arith.muli %m, %ten : i64
    %tile = arith.addi %ms, %c : i64
    tile.print "tile", %tile : i64
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
tile.launch @loop(%n: i64, %tiles: i64) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @loop_kernel grid(%one) args(%n, %tiles) : i64, i64
}

// REMARK: [Passed] {{.*}} Function=counter_kernel |
tile.func @counter_kernel(%n: i64, %tiles: i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.index_cast %tiles : i64 to index
  %columns = arith.index_cast %n : i64 to index
  scf.for %t = %zero to %end step %one {
    %m = arith.divsi %t, %columns : index
    %c = arith.remsi %t, %columns : index
    %ten = arith.constant 10 : index
    %ms = arith.muli %m, %ten : index
    %both = arith.addi %ms, %c : index
    %tile = arith.index_cast %both : index to i32
    tile.print "tile", %tile : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
tile.launch @counter(%n: i64, %tiles: i64) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @counter_kernel grid(%one) args(%n, %tiles) : i64, i64
}
