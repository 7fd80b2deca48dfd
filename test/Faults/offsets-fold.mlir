// RUN: tile-opt %s --emit=mlir --stage=tile -o - | FileCheck %s

// Offsets do not wrap, neither at run time nor when constants are folded: 2^16 *
// 2^16 is 2^32, 2^31 - 1 plus 1 is 2^31, and n * 2^16 * 2^16 is n * 2^32.

// CHECK-LABEL: tile.func @constants
// CHECK: %[[FAR:.+]] = arith.constant 4294967296 : i64
// CHECK: tile.addptr %x, %[[FAR]] : !tile.ptr<f32>, i64
tile.func @constants(%x: !tile.ptr<f32>, %v: f32) {
  %rows = arith.constant 65536 : i32
  %far = arith.muli %rows, %rows : i32
  %p = tile.addptr %x, %far : !tile.ptr<f32>, i32
  tile.store %p, %v : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @sums
// CHECK: %[[FAR:.+]] = arith.constant 2147483648 : i64
// CHECK: %[[N:.+]] = arith.extsi %n : i32 to i64
// CHECK: %[[OFFSET:.+]] = arith.addi %[[N]], %[[FAR]] : i64
// CHECK: tile.addptr %x, %[[OFFSET]] : !tile.ptr<f32>, i64
tile.func @sums(%x: !tile.ptr<f32>, %n: i32, %v: f32) {
  %largest = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i32
  %most = arith.addi %n, %largest : i32
  %far = arith.addi %most, %one : i32
  %p = tile.addptr %x, %far : !tile.ptr<f32>, i32
  tile.store %p, %v : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @products
// CHECK: %[[FAR:.+]] = arith.constant 4294967296 : i64
// CHECK: %[[N:.+]] = arith.extsi %n : i32 to i64
// CHECK: %[[OFFSET:.+]] = arith.muli %[[N]], %[[FAR]] : i64
// CHECK: tile.addptr %x, %[[OFFSET]] : !tile.ptr<f32>, i64
tile.func @products(%x: !tile.ptr<f32>, %n: i32, %v: f32) {
  %rows = arith.constant 65536 : i32
  %plane = arith.muli %n, %rows : i32
  %far = arith.muli %plane, %rows : i32
  %p = tile.addptr %x, %far : !tile.ptr<f32>, i32
  tile.store %p, %v : !tile.ptr<f32>
  tile.return
}

// What is no offset wraps, and folds to what it wraps to.
// CHECK-LABEL: tile.func @values
// CHECK: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK: tile.store %x, %[[ZERO]]
tile.func @values(%x: !tile.ptr<i32>) {
  %rows = arith.constant 65536 : i32
  %wrapped = arith.muli %rows, %rows : i32
  tile.store %x, %wrapped : !tile.ptr<i32>
  tile.return
}
