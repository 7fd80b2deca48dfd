// Tiles by number: quotient and remainder of one division are another pair for each
// number, so that no element is stored twice. Loops whose iterations are programs, and
// loops that do not count. The other kernels are in tensor-maps-order.mlir.

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

// Quotient and remainder of a tile's number, in tiles.
// CHECK: [Missed] {{.*}} Function=quotient | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=quotient | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @quotient(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %five = arith.constant 5 : i32
  scf.for %i = %m to %n step %n : i32 {
    %q = arith.divsi %i, %n : i32
    %r = arith.remsi %i, %n : i32
    %row = arith.muli %q, %tall : i32
    %col = arith.shli %r, %five : i32
    tile.desc_store %e[%row, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Rows of half a tile.
// CHECK: [Missed] {{.*}} Function=narrow | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=narrow | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @narrow(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %five = arith.constant 5 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %q = arith.divsi %i, %n : i32
    %r = arith.remsi %i, %n : i32
    %row = arith.muli %q, %wide : i32
    %col = arith.shli %r, %five : i32
    tile.desc_store %e[%row, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// i 2^16 is one number in 32 bits for i and i + 2^16.
// CHECK: [Missed] {{.*}} Function=scaled | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=scaled | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @scaled(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %five = arith.constant 5 : i32
  %factor = arith.constant 65536 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %t = arith.muli %i, %factor : i32
    %q = arith.divsi %t, %n : i32
    %r = arith.remsi %t, %n : i32
    %row = arith.muli %q, %tall : i32
    %col = arith.shli %r, %five : i32
    tile.desc_store %e[%row, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Odd multiples are another number for each i.
// CHECK: [Missed] {{.*}} Function=scaled_odd | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=scaled_odd | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @scaled_odd(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %five = arith.constant 5 : i32
  %factor = arith.constant -3 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %t = arith.muli %i, %factor : i32
    %q = arith.divsi %t, %n : i32
    %r = arith.remsi %t, %n : i32
    %row = arith.muli %q, %tall : i32
    %col = arith.shli %r, %five : i32
    tile.desc_store %e[%row, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// By two numbers.
// CHECK: [Missed] {{.*}} Function=other_divisor | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=other_divisor | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @other_divisor(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %five = arith.constant 5 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %q = arith.divsi %i, %n : i32
    %r = arith.remsi %i, %m : i32
    %row = arith.muli %q, %tall : i32
    %col = arith.shli %r, %five : i32
    tile.desc_store %e[%row, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// One division with a sign, and one without.
// CHECK: [Missed] {{.*}} Function=other_division | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=other_division | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @other_division(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %five = arith.constant 5 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %q = arith.divsi %i, %n : i32
    %r = arith.remui %i, %n : i32
    %row = arith.muli %q, %tall : i32
    %col = arith.shli %r, %five : i32
    tile.desc_store %e[%row, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Remainders come again.
// CHECK: [Missed] {{.*}} Function=remainder | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=remainder | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @remainder(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %five = arith.constant 5 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %q = arith.remsi %i, %n : i32
    %r = arith.remsi %i, %n : i32
    %row = arith.muli %q, %tall : i32
    %col = arith.shli %r, %five : i32
    tile.desc_store %e[%row, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Iterations that are what programs are.
// CHECK: [Missed] {{.*}} Function=tiles | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=tiles | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @tiles(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    %q = arith.remui %i, %n : i32
    %row = arith.muli %q, %tall : i32
    tile.desc_store %e[%row, %zero], %v : !d, [i32, i32], !t
  } {tile.tile_loop = #tile.tile_loop<ordered>}
  tile.return
}

// A loop that does not count.
// CHECK: [Missed] {{.*}} Function=while_loop | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=while_loop | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @while_loop(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %wide = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %v = arith.constant #tile.zero : !t
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %wide : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    tile.desc_store %e[%i, %zero], %v : !d, [i32, i32], !t
    %next = arith.addi %i, %tall : i32
    scf.yield %next : i32
  }
  tile.return
}
