// Quotients that are rounded down, and divisions in two widths, of 3 x 3 tiles in groups
// of two rows (cta-swizzle-forms.mlir): program 1 computes tile (1, 0), program 2 tile
// (0, 1), program 8 the last one. A tile prints 10 row + column, and its number.

// RUN: tile-opt %s --tile-cta-swizzle="order=grouped group-m=2" -o %t.mlir --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-cta-swizzle 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='[Missed]'
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tile-run %t.mlir --kernel=floors 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=rests 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=widths 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=unsigned 3 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=divisor 6 | FileCheck %s --check-prefixes=GRID,NUMBER
// RUN: tile-run %t.mlir --kernel=constant | FileCheck %s --check-prefix=GRID
// GRID-DAG: (program 1, 0, 0) tile = 10{{$}}
// GRID-DAG: (program 2, 0, 0) tile = 1{{$}}
// GRID-DAG: (program 5, 0, 0) tile = 12{{$}}
// GRID-DAG: (program 8, 0, 0) tile = 22{{$}}
// NUMBER-DAG: (program 1, 0, 0) number = 3{{$}}
// NUMBER-DAG: (program 2, 0, 0) number = 1{{$}}
// NUMBER-DAG: (program 8, 0, 0) number = 8{{$}}

// A negative divisor leaves all as it is: 5 = -3 (-2) - 1, rounded down, which
// arith.remsi has as -2 (-2) + 1; 4 = -2 (-2) has no rest.
// RUN: tile-run %s --kernel=floors -- -2 | FileCheck %s --check-prefix=FLOORS
// RUN: tile-run %t.mlir --kernel=floors -- -2 | FileCheck %s --check-prefix=FLOORS
// FLOORS-DAG: (program 5, 0, 0) tile = -29{{$}}
// FLOORS-DAG: (program 4, 0, 0) tile = -20{{$}}
// RUN: tile-run %s --kernel=rests -- -2 | FileCheck %s --check-prefix=RESTS
// RUN: tile-run %t.mlir --kernel=rests -- -2 | FileCheck %s --check-prefix=RESTS
// RESTS-DAG: (program 5, 0, 0) tile = -31{{$}}
// RESTS-DAG: (program 4, 0, 0) tile = -20{{$}}
// RUN: tile-run %s --kernel=widths -- -2 | FileCheck %s --check-prefix=WIDTHS
// RUN: tile-run %t.mlir --kernel=widths -- -2 | FileCheck %s --check-prefix=WIDTHS
// WIDTHS-DAG: (program 5, 0, 0) tile = -19{{$}}
// WIDTHS-DAG: (program 4, 0, 0) tile = -20{{$}}

// The divisor is -2, as above.
// RUN: tile-run %s --kernel=divisor -- -4 | FileCheck %s --check-prefix=WIDTHS
// RUN: tile-run %t.mlir --kernel=divisor -- -4 | FileCheck %s --check-prefix=WIDTHS

// As an unsigned number -1 is more than there are tiles.
// RUN: tile-run %s --kernel=unsigned -- -1 | FileCheck %s --check-prefix=MINUS
// RUN: tile-run %t.mlir --kernel=unsigned -- -1 | FileCheck %s --check-prefix=MINUS
// MINUS-DAG: (program 5, 0, 0) tile = 5{{$}}
// MINUS-DAG: (program 5, 0, 0) number = 5{{$}}

// REMARK: [Passed] {{.*}} Function=floors_kernel |
// CHECK-LABEL: tile.func @floors_kernel
// CHECK-NOT: arith.floordivsi
// CHECK: %[[BELOW:.*]] = arith.andi
// CHECK: arith.select %[[BELOW]]
// CHECK: tile.return
tile.func @floors_kernel(%n: i32) {
  %pid = tile.program_id x
  %m = arith.floordivsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %tile = arith.addi %ms, %c : i32
  tile.print "tile", %tile : i32
  tile.print "number", %pid : i32
  tile.return
}
tile.launch @floors(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @floors_kernel grid(%nine) args(%n) : i32
}

// The remainder is what the quotient leaves, in 64 bits.
// REMARK: [Passed] {{.*}} Function=rests_kernel |
tile.func @rests_kernel(%n: i32) {
  %pid = tile.program_id x
  %m = arith.floordivsi %pid, %n : i32
  %wide = arith.extsi %pid : i32 to i64
  %mw = arith.extsi %m : i32 to i64
  %nw = arith.extsi %n : i32 to i64
  %whole = arith.muli %mw, %nw : i64
  %c = arith.subi %wide, %whole : i64
  // The quotient in 64 bits counts as divided there.
  %q = arith.divsi %wide, %nw : i64
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %ms64 = arith.extsi %ms : i32 to i64
  %tile = arith.addi %ms64, %c : i64
  tile.print "tile", %tile : i64
  tile.print "number", %wide : i64
  tile.print "quotient", %q : i64
  tile.return
}
tile.launch @rests(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @rests_kernel grid(%nine) args(%n) : i32
}

// The quotient in 32 bits, the remainder in 64 and as an index.
// REMARK: [Passed] {{.*}} Function=widths_kernel |
// CHECK-LABEL: tile.func @widths_kernel
// CHECK-NOT: arith.remsi {{.*}} : i64
// CHECK: tile.return
tile.func @widths_kernel(%n: i32) {
  %pid = tile.program_id x
  %wide = arith.extsi %pid : i32 to i64
  %nw = arith.extsi %n : i32 to i64
  %i = arith.index_cast %pid : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %c = arith.remsi %wide, %nw : i64
  %ci = arith.remsi %i, %ni : index
  %m = arith.divsi %pid, %n : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %ms64 = arith.extsi %ms : i32 to i64
  %tile = arith.addi %ms64, %c : i64
  %c32 = arith.index_cast %ci : index to i32
  tile.print "tile", %tile : i64
  tile.print "number", %wide : i64
  tile.print "column", %c32 : i32
  tile.return
}
tile.launch @widths(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @widths_kernel grid(%nine) args(%n) : i32
}

// REMARK: [Passed] {{.*}} Function=unsigned_kernel |
tile.func @unsigned_kernel(%n: i32) {
  %pid = tile.program_id x
  %wide = arith.extui %pid : i32 to i64
  %nw = arith.extui %n : i32 to i64
  %m = arith.divui %wide, %nw : i64
  %c = arith.remui %pid, %n : i32
  %ten = arith.constant 10 : i64
  %ms = arith.muli %m, %ten : i64
  %cw = arith.extui %c : i32 to i64
  %tile = arith.addi %ms, %cw : i64
  tile.print "tile", %tile : i64
  tile.print "number", %pid : i32
  tile.return
}
tile.launch @unsigned(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @unsigned_kernel grid(%nine) args(%n) : i32
}

// The divisor is rounded down, the quotient that the remainder is found with is not.
// REMARK: [Passed] {{.*}} Function=divisor_kernel |
tile.func @divisor_kernel(%n: i32) {
  %pid = tile.program_id x
  %two = arith.constant 2 : i32
  %half = arith.floordivsi %n, %two : i32
  %m = arith.divsi %pid, %half : i32
  %whole = arith.muli %m, %half : i32
  %c = arith.subi %pid, %whole : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %tile = arith.addi %ms, %c : i32
  tile.print "tile", %tile : i32
  tile.print "number", %pid : i32
  tile.return
}
tile.launch @divisor(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @divisor_kernel grid(%nine) args(%n) : i32
}

// A divisor that is known to be positive has no rounding to see to.
// REMARK: [Passed] {{.*}} Function=constant_kernel |
// CHECK-LABEL: tile.func @constant_kernel
// CHECK-NOT: arith.floordivsi
// CHECK-NOT: arith.andi
// CHECK: tile.return
tile.func @constant_kernel() {
  %pid = tile.program_id x
  %three = arith.constant 3 : i32
  %m = arith.floordivsi %pid, %three : i32
  %c = arith.remsi %pid, %three : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %tile = arith.addi %ms, %c : i32
  tile.print "tile", %tile : i32
  tile.return
}
tile.launch @constant() {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @constant_kernel grid(%nine) args()
}
