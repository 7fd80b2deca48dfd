// Parts of arrays of which 32 bits do not tell the beginning, or that may begin
// before the array, where a map has no elements, each with the reason. The module
// stays as it is.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a -o %t.before
// RUN: tile-opt %t.before --tile-tensor-maps -o %t.after
// RUN: diff %t.before %t.after
// RUN: tile-opt %t.before --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Passed]' --implicit-check-not=Missed

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

// The extent is what is left of the row.
// CHECK: [Missed] {{.*}} Function=from_end | Reason="the array gets no tensor map: an extent or a stride is not one of the kernel's arguments"
tile.func @from_end(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %n = tile.program_id x
  %rest = arith.subi %n, %m : i32
  %at = arith.muli %m, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A row of 64 bits, and no coordinate of 32.
// CHECK: [Missed] {{.*}} Function=wide | Reason="the array gets no tensor map: a coordinate has more than 32 bits"
tile.func @wide(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %w: i64) {
  %one = arith.constant 1 : i32
  %m64 = arith.extsi %m : i32 to i64
  %rest = arith.subi %m64, %w : i64
  %s64 = arith.extsi %s : i32 to i64
  %at = arith.muli %w, %s64 : i64
  %q = tile.addptr %a, %at : !p, i64
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i64, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Products of 8 bits wrap inside of arrays.
// CHECK: [Missed] {{.*}} Function=narrow | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @narrow(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %b: i8) {
  %one = arith.constant 1 : i32
  %p8 = arith.muli %b, %b : i8
  %x = arith.extsi %p8 : i8 to i32
  %one_more = arith.addi %x, %one : i32
  %rest = arith.subi %m, %one_more : i32
  %b32 = arith.extsi %b : i8 to i32
  %p32 = arith.muli %b32, %b32 : i32
  %row = arith.addi %p32, %one : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The first program has a row before the first: a map has no such one.
// CHECK: [Missed] {{.*}} Function=halo | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @halo(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %id = tile.program_id x
  %tall = arith.constant 64 : i32
  %first = arith.muli %id, %tall : i32
  %row = arith.subi %first, %one : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A constant below 0, in a sum.
// CHECK: [Missed] {{.*}} Function=below | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @below(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %id = tile.program_id x
  %c = arith.constant -8 : i32
  %row = arith.addi %id, %c : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A row out of memory.
// CHECK: [Missed] {{.*}} Function=loaded | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @loaded(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %rows: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %row = tile.load %rows : !tile.ptr<i32>
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A loop from below 0.
// CHECK: [Missed] {{.*}} Function=from_below | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @from_below(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %low = arith.constant -32 : i32
  scf.for %i = %low to %k step %step : i32 {
    %rest = arith.subi %k, %i : i32
    %q = tile.addptr %a, %i : !p, i32
    %d = tile.make_desc %q, [%m, %rest], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    %t = tile.desc_load %d[%zero, %zero] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// One that carries a row downwards.
// CHECK: [Missed] {{.*}} Function=downwards | Reason="the array gets no tensor map: its part may begin before the array"
tile.func @downwards(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %r = scf.for %i = %zero to %k step %step iter_args(%at = %x) -> (i32) : i32 {
    %rest = arith.subi %k, %at : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%m, %rest], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    %t = tile.desc_load %d[%zero, %zero] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
    %next = arith.subi %at, %step : i32
    scf.yield %next : i32
  } {tile.num_stages = 3 : i32}
  tile.return
}
