// Parts that begin within the array for all that can be told: rows are made of
// program ids, arguments of 0 or more, and differences that are no less than 0. No
// kernel here is launched, which is the reason for none of them otherwise.

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

// Divisors count something.
// CHECK: [Missed] {{.*}} Function=quotients | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @quotients(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %u = arith.ceildivsi %x, %step : i32
  %v = arith.divsi %id, %u : i32
  %w = arith.remsi %id, %u : i32
  %n = arith.minsi %v, %w : i32
  %row = arith.shli %n, %one : i32
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

// Whatever is not less than a constant.
// CHECK: [Missed] {{.*}} Function=clamped | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @clamped(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %u = arith.subi %id, %x : i32
  %row = arith.maxsi %u, %zero : i32
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

// CHECK: [Missed] {{.*}} Function=masked | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @masked(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %seven = arith.constant 7 : i32
  %u = arith.subi %id, %x : i32
  %row = arith.andi %u, %seven : i32
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

// What is subtracted has been added.
// CHECK: [Missed] {{.*}} Function=cancelled | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @cancelled(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %u = arith.subi %x, %id : i32
  %row = arith.subi %x, %u : i32
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

// A difference where a condition says that it is one.
// CHECK: [Missed] {{.*}} Function=under_slt | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @under_slt(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi slt, %id, %x : i32
  %u = arith.subi %id, %x : i32
  %row = arith.select %c, %id, %u : i32
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

// CHECK: [Missed] {{.*}} Function=under_sge | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @under_sge(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi sge, %id, %x : i32
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

// CHECK: [Missed] {{.*}} Function=under_sgt | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @under_sgt(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi sgt, %id, %x : i32
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

// CHECK: [Missed] {{.*}} Function=under_sle | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @under_sle(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %c = arith.cmpi sle, %id, %x : i32
  %u = arith.subi %id, %x : i32
  %row = arith.select %c, %id, %u : i32
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

// At most 3 is subtracted from 3.
// CHECK: [Missed] {{.*}} Function=bounded | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @bounded(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %three = arith.constant 3 : i32
  %two = arith.constant 2 : i32
  %c = arith.cmpi slt, %id, %x : i32
  %u = arith.extui %c : i1 to i32
  %v = arith.muli %u, %two : i32
  %w = arith.addi %u, %v : i32
  %row = arith.subi %three, %w : i32
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

// A branch that is taken for less than 0 only.
// CHECK: [Missed] {{.*}} Function=dead | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @dead(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %minus = arith.constant -1 : i32
  %c = arith.cmpi slt, %x, %zero : i32
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

// What persistent programs carry: the column of the next tile, or, where there is none,
// the one in the next row.
// CHECK: [Missed] {{.*}} Function=carried | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @carried(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  %r = arith.remsi %x, %y : i32
  %w = arith.subi %y, %r : i32
  %last = scf.for unsigned %t = %id to %m step %one iter_args(%row = %r) -> (i32) : i32 {
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %tile = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%tile) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    %next = arith.subi %row, %w : i32
    %back = arith.addi %next, %y : i32
    %fits = arith.cmpi sge, %next, %zero : i32
    %then = arith.select %fits, %next, %back : i32
    scf.yield %then : i32
  }
  tile.return
}

// A persistent program's tile: below a limit that the guard will ask for a sign of.
// CHECK: [Missed] {{.*}} Function=counter | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @counter(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
  scf.for unsigned %row = %id to %m step %one : i32 {
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
