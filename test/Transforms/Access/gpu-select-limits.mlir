// RUN: tile-opt %s --tile-widen-offsets --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-widen-offsets --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Accesses that look wide and are not. Pointers to f32, aligned to 16 bytes
// unless stated otherwise; full width is 4.

// An equality differs for one element of a group, whatever n is. `<=` holds for
// n itself but not for the three that follow; `<= 1023` is `< 1024`.

// CHECK-LABEL: tile.func @predicates
// CHECK-COUNT-4: <direct, width = 1, axis = 0>
// CHECK: <direct, width = 4, axis = 0>
// CHECK: <direct, width = 4, axis = 0>
// CHECK: <direct, width = 2, axis = 0>
// REMARK-COUNT-4: [Missed] load {{.*}} Function=predicates | {{.*}} Reason="mask constant over 1", Width=1
tile.func @predicates(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                      %n: i32 {tile.divisible_by = 64 : i32}) {
  %r = tile.arange : tensor<2048xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %s = tile.splat %n : i32 -> tensor<2048xi32>
  %eq = arith.cmpi eq, %r, %s : tensor<2048xi32>
  %a = tile.load %q, %eq : tensor<2048x!tile.ptr<f32>>
  %ne = arith.cmpi ne, %s, %r : tensor<2048xi32>
  %b = tile.load %q, %ne : tensor<2048x!tile.ptr<f32>>
  %le = arith.cmpi sle, %r, %s : tensor<2048xi32>
  %c = tile.load %q, %le : tensor<2048x!tile.ptr<f32>>
  %lt = arith.cmpi slt, %s, %r : tensor<2048xi32>
  %d = tile.load %q, %lt : tensor<2048x!tile.ptr<f32>>
  %last = arith.constant dense<1023> : tensor<2048xi32>
  %le2 = arith.cmpi sle, %r, %last : tensor<2048xi32>
  %e = tile.load %q, %le2 : tensor<2048x!tile.ptr<f32>>
  %ge = arith.cmpi sge, %r, %s : tensor<2048xi32>
  %f = tile.load %q, %ge : tensor<2048x!tile.ptr<f32>>
  // 1022 is a multiple of 2 only.
  %odd = arith.constant dense<1022> : tensor<2048xi32>
  %lt2 = arith.cmpi ult, %r, %odd : tensor<2048xi32>
  %both = arith.andi %lt2, %ge : tensor<2048xi1>
  %g = tile.load %q, %both : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// offs % m jumps back at multiples of m; with a sign it also counts down to
// zero below zero.

// CHECK-LABEL: tile.func @modulo
// CHECK: <direct, width = 4, axis = 0>
// CHECK: <direct, width = 1, axis = 0>
// CHECK: <direct, width = 1, axis = 0>
// CHECK: <direct, width = 4, axis = 0>
// REMARK: [Passed] load {{.*}} Function=modulo
// REMARK: [Missed] load {{.*}} Reason="addresses along dim 0 not affine", Width=1
// REMARK: [Missed] load {{.*}} Reason="addresses along dim 0 not affine", Width=1
// REMARK: [Passed] load
tile.func @modulo(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %m: i32,
                  %m4: i32 {tile.divisible_by = 4 : i32},
                  %k: i32 {tile.divisible_by = 64 : i32}) {
  %r = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %sm4 = tile.splat %m4 : i32 -> tensor<64xi32>
  %o4 = arith.remsi %r, %sm4 : tensor<64xi32>
  %q4 = tile.addptr %ps, %o4 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %a = tile.load %q4 : tensor<64x!tile.ptr<f32>>
  %sm = tile.splat %m : i32 -> tensor<64xi32>
  %o = arith.remsi %r, %sm : tensor<64xi32>
  %q = tile.addptr %ps, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %b = tile.load %q : tensor<64x!tile.ptr<f32>>
  %ks = tile.splat %k : i32 -> tensor<64xi32>
  %rk = arith.addi %r, %ks : tensor<64xi32>
  %ok = arith.remsi %rk, %sm4 : tensor<64xi32>
  %qk = tile.addptr %ps, %ok : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %c = tile.load %qk : tensor<64x!tile.ptr<f32>>
  %ou = arith.remui %rk, %sm4 : tensor<64xi32>
  %qu = tile.addptr %ps, %ou : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %d = tile.load %qu : tensor<64x!tile.ptr<f32>>
  tile.return
}

// p + (i - 2): starts 8 bytes before a multiple of 16. A zero extension of a
// sum that starts at -2 is consecutive in pairs: ..., 2^32 - 1, 0 is no step.

// CHECK-LABEL: tile.func @negative
// CHECK: <direct, width = 2, axis = 0>
// CHECK: <direct, width = 2, axis = 0>
// CHECK: <direct, width = 1, axis = 0>
// REMARK: [Missed] load {{.*}} Function=negative | {{.*}} Reason="pointer alignment 8 bytes", Width=2
// REMARK: [Missed] load {{.*}} Reason="addresses consecutive over 2 along dim 0", Width=2
// REMARK: [Missed] load {{.*}} Reason="addresses along dim 0 not affine", Width=1
tile.func @negative(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %n: i32) {
  %range = tile.arange : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %r = arith.subi %range, %two : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %a = tile.load %q : tensor<64x!tile.ptr<f32>>
  %z = arith.extui %r : tensor<64xi32> to tensor<64xi64>
  %qz = tile.addptr %ps, %z : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %b = tile.load %qz : tensor<64x!tile.ptr<f32>>
  %s = tile.splat %n : i32 -> tensor<64xi32>
  %o = arith.addi %r, %s : tensor<64xi32>
  %zn = arith.extui %o : tensor<64xi32> to tensor<64xi64>
  %qn = tile.addptr %ps, %zn : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %c = tile.load %qn : tensor<64x!tile.ptr<f32>>
  tile.return
}

// The worse of two pointers, for all elements or in groups of 2 (r < 6).

// CHECK-LABEL: tile.func @selected
// CHECK: <direct, width = 1, axis = 0>
// CHECK: <direct, width = 2, axis = 0>
// REMARK: [Missed] load {{.*}} Function=selected | {{.*}} Reason="pointer alignment 4 bytes", Width=1
// REMARK: [Missed] load {{.*}} Reason="addresses consecutive over 2 along dim 0", Width=2
tile.func @selected(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                    %q: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                    %u: !tile.ptr<f32>, %c: i1) {
  %r = tile.arange : tensor<64xi32>
  %either = arith.select %c, %p, %u : !tile.ptr<f32>
  %es = tile.splat %either : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ep = tile.addptr %es, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %a = tile.load %ep : tensor<64x!tile.ptr<f32>>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %pp = tile.addptr %ps, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %qp = tile.addptr %qs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %six = arith.constant dense<6> : tensor<64xi32>
  %m = arith.cmpi slt, %r, %six : tensor<64xi32>
  %mixed = arith.select %m, %pp, %qp : tensor<64xi1>, tensor<64x!tile.ptr<f32>>
  %b = tile.load %mixed : tensor<64x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @strides
// CHECK-COUNT-3: <direct, width = 1, axis = 0>
// REMARK: [Missed] load {{.*}} Function=strides | {{.*}} Reason="stride of dim 0 is 2", Width=1
// REMARK: [Missed] load {{.*}} Reason="stride of dim 0 unknown", Width=1
// REMARK: [Missed] load {{.*}} Reason="addresses along dim 0 not affine", Width=1
tile.func @strides(%p: !tile.ptr<i32> {tile.divisible_by = 16 : i32}, %s: i32) {
  %r = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %wr = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
  %two = arith.constant dense<2> : tensor<64xi64>
  %o2 = arith.muli %wr, %two : tensor<64xi64>
  %q2 = tile.addptr %ps, %o2 : tensor<64x!tile.ptr<i32>>, tensor<64xi64>
  %a = tile.load %q2 : tensor<64x!tile.ptr<i32>>
  %w = arith.extsi %s : i32 to i64
  %ss = tile.splat %w : i64 -> tensor<64xi64>
  %os = arith.muli %wr, %ss : tensor<64xi64>
  %qs = tile.addptr %ps, %os : tensor<64x!tile.ptr<i32>>, tensor<64xi64>
  %b = tile.load %qs : tensor<64x!tile.ptr<i32>>
  // A gather.
  %g = tile.addptr %ps, %b : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %c = tile.load %g : tensor<64x!tile.ptr<i32>>
  tile.return
}
