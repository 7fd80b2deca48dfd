// Two arguments may be passed one array, unless one of them says otherwise: copies
// wait for no access through the other one. No kernel here is launched, which is the
// reason otherwise. The first remark of each is that for `%a`, whose tiles are loaded.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not=Passed

!p = !tile.ptr<f16>
!i = !tile.ptr<i32>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16>

// Products of the tiles of a row, and nothing else.
tile.func private @products(%a: !p, %m: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %step = arith.constant 32 : i32
  %y = arith.constant #tile.zero : tensor<32x16xf16>
  %z = arith.constant #tile.zero : tensor<64x16xf32>
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    %r = tile.dot %x, %y, %z : !t, tensor<32x16xf16> -> tensor<64x16xf32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A thread's store, and then copies.
// CHECK: [Missed] {{.*}} Function=stored | Reason="the array gets no tensor map: 'tile.store' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
tile.func @stored(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %q: !p) {
  %h = arith.constant 0.0 : f16
  tile.store %q, %h : !p
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  tile.return
}

// To another array, as either says.
// CHECK: [Missed] {{.*}} Function=stored_apart | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @stored_apart(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %q: !p {tile.noalias}) {
  %h = arith.constant 0.0 : f16
  tile.store %q, %h : !p
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  tile.return
}

// CHECK: [Missed] {{.*}} Function=apart | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @apart(%a: !p {tile.divisible_by = 16 : i32, tile.noalias}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %q: !p) {
  %h = arith.constant 0.0 : f16
  tile.store %q, %h : !p
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  tile.return
}

// CHECK: [Missed] {{.*}} Function=read_only | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @read_only(%a: !p {tile.divisible_by = 16 : i32, tile.readonly}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %q: !p) {
  %h = arith.constant 0.0 : f16
  tile.store %q, %h : !p
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  tile.return
}

// In the other order, nothing waits for anything.
// CHECK: [Missed] {{.*}} Function=stored_after | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @stored_after(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %q: !p) {
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  %h = arith.constant 0.0 : f16
  tile.store %q, %h : !p
  tile.return
}

// An atomic writes, too, whatever it orders.
// CHECK: [Missed] {{.*}} Function=counted | Reason="the array gets no tensor map: 'tile.atomic_rmw' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
tile.func @counted(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: !i) {
  %one = arith.constant 1 : i32
  %old = tile.atomic_rmw add relaxed gpu %n, %one : !i
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  tile.return
}

// CHECK: [Missed] {{.*}} Function=counted_apart | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @counted_apart(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %n: !i {tile.noalias}) {
  %one = arith.constant 1 : i32
  %old = tile.atomic_rmw add relaxed gpu %n, %one : !i
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  tile.return
}

// A copy's store, and then a thread's load, or an atomic.
// CHECK: [Missed] {{.*}} Function=loaded | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=loaded | Reason="the array gets no tensor map: 'tile.load' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
tile.func @loaded(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %q: !p) {
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %g = tile.load %q : !p
  tile.return
}

// CHECK: [Missed] {{.*}} Function=loaded_apart | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=loaded_apart | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @loaded_apart(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %q: !p {tile.noalias}) {
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %g = tile.load %q : !p
  tile.return
}

// CHECK: [Missed] {{.*}} Function=loaded_read_only | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=loaded_read_only | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @loaded_read_only(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %q: !p {tile.readonly}) {
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %g = tile.load %q : !p
  tile.return
}

// CHECK: [Missed] {{.*}} Function=loaded_before | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=loaded_before | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @loaded_before(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %q: !p) {
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  %g = tile.load %q : !p
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=updated | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=updated | Reason="the array gets no tensor map: 'tile.atomic_rmw' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
tile.func @updated(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}, %n: !i) {
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %old = tile.atomic_rmw add relaxed gpu %n, %one : !i
  tile.return
}

// CHECK: [Missed] {{.*}} Function=updated_apart | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=updated_apart | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @updated_apart(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32, tile.noalias}, %n: !i) {
  tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  %old = tile.atomic_rmw add relaxed gpu %n, %one : !i
  tile.return
}

// In a loop around both, the next loads follow the store.
// CHECK: [Missed] {{.*}} Function=loop | Reason="the array gets no tensor map: 'tile.desc_store' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
// CHECK: [Missed] {{.*}} Function=loop | Reason="the array gets no tensor map: 'tile.desc_load' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
tile.func @loop(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %tile = %zero to %m step %one : i32 {
    tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
    tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// CHECK: [Missed] {{.*}} Function=ordered | Reason="the array gets no tensor map: 'tile.desc_store' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
// CHECK: [Missed] {{.*}} Function=ordered | Reason="the array gets no tensor map: 'tile.desc_load' may access it through another argument, which copies do not wait for; 'tile.noalias' would tell"
tile.func @ordered(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %tile = %zero to %m step %one : i32 {
    tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
    tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  } {tile.tile_loop = #tile.tile_loop<ordered>}
  tile.return
}

// But not where iterations load nothing that earlier ones store.
// CHECK: [Missed] {{.*}} Function=independent | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=independent | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @independent(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %c: !p {tile.divisible_by = 16 : i32}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant #tile.zero : !t
  %e = tile.make_desc %c, [%m, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %tile = %zero to %m step %one : i32 {
    tile.call @products(%a, %m, %k) : (!p, i32, i32) -> ()
    tile.desc_store %e[%zero, %zero], %v : !d, [i32, i32], !t
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
