// Products of 8-bit floats where there is no instruction for them: on sm_80 and
// sm_86, and with K = 16 everywhere. They are widened to f16, whose instructions
// multiply them, or, where these do not fit either, multiplied as f32.

// RUN: tile-opt %s --target=sm_80 --emit=ptx -o - | %python %S/../Kernels/Inputs/ptx_profile.py 'mma|fma.rn.f32' | FileCheck %s
// RUN: tile-opt %s --target=sm_86 --emit=ptx -o - | %python %S/../Kernels/Inputs/ptx_profile.py 'mma|fma.rn.f32' | FileCheck %s
// RUN: tile-opt %s --target=sm_90a --emit=ptx -o - | %python %S/../Kernels/Inputs/ptx_profile.py 'mma|fma.rn.f32' | FileCheck %s
// RUN: %if ptxas %{ tile-opt %s --emit=cubin --target=sm_80 -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// RUN: %if ptxas %{ tile-opt %s --emit=cubin --target=sm_90a -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: 4 kernels

// 16 x 16 x 16: two of m16n8k16.
// CHECK: float8_kernel: 32 threads; 2 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32{{$}}
tile.func @float8_kernel(%x: !tile.ptr<f8E4M3FN>, %q: !tile.ptr<f8E5M2>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<256xi32>
  %o = tile.reshape %range : tensor<256xi32> -> tensor<16x16xi32>
  %as = tile.splat %x : !tile.ptr<f8E4M3FN> -> tensor<16x16x!tile.ptr<f8E4M3FN>>
  %pa = tile.addptr %as, %o : tensor<16x16x!tile.ptr<f8E4M3FN>>, tensor<16x16xi32>
  %a = tile.load %pa : tensor<16x16x!tile.ptr<f8E4M3FN>>
  %bs = tile.splat %q : !tile.ptr<f8E5M2> -> tensor<16x16x!tile.ptr<f8E5M2>>
  %pb = tile.addptr %bs, %o : tensor<16x16x!tile.ptr<f8E5M2>>, tensor<16x16xi32>
  %b = tile.load %pb : tensor<16x16x!tile.ptr<f8E5M2>>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %zero : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E5M2> -> tensor<16x16xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %py = tile.addptr %ys, %o : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %py, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// K = 4 is less than any: 256 sums over 32 lanes, 8 of 4 products each.
// CHECK: short_kernel: 32 threads; 32 fma.rn.f32{{$}}
tile.func @short_kernel(%x: !tile.ptr<f8E4M3FN>, %q: !tile.ptr<f8E5M2>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<256xi32>
  %o = tile.reshape %range : tensor<256xi32> -> tensor<16x16xi32>
  %range_s = tile.arange : tensor<64xi32>
  %oa = tile.reshape %range_s : tensor<64xi32> -> tensor<16x4xi32>
  %ob = tile.reshape %range_s : tensor<64xi32> -> tensor<4x16xi32>
  %as = tile.splat %x : !tile.ptr<f8E4M3FN> -> tensor<16x4x!tile.ptr<f8E4M3FN>>
  %pa = tile.addptr %as, %oa : tensor<16x4x!tile.ptr<f8E4M3FN>>, tensor<16x4xi32>
  %a = tile.load %pa : tensor<16x4x!tile.ptr<f8E4M3FN>>
  %bs = tile.splat %q : !tile.ptr<f8E5M2> -> tensor<4x16x!tile.ptr<f8E5M2>>
  %pb = tile.addptr %bs, %ob : tensor<4x16x!tile.ptr<f8E5M2>>, tensor<4x16xi32>
  %b = tile.load %pb : tensor<4x16x!tile.ptr<f8E5M2>>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %zero : tensor<16x4xf8E4M3FN>, tensor<4x16xf8E5M2> -> tensor<16x16xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %py = tile.addptr %ys, %o : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %py, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
