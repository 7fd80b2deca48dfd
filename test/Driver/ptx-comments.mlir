// --ptx-comments: the line of the source behind each .loc; nothing else changes,
// and without it there are no such comments.

// RUN: tile-opt %s --emit=ptx -o %t.plain
// RUN: not grep '\.loc.*//' %t.plain
// RUN: tile-opt %s --emit=ptx --ptx-comments -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: sed 's/\(\.loc.*[0-9]\)\t\/\/ .*/\1/' %t.ptx > %t.stripped
// RUN: cmp %t.plain %t.stripped

// CHECK: .loc 1 [[@LINE+4]] {{[0-9]+}} // ptx-comments.mlir:[[@LINE+4]] %thread = nvvm.read.ptx.sreg.tid.x : i32
// CHECK: .loc 1 [[@LINE+5]] {{[0-9]+}} // ptx-comments.mlir:[[@LINE+5]] llvm.store %thread, %x : i32, !llvm.ptr<1>
// CHECK: .loc {{[0-9]+}} 100 1 // elsewhere.mlir:100{{$}}
llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  // Not folded with the next: it is another place.
  llvm.store %thread, %x : i32, !llvm.ptr<1>
  llvm.return loc("elsewhere.mlir":100:1)
}
