// Kernels whose arrays get tensor maps, and the launch plans that make them.

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

// The whole array. Extents, then what keeps rows apart; the launch gives rows
// before columns. 32 elements of 2 bytes are a row of 64.
// CHECK-LABEL: tile.func @whole$fast
// CHECK-SAME: %a_map: !tile.tensor_map<64x32xf16, swizzle = 64>
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[ZERO2:.*]] = arith.constant 0 : i32
// CHECK-NEXT: tile.make_desc %a, [%m, %k], [%s, %{{.*}}] map %a_map[%[[ZERO]], %[[ZERO2]]] : !tile.tensor_map<64x32xf16, swizzle = 64> :
// REMARK: [Passed] tensor-map | Category:tile-tensor-maps | Function=whole$fast | BoxColumns=32, BoxRows=64, Swizzle=64
tile.func @whole$fast(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
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
tile.func @whole(%a: !p, %m: i32, %k: i32, %s: i32) {
  tile.return
}
// CHECK-LABEL: tile.launch @whole_entry
// CHECK: %[[G:.*]] = tile.plan.aligned %a, 16
// CHECK-NEXT: %[[GM:.*]] = tile.plan.cmp ge %m, 0 : i32
// CHECK-NEXT: %[[GK:.*]] = tile.plan.cmp ge %k, 0 : i32
// CHECK-NEXT: %[[GS:.*]] = tile.plan.cmp ge %s, %k : i32, i32
// CHECK-NEXT: %[[GP:.*]] = tile.plan.cmp gt %s, 0 : i32
// CHECK-NEXT: %[[ALL:.*]] = tile.plan.all %[[G]], %[[GM]], %[[GK]], %[[GS]], %[[GP]]
// CHECK-NEXT: tile.plan.variant %[[ALL]] {
// CHECK-NEXT: %[[ONE:.*]] = tile.plan.constant 1
// CHECK-NEXT: %[[MAP:.*]] = tile.plan.tensor_map %a[%m : i32, %k : i32] strides[%s : i32, %[[ONE]]] : !tile.ptr<f16> -> <64x32xf16, swizzle = 64>
// CHECK-NEXT: tile.plan.dispatch @whole$fast grid(%m : i32) args(%a, %m, %k, %s, %[[MAP]]) :
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.variant else {
// CHECK-NEXT: tile.plan.dispatch @whole grid(%m : i32) args(%a, %m, %k, %s) :
tile.launch @whole_entry(%a: !p, %m: i32, %k: i32, %s: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @whole$fast grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @whole grid(%m : i32) args(%a, %m, %k, %s) : !p, i32, i32, i32
  }
}

// Dimension 0 is the one of stride 1: it is the map's last one. The part begins at
// element (first, 32 * id); the box is of 32 rows of 64. A program's first row is an
// argument, which the guard then asks to be no less than 0; so are extents of 64
// bits to fit.
// CHECK-LABEL: tile.func @columns$fast
// CHECK-SAME: %a_map_2: !tile.tensor_map<32x64xf16, swizzle = 128>
// CHECK: tile.make_desc %{{.*}} map %a_map_2[%first, %{{.*}}] : !tile.tensor_map<32x64xf16, swizzle = 128> :
// REMARK: Function=columns$fast | BoxColumns=64, BoxRows=32, Swizzle=128
tile.func @columns$fast(%a: !p {tile.divisible_by = 16 : i32}, %a_map: i32, %m: i32, %k: i64, %s: i64 {tile.divisible_by = 8 : i32}, %first: i32) {
  %one = arith.constant 1 : i32
  %n = arith.constant 32 : i32
  %id = tile.program_id x
  %col = arith.muli %id, %n : i32
  %rows = arith.subi %m, %first : i32
  %colw = arith.extsi %col : i32 to i64
  %cols = arith.subi %k, %colw : i64
  %move = arith.muli %s, %colw : i64
  %wide = arith.extsi %first : i32 to i64
  %sum = arith.addi %move, %wide : i64
  %q = tile.addptr %a, %sum : !p, i64
  %d = tile.make_desc %q, [%rows, %cols], [%one, %s] : !p, [i32, i64], [i32, i64] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %m step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @columns(%a: !p, %a_map: i32, %m: i32, %k: i64, %s: i64, %first: i32) {
  tile.return
}
// CHECK-LABEL: tile.launch @columns_entry
// CHECK: tile.plan.cmp ge %first, 0 : i32
// CHECK-NEXT: tile.plan.cmp ge %m, 0 : i32
// CHECK-NEXT: tile.plan.cmp ge %k, 0 : i64
// CHECK-NEXT: tile.plan.cmp le %k, 2147483647 : i64
// CHECK-NEXT: tile.plan.cmp le %s, 549755813880 : i64
// CHECK-NEXT: tile.plan.cmp ge %s, %m : i64, i32
// CHECK-NEXT: tile.plan.cmp gt %s, 0 : i64
// CHECK-NEXT: tile.plan.all
// CHECK-NEXT: tile.plan.variant
// CHECK-NEXT: %[[ONE:.*]] = tile.plan.constant 1
// CHECK-NEXT: tile.plan.tensor_map %a[%k, %m : i32] strides[%s, %[[ONE]]] : !tile.ptr<f16> -> <32x64xf16, swizzle = 128>
tile.launch @columns_entry(%a: !p, %a_map: i32, %m: i32, %k: i64, %s: i64, %first: i32) {
  %g = tile.plan.aligned %a, 16 : !p
  tile.plan.variant %g {
    tile.plan.dispatch @columns$fast grid(%k : i64) args(%a, %a_map, %m, %k, %s, %first) : !p, i32, i32, i64, i64, i32
  }
  tile.plan.variant else {
    tile.plan.dispatch @columns grid(%k : i64) args(%a, %a_map, %m, %k, %s, %first) : !p, i32, i32, i64, i64, i32
  }
}

// All constants: the guard asks for nothing more than before.
// CHECK-LABEL: tile.launch @constants_entry
// CHECK: %[[G:.*]] = tile.plan.aligned %a, 16
// CHECK-NEXT: tile.plan.constant 1
// CHECK-NEXT: %[[ALL:.*]] = tile.plan.all %[[G]]
// CHECK-NEXT: tile.plan.variant %[[ALL]] {
// CHECK-NEXT: %[[M:.*]] = tile.plan.constant 500
// CHECK-NEXT: %[[K:.*]] = tile.plan.constant 96
// CHECK-NEXT: %[[S:.*]] = tile.plan.constant 104
// CHECK-NEXT: %[[ONE:.*]] = tile.plan.constant 1
// CHECK-NEXT: tile.plan.tensor_map %a[%[[M]], %[[K]]] strides[%[[S]], %[[ONE]]]
tile.func @constants$fast(%a: !p {tile.divisible_by = 16 : i32}) {
  %one = arith.constant 1 : i32
  %m = arith.constant 500 : i32
  %k = arith.constant 96 : i32
  %s = arith.constant 104 : i64
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i64, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}
tile.func @constants(%a: !p) {
  tile.return
}
tile.launch @constants_entry(%a: !p) {
  %g = tile.plan.aligned %a, 16 : !p
  %c = tile.plan.constant 1
  tile.plan.variant %g {
    tile.plan.dispatch @constants$fast grid(%c : i64) args(%a) : !p
  }
  tile.plan.variant else {
    tile.plan.dispatch @constants grid(%c : i64) args(%a) : !p
  }
}
