// Guards demand of an argument that it is 0 or more only where a proof needs that: what
// was assumed on a way that led nowhere is not.

// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps | FileCheck %s --enable-var-scope --implicit-check-not='cmp ge %x'

!p = !tile.ptr<f16>
!i = !tile.ptr<i32>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16>

// Rows are ids. That `%x + %u` is not negative, in a branch where it is, cannot be told:
// `%u` has any sign.
// CHECK-LABEL: tile.launch @ways_entry
// CHECK: %[[ALIGNED:.*]] = tile.plan.aligned %a, 16
// CHECK-NEXT: %[[M:.*]] = tile.plan.cmp ge %m, 0 : i32
// CHECK-NEXT: %[[K:.*]] = tile.plan.cmp ge %k, 0 : i32
// CHECK-NEXT: %[[SK:.*]] = tile.plan.cmp ge %s, %k : i32, i32
// CHECK-NEXT: %[[S:.*]] = tile.plan.cmp gt %s, 0 : i32
// CHECK-NEXT: tile.plan.all %[[ALIGNED]], %[[M]], %[[K]], %[[SK]], %[[S]]
// CHECK-NEXT: tile.plan.variant
tile.func @ways$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %x: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %y = arith.constant #tile.zero : tensor<32x16xf16>
  %z = arith.constant #tile.zero : tensor<64x16xf32>
  %first = tile.program_id x
  %second = tile.program_id y
  %u = arith.xori %first, %x : i32
  %sum = arith.addi %x, %u : i32
  %c = arith.cmpi slt, %sum, %zero : i32
  %row = arith.select %c, %first, %second : i32
  %rest = arith.subi %m, %row : i32
  %at = arith.muli %row, %s : i32
  %q = tile.addptr %a, %at : !p, i32
  %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %t = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    %r = tile.dot %t, %y, %z : !t, tensor<32x16xf16> -> tensor<64x16xf32>
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @ways(%a: !p, %m: i32, %k: i32, %s: i32, %x: i32) {
  tile.return
}
tile.launch @ways_entry(%a: !p, %m: i32, %k: i32, %s: i32, %x: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @ways$fast grid(%m : i32) args(%a, %m, %k, %s, %x) : !p, i32, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @ways grid(%m : i32) args(%a, %m, %k, %s, %x) : !p, i32, i32, i32, i32
  }
}
