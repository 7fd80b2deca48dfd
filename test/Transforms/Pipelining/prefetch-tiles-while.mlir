// Programs that take the next tile from a counter. The first thread has the answer when
// the products have ended: it writes it before the barrier that stands there anyway, and
// all read it behind it, before the copies of that tile.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --cse | FileCheck %s
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#only = #tile_gpu.shared<[], 1>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
#one = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = []>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!number = !tile_gpu.buffer<1xi32, #only>
!tile = tensor<64xf32, #l>
!word = tensor<1xi32, #one>
!full = !tile_gpu.mbarrier<2>

// CHECK-LABEL: tile.func @dynamic
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 64 : i32
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK: %[[RING:.*]] = tile_gpu.alloc : <64xf32, {{.*}}, slots = 2>
// CHECK: %[[HAND:.*]] = tile_gpu.alloc : <1xi32,
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %[[PID]], %tiles
// CHECK-NEXT: scf.if %[[ANY]] {
// CHECK-NEXT:   %[[ROW:.*]] = arith.muli %[[PID]], %[[SIZE]]
// CHECK-NEXT:   %[[TO:.*]] = tile_gpu.slot %[[RING]][%[[ZERO]]]
// CHECK:        tile_gpu.tma_load %a[%[[ROW]]], %[[TO]], %{{.*}}[%[[ZERO]]]
// CHECK: scf.while (%[[BEGUN:.*]] = %[[PID]],
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ult, %[[BEGUN]], %tiles
// CHECK: ^bb0(%{{.*}}: i32, %[[SLOT:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[TAKEN:.*]] = tile.atomic_rmw
// CHECK-NOT: tile_gpu.barrier
// CHECK-NOT: tma_load %
// CHECK: %[[DONE:.*]]:2 = scf.for
// CHECK: tile_gpu.local_store %[[TAKEN]], %[[HAND]]
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: %[[TOLD:.*]] = tile_gpu.local_load %[[HAND]]
// CHECK-NEXT: %[[NUMBER:.*]] = tile.reduce %[[TOLD]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[NUMBER]], %[[PROGRAMS]]
// CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %tiles
// CHECK-NEXT: scf.if %[[EXISTS]] {
// CHECK-NEXT:   %[[NEXTROW:.*]] = arith.muli %[[NEXT]], %[[SIZE]]
// CHECK-NEXT:   %[[NEXTTO:.*]] = tile_gpu.slot %[[RING]][%[[DONE]]#0]
// CHECK:        tile_gpu.tma_load %a[%[[NEXTROW]]], %[[NEXTTO]], %{{.*}}[%[[DONE]]#0]
// CHECK: tile_gpu.tma_store %{{.*}}, %c
// CHECK: scf.yield %[[NEXT]], %[[DONE]]#0, %[[DONE]]#1
// CHECK: tile_gpu.tma_load_end
// 2 slots of 256 bytes, and a tile of as many from 1024 on: the number and the mbarriers
// have room between.
// REMARK: [Passed] prefetch {{.*}} Function=dynamic | {{.*}}Copies=1, Early=false, SharedBytes=1280
tile.func @dynamic(%a: !map, %c: !map, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %ones = arith.constant dense<1> : !word
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %counters = tile.splat %next : !tile.ptr<i32> -> tensor<1x!tile.ptr<i32>, #one>
  %r:3 = scf.while (%begun = %pid, %s0 = %zero, %p0 = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
    %more = arith.cmpi ult, %begun, %tiles : i32
    scf.condition(%more) %begun, %s0, %p0 : i32, i32, i32
  } do {
  ^body(%tile: i32, %slot: i32, %parity: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counters, %ones : tensor<1x!tile.ptr<i32>, #one>
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
    %done:2 = scf.for %i = %zero to %steps step %one iter_args(%s = %slot, %p = %parity) -> (i32, i32) : i32 {
      tile_gpu.mbarrier_wait %full[%s], %p : !full
      %s1 = arith.xori %s, %one : i32
      %p1 = arith.xori %p, %s : i32
      scf.yield %s1, %p1 : i32, i32
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %b : !tile, !slot
    tile_gpu.tma_store %b, %c[%row] : !slot, !map
    %h = tile_gpu.alloc : !number
    tile_gpu.local_store %taken, %h : !word, !number
    tile_gpu.barrier
    %told = tile_gpu.local_load %h : !number -> !word
    %number = tile.reduce %told axis 0 : (!word) -> i32 {
    ^bb0(%x: i32, %y: i32):
      tile.reduce.return %x : i32
    }
    %following = arith.addi %number, %programs : i32
    scf.yield %following, %done#0, %done#1 : i32, i32, i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// A condition that computes: half of what is carried.
// CHECK-LABEL: tile.func @halved
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: %[[HALF:.*]] = arith.divsi %{{.*}}, %[[TWO]]
// CHECK-NEXT: arith.cmpi ult, %[[HALF]], %tiles
// CHECK: scf.while
// CHECK: tile_gpu.local_load
// CHECK: %[[NEXT:.*]] = arith.addi
// CHECK-NEXT: %[[NEXTHALF:.*]] = arith.divsi %[[NEXT]], %[[TWO]]
// CHECK-NEXT: arith.cmpi ult, %[[NEXTHALF]], %tiles
// REMARK: [Passed] prefetch {{.*}} Function=halved |
tile.func @halved(%a: !map, %c: !map, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %ones = arith.constant dense<1> : !word
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %counters = tile.splat %next : !tile.ptr<i32> -> tensor<1x!tile.ptr<i32>, #one>
  %r:3 = scf.while (%begun = %pid, %s0 = %zero, %p0 = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
    %two = arith.constant 2 : i32
    %half = arith.divsi %begun, %two : i32
    %more = arith.cmpi ult, %half, %tiles : i32
    scf.condition(%more) %begun, %s0, %p0 : i32, i32, i32
  } do {
  ^body(%tile: i32, %slot: i32, %parity: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counters, %ones : tensor<1x!tile.ptr<i32>, #one>
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
    %done:2 = scf.for %i = %zero to %steps step %one iter_args(%s = %slot, %p = %parity) -> (i32, i32) : i32 {
      tile_gpu.mbarrier_wait %full[%s], %p : !full
      %s1 = arith.xori %s, %one : i32
      %p1 = arith.xori %p, %s : i32
      scf.yield %s1, %p1 : i32, i32
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %b : !tile, !slot
    tile_gpu.tma_store %b, %c[%row] : !slot, !map
    %h = tile_gpu.alloc : !number
    tile_gpu.local_store %taken, %h : !word, !number
    %told = tile_gpu.local_load %h : !number -> !word
    %number = tile.reduce %told axis 0 : (!word) -> i32 {
    ^bb0(%x: i32, %y: i32):
      tile.reduce.return %x : i32
    }
    %following = arith.addi %number, %programs : i32
    scf.yield %following, %done#0, %done#1 : i32, i32, i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
