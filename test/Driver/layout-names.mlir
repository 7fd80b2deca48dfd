// Which values of level 2 a name of the source stands for with --emit=layout.
// With one warp, all tensors here have the same layout.
//
// RUN: tile-opt %s --emit=layout --value=%%0 --kernel=k | FileCheck %s --check-prefix=NUMBER
// RUN: tile-opt %s --emit=layout --value=r --kernel=k | FileCheck %s --check-prefix=RESULTS
// RUN: tile-opt %s --emit=layout --value=a --kernel=k | FileCheck %s --check-prefix=ARGUMENT
// RUN: tile-opt %s --emit=layout --value=twice --kernel=k | FileCheck %s --check-prefix=INLINED
// RUN: tile-opt %s --emit-bytecode -o %t.bc
// RUN: tile-opt %t.bc --emit=layout --value=37 --kernel=k | FileCheck %s --check-prefix=RESULTS
// RUN: not tile-opt %t.bc --emit=layout --value=r 2>&1 | FileCheck %s --check-prefix=BYTECODE

// A name of digits needs its %, or it would be a line.
// NUMBER: @k: tile.arange at 33:8

// All results of an operation, equal pictures once.
// RESULTS:     {{^}}@k: scf.for at 37:10
// RESULTS-NOT: @k

// An argument of a block has a place of its own.
// ARGUMENT: @k: argument of scf.for at 37:52

// A function that was inlined: the place inside it.
// INLINED: @k: arith.addi at 28:12

// BYTECODE: error: --value=r: the source has no value of this name; bytecode has no names, give LINE[:COLUMN]

tile.func private @double(%x: tensor<64xi32>) -> tensor<64xi32> {
  %twice = arith.addi %x, %x : tensor<64xi32>
  tile.return %twice : tensor<64xi32>
}

tile.func @k(%p: !tile.ptr<i32>, %n: i32) {
  %0 = tile.arange : tensor<64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = tile.call @double(%0) : (tensor<64xi32>) -> tensor<64xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0, %b = %d)
      -> (tensor<64xi32>, tensor<64xi32>) : i32 {
    %s = arith.addi %a, %b : tensor<64xi32>
    scf.yield %b, %s : tensor<64xi32>, tensor<64xi32>
  }
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %pp = tile.addptr %ps, %0 : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %z = arith.xori %r#0, %r#1 : tensor<64xi32>
  tile.store %pp, %z : tensor<64x!tile.ptr<i32>>
  tile.return
}
