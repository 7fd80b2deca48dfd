// RUN: tile-opt %s --tile-inline-calls --tile-widen-offsets -o %t.before
// RUN: tile-opt %t.before --tile-raise-accesses -o %t.after
// RUN: diff %t.before %t.after
// RUN: tile-opt %t.before --tile-raise-accesses --remark-format=emitRemark --remarks-filter=tile-raise-accesses \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Passed]'

// Accesses that stay what they are, each with the reason: the module is unchanged.

!t = tensor<16x32xi32>
!m = tensor<16x32xi1>
!p = tensor<16x32x!tile.ptr<f32>>
!v = tensor<16x32xf32>

tile.func private @rows(%start: i32) -> !t {
  %r = tile.arange : tensor<16xi32>
  %c = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %b = tile.broadcast %c : tensor<16x1xi32> -> !t
  %s = tile.splat %start : i32 -> !t
  %x = arith.addi %s, %b : !t
  tile.return %x : !t
}
tile.func private @at(%base: !tile.ptr<f32>, %i: !t, %s: i32) -> !p {
  %r = tile.arange : tensor<32xi32>
  %c = tile.expand_dims %r, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %j = tile.broadcast %c : tensor<1x32xi32> -> !t
  %ss = tile.splat %s : i32 -> !t
  %a = arith.muli %i, %ss : !t
  %o = arith.addi %a, %j : !t
  %bs = tile.splat %base : !tile.ptr<f32> -> !p
  %q = tile.addptr %bs, %o : !p, !t
  tile.return %q : !p
}

// The mask is no interval, or not of the coordinates alone. A loaded or a
// shifted condition excludes elements that may have no memory, so that they must
// not be loaded and then dropped.
// CHECK-COUNT-4: [Missed] load | Category:tile-raise-accesses | Function=masks | Reason="the mask is no conjunction of bounds of coordinates"
// CHECK: [Missed] load | Category:tile-raise-accesses | Function=masks | Reason="the mask depends on data, of 'tile.load' on line {{[0-9]+}}"
// CHECK: [Missed] store | Category:tile-raise-accesses | Function=masks | Reason="the mask depends on data, of 'tile.load' on line {{[0-9]+}}"
tile.func @masks(%x: !tile.ptr<f32>, %y: !tile.ptr<i1>, %m: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %i = tile.call @rows(%zero) : (i32) -> !t
  %q = tile.call @at(%x, %i, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  %ms = tile.splat %m : i32 -> !t
  %lt = arith.cmpi slt, %i, %ms : !t
  %eq = arith.cmpi eq, %i, %ms : !t
  %a = tile.load %q, %eq : !p
  %ne = arith.cmpi ne, %i, %ms : !t
  %b = tile.load %q, %ne : !p
  %ult = arith.cmpi ult, %i, %ms : !t
  %c = tile.load %q, %ult : !p
  %or = arith.ori %lt, %eq : !m
  %d = tile.load %q, %or : !p
  %bit = tile.load %y volatile : !tile.ptr<i1>
  %bits = tile.splat %bit : i1 -> !m
  %both = arith.andi %lt, %bits : !m
  %e = tile.load %q, %both : !p
  %ab = arith.addf %a, %b : !v
  %cd = arith.addf %c, %d : !v
  %abcd = arith.addf %ab, %cd : !v
  %all = arith.addf %abcd, %e : !v
  tile.store %q, %all, %both : !p
  tile.return
}

// Excluded elements become zero, which -inf, -0.0 and %f are not.
// CHECK-COUNT-3: Function=others | Reason="'other' is not known to be zero"
// CHECK: Function=others | Reason="the mask is no conjunction
// CHECK: Function=others | Reason="it is volatile"
// CHECK: Function=others | Reason="its elements are pointers"
tile.func @others(%x: !tile.ptr<f32>, %z: !tile.ptr<!tile.ptr<f32>>, %m: i32, %s: i32, %f: f32) {
  %zero = arith.constant 0 : i32
  %i = tile.call @rows(%zero) : (i32) -> !t
  %q = tile.call @at(%x, %i, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  %ms = tile.splat %m : i32 -> !t
  %lt = arith.cmpi slt, %i, %ms : !t
  %inf = arith.constant #tile.inf<neg> : !v
  %negative = arith.constant dense<-0.0> : !v
  %fs = tile.splat %f : f32 -> !v
  %a = tile.load %q, %lt, %inf : !p
  %b = tile.load %q, %lt, %negative : !p
  %c = tile.load %q, %lt, %fs : !p
  %ab = arith.addf %a, %b : !v
  %abc = arith.addf %ab, %c : !v
  %eq = arith.cmpi eq, %i, %ms : !t
  tile.store %q, %abc, %eq : !p
  %d = tile.load %q, %lt volatile : !p
  %zs = tile.splat %z : !tile.ptr<!tile.ptr<f32>> -> tensor<4x!tile.ptr<!tile.ptr<f32>>>
  %e = tile.load %zs volatile : tensor<4x!tile.ptr<!tile.ptr<f32>>>
  tile.return
}

// Pointers: a remainder wraps around; a choice for each element; rows that are
// gathered; one that the loop moves under a condition.
// CHECK-COUNT-4: Function=pointers | Reason="the pointers are no affine function of the coordinates"
tile.func @pointers(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<i32>, %m: i32, %s: i32, %o: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = tile.call @rows(%zero) : (i32) -> !t
  %ms = tile.splat %m : i32 -> !t
  %wrapped = arith.remsi %i, %ms : !t
  %a = tile.call @at(%x, %wrapped, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  %q = tile.call @at(%x, %i, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  %r = tile.call @at(%y, %i, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  %lt = arith.cmpi slt, %i, %ms : !t
  %b = arith.select %lt, %q, %r : !m, !p
  %f = arith.constant dense<0.0> : !v
  tile.store %a, %f, %lt : !p
  tile.store %b, %f, %lt : !p
  %rows = tile.load %z volatile : !tile.ptr<i32>
  %index = tile.splat %rows : i32 -> !t
  %squares = arith.muli %i, %i : !t
  %c = tile.call @at(%x, %squares, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  tile.store %c, %f : !p
  %steps = tile.splat %s : i32 -> !t
  %l = scf.for %n = %zero to %m step %one iter_args(%p = %q) -> (!p) : i32 {
    tile.store %p, %f : !p
    %moved = tile.addptr %p, %steps : !p, !t
    %next = arith.select %o, %moved, %p : !p
    scf.yield %next : !p
  }
  tile.return
}

// 16 rows from an unknown start on may pass 2^31 - 1: the mask would then let the
// first and the last ones through.
// CHECK: Function=wraps | Reason="the mask's coordinate of dim 0 may wrap inside the tile: its start is no multiple of the tile's size"
// CHECK: Function=wraps | Reason="the mask's coordinate of dim 0 may wrap inside the tile: its start is no multiple of the tile's size"
tile.func @wraps(%x: !tile.ptr<f32>, %m: i32, %s: i32, %start: i32, %half: i32 {tile.divisible_by = 8 : i32}) {
  %i = tile.call @rows(%start) : (i32) -> !t
  %q = tile.call @at(%x, %i, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  %ms = tile.splat %m : i32 -> !t
  %lt = arith.cmpi slt, %i, %ms : !t
  %f = arith.constant dense<0.0> : !v
  tile.store %q, %f, %lt : !p
  %h = tile.call @rows(%half) : (i32) -> !t
  %hlt = arith.cmpi slt, %h, %ms : !t
  tile.store %q, %f, %hlt : !p
  tile.return
}

// What is left of 64-bit coordinates may not fit into 64 bits.
// CHECK: Function=wide | Reason="the mask's 64-bit coordinate of dim 0 may be negative"
tile.func @wide(%x: !tile.ptr<f32>, %m: i64, %start: i64 {tile.divisible_by = 16 : i32}, %s: i32) {
  %zero = arith.constant 0 : i32
  %i = tile.call @rows(%zero) : (i32) -> !t
  %q = tile.call @at(%x, %i, %s) : (!tile.ptr<f32>, !t, i32) -> !p
  %iw = arith.extsi %i : !t to tensor<16x32xi64>
  %starts = tile.splat %start : i64 -> tensor<16x32xi64>
  %at = arith.addi %starts, %iw : tensor<16x32xi64>
  %ms = tile.splat %m : i64 -> tensor<16x32xi64>
  %lt = arith.cmpi slt, %at, %ms : tensor<16x32xi64>
  %f = arith.constant dense<0.0> : !v
  tile.store %q, %f, %lt : !p
  tile.return
}

// A row gains nothing.
// CHECK: Function=row | Reason="the elements lie in a row, for which pointers are as cheap"
tile.func @row(%x: !tile.ptr<f32>, %n: i32) {
  %r = tile.arange : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %lt = arith.cmpi slt, %r, %ns : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %q = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %f = arith.constant dense<0.0> : tensor<128xf32>
  tile.store %q, %f, %lt : tensor<128x!tile.ptr<f32>>
  tile.return
}

// CHECK: Function=rank6 | Reason="it has 6 dimensions, at most 5 are raised"
tile.func @rank6(%x: !tile.ptr<f32>) {
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1x2x2x2x2x2x!tile.ptr<f32>>
  %f = arith.constant dense<0.0> : tensor<1x2x2x2x2x2xf32>
  tile.store %xs, %f : tensor<1x2x2x2x2x2x!tile.ptr<f32>>
  tile.return
}
