// RUN: tile-opt %s --tile-inline-calls --tile-widen-offsets --tile-raise-accesses --cse --canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-inline-calls --tile-widen-offsets --tile-raise-accesses=max-rank=1 \
// RUN:   | FileCheck %s --check-prefix=RANK1 --implicit-check-not=tile.make_desc
// RUN: tile-opt %s --tile-inline-calls --tile-widen-offsets --tile-raise-accesses=max-rank=0 --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-raise-accesses -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// RUN: tile-opt %s --tile-inline-calls --tile-widen-offsets --tile-raise-accesses --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-raise-accesses -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RANK1: tile.load
// OFF-NOT: tile-raise-accesses

!t = tensor<16x32xi32>
!m = tensor<16x32xi1>
!p = tensor<16x32x!tile.ptr<f32>>
!v = tensor<16x32xf32>

// Coordinates start + row and start + column of a tile, and i * s + j * t.
tile.func private @rows(%start: i32) -> !t {
  %r = tile.arange : tensor<16xi32>
  %c = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %b = tile.broadcast %c : tensor<16x1xi32> -> !t
  %s = tile.splat %start : i32 -> !t
  %x = arith.addi %s, %b : !t
  tile.return %x : !t
}
tile.func private @cols(%start: i32) -> !t {
  %r = tile.arange : tensor<32xi32>
  %c = tile.expand_dims %r, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %b = tile.broadcast %c : tensor<1x32xi32> -> !t
  %s = tile.splat %start : i32 -> !t
  %x = arith.addi %s, %b : !t
  tile.return %x : !t
}
tile.func private @at(%base: !tile.ptr<f32>, %i: !t, %s: i32, %j: !t, %t: i32) -> !p {
  %ss = tile.splat %s : i32 -> !t
  %ts = tile.splat %t : i32 -> !t
  %a = arith.muli %i, %ss : !t
  %b = arith.muli %j, %ts : !t
  %o = arith.addi %a, %b : !t
  %bs = tile.splat %base : !tile.ptr<f32> -> !p
  %q = tile.addptr %bs, %o : !p, !t
  tile.return %q : !p
}
tile.func private @below(%i: !t, %m: i32, %j: !t, %n: i32) -> !m {
  %ms = tile.splat %m : i32 -> !t
  %ns = tile.splat %n : i32 -> !t
  %a = arith.cmpi slt, %i, %ms : !t
  %b = arith.cmpi slt, %j, %ns : !t
  %c = arith.andi %a, %b : !m
  tile.return %c : !m
}

// A counter from 0 in steps of the tile is the offset: it is a multiple of 32,
// so that 32 columns from it on do not wrap, and not negative. Rows start at a
// multiple of 16 of unknown sign: their dimension begins at the tile, pointer and
// extent move there. The descriptor is made once.
// CHECK-LABEL: tile.func @loop
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[ROW:.*]] = arith.extsi %row : i32 to i64
// CHECK-DAG: %[[S:.*]] = arith.extsi %s : i32 to i64
// CHECK-DAG: %[[START:.*]] = arith.muli %[[ROW]], %[[S]] : i64
// CHECK-DAG: %[[M:.*]] = arith.extsi %m : i32 to i64
// CHECK-DAG: %[[LEFT:.*]] = arith.subi %[[M]], %[[ROW]] : i64
// CHECK-DAG: %[[BASE:.*]] = tile.addptr %x, %[[START]] : !tile.ptr<f32>, i64
// CHECK: %[[DESC:.*]] = tile.make_desc %[[BASE]], [%[[LEFT]], %n], [%s, %t] : !tile.ptr<f32>, [i64, i32], [i32, i32] -> !tile.desc<16x32xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %n step
// CHECK-NEXT: %[[TILE:.*]] = tile.desc_load %[[DESC]][%[[ZERO]], %[[I]]] cache(cg) : !tile.desc<16x32xf32>, [i64, i32] -> tensor<16x32xf32>
// CHECK-NEXT: arith.addf %{{.*}}, %[[TILE]]
// CHECK-NEXT: scf.yield
// REMARK: [Passed] load | Category:tile-raise-accesses | Function=loop | Origins="tile, array"
tile.func @loop(%x: !tile.ptr<f32>, %m: i32, %n: i32, %s: i32, %t: i32, %row: i32 {tile.divisible_by = 16 : i32}) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %fill = arith.constant dense<0.0> : !v
  %i = tile.call @rows(%row) : (i32) -> !t
  %sum = scf.for %kk = %zero to %n step %step iter_args(%acc = %fill) -> (!v) : i32 {
    %j = tile.call @cols(%kk) : (i32) -> !t
    %q = tile.call @at(%x, %i, %s, %j, %t) : (!tile.ptr<f32>, !t, i32, !t, i32) -> !p
    %mask = tile.call @below(%i, %m, %j, %n) : (!t, i32, !t, i32) -> !m
    %v = tile.load %q, %mask, %fill cache(cg) : !p
    %next = arith.addf %acc, %v : !v
    scf.yield %next : !v
  }
  %o = tile.call @at(%x, %i, %s, %i, %t) : (!tile.ptr<f32>, !t, i32, !t, i32) -> !p
  tile.store %o, %sum : !p
  tile.return
}

// Stores, and a stride that is known to be 1. Program ids are not negative, but
// 16 times one may not fit into an i32; so the rows' dimension begins at the tile.
// CHECK-LABEL: tile.func @store
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: %[[DESC:.*]] = tile.make_desc %{{.*}}, [%{{.*}}, %n], [%s, %[[ONE]]] : !tile.ptr<f32>, [i64, i32], [i32, i64] -> !tile.desc<16x32xf32>
// CHECK-NEXT: tile.desc_store %[[DESC]][%[[ZERO]], %[[ZERO]]], %{{.*}} cache(cs) evict(evict_first) : !tile.desc<16x32xf32>, [i64, i64], tensor<16x32xf32>
// CHECK-NEXT: tile.return
// REMARK: [Passed] store | Category:tile-raise-accesses | Function=store | Origins="tile, array"
tile.func @store(%x: !tile.ptr<f32>, %m: i32, %n: i32, %s: i32, %t: i32 {tile.equals = 1 : i32}, %f: f32) {
  %pid = tile.program_id x
  %c16 = arith.constant 16 : i32
  %zero = arith.constant 0 : i32
  %row = arith.muli %pid, %c16 : i32
  %i = tile.call @rows(%row) : (i32) -> !t
  %j = tile.call @cols(%zero) : (i32) -> !t
  %q = tile.call @at(%x, %i, %s, %j, %t) : (!tile.ptr<f32>, !t, i32, !t, i32) -> !p
  %mask = tile.call @below(%i, %m, %j, %n) : (!t, i32, !t, i32) -> !m
  %v = tile.splat %f : f32 -> !v
  tile.store %q, %v, %mask cache(cs) evict(evict_first) : !p
  tile.return
}

// Without a mask nothing bounds the array: it is the tile.
// CHECK-LABEL: tile.func @unmasked
// CHECK-DAG: %[[R:.*]] = arith.constant 16 : i64
// CHECK-DAG: %[[C:.*]] = arith.constant 32 : i64
// CHECK: tile.make_desc %{{.*}}, [%[[R]], %[[C]]], [%s, %t] : !tile.ptr<f32>, [i64, i64], [i32, i32]
// REMARK: Function=unmasked | Origins="tile, tile"
tile.func @unmasked(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %a: i32, %s: i32, %t: i32) {
  %i = tile.call @rows(%a) : (i32) -> !t
  %j = tile.call @cols(%a) : (i32) -> !t
  %q = tile.call @at(%x, %i, %s, %j, %t) : (!tile.ptr<f32>, !t, i32, !t, i32) -> !p
  %v = tile.load %q : !p
  %r = tile.reduce %v axis 0 with arith.addf : (!v) -> tensor<32xf32>
  %z = tile.reduce %r axis 0 with arith.addf : (tensor<32xf32>) -> f32
  tile.store %y, %z : !tile.ptr<f32>
  tile.return
}

// Lower bounds: x >= 0 is the descriptor's own; the offset may be negative.
// CHECK-LABEL: tile.func @lower
// CHECK: %[[DESC:.*]] = tile.make_desc %x, [%m, %{{.*}}], [%s, %t] : !tile.ptr<f32>, [i32, i64], [i32, i32]
// CHECK: tile.desc_load %[[DESC]][%row, %{{.*}}] : !tile.desc<16x32xf32>, [i32, i64]
// REMARK: Function=lower | Origins="array, tile"
tile.func @lower(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %s: i32, %t: i32, %row: i32 {tile.divisible_by = 16 : i32}) {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : !t
  %i = tile.call @rows(%row) : (i32) -> !t
  %j = tile.call @cols(%zero) : (i32) -> !t
  %q = tile.call @at(%x, %i, %s, %j, %t) : (!tile.ptr<f32>, !t, i32, !t, i32) -> !p
  %ms = tile.splat %m : i32 -> !t
  %a = arith.cmpi slt, %i, %ms : !t
  %b = arith.cmpi sge, %i, %zeros : !t
  %mask = arith.andi %a, %b : !m
  %v = tile.load %q, %mask : !p
  %r = tile.reduce %v axis 0 with arith.addf : (!v) -> tensor<32xf32>
  %z = tile.reduce %r axis 0 with arith.addf : (tensor<32xf32>) -> f32
  tile.store %y, %z : !tile.ptr<f32>
  tile.return
}
