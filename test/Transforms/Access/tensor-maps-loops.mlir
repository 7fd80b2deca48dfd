// Descriptors of stores, and of loads in loops inside of loops.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps | FileCheck %s
// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=Missed

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

// A product of what is computed of the tile.
// CHECK-LABEL: tile.func @squared$fast
// CHECK-SAME: %a_map: !tile.tensor_map<64x32xf16, swizzle = 64>) {
// REMARK: Function=squared$fast | BoxColumns=32
tile.func @squared$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    %y = arith.mulf %x, %x : !t
    tile.call @use(%y) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @squared(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @squared_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @squared$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @squared grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// One descriptor for a load and then a store has one map; rows of such an array
// end at multiples of 16 bytes.
// CHECK-LABEL: tile.func @both$fast
// CHECK-SAME: %a_map: !tile.tensor_map<64x32xf16, swizzle = 64>) {
// CHECK-COUNT-1: map %a_map
// CHECK-NOT: map %
// CHECK-LABEL: tile.launch @both_entry
// CHECK-COUNT-1: tile.plan.tensor_map
// CHECK-NOT: tile.plan.tensor_map
// REMARK-COUNT-1: Function=both$fast
tile.func @both$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %v = arith.constant #tile.zero : !t
  tile.desc_store %d[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}
tile.func @both(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @both_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @both$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @both grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// The persistent form: part and map's origin change with the tile. The store's box
// of 16 columns of 4 bytes is no larger than its tile of 64 x 16.
// CHECK-LABEL: tile.func @persistent$fast
// CHECK-SAME: %a_map: !tile.tensor_map<64x32xf16, swizzle = 64>, %c_map: !tile.tensor_map<64x16xf32, swizzle = 64>) {
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %m step
// CHECK: %[[ROW:.*]] = arith.muli %[[TILE]], %{{.*}} : i32
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: tile.make_desc %{{.*}} map %a_map[%[[ROW]], %[[ZERO]]]
// CHECK: scf.for
// CHECK: %[[ZERO2:.*]] = arith.constant 0 : i32
// CHECK-NEXT: tile.make_desc %{{.*}} map %c_map[%[[ROW]], %[[ZERO2]]]
// CHECK-LABEL: tile.launch @persistent_entry
// CHECK: %[[M0:.*]] = tile.plan.cmp ge %m, 0 : i32
// CHECK-NEXT: %[[K0:.*]] = tile.plan.cmp ge %k, 0 : i32
// CHECK-NEXT: %[[SK:.*]] = tile.plan.cmp ge %s, %k : i32, i32
// CHECK-NEXT: %[[S0:.*]] = tile.plan.cmp gt %s, 0 : i32
// CHECK-NEXT: %[[A:.*]] = tile.plan.all %{{.*}}, %[[M0]], %[[K0]], %[[SK]], %[[S0]]
// CHECK-NEXT: %[[M1:.*]] = tile.plan.cmp ge %m, 0 : i32
// CHECK-NEXT: %[[N:.*]] = tile.plan.constant 16
// CHECK-NEXT: %[[SN:.*]] = tile.plan.cmp ge %s, %[[N]] : i32, i64
// CHECK-NEXT: %[[S1:.*]] = tile.plan.cmp gt %s, 0 : i32
// CHECK-NEXT: %[[C:.*]] = tile.plan.all %[[A]], %[[M1]], %[[SN]], %[[S1]]
// CHECK-NEXT: tile.plan.variant %[[C]] {
// CHECK: tile.plan.dispatch @persistent$fast grid(%m : i32) args(%a, %m, %k, %s, %c, %{{.*}}, %{{.*}}) : {{.*}}, !tile.tensor_map<64x32xf16, swizzle = 64>, !tile.tensor_map<64x16xf32, swizzle = 64>
// REMARK: Function=persistent$fast | BoxColumns=32, BoxRows=64, Swizzle=64
// REMARK: Function=persistent$fast | BoxColumns=16, BoxRows=64, Swizzle=64
tile.func @persistent$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}, %c: !tile.ptr<f32> {tile.divisible_by = 16 : i32, tile.noalias}) {
  %one = arith.constant 1 : i32
  %id = tile.program_id x
  %programs = tile.num_programs x
  %tall = arith.constant 64 : i32
  %n = arith.constant 16 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %v = arith.constant #tile.zero : tensor<64x16xf32>
  scf.for %tile = %id to %m step %programs : i32 {
    %row = arith.muli %tile, %tall : i32
    %rest = arith.subi %m, %row : i32
    %at = arith.muli %row, %s : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%rest, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    scf.for %i = %zero to %k step %step : i32 {
      %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
      tile.call @use(%x) : (!t) -> ()
    } {tile.num_stages = 3 : i32}
    %o = tile.addptr %c, %at : !tile.ptr<f32>, i32
    %e = tile.make_desc %o, [%rest, %n], [%s, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
    tile.desc_store %e[%zero, %zero], %v : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
  }
  tile.return
}
tile.func @persistent(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<f32>) {
  tile.return
}
tile.launch @persistent_entry(%a: !p, %m: i32, %k: i32, %s: i32, %c: !tile.ptr<f32>) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @persistent$fast grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<f32>
  }
  tile.plan.variant else {
    tile.plan.dispatch @persistent grid(%m : i32) args(%a, %m, %k, %s, %c) : !p, i32, i32, i32, !tile.ptr<f32>
  }
}

// The part begins where the loop is: one make_desc an iteration. What a loop carries
// from 0 upwards is no less than 0.
// CHECK-LABEL: tile.func @moving$fast
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[AT:.*]] = %{{.*}})
// CHECK: tile.make_desc %{{.*}} map %a_map[%{{.*}}, %[[AT]]]
// REMARK: Function=moving$fast | BoxColumns=32
tile.func @moving$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %r = scf.for %i = %zero to %k step %step iter_args(%at = %zero) -> (i32) : i32 {
    %rest = arith.subi %k, %at : i32
    %q = tile.addptr %a, %at : !p, i32
    %d = tile.make_desc %q, [%m, %rest], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    %x = tile.desc_load %d[%zero, %zero] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
    %next = arith.addi %at, %step : i32
    scf.yield %next : i32
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @moving(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
tile.launch @moving_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @moving$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @moving grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}
