// Names that PTX does not accept get names that it does; the manifest keeps both.
// `a.b` and `a_b` stay apart.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.json
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// CHECK: "name": "a.b",
// CHECK-NEXT: "symbol": "a_b$h{{[0-9a-f]+}}",
// CHECK: "name": "a_b",
// CHECK-NEXT: "symbol": "a_b",
// CHECK: "name": "1 + 1",
// CHECK-NEXT: "symbol": "k_1___1$h{{[0-9a-f]+}}",
// CHECK: "name": "WARP_SZ",
// CHECK-NEXT: "symbol": "k_WARP_SZ$h{{[0-9a-f]+}}",
// CHECK: "name": "llvm.sin.f32",
// CHECK-NEXT: "symbol": "llvm_sin_f32$h{{[0-9a-f]+}}",

// PTX: .entry [[DOT:a_b\$h[0-9a-f]+]](
// PTX: .param .u64 .ptr .global .align 1 [[DOT]]_param_0
// PTX: .entry a_b(
// PTX: .entry k_1___1$h{{[0-9a-f]+}}(
// PTX: .entry k_WARP_SZ$h{{[0-9a-f]+}}(
// PTX: .entry llvm_sin_f32$h{{[0-9a-f]+}}(
llvm.func @"a.b"(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c = llvm.mlir.constant(1 : i32) : i32
  llvm.store %c, %p : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func @a_b() attributes {nvvm.kernel} {
  llvm.return
}
llvm.func @"1 + 1"() attributes {nvvm.kernel} {
  llvm.return
}
llvm.func @WARP_SZ() attributes {nvvm.kernel} {
  llvm.return
}
llvm.func @llvm.sin.f32() attributes {nvvm.kernel} {
  llvm.return
}
