// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic > %t.source
// RUN: tile-opt %s | tile-opt --mlir-print-op-generic > %t.reparsed
// RUN: diff %t.source %t.reparsed

// CHECK-LABEL: tile.func private @dots
// CHECK-NEXT: tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
// CHECK-NEXT: tile.dot %a, %b, %d {tag} : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf16>
// CHECK-NEXT: tile.dot %e, %e, %e : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
// CHECK-NEXT: tile.dot %e, %e, %e precision(ieee) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
// CHECK-NEXT: tile.dot %f, %g, %h : tensor<2x4x8xi8>, tensor<2x8x16xi8> -> tensor<2x4x16xi32>
tile.func private @dots(%a: tensor<16x32xf16>, %b: tensor<32x64xf16>, %c: tensor<16x64xf32>,
                        %d: tensor<16x64xf16>, %e: tensor<16x16xf32>,
                        %f: tensor<2x4x8xi8>, %g: tensor<2x8x16xi8>, %h: tensor<2x4x16xi32>) {
  %0 = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
  %1 = tile.dot %a, %b, %d {tag} : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf16>
  %2 = tile.dot %e, %e, %e precision(tf32) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %3 = tile.dot %e, %e, %e precision(ieee) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %4 = tile.dot %f, %g, %h : tensor<2x4x8xi8>, tensor<2x8x16xi8> -> tensor<2x4x16xi32>
  tile.return
}

// The other products of the table.
// CHECK-LABEL: tile.func private @products
// CHECK-COUNT-6: tile.dot
tile.func private @products(%a: tensor<4x4xbf16>, %b: tensor<4x4xf8E4M3FN>, %c: tensor<4x4xf8E5M2>,
                            %d: tensor<4x4xf32>, %e: tensor<4x4xf64>) {
  %0 = tile.dot %a, %a, %d : tensor<4x4xbf16>, tensor<4x4xbf16> -> tensor<4x4xf32>
  %1 = tile.dot %b, %b, %d : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN> -> tensor<4x4xf32>
  %2 = tile.dot %b, %c, %d : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E5M2> -> tensor<4x4xf32>
  %3 = tile.dot %c, %b, %d : tensor<4x4xf8E5M2>, tensor<4x4xf8E4M3FN> -> tensor<4x4xf32>
  %4 = tile.dot %c, %c, %d : tensor<4x4xf8E5M2>, tensor<4x4xf8E5M2> -> tensor<4x4xf32>
  %5 = tile.dot %e, %e, %e : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  tile.return
}

// CHECK-LABEL: tile.func @atomics
// CHECK: tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw max acquire cta %p, %n, %m : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw min release sys %p, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw umax acq_rel gpu %p, %n {tag} : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw umin relaxed gpu %p, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw and relaxed gpu %p, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw or relaxed gpu %p, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw xor relaxed gpu %p, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_rmw xchg relaxed gpu %q, %x : !tile.ptr<f32>
// CHECK-NEXT: tile.atomic_rmw add relaxed gpu %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x!tile.ptr<f32>>
// CHECK-NEXT: tile.atomic_cas acquire gpu %p, %n, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_cas acq_rel sys %p, %n, %n {tag} : !tile.ptr<i32>
tile.func @atomics(%p: !tile.ptr<i32>, %q: !tile.ptr<f32>, %n: i32, %x: f32, %m: i1) {
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %xs = tile.splat %x : f32 -> tensor<4xf32>
  %ms = tile.splat %m : i1 -> tensor<4xi1>
  %0 = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  %1 = tile.atomic_rmw max acquire cta %p, %n, %m : !tile.ptr<i32>
  %2 = tile.atomic_rmw min release sys %p, %n : !tile.ptr<i32>
  %3 = tile.atomic_rmw umax acq_rel gpu %p, %n {tag} : !tile.ptr<i32>
  %4 = tile.atomic_rmw umin relaxed gpu %p, %n : !tile.ptr<i32>
  %5 = tile.atomic_rmw and relaxed gpu %p, %n : !tile.ptr<i32>
  %6 = tile.atomic_rmw or relaxed gpu %p, %n : !tile.ptr<i32>
  %7 = tile.atomic_rmw xor relaxed gpu %p, %n : !tile.ptr<i32>
  %8 = tile.atomic_rmw xchg relaxed gpu %q, %x : !tile.ptr<f32>
  %9 = tile.atomic_rmw add relaxed gpu %qs, %xs, %ms : tensor<4x!tile.ptr<f32>>
  %10 = tile.atomic_cas acquire gpu %p, %n, %n : !tile.ptr<i32>
  %11 = tile.atomic_cas acq_rel sys %p, %n, %n {tag} : !tile.ptr<i32>
  tile.return
}

// CHECK-LABEL: tile.func @diagnostics
// CHECK: %[[R:.*]] = tile.arange
// CHECK-NEXT: tile.print "n", %n : i32
// CHECK-NEXT: tile.print "range", %[[R]] {tag} : tensor<4xi32>
// CHECK-NEXT: tile.assert %m, "m holds" {tag} : i1
// CHECK-NEXT: tile.inline_ptx "brev.b32 $0, $1;"(%n) : (i32) -> i32
// CHECK-NEXT: tile.inline_ptx "add.s32 $0, $1, $2;"(%[[R]], %[[R]]) {tag} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
tile.func @diagnostics(%n: i32, %m: i1) {
  %r = tile.arange : tensor<4xi32>
  tile.print "n", %n : i32
  tile.print "range", %r {tag} : tensor<4xi32>
  tile.assert %m, "m holds" {tag} : i1
  %0 = tile.inline_ptx "brev.b32 $0, $1;"(%n) : (i32) -> i32
  %1 = tile.inline_ptx "add.s32 $0, $1, $2;"(%r, %r) {tag} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  tile.return
}
