// Parts of arrays that are no part of an array the launch knows, each with the
// reason: base, extents and strides have to tell one and the same part. The module
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

// What all others differ from.
// CHECK: [Missed] {{.*}} Function=right | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @right(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %at = arith.muli %x, %s : i32
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

// Another row than the extent tells.
// CHECK: [Missed] {{.*}} Function=other_shift | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @other_shift(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %at = arith.muli %y, %s : i32
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

// The row moves by another stride.
// CHECK: [Missed] {{.*}} Function=other_stride | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @other_stride(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %at = arith.muli %x, %k : i32
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

// The column moves, and the extent of rows tells it.
// CHECK: [Missed] {{.*}} Function=swapped | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @swapped(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %q = tile.addptr %a, %x : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The extent tells one of two moves.
// CHECK: [Missed] {{.*}} Function=twice | Reason="the array gets no tensor map: its base moves in a way that no dimension tells"
tile.func @twice(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %at = arith.muli %x, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %q2 = tile.addptr %q, %at : !p, i32
  %d = tile.make_desc %q2, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Both extents tell a move, the base makes one.
// CHECK: [Missed] {{.*}} Function=once | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @once(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %right = arith.subi %k, %x : i32
  %at = arith.muli %x, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %right], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The extents stay.
// CHECK: [Missed] {{.*}} Function=base_only | Reason="the array gets no tensor map: its base moves in a way that no dimension tells"
tile.func @base_only(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %at = arith.muli %x, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The base stays.
// CHECK: [Missed] {{.*}} Function=extents_only | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @extents_only(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %d = tile.make_desc %a, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A column that no extent tells, besides a row that one does.
// CHECK: [Missed] {{.*}} Function=column_only | Reason="the array gets no tensor map: its base moves in a way that no dimension tells"
tile.func @column_only(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %rest = arith.subi %m, %x : i32
  %at = arith.muli %x, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %q2 = tile.addptr %q, %y : !p, i32
  %d = tile.make_desc %q2, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%t) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A constant, and another one.
// CHECK: [Missed] {{.*}} Function=constant | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @constant(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %nine = arith.constant 9 : i32
  %rest = arith.subi %m, %eight : i32
  %at = arith.muli %nine, %s : i32
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

// A sum is no product of the same two.
// CHECK: [Missed] {{.*}} Function=product | Reason="the array gets no tensor map: its base does not move along with the extents"
tile.func @product(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32, %y: i32) {
  %one = arith.constant 1 : i32
  %xy = arith.addi %x, %y : i32
  %z = arith.muli %x, %y : i32
  %rest = arith.subi %m, %xy : i32
  %at = arith.muli %z, %s : i32
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
