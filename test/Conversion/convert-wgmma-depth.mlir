// Products with a depth: all steps at once where it lies in the last of them, and else
// a loop that goes as far as it does. A's steps of 32 bytes along a row are 2 units of
// 16 bytes apart, B's, of 16 rows of 32 bytes, 32 units.

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --tile-nvvm-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#parts = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#sa128 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#sa16 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb16 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
!t = tensor<64x16xf32, #acc>
!t128 = tensor<128x16xf32, #parts>
!a = !tile_gpu.buffer<64x64xf16, #sa>
!a128 = !tile_gpu.buffer<128x64xf16, #sa128>
!a16 = !tile_gpu.buffer<64x16xf16, #sa16>
!b = !tile_gpu.buffer<64x16xf16, #sb>
!b16 = !tile_gpu.buffer<16x16xf16, #sb16>

// Accumulators that are computed here go through the fences of both ways.
// CHECK-LABEL: llvm.func @steps
// CHECK: %[[A:.*]] = llvm.or
// CHECK: %[[B:.*]] = llvm.or
// CHECK: %[[C48:.*]] = llvm.mlir.constant(48 : i32)
// CHECK-NEXT: %[[WHOLE:.*]] = llvm.icmp "sgt" %[[DEPTH:.*]], %[[C48]] : i32
// CHECK-NEXT: %[[SUM:.*]] = scf.if %[[WHOLE]] -> (vector<8xf32>) {
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=f,
// CHECK-COUNT-4: m64n16k16.f32.f16.f16
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NOT: commit.group
// CHECK: } else {
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=f,
// CHECK: %[[LEFT:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[STEP:.*]] = %{{.*}}) : (vector<8xf32>, i32)
// CHECK-NEXT: nvvm.wgmma.fence.aligned
// CHECK: llvm.and %[[STEP]], %{{.*}} : i32
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[BY16:.*]] = llvm.select %{{.*}}, %[[TWO]], %{{.*}} : i1, i64
// CHECK-NEXT: %[[A16:.*]] = llvm.add %[[A]], %[[BY16]] : i64
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[BY32:.*]] = llvm.select %{{.*}}, %[[FOUR]], %{{.*}} : i1, i64
// CHECK-NEXT: %[[AS:.*]] = llvm.add %[[A16]], %[[BY32]] : i64
// CHECK: %[[UNITS:.*]] = llvm.mlir.constant(32 : i64)
// CHECK: %[[BY16:.*]] = llvm.select %{{.*}}, %[[UNITS]], %{{.*}} : i1, i64
// CHECK-NEXT: %[[B16:.*]] = llvm.add %[[B]], %[[BY16]] : i64
// CHECK: %[[UNITS:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: %[[BY32:.*]] = llvm.select %{{.*}}, %[[UNITS]], %{{.*}} : i1, i64
// CHECK-NEXT: %[[BS:.*]] = llvm.add %[[B16]], %[[BY32]] : i64
// CHECK: m64n16k16.f32.f16.f16 {{.*}} %[[AS]], %[[BS]], 
// CHECK-NOT: m64n16k16
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: %[[C16:.*]] = llvm.mlir.constant(16 : i32)
// CHECK-NEXT: %[[NEXT:.*]] = llvm.add %[[STEP]], %[[C16]] : i32
// CHECK-NEXT: %[[REMAINS:.*]] = llvm.icmp "slt" %[[NEXT]], %[[DEPTH]] : i32
// CHECK: scf.condition(%[[REMAINS]]) %{{.*}}, %[[NEXT]] : vector<8xf32>, i32
// CHECK: scf.yield %[[LEFT]]#0 : vector<8xf32>
// CHECK: llvm.extractelement %[[SUM]]
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// No register is moved between the products and the wait, on either way.
// PTX-LABEL: .entry steps(
// PTX: wgmma.fence.sync.aligned;
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%[[R:r[0-9]+]],
// PTX: wgmma.commit_group.sync.aligned;
// PTX-NOT: mov.b32 %[[R]]
// PTX: wgmma.fence.sync.aligned;
// PTX: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%[[R]],
// PTX-NOT: mov.b32 %[[R]]
// PTX-NOT: mma_async
// PTX: wgmma.wait_group.sync.aligned 0;
tile.func @steps(%p: !tile.ptr<i32>, %y: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %depth = tile.load %p : !tile.ptr<i32>
  %x = tile.splat %y : f32 -> !t
  %a = tile_gpu.alloc offset = 0 : !a
  %b = tile_gpu.alloc offset = 8192 : !b
  %d = tile_gpu.wgmma %a, %b, %x depth %depth : !a, !b -> !t
  %e = tile_gpu.wgmma_wait %d pending = 0 : !t
  tile.return
}

// From zeros: only the loop, which adds to them, needs them in registers.
// CHECK-LABEL: llvm.func @zeros
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK: scf.if
// CHECK-NEXT: nvvm.wgmma.fence.aligned
// CHECK-NEXT: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.u32 p, 0, 0; {{.*}}", "=f,=f,=f,=f,=f,=f,=f,=f,l,l" %
// CHECK-COUNT-3: setp.eq.u32
// CHECK: } else {
// CHECK: scf.while (%{{.*}} = %[[ZEROS]], %{{.*}} = %{{.*}})
// CHECK: setp.eq.u32 {{.*}} wgmma.mma_async
// CHECK-NOT: mma_async
// CHECK: llvm.return
tile.func @zeros(%p: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %depth = tile.load %p : !tile.ptr<i32>
  %x = arith.constant dense<0.0> : !t
  %a = tile_gpu.alloc offset = 0 : !a
  %b = tile_gpu.alloc offset = 8192 : !b
  %d = tile_gpu.wgmma %a, %b, %x depth %depth : !a, !b -> !t
  %e = tile_gpu.wgmma_wait %d pending = 0 : !t
  tile.return
}

// Twice 64 rows, 8192 bytes apart: four steps of each in one group, and each step of
// both in one.
// CHECK-LABEL: llvm.func @parts
// CHECK: scf.if
// CHECK-COUNT-8: m64n16k16
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: scf.while
// CHECK: m64n16k16
// CHECK: %[[ROWS:.*]] = llvm.mlir.constant(512 : i64)
// CHECK-NEXT: llvm.add %{{.*}}, %[[ROWS]] : i64
// CHECK: m64n16k16
// CHECK-NOT: m64n16k16
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: scf.condition
tile.func @parts(%p: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %depth = tile.load %p : !tile.ptr<i32>
  %x = arith.constant dense<0.0> : !t128
  %a = tile_gpu.alloc offset = 0 : !a128
  %b = tile_gpu.alloc offset = 16384 : !b
  %d = tile_gpu.wgmma %a, %b, %x depth %depth : !a128, !b -> !t128
  %e = tile_gpu.wgmma_wait %d pending = 0 : !t128
  tile.return
}

// A single step is always made.
// CHECK-LABEL: llvm.func @one_step
// CHECK-NOT: scf.if
// CHECK: m64n16k16
// CHECK-NOT: mma_async
// CHECK: llvm.return
tile.func @one_step(%p: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %depth = tile.load %p : !tile.ptr<i32>
  %x = arith.constant dense<0.0> : !t
  %a = tile_gpu.alloc offset = 0 : !a16
  %b = tile_gpu.alloc offset = 8192 : !b16
  %d = tile_gpu.wgmma %a, %b, %x depth %depth : !a16, !b16 -> !t
  %e = tile_gpu.wgmma_wait %d pending = 0 : !t
  tile.return
}
