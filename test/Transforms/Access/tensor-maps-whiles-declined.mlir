// Loops whose condition does not say that a row is not negative: almost those of
// tensor-maps-whiles.mlir.

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

// Below a limit as a signed number, and not equal to it: so is -1.
// CHECK: [Missed] {{.*}} Function=signed | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @signed(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %more = arith.cmpi slt, %b0, %m : i32
    scf.condition(%more) %b0 : i32
  } do {
  ^body(%row: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counter, %one : !tile.ptr<i32>
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    scf.yield %taken : i32
  }
  tile.return
}

// CHECK: [Missed] {{.*}} Function=unequal | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @unequal(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %more = arith.cmpi ne, %b0, %m : i32
    scf.condition(%more) %b0 : i32
  } do {
  ^body(%row: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counter, %one : !tile.ptr<i32>
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    scf.yield %taken : i32
  }
  tile.return
}

// Above it.
// CHECK: [Missed] {{.*}} Function=over | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @over(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %more = arith.cmpi uge, %b0, %m : i32
    scf.condition(%more) %b0 : i32
  } do {
  ^body(%row: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counter, %one : !tile.ptr<i32>
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    scf.yield %taken : i32
  }
  tile.return
}

// Another number is compared than is handed on.
// CHECK: [Missed] {{.*}} Function=other | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @other(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end:2 = scf.while (%b0 = %id, %b1 = %id) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ult, %b1, %m : i32
    scf.condition(%more) %b0, %b1 : i32, i32
  } do {
  ^body(%row: i32, %t1: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counter, %one : !tile.ptr<i32>
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    scf.yield %taken, %taken : i32, i32
  }
  tile.return
}

// The limit may be negative, and then, without a sign, large.
// CHECK: [Missed] {{.*}} Function=limit | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @limit(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %low = arith.subi %id, %m : i32
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %more = arith.cmpi ult, %b0, %low : i32
    scf.condition(%more) %b0 : i32
  } do {
  ^body(%row: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counter, %one : !tile.ptr<i32>
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    scf.yield %taken : i32
  }
  tile.return
}

// It begins below 0, or comes to be.
// CHECK: [Missed] {{.*}} Function=start | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @start(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %low = arith.subi %id, %m : i32
  %end:2 = scf.while (%b0 = %low, %b1 = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %b1, %m : i32
    scf.condition(%more) %b0, %b1 : i32, i32
  } do {
  ^body(%row: i32, %t1: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counter, %one : !tile.ptr<i32>
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    %next = arith.addi %row, %step : i32
    scf.yield %next, %taken : i32, i32
  }
  tile.return
}

// CHECK: [Missed] {{.*}} Function=down | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @down(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end:2 = scf.while (%b0 = %id, %b1 = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %b1, %m : i32
    scf.condition(%more) %b0, %b1 : i32, i32
  } do {
  ^body(%row: i32, %t1: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counter, %one : !tile.ptr<i32>
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    %next = arith.subi %row, %step : i32
    scf.yield %next, %taken : i32, i32
  }
  tile.return
}
