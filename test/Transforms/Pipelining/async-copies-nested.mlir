// Loops in loops: mbarriers keep their phase, so that slot and parity go on from one
// run of a loop to the next.

// RUN: tile-opt %s --tile-gpu-async-copies | %inline-layouts | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!p = !tile.ptr<f16>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>
!ma = !tile.tensor_map<64x32xf16, swizzle = 64>
!mb = !tile.tensor_map<32x16xf16, swizzle = 32>

// Two loops around, of which the inner one carries a value already. An empty loop hands
// on what it got. One mbarrier_init, at the beginning; the rings are made anew.
// CHECK-LABEL: tile.func private @nested
// CHECK: %[[FULL:.*]] = tile_gpu.mbarrier_init arrivals = 1 : <3>
// CHECK-NOT: tile_gpu.mbarrier_init
// CHECK: tile.make_desc %b
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[OUT:.*]]:2 = scf.for {{.*}} iter_args(%[[S0:.*]] = %[[ZERO]], %[[P0:.*]] = %[[ZERO]]) -> (i32, i32)
// CHECK-NEXT: %[[MID:.*]]:3 = scf.for {{.*}} iter_args(%[[C:.*]] = %init, %[[S1:.*]] = %[[S0]], %[[P1:.*]] = %[[P0]])
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.barrier
// CHECK: %[[IF:.*]]:3 = scf.if
// CHECK: %[[IN:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %[[C]], %{{.*}} = %[[S1]], %[[GET:.*]] = %[[S1]], %[[PARITY:.*]] = %[[P1]])
// CHECK: tile_gpu.mbarrier_wait %[[FULL]][%[[GET]]], %[[PARITY]]
// CHECK: tile_gpu.tma_load_end %[[FULL]]
// CHECK-NEXT: scf.yield %{{.*}}, %[[IN]]#2, %[[IN]]#3
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[C]], %[[S1]], %[[P1]]
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: scf.yield %[[IF]]#0, %[[IF]]#1, %[[IF]]#2
// CHECK: scf.yield %[[MID]]#1, %[[MID]]#2
tile.func private @nested(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  scf.for %j = %zero to %m step %one : i32 {
    %s = scf.for %l = %zero to %n step %one iter_args(%c = %init) -> (!tc) : i32 {
      %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %c) -> (!tc) : i32 {
        %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
        %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !db, [i32, i32] -> !tb
        %sx = tile_gpu.alloc : !ba
        tile_gpu.local_store %x, %sx : !ta, !ba
        %sy = tile_gpu.alloc : !bb
        tile_gpu.local_store %y, %sy : !tb, !bb
        %p = tile_gpu.wgmma %sx, %sy, %acc {tile_gpu.in_flight} : !ba, !bb -> !tc
        %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
        scf.yield %q : !tc
      } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 3 : i32, tile_gpu.tensor_copies}
      scf.yield %sum : !tc
    }
  }
  tile.return
}

// The part of the array is another one for each tile: its origin is computed in the
// loop around, the copies' coordinates from it.
// CHECK-LABEL: tile.func private @origin
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %m
// CHECK: %[[ROW:.*]] = arith.muli %[[J]], %{{.*}} : i32
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %k
// CHECK: tile_gpu.tma_load %ma[%[[ROW]], %[[I]]]
// CHECK: tile_gpu.tma_load %mb[%[[I]], %r]
tile.func private @origin(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %r] : !mb : !p, [i32, i32], [i32, i32] -> !db
  scf.for %j = %zero to %m step %one : i32 {
    %row = arith.muli %j, %step : i32
    %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%row, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
    %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
      %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
      %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !db, [i32, i32] -> !tb
      %sx = tile_gpu.alloc : !ba
      tile_gpu.local_store %x, %sx : !ta, !ba
      %sy = tile_gpu.alloc : !bb
      tile_gpu.local_store %y, %sy : !tb, !bb
      %p = tile_gpu.wgmma %sx, %sy, %acc {tile_gpu.in_flight} : !ba, !bb -> !tc
      %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
      scf.yield %q : !tc
    } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 3 : i32, tile_gpu.tensor_copies}
  }
  tile.return
}

// In no loop: slot and parity are 0 at the beginning, also under a condition. Two loops
// have mbarriers of their own. Nothing uses what they compute.
// CHECK-LABEL: tile.func private @two
// CHECK: tile_gpu.mbarrier_init arrivals = 1 : <2>
// CHECK: tile_gpu.mbarrier_init arrivals = 1 : <3>
// CHECK: scf.if %{{.*}} {
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %init, %{{.*}} = %[[Z:.*]], %{{.*}} = %[[Z]], %{{.*}} = %[[Z]])
// CHECK: tile_gpu.tma_load_end %{{.*}} : <3>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %init, %{{.*}} = %[[Y:.*]], %{{.*}} = %[[Y]], %{{.*}} = %[[Y]])
// CHECK: tile_gpu.tma_load_end %{{.*}} : <2>
tile.func private @two(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %c = arith.cmpi slt, %m, %n : i32
  scf.if %c {
    %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
      %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
      %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !db, [i32, i32] -> !tb
      %sx = tile_gpu.alloc : !ba
      tile_gpu.local_store %x, %sx : !ta, !ba
      %sy = tile_gpu.alloc : !bb
      tile_gpu.local_store %y, %sy : !tb, !bb
      %p = tile_gpu.wgmma %sx, %sy, %acc {tile_gpu.in_flight} : !ba, !bb -> !tc
      %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
      scf.yield %q : !tc
    } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 3 : i32, tile_gpu.tensor_copies}
  }
  %sum2 = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !db, [i32, i32] -> !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %p = tile_gpu.wgmma %sx, %sy, %acc {tile_gpu.in_flight} : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q : !tc
  } {tile.num_stages = 2 : i32, tile_gpu.distance = 1 : i32, tile_gpu.slots = 2 : i32, tile_gpu.tensor_copies}
  tile.return
}
