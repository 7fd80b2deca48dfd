// Copies: how many bytes each moves, what a mask does, and groups of them.

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --tile-nvvm-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

#l = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128]]>
!b16 = !tile_gpu.buffer<256xf16, #rows>
!ring = !tile_gpu.buffer<256xf16, #rows, slots = 3>
!p16 = tensor<256x!tile.ptr<f16>, #l>
#twice = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[0]]>

// A thread has 16 bytes: as one copy past L1, as two of 8, as four of 4.
// CHECK-LABEL: llvm.func @widths
// CHECK-SAME: %[[I:[^:]*]]: i32 {tile.name = "i"
// CHECK: %[[S:.*]] = llvm.mlir.addressof @__tessera_shared
// CHECK-NEXT: %[[PIN:.*]] = llvm.inline_asm has_side_effects "mov.b64 $0, $1;", "=l,l" %[[S]] : (!llvm.ptr<3>) -> !llvm.ptr<3>
// CHECK-NEXT: %[[RING:.*]] = llvm.getelementptr %[[PIN]][0]
// 256 elements of 2 bytes a slot.
// CHECK-NEXT: %[[BYTES:.*]] = llvm.mlir.constant(512 : i32)
// CHECK-NEXT: %[[AT:.*]] = llvm.mul %[[I]], %[[BYTES]] : i32
// CHECK-NEXT: %[[SLOT:.*]] = llvm.getelementptr %[[RING]][%[[AT]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK-NOT: cp.async
// CHECK: %[[D:.*]] = llvm.getelementptr %[[SLOT]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
// CHECK: nvvm.cp.async.shared.global %[[D]], %{{.*}}, 16, cache = {{ ?}}cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = {{ ?}}ca : !llvm.ptr<3>
// CHECK-NOT: 8, cache
// CHECK-COUNT-4: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = {{ ?}}ca : !llvm.ptr<3>
// CHECK-NOT: cp.async
// CHECK: llvm.return
// PTX-LABEL: .entry widths(
// PTX: cp.async.cg.shared.global [%[[TO:rd[0-9]+]]], [%[[FROM:rd[0-9]+]]], 16;
// PTX: cp.async.ca.shared.global [%[[TO]]], [%[[FROM]]], 8;
// PTX: cp.async.ca.shared.global [%[[TO]]+8], [%{{.*}}], 8;
// PTX: cp.async.ca.shared.global [%[[TO]]], [%[[FROM]]], 4;
// PTX: cp.async.ca.shared.global [%[[TO]]+4], [%{{.*}}], 4;
// PTX: cp.async.ca.shared.global [%[[TO]]+8], [%{{.*}}], 4;
// PTX: cp.async.ca.shared.global [%[[TO]]+12], [%{{.*}}], 4;
// PTX-NOT: cp.async
// PTX: ret;
tile.func @widths(%p: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %i: i32) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1536 : i32} {
  %r = tile.arange : tensor<256xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f16> -> !p16
  %pp = tile.addptr %ps, %r : !p16, tensor<256xi32, #l>
  %ring = tile_gpu.alloc offset = 0 : !ring
  %s = tile_gpu.slot %ring[%i] : !ring
  tile_gpu.async_copy %pp, %s {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 0>} : !p16, !b16
  tile_gpu.async_copy %pp, %s {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : !p16, !b16
  tile_gpu.async_copy %pp, %s {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : !p16, !b16
  tile.return
}

// Under a false mask no byte is read, and all become zero.
// CHECK-LABEL: llvm.func @masked
// CHECK: %[[M:.*]] = llvm.extractelement %{{.*}} : vector<8xi1>
// CHECK: %[[ALL:.*]] = llvm.mlir.constant(16 : i32)
// CHECK-NEXT: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NEXT: %[[COUNT:.*]] = llvm.select %[[M]], %[[ALL]], %[[NONE]] : i1, i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = {{ ?}}cg, %[[COUNT]] :
// CHECK-NOT: cp.async
// CHECK: llvm.return
// PTX-LABEL: .entry masked(
// PTX: setp.lt.s32 %[[M:p[0-9]+]], %{{.*}}, %{{.*}};
// PTX: selp.b32 %[[COUNT:r[0-9]+]], 16, 0, %[[M]];
// PTX: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, %[[COUNT]];
tile.func @masked(%p: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %n: i32 {tile.divisible_by = 8 : i64}) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %r = tile.arange : tensor<256xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f16> -> !p16
  %pp = tile.addptr %ps, %r : !p16, tensor<256xi32, #l>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #l>
  %m = arith.cmpi slt, %r, %ns : tensor<256xi32, #l>
  %b = tile_gpu.alloc offset = 0 : !b16
  tile_gpu.async_copy %pp, %b, %m {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 0>} : !p16, !b16, tensor<256xi1, #l>
  tile.return
}

// Tokens are only an order; groups are counted by the hardware.
// CHECK-LABEL: llvm.func @groups
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: llvm.return
// PTX-LABEL: .entry groups(
// PTX: cp.async.commit_group;
// PTX: cp.async.commit_group;
// PTX: cp.async.wait_group 1;
// PTX: cp.async.wait_group 0;
// PTX: fence.proxy.async.shared::cta;
// PTX: ret;
tile.func @groups() attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile_gpu.async_commit
  %u = tile_gpu.async_commit
  tile_gpu.async_wait %t pending = 1
  tile_gpu.async_wait pending = 0
  tile_gpu.fence_async
  tile.return
}

// Where the whole tile exists nothing is asked.
// CHECK-LABEL: llvm.func @desc
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(256 : i32)
// CHECK-NEXT: %[[WHOLE:.*]] = llvm.icmp "eq" %{{.*}}, %[[SIZE]] : i32
// CHECK-NEXT: scf.if %[[WHOLE]] {
// CHECK-NOT: llvm.select
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = {{ ?}}cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT: } else {
// CHECK: %[[EXISTS:.*]] = llvm.icmp "ult"
// CHECK: %[[COUNT:.*]] = llvm.select %[[EXISTS]], %{{.*}}, %{{.*}} : i1, i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = {{ ?}}cg, %[[COUNT]] :
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
// PTX-LABEL: .entry desc(
// PTX: setp.ne.b32 %[[CUT:p[0-9]+]], %{{.*}}, 256;
// PTX: @%[[CUT]] bra
// PTX: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16;
// PTX: selp.b32 %[[COUNT:r[0-9]+]], 16, 0, %{{.*}};
// PTX: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, %[[COUNT]];
// PTX-NOT: cp.async
// PTX: ret;
tile.func @desc(%p: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %n: i32 {tile.divisible_by = 8 : i64}, %i: i32 {tile.divisible_by = 8 : i64}) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f16>, [i32], [i32] -> !tile.desc<256xf16>
  %b = tile_gpu.alloc offset = 0 : !b16
  tile_gpu.desc_copy %d[%i], %b layout #l {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 0>} : !tile.desc<256xf16>, [i32], !b16
  tile.return
}

// Of two warps that hold the same elements, the first copies them.
// CHECK-LABEL: llvm.func @twice
// CHECK-NOT: cp.async
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK: %[[WHOLE:.*]] = llvm.icmp "eq"
// CHECK-NEXT: scf.if %[[WHOLE]] {
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16
// CHECK: llvm.return
tile.func @twice(%p: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %n: i32 {tile.divisible_by = 8 : i64}, %i: i32 {tile.divisible_by = 8 : i64}) attributes {tile_gpu.num_warps = 2 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f16>, [i32], [i32] -> !tile.desc<256xf16>
  %b = tile_gpu.alloc offset = 0 : !b16
  tile_gpu.desc_copy %d[%i], %b layout #twice {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 0>} : !tile.desc<256xf16>, [i32], !b16
  tile.return
}
