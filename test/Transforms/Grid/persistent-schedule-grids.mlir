// Grids of two and three dimensions become one number.

// RUN: tile-opt %s --tile-persistent-schedule=programs-per-sm=1 | FileCheck %s

// x = tile rem X, y = tile / X. The kernel does not ask for more extents.

// CHECK-LABEL: tile.func @two_kernel(
// CHECK-SAME: %tiles: i32, %tiles_x: i32)
// CHECK: scf.for unsigned %[[TILE:.*]] =
// CHECK-NEXT: %[[X:.*]] = arith.remsi %[[TILE]], %tiles_x
// CHECK-NEXT: %[[Y:.*]] = arith.divsi %[[TILE]], %tiles_x
// CHECK-NEXT: tile.print "x", %[[X]]
// CHECK-NEXT: tile.print "y", %[[Y]]
// CHECK-NEXT: tile.print "z", %c0
// CHECK-NEXT: tile.print "count z", %c1
tile.func @two_kernel() {
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %counts = tile.num_programs z
  tile.print "x", %x : i32
  tile.print "y", %y : i32
  tile.print "z", %z : i32
  tile.print "count z", %counts : i32
  tile.return
}

// Extents of which two are negative would have a positive product.

// CHECK-LABEL: tile.launch @two(
// CHECK: %[[M:.*]] = tile.plan.cmp ge %m, 0 : i32
// CHECK: %[[N:.*]] = tile.plan.cmp ge %n, 0 : i32
// CHECK: %[[BOTH:.*]] = tile.plan.all %[[M]], %[[N]]
// CHECK: tile.plan.variant %[[BOTH]] {
// CHECK-NEXT: }
// CHECK: tile.plan.variant else {
// CHECK-NEXT: tile.plan.refuse "an extent of the grid is negative"
// CHECK: %[[TILES:.*]] = tile.plan.mul %m, %n : i32, i32
// CHECK: %[[SMS:.*]] = tile.plan.num_sms
// CHECK: %[[ONE:.*]] = tile.plan.mul %[[SMS]], 1
// CHECK: %[[GRID:.*]] = tile.plan.min %[[ONE]], %[[TILES]]
// CHECK: tile.plan.dispatch @two_kernel grid(%[[GRID]]) args(%[[TILES]], %m)
tile.launch @two(%m: i32, %n: i32) {
  tile.plan.dispatch @two_kernel grid(%m : i32, %n : i32) args()
}

// Three dimensions: y = tile / X rem Y, z = tile / (X Y), and every extent is
// asked for. A dispatch with one extent has the others 1, of which nothing has to
// be checked. The author's name for an argument stays his.

// CHECK-LABEL: tile.func @three_kernel(
// CHECK-SAME: %tiles_x: i32, %tiles: i32, %tiles_x_2: i32, %tiles_y: i32, %tiles_z: i32)
// CHECK: %[[XY:.*]] = arith.muli %tiles_x_2, %tiles_y
// CHECK: scf.for unsigned %[[TILE:.*]] =
// CHECK-NEXT: %[[Z:.*]] = arith.divsi %[[TILE]], %[[XY]]
// CHECK-NEXT: %[[ROW:.*]] = arith.divsi %[[TILE]], %tiles_x_2
// CHECK-NEXT: %[[Y:.*]] = arith.remsi %[[ROW]], %tiles_y
// CHECK-NEXT: tile.print "y", %[[Y]]
// CHECK-NEXT: tile.print "z", %[[Z]]
// CHECK-NEXT: tile.print "count y", %tiles_y
// CHECK-NEXT: tile.print "count z", %tiles_z
// CHECK-NEXT: tile.print "own", %tiles_x :
tile.func @three_kernel(%tiles_x: i32) {
  %z = tile.program_id z
  %y = tile.program_id y
  %county = tile.num_programs y
  %countz = tile.num_programs z
  tile.print "y", %y : i32
  tile.print "z", %z : i32
  tile.print "count y", %county : i32
  tile.print "count z", %countz : i32
  tile.print "own", %tiles_x : i32
  tile.return
}

// CHECK-LABEL: tile.launch @three(
// CHECK-DAG: %[[X:.*]] = tile.plan.caller_grid x
// CHECK-DAG: %[[Y:.*]] = tile.plan.caller_grid y
// CHECK-DAG: %[[Z:.*]] = tile.plan.caller_grid z
// CHECK: %[[ALL:.*]] = tile.plan.all %{{.*}}, %{{.*}}, %{{.*}}
// CHECK: tile.plan.variant %[[ALL]]
// CHECK: %[[XY:.*]] = tile.plan.mul %[[X]], %[[Y]]
// CHECK-NEXT: %[[XYZ:.*]] = tile.plan.mul %[[XY]], %[[Z]]
// Tiles are counted in 32 bits.
// CHECK-NEXT: %[[FEW:.*]] = tile.plan.cmp le %[[XYZ]], 2147483647
// CHECK-NEXT: tile.plan.variant %[[FEW]] {
// CHECK: tile.plan.refuse "the grid has 2^31 programs or more, which persistent programs cannot count"
// CHECK: tile.plan.dispatch @three_kernel grid(%{{.*}}) args(%n, %[[XYZ]], %[[X]], %[[Y]], %[[Z]])
// CHECK: %[[ONE:.*]] = tile.plan.constant 1
// CHECK-NOT: tile.plan.variant
// CHECK: tile.plan.dispatch @three_kernel grid(%{{.*}}) args(%n, %{{.*}}, %n, %[[ONE]], %{{.*}})
tile.launch @three(%n: i32) {
  %x = tile.plan.caller_grid x
  %y = tile.plan.caller_grid y
  %z = tile.plan.caller_grid z
  tile.plan.dispatch @three_kernel grid(%x, %y, %z) args(%n) : i32
  tile.plan.dispatch @three_kernel grid(%n : i32) args(%n) : i32
}
