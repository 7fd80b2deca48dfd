// Kernels that return early, by branches, as persistent programs: the passes make loops
// and conditions of them. The interpreter runs the result, by three programs, and the
// script knows what each of the kernels is to store.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --emit=mlir --stage=tile-gpu --schedule=persistent --programs-per-sm=1 -o %t/1.mlir
// RUN: %python %S/Inputs/returns.py %t/1.mlir %t | FileCheck %s --check-prefix=RIGHT
// RUN: tile-opt %s --emit=mlir --stage=tile-gpu --schedule=persistent --programs-per-sm=1 \
// RUN:   --assignment=dynamic -o %t/2.mlir
// RUN: %python %S/Inputs/returns.py %t/2.mlir %t | FileCheck %s --check-prefix=RIGHT
// RIGHT: 6 kernels

// At the level of tiles each kernel has its loop, and no branch is left.
// RUN: tile-opt %s --emit=mlir --stage=tile --schedule=persistent -o - \
// RUN:   | FileCheck %s --implicit-check-not='{{ cf[.]}}'

// Two conditions, one inside the other.
// CHECK-LABEL: tile.func @two_kernel(
// CHECK: scf.for unsigned
// CHECK: tile.tile_loop
// CHECK: tile.return
tile.func @two_kernel(%p: !tile.ptr<i32>, %n: i32, %m: i32) {
  %pid = tile.program_id x
  %in = arith.cmpi slt, %pid, %n : i32
  cf.cond_br %in, ^next, ^out
^next:
  %c2 = arith.constant 2 : i32
  %r = arith.remsi %pid, %c2 : i32
  %zero = arith.constant 0 : i32
  %even = arith.cmpi eq, %r, %zero : i32
  cf.cond_br %even, ^work, ^odd
^odd:
  %in2 = arith.cmpi slt, %pid, %m : i32
  cf.cond_br %in2, ^work, ^out
^work:
  %at = tile.addptr %p, %pid : !tile.ptr<i32>, i32
  tile.store %at, %pid : !tile.ptr<i32>
  tile.return
^out:
  tile.return
}
tile.launch @two(%p: !tile.ptr<i32>, %n: i32, %m: i32) {
  %g = tile.plan.constant 13
  tile.plan.dispatch @two_kernel grid(%g) args(%p, %n, %m) : !tile.ptr<i32>, i32, i32
}

// A grid of three dimensions, and a reduction.
// CHECK-LABEL: tile.func @cube_kernel(
// CHECK: scf.for unsigned
// CHECK: tile.tile_loop
// CHECK: tile.return
tile.func @cube_kernel(%p: !tile.ptr<f32>, %n: i32) {
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %ny = tile.num_programs y
  %nz = tile.num_programs z
  %nx = tile.num_programs x
  %in = arith.cmpi slt, %y, %n : i32
  cf.cond_br %in, ^work, ^out
^out:
  tile.return
^work:
  %a = arith.muli %z, %ny : i32
  %b = arith.addi %a, %y : i32
  %c = arith.muli %b, %nx : i32
  %d = arith.addi %c, %x : i32
  %c64 = arith.constant 64 : i32
  %e = arith.muli %d, %c64 : i32
  %range = tile.arange : tensor<64xi32>
  %es = tile.splat %e : i32 -> tensor<64xi32>
  %offs = arith.addi %es, %range : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %fs = arith.sitofp %offs : tensor<64xi32> to tensor<64xf32>
  %sum = tile.reduce %fs axis 0 : (tensor<64xf32>) -> f32 {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.reduce.return %s : f32
  }
  %sums = tile.splat %sum : f32 -> tensor<64xf32>
  tile.store %ptrs, %sums : tensor<64x!tile.ptr<f32>>
  tile.return
}
tile.launch @cube(%p: !tile.ptr<f32>, %n: i32) {
  %g = tile.plan.constant 3
  %h = tile.plan.constant 2
  %k = tile.plan.constant 4
  tile.plan.dispatch @cube_kernel grid(%g, %h, %k) args(%p, %n) : !tile.ptr<f32>, i32
}

// Tensors that branches pass on.
// CHECK-LABEL: tile.func @blocks_kernel(
// CHECK: scf.for unsigned
// CHECK: tile.tile_loop
// CHECK: tile.return
tile.func @blocks_kernel(%p: !tile.ptr<i32>, %n: i32) {
  %pid = tile.program_id x
  %range = tile.arange : tensor<32xi32>
  %zero = arith.constant dense<0> : tensor<32xi32>
  %in = arith.cmpi slt, %pid, %n : i32
  cf.cond_br %in, ^join(%range : tensor<32xi32>), ^other
^other:
  %c5 = arith.constant 5 : i32
  %far = arith.cmpi sgt, %pid, %c5 : i32
  cf.cond_br %far, ^out, ^join(%zero : tensor<32xi32>)
^join(%v: tensor<32xi32>):
  %c32 = arith.constant 32 : i32
  %base = arith.muli %pid, %c32 : i32
  %bs = tile.splat %base : i32 -> tensor<32xi32>
  %offs = arith.addi %bs, %range : tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %ptrs = tile.addptr %ps, %offs : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %ptrs, %v : tensor<32x!tile.ptr<i32>>
  tile.return
^out:
  tile.return
}
tile.launch @blocks(%p: !tile.ptr<i32>, %n: i32) {
  %g = tile.plan.constant 9
  tile.plan.dispatch @blocks_kernel grid(%g) args(%p, %n) : !tile.ptr<i32>, i32
}

// More than two ways.
// CHECK-LABEL: tile.func @switch_kernel(
// CHECK: scf.for unsigned
// CHECK: tile.tile_loop
// CHECK: tile.return
tile.func @switch_kernel(%p: !tile.ptr<i32>) {
  %pid = tile.program_id x
  %at = tile.addptr %p, %pid : !tile.ptr<i32>, i32
  cf.switch %pid : i32, [
    default: ^d,
    1: ^one,
    3: ^three
  ]
^one:
  %c7 = arith.constant 7 : i32
  tile.store %at, %c7 : !tile.ptr<i32>
  tile.return
^three:
  %c9 = arith.constant 9 : i32
  tile.store %at, %c9 : !tile.ptr<i32>
  tile.return
^d:
  tile.return
}
tile.launch @switch(%p: !tile.ptr<i32>) {
  %g = tile.plan.constant 9
  tile.plan.dispatch @switch_kernel grid(%g) args(%p) : !tile.ptr<i32>
}

// Atomics with results, a print and an assertion.
// CHECK-LABEL: tile.func @atom_kernel(
// CHECK: scf.for unsigned
// CHECK: tile.tile_loop
// CHECK: tile.return
tile.func @atom_kernel(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %n: i32) {
  %pid = tile.program_id x
  %in = arith.cmpi slt, %pid, %n : i32
  cf.cond_br %in, ^work, ^out
^work:
  %one = arith.constant 1 : i32
  %old = tile.atomic_rmw add acq_rel gpu %q, %one : !tile.ptr<i32>
  %at = tile.addptr %p, %old : !tile.ptr<i32>, i32
  tile.store %at, %one : !tile.ptr<i32>
  tile.print "tile", %pid : i32
  tile.assert %in, "inside" : i1
  tile.return
^out:
  tile.return
}
tile.launch @atom(%p: !tile.ptr<i32>, %n: i32) {
  %g = tile.plan.constant 9
  %four = tile.plan.constant 4
  %q = tile.plan.scratch %four zero : i64 -> !tile.ptr<i32>
  tile.plan.dispatch @atom_kernel grid(%g) args(%p, %q, %n) : !tile.ptr<i32>, !tile.ptr<i32>, i32
}

// A loop of branches behind the return, which reads no memory.
// CHECK-LABEL: tile.func @loop_kernel(
// CHECK: scf.for unsigned
// CHECK: tile.tile_loop
// CHECK: tile.return
tile.func @loop_kernel(%p: !tile.ptr<i32>, %n: i32) {
  %pid = tile.program_id x
  %y = tile.program_id y
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = arith.cmpi slt, %pid, %n : i32
  cf.cond_br %in, ^head(%zero, %zero : i32, i32), ^out
^head(%i: i32, %acc: i32):
  %more = arith.cmpi slt, %i, %pid : i32
  cf.cond_br %more, ^body, ^done
^body:
  %acc2 = arith.addi %acc, %i : i32
  %i2 = arith.addi %i, %one : i32
  cf.br ^head(%i2, %acc2 : i32, i32)
^done:
  %c16 = arith.constant 16 : i32
  %r = arith.muli %y, %c16 : i32
  %o = arith.addi %r, %pid : i32
  %at = tile.addptr %p, %o : !tile.ptr<i32>, i32
  tile.store %at, %acc : !tile.ptr<i32>
  tile.return
^out:
  tile.return
}
tile.launch @loop(%p: !tile.ptr<i32>, %n: i32) {
  %g = tile.plan.constant 9
  %h = tile.plan.constant 3
  tile.plan.dispatch @loop_kernel grid(%g, %h) args(%p, %n) : !tile.ptr<i32>, i32
}
