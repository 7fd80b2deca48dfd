// RUN: tile-opt %s --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-gpu-select --remark-format=emitRemark --remarks-filter=tile-gpu-select -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Widths of accesses of descriptors to f32: 16 bytes are 4 elements. A group must
// be aligned, and lie on one side of the array's edges.

!d = !tile.desc<16x32xf32>
!v = tensor<16x32xf32>

// Pointer, row stride, column offset and columns: all are multiples of 4 elements.
// CHECK-LABEL: tile.func @wide
// CHECK: tile.desc_load {{.*}} {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>}
// CHECK: tile.desc_store {{.*}} {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>}
// REMARK: [Passed] load {{.*}} Function=wide | Axis=1, MaxWidth=4, Width=4
// REMARK: [Passed] store {{.*}} Function=wide | Axis=1, MaxWidth=4, Width=4
tile.func @wide(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %m: i32, %n: i32 {tile.divisible_by = 4 : i32},
                %s: i32 {tile.divisible_by = 4 : i32}, %i: i32, %j: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%m, %n], [%s, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %x = tile.desc_load %d[%i, %j] : !d, [i32, i32] -> !v
  tile.desc_store %d[%i, %j], %x : !d, [i32, i32], !v
  tile.return
}

// The axis is the dimension whose stride is known to be 1, from a fact as well.
// CHECK-LABEL: tile.func @first_dim
// CHECK: #tile_gpu.access<direct, width = 4, axis = 0>
tile.func @first_dim(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %m: i32 {tile.divisible_by = 4 : i32}, %n: i32,
                     %s: i32 {tile.divisible_by = 4 : i32}, %t: i32 {tile.equals = 1 : i32}) {
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %p, [%m, %n], [%t, %s] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %x = tile.desc_load %d[%zero, %zero] : !d, [i32, i32] -> !v
  tile.return
}

// One limit at a time: an unknown stride; rows that are 2 elements off; a pointer
// to 8 bytes; an offset that is odd; an end inside a group. A row offset has no
// effect.
// CHECK-LABEL: tile.func @limits
// CHECK: width = 1, axis = 1
// CHECK: width = 2, axis = 1
// CHECK: width = 2, axis = 1
// CHECK: width = 1, axis = 1
// CHECK: width = 2, axis = 1
// CHECK: width = 4, axis = 1
// REMARK: [Missed] load {{.*}} Function=limits | {{.*}} Reason="stride of dim 1 unknown", Width=1
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 8 bytes", Width=2
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 8 bytes", Width=2
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 4 bytes, mask constant over 1", Width=1
// REMARK: [Missed] load {{.*}} Reason="mask constant over 2", Width=2
// REMARK: [Passed] load
tile.func @limits(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %q: !tile.ptr<f32> {tile.divisible_by = 8 : i32},
                  %n: i32 {tile.divisible_by = 4 : i32}, %e: i32 {tile.divisible_by = 2 : i32}, %o: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %a = tile.make_desc %p, [%n, %n], [%n, %o] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %ax = tile.desc_load %a[%zero, %zero] : !d, [i32, i32] -> !v
  %b = tile.make_desc %p, [%n, %n], [%e, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %bx = tile.desc_load %b[%zero, %zero] : !d, [i32, i32] -> !v
  %c = tile.make_desc %q, [%n, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %cx = tile.desc_load %c[%zero, %zero] : !d, [i32, i32] -> !v
  %f = tile.make_desc %p, [%n, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %fx = tile.desc_load %f[%zero, %o] : !d, [i32, i32] -> !v
  %g = tile.make_desc %p, [%n, %e], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %gx = tile.desc_load %g[%zero, %zero] : !d, [i32, i32] -> !v
  %hx = tile.desc_load %f[%o, %zero] : !d, [i32, i32] -> !v
  tile.return
}

// A descriptor that control flow passes on: nothing is known.
// CHECK-LABEL: tile.func @chosen
// CHECK: width = 1, axis = 1
// REMARK: [Missed] load {{.*}} Function=chosen | {{.*}} Reason="addresses along dim 1 not affine", Width=1
tile.func @chosen(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %n: i32 {tile.divisible_by = 4 : i32}, %o: i1) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %a = tile.make_desc %p, [%n, %n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %b = tile.make_desc %p, [%n, %n], [%one, %n] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !d
  %c = scf.if %o -> (!d) {
    scf.yield %a : !d
  } else {
    scf.yield %b : !d
  }
  %x = tile.desc_load %c[%zero, %zero] : !d, [i32, i32] -> !v
  tile.return
}
