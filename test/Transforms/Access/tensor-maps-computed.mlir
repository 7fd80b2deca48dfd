// Forms of a kernel whose launches compute what they pass, each for itself, as those of
// persistent programs do: where they compute and refuse the same, the guard may choose
// either.

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

// What the guard asks about is computed before it.
// CHECK: [Passed] {{.*}} Function=computed$fast |
// PLAN-LABEL: tile.launch @computed_entry
// PLAN: %[[G:.*]] = tile.plan.aligned
// PLAN-NEXT: %[[R:.*]] = tile.plan.mul %m, %n
// PLAN-NEXT: %[[GR:.*]] = tile.plan.cmp ge %[[R]], 0 : i64
// PLAN-NEXT: %[[GK:.*]] = tile.plan.cmp ge %k, 0 : i32
// PLAN: %[[ALL:.*]] = tile.plan.all %[[G]], %[[GR]], %[[GK]],
// PLAN-NEXT: tile.plan.variant %[[ALL]] {
// PLAN-NEXT: %[[IN:.*]] = tile.plan.mul %m, %n
// PLAN: tile.plan.tensor_map %a[%[[IN]], %k : i32]
tile.func @computed$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @computed(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @computed_entry(%a: !p, %m: i32, %n: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %r = tile.plan.mul %m, %n : i32, i32
    tile.plan.dispatch @computed$fast grid(%m : i32) args(%a, %r, %k, %s) : !p, i64, i32, i32
  }
  tile.plan.variant else {
    %r = tile.plan.mul %m, %n : i32, i32
    tile.plan.dispatch @computed grid(%m : i32) args(%a, %r, %k, %s) : !p, i64, i32, i32
  }
}

// Another number.
// CHECK: [Missed] {{.*}} Function=larger$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @larger$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @larger(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @larger_entry(%a: !p, %m: i32, %n: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %r = tile.plan.mul %m, %n : i32, i32
    tile.plan.dispatch @larger$fast grid(%m : i32) args(%a, %r, %k, %s) : !p, i64, i32, i32
  }
  tile.plan.variant else {
    %r = tile.plan.mul %m, %m : i32, i32
    tile.plan.dispatch @larger grid(%m : i32) args(%a, %r, %k, %s) : !p, i64, i32, i32
  }
}

// CHECK: [Missed] {{.*}} Function=sum$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @sum$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @sum(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @sum_entry(%a: !p, %m: i32, %n: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %r = tile.plan.mul %m, %n : i32, i32
    tile.plan.dispatch @sum$fast grid(%m : i32) args(%a, %r, %k, %s) : !p, i64, i32, i32
  }
  tile.plan.variant else {
    %r = tile.plan.add %m, %n : i32, i32
    tile.plan.dispatch @sum grid(%m : i32) args(%a, %r, %k, %s) : !p, i64, i32, i32
  }
}

// Either form is refused for the same launches.
// CHECK: [Passed] {{.*}} Function=refused$fast |
tile.func @refused$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @refused(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @refused_entry(%a: !p, %m: i32, %n: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c = tile.plan.cmp ge %n, 0 : i32
    tile.plan.variant %c {
    }
    tile.plan.variant else {
      tile.plan.refuse "negative"
    }
    tile.plan.dispatch @refused$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    %c = tile.plan.cmp ge %n, 0 : i32
    tile.plan.variant %c {
    }
    tile.plan.variant else {
      tile.plan.refuse "negative"
    }
    tile.plan.dispatch @refused grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// One of them only, others, or with another message.
// CHECK: [Missed] {{.*}} Function=one$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @one$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @one(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @one_entry(%a: !p, %m: i32, %n: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c = tile.plan.cmp ge %n, 0 : i32
    tile.plan.variant %c {
    }
    tile.plan.variant else {
      tile.plan.refuse "negative"
    }
    tile.plan.dispatch @one$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @one grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// CHECK: [Missed] {{.*}} Function=others$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @others$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @others(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @others_entry(%a: !p, %m: i32, %n: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c = tile.plan.cmp ge %n, 0 : i32
    tile.plan.variant %c {
    }
    tile.plan.variant else {
      tile.plan.refuse "negative"
    }
    tile.plan.dispatch @others$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    %c = tile.plan.cmp gt %n, 0 : i32
    tile.plan.variant %c {
    }
    tile.plan.variant else {
      tile.plan.refuse "negative"
    }
    tile.plan.dispatch @others grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// CHECK: [Missed] {{.*}} Function=message$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @message$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @message(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @message_entry(%a: !p, %m: i32, %n: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %c = tile.plan.cmp ge %n, 0 : i32
    tile.plan.variant %c {
    }
    tile.plan.variant else {
      tile.plan.refuse "negative"
    }
    tile.plan.dispatch @message$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    %c = tile.plan.cmp ge %n, 0 : i32
    tile.plan.variant %c {
    }
    tile.plan.variant else {
      tile.plan.refuse "no"
    }
    tile.plan.dispatch @message grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}
