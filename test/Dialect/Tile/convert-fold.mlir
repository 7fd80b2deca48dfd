// Constants fold with one rounding, to nearest even, and saturate in 8 bits.
// Largest numbers: 448 of f8E4M3FN, 57344 of f8E5M2.

// RUN: tile-opt %s --canonicalize | FileCheck %s

// Half way to 480, which is NaN.
// CHECK-LABEL: tile.func @c1(
// CHECK-NEXT: %[[C:.*]] = arith.constant 4.480000e+02 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c1(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 464.0 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// Overflow.
// CHECK-LABEL: tile.func @c2(
// CHECK-NEXT: %[[C:.*]] = arith.constant -4.480000e+02 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c2(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant -1.0e9 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// Infinity.
// CHECK-LABEL: tile.func @c3(
// CHECK-NEXT: %[[C:.*]] = arith.constant 4.480000e+02 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c3(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 0x7F800000 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// NaN stays one.
// CHECK-LABEL: tile.func @c4(
// CHECK-NEXT: %[[C:.*]] = arith.constant 0x7F : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c4(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 0x7FC00000 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// Negative zero.
// CHECK-LABEL: tile.func @c5(
// CHECK-NEXT: %[[C:.*]] = arith.constant -0.000000e+00 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c5(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant -0.0 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// A tie; the even code is below.
// CHECK-LABEL: tile.func @c6(
// CHECK-NEXT: %[[C:.*]] = arith.constant 1.000000e+00 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c6(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 1.0625 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// A tie; the even code is above.
// CHECK-LABEL: tile.func @c7(
// CHECK-NEXT: %[[C:.*]] = arith.constant 1.250000e+00 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c7(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 1.1875 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// 2^-10: half of the smallest denormal.
// CHECK-LABEL: tile.func @c8(
// CHECK-NEXT: %[[C:.*]] = arith.constant 0.000000e+00 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c8(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 0x3A800000 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// The next f32 above it.
// CHECK-LABEL: tile.func @c9(
// CHECK-NEXT: %[[C:.*]] = arith.constant 1.953130e-03 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c9(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 0x3A800001 : f32
  %q = tile.convert %c : f32 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// Above a tie by 2^-52: by way of f32 it would be one.
// CHECK-LABEL: tile.func @c10(
// CHECK-NEXT: %[[C:.*]] = arith.constant 1.125000e+00 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c10(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 1.0625000000000002 : f64
  %q = tile.convert %c : f64 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// Half way to 65536.
// CHECK-LABEL: tile.func @c11(
// CHECK-NEXT: %[[C:.*]] = arith.constant 5.734400e+04 : f8E5M2
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c11(%y: !tile.ptr<f8E5M2>) {
  %c = arith.constant 61440.0 : f32
  %q = tile.convert %c : f32 -> f8E5M2
  tile.store %y, %q : !tile.ptr<f8E5M2>
  tile.return
}

// Negative infinity.
// CHECK-LABEL: tile.func @c12(
// CHECK-NEXT: %[[C:.*]] = arith.constant -5.734400e+04 : f8E5M2
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c12(%y: !tile.ptr<f8E5M2>) {
  %c = arith.constant 0xFC00 : f16
  %q = tile.convert %c : f16 -> f8E5M2
  tile.store %y, %q : !tile.ptr<f8E5M2>
  tile.return
}

// Between the 8-bit types.
// CHECK-LABEL: tile.func @c13(
// CHECK-NEXT: %[[C:.*]] = arith.constant 4.480000e+02 : f8E5M2
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c13(%y: !tile.ptr<f8E5M2>) {
  %c = arith.constant 448.0 : f8E4M3FN
  %q = tile.convert %c : f8E4M3FN -> f8E5M2
  tile.store %y, %q : !tile.ptr<f8E5M2>
  tile.return
}

// Infinity of f8E5M2.
// CHECK-LABEL: tile.func @c14(
// CHECK-NEXT: %[[C:.*]] = arith.constant 4.480000e+02 : f8E4M3FN
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c14(%y: !tile.ptr<f8E4M3FN>) {
  %c = arith.constant 0x7C : f8E5M2
  %q = tile.convert %c : f8E5M2 -> f8E4M3FN
  tile.store %y, %q : !tile.ptr<f8E4M3FN>
  tile.return
}

// Widening keeps it.
// CHECK-LABEL: tile.func @c15(
// CHECK-NEXT: %[[C:.*]] = arith.constant 0x7F800000 : f32
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c15(%y: !tile.ptr<f32>) {
  %c = arith.constant 0x7C : f8E5M2
  %q = tile.convert %c : f8E5M2 -> f32
  tile.store %y, %q : !tile.ptr<f32>
  tile.return
}

// Widening.
// CHECK-LABEL: tile.func @c16(
// CHECK-NEXT: %[[C:.*]] = arith.constant 4.480000e+02 : f16
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c16(%y: !tile.ptr<f16>) {
  %c = arith.constant 0x7E : f8E4M3FN
  %q = tile.convert %c : f8E4M3FN -> f16
  tile.store %y, %q : !tile.ptr<f16>
  tile.return
}

// Wider types overflow to infinity,
// CHECK-LABEL: tile.func @c17(
// CHECK-NEXT: %[[C:.*]] = arith.constant 0x7C00 : f16
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c17(%y: !tile.ptr<f16>) {
  %c = arith.constant 1.0e6 : f32
  %q = tile.convert %c : f32 -> f16
  tile.store %y, %q : !tile.ptr<f16>
  tile.return
}

// or to the largest number, towards zero.
// CHECK-LABEL: tile.func @c18(
// CHECK-NEXT: %[[C:.*]] = arith.constant 6.550400e+04 : f16
// CHECK-NEXT: tile.store %y, %[[C]]
tile.func @c18(%y: !tile.ptr<f16>) {
  %c = arith.constant 1.0e6 : f32
  %q = tile.convert %c rtz : f32 -> f16
  tile.store %y, %q : !tile.ptr<f16>
  tile.return
}
