// RUN: tile-opt %s --convert-tile-gpu-to-nvvm --canonicalize --cse | FileCheck %s

// Two rows, 8 apart, of two columns a thread.
#rows = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// 32 threads hold 16 elements: two copies, and two registers with one element.
#copies = #tile_gpu.layout<register = [[0]], lane = [[1], [2], [4], [8], [0]], warp = []>
// Register and lane share the lowest bit: coordinates are no sums.
#xor = #tile_gpu.layout<register = [[1]], lane = [[3], [2], [4], [8], [16]], warp = []>

// One address a thread: base + (offset + column) * 4 + row * stride * 4. Columns
// may begin before the array, rows do not: 0 is their offset. When 16 rows and 8
// columns are inside, accesses are LLVM's own; the second row is 8 strides away.
// CHECK-LABEL: llvm.func @load
// CHECK-SAME: %[[S:[a-z0-9]+]]: i64 {{.*}}, %[[I:[a-z0-9]+]]: i32
// CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i64) : i64
// CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i64) : i64
// CHECK-DAG: %[[C16:.*]] = llvm.mlir.constant(16 : i64) : i64
// CHECK-DAG: %[[ROWS:.*]] = llvm.mlir.constant(16 : i32) : i32
// CHECK-DAG: %[[COLS:.*]] = llvm.mlir.constant(8 : i32) : i32
// CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(32 : i64) : i64
// CHECK: %[[OFFSET:.*]] = llvm.sext %[[I]] : i32 to i64
// CHECK: %[[SHIFT:.*]] = llvm.mul %[[OFFSET]], %[[C4]] : i64
// CHECK: %[[UNIFORM:.*]] = llvm.add %{{.*}}, %[[SHIFT]] : i64
// CHECK: %[[OWN:.*]] = llvm.add
// CHECK-NEXT: %[[FIRST:.*]] = llvm.add %[[UNIFORM]], %[[OWN]] : i64
// CHECK: %[[R0:.*]] = llvm.intr.smax(%{{.*}}, %[[C0]]) : (i64, i64) -> i64
// CHECK: %[[R1:.*]] = llvm.intr.smin(%[[R0]], %[[C16]]) : (i64, i64) -> i64
// CHECK: %[[HIGH:.*]] = llvm.trunc %[[R1]] : i64 to i32
// CHECK: %[[ALLROWS:.*]] = llvm.icmp "eq" %[[HIGH]], %[[ROWS]] : i32
// CHECK: llvm.intr.ssub.sat(%{{.*}}, %[[OFFSET]]) : (i64, i64) -> i64
// CHECK: llvm.intr.ssub.sat(%[[C0]], %[[OFFSET]]) : (i64, i64) -> i64
// CHECK: %[[LOW:.*]] = llvm.trunc
// CHECK: %[[END:.*]] = llvm.intr.smax(%{{.*}}, %[[LOW]]) : (i32, i32) -> i32
// CHECK: %[[COUNT:.*]] = llvm.sub %[[END]], %[[LOW]] : i32
// CHECK: %[[ALLCOLS:.*]] = llvm.icmp "eq" %[[COUNT]], %[[COLS]] : i32
// CHECK: %[[WHOLE:.*]] = llvm.and %[[ALLROWS]], %[[ALLCOLS]] : i1
// CHECK: %[[WORDS:.*]]:2 = scf.if %[[WHOLE]] -> (vector<2xi32>, vector<2xi32>)
// CHECK-NEXT: %[[Q0:.*]] = llvm.inttoptr %[[FIRST]]
// CHECK-NEXT: llvm.load %[[Q0]] {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK-NEXT: %[[D:.*]] = llvm.mul %[[S]], %[[STEP]] : i64
// CHECK-NEXT: %[[A1:.*]] = llvm.add %[[FIRST]], %[[D]] : i64
// CHECK-NEXT: %[[Q1:.*]] = llvm.inttoptr %[[A1]]
// CHECK-NEXT: llvm.load %[[Q1]] {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-DAG: %[[ROW:.*]] = llvm.inline_asm has_side_effects "mov.b32 $0, $1;", "=r,r"
// CHECK: %[[IN:.*]] = llvm.icmp "slt" %[[ROW]], %[[HIGH]] : i32
// CHECK: %[[C:.*]] = llvm.sub %{{.*}}, %[[LOW]] : i32
// CHECK: %[[INC:.*]] = llvm.icmp "ult" %[[C]], %[[COUNT]] : i32
// CHECK: %[[EXISTS:.*]] = llvm.and %[[IN]], %[[INC]] : i1
// CHECK: llvm.inline_asm has_side_effects "@$2 ld.global.v2.b32 {$0, $1}, [$3];", "=r,=r,b,l,0,1" %[[EXISTS]], %[[FIRST]]
// CHECK: llvm.inline_asm has_side_effects "@$2 ld.global.v2.b32
// CHECK: scf.yield
tile.func @load(%p: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64, %i: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %d = tile.make_desc %p, [%m, %n], [%s, %one] : !tile.ptr<f32>, [i32, i32], [i64, i64] -> !tile.desc<16x8xf32>
  %x = tile.desc_load %d[%zero, %i] {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 1>} : !tile.desc<16x8xf32>, [i64, i32] -> tensor<16x8xf32, #rows>
  tile.desc_store %d[%i, %i], %x : !tile.desc<16x8xf32>, [i32, i32], tensor<16x8xf32, #rows>
  tile.return
}

// The same as a store: two plain ones, or two under a predicate.
// CHECK-LABEL: llvm.func @store
// CHECK: scf.if
// CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
// CHECK: } else {
// CHECK-COUNT-2: llvm.inline_asm has_side_effects "@$0 st.global.v2.b32 [$1], {$2, $3};"
// CHECK: llvm.return
tile.func @store(%p: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64, %i: i32, %f: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i64
  %x = tile.splat %f : f32 -> tensor<16x8xf32, #rows>
  %d = tile.make_desc %p, [%m, %n], [%s, %one] : !tile.ptr<f32>, [i32, i32], [i64, i64] -> !tile.desc<16x8xf32>
  tile.desc_store %d[%i, %i], %x {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 1>} : !tile.desc<16x8xf32>, [i32, i32], tensor<16x8xf32, #rows>
  tile.return
}

// An array that has the tile: no branch. Strides that are known are constants.
// CHECK-LABEL: llvm.func @inside
// CHECK-NOT: scf.if
// CHECK: %[[FAR:.*]] = llvm.mlir.constant(800 : i64) : i64
// CHECK-NOT: scf.if
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xi32>
// CHECK: llvm.add %{{.*}}, %[[FAR]] : i64
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.load
// CHECK-NOT: scf.if
// CHECK: llvm.return
tile.func @inside(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  %stride = arith.constant 25 : i32
  %rows = arith.constant 19 : i32
  %cols = arith.constant 8 : i32
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %d = tile.make_desc %p, [%rows, %cols], [%stride, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<16x8xf32>
  %x = tile.desc_load %d[%three, %zero] : !tile.desc<16x8xf32>, [i32, i32] -> tensor<16x8xf32, #rows>
  tile.desc_store %d[%three, %zero], %x : !tile.desc<16x8xf32>, [i32, i32], tensor<16x8xf32, #rows>
  tile.return
}

// Of copies one thread stores, in both branches; registers with one element are
// loaded and stored once. Hints need PTX: a load without a predicate, too.
// CHECK-LABEL: llvm.func @copies
// CHECK: scf.if
// CHECK: llvm.inline_asm has_side_effects "ld.global.cg.b16 $0, [$1];"
// CHECK-NOT: ld.global
// CHECK: } else {
// CHECK: llvm.inline_asm has_side_effects "@$1 ld.global.cg.b16 $0, [$2];"
// CHECK-NOT: ld.global
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: scf.if
// CHECK: llvm.inline_asm has_side_effects "@$0 st.global.L1::evict_last.b16 [$1], $2;", "b,l,h" %[[FIRST]]
// CHECK-NOT: st.global
// CHECK: } else {
// CHECK: %[[ONE:.*]] = llvm.and %{{.*}}, %[[FIRST]] : i1
// CHECK: llvm.inline_asm has_side_effects "@$0 st.global.L1::evict_last.b16 [$1], $2;", "b,l,h" %[[ONE]]
// CHECK-NOT: st.global
// CHECK: llvm.return
tile.func @copies(%p: !tile.ptr<f16>, %n: i32, %i: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %d = tile.make_desc %p, [%n], [%i] : !tile.ptr<f16>, [i32], [i32] -> !tile.desc<16xf16>
  %x = tile.desc_load %d[%i] cache(cg) : !tile.desc<16xf16>, [i32] -> tensor<16xf16, #copies>
  tile.desc_store %d[%i], %x evict(evict_last) : !tile.desc<16xf16>, [i32], tensor<16xf16, #copies>
  tile.return
}

// Coordinates that are no sums: each register computes its own.
// CHECK-LABEL: llvm.func @exclusive
// CHECK: scf.if
// CHECK: llvm.xor
// CHECK: llvm.load %{{.*}} -> vector<1xi8>
// CHECK: llvm.xor
// CHECK: llvm.load %{{.*}} -> vector<1xi8>
// CHECK: } else {
// CHECK: llvm.icmp "ne" %{{.*}}, %{{.*}} : vector<1xi8>
tile.func @exclusive(%p: !tile.ptr<i1>, %n: i32, %s: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %p, [%n], [%s] : !tile.ptr<i1>, [i32], [i32] -> !tile.desc<32xi1>
  %x = tile.desc_load %d[%zero] : !tile.desc<32xi1>, [i32] -> tensor<32xi1, #xor>
  tile.desc_store %d[%zero], %x : !tile.desc<32xi1>, [i32], tensor<32xi1, #xor>
  tile.return
}

// A descriptor that a loop carries is a struct.
// CHECK-LABEL: llvm.func @carried
// CHECK: scf.for {{.*}} -> (!llvm.struct<(i64, i64, i64)>)
// CHECK: scf.yield %{{.*}} : !llvm.struct<(i64, i64, i64)>
tile.func @carried(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<32xf32>
  %q = tile.addptr %p, %n : !tile.ptr<f32>, i32
  %f = tile.make_desc %q, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<32xf32>
  %l = scf.for %i = %zero to %n step %n iter_args(%e = %d) -> (!tile.desc<32xf32>) : i32 {
    %x = tile.desc_load %e[%i] : !tile.desc<32xf32>, [i32] -> tensor<32xf32, #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>>
    scf.yield %f : !tile.desc<32xf32>
  }
  tile.return
}
