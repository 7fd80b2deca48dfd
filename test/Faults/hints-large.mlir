// Hints that are odd but allowed: a divisor of 2^62, 1, and stages where nothing can
// be staged.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.json
// RUN: %if ptxas %{ tile-opt %s --emit=cubin -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: 2 kernels

// Of a pointer that is a multiple of 2^62 and an offset that is one, 16 bytes are what
// an access makes use of. An i32 that 2^62 divides is 0.
// CHECK-LABEL: .entry huge_kernel(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// PLAN: 4611686018427387904
tile.func @huge_kernel(%x: !tile.ptr<f32> {tile.divisible_by = 4611686018427387904 : i64},
                       %n: i32 {tile.divisible_by = 4611686018427387904 : i64}) {
  %range = tile.arange : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %offsets = arith.addi %range, %ns : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %px = tile.addptr %xs, %offsets : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %px : tensor<1024x!tile.ptr<f32>>
  %w = arith.negf %v : tensor<1024xf32>
  tile.store %px, %w : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// A loop of one stage and one of 64 compile to what they would without.
// CHECK-LABEL: .entry stages_kernel(
// CHECK: ld.global.b32
tile.func @stages_kernel(%x: !tile.ptr<f32> {tile.divisible_by = 1 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.for %j = %zero to %n step %one : i32 {
      %v = tile.load %x : !tile.ptr<f32>
      tile.store %x, %v : !tile.ptr<f32>
    } {tile.num_stages = 64 : i32}
  } {tile.num_stages = 1 : i32}
  tile.return
}
