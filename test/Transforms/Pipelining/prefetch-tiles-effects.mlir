// What the first copies needed goes with them, and nothing else; a store's wait moves to
// where its buffer is written, if that is the only write of it.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize | FileCheck %s --enable-var-scope

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!tile = tensor<64xf32, #l>
!full = !tile_gpu.mbarrier<2>

// An operand of all iterations keeps its fence, and the barrier: threads see each
// other's writes before the loop, and not in each iteration.

// CHECK-LABEL: tile.func @operand
// CHECK: scf.for unsigned
// CHECK: tile_gpu.local_store %{{.*}}, %[[OPERAND:.*]] : {{.*}}
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NOT: tile_gpu.fence_async
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.for
tile.func @operand(%a: !map, %c: !map, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r:2 = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%slot = %zero, %parity = %zero) -> (i32, i32) : i32 {
    %row = arith.muli %tile, %size : i32
    %operand = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %operand : !tile, !slot
    tile_gpu.fence_async
    tile_gpu.fence_async
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%slot] : !ring
    %any = arith.cmpi slt, %zero, %steps : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%slot], 256 : !full
      tile_gpu.tma_load %a[%row], %to, %full[%slot] : !map, !slot, !full
    }
    %done:3 = scf.for %i = %zero to %steps step %one iter_args(%acc = %none, %s = %slot, %p = %parity) -> (!tile, i32, i32) : i32 {
      tile_gpu.mbarrier_wait %full[%s], %p : !full
      %from = tile_gpu.slot %ring[%s] : !ring
      %x = tile_gpu.local_load %from : !slot -> !tile
      %sum = arith.addf %acc, %x : !tile
      %s1 = arith.xori %s, %one : i32
      %flip = arith.andi %s, %one : i32
      %p1 = arith.xori %p, %flip : i32
      tile_gpu.barrier
      %i1 = arith.addi %i, %one : i32
      %more = arith.cmpi slt, %i1, %steps : i32
      %to1 = tile_gpu.slot %ring[%s1] : !ring
      scf.if %more {
        tile_gpu.mbarrier_expect %full[%s1], 256 : !full
        tile_gpu.tma_load %a[%row], %to1, %full[%s1] : !map, !slot, !full
      }
      scf.yield %sum, %s1, %p1 : !tile, i32, i32
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %done#0, %b : !tile, !slot
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%row] : !slot, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
    scf.yield %done#1, %done#2 : i32, i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Another buffer is written between the write of the stored one and its store.

// CHECK-LABEL: tile.func @between
// CHECK: scf.for unsigned
// CHECK: scf.for
// CHECK: tile_gpu.tma_store_wait pending = 0
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[B:.*]] : {{.*}}
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[OTHER:.*]] : {{.*}}
// CHECK: tile_gpu.tma_store %[[B]],
// CHECK-NEXT: tile_gpu.tma_store_commit
// CHECK-NEXT: %{{.*}} = tile_gpu.local_load %[[OTHER]]
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: scf.yield
tile.func @between(%a: !map, %c: !map, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r:2 = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%slot = %zero, %parity = %zero) -> (i32, i32) : i32 {
    %row = arith.muli %tile, %size : i32
    tile_gpu.fence_async
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%slot] : !ring
    %any = arith.cmpi slt, %zero, %steps : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%slot], 256 : !full
      tile_gpu.tma_load %a[%row], %to, %full[%slot] : !map, !slot, !full
    }
    %done:3 = scf.for %i = %zero to %steps step %one iter_args(%acc = %none, %s = %slot, %p = %parity) -> (!tile, i32, i32) : i32 {
      tile_gpu.mbarrier_wait %full[%s], %p : !full
      %from = tile_gpu.slot %ring[%s] : !ring
      %x = tile_gpu.local_load %from : !slot -> !tile
      %sum = arith.addf %acc, %x : !tile
      %s1 = arith.xori %s, %one : i32
      %flip = arith.andi %s, %one : i32
      %p1 = arith.xori %p, %flip : i32
      tile_gpu.barrier
      %i1 = arith.addi %i, %one : i32
      %more = arith.cmpi slt, %i1, %steps : i32
      %to1 = tile_gpu.slot %ring[%s1] : !ring
      scf.if %more {
        tile_gpu.mbarrier_expect %full[%s1], 256 : !full
        tile_gpu.tma_load %a[%row], %to1, %full[%s1] : !map, !slot, !full
      }
      scf.yield %sum, %s1, %p1 : !tile, i32, i32
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %done#0, %b : !tile, !slot
    %other = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %other : !tile, !slot
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%row] : !slot, !map
    tile_gpu.tma_store_commit
    %back = tile_gpu.local_load %other : !slot -> !tile
    tile.print "back", %back : !tile
    tile_gpu.tma_store_wait pending = 0
    scf.yield %done#1, %done#2 : i32, i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// A wait for two stores stays where it is.

// CHECK-LABEL: tile.func @two
// CHECK: scf.for unsigned
// CHECK: scf.for
// CHECK: tile_gpu.local_store
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile_gpu.tma_store_commit
// CHECK-NEXT: tile_gpu.tma_store_wait pending = 0
// CHECK-NEXT: scf.yield
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile.return
tile.func @two(%a: !map, %c: !map, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r:2 = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%slot = %zero, %parity = %zero) -> (i32, i32) : i32 {
    %row = arith.muli %tile, %size : i32
    tile_gpu.fence_async
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%slot] : !ring
    %any = arith.cmpi slt, %zero, %steps : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%slot], 256 : !full
      tile_gpu.tma_load %a[%row], %to, %full[%slot] : !map, !slot, !full
    }
    %done:3 = scf.for %i = %zero to %steps step %one iter_args(%acc = %none, %s = %slot, %p = %parity) -> (!tile, i32, i32) : i32 {
      tile_gpu.mbarrier_wait %full[%s], %p : !full
      %from = tile_gpu.slot %ring[%s] : !ring
      %x = tile_gpu.local_load %from : !slot -> !tile
      %sum = arith.addf %acc, %x : !tile
      %s1 = arith.xori %s, %one : i32
      %flip = arith.andi %s, %one : i32
      %p1 = arith.xori %p, %flip : i32
      tile_gpu.barrier
      %i1 = arith.addi %i, %one : i32
      %more = arith.cmpi slt, %i1, %steps : i32
      %to1 = tile_gpu.slot %ring[%s1] : !ring
      scf.if %more {
        tile_gpu.mbarrier_expect %full[%s1], 256 : !full
        tile_gpu.tma_load %a[%row], %to1, %full[%s1] : !map, !slot, !full
      }
      scf.yield %sum, %s1, %p1 : !tile, i32, i32
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %done#0, %b : !tile, !slot
    %other = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %other : !tile, !slot
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%row] : !slot, !map
    tile_gpu.tma_store %other, %c[%zero] : !slot, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
    scf.yield %done#1, %done#2 : i32, i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// So does one for a buffer that is written twice.

// CHECK-LABEL: tile.func @twice
// CHECK: scf.for unsigned
// CHECK: scf.for
// CHECK: tile_gpu.local_store
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile_gpu.tma_store_commit
// CHECK-NEXT: tile_gpu.tma_store_wait pending = 0
// CHECK-NEXT: scf.yield
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile.return
tile.func @twice(%a: !map, %c: !map, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r:2 = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%slot = %zero, %parity = %zero) -> (i32, i32) : i32 {
    %row = arith.muli %tile, %size : i32
    tile_gpu.fence_async
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%slot] : !ring
    %any = arith.cmpi slt, %zero, %steps : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%slot], 256 : !full
      tile_gpu.tma_load %a[%row], %to, %full[%slot] : !map, !slot, !full
    }
    %done:3 = scf.for %i = %zero to %steps step %one iter_args(%acc = %none, %s = %slot, %p = %parity) -> (!tile, i32, i32) : i32 {
      tile_gpu.mbarrier_wait %full[%s], %p : !full
      %from = tile_gpu.slot %ring[%s] : !ring
      %x = tile_gpu.local_load %from : !slot -> !tile
      %sum = arith.addf %acc, %x : !tile
      %s1 = arith.xori %s, %one : i32
      %flip = arith.andi %s, %one : i32
      %p1 = arith.xori %p, %flip : i32
      tile_gpu.barrier
      %i1 = arith.addi %i, %one : i32
      %more = arith.cmpi slt, %i1, %steps : i32
      %to1 = tile_gpu.slot %ring[%s1] : !ring
      scf.if %more {
        tile_gpu.mbarrier_expect %full[%s1], 256 : !full
        tile_gpu.tma_load %a[%row], %to1, %full[%s1] : !map, !slot, !full
      }
      scf.yield %sum, %s1, %p1 : !tile, i32, i32
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %b : !tile, !slot
    %back = tile_gpu.local_load %b : !slot -> !tile
    tile.print "back", %back : !tile
    tile_gpu.local_store %done#0, %b : !tile, !slot
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%row] : !slot, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
    scf.yield %done#1, %done#2 : i32, i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
