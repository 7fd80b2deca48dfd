// RUN: tile-opt %s --tile-raise-accesses | FileCheck %s
// RUN: tile-opt %s --tile-raise-accesses --remark-format=emitRemark --remarks-filter=tile-raise-accesses \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-raise-accesses=max-rank=0 | FileCheck %s --check-prefix=OFF

// A tile that is transposed for a product is a tile of the transposed array: a K x M
// array at %i, %j in rows of %s elements is M x K at %j, %i, of which M has the
// stride 1.

!a = tensor<32x64xf16>
!at = tensor<64x32xf16>
!b = tensor<32x16xf16>
!c = tensor<64x16xf32>
!d = !tile.desc<32x64xf16>

// OFF-NOT: desc<64x32
// CHECK-LABEL: tile.func @product
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NOT: desc<32x64
// CHECK: %[[D:.*]] = tile.make_desc %p, [%m, %k], [%[[ONE]], %s] : !tile.ptr<f16>, [i32, i32], [i64, i64] -> !tile.desc<64x32xf16>
// CHECK-NEXT: %[[A:.*]] = tile.desc_load %[[D]][%j, %i] cache(cg) : !tile.desc<64x32xf16>, [i64, i32] -> tensor<64x32xf16>
// CHECK-NOT: tile.trans
// CHECK: tile.dot %[[A]],
// REMARK: [[@LINE+4]]:8: remark: [Passed] transposed-load | {{.*}} Function=product | Uses=1{{$}}
tile.func @product(%p: !tile.ptr<f16>, %k: i32, %m: i32, %s: i64, %i: i32, %j: i64, %b: f16, %c: f32) {
  %one = arith.constant 1 : i64
  %d = tile.make_desc %p, [%k, %m], [%s, %one] : !tile.ptr<f16>, [i32, i32], [i64, i64] -> !d
  %x = tile.desc_load %d[%i, %j] cache(cg) : !d, [i32, i64] -> !a
  %t = tile.trans %x, [1, 0] : !a -> !at
  %bs = tile.splat %b : f16 -> !b
  %cs = tile.splat %c : f32 -> !c
  %e = tile.dot %t, %bs, %cs : !at, !b -> !c
  tile.print "e", %e : !c
  tile.return
}

// One array for two products, outside of their loop as before; a descriptor that
// another load needs stays beside it.
// CHECK-LABEL: tile.func @loop
// CHECK-DAG: tile.make_desc %p, [%k, %m], [%s, %{{.*}}] {{.*}} -> !tile.desc<32x64xf16>
// CHECK-DAG: %[[D:.*]] = tile.make_desc %p, [%m, %k], [%{{.*}}, %s] {{.*}} -> !tile.desc<64x32xf16>
// CHECK: scf.for
// CHECK: %[[A:.*]] = tile.desc_load %[[D]][%j, %{{.*}}]
// CHECK-NOT: tile.trans
// CHECK-COUNT-2: tile.dot %[[A]],
// REMARK: [Passed] transposed-load | {{.*}} Function=loop | Uses=2{{$}}
tile.func @loop(%p: !tile.ptr<f16>, %k: i32, %m: i32, %s: i64, %j: i64, %b: f16, %c: f32) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %d = tile.make_desc %p, [%k, %m], [%s, %one] : !tile.ptr<f16>, [i32, i32], [i64, i64] -> !d
  %bs = tile.splat %b : f16 -> !b
  %cs = tile.splat %c : f32 -> !c
  %y = tile.desc_load %d[%zero, %j] : !d, [i32, i64] -> !a
  tile.print "y", %y : !a
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %cs) -> (!c) : i32 {
    %x = tile.desc_load %d[%i, %j] : !d, [i32, i64] -> !a
    %t = tile.trans %x, [1, 0] : !a -> !at
    %u = tile.trans %x, [1, 0] {again} : !a -> !at
    %e = tile.dot %t, %bs, %acc : !at, !b -> !c
    %f = tile.dot %u, %bs, %e : !at, !b -> !c
    scf.yield %f : !c
  }
  tile.print "sum", %sum : !c
  tile.return
}

// Unchanged: the tile is used as it is as well.
// CHECK-LABEL: tile.func @both
// CHECK: tile.desc_load {{.*}} -> tensor<32x64xf16>
// CHECK: tile.trans
// REMARK: Function=both | Reason="the array is not read transposed: its tile is also used as it is"
tile.func @both(%p: !tile.ptr<f16>, %k: i32, %m: i32, %s: i64, %i: i32, %j: i64, %b: f16, %c: f32) {
  %one = arith.constant 1 : i64
  %d = tile.make_desc %p, [%k, %m], [%s, %one] : !tile.ptr<f16>, [i32, i32], [i64, i64] -> !d
  %x = tile.desc_load %d[%i, %j] : !d, [i32, i64] -> !a
  tile.print "x", %x : !a
  %t = tile.trans %x, [1, 0] : !a -> !at
  %bs = tile.splat %b : f16 -> !b
  %cs = tile.splat %c : f32 -> !c
  %e = tile.dot %t, %bs, %cs : !at, !b -> !c
  tile.print "e", %e : !c
  tile.return
}

// Unchanged: the transposed tile is stored, too; no stride is known to be 1, so that
// the tile as it is written is the best guess of what is adjacent.
// CHECK-LABEL: tile.func @stored
// CHECK-COUNT-2: tile.trans
// REMARK: Function=stored | Reason="the array is not read transposed: not only products of 8- or 16-bit elements use the transposed tile"
// REMARK: Function=stored | Reason="the array is not read transposed: it has not one dimension whose stride is known to be 1"
tile.func @stored(%p: !tile.ptr<f16>, %k: i32, %m: i32, %s: i64, %i: i32, %j: i64, %b: f16, %c: f32) {
  %one = arith.constant 1 : i64
  %d = tile.make_desc %p, [%k, %m], [%s, %one] : !tile.ptr<f16>, [i32, i32], [i64, i64] -> !d
  %x = tile.desc_load %d[%i, %j] : !d, [i32, i64] -> !a
  %t = tile.trans %x, [1, 0] : !a -> !at
  tile.print "t", %t : !at
  %strided = tile.make_desc %p, [%k, %m], [%s, %s] : !tile.ptr<f16>, [i32, i32], [i64, i64] -> !d
  %y = tile.desc_load %strided[%i, %j] : !d, [i32, i64] -> !a
  %u = tile.trans %y, [1, 0] : !a -> !at
  %bs = tile.splat %b : f16 -> !b
  %cs = tile.splat %c : f32 -> !c
  %e = tile.dot %t, %bs, %cs : !at, !b -> !c
  %f = tile.dot %u, %bs, %e : !at, !b -> !c
  tile.print "f", %f : !c
  tile.return
}

// Unchanged: elements of 32 bits; no product.
// CHECK-LABEL: tile.func @elementwise
// CHECK-COUNT-2: tile.trans
// REMARK: Function=elementwise | Reason="the array is not read transposed: not only products
// REMARK-NOT: Function=elementwise
tile.func @elementwise(%p: !tile.ptr<f32>, %k: i32, %m: i32, %s: i64, %i: i32, %j: i64, %b: f32) {
  %one = arith.constant 1 : i64
  %d = tile.make_desc %p, [%k, %m], [%s, %one] : !tile.ptr<f32>, [i32, i32], [i64, i64] -> !tile.desc<32x64xf32>
  %x = tile.desc_load %d[%i, %j] : !tile.desc<32x64xf32>, [i32, i64] -> tensor<32x64xf32>
  %t = tile.trans %x, [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  %bs = tile.splat %b : f32 -> tensor<32x16xf32>
  %cs = tile.splat %b : f32 -> !c
  %e = tile.dot %t, %bs, %cs : tensor<64x32xf32>, tensor<32x16xf32> -> !c
  tile.print "e", %e : !c
  %y = tile.desc_load %d[%i, %j] : !tile.desc<32x64xf32>, [i32, i64] -> tensor<32x64xf32>
  %u = tile.trans %y, [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  tile.print "u", %u : tensor<64x32xf32>
  tile.return
}
