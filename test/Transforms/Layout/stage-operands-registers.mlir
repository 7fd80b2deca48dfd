// An A whose registers are those that wgmma reads stays there. What a loop does not
// compute is written to shared memory before it, once.

// RUN: tile-opt %s --tile-gpu-stage-operands | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-stage-operands --remark-format=emitRemark --remarks-filter=tile-gpu-stage-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#a = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#ak = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#bn = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#wgmma = #tile_gpu.instruction<wgmma, 64, 16, 16>
!a = tensor<64x32xf16, #a>
!ak = tensor<64x32xf16, #ak>
!b = tensor<32x16xf16, #bn>
!acc = tensor<64x16xf32, #acc>

// CHECK-LABEL: tile.func private @registers
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc : <32x16xf16,
// CHECK-NEXT: tile_gpu.local_store %b, %[[B]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: %[[P:.*]] = tile_gpu.wgmma %a, %[[B]], %c {tile_gpu.instruction = {{.*}}} : tensor<64x32xf16,
// CHECK-NEXT: %[[D:.*]] = tile_gpu.wgmma_wait %[[P]] pending = 0
// CHECK-NEXT: tile.return %[[D]]
// REMARK: Function=registers | MajorA=registers, MajorB=MN{{$}}
tile.func private @registers(%a: !a, %b: !b, %c: !acc) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
  tile.return %d : !acc
}

// A stands before both loops, and has a fence there; B is computed in the inner one.
// CHECK-LABEL: tile.func private @before_loops
// CHECK: %[[A:.*]] = tile_gpu.alloc : <64x32xf16,
// CHECK-NEXT: tile_gpu.local_store %a, %[[A]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.addf
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc : <32x16xf16,
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[B]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.wgmma %[[A]], %[[B]],
// REMARK: Function=before_loops | MajorA=K, MajorB=MN{{$}}
tile.func private @before_loops(%a: !ak, %b: !b, %c: !acc, %n: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %c) -> (!acc) : i32 {
    %s = scf.for %j = %zero to %n step %one iter_args(%y = %x) -> (!acc) : i32 {
      %e = arith.addf %b, %b : !b
      %d = tile.dot %a, %e, %y {tile_gpu.instruction = #wgmma} : !ak, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %s : !acc
  }
  tile.return %r : !acc
}

// Neither is computed in the loop: in it there is nothing to fence.
// CHECK-LABEL: tile.func private @both_before
// CHECK-COUNT-2: tile_gpu.fence_async
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.wgmma
// CHECK-NEXT: tile_gpu.wgmma_wait
// CHECK-NEXT: scf.yield
tile.func private @both_before(%a: !ak, %b: !b, %c: !acc, %n: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %c) -> (!acc) : i32 {
    %d = tile.dot %a, %b, %x {tile_gpu.instruction = #wgmma} : !ak, !b -> !acc
    scf.yield %d : !acc
  }
  tile.return %r : !acc
}
