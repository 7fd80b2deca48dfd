// What defines and uses accumulators stays on its side of the fence and of the wait:
// their instructions take and return the registers, unless a product may be about to
// write them.

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
!t = tensor<64x16xf32, #acc>
!a = !tile_gpu.buffer<64x16xf16, #sa>
!b = !tile_gpu.buffer<16x16xf16, #sb>

// Of two products the first has ended when one is under way.
// CHECK-LABEL: llvm.func @ended
// CHECK: llvm.inline_asm has_side_effects "{{.*}}wgmma.mma_async
// CHECK: llvm.inline_asm has_side_effects "{{.*}}wgmma.mma_async
// CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"
// CHECK: llvm.extractvalue %[[R]][0]
// CHECK: arith.addf
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"
tile.func @ended() attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %x = arith.constant dense<0.0> : !t
  %a = tile_gpu.alloc offset = 0 : !a
  %b = tile_gpu.alloc offset = 2048 : !b
  %p = tile_gpu.wgmma %a, %b, %x : !a, !b -> !t
  %q = tile_gpu.wgmma %a, %b, %x : !a, !b -> !t
  %first = tile_gpu.wgmma_wait %p pending = 1 : !t
  %sum = arith.addf %first, %first : !t
  %second = tile_gpu.wgmma_wait %q pending = 0 : !t
  tile.return
}

// The second one, and what a loop carries, may be under way: only handed on.
// CHECK-LABEL: llvm.func @under_way
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: scf.for
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: scf.yield
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f
tile.func @under_way(%n: i32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant dense<0.0> : !t
  %a = tile_gpu.alloc offset = 0 : !a
  %b = tile_gpu.alloc offset = 2048 : !b
  %p = tile_gpu.wgmma %a, %b, %x : !a, !b -> !t
  %q = tile_gpu.wgmma %a, %b, %p : !a, !b -> !t
  %u = tile_gpu.wgmma_wait %q pending = 1 : !t
  %v = tile_gpu.wgmma_wait %u pending = 1 : !t
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %v) -> (!t) : i32 {
    %d = tile_gpu.wgmma %a, %b, %acc : !a, !b -> !t
    %e = tile_gpu.wgmma_wait %d pending = 1 : !t
    scf.yield %e : !t
  }
  %last = tile_gpu.wgmma_wait %r pending = 0 : !t
  tile.return
}

// A constant would be moved to the product; so would a sum. Zeros may be.
// CHECK-LABEL: llvm.func @starts
// CHECK-NOT: nvvm.wgmma.fence
// CHECK: %[[F:.*]] = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"
// CHECK: llvm.extractvalue %[[F]][0]
// CHECK: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: arith.addf
// CHECK-NOT: nvvm.wgmma.fence
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=f
// CHECK: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-NOT: wgmma.fence.sync
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: wgmma.mma_async
tile.func @starts() attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %x = arith.constant dense<1.5> : !t
  %none = arith.constant dense<0.0> : !t
  %a = tile_gpu.alloc offset = 0 : !a
  %b = tile_gpu.alloc offset = 2048 : !b
  %p = tile_gpu.wgmma %a, %b, %x : !a, !b -> !t
  %u = tile_gpu.wgmma_wait %p pending = 0 : !t
  %sum = arith.addf %u, %x : !t
  %q = tile_gpu.wgmma %a, %b, %sum : !a, !b -> !t
  %v = tile_gpu.wgmma_wait %q pending = 0 : !t
  %r = tile_gpu.wgmma %a, %b, %none : !a, !b -> !t
  %w = tile_gpu.wgmma_wait %r pending = 0 : !t
  tile.return
}
