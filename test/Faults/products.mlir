// Faults of matrix products: a product of a product's transposed result, operands
// that come from arithmetic, a conversion or a reduction, tiles smaller than an
// instruction or than the number of warps, batches.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %python %S/../Kernels/Inputs/ptx_profile.py 'mma|fma|bar|ldmatrix' < %t.ptx | FileCheck %s --check-prefix=PROFILE
// RUN: %if ptxas %{ tile-opt %s --emit=cubin -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// RUN: %if ptxas %{ tile-opt %s --emit=cubin --target=sm_80 -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: 14 kernels

!f = tensor<32x32xf32>
!h = tensor<32x32xf16>
!pf = tensor<32x32x!tile.ptr<f32>>
!ph = tensor<32x32x!tile.ptr<f16>>
!o = tensor<32x32xi32>

tile.func private @offsets() -> !o {
  %range = tile.arange : tensor<1024xi32>
  %offsets = tile.reshape %range : tensor<1024xi32> -> !o
  tile.return %offsets : !o
}
tile.func private @load(%x: !tile.ptr<f16>) -> !h {
  %offsets = tile.call @offsets() : () -> !o
  %xs = tile.splat %x : !tile.ptr<f16> -> !ph
  %px = tile.addptr %xs, %offsets : !ph, !o
  %v = tile.load %px : !ph
  tile.return %v : !h
}
tile.func private @store(%x: !tile.ptr<f32>, %v: !f) {
  %offsets = tile.call @offsets() : () -> !o
  %xs = tile.splat %x : !tile.ptr<f32> -> !pf
  %px = tile.addptr %xs, %offsets : !pf, !o
  tile.store %px, %v : !pf
  tile.return
}

// 32 x 32 x 32 in four warps: 2 x 4 x 2 = 16 instructions, 4 a warp; two products.
// CHECK-LABEL: .entry transposed_result_kernel(
// PROFILE: transposed_result_kernel: 128 threads; {{.*}} 8 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
tile.func @transposed_result_kernel(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = tile.call @load(%x) : (!tile.ptr<f16>) -> !h
  %zero = arith.constant dense<0.0> : !f
  %s = tile.dot %a, %a, %zero : !h, !h -> !f
  %p = tile.convert %s : !f -> !h
  %t = tile.trans %p, [1, 0] : !h -> !h
  %d = tile.dot %t, %a, %zero : !h, !h -> !f
  tile.call @store(%y, %d) : (!tile.ptr<f32>, !f) -> ()
  tile.return
}

// The same value as A, as B and, transposed, as A again.
// CHECK-LABEL: .entry one_value_kernel(
// PROFILE: one_value_kernel: 128 threads; {{.*}} 8 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
tile.func @one_value_kernel(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = tile.call @load(%x) : (!tile.ptr<f16>) -> !h
  %zero = arith.constant dense<0.0> : !f
  %s = tile.dot %a, %a, %zero : !h, !h -> !f
  %t = tile.trans %a, [1, 0] : !h -> !h
  %d = tile.dot %t, %a, %s : !h, !h -> !f
  tile.call @store(%y, %d) : (!tile.ptr<f32>, !f) -> ()
  tile.return
}

// Operands from arithmetic, and from an 8-bit float that was converted.
// CHECK-LABEL: .entry arithmetic_kernel(
// CHECK: add{{(.rn)?}}.{{(f16x2|f16|rn.f16)}}
// PROFILE: arithmetic_kernel: 128 threads; {{.*}} 4 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
tile.func @arithmetic_kernel(%x: !tile.ptr<f16>, %q: !tile.ptr<f8E5M2>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = tile.call @load(%x) : (!tile.ptr<f16>) -> !h
  %sum = arith.addf %a, %a : !h
  %offsets = tile.call @offsets() : () -> !o
  %qs = tile.splat %q : !tile.ptr<f8E5M2> -> tensor<32x32x!tile.ptr<f8E5M2>>
  %pq = tile.addptr %qs, %offsets : tensor<32x32x!tile.ptr<f8E5M2>>, !o
  %v = tile.load %pq : tensor<32x32x!tile.ptr<f8E5M2>>
  %b = tile.convert %v : tensor<32x32xf8E5M2> -> !h
  %zero = arith.constant dense<0.0> : !f
  %d = tile.dot %sum, %b, %zero : !h, !h -> !f
  tile.call @store(%y, %d) : (!tile.ptr<f32>, !f) -> ()
  tile.return
}

// Operands from a reduction, its result spread over the rows again.
// CHECK-LABEL: .entry reduction_kernel(
// CHECK: shfl.sync.bfly
// PROFILE: reduction_kernel: 128 threads; {{.*}} 4 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
tile.func @reduction_kernel(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = tile.call @load(%x) : (!tile.ptr<f16>) -> !h
  %max = tile.reduce %a axis 1 with arith.maximumf : (!h) -> tensor<32xf16>
  %column = tile.expand_dims %max, 1 : tensor<32xf16> -> tensor<32x1xf16>
  %b = tile.broadcast %column : tensor<32x1xf16> -> !h
  %zero = arith.constant dense<0.0> : !f
  %d = tile.dot %a, %b, %zero : !h, !h -> !f
  // ... and a reduction of the result.
  %sum = tile.reduce %d axis 0 with arith.addf : (!f) -> tensor<32xf32>
  %row = tile.expand_dims %sum, 0 : tensor<32xf32> -> tensor<1x32xf32>
  %e = tile.broadcast %row : tensor<1x32xf32> -> !f
  tile.call @store(%y, %e) : (!tile.ptr<f32>, !f) -> ()
  tile.return
}

// K = 4 is less than an instruction's 8: 16 x 16 sums over 32 lanes are 8 of 4
// products each.
// CHECK-LABEL: .entry small_k_kernel(
// PROFILE: small_k_kernel: 32 threads; {{.*}} 32 fma.rn.f32
// K = 1: a product of a column and a row.
// CHECK-LABEL: .entry outer_kernel(
// PROFILE: outer_kernel: 32 threads; {{.*}} 8 fma.rn.f32
tile.func @small_k_kernel(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<64xi32>
  %oa = tile.reshape %range : tensor<64xi32> -> tensor<16x4xi32>
  %ob = tile.reshape %range : tensor<64xi32> -> tensor<4x16xi32>
  %as = tile.splat %x : !tile.ptr<f16> -> tensor<16x4x!tile.ptr<f16>>
  %bs = tile.splat %x : !tile.ptr<f16> -> tensor<4x16x!tile.ptr<f16>>
  %pa = tile.addptr %as, %oa : tensor<16x4x!tile.ptr<f16>>, tensor<16x4xi32>
  %pb = tile.addptr %bs, %ob : tensor<4x16x!tile.ptr<f16>>, tensor<4x16xi32>
  %a = tile.load %pa : tensor<16x4x!tile.ptr<f16>>
  %b = tile.load %pb : tensor<4x16x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %zero : tensor<16x4xf16>, tensor<4x16xf16> -> tensor<16x16xf32>
  %range2 = tile.arange : tensor<256xi32>
  %oc = tile.reshape %range2 : tensor<256xi32> -> tensor<16x16xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %py = tile.addptr %ys, %oc : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %py, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
tile.func @outer_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %px : tensor<16x!tile.ptr<f32>>
  %a = tile.expand_dims %v, 1 : tensor<16xf32> -> tensor<16x1xf32>
  %b = tile.expand_dims %v, 0 : tensor<16xf32> -> tensor<1x16xf32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %zero : tensor<16x1xf32>, tensor<1x16xf32> -> tensor<16x16xf32>
  %range2 = tile.arange : tensor<256xi32>
  %oc = tile.reshape %range2 : tensor<256xi32> -> tensor<16x16xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %py = tile.addptr %ys, %oc : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %py, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// Batches: four products of 16 x 8 x 16 in one warp, and the same without tensor cores,
// 4 * 128 / 32 = 16 sums of 8 products.
// CHECK-LABEL: .entry batch_kernel(
// PROFILE: batch_kernel: 32 threads; {{.*}} 128 fma.rn.f32, {{.*}} 4 mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
tile.func @batch_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<512xi32>
  %oa = tile.reshape %range : tensor<512xi32> -> tensor<4x16x8xi32>
  %as = tile.splat %x : !tile.ptr<f32> -> tensor<4x16x8x!tile.ptr<f32>>
  %pa = tile.addptr %as, %oa : tensor<4x16x8x!tile.ptr<f32>>, tensor<4x16x8xi32>
  %a = tile.load %pa : tensor<4x16x8x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<4x16x8xf32>
  %range2 = tile.arange : tensor<256xi32>
  %ob = tile.reshape %range2 : tensor<256xi32> -> tensor<4x8x8xi32>
  %bs = tile.splat %x : !tile.ptr<f32> -> tensor<4x8x8x!tile.ptr<f32>>
  %pb = tile.addptr %bs, %ob : tensor<4x8x8x!tile.ptr<f32>>, tensor<4x8x8xi32>
  %b = tile.load %pb : tensor<4x8x8x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %zero : tensor<4x16x8xf32>, tensor<4x8x8xf32> -> tensor<4x16x8xf32>
  %e = tile.dot %d, %b, %zero precision(ieee) : tensor<4x16x8xf32>, tensor<4x8x8xf32> -> tensor<4x16x8xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<4x16x8x!tile.ptr<f32>>
  %py = tile.addptr %ys, %oa : tensor<4x16x8x!tile.ptr<f32>>, tensor<4x16x8xi32>
  tile.store %py, %e : tensor<4x16x8x!tile.ptr<f32>>
  tile.return
}
