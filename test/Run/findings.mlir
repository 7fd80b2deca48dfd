// Faults of kernels, each at its line, with exit code 2.
//
// DEFINE: %{faulty} = %python %S/Inputs/exit_code.py 2 tile-run %s
// RUN: %{faulty} --kernel=bounds iota:f32:6 --grid=2 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: %{faulty} --kernel=bounds iota:f32:16@2 --grid=2 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: %{faulty} --kernel=bounds empty:f32:16 --grid=2 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %{faulty} --kernel=bounds null --grid=1 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: %{faulty} --kernel=race zeros:i32:4 --grid=3 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %{faulty} --kernel=division zeros:i32:1 0 --grid=1 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: %{faulty} --kernel=facts zeros:f32:4@8 6 --grid=1 2>&1 | FileCheck %s --check-prefix=FACTS
// RUN: %{faulty} --kernel=asserts 3 --grid=2 2>&1 | FileCheck %s --check-prefix=ASSERTS
// RUN: tile-run %s --kernel=wraps zeros:f32:4 2147483647 --grid=1 2>&1 | FileCheck %s --check-prefix=WRAPS
//
// Without a fault there is nothing to say.
// RUN: tile-run %s --kernel=bounds iota:f32:8 --grid=2 2>&1 | count 0
// RUN: tile-run %s --kernel=race zeros:i32:4 --grid=1 2>&1 | count 0
// RUN: tile-run %s --kernel=division zeros:i32:1 3 --grid=1 2>&1 | count 0
// RUN: tile-run %s --kernel=facts zeros:f32:4 8 --grid=1 2>&1 | count 0
// RUN: tile-run %s --kernel=asserts 2 --grid=2 2>&1 | count 0
// RUN: tile-run %s --kernel=wraps zeros:f32:4 3 --grid=1 2>&1 | count 0
//
// The order does not depend on the number of threads.
// RUN: %{faulty} --kernel=several iota:f32:100 --grid=40 --jobs=1 > %t.one 2>&1
// RUN: %{faulty} --kernel=several iota:f32:100 --grid=40 --jobs=8 > %t.eight 2>&1
// RUN: cmp %t.one %t.eight
// RUN: FileCheck %s --check-prefix=SEVERAL --input-file=%t.one

// Program (1, 0, 0) reads elements 4 to 7 of 6: buffer 1 begins at 2^40.
tile.func @bounds(%x: !tile.ptr<f32>) {
  %pid = tile.program_id x
  %four = arith.constant 4 : i32
  %start = arith.muli %pid, %four : i32
  %starts = tile.splat %start : i32 -> tensor<4xi32>
  %range = tile.arange : tensor<4xi32>
  %offs = arith.addi %starts, %range : tensor<4xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %px = tile.addptr %xs, %offs : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  // BOUNDS: findings.mlir:[[#@LINE+7]]:11: error: out of bounds: element [2] of %px in program (1, 0, 0) of bounds: address 0x10000000018 is 'x' + 24 bytes, which has 24 bytes (2 times in all)
  // BOUNDS-NEXT: %read = tile.load %px : tensor<4x!tile.ptr<f32>>
  // BOUNDS-NEXT: {{^          \^$}}
  // BOUNDS-NOT: error
  // ALIGN: findings.mlir:[[#@LINE+3]]:11: error: misaligned address: element [0] of %px in program (0, 0, 0) of bounds: address 0x10000000002 is 'x' + 0 bytes, which is no multiple of 4 (8 times in all)
  // EMPTY: findings.mlir:[[#@LINE+2]]:11: error: read of memory that was never written: element [0] of %px in program (0, 0, 0) of bounds: address 0x10000000000 is 'x' + 0 bytes (8 times in all)
  // NULL: findings.mlir:[[#@LINE+1]]:11: error: out of bounds: element [0] of %px in program (0, 0, 0) of bounds: address 0x0 belongs to no buffer (4 times in all)
  %read = tile.load %px : tensor<4x!tile.ptr<f32>>
  tile.return
}

// All programs store their number to one address.
tile.func @race(%x: !tile.ptr<i32>) {
  %pid = tile.program_id x
  // RACE: findings.mlir:[[#@LINE+1]]:3: error: two programs store different values to one address: %x in program (1, 0, 0) of race: address 0x10000000000 is 'x' + 0 bytes, stored by program number 0 too (2 times in all)
  tile.store %x, %pid : !tile.ptr<i32>
  tile.return
}

tile.func @division(%x: !tile.ptr<i32>, %n: i32) {
  %one = arith.constant 1 : i32
  // DIVISION: findings.mlir:[[#@LINE+1]]:15: error: division by zero: %n in program (0, 0, 0) of division
  %quotient = arith.divsi %one, %n : i32
  tile.store %x, %quotient : !tile.ptr<i32>
  tile.return
}

// FACTS: findings.mlir:[[#@LINE+2]]:1: error: argument is not what its attributes say: x is not divisible by 16 (2 times in all)
// FACTS-NOT: error
tile.func @facts(%x: !tile.ptr<f32> {tile.divisible_by = 16 : i64}, %n: i32 {tile.divisible_by = 4 : i64}) {
  tile.return
}

// 2147483647 is no multiple, but the sum with 1 is 2^31.
tile.func @wraps(%x: !tile.ptr<f32>, %n: i32) {
  %one = arith.constant 1 : i32
  %sum = arith.addi %n, %one : i32
  %minus = arith.subi %sum, %n : i32
  %far = arith.addi %minus, %one : i32
  // WRAPS-NOT: error
  // WRAPS: findings.mlir:[[#@LINE+1]]:8: remark: 32-bit index arithmetic would have wrapped: %sum in program (0, 0, 0) of wraps
  %p = tile.addptr %x, %sum : !tile.ptr<f32>, i32
  %q = tile.addptr %x, %far : !tile.ptr<f32>, i32
  %zero = arith.constant 0.0 : f32
  tile.store %q, %zero : !tile.ptr<f32>
  tile.return
}

tile.func @asserts(%n: i32) {
  %pid = tile.program_id x
  %sum = arith.addi %pid, %n : i32
  %four = arith.constant 4 : i32
  %small = arith.cmpi slt, %sum, %four : i32
  // ASSERTS: findings.mlir:[[#@LINE+1]]:3: error: assertion failed: %small in program (1, 0, 0) of asserts
  tile.assert %small, "too large" : i1
  tile.return
}

// Two faults in the order of the source, whichever program is first.
tile.func @several(%x: !tile.ptr<f32>) {
  %pid = tile.program_id x
  %three = arith.constant 3 : i32
  %offset = arith.muli %pid, %three : i32
  %p = tile.addptr %x, %offset : !tile.ptr<f32>, i32
  // 3 * 34 = 102 is the first multiple of 3 that is not below 100; programs 34 to 39.
  // SEVERAL: findings.mlir:[[#@LINE+1]]:8: error: out of bounds: %p in program (34, 0, 0) {{.*}} (6 times in all)
  %v = tile.load %p : !tile.ptr<f32>
  %fifty = arith.constant 50 : i32
  %q = tile.addptr %p, %fifty : !tile.ptr<f32>, i32
  // 3 * 17 = 51 is the first that is not below 50; programs 17 to 39.
  // SEVERAL: findings.mlir:[[#@LINE+1]]:8: error: out of bounds: %q in program (17, 0, 0) {{.*}} (23 times in all)
  %w = tile.load %q : !tile.ptr<f32>
  tile.return
}
