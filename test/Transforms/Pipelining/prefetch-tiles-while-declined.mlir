// Loops of prefetch-tiles-while.mlir where the next tile, or whether there is one, is
// known too late.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize | FileCheck %s
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

// The counter is asked after this tile's results.
// CHECK-LABEL: tile.func @late
// CHECK: scf.while
// CHECK: tile_gpu.tma_load %
// CHECK-NOT: tile_gpu.tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=late | Reason="where the next tile's copies read is not known before this tile's results"
tile.func @late(%a: !map, %c: !map, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
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
    %taken = tile.atomic_rmw add relaxed gpu %counters, %ones : tensor<1x!tile.ptr<i32>, #one>
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

// Another number is read from the buffer as well.
// CHECK-LABEL: tile.func @shared
// CHECK: scf.while
// CHECK: tile_gpu.tma_load %
// CHECK-NOT: tile_gpu.tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=shared | Reason="where the next tile's copies read is not known before this tile's results"
tile.func @shared(%a: !map, %c: !map, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
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
    %told = tile_gpu.local_load %h : !number -> !word
    %again = tile_gpu.local_load %h : !number -> !word
    %number = tile.reduce %told axis 0 : (!word) -> i32 {
    ^bb0(%x: i32, %y: i32):
      tile.reduce.return %x : i32
    }
    %following = arith.addi %number, %programs : i32
    scf.yield %following, %done#0, %done#1 : i32, i32, i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// The number is read from memory.
// CHECK-LABEL: tile.func @table
// CHECK: scf.while
// CHECK: tile_gpu.tma_load %
// CHECK-NOT: tile_gpu.tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=table | Reason="where the next tile's copies read is not known before this tile's results"
tile.func @table(%a: !map, %c: !map, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
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
    %following = tile.load %next : !tile.ptr<i32>
    scf.yield %following, %done#0, %done#1 : i32, i32, i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Whether there is a next tile is.
// CHECK-LABEL: tile.func @stop
// CHECK: scf.while
// CHECK: tile_gpu.tma_load %
// CHECK-NOT: tile_gpu.tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=stop | Reason="where the next tile's copies read is not known before this tile's results"
tile.func @stop(%a: !map, %c: !map, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
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
    %limit = tile.load %next : !tile.ptr<i32>
    %more = arith.cmpi ult, %limit, %tiles : i32
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

// CHECK-LABEL: tile.func @ordered
// CHECK-COUNT-1: tile_gpu.tma_load %
// CHECK-NOT: tile_gpu.tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=ordered | Reason="the loop around it is not one over independent tiles"
tile.func @ordered(%a: !map, %c: !map, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
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
    %told = tile_gpu.local_load %h : !number -> !word
    %number = tile.reduce %told axis 0 : (!word) -> i32 {
    ^bb0(%x: i32, %y: i32):
      tile.reduce.return %x : i32
    }
    %following = arith.addi %number, %programs : i32
    scf.yield %following, %done#0, %done#1 : i32, i32, i32
  } attributes {tile.tile_loop = #tile.tile_loop<ordered>}
  tile.return
}
