// RUN: tile-opt %s --tile-widen-offsets --tile-raise-accesses --cse --canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-widen-offsets --tile-raise-accesses --remark-format=emitRemark --remarks-filter=tile-raise-accesses \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Loops that carry pointers, offsets or both. Their advance is a scalar, and a
// mask is about the coordinate of the iteration, not about the first one.

!p = tensor<16x32x!tile.ptr<f32>>
!v = tensor<16x32xf32>

// As in Triton: pointers advance by 32 columns, and the mask is `column < n - 32
// * k`, whose bound falls from one iteration to the next. The array's columns are
// those that are left, so that its base moves along, and the loop carries a scalar.
// CHECK-LABEL: tile.func @pointers
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[SIXTEEN:.*]] = arith.constant 16 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[STEP:.*]] = arith.constant 32 : i64
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[ADVANCE:.*]] = %[[ZERO]], %{{.*}}) -> (i64, tensor<16x32xf32>)
// CHECK-DAG: %[[DONE:.*]] = arith.muli %[[K]], %{{.*}} : i32
// CHECK-DAG: %[[LEFT:.*]] = arith.subi %n, %[[DONE]] : i32
// CHECK-DAG: %[[BASE:.*]] = tile.addptr %x, %[[ADVANCE]] : !tile.ptr<f32>, i64
// CHECK: %[[DESC:.*]] = tile.make_desc %[[BASE]], [%[[SIXTEEN]], %[[LEFT]]], [%s, %[[ONE]]]
// CHECK: tile.desc_load %[[DESC]][%[[ZERO]], %[[ZERO]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[ADVANCE]], %[[STEP]] : i64
// CHECK: scf.yield %[[NEXT]], %{{.*}} : i64, tensor<16x32xf32>
// REMARK: [Passed] load {{.*}} Function=pointers | Origins="tile, array"
tile.func @pointers(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %s: i32, %tiles: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %fill = arith.constant dense<0.0> : !v
  %steps = arith.constant dense<32> : tensor<16x32xi32>
  %r = tile.arange : tensor<16xi32>
  %rc = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %ss = tile.splat %s : i32 -> tensor<16x1xi32>
  %rs = arith.muli %rc, %ss : tensor<16x1xi32>
  %i = tile.broadcast %rs : tensor<16x1xi32> -> tensor<16x32xi32>
  %c = tile.arange : tensor<32xi32>
  %cr = tile.expand_dims %c, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %j = tile.broadcast %cr : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %i, %j : tensor<16x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %first = tile.addptr %xs, %o : !p, tensor<16x32xi32>
  %l:2 = scf.for %k = %zero to %tiles step %one iter_args(%p = %first, %sum = %fill) -> (!p, !v) : i32 {
    %done = arith.muli %k, %c32 : i32
    %left = arith.subi %n, %done : i32
    %lefts = tile.splat %left : i32 -> tensor<16x32xi32>
    %mask = arith.cmpi slt, %j, %lefts : tensor<16x32xi32>
    %v = tile.load %p, %mask, %fill : !p
    %next = arith.addf %sum, %v : !v
    %q = tile.addptr %p, %steps : !p, tensor<16x32xi32>
    scf.yield %q, %next : !p, !v
  }
  %r0 = tile.reduce %l#1 axis 0 with arith.addf : (!v) -> tensor<32xf32>
  %r1 = tile.reduce %r0 axis 0 with arith.addf : (tensor<32xf32>) -> f32
  tile.store %y, %r1 : !tile.ptr<f32>
  tile.return
}

// The loop carries the rows' numbers, which mask and pointers use, and uses the
// last ones behind the loop: the extent is that of the iteration.
// CHECK-LABEL: tile.func @offsets
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[ADVANCE:.*]] = %c0_i32) -> (i32)
// CHECK-DAG: %[[AT:.*]] = arith.extsi %[[ADVANCE]] : i32 to i64
// CHECK-DAG: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[AT]] : i64
// CHECK-DAG: %[[SHIFT:.*]] = arith.muli %[[AT]], %{{.*}} : i64
// CHECK-DAG: %[[BASE:.*]] = tile.addptr %x, %[[SHIFT]] : !tile.ptr<f32>, i64
// CHECK: %[[DESC:.*]] = tile.make_desc %[[BASE]], [%[[LEFT]], %{{.*}}], [%s, %{{.*}}]
// CHECK: tile.desc_store %[[DESC]][
// CHECK: scf.yield
// CHECK: %[[LAST:.*]] = tile.splat %[[LOOP]] : i32 -> tensor<16x1xi32>
// CHECK: arith.addi %{{.*}}, %[[LAST]] : tensor<16x1xi32>
// REMARK: [Passed] store {{.*}} Function=offsets | Origins="tile, tile"
tile.func @offsets(%x: !tile.ptr<f32>, %y: !tile.ptr<i32>, %m: i32, %s: i32, %tiles: i32, %step: i32 {tile.divisible_by = 16 : i32}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fill = arith.constant dense<0.0> : !v
  %steps = tile.splat %step : i32 -> tensor<16x1xi32>
  %ss = tile.splat %s : i32 -> tensor<16x1xi32>
  %ms = tile.splat %m : i32 -> tensor<16x1xi32>
  %r = tile.arange : tensor<16xi32>
  %rc = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %c = tile.arange : tensor<32xi32>
  %cr = tile.expand_dims %c, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %j = tile.broadcast %cr : tensor<1x32xi32> -> tensor<16x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %last = scf.for %k = %zero to %tiles step %one iter_args(%row = %rc) -> (tensor<16x1xi32>) : i32 {
    %rs = arith.muli %row, %ss : tensor<16x1xi32>
    %i = tile.broadcast %rs : tensor<16x1xi32> -> tensor<16x32xi32>
    %o = arith.addi %i, %j : tensor<16x32xi32>
    %p = tile.addptr %xs, %o : !p, tensor<16x32xi32>
    %in = arith.cmpi slt, %row, %ms : tensor<16x1xi32>
    %mask = tile.broadcast %in : tensor<16x1xi1> -> tensor<16x32xi1>
    tile.store %p, %fill, %mask : !p
    %next = arith.addi %row, %steps : tensor<16x1xi32>
    scf.yield %next : tensor<16x1xi32>
  }
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<16x1x!tile.ptr<i32>>
  %py = tile.addptr %ys, %rc : tensor<16x1x!tile.ptr<i32>>, tensor<16x1xi32>
  tile.store %py, %last : tensor<16x1x!tile.ptr<i32>>
  tile.return
}
