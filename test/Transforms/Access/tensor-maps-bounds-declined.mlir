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
// At most 3 is subtracted from 2; an id has no bound.
// CHECK: [Missed] {{.*}} Function=bounded | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @bounded(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %two = arith.constant 2 : i32
  %c = arith.cmpi slt, %id, %x : i32
  %u = arith.extui %c : i1 to i32
  %v = arith.muli %u, %two : i32
  %w = arith.addi %u, %v : i32
  %row = arith.subi %two, %w : i32
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

// CHECK: [Missed] {{.*}} Function=unbounded | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @unbounded(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %large = arith.constant 1000 : i32
  %row = arith.subi %large, %id : i32
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

// CHECK: [Missed] {{.*}} Function=alive | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @alive(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %minus = arith.constant -1 : i32
  %u = arith.subi %id, %x : i32
  %c = arith.cmpi slt, %u, %zero : i32
  %row = arith.select %c, %minus, %one : i32
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

// A counter without a sign may be one beyond 2^31 where its limit may be.
// CHECK: [Missed] {{.*}} Function=counter | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @counter(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %limit = arith.subi %x, %y : i32
  scf.for unsigned %row = %id to %limit step %one : i32 {
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
  }
  tile.return
}

// One less each time.
// CHECK: [Missed] {{.*}} Function=carried | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @carried(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %last = scf.for %t = %zero to %m step %one iter_args(%row = %id) -> (i32) : i32 {
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    %next = arith.subi %row, %one : i32
    scf.yield %next : i32
  }
  tile.return
}

// Begun below 0.
// CHECK: [Missed] {{.*}} Function=begun | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @begun(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %minus = arith.constant -32 : i32
  %last = scf.for %t = %zero to %m step %one iter_args(%row = %minus) -> (i32) : i32 {
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    %next = arith.addi %row, %one : i32
    scf.yield %next : i32
  }
  tile.return
}

// A bound of 2^64, which 64 bits do not hold.
// CHECK: [Missed] {{.*}} Function=beyond | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @beyond(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %two = arith.constant 2 : i32
  %c = arith.cmpi slt, %id, %x : i32
  %u = arith.extui %c : i1 to i32
  %large = arith.constant 1073741824 : i32
  %sixteen = arith.constant 16 : i32
  %v = arith.muli %u, %large : i32
  %v2 = arith.muli %v, %large : i32
  %w = arith.muli %v2, %sixteen : i32
  %row = arith.subi %two, %w : i32
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
