// Launch plans that cannot make a map, each with the reason: plan and kernel stay as
// they are. A guard may only ask for more where less gets another form of the same
// kernel.

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

// No guard, alone or besides a guarded launch.
// CHECK: [Missed] {{.*}} Function=bare$fast | Reason="the array gets no tensor map: the kernel is launched without a guard, which would have to ask for what a map needs"
tile.func @bare$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.launch @bare_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.plan.dispatch @bare$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
}
// CHECK: [Missed] {{.*}} Function=second$fast | Reason="the array gets no tensor map: the kernel is launched without a guard, which would have to ask for what a map needs"
tile.func @second$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @second(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @second_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @second$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @second grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.dispatch @second$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
}

// In an else.
// CHECK: [Missed] {{.*}} Function=other$fast | Reason="the array gets no tensor map: the kernel is launched without a guard, which would have to ask for what a map needs"
tile.func @other$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @other(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @other_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @other grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @other$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// The other plan has no guard.
// CHECK: [Missed] {{.*}} Function=plans$fast | Reason="the array gets no tensor map: the kernel is launched without a guard, which would have to ask for what a map needs"
tile.func @plans$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @plans(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @plans_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @plans$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @plans grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}
tile.launch @plans_entry2(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.plan.dispatch @plans$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
}

// Another kernel otherwise, a refusal, another grid, other arguments, a second action.
// CHECK: [Missed] {{.*}} Function=kernel$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @kernel$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @kernel(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @kernel_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @kernel$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @plans grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}
// CHECK: [Missed] {{.*}} Function=refusal$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @refusal$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @refusal(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @refusal_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @refusal$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.refuse "unaligned"
  }
}
// CHECK: [Missed] {{.*}} Function=grid$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @grid$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @grid(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @grid_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @grid$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @grid grid(%k : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}
// CHECK: [Missed] {{.*}} Function=arguments$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @arguments$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @arguments(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @arguments_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @arguments$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @arguments grid(%m : i32) args(%a, %k, %m, %s) : !p, i32, i32, i32
  }
}
// CHECK: [Missed] {{.*}} Function=actions$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @actions$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @actions(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @actions_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @actions$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
    tile.plan.dispatch @plans grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @actions grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// Forms of one kernel, but after them another one.
// CHECK: [Missed] {{.*}} Function=three$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @three$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @three(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @three_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  %h = tile.plan.divisible %m, 8 : i32
  tile.plan.variant %g {
    tile.plan.dispatch @three$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant %h {
    tile.plan.dispatch @plans grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @three grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// An argument that is known in the variant only.
// CHECK: [Missed] {{.*}} Function=inside$fast | Reason="the array gets no tensor map: the guard chooses between more than forms of the kernel"
tile.func @inside$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @inside(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  tile.return
}
tile.launch @inside_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    %n = tile.plan.mul %m, 2 : i32
    tile.plan.dispatch @inside$fast grid(%m : i32) args(%a, %n, %k, %s) : !p, i64, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @inside grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}
