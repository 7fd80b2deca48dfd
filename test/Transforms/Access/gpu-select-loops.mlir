// RUN: tile-opt %s --tile-widen-offsets --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-widen-offsets --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// What a loop carries is not judged by its first value. Pointers to f32,
// aligned to 16 bytes; full width is 4.

// Pointers that advance by k elements an iteration: aligned if k is a multiple
// of 4; 8 bytes if it is one of 2; by an element otherwise.

// CHECK-LABEL: tile.func @pointers
// CHECK: <direct, width = 4, axis = 0>
// CHECK: <direct, width = 2, axis = 0>
// CHECK: <direct, width = 1, axis = 0>
// REMARK: [Passed] load {{.*}} Function=pointers
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 8 bytes", Width=2
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 4 bytes", Width=1
tile.func @pointers(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                    %n: i32, %k4: i32 {tile.divisible_by = 4 : i32}, %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant dense<2> : tensor<64xi32>
  %r = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %s4 = tile.splat %k4 : i32 -> tensor<64xi32>
  %s = tile.splat %k : i32 -> tensor<64xi32>
  %a:3 = scf.for %i = %zero to %n step %one
      iter_args(%x = %q, %y = %q, %z = %q)
      -> (tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>) : i32 {
    %vx = tile.load %x : tensor<64x!tile.ptr<f32>>
    %vy = tile.load %y : tensor<64x!tile.ptr<f32>>
    %vz = tile.load %z : tensor<64x!tile.ptr<f32>>
    %nx = tile.addptr %x, %s4 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %ny = tile.addptr %y, %two : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %nz = tile.addptr %z, %s : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    scf.yield %nx, %ny, %nz : tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>
  }
  tile.return
}

// Two pointers that change places: each is aligned as the worse one is.

// CHECK-LABEL: tile.func @swapped
// CHECK: <direct, width = 2, axis = 0>
tile.func @swapped(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                   %u: !tile.ptr<f32> {tile.divisible_by = 8 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = tile.arange : tensor<64xi32>
  %a:2 = scf.for %i = %zero to %n step %one iter_args(%x = %p, %y = %u)
      -> (!tile.ptr<f32>, !tile.ptr<f32>) : i32 {
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %q = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %q : tensor<64x!tile.ptr<f32>>
    scf.yield %y, %x : !tile.ptr<f32>, !tile.ptr<f32>
  }
  tile.return
}

// Offsets i + r, i = 0, k, 2 k, ...; the mask i + r < n, with n a multiple of 4,
// is constant over 4 if i is a multiple of 4. A mask r < n - i as well.

// CHECK-LABEL: tile.func @counter
// CHECK: <direct, width = 4, axis = 0>
// CHECK: <direct, width = 4, axis = 0>
// CHECK: <direct, width = 1, axis = 0>
// REMARK: [Passed] load {{.*}} Function=counter
// REMARK: [Passed] load
// REMARK: [Missed] load {{.*}} Reason="pointer alignment 4 bytes, mask constant over 1", Width=1
tile.func @counter(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                   %n: i32 {tile.divisible_by = 4 : i32}) {
  %zero = arith.constant 0 : i32
  %sixtyfour = arith.constant 64 : i32
  %odd = arith.constant 63 : i32
  %r = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %s = tile.splat %n : i32 -> tensor<64xi32>
  scf.for %i = %zero to %n step %sixtyfour : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32>
    %o = arith.addi %is, %r : tensor<64xi32>
    %m = arith.cmpi slt, %o, %s : tensor<64xi32>
    %q = tile.addptr %ps, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %q, %m : tensor<64x!tile.ptr<f32>>
    %left = arith.subi %s, %is : tensor<64xi32>
    %m2 = arith.cmpi slt, %r, %left : tensor<64xi32>
    %w = tile.load %q, %m2 : tensor<64x!tile.ptr<f32>>
  }
  scf.for %i = %zero to %n step %odd : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32>
    %o = arith.addi %is, %r : tensor<64xi32>
    %m = arith.cmpi slt, %o, %s : tensor<64xi32>
    %q = tile.addptr %ps, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %q, %m : tensor<64x!tile.ptr<f32>>
  }
  tile.return
}

// A mask that a loop carries is true at first and anything afterwards.

// CHECK-LABEL: tile.func @mask
// CHECK: <direct, width = 1, axis = 0>
// REMARK: [Missed] load {{.*}} Function=mask | {{.*}} Reason="mask constant over 1", Width=1
tile.func @mask(%p: !tile.ptr<i32> {tile.divisible_by = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant dense<true> : tensor<64xi1>
  %r = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %q = tile.addptr %ps, %r : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %a = scf.for %i = %zero to %n step %one iter_args(%m = %true) -> tensor<64xi1> : i32 {
    %v = tile.load %q, %m : tensor<64x!tile.ptr<i32>>
    %next = arith.cmpi slt, %v, %r : tensor<64xi32>
    scf.yield %next : tensor<64xi1>
  }
  tile.return
}
