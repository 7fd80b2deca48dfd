// Copies two iterations ahead: those of the first two come before the loop, each
// under the condition that its iteration exists; in the loop they stop when the
// iteration after next does not exist. Pointers that the loop carries follow the
// copies.

// RUN: tile-opt %s --tile-gpu-expand-pipeline --canonicalize --cse | FileCheck %s
// RUN: tile-opt %s --tile-gpu-expand-pipeline --remark-format=emitRemark --remarks-filter=tile-gpu-expand-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!r = !tile_gpu.buffer<128xf32, #rows, slots = 4>
!p = tensor<128x!tile.ptr<f32>, #l>
!m = tensor<128xi1, #l>
!o = tensor<128xi32, #l>

// The wait comes before the commit of its iteration, and leaves the one group that
// was made since under way.
// CHECK-LABEL: tile.func private @two_ahead
// REMARK: [[@LINE+41]]:10: remark: [Passed] pipeline | Category:tile-gpu-expand-pipeline | Function=two_ahead | Distance=2{{$}}
// CHECK: %[[RING:.*]] = tile_gpu.alloc
// CHECK: %[[HAS0:.*]] = arith.cmpi slt, %lower, %upper : i32
// CHECK: %[[Q1:.*]] = tile.addptr %p, %s :
// CHECK: %[[TO0:.*]] = tile_gpu.slot %[[RING]][%lower]
// CHECK: scf.if %[[HAS0]] {
// CHECK-NEXT: tile_gpu.async_copy %p, %[[TO0]], %m :
// CHECK-NEXT: }
// CHECK: %[[G0:.*]] = tile_gpu.async_commit
// CHECK: %[[REACH:.*]] = arith.addi %step, %c-2147483648_i32 : i32
// CHECK: %[[MAX1:.*]] = arith.maxsi %upper, %[[REACH]] : i32
// CHECK: %[[END1:.*]] = arith.subi %[[MAX1]], %step : i32
// CHECK: %[[HAS1:.*]] = arith.cmpi slt, %lower, %[[END1]] : i32
// CHECK: %[[I1:.*]] = arith.addi %lower, %step : i32
// CHECK: %[[Q2:.*]] = tile.addptr %[[Q1]], %s :
// CHECK: %[[TO1:.*]] = tile_gpu.slot %[[RING]][%[[I1]]]
// CHECK: scf.if %[[HAS1]] {
// CHECK-NEXT: tile_gpu.async_copy %[[Q1]], %[[TO1]], %m :
// CHECK-NEXT: }
// CHECK: %[[G1:.*]] = tile_gpu.async_commit
// CHECK: %[[MAX2:.*]] = arith.maxsi %[[END1]], %[[REACH]] : i32
// CHECK: %[[END2:.*]] = arith.subi %[[MAX2]], %step : i32
// CHECK: scf.for %[[I:.*]] = %lower to %upper step %step iter_args(%[[U:[a-z0-9]+]] = %t, %[[Q:[a-z0-9]+]] = %[[Q2]], %[[OLD:[a-z0-9]+]] = %[[G0]], %[[NEW:[a-z0-9]+]] = %[[G1]])
// CHECK: %[[HAS2:.*]] = arith.cmpi slt, %[[I]], %[[END2]] : i32
// CHECK: tile_gpu.async_wait %[[OLD]] pending = 1
// CHECK: %[[V:.*]] = tile_gpu.local_load
// CHECK: %[[W:.*]] = arith.addf %[[U]], %[[V]]
// CHECK: %[[Q3:.*]] = tile.addptr %[[Q]], %s :
// CHECK: %[[TWO:.*]] = arith.muli %step, %{{.*}} : i32
// CHECK: %[[I2:.*]] = arith.addi %[[I]], %[[TWO]] : i32
// CHECK: %[[TO2:.*]] = tile_gpu.slot %[[RING]][%[[I2]]]
// CHECK: scf.if %[[HAS2]] {
// CHECK-NEXT: tile_gpu.async_copy %[[Q]], %[[TO2]], %m :
// CHECK-NEXT: }
// CHECK: %[[G2:.*]] = tile_gpu.async_commit
// CHECK: scf.yield %[[W]], %[[Q3]], %[[NEW]], %[[G2]]
// CHECK-NOT: tile_gpu.stage
// CHECK-NOT: tile_gpu.order
tile.func private @two_ahead(%p: !p, %s: !o, %m: !m, %lower: i32, %upper: i32, %step: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %ring = tile_gpu.alloc : !r
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%u = %t, %q = %p) -> (!t, !p) : i32 {
    %next = tile.addptr %q, %s {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !p, !o
    %to = tile_gpu.slot %ring[%i] {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %q, %to, %m {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !p, !b, !m
    %token = tile_gpu.async_commit {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32}
    tile_gpu.async_wait %token pending = 0 {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32}
    %from = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32} : !r
    %v = tile_gpu.local_load %from {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32} : !b -> !t
    %w = arith.addf %u, %v {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32} : !t
    scf.yield %w, %next : !t, !p
  }
  tile.return %r#0 : !t
}

// With the commit before the wait there is one group more.
// CHECK-LABEL: tile.func private @commit_first
// CHECK: scf.for
// CHECK: tile_gpu.async_commit
// CHECK: tile_gpu.async_wait %{{.*}} pending = 2
tile.func private @commit_first(%p: !p, %s: !o, %m: !m, %lower: i32, %upper: i32, %step: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %ring = tile_gpu.alloc : !r
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%u = %t, %q = %p) -> (!t, !p) : i32 {
    %next = tile.addptr %q, %s {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !o
    %to = tile_gpu.slot %ring[%i] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %q, %to, %m {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b, !m
    %token = tile_gpu.async_commit {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32}
    tile_gpu.async_wait %token pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
    %from = tile_gpu.slot %ring[%slot] {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32} : !r
    %v = tile_gpu.local_load %from {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32} : !b -> !t
    %w = arith.addf %u, %v {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32} : !t
    scf.yield %w, %next : !t, !p
  }
  tile.return %r#0 : !t
}

// CHECK-LABEL: tile.func private @four_ahead
// CHECK-COUNT-4: tile_gpu.async_commit
// CHECK: scf.for
// CHECK: tile_gpu.async_wait %{{.*}} pending = 3
// CHECK: tile_gpu.async_commit
tile.func private @four_ahead(%p: !p, %s: !o, %m: !m, %lower: i32, %upper: i32, %step: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %ring = tile_gpu.alloc : !r
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%u = %t, %q = %p) -> (!t, !p) : i32 {
    %next = tile.addptr %q, %s {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !p, !o
    %to = tile_gpu.slot %ring[%i] {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %q, %to, %m {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !p, !b, !m
    %token = tile_gpu.async_commit {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32}
    tile_gpu.async_wait %token pending = 0 {tile_gpu.order = 0 : i32, tile_gpu.stage = 4 : i32}
    %from = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 4 : i32} : !r
    %v = tile_gpu.local_load %from {tile_gpu.order = 0 : i32, tile_gpu.stage = 4 : i32} : !b -> !t
    %w = arith.addf %u, %v {tile_gpu.order = 0 : i32, tile_gpu.stage = 4 : i32} : !t
    scf.yield %w, %next : !t, !p
  }
  tile.return %r#0 : !t
}

// Nothing runs ahead.
// CHECK-LABEL: tile.func private @one_stage
// CHECK-NOT: tile_gpu.async_commit
// CHECK: scf.for
// CHECK: tile_gpu.async_commit
// CHECK: tile_gpu.async_wait %{{.*}} pending = 0
tile.func private @one_stage(%p: !p, %s: !o, %m: !m, %lower: i32, %upper: i32, %step: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %ring = tile_gpu.alloc : !r
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%u = %t, %q = %p) -> (!t, !p) : i32 {
    %next = tile.addptr %q, %s {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !o
    %to = tile_gpu.slot %ring[%i] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %q, %to, %m {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b, !m
    %token = tile_gpu.async_commit {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32}
    tile_gpu.async_wait %token pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32}
    %from = tile_gpu.slot %ring[%slot] {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !r
    %v = tile_gpu.local_load %from {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !b -> !t
    %w = arith.addf %u, %v {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !t
    scf.yield %w, %next : !t, !p
  }
  tile.return %r#0 : !t
}

// Unchanged: no stages.
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.store %p, %t
// REMARK-NOT: Function=unchanged
tile.func private @unchanged(%p: !p, %t: !t, %m: i32, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %m to %n step %n : i32 {
    tile.store %p, %t : !p
  }
  tile.return
}
