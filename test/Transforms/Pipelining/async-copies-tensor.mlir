// What loops become whose copies tensor maps do: coordinates and copies into slot
// %put, a wait for the mbarrier of slot %get, and its readers, a barrier last. Stage
// and order of each operation are as the second table of AsyncCopies.cpp has them.

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
!p = !tile.ptr<f16>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>
!ma = !tile.tensor_map<64x32xf16, swizzle = 64>
!mb = !tile.tensor_map<32x16xf16, swizzle = 32>

// A product in flight. mbarriers and maps are there from the kernel's beginning on; no
// other buffer, and so no barrier around the loop. 64 x 32 and 32 x 16 elements of 2
// bytes arrive: 5120. Waits of threads' copies are gone, and the fence.
// CHECK-LABEL: tile.func private @in_flight
// CHECK-NEXT: tile_gpu.tma_prefetch %ma
// CHECK-NEXT: tile_gpu.tma_prefetch %mb
// CHECK-NEXT: %[[FULL:.*]] = tile_gpu.mbarrier_init arrivals = 1 : <4>
// CHECK-NOT: tile_gpu.barrier
// CHECK: arith.cmpi slt
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[RA:.*]] = tile_gpu.alloc : <64x32xf16, {{.*}}, slots = 4>
// CHECK-NEXT: %[[RB:.*]] = tile_gpu.alloc : <32x16xf16, {{.*}}, slots = 4>
// CHECK: %[[R:.*]]:4 = scf.for %[[I:.*]] = %{{.*}} to %k {{.*}} iter_args(%[[ACC:.*]] = %init, %[[PUT:.*]] = %[[ZERO:.*]], %[[GET:.*]] = %[[ZERO]], %[[PARITY:.*]] = %[[ZERO]])
// CHECK-NEXT: %[[TA:.*]] = tile_gpu.slot %[[RA]][%[[PUT]]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[TB:.*]] = tile_gpu.slot %[[RB]][%[[PUT]]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.mbarrier_expect %[[FULL]][%[[PUT]]], 5120 {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.tma_load %ma[%r, %[[I]]], %[[TA]], %[[FULL]][%[[PUT]]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.tma_load %mb[%[[I]], %{{.*}}], %[[TB]], %[[FULL]][%[[PUT]]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: arith.addi %[[PUT]], %{{.*}} {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: arith.cmpi eq, {{.*}} {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[PUT2:.*]] = arith.select {{.*}} {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.mbarrier_wait %[[FULL]][%[[GET]]], %[[PARITY]] {tile_gpu.order = 0 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[SA:.*]] = tile_gpu.slot %[[RA]][%[[GET]]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[SB:.*]] = tile_gpu.slot %[[RB]][%[[GET]]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[PLUS:.*]] = arith.addi %[[GET]], %{{.*}} {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[END:.*]] = arith.cmpi eq, %[[PLUS]], %{{.*}} {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[GET2:.*]] = arith.select %[[END]], %[[NONE:.*]], %[[PLUS]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi eq, %[[GET2]], %{{.*}} {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[FLIP:.*]] = arith.extui %[[FIRST]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32} : i1 to i32
// CHECK-NEXT: %[[PARITY2:.*]] = arith.xori %[[PARITY]], %[[FLIP]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[P:.*]] = tile_gpu.wgmma %[[SA]], %[[SB]], %[[ACC]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[Q:.*]] = tile_gpu.wgmma_wait %[[P]] pending = 1 {tile_gpu.order = 2 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: tile_gpu.barrier {tile_gpu.order = 2 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: scf.yield %[[Q]], %[[PUT2]], %[[GET2]], %[[PARITY2]]
// CHECK-NEXT: }{{$}}
// CHECK-NEXT: %[[LAST:.*]] = tile_gpu.wgmma_wait %[[R]]#0 pending = 0
// CHECK-NEXT: tile_gpu.tma_load_end %[[FULL]] : <4>
// CHECK-NEXT: scf.yield %[[LAST]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %init
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
tile.func private @in_flight(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) -> !tc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !db, [i32, i32] -> !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %sx, %sy, %acc {tile_gpu.in_flight} : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q : !tc
  } {tile.num_stages = 4 : i32, tile_gpu.distance = 3 : i32, tile_gpu.slots = 4 : i32, tile_gpu.tensor_copies}
  tile.return %sum : !tc
}

// Waited for: no condition. Another buffer, which threads write: what they wrote comes
// before copies to its bytes, and the loop's reads before what they write then.
// CHECK-LABEL: tile.func private @waited
// CHECK: tile_gpu.alloc : <64x32xf16, {{[^=]*}}>{{$}}
// CHECK: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NOT: scf.if
// CHECK: tile_gpu.alloc : <64x32xf16, {{.*}}, slots = 2>
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: tile_gpu.wgmma_wait %{{.*}} pending = 0 {tile_gpu.order = 2 : i32, tile_gpu.stage = 2 : i32}
// CHECK: tile_gpu.barrier {tile_gpu.order = 2 : i32, tile_gpu.stage = 2 : i32}
// CHECK: }{{$}}
// CHECK-NEXT: tile_gpu.tma_load_end
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile.return
tile.func private @waited(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %other = tile_gpu.alloc : !ba
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !db, [i32, i32] -> !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %u = arith.addf %q, %q : !tc
    scf.yield %u : !tc
  } {tile.num_stages = 2 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32, tile_gpu.tensor_copies}
  tile.return
}
