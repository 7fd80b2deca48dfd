// What loops with stages become before their iterations overlap: copies into slot
// %put, a wait, and readers of slot %get. Stage and order of each operation are as
// the table of AsyncCopies.cpp has them.

// RUN: tile-opt %s --split-input-file --tile-gpu-async-copies | %inline-layouts | FileCheck %s

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
!da = !tile.desc<64x32xf16>
!pb = tensor<32x16x!tile.ptr<f16>, #lb>
!mb = tensor<32x16xi1, #lb>
!ob = tensor<32x16xi32, #lb>

// A product in flight: the loop runs under the condition that it has iterations,
// so that the wait after it is for products of the loop only. Addresses that the
// loop carries go on with the copies; nothing uses them afterwards. The fence
// before the product went, since copies have one of their own.
// CHECK-LABEL: tile.func private @in_flight
// CHECK-NOT: tile_gpu.barrier
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[LOWER:.*]], %n : i32
// CHECK-NEXT: %[[GUARDED:.*]] = scf.if %[[RUNS]] -> (tensor<64x16xf32, {{[^!]*}}>) {
// CHECK-NEXT: %[[RA:.*]] = tile_gpu.alloc : <64x32xf16, {{.*}}, slots = 4>
// CHECK-NEXT: %[[RB:.*]] = tile_gpu.alloc : <32x16xf16, {{.*}}, slots = 4>
// CHECK: %[[SLOTS:.*]] = arith.constant 4 : i32
// CHECK: %[[R:.*]]:4 = scf.for %[[I:.*]] = %[[LOWER]] to %n {{.*}} iter_args(%[[ACC:.*]] = %init, %[[PB:.*]] = %b, %[[PUT:.*]] = %[[ZERO:.*]], %[[GET:.*]] = %[[ZERO]])
// CHECK-NEXT: %[[NEXT:.*]] = tile.addptr %[[PB]], %s {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[TA:.*]] = tile_gpu.slot %[[RA]][%[[PUT]]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.desc_copy %a[%{{.*}}, %[[I]]], %[[TA]] layout {{.*}} {tile_gpu.access = {{.*}}width = 4, axis = 1>, tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[TB:.*]] = tile_gpu.slot %[[RB]][%[[PUT]]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.async_copy %[[PB]], %[[TB]], %m {tile_gpu.access = {{.*}}width = 4, axis = 1>, tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[TOKEN:.*]] = tile_gpu.async_commit {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[PLUS:.*]] = arith.addi %[[PUT]], %{{.*}} {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[WRAPS:.*]] = arith.cmpi eq, %[[PLUS]], %[[SLOTS]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[PUT2:.*]] = arith.select %[[WRAPS]], %{{.*}}, %[[PLUS]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.async_wait %[[TOKEN]] pending = 0 {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: tile_gpu.fence_async {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: tile_gpu.barrier {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[SA:.*]] = tile_gpu.slot %[[RA]][%[[GET]]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[SB:.*]] = tile_gpu.slot %[[RB]][%[[GET]]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: arith.addi %[[GET]], %{{.*}} {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: arith.cmpi eq,
// CHECK-NEXT: %[[GET2:.*]] = arith.select {{.*}} {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[P:.*]] = tile_gpu.wgmma %[[SA]], %[[SB]], %[[ACC]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[Q:.*]] = tile_gpu.wgmma_wait %[[P]] pending = 1 {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: scf.yield %[[Q]], %[[NEXT]], %[[PUT2]], %[[GET2]]
// CHECK-NEXT: }{{$}}
// CHECK-NEXT: %[[LAST:.*]] = tile_gpu.wgmma_wait %[[R]]#0 pending = 0 : tensor
// CHECK-NEXT: tile_gpu.async_wait pending = 0{{$}}
// CHECK-NEXT: scf.yield %[[LAST]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %init
// CHECK-NEXT: }
// CHECK-NEXT: tile.return %[[GUARDED]]
tile.func private @in_flight(%a: !da, %b: !pb, %m: !mb, %s: !ob, %n: i32, %init: !tc) -> !tc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fill = arith.constant #tile.zero : !tb
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %pb = %b) -> (!tc, !pb) : i32 {
    %x = tile.desc_load %a[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %y = tile.load %pb, %m, %fill {tile_gpu.access = #wide, tile_gpu.pipelined} : !pb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %sx, %sy, %acc {tile_gpu.in_flight} : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %next = tile.addptr %pb, %s : !pb, !ob
    scf.yield %q, %next : !tc, !pb
  } {tile.num_stages = 4 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 4 : i32}
  tile.return %r#0 : !tc
}

// Waited for: no condition, and pending stays 0. Another buffer of the function may
// take the rings' bytes: barriers around the loop.
// CHECK-LABEL: tile.func private @waited
// CHECK-NOT: scf.if
// CHECK: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.alloc : <64x32xf16, {{.*}}, slots = 4>
// CHECK: scf.for
// CHECK: tile_gpu.wgmma_wait %{{.*}} pending = 0 {tile_gpu.order = 3 : i32, tile_gpu.stage = 3 : i32}
// CHECK: }{{$}}
// CHECK-NEXT: tile_gpu.async_wait pending = 0{{$}}
// CHECK-NEXT: tile_gpu.barrier
tile.func private @waited(%a: !da, %b: !pb, %m: !mb, %s: !ob, %n: i32, %init: !tc) -> !tc attributes {tile_gpu.num_warps = 4 : i32} {
  %other = tile_gpu.alloc : !ba
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fill = arith.constant #tile.zero : !tb
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %pb = %b) -> (!tc, !pb) : i32 {
    %x = tile.desc_load %a[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %y = tile.load %pb, %m, %fill {tile_gpu.access = #wide, tile_gpu.pipelined} : !pb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %next = tile.addptr %pb, %s : !pb, !ob
    scf.yield %q, %next : !tc, !pb
  } {tile.num_stages = 4 : i32, tile_gpu.distance = 3 : i32, tile_gpu.slots = 4 : i32}
  tile.return %r#0 : !tc
}
