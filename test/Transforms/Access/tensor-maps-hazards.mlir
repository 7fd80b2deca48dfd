// Copies of maps go another way to memory than threads' accesses, and writes of
// theirs are not waited for: where other accesses of the kernel would have to, the
// array gets no map. No kernel here is launched, which is the reason otherwise.

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

// Written after the loads.
// CHECK: [Missed] {{.*}} Function=after | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @after(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.desc_store %d[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// Written before them: as stores of an array that is another one may, whose copies
// then have to follow no other write (tensor-maps-aliases.mlir).
// CHECK: [Missed] {{.*}} Function=before | Reason="the array gets no tensor map: it is also accessed by 'tile.desc_{{load|store}}', which copies do not wait for"
tile.func @before(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  tile.desc_store %d[%zero, %zero], %v : !d, [i32, i32], !t
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=another | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=another | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @another(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32, tile.noalias}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// In a loop around both, the store comes before the next loads, and loads after
// the store.
// CHECK: [Missed] {{.*}} Function=around | Reason="the array gets no tensor map: it is also accessed by 'tile.desc_{{load|store}}', which copies do not wait for"
tile.func @around(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  scf.for %t = %zero to %m step %one : i32 {
    scf.for %i = %zero to %k step %step : i32 {
      %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%x) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    tile.desc_store %d[%zero, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// Two stores, of which the second may overtake the first.
// CHECK: [Missed] {{.*}} Function=stores | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=stores | Reason="the array gets no tensor map: it is also accessed by 'tile.store', which copies do not wait for"
tile.func @stores(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %h = arith.constant 0.0 : f16
  tile.store %c, %h : !p
  tile.return
}

// Two ways, with a store each.
// CHECK: [Missed] {{.*}} Function=ways | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=ways | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @ways(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %b = arith.cmpi slt, %m, %k : i32
  scf.if %b {
    tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  } else {
    tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// A result that is read again; another one that was read before.
// CHECK: [Missed] {{.*}} Function=again | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=again | Reason="the array gets no tensor map: it is also accessed by 'tile.desc_load', which copies do not wait for"
tile.func @again(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %y = tile.desc_load %e[%zero, %zero] : !d, [i32, i32] -> !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=first | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=first | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @first(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  %y = tile.desc_load %e[%zero, %zero] : !d, [i32, i32] -> !t
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// An atomic after the store tells other programs of it, and one before the loads
// of what others have written. Relaxed ones tell nothing.
// CHECK: [Missed] {{.*}} Function=release | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=release | Reason="the array gets no tensor map: it is also accessed by 'tile.atomic_rmw', which copies do not wait for"
tile.func @release(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %n: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %old = tile.atomic_rmw add release gpu %n, %one : !tile.ptr<i32>
  tile.return
}

// CHECK: [Missed] {{.*}} Function=acquire | Reason="the array gets no tensor map: it is also accessed by 'tile.atomic_rmw', which copies do not wait for"
// CHECK: [Missed] {{.*}} Function=acquire | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @acquire(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %n: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  %old = tile.atomic_rmw add acquire gpu %n, %one : !tile.ptr<i32>
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=relaxed | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=relaxed | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @relaxed(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %n: !tile.ptr<i32> {tile.noalias}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %e = tile.make_desc %c, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %v = arith.constant #tile.zero : !t
  %old = tile.atomic_rmw add relaxed gpu %n, %one : !tile.ptr<i32>
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %new = tile.atomic_rmw add relaxed gpu %n, %one : !tile.ptr<i32>
  tile.return
}

// A write through a pointer out of memory may be one to any array.
// CHECK: [Missed] {{.*}} Function=unknown | Reason="the array gets no tensor map: it is also accessed by 'tile.store', which copies do not wait for"
tile.func @unknown(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %pp: !tile.ptr<!p>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %q = tile.load %pp : !tile.ptr<!p>
  %h = arith.constant 0.0 : f16
  tile.store %q, %h : !p
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A pointer of this array, by way of a tensor.
// CHECK: [Missed] {{.*}} Function=tensor | Reason="the array gets no tensor map: it is also accessed by 'tile.store', which copies do not wait for"
tile.func @tensor(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %r = tile.arange : tensor<8xi32>
  %ps = tile.splat %a : !p -> tensor<8x!p>
  %q = tile.addptr %ps, %r : tensor<8x!p>, tensor<8xi32>
  %h = arith.constant #tile.zero : tensor<8xf16>
  tile.store %q, %h : tensor<8x!p>
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
