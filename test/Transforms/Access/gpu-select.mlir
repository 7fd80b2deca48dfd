// RUN: tile-opt %s --tile-widen-offsets --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-widen-offsets --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Offsets are widened first, as in the pipeline.
//
// Widths up to 16 bytes: 4 f32, 8 f16, 2 f64, 16 i1 (which take a byte each).

// CHECK-LABEL: tile.func @full_width
// CHECK: tile.load {{.*}} {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>}
// CHECK: tile.load {{.*}}<direct, width = 8, axis = 0>
// CHECK: tile.load {{.*}}<direct, width = 2, axis = 0>
// CHECK: tile.load {{.*}}<direct, width = 16, axis = 0>
// CHECK: tile.store {{.*}}<direct, width = 4, axis = 0>
// REMARK: [Passed] load {{.*}} Function=full_width | Axis=0, MaxWidth=4, Width=4
// REMARK: [Passed] load {{.*}} MaxWidth=8, Width=8
// REMARK: [Passed] load {{.*}} MaxWidth=2, Width=2
// REMARK: [Passed] load {{.*}} MaxWidth=16, Width=16
// REMARK: [Passed] store {{.*}} MaxWidth=4, Width=4
tile.func @full_width(%f: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                      %h: !tile.ptr<f16> {tile.divisible_by = 64 : i32},
                      %d: !tile.ptr<f64> {tile.divisible_by = 16 : i32},
                      %b: !tile.ptr<i1> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<128xi32>
  %fs = tile.splat %f : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %fp = tile.addptr %fs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %fv = tile.load %fp : tensor<128x!tile.ptr<f32>>
  %hs = tile.splat %h : !tile.ptr<f16> -> tensor<128x!tile.ptr<f16>>
  %hp = tile.addptr %hs, %r : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  %hv = tile.load %hp : tensor<128x!tile.ptr<f16>>
  %ds = tile.splat %d : !tile.ptr<f64> -> tensor<128x!tile.ptr<f64>>
  %dp = tile.addptr %ds, %r : tensor<128x!tile.ptr<f64>>, tensor<128xi32>
  %dv = tile.load %dp : tensor<128x!tile.ptr<f64>>
  %bs = tile.splat %b : !tile.ptr<i1> -> tensor<128x!tile.ptr<i1>>
  %bp = tile.addptr %bs, %r : tensor<128x!tile.ptr<i1>>, tensor<128xi32>
  %bv = tile.load %bp : tensor<128x!tile.ptr<i1>>
  tile.store %fp, %fv : tensor<128x!tile.ptr<f32>>
  tile.return
}

// A block of n elements: the mask is constant over groups that divide n and the
// block's start, 1024 * pid.

// CHECK-LABEL: tile.func @tail
// CHECK: tile.load {{.*}}<direct, width = 4, axis = 0>
// CHECK: tile.load {{.*}}<direct, width = 2, axis = 0>
// CHECK: tile.load {{.*}}<direct, width = 1, axis = 0>
// CHECK: tile.load {{.*}}<direct, width = 4, axis = 0>
// REMARK: [Passed] load {{.*}} Function=tail | Axis=0, MaxWidth=4, Width=4
// REMARK: [Missed] load {{.*}} Reason="mask constant over 2", Width=2
// REMARK: [Missed] load {{.*}} Reason="mask constant over 1", Width=1
// REMARK: [Passed] load
tile.func @tail(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                %n4: i32 {tile.divisible_by = 4 : i32},
                %n2: i32 {tile.divisible_by = 2 : i32}, %n: i32) {
  %pid = tile.program_id x
  %c = arith.constant 1024 : i32
  %start = arith.muli %pid, %c : i32
  %starts = tile.splat %start : i32 -> tensor<1024xi32>
  %r = tile.arange : tensor<1024xi32>
  %o = arith.addi %starts, %r : tensor<1024xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %ps, %o : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %s4 = tile.splat %n4 : i32 -> tensor<1024xi32>
  %m4 = arith.cmpi slt, %o, %s4 : tensor<1024xi32>
  %a = tile.load %q, %m4 : tensor<1024x!tile.ptr<f32>>
  %s2 = tile.splat %n2 : i32 -> tensor<1024xi32>
  %m2 = arith.cmpi sgt, %s2, %o : tensor<1024xi32>
  %b = tile.load %q, %m2 : tensor<1024x!tile.ptr<f32>>
  %s = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %o, %s : tensor<1024xi32>
  %d = tile.load %q, %m : tensor<1024x!tile.ptr<f32>>
  %u = arith.cmpi ult, %o, %s4 : tensor<1024xi32>
  %e = tile.load %q, %u : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// p + i * s + j, 16 x 64: rows start at multiples of s elements. Without a
// known s the axis is still the one along which addresses are consecutive.

// CHECK-LABEL: tile.func @rows
// CHECK: tile.load {{.*}}<direct, width = 8, axis = 1>
// CHECK: tile.load {{.*}}<direct, width = 2, axis = 1>
// CHECK: tile.load {{.*}}<direct, width = 1, axis = 1>
// CHECK: tile.load {{.*}}<direct, width = 8, axis = 0>
// REMARK: [Passed] load {{.*}} Function=rows | Axis=1, MaxWidth=8, Width=8
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 4 bytes", Width=2
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 2 bytes", Width=1
// REMARK: [Passed] load {{.*}} Axis=0, MaxWidth=8, Width=8
tile.func @rows(%p: !tile.ptr<f16> {tile.divisible_by = 16 : i32},
                %s8: i32 {tile.divisible_by = 8 : i32},
                %s2: i32 {tile.divisible_by = 2 : i32}, %s: i32) {
  %ri = tile.arange : tensor<16xi32>
  %ei = tile.expand_dims %ri, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %rj = tile.arange : tensor<64xi32>
  %ej = tile.expand_dims %rj, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %j = tile.broadcast %ej : tensor<1x64xi32> -> tensor<16x64xi32>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>

  %t8 = tile.splat %s8 : i32 -> tensor<16x1xi32>
  %i8 = arith.muli %ei, %t8 : tensor<16x1xi32>
  %b8 = tile.broadcast %i8 : tensor<16x1xi32> -> tensor<16x64xi32>
  %o8 = arith.addi %b8, %j : tensor<16x64xi32>
  %p8 = tile.addptr %ps, %o8 : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %v8 = tile.load %p8 : tensor<16x64x!tile.ptr<f16>>

  %t2 = tile.splat %s2 : i32 -> tensor<16x1xi32>
  %i2 = arith.muli %ei, %t2 : tensor<16x1xi32>
  %b2 = tile.broadcast %i2 : tensor<16x1xi32> -> tensor<16x64xi32>
  %o2 = arith.addi %b2, %j : tensor<16x64xi32>
  %p2 = tile.addptr %ps, %o2 : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %v2 = tile.load %p2 : tensor<16x64x!tile.ptr<f16>>

  // As two steps of the pointer, with 64-bit offsets.
  %w = arith.extsi %s : i32 to i64
  %t = tile.splat %w : i64 -> tensor<16x1xi64>
  %wi = arith.extsi %ei : tensor<16x1xi32> to tensor<16x1xi64>
  %i = arith.muli %wi, %t : tensor<16x1xi64>
  %b = tile.broadcast %i : tensor<16x1xi64> -> tensor<16x64xi64>
  %row = tile.addptr %ps, %b : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi64>
  %q = tile.addptr %row, %j : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %v = tile.load %q : tensor<16x64x!tile.ptr<f16>>

  %pt = tile.trans %p8, [1, 0] : tensor<16x64x!tile.ptr<f16>> -> tensor<64x16x!tile.ptr<f16>>
  %vt = tile.load %pt : tensor<64x16x!tile.ptr<f16>>
  tile.return
}

// CHECK-LABEL: tile.func @small_tile
// CHECK: tile.load {{.*}}<direct, width = 2, axis = 0>
// REMARK: [Missed] load {{.*}} Function=small_tile | {{.*}} Reason="dim 0 has 2 elements", Width=2
tile.func @small_tile(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<2xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<2x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
  %v = tile.load %q : tensor<2x!tile.ptr<f32>>
  tile.return
}

// Layouts do not matter: a conversion keeps the facts. 64 elements.

#a = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#b = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>

// CHECK-LABEL: tile.func @converted
// CHECK: tile.load {{.*}}<direct, width = 4, axis = 0>
tile.func @converted(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32})
    attributes {tile_gpu.num_warps = 1 : i32} {
  %r = tile.arange : tensor<64xi32, #a>
  %c = tile_gpu.convert_layout %r : tensor<64xi32, #a> -> tensor<64xi32, #b>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #b>
  %q = tile.addptr %ps, %c : tensor<64x!tile.ptr<f32>, #b>, tensor<64xi32, #b>
  %v = tile.load %q : tensor<64x!tile.ptr<f32>, #b>
  tile.return
}

// Unchanged: accesses of scalars have no width.

// CHECK-LABEL: tile.func @scalar
// CHECK-NOT: tile_gpu.access
// CHECK: tile.return
tile.func @scalar(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %v = tile.load %p : !tile.ptr<f32>
  tile.store %p, %v : !tile.ptr<f32>
  tile.return
}
