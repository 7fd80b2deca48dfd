// Parts of which it cannot be told that they begin within the array: almost those of
// tensor-maps-signs.mlir. A map has no elements before it, where threads would read.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not=Passed

!p = !tile.ptr<f16>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16>

// A product of the tile.
tile.func private @use(%x: !t) {
  %y = arith.constant #tile.zero : tensor<32x16xf16>
  %z = arith.constant #tile.zero : tensor<64x16xf32>
  %r = tile.dot %x, %y, %z : !t, tensor<32x16xf16> -> tensor<64x16xf32>
  tile.return
}

// A divisor below 0, a dividend that may be.
// CHECK: [Missed] {{.*}} Function=divisor | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @divisor(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %minus = arith.constant -4 : i32
  %row = arith.divsi %id, %minus : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=dividend | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @dividend(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %u = arith.subi %id, %x : i32
  %row = arith.divsi %u, %step : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=rest | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @rest(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %u = arith.subi %id, %x : i32
  %row = arith.remsi %u, %step : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Constants below 0.
// CHECK: [Missed] {{.*}} Function=clamped | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @clamped(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %minus = arith.constant -1 : i32
  %u = arith.subi %id, %x : i32
  %row = arith.maxsi %u, %minus : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=masked | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @masked(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %even = arith.constant -2 : i32
  %u = arith.subi %id, %x : i32
  %row = arith.andi %u, %even : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// One of two may be.
// CHECK: [Missed] {{.*}} Function=smaller | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @smaller(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %u = arith.subi %id, %x : i32
  %row = arith.minsi %u, %id : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Less has been added than is subtracted.
// CHECK: [Missed] {{.*}} Function=cancelled | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @cancelled(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %u = arith.subi %id, %x : i32
  %row = arith.subi %u, %x : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The branch of the other case, and conditions of other values, or without a sign.
// CHECK: [Missed] {{.*}} Function=other_branch | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @other_branch(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi slt, %id, %x : i32
  %u = arith.subi %id, %x : i32
  %row = arith.select %c, %u, %id : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=other_values | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @other_values(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi sge, %id, %y : i32
  %u = arith.subi %id, %x : i32
  %row = arith.select %c, %u, %id : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=swapped | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @swapped(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi sge, %x, %id : i32
  %u = arith.subi %id, %x : i32
  %row = arith.select %c, %u, %id : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=less | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @less(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi sge, %id, %x : i32
  %u = arith.subi %id, %x : i32
  %v = arith.subi %u, %one : i32
  %row = arith.select %c, %v, %id : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=unsigned | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @unsigned(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi uge, %id, %x : i32
  %u = arith.subi %id, %x : i32
  %row = arith.select %c, %u, %id : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=equal | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @equal(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi eq, %id, %x : i32
  %u = arith.subi %x, %one : i32
  %row = arith.select %c, %u, %id : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%tile) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
