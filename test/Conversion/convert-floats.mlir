// Conversions of 8-bit floats: cvt.rn.satfinite on pairs where the target has
// it, else integer arithmetic, which float8-software.test runs.

// RUN: tile-opt %s --target=sm_90a --emit=ptx -o - | FileCheck %s --check-prefixes=CHECK,CVT
// RUN: tile-opt %s --target=sm_89 --emit=ptx -o - | FileCheck %s --check-prefixes=CHECK,CVT
// RUN: tile-opt %s --target=sm_86 --emit=ptx -o - | FileCheck %s --check-prefixes=CHECK,SOFT
// RUN: tile-opt %s --target=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=NONE

// No such instruction on sm_80, in no kernel.
// NONE: .target sm_80
// NONE-NOT: e4m3x2
// NONE-NOT: e5m2x2
// NONE-NOT: satfinite

// The first operand becomes the upper byte: the second of two elements.
// CHECK-LABEL: .entry f32_e4m3_kernel(
// CHECK: ld.global.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}
// CVT: cvt.rn.satfinite.e4m3x2.f32 [[AB:%rs[0-9]+]], [[B]], [[A]];
// CVT: cvt.rn.satfinite.e4m3x2.f32 [[CD:%rs[0-9]+]], [[D]], [[C]];
// CVT: st.global.v2.b16 {{.*}}, {[[AB]], [[CD]]};
// NaN; bits of 448; exponent field of 2^-6.
// SOFT: setp.gt.u32 {{.*}}, 2139095040;
// SOFT: min.u32 {{.*}}, 1138753536;
// SOFT: max.u32 {{.*}}, 121;
tile.func @f32_e4m3_kernel(%x: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<f8E4M3FN> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %px = tile.addptr %xs, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %px : tensor<128x!tile.ptr<f32>>
  %q = tile.convert %v : tensor<128xf32> -> tensor<128xf8E4M3FN>
  %ys = tile.splat %y : !tile.ptr<f8E4M3FN> -> tensor<128x!tile.ptr<f8E4M3FN>>
  %py = tile.addptr %ys, %r : tensor<128x!tile.ptr<f8E4M3FN>>, tensor<128xi32>
  tile.store %py, %q : tensor<128x!tile.ptr<f8E4M3FN>>
  tile.return
}

// CHECK-LABEL: .entry f16_e5m2_kernel(
// CVT: ld.global.v2.b32 {[[AB:%r[0-9]+]], [[CD:%r[0-9]+]]}
// CVT: cvt.rn.satfinite.e5m2x2.f16x2 {{%rs[0-9]+}}, [[AB]];
// CVT: cvt.rn.satfinite.e5m2x2.f16x2 {{%rs[0-9]+}}, [[CD]];
// Exact; bits of 57344; exponent field of 2^-14.
// SOFT: cvt.f32.f16
// SOFT: min.u32 {{.*}}, 1197473792;
// SOFT: max.u32 {{.*}}, 113;
tile.func @f16_e5m2_kernel(%x: !tile.ptr<f16> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<f8E5M2> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<128x!tile.ptr<f16>>
  %px = tile.addptr %xs, %r : tensor<128x!tile.ptr<f16>>, tensor<128xi32>
  %v = tile.load %px : tensor<128x!tile.ptr<f16>>
  %q = tile.convert %v : tensor<128xf16> -> tensor<128xf8E5M2>
  %ys = tile.splat %y : !tile.ptr<f8E5M2> -> tensor<128x!tile.ptr<f8E5M2>>
  %py = tile.addptr %ys, %r : tensor<128x!tile.ptr<f8E5M2>>, tensor<128xi32>
  tile.store %py, %q : tensor<128x!tile.ptr<f8E5M2>>
  tile.return
}

// f64 to odd f32 first: towards zero, and the last bit set when that was not
// exact.
// CHECK-LABEL: .entry f64_e5m2_kernel(
// CHECK: cvt.rz.f32.f64 [[LOW:%r[0-9]+]], [[X:%rd[0-9]+]];
// CHECK: cvt.f64.f32 [[BACK:%rd[0-9]+]], [[LOW]];
// CHECK: setp.neu.f64 [[INEXACT:%p[0-9]+]], [[X]], [[BACK]];
// CHECK: selp.b32 [[LAST:%r[0-9]+]], 1, 0, [[INEXACT]];
// CHECK: or.b32 [[ODD:%r[0-9]+]], [[LOW]], [[LAST]];
// CVT: cvt.rn.satfinite.e5m2x2.f32 {{%rs[0-9]+}}, {{%r[0-9]+}}, [[ODD]];
tile.func @f64_e5m2_kernel(%x: !tile.ptr<f64> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<f8E5M2> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f64> -> tensor<64x!tile.ptr<f64>>
  %px = tile.addptr %xs, %r : tensor<64x!tile.ptr<f64>>, tensor<64xi32>
  %v = tile.load %px : tensor<64x!tile.ptr<f64>>
  %q = tile.convert %v : tensor<64xf64> -> tensor<64xf8E5M2>
  %ys = tile.splat %y : !tile.ptr<f8E5M2> -> tensor<64x!tile.ptr<f8E5M2>>
  %py = tile.addptr %ys, %r : tensor<64x!tile.ptr<f8E5M2>>, tensor<64xi32>
  tile.store %py, %q : tensor<64x!tile.ptr<f8E5M2>>
  tile.return
}

// CHECK-LABEL: .entry e4m3_f32_kernel(
// CVT-COUNT-2: cvt.rn.f16x2.e4m3x2
// f16 bits of 2^8, twice.
// SOFT: mov.b32 [[SCALE:%r[0-9]+]], 1543527424;
// SOFT: mul.f16x2 {{.*}}, [[SCALE]];
// CHECK-COUNT-4: cvt.f32.f16
tile.func @e4m3_f32_kernel(%x: !tile.ptr<f8E4M3FN> {tile.divisible_by = 16 : i32},
                          %y: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f8E4M3FN> -> tensor<128x!tile.ptr<f8E4M3FN>>
  %px = tile.addptr %xs, %r : tensor<128x!tile.ptr<f8E4M3FN>>, tensor<128xi32>
  %v = tile.load %px : tensor<128x!tile.ptr<f8E4M3FN>>
  %q = tile.convert %v : tensor<128xf8E4M3FN> -> tensor<128xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %py = tile.addptr %ys, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %py, %q : tensor<128x!tile.ptr<f32>>
  tile.return
}

// One element a thread: a pair of it with itself.
// CHECK-LABEL: .entry e5m2_e4m3_kernel(
// CVT: ld.global.b8 [[X:%rs[0-9]+]]
// CVT: shl.b16 [[UPPER:%rs[0-9]+]], [[X]], 8;
// CVT: or.b16 [[PAIR:%rs[0-9]+]], [[X]], [[UPPER]];
// CVT: cvt.rn.f16x2.e5m2x2 {{%r[0-9]+}}, [[PAIR]];
// CVT: cvt.rn.satfinite.e4m3x2.f16x2
// SOFT: shl.b16 {{.*}}, 8;
// SOFT: cvt.f32.f16
// SOFT: min.u32 {{.*}}, 1138753536;
tile.func @e5m2_e4m3_kernel(%x: !tile.ptr<f8E5M2> {tile.divisible_by = 16 : i32},
                           %y: !tile.ptr<f8E4M3FN> {tile.divisible_by = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f8E5M2> -> tensor<32x!tile.ptr<f8E5M2>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<f8E5M2>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f8E5M2>>
  %q = tile.convert %v : tensor<32xf8E5M2> -> tensor<32xf8E4M3FN>
  %ys = tile.splat %y : !tile.ptr<f8E4M3FN> -> tensor<32x!tile.ptr<f8E4M3FN>>
  %py = tile.addptr %ys, %r : tensor<32x!tile.ptr<f8E4M3FN>>, tensor<32xi32>
  tile.store %py, %q : tensor<32x!tile.ptr<f8E4M3FN>>
  tile.return
}

// In a combine region as well: a sum of 8-bit floats, rounded at each step, and
// without negative results.
// CHECK-LABEL: .entry sum_kernel(
// CVT: cvt.rn.f16x2.e4m3x2
// CHECK: add.{{(rn\.)?}}f32
// CVT: cvt.rn.satfinite.e4m3x2.f32
// CHECK: shfl.sync.bfly
tile.func @sum_kernel(%x: !tile.ptr<f8E4M3FN> {tile.divisible_by = 16 : i32},
                      %y: !tile.ptr<f8E4M3FN>) {
  %r = tile.arange : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f8E4M3FN> -> tensor<128x!tile.ptr<f8E4M3FN>>
  %px = tile.addptr %xs, %r : tensor<128x!tile.ptr<f8E4M3FN>>, tensor<128xi32>
  %v = tile.load %px : tensor<128x!tile.ptr<f8E4M3FN>>
  %sum = tile.reduce %v axis 0 : (tensor<128xf8E4M3FN>) -> f8E4M3FN {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN):
    %aw = tile.convert %a : f8E4M3FN -> f32
    %bw = tile.convert %b : f8E4M3FN -> f32
    %s = arith.addf %aw, %bw : f32
    %n = tile.convert %s : f32 -> f8E4M3FN
    %zero = arith.constant 0.0 : f8E4M3FN
    %zf = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %s, %zf : f32
    %best = arith.select %positive, %n, %zero : f8E4M3FN
    tile.reduce.return %best : f8E4M3FN
  }
  tile.store %y, %sum : !tile.ptr<f8E4M3FN>
  tile.return
}
