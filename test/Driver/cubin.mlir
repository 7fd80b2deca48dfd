// ptxas's report in the manifest; equal bytes wherever a cubin is made, also
// where a file with the source's name lies in the working directory.

// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t/one %t/two/deeper
// RUN: cp %s %t/one/source.mlir
// RUN: cp %s %t/two/deeper/source.mlir
// RUN: cd %t/one && tile-opt source.mlir --emit=cubin -o k.cubin
// RUN: cd %t && tile-opt %t/two/deeper/source.mlir --emit=cubin -o %t/two/k.cubin
// RUN: cmp %t/one/k.cubin %t/two/k.cubin
// RUN: cmp %t/one/k.json %t/two/k.json
// RUN: FileCheck %s < %t/one/k.json

// CHECK: "ptxas": "{{[0-9]+\.[0-9]+\.[0-9]+}}",
// CHECK: "name": "k",
// 128 threads
// CHECK: "num_warps": 4,
// CHECK-NEXT: "dynamic_shared_bytes": 0,
// 64 x f32
// CHECK-NEXT: "static_shared_bytes": 256,
// CHECK-NEXT: "registers": {{[1-9][0-9]*}},
// CHECK-NEXT: "spill_store_bytes": 0,
// CHECK-NEXT: "spill_load_bytes": 0,
// CHECK-NEXT: "stack_bytes": 0
llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<64 x f32>
llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %table = llvm.mlir.addressof @table : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %at = llvm.getelementptr %table[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %value = llvm.load volatile %at : !llvm.ptr<3> -> f32
  llvm.store %value, %x : f32, !llvm.ptr<1>
  llvm.return
}
