// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --tile-nvvm-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#panels = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [0, 64]]>
#turned = #tile_gpu.shared<[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [64, 0]]>
!map = !tile.tensor_map<8x64xf16, swizzle = 128>
!batch = !tile.tensor_map<1x8x64xf16, swizzle = 128>
!bars = !tile_gpu.mbarrier<2>

// A parameter of 128 bytes that stays where it is.
// CHECK-LABEL: llvm.func @barriers
// CHECK-SAME: %[[MAP:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, tile.name = "m", tile.type = !tile.tensor_map<8x64xf16, swizzle = 128>}
// CHECK-SAME: %[[I:[^:]*]]: i32
// CHECK-SAME: %[[P:[^:]*]]: i32
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[T]], %{{.*}} : i32
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK-NEXT: nvvm.prefetch tensormap in_param_space, %[[MAP]] : !llvm.ptr
// CHECK-NEXT: }
// CHECK: %[[S:.*]] = llvm.mlir.addressof @__tessera_shared
// CHECK-NEXT: %[[PIN:.*]] = llvm.inline_asm has_side_effects "mov.b64 $0, $1;", "=l,l" %[[S]] : (!llvm.ptr<3>) -> !llvm.ptr<3>
// CHECK-NEXT: %[[B:.*]] = llvm.getelementptr %[[PIN]][4096]
// CHECK: scf.if
// CHECK-DAG: %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.barrier0
// CHECK: scf.if
// CHECK: %[[A:.*]] = llvm.getelementptr %[[B]][%[[I]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
// CHECK-NEXT: nvvm.mbarrier.arrive %[[A]] : !llvm.ptr<3> -> i64
// CHECK: scf.if
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(4096 : i32)
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %[[BYTES]] : !llvm.ptr<3>, i32{{$}}
// Every thread waits.
// CHECK: %[[W:.*]] = llvm.getelementptr %[[B]][%[[I]]]
// CHECK-NOT: scf.if
// CHECK: scf.while : () -> () {
// CHECK-NEXT: %[[ENDED:.*]] = nvvm.mbarrier.try_wait %[[W]], %[[P]] : !llvm.ptr<3>, i32 -> i1
// CHECK-NEXT: %[[NOT:.*]] = llvm.xor %[[ENDED]], %{{.*}} : i1
// CHECK-NEXT: scf.condition(%[[NOT]])
// PTX-LABEL: .entry barriers(
// PTX-NEXT: .param .align 64 .b8 barriers_param_0[128],
// PTX: prefetch.param.tensormap
// PTX: add.s64 %[[FIRST:rd[0-9]+]], %[[BASE:rd[0-9]+]], 4096;
// PTX: add.s64 %[[SECOND:rd[0-9]+]], %[[BASE]], 4104;
// PTX: mov.b32 %[[COUNT:r[0-9]+]], 3;
// PTX: mbarrier.init.shared.b64 [%[[FIRST]]], %[[COUNT]];
// PTX: mbarrier.init.shared.b64 [%[[SECOND]]], %[[COUNT]];
// PTX: fence.mbarrier_init.release.cluster;
// PTX: bar.sync
// PTX: add.s64 %[[AT:rd[0-9]+]], %[[BASE]], %
// PTX: add.s64 %[[MINE:rd[0-9]+]], %[[AT]], 4096;
// PTX: mbarrier.arrive.shared.b64 %{{.*}}, [%[[MINE]]];
// PTX: mov.b32 %[[BYTES:r[0-9]+]], 4096;
// PTX: mbarrier.arrive.expect_tx.shared.b64 %{{.*}}, [%[[MINE]]], %[[BYTES]];
// PTX: mbarrier.try_wait.parity.shared.b64
// PTX: ret;
tile.func @barriers(%m: !map, %i: i32, %p: i32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 4112 : i32} {
  tile_gpu.tma_prefetch %m : !map
  %b = tile_gpu.mbarrier_init arrivals = 3 offset = 4096 : !bars
  tile_gpu.mbarrier_arrive %b[%i] : !bars
  tile_gpu.mbarrier_expect %b[%i], 4096 : !bars
  tile_gpu.mbarrier_wait %b[%i], %p : !bars
  tile.return
}

// Coordinates from the last dimension on. The second panel is 64 columns on, and
// 1024 bytes.
// CHECK-LABEL: llvm.func @loads
// CHECK-SAME: %[[A:[^:]*]]: !llvm.ptr {
// CHECK-SAME: %[[B:[^:]*]]: !llvm.ptr {
// CHECK-SAME: %[[I:[^:]*]]: i32 {tile.name = "i"
// CHECK-SAME: %[[J:[^:]*]]: i32 {tile.name = "j"
// CHECK: scf.if
// CHECK: %[[BAR:.*]] = llvm.getelementptr %{{.*}}[%[[J]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
// CHECK: %[[D0:.*]] = llvm.getelementptr %[[BUF:.*]][0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK-NEXT: %[[C0:.*]] = llvm.addrspacecast %[[D0]] : !llvm.ptr<3> to !llvm.ptr<7>
// CHECK-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[C0]], %[[A]], %[[BAR]], box[%[[J]], %[[I]]] : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT: %[[D1:.*]] = llvm.getelementptr %[[BUF]][1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK-NEXT: %[[SIXTY_FOUR:.*]] = llvm.mlir.constant(64 : i32)
// CHECK-NEXT: %[[J1:.*]] = llvm.add %[[J]], %[[SIXTY_FOUR]] : i32
// CHECK-NEXT: %[[C1:.*]] = llvm.addrspacecast %[[D1]]
// CHECK-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[C1]], %[[A]], %[[BAR]], box[%[[J1]], %[[I]]]
// CHECK-NEXT: }
// A batch: its own coordinate stays. The buffer's columns are the box's rows.
// CHECK: scf.if
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[B]], %{{.*}}, box[%[[J]], %[[I]], %[[I]]] : !llvm.ptr<7>, !llvm.ptr
// CHECK: %[[J2:.*]] = llvm.add %[[J]], %{{.*}} : i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[B]], %{{.*}}, box[%[[J2]], %[[I]], %[[I]]]
// CHECK-NOT: nvvm.cp.async.bulk
// CHECK: llvm.return
// PTX-LABEL: .entry loads(
// PTX-COUNT-2: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// PTX-COUNT-2: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// PTX: ret;
tile.func @loads(%a: !map, %b: !batch, %i: i32, %j: i32) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 4112 : i32} {
  %bars = tile_gpu.mbarrier_init arrivals = 1 offset = 4096 : !bars
  %t = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<8x128xf16, #panels>
  %u = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<128x8xf16, #turned>
  tile_gpu.tma_load %a[%i, %j], %t, %bars[%j] : !map, !tile_gpu.buffer<8x128xf16, #panels>, !bars
  tile_gpu.tma_load %b[%i, %i, %j], %u, %bars[%i] : !batch, !tile_gpu.buffer<128x8xf16, #turned>, !bars
  tile.return
}

// CHECK-LABEL: llvm.func @stores
// CHECK: scf.if
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}] : !llvm.ptr, <3>
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.bulk.commit.group
// CHECK-NEXT: nvvm.cp.async.bulk.wait_group 2 {read}
// PTX-LABEL: .entry stores(
// PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// PTX: cp.async.bulk.commit_group;
// PTX: cp.async.bulk.wait_group.read 2;
tile.func @stores(%a: !map, %i: i32) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %t = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<8x64xf16, #rows>
  tile_gpu.tma_store %t, %a[%i, %i] : !tile_gpu.buffer<8x64xf16, #rows>, !map
  tile_gpu.tma_store_commit
  tile_gpu.tma_store_wait pending = 2
  tile.return
}

// What says that copies have ended does nothing.
// CHECK-LABEL: llvm.func @ended
// CHECK: nvvm.bar.warp.sync
// CHECK-NEXT: llvm.return
// PTX-LABEL: .entry ended(
// PTX: bar.warp.sync
// PTX-NOT: {{(bar|mbarrier|cp|fence)\.}}
// PTX: ret;
tile.func @ended() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 16 : i32} {
  %b = tile_gpu.mbarrier_init arrivals = 1 offset = 0 : !tile_gpu.mbarrier<1>
  tile_gpu.tma_load_end %b : !tile_gpu.mbarrier<1>
  tile.return
}
