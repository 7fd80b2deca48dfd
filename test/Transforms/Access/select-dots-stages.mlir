// A loop whose author asks for stages is told that it is not pipelined, at the
// loop; other loops are not mentioned. The attribute stays.

// RUN: tile-opt %s --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: tile.func @stages
// CHECK: } {tile.num_stages = 4 : i32}
// REMARK-NOT: remark:
// REMARK: [[@LINE+4]]:3: remark: [Missed] num-stages | Category:tile-gpu-select | Function=stages | Reason="tile.num_stages has no effect yet: loads of this loop are not pipelined", Stages=4{{$}}
tile.func @stages(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
  } {tile.num_stages = 4 : i32}
  tile.return
}

// Unchanged: nothing asked for.
// CHECK-LABEL: tile.func @unchanged
// CHECK: scf.for
// CHECK-NOT: num_stages
// REMARK-NOT: remark:
tile.func @unchanged(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
  }
  tile.return
}

// Inner loops have their own.
// CHECK-LABEL: tile.func @nested
// REMARK: [[@LINE+6]]:5: remark: [Missed] num-stages {{.*}} Function=nested | {{.*}}, Stages=2{{$}}
// REMARK: [[@LINE+4]]:3: remark: [Missed] num-stages {{.*}} Function=nested | {{.*}}, Stages=3{{$}}
tile.func @nested(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.for %j = %zero to %n step %one : i32 {
    } {tile.num_stages = 2 : i32}
  } {tile.num_stages = 3 : i32}
  tile.return
}
