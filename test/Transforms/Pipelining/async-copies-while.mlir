// Loops around whose next tile is known only in this one: slot and parity go through
// both regions of scf.while.

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

// CHECK-LABEL: tile.func private @dynamic
// CHECK: %[[FULL:.*]] = tile_gpu.mbarrier_init arrivals = 1 : <3>
// CHECK: tile.make_desc %b
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %{{.*}}:3 = scf.while (%[[B:.*]] = %r, %[[BS:.*]] = %[[ZERO]], %[[BP:.*]] = %[[ZERO]]) : (i32, i32, i32) -> (i32, i32, i32) {
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ult, %[[B]], %m
// CHECK-NEXT: scf.condition(%[[MORE]]) %[[B]], %[[BS]], %[[BP]] : i32, i32, i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[TILE:.*]]: i32, %[[S:.*]]: i32, %[[P:.*]]: i32):
// CHECK: %[[IF:.*]]:2 = scf.if
// CHECK: %[[IN:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %init, %[[PUT:.*]] = %[[S]], %[[GET:.*]] = %[[S]], %[[PARITY:.*]] = %[[P]])
// CHECK: tile_gpu.tma_load %ma[%r, %{{.*}}], %{{.*}}, %[[FULL]][%[[PUT]]]
// CHECK: tile_gpu.mbarrier_wait %[[FULL]][%[[GET]]], %[[PARITY]]
// CHECK: scf.yield %[[IN]]#2, %[[IN]]#3
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[S]], %[[P]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[TILE]],
// CHECK-NEXT: scf.yield %[[NEXT]], %[[IF]]#0, %[[IF]]#1 : i32, i32, i32
// CHECK-NEXT: } attributes {tile.tile_loop = #tile.tile_loop<independent>}
tile.func private @dynamic(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %end = scf.while (%begun = %r) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %m : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
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
    %next = arith.addi %tile, %one : i32
    scf.yield %next : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Loops of both kinds. What the loop computed stays its first result.
// CHECK-LABEL: tile.func private @mixed
// CHECK: tile.make_desc %b
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %{{.*}}:2 = scf.for {{.*}} iter_args(%[[S0:.*]] = %[[ZERO]], %[[P0:.*]] = %[[ZERO]]) -> (i32, i32)
// CHECK-NEXT: %[[W:.*]]:3 = scf.while (%{{.*}} = %r, %{{.*}} = %[[S0]], %{{.*}} = %[[P0]])
// CHECK: scf.yield %[[W]]#1, %[[W]]#2 : i32, i32
tile.func private @mixed(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  scf.for %j = %zero to %n step %one : i32 {
    %end = scf.while (%begun = %r) : (i32) -> i32 {
      %more = arith.cmpi ult, %begun, %m : i32
      scf.condition(%more) %begun : i32
    } do {
    ^body(%tile: i32):
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
      %next = arith.addi %tile, %one : i32
      scf.yield %next : i32
    }
  }
  tile.return
}

// CHECK-LABEL: tile.func private @result
// CHECK: %[[W:.*]]:3 = scf.while
// CHECK: tile.print "end", %[[W]]#0 : i32
tile.func private @result(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %end = scf.while (%begun = %r) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %m : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
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
    %next = arith.addi %tile, %one : i32
    scf.yield %next : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.print "end", %end : i32
  tile.return
}
