// Programs that take the next tile from a counter: what an atomic answers may be
// anything, but the loop goes on only below a limit, as an unsigned number, and the
// guard would ask for the limit's sign. No kernel here is launched, which is the reason
// for the arrays that get no map otherwise.

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

// Below %m, the other way round, and no more than it.
// CHECK: [Missed] {{.*}} Function=below | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @below(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32> {tile.noalias}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %more = arith.cmpi ult, %b0, %m : i32
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

// CHECK: [Missed] {{.*}} Function=above | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @above(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32> {tile.noalias}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %more = arith.cmpi ugt, %m, %b0 : i32
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

// CHECK: [Missed] {{.*}} Function=no_more | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @no_more(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32> {tile.noalias}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %more = arith.cmpi ule, %b0, %m : i32
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

// The condition says nothing of the row, which counts up from a program's number.
// CHECK: [Missed] {{.*}} Function=counted | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @counted(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32> {tile.noalias}) {
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
    %next = arith.addi %row, %step : i32
    scf.yield %next, %taken : i32, i32
  }
  tile.return
}

// What is handed on need not be what was carried: half of it.
// CHECK: [Missed] {{.*}} Function=halved | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @halved(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %counter: !tile.ptr<i32> {tile.noalias}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %end = scf.while (%b0 = %id) : (i32) -> i32 {
    %two = arith.constant 2 : i32
    %half = arith.divsi %b0, %two : i32
    %more = arith.cmpi ult, %half, %m : i32
    scf.condition(%more) %half : i32
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
