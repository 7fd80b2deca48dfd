// --maxnreg and --min-ctas become directives of every kernel and of nothing
// else; they override the source's own.

// RUN: tile-opt %s --emit=ptx -o - | FileCheck %s --check-prefix=NONE --implicit-check-not=.minnctapersm
// RUN: tile-opt %s --emit=ptx --maxnreg=40 --min-ctas=3 -o - | FileCheck %s
// RUN: tile-opt %s --emit=mlir --maxnreg=40 --min-ctas=3 -o - | FileCheck %s --check-prefix=MLIR

// NONE:     .entry own(
// NONE:     .maxnreg 128
// NONE:     .entry k(
// NONE-NOT: .maxnreg

// CHECK:     .entry own(
// CHECK:     .minnctapersm 3
// CHECK:     .maxnreg 40
// CHECK:     .entry k(
// CHECK:     .minnctapersm 3
// CHECK:     .maxnreg 40

// MLIR: @own() attributes {{.*}}nvvm.maxnreg = 40 : i32, nvvm.minctasm = 3 : i32
llvm.func @own() attributes {nvvm.kernel, nvvm.maxnreg = 128 : i32, nvvm.reqntid = array<i32: 64>} {
  llvm.return
}
llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>} {
  llvm.return
}
// MLIR: llvm.func @helper() {
llvm.func @helper() {
  llvm.return
}
