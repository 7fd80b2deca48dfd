// Integers to floats and back. Integers round to nearest even, once: bf16 goes
// through f32 rounded to odd where f32 does not hold the integer. What an integer
// type does not contain is unspecified: cvt.rzi clamps, nothing is added.

// RUN: tile-opt %s --target=sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tile-opt %s --target=sm_90a --emit=ptx -o - | FileCheck %s

// CHECK-LABEL: .entry s32_f32_kernel(
// CHECK: cvt.rn.f32.s32
tile.func @s32_f32_kernel(%x: !tile.ptr<i32> {tile.divisible_by = 16 : i32},
                         %y: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<i32>>
  %q = arith.sitofp %v : tensor<32xi32> to tensor<32xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: .entry u64_f16_kernel(
// CHECK-NOT: .f32
// CHECK: cvt.rn.f16.u64
tile.func @u64_f16_kernel(%x: !tile.ptr<i64> {tile.divisible_by = 16 : i32},
                         %y: !tile.ptr<f16> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<i64>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<i64>>
  %q = arith.uitofp %v : tensor<32xi64> to tensor<32xf16>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<f16>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<f16>>
  tile.return
}

// CHECK-LABEL: .entry s32_bf16_kernel(
// CHECK: ld.global.b32 [[X:%r[0-9]+]]
// CHECK: cvt.rz.f32.s32 [[LOW:%r[0-9]+]], [[X]];
// CHECK: cvt.rzi.s32.f32 [[BACK:%r[0-9]+]], [[LOW]];
// CHECK: setp.ne.b32 [[INEXACT:%p[0-9]+]], [[X]], [[BACK]];
// CHECK: selp.b32 [[LAST:%r[0-9]+]], 1, 0, [[INEXACT]];
// CHECK: or.b32 [[ODD:%r[0-9]+]], [[LOW]], [[LAST]];
// CHECK: cvt.rn.bf16.f32 {{%rs[0-9]+}}, [[ODD]];
tile.func @s32_bf16_kernel(%x: !tile.ptr<i32> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<bf16> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<i32>>
  %q = arith.sitofp %v : tensor<32xi32> to tensor<32xbf16>
  %ys = tile.splat %y : !tile.ptr<bf16> -> tensor<32x!tile.ptr<bf16>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<bf16>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<bf16>>
  tile.return
}

// CHECK-LABEL: .entry u64_bf16_kernel(
// CHECK: cvt.rz.f32.u64 [[LOW:%r[0-9]+]]
// CHECK: cvt.rzi.u64.f32 {{%rd[0-9]+}}, [[LOW]];
// CHECK: cvt.rn.bf16.f32
tile.func @u64_bf16_kernel(%x: !tile.ptr<i64> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<bf16> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<i64>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<i64>>
  %q = arith.uitofp %v : tensor<32xi64> to tensor<32xbf16>
  %ys = tile.splat %y : !tile.ptr<bf16> -> tensor<32x!tile.ptr<bf16>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<bf16>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<bf16>>
  tile.return
}

// f32 holds every i16.
// CHECK-LABEL: .entry s16_bf16_kernel(
// CHECK-NOT: .rz
// CHECK: cvt.rn.{{bf16|f32}}.s16
tile.func @s16_bf16_kernel(%x: !tile.ptr<i16> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<bf16> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i16> -> tensor<32x!tile.ptr<i16>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<i16>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<i16>>
  %q = arith.sitofp %v : tensor<32xi16> to tensor<32xbf16>
  %ys = tile.splat %y : !tile.ptr<bf16> -> tensor<32x!tile.ptr<bf16>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<bf16>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<bf16>>
  tile.return
}

// -1.0, not 1.0.
// CHECK-LABEL: .entry bool_f32_kernel(
// CHECK: selp.f32 {{.*}}, 0fBF800000, 0f00000000
tile.func @bool_f32_kernel(%x: !tile.ptr<i1> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i1> -> tensor<32x!tile.ptr<i1>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<i1>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<i1>>
  %q = arith.sitofp %v : tensor<32xi1> to tensor<32xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: .entry f32_s32_kernel(
// CHECK: cvt.rzi.s32.f32 [[Q:%r[0-9]+]]
// CHECK-NOT: selp
// CHECK: st.global.b32 {{.*}}, [[Q]];
tile.func @f32_s32_kernel(%x: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                         %y: !tile.ptr<i32> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f32>>
  %q = arith.fptosi %v : tensor<32xf32> to tensor<32xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<i32>>
  tile.return
}

// CHECK-LABEL: .entry f64_u64_kernel(
// CHECK: cvt.rzi.u64.f64
tile.func @f64_u64_kernel(%x: !tile.ptr<f64> {tile.divisible_by = 16 : i32},
                         %y: !tile.ptr<i64> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f64> -> tensor<32x!tile.ptr<f64>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<f64>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f64>>
  %q = arith.fptoui %v : tensor<32xf64> to tensor<32xi64>
  %ys = tile.splat %y : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<i64>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<i64>>
  tile.return
}

// CHECK-LABEL: .entry f16_s8_kernel(
// CHECK: cvt.rzi.s16.f16
tile.func @f16_s8_kernel(%x: !tile.ptr<f16> {tile.divisible_by = 16 : i32},
                        %y: !tile.ptr<i8> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<f16>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f16>>
  %q = arith.fptosi %v : tensor<32xf16> to tensor<32xi8>
  %ys = tile.splat %y : !tile.ptr<i8> -> tensor<32x!tile.ptr<i8>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<i8>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<i8>>
  tile.return
}

// The number decides, not its bits: -0.0 and 0.5 are false.
// CHECK-LABEL: .entry f32_bool_kernel(
// CHECK: cvt.rzi.u32.f32 [[N:%r[0-9]+]]
// CHECK: setp.ne.b32 [[P:%p[0-9]+]], [[N]], 0;
// CHECK: selp.b16 {{%rs[0-9]+}}, 1, 0, [[P]];
tile.func @f32_bool_kernel(%x: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<i1> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f32>>
  %q = arith.fptoui %v : tensor<32xf32> to tensor<32xi1>
  %ys = tile.splat %y : !tile.ptr<i1> -> tensor<32x!tile.ptr<i1>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<i1>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<i1>>
  tile.return
}
