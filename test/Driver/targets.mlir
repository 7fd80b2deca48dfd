// PTX of the smallest version that knows the target, and a cubin for each.

// REQUIRES: ptxas
// RUN: tile-opt %s --target=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=SM80
// RUN: tile-opt %s --target=sm_89 --emit=ptx -o - | FileCheck %s --check-prefix=SM89
// RUN: tile-opt %s --target=sm_90a --emit=ptx -o - | FileCheck %s --check-prefix=SM90
// RUN: tile-opt %s --target=sm_80 --emit=cubin -o %t.80.cubin
// RUN: tile-opt %s --target=sm_86 --emit=cubin -o %t.86.cubin
// RUN: tile-opt %s --target=sm_89 --emit=cubin -o %t.89.cubin
// RUN: tile-opt %s --target=sm_90a --emit=cubin -o %t.90.cubin
// RUN: tile-opt %s --target=sm_100a --emit=cubin -o %t.100.cubin
// RUN: tile-opt %s --target=sm_120a --emit=cubin -o %t.120.cubin
// RUN: FileCheck %s < %t.120.json

// SM80: .version 7.0
// SM80-NEXT: .target sm_80
// SM89: .version 8.4
// SM89-NEXT: .target sm_89
// SM90: .version 8.4
// SM90-NEXT: .target sm_90a
// CHECK: "target": "sm_120a"
llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c = llvm.mlir.constant(1.0 : f32) : f32
  llvm.store %c, %x : f32, !llvm.ptr<1>
  llvm.return
}
