// The language's defaults: fma contraction, IEEE division and square root,
// denormals kept. No path of the machine in the text.

// RUN: tile-opt %s --emit=ptx -o - | FileCheck %s
// RUN: tile-opt %s --emit=ptx -o - | FileCheck %s --check-prefix=PATH

// PATH-NOT: {{/[a-z]+/}}

// CHECK-LABEL: .entry contract(
// CHECK-NOT: mul
// CHECK: fma.rn.f32
llvm.func @contract(%x: !llvm.ptr<1>, %a: f32, %b: f32, %c: f32) attributes {nvvm.kernel} {
  %m = llvm.fmul %a, %b : f32
  %s = llvm.fadd %m, %c : f32
  llvm.store %s, %x : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .entry divide(
// CHECK: div.rn.f32
llvm.func @divide(%x: !llvm.ptr<1>, %a: f32, %b: f32) attributes {nvvm.kernel} {
  %q = llvm.fdiv %a, %b : f32
  llvm.store %q, %x : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .entry root(
// CHECK: sqrt.rn.f32
llvm.func @root(%x: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel} {
  %r = llvm.intr.sqrt(%a) : (f32) -> f32
  llvm.store %r, %x : f32, !llvm.ptr<1>
  llvm.return
}
