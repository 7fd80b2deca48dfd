// Forms of one kernel, of which a guard may choose any: each, not only the first and the
// last, is passed the same and has the same grid. Memory that they get is like the
// other's, one piece for one.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not=Passed

!p = !tile.ptr<f16>
!i = !tile.ptr<i32>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16>

// Products of the tiles of a row.
tile.func private @products(%a: !p, %m: i32, %k: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %y = arith.constant #tile.zero : tensor<32x16xf16>
  %z = arith.constant #tile.zero : tensor<64x16xf32>
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    %r = tile.dot %t, %y, %z : !t, tensor<32x16xf16> -> tensor<64x16xf32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Three that are alike.
// CHECK: [Passed] {{.*}} Function=alike$fast |
tile.func @alike$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @alike$fast_m(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.func @alike(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @alike_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  %h = tile.plan.divisible %m, 8 : i32
  tile.plan.variant %g {
    tile.plan.dispatch @alike$fast grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant %h {
    tile.plan.dispatch @alike$fast_m grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant else {
    tile.plan.dispatch @alike grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
}

// Others in the middle: another argument, fewer of them, a grid of other programs.
// CHECK: [Missed] {{.*}} Function=other$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @other$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @other$fast_m(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.func @other(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @other_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  %h = tile.plan.divisible %m, 8 : i32
  tile.plan.variant %g {
    tile.plan.dispatch @other$fast grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant %h {
    tile.plan.dispatch @other$fast_m grid(%m : i32) args(%a, %m, %k, %s, %c, %b) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant else {
    tile.plan.dispatch @other grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
}

// CHECK: [Missed] {{.*}} Function=fewer$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @fewer$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @fewer$fast_m(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i) {
  tile.return
}
tile.func @fewer(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @fewer_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  %h = tile.plan.divisible %m, 8 : i32
  tile.plan.variant %g {
    tile.plan.dispatch @fewer$fast grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant %h {
    tile.plan.dispatch @fewer$fast_m grid(%m : i32) args(%a, %m, %k, %s, %b) : !p, i32, i32, i32, !i
  }
  tile.plan.variant else {
    tile.plan.dispatch @fewer grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
}

// CHECK: [Missed] {{.*}} Function=grid$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @grid$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @grid$fast_m(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.func @grid(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @grid_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  %h = tile.plan.divisible %m, 8 : i32
  tile.plan.variant %g {
    tile.plan.dispatch @grid$fast grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant %h {
    tile.plan.dispatch @grid$fast_m grid(%m : i32, %k : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant else {
    tile.plan.dispatch @grid grid(%m : i32) args(%a, %m, %k, %s, %b, %c) : !p, i32, i32, i32, !i, !i
  }
}

// Two pieces of memory each, in any order.
// CHECK: [Passed] {{.*}} Function=pieces$fast |
tile.func @pieces$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @pieces(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @pieces_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    %w = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @pieces$fast grid(%m : i32) args(%a, %m, %k, %s, %v, %w) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant else {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    %w = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @pieces grid(%m : i32) args(%a, %m, %k, %s, %v, %w) : !p, i32, i32, i32, !i, !i
  }
}

// CHECK: [Passed] {{.*}} Function=swapped$fast |
tile.func @swapped$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @swapped(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @swapped_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    %w = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @swapped$fast grid(%m : i32) args(%a, %m, %k, %s, %v, %w) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant else {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    %w = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @swapped grid(%m : i32) args(%a, %m, %k, %s, %w, %v) : !p, i32, i32, i32, !i, !i
  }
}

// Two pieces, and one piece twice.
// CHECK: [Missed] {{.*}} Function=once$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @once$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @once(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @once_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    %w = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @once$fast grid(%m : i32) args(%a, %m, %k, %s, %v, %w) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant else {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @once grid(%m : i32) args(%a, %m, %k, %s, %v, %v) : !p, i32, i32, i32, !i, !i
  }
}

// CHECK: [Missed] {{.*}} Function=twice$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @twice$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.call @products(%a, %m, %k, %s) : (!p, i32, i32, i32) -> ()
  tile.return
}
tile.func @twice(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %b: !i, %c: !i) {
  tile.return
}
tile.launch @twice_entry(%a: !p, %m: i32, %k: i32, %s: i32, %b: !i, %c: !i) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @twice$fast grid(%m : i32) args(%a, %m, %k, %s, %v, %v) : !p, i32, i32, i32, !i, !i
  }
  tile.plan.variant else {
    %n = tile.plan.constant 4
    %v = tile.plan.scratch %n zero : i64 -> !i
    %w = tile.plan.scratch %n zero : i64 -> !i
    tile.plan.dispatch @twice grid(%m : i32) args(%a, %m, %k, %s, %v, %w) : !p, i32, i32, i32, !i, !i
  }
}
