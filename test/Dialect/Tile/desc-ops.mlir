// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic > %t.source
// RUN: tile-opt %s | tile-opt --mlir-print-op-generic > %t.reparsed
// RUN: diff %t.source %t.reparsed

#BM = #tile.param<BM = 64>
!T = !tile.type_param<T = f16>
!window = !tile.desc<[#BM, 32], !T>

// Dimensions may be attributes; types are printed with numbers.
// CHECK-LABEL: tile.func @matrix
// CHECK: %[[DESC:.*]] = tile.make_desc %a, [%m, %k], [%s, %{{.*}}] : !tile.ptr<f16>, [i32, i64], [i64, i32] -> !tile.desc<64x32xf16>
// CHECK-NEXT: %[[TILE:.*]] = tile.desc_load %[[DESC]][%i, %k] : !tile.desc<64x32xf16>, {{\[}}i32, i64] -> tensor<64x32xf16>
// CHECK-NEXT: tile.desc_store %[[DESC]][%i, %k], %[[TILE]] : !tile.desc<64x32xf16>, [i32, i64], tensor<64x32xf16>
tile.func @matrix(%a: !tile.ptr<!T>, %m: i32, %k: i64, %s: i64, %i: i32) {
  %one = arith.constant 1 : i32
  %desc = tile.make_desc %a, [%m, %k], [%s, %one]
    : !tile.ptr<!T>, [i32, i64], [i64, i32] -> !window
  %x = tile.desc_load %desc[%i, %k] : !window, [i32, i64] -> tensor<64x32xf16>
  tile.desc_store %desc[%i, %k], %x : !window, [i32, i64], tensor<64x32xf16>
  tile.return
}

// CHECK-LABEL: tile.func @hints
// CHECK: tile.desc_load %{{.*}}[%n] cache(cg) evict(evict_first) {tag} : !tile.desc<128xf32>, [i32] -> tensor<128xf32>
// CHECK: tile.desc_store %{{.*}}[%n], %{{.*}} cache(cs) evict(evict_last) : !tile.desc<128xf32>, [i32], tensor<128xf32>
tile.func @hints(%p: !tile.ptr<f32>, %n: i32) {
  %row = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
  %x = tile.desc_load %row[%n] cache(cg) evict(evict_first) {tag} : !tile.desc<128xf32>, [i32] -> tensor<128xf32>
  tile.desc_store %row[%n], %x cache(cs) evict(evict_last) : !tile.desc<128xf32>, [i32], tensor<128xf32>
  tile.return
}

// The highest rank, one byte elements, and a descriptor that a loop carries.
// CHECK-LABEL: tile.func @rank5
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!tile.desc<1x2x4x8x16xi1>)
tile.func @rank5(%p: !tile.ptr<i1>, %n: i32) {
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %p, [%n, %n, %n, %n, %n], [%n, %n, %n, %n, %n]
    : !tile.ptr<i1>, [i32, i32, i32, i32, i32], [i32, i32, i32, i32, i32] -> !tile.desc<1x2x4x8x16xi1>
  %e = scf.for %i = %zero to %n step %n iter_args(%c = %d) -> (!tile.desc<1x2x4x8x16xi1>) : i32 {
    scf.yield %c : !tile.desc<1x2x4x8x16xi1>
  }
  %x = tile.desc_load %e[%n, %n, %n, %n, %n]
    : !tile.desc<1x2x4x8x16xi1>, [i32, i32, i32, i32, i32] -> tensor<1x2x4x8x16xi1>
  tile.return
}

// A map, with an origin; which dimension has the stride 1 does not matter, nor of
// which width that is.
// CHECK-LABEL: tile.func @mapped
// CHECK: tile.make_desc %p, [%m, %k], [%s, %{{.*}}] map %map[%m, %i] : !tile.tensor_map<16x32xf32, swizzle = 128> {tag} : !tile.ptr<f32>, [i32, i64], [i64, i32] -> !tile.desc<16x32xf32>
// CHECK-NEXT: tile.make_desc %p, [%k, %m], [%{{.*}}, %s] map %map[%i, %m] : !tile.tensor_map<16x32xf32, swizzle = 128> : !tile.ptr<f32>, [i64, i32], [i64, i64] -> !tile.desc<32x16xf32>
tile.func @mapped(%p: !tile.ptr<f32>, %m: i32, %k: i64, %s: i64, %i: i32, %map: !tile.tensor_map<16x32xf32, swizzle = 128>) {
  %one = arith.constant 1 : i32
  %one64 = arith.constant 1 : i64
  %d = tile.make_desc %p, [%m, %k], [%s, %one] map %map[%m, %i] : !tile.tensor_map<16x32xf32, swizzle = 128> {tag} : !tile.ptr<f32>, [i32, i64], [i64, i32] -> !tile.desc<16x32xf32>
  %e = tile.make_desc %p, [%k, %m], [%one64, %s] map %map[%i, %m] : !tile.tensor_map<16x32xf32, swizzle = 128> : !tile.ptr<f32>, [i64, i32], [i64, i64] -> !tile.desc<32x16xf32>
  tile.return
}
