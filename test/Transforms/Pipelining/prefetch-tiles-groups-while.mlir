// Copies by threads in a loop that may have no iteration, for tiles that a counter deals
// out: groups go through scf.while and out of each branch, and the next tile is handed over
// before its copies.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --cse | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#only = #tile_gpu.shared<[], 1>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
#one = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = []>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 3>
!slot = !tile_gpu.buffer<64xf32, #rows>
!number = !tile_gpu.buffer<1xi32, #only>
!word = tensor<1xi32, #one>
!pointers = tensor<64x!tile.ptr<f32>, #l>
!group = !tile_gpu.token

// CHECK-LABEL: tile.func @dealt
// CHECK-SAME: %[[P:[a-z]*]]: !tile.ptr<f32>, %[[TILES:[a-z]*]]: i32, %[[STEPS:[a-z]*]]: i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK: %[[RING:.*]] = tile_gpu.alloc : <64xf32, {{.*}}, slots = 3>
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %[[PID]], %[[TILES]]
// CHECK-NEXT: %[[FIRST:.*]] = scf.if %[[ANY]] -> (!tile_gpu.token) {
// CHECK:   %[[RUNS:.*]] = arith.cmpi ult, %[[PID]], %[[STEPS]]
// CHECK:   %[[GROUP:.*]] = scf.if %[[RUNS]] -> (!tile_gpu.token) {
// CHECK:     %[[AT:.*]] = tile.addptr %[[P]], %[[PID]]
// CHECK:     %[[THERE:.*]] = tile.splat %[[AT]]
// CHECK:     tile_gpu.async_copy %[[THERE]], %{{.*}}
// CHECK:     %[[COMMIT:.*]] = tile_gpu.async_commit
// CHECK-NEXT: scf.yield %[[COMMIT]]
// CHECK:   } else {
// CHECK-NEXT: %[[NOTHING:.*]] = tile_gpu.async_commit
// CHECK-NEXT: scf.yield %[[NOTHING]]
// CHECK:   scf.yield %[[GROUP]]
// CHECK: } else {
// CHECK-NEXT: tile_gpu.async_commit
// CHECK: scf.while (%[[BEGUN:.*]] = %[[PID]], %[[HELD:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ult, %[[BEGUN]], %[[TILES]]
// CHECK-NEXT: scf.condition(%[[MORE]]) %[[BEGUN]], %[[HELD]]
// CHECK: ^bb0(%[[TILE:.*]]: i32, %[[OWN:.*]]: !tile_gpu.token):
// CHECK-NEXT: %[[TAKEN:.*]] = tile.atomic_rmw
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.if
// CHECK-NOT: async_commit
// CHECK: scf.for {{.*}} iter_args(%[[WAITED:.*]] = %[[OWN]])
// CHECK-NEXT: tile_gpu.async_wait %[[WAITED]] pending = 0
// CHECK: tile_gpu.async_wait pending = 0
// CHECK: %[[HAND:.*]] = tile_gpu.alloc : <1xi32,
// CHECK-NEXT: tile_gpu.local_store %[[TAKEN]], %[[HAND]]
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load %[[HAND]]
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %[[PROGRAMS]]
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %[[TILES]]
// CHECK-NEXT: %[[LATER:.*]] = scf.if %[[EXISTS]] -> (!tile_gpu.token) {
// CHECK:   arith.cmpi ult, %[[NEXT]], %[[STEPS]]
// CHECK:   tile_gpu.async_copy
// CHECK: tile.print
// CHECK: scf.yield %[[NEXT]], %[[LATER]] : i32, !tile_gpu.token
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.async_wait pending = 0
// CHECK-NEXT: tile.return
// 3 slots of 256 bytes and the next tile's number, at the next multiple of 16.
// REMARK: [Passed] prefetch {{.*}} Function=dealt | Carried=0, Copies=1, Early=false, SharedBytes=772, StorePieces=1
tile.func @dealt(%p: !tile.ptr<f32>, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1> : !word
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %counters = tile.splat %next : !tile.ptr<i32> -> tensor<1x!tile.ptr<i32>, #one>
  %r = scf.while (%begun = %pid) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %tiles : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counters, %ones : tensor<1x!tile.ptr<i32>, #one>
    tile_gpu.barrier
    %runs = arith.cmpi ult, %tile, %steps : i32
    scf.if %runs {
      %ring = tile_gpu.alloc : !ring
      %s0 = tile_gpu.slot %ring[%zero] : !ring
      %at = tile.addptr %p, %tile : !tile.ptr<f32>, i32
      %there = tile.splat %at : !tile.ptr<f32> -> !pointers
      tile_gpu.async_copy %there, %s0 : !pointers, !slot
      %g0 = tile_gpu.async_commit
      scf.for %i = %tile to %steps step %one iter_args(%t = %g0) -> !group : i32 {
        tile_gpu.async_wait %t pending = 0
        tile_gpu.barrier
        %x = tile_gpu.local_load %s0 : !slot -> tensor<64xf32, #l>
        %g = tile_gpu.async_commit
        scf.yield %g : !group
      }
      tile_gpu.async_wait pending = 0
    }
    tile_gpu.barrier
    tile.print "tile", %tile : i32
    %h = tile_gpu.alloc : !number
    tile_gpu.local_store %taken, %h : !word, !number
    %told = tile_gpu.local_load %h : !number -> !word
    %number = tile.reduce %told axis 0 : (!word) -> i32 {
    ^bb0(%x: i32, %y: i32):
      tile.reduce.return %x : i32
    }
    %following = arith.addi %number, %programs : i32
    scf.yield %following : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// A tile that needs what this tile's loop has computed is not begun here.

// CHECK-LABEL: tile.func @from_results
// CHECK-COUNT-1: tile_gpu.async_copy
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=from_results | Reason="where the next tile's copies read is not known before this tile's results"
tile.func @from_results(%p: !tile.ptr<f32>, %tiles: i32, %steps: i32, %where: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.while (%begun = %zero) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %tiles : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    %at = tile.addptr %p, %tile : !tile.ptr<f32>, i32
    %there = tile.splat %at : !tile.ptr<f32> -> !pointers
    tile_gpu.async_copy %there, %s0 : !pointers, !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> tensor<64xf32, #l>
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %following = tile.load %where : !tile.ptr<i32>
    scf.yield %following : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// The next tile is handed over right behind the barrier, and its number is waited for by
// the copies alone.

// CHECK-LABEL: tile.func @at_once
// CHECK: tile_gpu.async_wait pending = 0
// CHECK-NEXT: %[[HAND:.*]] = tile_gpu.alloc : <1xi32,
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[HAND]]
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: %[[TOLD:.*]] = tile_gpu.local_load %[[HAND]]
// CHECK-NEXT: %[[NEXT:.*]] = tile.reduce %[[TOLD]]
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %{{.*}}
// CHECK-NEXT: %[[LATER:.*]] = scf.if %[[EXISTS]] -> (!tile_gpu.token) {
// CHECK: scf.yield %[[NEXT]], %[[LATER]] : i32, !tile_gpu.token
// REMARK: [Passed] prefetch {{.*}} Function=at_once | Carried=0, Copies=1, Early=false,
tile.func @at_once(%p: !tile.ptr<f32>, %tiles: i32, %steps: i32, %next: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1> : !word
  %counters = tile.splat %next : !tile.ptr<i32> -> tensor<1x!tile.ptr<i32>, #one>
  %r = scf.while (%begun = %zero) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %tiles : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
    %taken = tile.atomic_rmw add relaxed gpu %counters, %ones : tensor<1x!tile.ptr<i32>, #one>
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    %at = tile.addptr %p, %tile : !tile.ptr<f32>, i32
    %there = tile.splat %at : !tile.ptr<f32> -> !pointers
    tile_gpu.async_copy %there, %s0 : !pointers, !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> tensor<64xf32, #l>
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %h = tile_gpu.alloc : !number
    tile_gpu.local_store %taken, %h : !word, !number
    %told = tile_gpu.local_load %h : !number -> !word
    %number = tile.reduce %told axis 0 : (!word) -> i32 {
    ^bb0(%x: i32, %y: i32):
      tile.reduce.return %x : i32
    }
    scf.yield %number : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
