// Stores that copies may do in any order, and those that they may not: no element may
// be stored twice. Each kernel has a map's load, so that it is looked at; no kernel is
// launched, which is the reason where nothing else is.

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

// The last of several results.
// CHECK: [Missed] {{.*}} Function=same | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=same | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @same(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
    tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Rows of tiles, one below the other.
// CHECK: [Missed] {{.*}} Function=rows | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=rows | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @rows(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
  scf.for %i = %zero to %n step %tall : i32 {
    tile.desc_store %e[%i, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Columns of tiles, from the right to the left, in a counter of tiles.
// CHECK: [Missed] {{.*}} Function=columns | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=columns | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @columns(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
  scf.for %i = %one to %n step %n : i32 {
    %at = arith.muli %i, %wide : i32
    %col = arith.subi %k, %at : i32
    tile.desc_store %e[%zero, %col], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Tiles that overlap by half.
// CHECK: [Missed] {{.*}} Function=half | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=half | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @half(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
  scf.for %i = %zero to %n step %wide : i32 {
    tile.desc_store %e[%i, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// A step of 1 or more is less than a tile.
// CHECK: [Missed] {{.*}} Function=unknown_step | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=unknown_step | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @unknown_step(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
  scf.for %i = %zero to %m step %n : i32 {
    tile.desc_store %e[%i, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Rows and columns, by two loops.
// CHECK: [Missed] {{.*}} Function=both | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=both | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @both(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
  scf.for %i = %zero to %n step %tall : i32 {
    scf.for %j = %zero to %n step %wide : i32 {
      tile.desc_store %e[%i, %j], %v : !d, [i32, i32], !t
    }
  }
  tile.return
}

// Inner tiles that begin where outer ones end.
// CHECK: [Missed] {{.*}} Function=diagonal | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=diagonal | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @diagonal(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
  scf.for %i = %zero to %n step %tall : i32 {
    scf.for %j = %zero to %n step %tall : i32 {
      %row = arith.addi %i, %j : i32
      tile.desc_store %e[%row, %zero], %v : !d, [i32, i32], !t
    }
  }
  tile.return
}

// The outer loop stores all of it again.
// CHECK: [Missed] {{.*}} Function=inner | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=inner | Reason="the array gets no tensor map: iterations of a loop may store the same elements, and copies are not ordered"
tile.func @inner(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32) {
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
    scf.for %j = %zero to %n step %tall : i32 {
      tile.desc_store %e[%j, %zero], %v : !d, [i32, i32], !t
    }
  }
  tile.return
}

// Another argument, which may be the same array.
// CHECK: [Missed] {{.*}} Function=another | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=another | Reason="the array gets no tensor map: 'tile.store' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
tile.func @another(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32, %z: !p) {
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
  %h = arith.constant 0.0 : f16
  tile.store %z, %h : !p
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// Which it is not, as either says.
// CHECK: [Missed] {{.*}} Function=alone | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=alone | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @alone(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32, %z: !p {tile.noalias}) {
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
  %h = arith.constant 0.0 : f16
  tile.store %z, %h : !p
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=alone_too | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=alone_too | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @alone_too(%a: !p {tile.divisible_by = 16 : i32}, %c: !p {tile.divisible_by = 16 : i32, tile.noalias}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: i32, %z: !p) {
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
  %h = arith.constant 0.0 : f16
  tile.store %z, %h : !p
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}
