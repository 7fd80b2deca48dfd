// Branches between blocks, with a program for each tile and with programs that stay: the
// interpreter runs what the passes make of them, and the script knows what each of the
// kernels is to store.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --emit=mlir --stage=tile-gpu -o %t/1.mlir
// RUN: %python %S/Inputs/returns.py %t/1.mlir %t | FileCheck %s --check-prefix=RIGHT
// RUN: tile-opt %s --emit=mlir --stage=tile-gpu --schedule=persistent --programs-per-sm=1 -o %t/2.mlir \
// RUN:   --remarks=tile-persistent-schedule 2>&1 | FileCheck %s --check-prefix=STAY
// RUN: %python %S/Inputs/returns.py %t/2.mlir %t | FileCheck %s --check-prefix=RIGHT
// RIGHT: 4 kernels
// STAY-COUNT-4: [Passed] persistent-schedule

// And both reach PTX.
// RUN: tile-opt %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --emit=ptx --schedule=persistent -o - | FileCheck %s --check-prefix=PTX
// PTX: .entry pointer_kernel(
// PTX: .entry pointers_kernel(
// PTX: .entry array_kernel(
// PTX: .entry helper_kernel(

// A pointer, tensors of pointers and a descriptor outlive the loop that computes them.
// It ends with i = pid.
tile.func @pointer_kernel(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %v = arith.muli %pid, %ten : i32
  cf.br ^loop(%zero : i32)
^loop(%i: i32):
  %at = tile.addptr %p, %i : !tile.ptr<i32>, i32
  %next = arith.addi %i, %one : i32
  %again = arith.cmpi sle, %next, %pid : i32
  cf.cond_br %again, ^loop(%next : i32), ^out
^out:
  tile.store %at, %v : !tile.ptr<i32>
  tile.return
}
tile.launch @pointer(%p: !tile.ptr<i32>, %n: i32) {
  tile.plan.dispatch @pointer_kernel grid(%n : i32) args(%p) : !tile.ptr<i32>
}

tile.func @pointers_kernel(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 32 : i32
  %range = tile.arange : tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  cf.br ^loop(%zero : i32)
^loop(%i: i32):
  %start = arith.muli %i, %size : i32
  %starts = tile.splat %start : i32 -> tensor<32xi32>
  %offs = arith.addi %starts, %range : tensor<32xi32>
  %at = tile.addptr %ps, %offs : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %next = arith.addi %i, %one : i32
  %again = arith.cmpi sle, %next, %pid : i32
  cf.cond_br %again, ^loop(%next : i32), ^out
^out:
  tile.store %at, %offs : tensor<32x!tile.ptr<i32>>
  tile.return
}
tile.launch @pointers(%p: !tile.ptr<i32>, %n: i32) {
  tile.plan.dispatch @pointers_kernel grid(%n : i32) args(%p) : !tile.ptr<i32>
}

tile.func @array_kernel(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 16 : i32
  cf.br ^loop(%zero : i32)
^loop(%i: i32):
  %start = arith.muli %i, %size : i32
  %base = tile.addptr %p, %start : !tile.ptr<i32>, i32
  %d = tile.make_desc %base, [%size], [%one] : !tile.ptr<i32>, [i32], [i32] -> !tile.desc<16xi32>
  %next = arith.addi %i, %one : i32
  %again = arith.cmpi sle, %next, %pid : i32
  cf.cond_br %again, ^loop(%next : i32), ^out
^out:
  %ones = arith.constant dense<1> : tensor<16xi32>
  tile.desc_store %d[%zero], %ones : !tile.desc<16xi32>, [i32], tensor<16xi32>
  tile.return
}
tile.launch @array(%p: !tile.ptr<i32>, %n: i32) {
  tile.plan.dispatch @array_kernel grid(%n : i32) args(%p) : !tile.ptr<i32>
}

// A helper function that returns early.
tile.func private @choose(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %bit = arith.remsi %x, %two : i32
  %even = arith.cmpi eq, %bit, %zero : i32
  cf.cond_br %even, ^yes, ^no
^yes:
  tile.return %x : i32
^no:
  %twice = arith.addi %x, %x : i32
  tile.return %twice : i32
}
tile.func @helper_kernel(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %v = tile.call @choose(%pid) : (i32) -> i32
  %at = tile.addptr %p, %pid : !tile.ptr<i32>, i32
  tile.store %at, %v : !tile.ptr<i32>
  tile.return
}
tile.launch @helper(%p: !tile.ptr<i32>, %n: i32) {
  tile.plan.dispatch @helper_kernel grid(%n : i32) args(%p) : !tile.ptr<i32>
}
