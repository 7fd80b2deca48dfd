// Programs that take the next tile from a counter, in groups of two rows of 3 x 3 tiles:
// whichever pass runs first, the only program computes them in this order.
//
//     0  2  4
//     1  3  5     a tile prints 10 row + column
//     6  7  8

// RUN: tile-opt %s --tile-persistent-schedule="assignment=dynamic programs-per-sm=1" \
// RUN:   --tile-cta-swizzle="order=grouped group-m=2" -o %t.first.mlir --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-cta-swizzle 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: [Passed] {{.*}} Function=k_kernel | GroupM=2, Order=grouped, Tile="counter of the tile loop"
// REMARK: [Missed] {{.*}} Function=next_kernel | Reason="how the tile loop comes by its tiles is not known"
// RUN: tile-run %t.first.mlir --kernel=k 3 --num-sms=1 | FileCheck %s
// RUN: tile-opt %s --tile-cta-swizzle="order=grouped group-m=2" \
// RUN:   --tile-persistent-schedule="assignment=dynamic programs-per-sm=1" -o %t.last.mlir
// RUN: tile-run %t.last.mlir --kernel=k 3 --num-sms=1 | FileCheck %s
// CHECK: tile = 0{{$}}
// CHECK-NEXT: tile = 10{{$}}
// CHECK-NEXT: tile = 1{{$}}
// CHECK-NEXT: tile = 11{{$}}
// CHECK-NEXT: tile = 2{{$}}
// CHECK-NEXT: tile = 12{{$}}
// CHECK-NEXT: tile = 20{{$}}
// CHECK-NEXT: tile = 21{{$}}
// CHECK-NEXT: tile = 22{{$}}
tile.func @k_kernel(%n: i32) {
  %pid = tile.program_id x
  %m = arith.divsi %pid, %n : i32
  %c = arith.remsi %pid, %n : i32
  %ten = arith.constant 10 : i32
  %ms = arith.muli %m, %ten : i32
  %tile = arith.addi %ms, %c : i32
  tile.print "tile", %tile : i32
  tile.return
}
tile.launch @k(%n: i32) {
  %nine = tile.plan.constant 9
  tile.plan.dispatch @k_kernel grid(%nine) args(%n) : i32
}

// The tile after this one is found from its number, which must stay.
tile.func @next_kernel(%n: i32, %tiles: i32) {
  %first = tile.program_id x
  %programs = tile.num_programs x
  %end = scf.while (%begun = %first) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %tiles : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
    %m = arith.divsi %tile, %n : i32
    %c = arith.remsi %tile, %n : i32
    tile.print "row", %m : i32
    tile.print "column", %c : i32
    %following = arith.addi %tile, %programs : i32
    scf.yield %following : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
