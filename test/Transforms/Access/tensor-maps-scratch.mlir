// Forms of a kernel that get memory of their own, such as a counter of tiles: alike,
// they are passed the same, and the guard may choose either form.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Passed]' --implicit-check-not=Missed

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

// CHECK: [Passed] {{.*}} Function=alike$fast |
// PLAN-LABEL: tile.launch @alike_entry
// PLAN: %[[ALL:.*]] = tile.plan.all
// PLAN-NEXT: tile.plan.variant %[[ALL]] {
// PLAN: %[[C:.*]] = tile.plan.scratch %{{.*}} zero : i64 -> !tile.ptr<i32>
// PLAN: %[[MAP:.*]] = tile.plan.tensor_map %a
// PLAN: tile.plan.dispatch @alike$fast grid(%m : i32) args(%a, %m, %k, %s, %[[C]], %[[MAP]]) :
// PLAN: tile.plan.variant else {
// PLAN: %[[D:.*]] = tile.plan.scratch %{{.*}} zero : i64 -> !tile.ptr<i32>
// PLAN: tile.plan.dispatch @alike grid(%m : i32) args(%a, %m, %k, %s, %[[D]]) :
tile.func @alike$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @alike(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<i32>) {
  tile.return
}
tile.launch @alike_entry(%a: !p, %m: i32, %k: i32, %s: i32, %e: !tile.ptr<i32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c_bytes = tile.plan.constant 4
    %c = tile.plan.scratch %c_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @alike$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<i32>
  }
  tile.plan.variant else {
    %d_bytes = tile.plan.constant 4
    %d = tile.plan.scratch %d_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @alike grid(%m : i32) args(%a, %m, %k, %s, %d) : !p, i32, i32, i32, !tile.ptr<i32>
  }
}

// As many bytes as one number says.
// CHECK: [Passed] {{.*}} Function=sized$fast |
tile.func @sized$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @sized(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<i32>) {
  tile.return
}
tile.launch @sized_entry(%a: !p, %m: i32, %k: i32, %s: i32, %e: !tile.ptr<i32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c = tile.plan.scratch %m zero : i32 -> !tile.ptr<i32>
    tile.plan.dispatch @sized$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<i32>
  }
  tile.plan.variant else {
    %d = tile.plan.scratch %m zero : i32 -> !tile.ptr<i32>
    tile.plan.dispatch @sized grid(%m : i32) args(%a, %m, %k, %s, %d) : !p, i32, i32, i32, !tile.ptr<i32>
  }
}

// More bytes, or other ones, are not the same.
// CHECK: [Missed] {{.*}} Function=larger$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @larger$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @larger(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<i32>) {
  tile.return
}
tile.launch @larger_entry(%a: !p, %m: i32, %k: i32, %s: i32, %e: !tile.ptr<i32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c_bytes = tile.plan.constant 4
    %c = tile.plan.scratch %c_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @larger$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<i32>
  }
  tile.plan.variant else {
    %d_bytes = tile.plan.constant 8
    %d = tile.plan.scratch %d_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @larger grid(%m : i32) args(%a, %m, %k, %s, %d) : !p, i32, i32, i32, !tile.ptr<i32>
  }
}

// CHECK: [Missed] {{.*}} Function=unknown$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @unknown$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @unknown(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<i32>) {
  tile.return
}
tile.launch @unknown_entry(%a: !p, %m: i32, %k: i32, %s: i32, %e: !tile.ptr<i32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c_bytes = tile.plan.constant 4
    %c = tile.plan.scratch %c_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @unknown$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<i32>
  }
  tile.plan.variant else {
    %d = tile.plan.scratch %m zero : i32 -> !tile.ptr<i32>
    tile.plan.dispatch @unknown grid(%m : i32) args(%a, %m, %k, %s, %d) : !p, i32, i32, i32, !tile.ptr<i32>
  }
}

// Zeros, and whatever is there.
// CHECK: [Missed] {{.*}} Function=cleared$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @cleared$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @cleared(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<i32>) {
  tile.return
}
tile.launch @cleared_entry(%a: !p, %m: i32, %k: i32, %s: i32, %e: !tile.ptr<i32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c_bytes = tile.plan.constant 4
    %c = tile.plan.scratch %c_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @cleared$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<i32>
  }
  tile.plan.variant else {
    %d_bytes = tile.plan.constant 4
    %d = tile.plan.scratch %d_bytes : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @cleared grid(%m : i32) args(%a, %m, %k, %s, %d) : !p, i32, i32, i32, !tile.ptr<i32>
  }
}

// The caller's memory.
// CHECK: [Missed] {{.*}} Function=callers$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @callers$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @callers(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<i32>) {
  tile.return
}
tile.launch @callers_entry(%a: !p, %m: i32, %k: i32, %s: i32, %e: !tile.ptr<i32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c_bytes = tile.plan.constant 4
    %c = tile.plan.scratch %c_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @callers$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<i32>
  }
  tile.plan.variant else {
    tile.plan.dispatch @callers grid(%m : i32) args(%a, %m, %k, %s, %e) : !p, i32, i32, i32, !tile.ptr<i32>
  }
}

// One more action: it fills the memory.
// CHECK: [Missed] {{.*}} Function=filled$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @filled$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @filled(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<i32>) {
  tile.return
}
tile.launch @filled_entry(%a: !p, %m: i32, %k: i32, %s: i32, %e: !tile.ptr<i32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c_bytes = tile.plan.constant 4
    %c = tile.plan.scratch %c_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.fill %c, %c_bytes, 1 : !tile.ptr<i32>, i64
    tile.plan.dispatch @filled$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<i32>
  }
  tile.plan.variant else {
    %d_bytes = tile.plan.constant 4
    %d = tile.plan.scratch %d_bytes zero : i64 -> !tile.ptr<i32>
    tile.plan.dispatch @filled grid(%m : i32) args(%a, %m, %k, %s, %d) : !p, i32, i32, i32, !tile.ptr<i32>
  }
}
