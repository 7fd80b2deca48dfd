// RUN: tile-opt %s --tile-specialize | FileCheck %s
// RUN: tile-opt %s --tile-specialize --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-specialize -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// x and y have to be aligned for 4 f32 at once, n divisible by 4 for the mask;
// scale matters to nothing.

// REMARK: [Passed] specialize {{.*}} Function=copy_kernel | Clone=copy_kernel$fast, Facts="x is aligned to 16 bytes, y is aligned to 16 bytes, n is a multiple of 4", Widths="load 1 to 4, store 1 to 4"

// CHECK-LABEL: tile.func @copy_kernel(
// CHECK-SAME: %x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %scale: i32)
// CHECK-LABEL: tile.func @copy_kernel$fast(
// CHECK-SAME: %x: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %y: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %n: i32 {tile.divisible_by = 4 : i32}, %scale: i32)
// CHECK-SAME: attributes {tile.num_warps = 4 : i32}
tile.func @copy_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %scale: i32)
    attributes {tile.num_warps = 4 : i32} {
  %r = tile.arange : tensor<1024xi32>
  %w = arith.extsi %r : tensor<1024xi32> to tensor<1024xi64>
  %s = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %s : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %w : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %v = tile.load %xp, %m : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %w : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  tile.store %yp, %v, %m : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.launch @copy(
// CHECK: %[[G:.*]] = tile.plan.cdiv %n, 1024
// CHECK: %[[X:.*]] = tile.plan.aligned %x, 16
// CHECK: %[[Y:.*]] = tile.plan.aligned %y, 16
// CHECK: %[[N:.*]] = tile.plan.divisible %n, 4
// CHECK: %[[ALL:.*]] = tile.plan.all %[[X]], %[[Y]], %[[N]]
// CHECK-NEXT: tile.plan.variant %[[ALL]]
// CHECK-NEXT: tile.plan.dispatch @copy_kernel$fast grid(%[[G]]) args(%x, %y, %n, %n)
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.variant else
// CHECK-NEXT: tile.plan.dispatch @copy_kernel grid(%[[G]]) args(%x, %y, %n, %n)
tile.launch @copy(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %g = tile.plan.cdiv %n, 1024 : i32
  tile.plan.dispatch @copy_kernel grid(%g) args(%x, %y, %n, %n) : !tile.ptr<f32>, !tile.ptr<f32>, i32, i32
}

// Scratch memory is aligned to 256 bytes and 4096 is a multiple of 4: the clone
// is taken without a choice. 4098 is none: the kernel itself is. In between,
// one guard is left. Choices nest in variants.

// CHECK-LABEL: tile.launch @known(
// CHECK: %[[S:.*]] = tile.plan.scratch
// CHECK: %[[T:.*]] = tile.plan.scratch
// CHECK-NEXT: tile.plan.dispatch @copy_kernel$fast grid(%{{.*}}) args(%[[S]], %[[T]],
// CHECK-NEXT: tile.plan.dispatch @copy_kernel grid(%{{.*}}) args(%[[S]], %[[T]],
// CHECK: %[[SMALL:.*]] = tile.plan.cmp le %n, 64
// CHECK: tile.plan.variant %[[SMALL]]
// CHECK-NEXT: %[[D:.*]] = tile.plan.divisible %n, 4
// CHECK-NEXT: tile.plan.variant %[[D]]
// CHECK-NEXT: tile.plan.dispatch @copy_kernel$fast
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.variant else
// CHECK-NEXT: tile.plan.dispatch @copy_kernel grid
// CHECK: tile.plan.variant else
// CHECK-NEXT: tile.plan.refuse
tile.launch @known(%n: i32) {
  %c = tile.plan.constant 4096
  %o = tile.plan.constant 4098
  %b = tile.plan.constant 16392
  %s = tile.plan.scratch %b : i64 -> !tile.ptr<f32>
  %t = tile.plan.scratch %b zero : i64 -> !tile.ptr<f32>
  tile.plan.dispatch @copy_kernel grid(%c) args(%s, %t, %c, %n) : !tile.ptr<f32>, !tile.ptr<f32>, i64, i32
  tile.plan.dispatch @copy_kernel grid(%c) args(%s, %t, %o, %n) : !tile.ptr<f32>, !tile.ptr<f32>, i64, i32
  %small = tile.plan.cmp le %n, 64 : i32
  tile.plan.variant %small {
    tile.plan.dispatch @copy_kernel grid(%c) args(%s, %t, %n, %n) : !tile.ptr<f32>, !tile.ptr<f32>, i32, i32
  }
  tile.plan.variant else {
    tile.plan.refuse "too large"
  }
}

// What the author states is neither searched nor guarded: only q is left.

// REMARK: [Passed] specialize {{.*}} Function=half_stated | Clone=half_stated$fast, Facts="q is aligned to 16 bytes", Widths="store 1 to 4"

// CHECK-LABEL: tile.func @half_stated$fast(
// CHECK-SAME: %p: !tile.ptr<f32> {tile.divisible_by = 32 : i32, tile.readonly}, %q: !tile.ptr<f32> {tile.divisible_by = 16 : i32})
tile.func @half_stated(%p: !tile.ptr<f32> {tile.divisible_by = 32 : i32, tile.readonly},
                       %q: !tile.ptr<f32>) {
  %r = tile.arange : tensor<1024xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %pp = tile.addptr %ps, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %pp : tensor<1024x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %qp = tile.addptr %qs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %qp, %v : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.launch @half(
// CHECK-NOT: tile.plan.aligned %p
// CHECK: %[[Q:.*]] = tile.plan.aligned %q, 16
// CHECK-NEXT: tile.plan.variant %[[Q]]
tile.launch @half(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %g = tile.plan.constant 1
  tile.plan.dispatch @half_stated grid(%g) args(%p, %q) : !tile.ptr<f32>, !tile.ptr<f32>
}
