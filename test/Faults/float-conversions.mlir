// Conversions between floats of 16, 32 and 64 bits: one rounding, to nearest even or
// toward zero, denormals kept. Conversions of 8 bits are in Conversion/convert-floats,
// those of integers in convert-integers, constants in Dialect/Tile/convert-fold.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,NEW --input-file=%t.ptx --implicit-check-not=.ftz
// RUN: tile-opt %s --target=sm_80 --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,OLD --input-file=%t.ptx --implicit-check-not=.ftz
// RUN: %if ptxas %{ tile-opt %s --emit=cubin -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: 3 kernels

// CHECK-LABEL: .entry narrow_kernel(
// CHECK: ld.param.b32 [[X:%r[0-9]+]],
// CHECK: cvt.rn.f16.f32 {{%rs[0-9]+}}, [[X]];
// The second operand becomes the lower half, which is stored.
// CHECK: cvt.rz.f16x2.f32 [[H:%r[0-9]+]], {{%r[0-9]+}}, [[X]];
// CHECK: cvt.rn.bf16.f32 {{%rs[0-9]+}}, [[X]];
// CHECK: cvt.rz.bf16x2.f32 [[B:%r[0-9]+]], {{%r[0-9]+}}, [[X]];
// CHECK: ret;
tile.func @narrow_kernel(%x: f32, %h: !tile.ptr<f16>, %b: !tile.ptr<bf16>) {
  %0 = tile.convert %x : f32 -> f16
  tile.store %h, %0 : !tile.ptr<f16>
  %1 = tile.convert %x rtz : f32 -> f16
  tile.store %h, %1 : !tile.ptr<f16>
  %2 = tile.convert %x : f32 -> bf16
  tile.store %b, %2 : !tile.ptr<bf16>
  %3 = tile.convert %x rtz : f32 -> bf16
  tile.store %b, %3 : !tile.ptr<bf16>
  tile.return
}

// f64 to bf16 by way of f32 would round twice: sm_90 has an instruction; before, what f32
// does not hold leaves its last bit set (rounding to odd), the neighbour of what was
// rounded, on the side of the number itself.
// CHECK-LABEL: .entry from_double_kernel(
// CHECK: ld.param.b64 [[X:%rd[0-9]+]],
// CHECK: cvt.rn.f32.f64 [[S:%r[0-9]+]], [[X]];
// CHECK: cvt.rz.f32.f64 {{%r[0-9]+}}, [[X]];
// CHECK: cvt.rn.f16.f64 {{%rs[0-9]+}}, [[X]];
// NEW: cvt.rn.bf16.f64 {{%rs[0-9]+}}, [[X]];
// OLD: abs.f64 [[ABS:%rd[0-9]+]], [[X]];
// OLD: cvt.f64.f32 [[BACK:%rd[0-9]+]], [[S]];
// OLD: abs.f64 [[ABSBACK:%rd[0-9]+]], [[BACK]];
// OLD: setp.gt.f64 [[MORE:%p[0-9]+]], [[ABS]], [[ABSBACK]];
// OLD: selp.b32 [[STEP:%r[0-9]+]], 1, -1, [[MORE]];
// OLD: add.s32 [[NEIGHBOUR:%r[0-9]+]], [[S]], [[STEP]];
// OLD: and.b32 [[LAST:%r[0-9]+]], [[S]], 1;
// OLD: setp.ne.b32 [[ISODD:%p[0-9]+]], [[LAST]], 0;
// OLD: selp.b32 [[ODD:%r[0-9]+]], [[S]], [[NEIGHBOUR]], [[ISODD]];
// OLD: setp.equ.f64 [[EXACT:%p[0-9]+]], [[X]], [[BACK]];
// OLD: selp.b32 [[ONCE:%r[0-9]+]], [[S]], [[ODD]], [[EXACT]];
// OLD: cvt.rn.bf16.f32 {{%rs[0-9]+}}, [[ONCE]];
// CHECK: ret;
tile.func @from_double_kernel(%x: f64, %s: !tile.ptr<f32>, %h: !tile.ptr<f16>, %b: !tile.ptr<bf16>) {
  %0 = tile.convert %x : f64 -> f32
  tile.store %s, %0 : !tile.ptr<f32>
  %1 = tile.convert %x rtz : f64 -> f32
  tile.store %s, %1 : !tile.ptr<f32>
  %2 = tile.convert %x : f64 -> f16
  tile.store %h, %2 : !tile.ptr<f16>
  %3 = tile.convert %x : f64 -> bf16
  tile.store %b, %3 : !tile.ptr<bf16>
  tile.return
}

// Wider floats hold all of a narrower type: no rounding, NaN and infinities stay.
// CHECK-LABEL: .entry widen_kernel(
// CHECK: cvt.f32.f16
// NEW: cvt.f32.bf16
// NEW: cvt.f64.f32
// NEW: cvt.f64.bf16
// OLD: shl.b32 [[WIDE:%r[0-9]+]], {{%r[0-9]+}}, 16;
// OLD: cvt.f64.f32
// OLD: cvt.f64.f32 {{%rd[0-9]+}}, [[WIDE]];
// CHECK: ret;
tile.func @widen_kernel(%h: f16, %b: bf16, %x: f32, %s: !tile.ptr<f32>, %d: !tile.ptr<f64>) {
  %0 = tile.convert %h : f16 -> f32
  tile.store %s, %0 : !tile.ptr<f32>
  %1 = tile.convert %b : bf16 -> f32
  tile.store %s, %1 : !tile.ptr<f32>
  %2 = tile.convert %x : f32 -> f64
  tile.store %d, %2 : !tile.ptr<f64>
  %3 = tile.convert %b : bf16 -> f64
  tile.store %d, %3 : !tile.ptr<f64>
  tile.return
}
