// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t.json

// The type, with and without a swizzle; kernels take it.
// CHECK-LABEL: tile.func @kernel
// CHECK-SAME: %a: !tile.tensor_map<128x64xf16, swizzle = 128>
// CHECK-SAME: %b: !tile.tensor_map<1x2x3x4x16xf8E4M3FN>
// CHECK-SAME: %n: i32
// CHECK-SAME: %c: !tile.tensor_map<256xf32>
tile.func @kernel(%a: !tile.tensor_map<128x64xf16, swizzle = 128>,
                  %b: !tile.tensor_map<1x2x3x4x16xf8E4M3FN, swizzle = 0>, %n: i32,
                  %c: !tile.tensor_map<256xf32>) {
  tile.return
}

// CHECK-LABEL: tile.launch @entry
// CHECK: %[[ONE:.*]] = tile.plan.constant 1
// CHECK: %[[S:.*]] = tile.plan.scratch
// CHECK: %[[A:.*]] = tile.plan.tensor_map %p[%m : i32, %n] strides[%n, %[[ONE]]] : !tile.ptr<f16> -> <128x64xf16, swizzle = 128>
// CHECK: %[[B:.*]] = tile.plan.tensor_map %q[%[[ONE]], %[[ONE]], %[[ONE]], %m : i32, %n] strides[%n, %n, %n, %n, %[[ONE]]] : !tile.ptr<f8E4M3FN> -> <1x2x3x4x16xf8E4M3FN>
// CHECK: %[[C:.*]] = tile.plan.tensor_map %[[S]][%n] strides[%[[ONE]]] : !tile.ptr<f32> -> <256xf32>
// CHECK: tile.plan.dispatch @kernel grid(%m : i32) args(%[[A]], %[[B]], %m, %[[C]])
tile.launch @entry(%p: !tile.ptr<f16>, %q: !tile.ptr<f8E4M3FN>, %m: i32, %n: i64) {
  %one = tile.plan.constant 1
  %s = tile.plan.scratch %n : i64 -> !tile.ptr<f32>
  %a = tile.plan.tensor_map %p[%m : i32, %n] strides[%n, %one] : !tile.ptr<f16> -> !tile.tensor_map<128x64xf16, swizzle = 128>
  %b = tile.plan.tensor_map %q[%one, %one, %one, %m : i32, %n] strides[%n, %n, %n, %n, %one] : !tile.ptr<f8E4M3FN> -> !tile.tensor_map<1x2x3x4x16xf8E4M3FN>
  %c = tile.plan.tensor_map %s[%n] strides[%one] : !tile.ptr<f32> -> !tile.tensor_map<256xf32>
  tile.plan.dispatch @kernel grid(%m : i32) args(%a, %b, %m, %c)
    : !tile.tensor_map<128x64xf16, swizzle = 128>, !tile.tensor_map<1x2x3x4x16xf8E4M3FN>, i32, !tile.tensor_map<256xf32>
}

// The manifest has version 2, and says what the driver has to be told. Nodes are
// numbered as the actions ask for them: n, m, 1.
// MANIFEST: "version": 2,
// MANIFEST: "type": "tensor_map<128x64xf16, swizzle = 128>"
// MANIFEST: "type": "tensor_map<1x2x3x4x16xf8E4M3FN, swizzle = 0>"
// MANIFEST: "type": "tensor_map<256xf32, swizzle = 0>"
// MANIFEST: "do": "dispatch"
// MANIFEST: "args": [
// MANIFEST-NEXT: {
// MANIFEST-NEXT: "tensor_map": {
// MANIFEST-NEXT: "pointer": {
// MANIFEST-NEXT: "arg": 0
// MANIFEST-NEXT: },
// MANIFEST-NEXT: "extents": [
// MANIFEST-NEXT: 1,
// MANIFEST-NEXT: 0
// MANIFEST-NEXT: ],
// MANIFEST-NEXT: "strides": [
// MANIFEST-NEXT: 0,
// MANIFEST-NEXT: 2
// MANIFEST-NEXT: ]
// MANIFEST: "pointer": {
// MANIFEST-NEXT: "arg": 1
// MANIFEST: "arg": 2
// MANIFEST: "pointer": {
// MANIFEST-NEXT: "scratch": 0
