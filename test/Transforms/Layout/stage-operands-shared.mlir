// Products that want one value laid out alike read one buffer, if they stand in one
// block, or if it is written before the same loop.

// RUN: tile-opt %s --tile-gpu-stage-operands | %inline-layouts | FileCheck %s

#sq = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#half = #tile_gpu.instruction<wgmma, 64, 64, 16>
!h = tensor<64x64xf16, #sq>
!c = tensor<64x64xf32, #acc>

// A of two products: written once, each B in a buffer of its own with a fence after it.
// CHECK-LABEL: tile.func private @one_a
// CHECK: tile_gpu.local_store %x, %[[X:[^ ]+]] :
// CHECK: tile_gpu.local_store %y, %[[Y:[^ ]+]] :
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.wgmma %[[X]], %[[Y]], %c
// CHECK: tile_gpu.local_store %z, %[[Z:[^ ]+]] :
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.wgmma %[[X]], %[[Z]], %c
// CHECK-NOT: tile_gpu.local_store
// CHECK: tile.return
tile.func private @one_a(%x: !h, %y: !h, %z: !h, %c: !c) -> (!c, !c) attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile.dot %x, %y, %c {tile_gpu.instruction = #half} : !h, !h -> !c
  %e = tile.dot %x, %z, %c {tile_gpu.instruction = #half} : !h, !h -> !c
  tile.return %d, %e : !c, !c
}

// In a loop that does not compute them: both are written before it, once.
// CHECK-LABEL: tile.func private @loop
// CHECK: tile_gpu.local_store %x, %[[X:[^ ]+]] :
// CHECK-NEXT: tile_gpu.fence_async
// CHECK: tile_gpu.local_store %y, %[[Y:[^ ]+]] :
// CHECK-NEXT: tile_gpu.fence_async
// CHECK: scf.for
// CHECK-NOT: tile_gpu.local_store
// CHECK: tile_gpu.wgmma %[[X]], %[[Y]],
// CHECK-NOT: tile_gpu.local_store
// CHECK: tile_gpu.wgmma %[[X]], %[[Y]],
// CHECK: tile.return
tile.func private @loop(%x: !h, %y: !h, %c: !c, %n: i32) -> !c attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (!c) : i32 {
    %d = tile.dot %x, %y, %acc {tile_gpu.instruction = #half} : !h, !h -> !c
    %e = tile.dot %x, %y, %d {tile_gpu.instruction = #half} : !h, !h -> !c
    scf.yield %e : !c
  }
  tile.return %r : !c
}

// Before a loop and in it, or under a condition: buffers apart, which live less long.
// CHECK-LABEL: tile.func private @places
// CHECK: tile_gpu.local_store %x, %[[A:[^ ]+]] :
// CHECK: tile_gpu.wgmma %[[A]], %[[A]],
// CHECK: tile_gpu.local_store %x, %[[B:[^ ]+]] :
// CHECK: scf.for
// CHECK: tile_gpu.wgmma %[[B]], %[[B]],
// CHECK: scf.if
// CHECK: tile_gpu.local_store %x, %[[C:[^ ]+]] :
// CHECK: tile_gpu.wgmma %[[C]], %[[C]],
tile.func private @places(%x: !h, %c: !c, %n: i32, %q: i1) -> !c attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = tile.dot %x, %x, %c {tile_gpu.instruction = #half} : !h, !h -> !c
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %first) -> (!c) : i32 {
    %d = tile.dot %x, %x, %acc {tile_gpu.instruction = #half} : !h, !h -> !c
    scf.yield %d : !c
  }
  %s = scf.if %q -> !c {
    %e = tile.dot %x, %x, %r {tile_gpu.instruction = #half} : !h, !h -> !c
    scf.yield %e : !c
  } else {
    scf.yield %r : !c
  }
  tile.return %s : !c
}
