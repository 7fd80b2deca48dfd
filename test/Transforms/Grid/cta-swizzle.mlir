// RUN: tile-opt %s --tile-cta-swizzle="order=grouped group-m=8" | FileCheck %s
// RUN: tile-opt %s --tile-cta-swizzle="order=grouped group-m=8" --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-cta-swizzle -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-cta-swizzle="order=column" | FileCheck %s --check-prefix=BYCOLS
// RUN: tile-opt %s --tile-cta-swizzle="order=hilbert group-m=2" | FileCheck %s --check-prefix=HILBERT
// RUN: tile-opt %s --tile-cta-swizzle -o %t.row
// RUN: tile-opt %s -o %t.source
// RUN: cmp %t.row %t.source

// REMARK: [Passed] cta-swizzle {{.*}} Function=split | GroupM=8, Order=grouped, Tile="program id x"

// CHECK-LABEL: tile.func @split(
// CHECK-SAME: %{{.*}}: !tile.ptr<f32>, %[[N:.*]]: i32)
// CHECK-DAG: %[[G:.*]] = arith.constant 8 : i32
// CHECK-DAG: %[[ID:.*]] = tile.program_id x
// CHECK-DAG: %[[P:.*]] = tile.num_programs x
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// What tiles have in common: full rows, rows of a group, tiles in both. A
// divisor that is not positive makes groups of one row, and zero, which nothing
// divides by, one row of all tiles.
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %[[N]], %{{.*}}
// CHECK: %[[N1:.*]] = arith.maxsi %[[N]], %[[ONE]]
// CHECK: %[[ROWS:.*]] = arith.divsi %[[P]], %[[N1]]
// CHECK: %[[MIN:.*]] = arith.minsi %[[ROWS]], %[[G]]
// CHECK: %[[MAX:.*]] = arith.maxsi %[[MIN]], %[[ONE]]
// CHECK: %[[GROUP:.*]] = arith.select %[[POSITIVE]], %[[MAX]], %[[ONE]]
// CHECK: %[[MOST:.*]] = arith.constant 2147483647
// CHECK: %[[TILES:.*]] = arith.muli %[[ROWS]], %[[N]]
// CHECK: %[[FULL:.*]] = arith.select %[[POSITIVE]], %[[TILES]], %[[MOST]]
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[GROUP]], %[[N]]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[N]], %{{.*}}
// CHECK: %[[IN_GROUP:.*]] = arith.select %[[NONE]], %[[MOST]], %[[PRODUCT]]
// The tile.
// CHECK: %[[NUMBER_OF_GROUP:.*]] = arith.divsi %[[ID]], %[[IN_GROUP]]
// CHECK: %[[NUMBER:.*]] = arith.remsi %[[ID]], %[[IN_GROUP]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[NUMBER_OF_GROUP]], %[[GROUP]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[FIRST]]
// CHECK: %[[SIZE0:.*]] = arith.minsi %[[GROUP]], %[[LEFT]]
// CHECK: %[[SIZE:.*]] = arith.maxsi %[[SIZE0]], %{{.*}}
// CHECK: %[[R:.*]] = arith.remsi %[[NUMBER]], %[[SIZE]]
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[R]]
// CHECK: %[[COLUMN:.*]] = arith.divsi %[[NUMBER]], %[[SIZE]]
// A last row that is not full.
// CHECK: %[[IN_FULL:.*]] = arith.cmpi slt, %[[ID]], %[[FULL]]
// CHECK: %[[TILE_M:.*]] = arith.select %[[IN_FULL]], %[[ROW]], %[[ROWS]]
// CHECK: %[[REST:.*]] = arith.subi %[[ID]], %[[FULL]]
// CHECK: %[[TILE_N:.*]] = arith.select %[[IN_FULL]], %[[COLUMN]], %[[REST]]
// CHECK-NOT: arith
// CHECK: tile.print "row", %[[TILE_M]]
// CHECK: tile.print "column", %[[TILE_N]]

// One group: no minimum of its rows and those of the grid.
// BYCOLS-LABEL: tile.func @split(
// BYCOLS-NOT: arith.constant 8 : i32
// BYCOLS: %[[ROWS:.*]] = arith.divsi
// BYCOLS: arith.maxsi %[[ROWS]],

// Squares of 2: one level of Hilbert's curve, by the number's two bits.
// HILBERT-LABEL: tile.func @split(
// HILBERT: %[[DIGIT:.*]] = arith.remsi %{{.*}}, %c4
// HILBERT-NEXT: %[[FOUR:.*]] = arith.constant 4
// HILBERT-NOT: arith.remsi %{{.*}}, %c4
// HILBERT: tile.print
tile.func @split(%p: !tile.ptr<f32>, %n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// Other uses of the number get the new number: row * n + column. A divisor may
// be computed, and written twice.

// REMARK: [Passed] cta-swizzle {{.*}} Function=others

// CHECK-LABEL: tile.func @others(
// CHECK: %[[N:.*]] = arith.ceildivsi
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{pid_x.*}}, %{{.*}} : i32
// CHECK: %[[TILE_M:.*]] = arith.select %[[IN]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[TILE_N:.*]] = arith.select %[[IN]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[TILE_M]], %[[N]]
// CHECK: %[[NEW:.*]] = arith.addi %[[PRODUCT]], %[[TILE_N]]
// CHECK-NOT: tile.program_id
// CHECK: tile.print "number", %[[NEW]]
// CHECK: tile.print "row", %[[TILE_M]]
// CHECK: tile.print "column", %[[TILE_N]]
tile.func @others(%columns: i32) {
  %size = arith.constant 128 : i32
  %n = arith.ceildivsi %columns, %size : i32
  %pid = tile.program_id x
  %again = tile.program_id x
  tile.print "number", %again : i32
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %again, %n : i32
  tile.print "row", %m : i32
  tile.print "column", %c : i32
  tile.return
}

// Two axes: y is the row, x the column. Nothing is left over, and where the
// product does not fit in 32 bits, nothing changes. Axis z does not matter.

// REMARK: [Passed] cta-swizzle {{.*}} Function=plane | GroupM=8, Order=grouped, Tile="program ids x and y"

// CHECK-LABEL: tile.func @plane(
// CHECK: %[[X:.*]] = tile.program_id x
// CHECK: %[[Y:.*]] = tile.program_id y
// CHECK: %[[COLUMNS:.*]] = tile.num_programs x
// CHECK: %[[ROWS:.*]] = tile.num_programs y
// CHECK: %[[WIDE_COLUMNS:.*]] = arith.extsi %[[COLUMNS]] : i32 to i64
// CHECK: %[[WIDE_ROWS:.*]] = arith.extsi %[[ROWS]] : i32 to i64
// CHECK: %[[COUNT:.*]] = arith.muli %[[WIDE_COLUMNS]], %[[WIDE_ROWS]] : i64
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[COUNT]], %{{.*}} : i64
// CHECK: %[[GROUP:.*]] = arith.select %[[FITS]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[ROW0:.*]] = arith.muli %[[Y]], %[[COLUMNS]]
// CHECK: %[[ID:.*]] = arith.addi %[[ROW0]], %[[X]]
// CHECK: arith.divsi %[[ID]],
// CHECK: %[[ROW:.*]] = arith.select %[[FITS]], %{{.*}}, %[[Y]]
// CHECK: %[[COLUMN:.*]] = arith.select %[[FITS]], %{{.*}}, %[[X]]
// CHECK: %[[Z:.*]] = tile.program_id z
// CHECK: tile.print "row", %[[ROW]]
// CHECK: tile.print "column", %[[COLUMN]]
// CHECK: tile.print "batch", %[[Z]]
tile.func @plane() {
  %m = tile.program_id y
  %n = tile.program_id x
  %z = tile.program_id z
  tile.print "row", %m : i32
  tile.print "column", %n : i32
  tile.print "batch", %z : i32
  tile.return
}

// A tile loop: what tiles have in common is computed before it. The count of
// tiles is its bound.

// REMARK: [Passed] cta-swizzle {{.*}} Function=loop | GroupM=8, Order=grouped, Tile="counter of the tile loop"

// CHECK-LABEL: tile.func @loop(
// CHECK-SAME: %[[N:.*]]: i32, %[[TILES:.*]]: i32)
// CHECK: %[[ROWS:.*]] = arith.divsi %[[TILES]],
// CHECK: scf.for unsigned %[[TILE:.*]] = %{{.*}} to %[[TILES]]
// CHECK-NEXT: arith.divsi %[[TILE]],
// CHECK: %[[TILE_M:.*]] = arith.select
// CHECK: %[[TILE_N:.*]] = arith.select
// CHECK-NEXT: tile.print "row", %[[TILE_M]]
// CHECK-NEXT: tile.print "column", %[[TILE_N]]
tile.func @loop(%n: i32, %tiles: i32) {
  %first = tile.program_id x
  %programs = tile.num_programs x
  scf.for unsigned %tile = %first to %tiles step %programs : i32 {
    %m = arith.divsi %tile, %n : i32
    %c = arith.remsi %tile, %n : i32
    tile.print "row", %m : i32
    tile.print "column", %c : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
