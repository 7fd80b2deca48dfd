// Functions of libdevice are linked, inlined and compiled for IEEE division and
// square root, without flushing denormals.

// REQUIRES: libdevice
// RUN: tile-opt %s --emit=ptx -o - | FileCheck %s --implicit-check-not=__nv --implicit-check-not=.func
// RUN: tile-opt %s --emit=llvm -o - | FileCheck %s --check-prefix=LLVM --implicit-check-not=@__nv

// CHECK-LABEL: .entry root(
// CHECK: sqrt.rn.f32
// LLVM-LABEL: @root(
llvm.func @__nv_sqrtf(f32) -> f32
llvm.func @root(%x: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel} {
  %r = llvm.call @__nv_sqrtf(%a) : (f32) -> f32
  llvm.store %r, %x : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .entry logarithm(
// Denormals are scaled by 2^23 first.
// CHECK: 0f4B000000
// CHECK-NOT: .ftz
llvm.func @__nv_logf(f32) -> f32
llvm.func @logarithm(%x: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel} {
  %r = llvm.call @__nv_logf(%a) : (f32) -> f32
  llvm.store %r, %x : f32, !llvm.ptr<1>
  llvm.return
}
