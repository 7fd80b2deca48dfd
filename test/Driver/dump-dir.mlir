// RUN: rm -rf %t && tile-opt %s --emit=ptx -o %t.ptx --dump-dir=%t/new/folder
// RUN: ls %t/new/folder | FileCheck %s
// RUN: FileCheck %s --check-prefix=INPUT < %t/new/folder/00-input.mlir

// CHECK:      00-input.mlir
// CHECK:      -llvm.ll
// CHECK-NEXT: -llvm-optimized.ll
// CHECK-NEXT: -kernel.ptx
// CHECK-NOT:  cubin
// INPUT: llvm.func @k()
llvm.func @k() attributes {nvvm.kernel} {
  llvm.return
}
