// RUN: tile-opt %s --tile-gpu-stage-conversions | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-stage-conversions --remark-format=emitRemark --remarks-filter='tile-gpu-stage-conversions' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// 64 * 4 bytes, in plain order. Writes are of 8 bytes a lane, served by half-warps:
// 2 wavefronts. Reads are of 4 bytes, twice: 2 wavefronts.
#pairs = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#halves = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
// CHECK-LABEL: tile.func private @lanes
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc : <64xf32, #tile_gpu.shared<{{.}}[1], [2], [4], [8], [16], [32]]>>
// CHECK-NEXT: tile_gpu.local_store %x, %[[B]] : tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]]
// CHECK-NEXT: %[[A:.*]] = tile_gpu.local_load %[[B]] : {{.*}} -> tensor<64xf32, #tile_gpu.layout<register = {{.}}[32]]
// CHECK-NEXT: tile.return %[[A]]
// REMARK: [Passed] stage-conversion | Category:tile-gpu-stage-conversions | Function=lanes
// REMARK-SAME: Bytes=256, ReadWavefronts=2, ReadWavefrontsIdeal=2, WriteWavefronts=2, WriteWavefrontsIdeal=2
tile.func private @lanes(%x: tensor<64xf32, #pairs>) -> tensor<64xf32, #halves> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<64xf32, #pairs> -> tensor<64xf32, #halves>
  tile.return %0 : tensor<64xf32, #halves>
}

// Element (r, c) lies at 32 c + (r ^ c), in bank r ^ c. Writes have lanes on c = 4,
// 8, 16 and r = 1, 2, reads on r = 4, 8, 16 and c = 1, 2: 32 banks each. 1024
// elements at 32 a wavefront: 32.
#row = #tile_gpu.layout<register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = []>
#col = #tile_gpu.layout<register = [[1, 0], [2, 0], [0, 4], [0, 8], [0, 16]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = []>
// CHECK-LABEL: tile.func private @transposed
// CHECK-NEXT: tile_gpu.alloc : <32x32xf32, #tile_gpu.shared<{{.}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [1, 1], [2, 2], [4, 4], [8, 8], [16, 16]]>>
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.convert_layout
// REMARK: Function=transposed
// REMARK-SAME: Bytes=4096, ReadWavefronts=32, ReadWavefrontsIdeal=32, WriteWavefronts=32, WriteWavefrontsIdeal=32
tile.func private @transposed(%x: tensor<32x32xf32, #row>) -> tensor<32x32xf32, #col> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<32x32xf32, #row> -> tensor<32x32xf32, #col>
  tile.return %0 : tensor<32x32xf32, #col>
}

// From one warp to all. An i1 takes one byte.
#warps = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#everywhere = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
// CHECK-LABEL: tile.func private @warps
// CHECK-NEXT: tile_gpu.alloc : <64xi1, #tile_gpu.shared<
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_load
// REMARK: Function=warps
// REMARK-SAME: Bytes=64, ReadWavefronts=2, ReadWavefrontsIdeal=2, WriteWavefronts=1, WriteWavefrontsIdeal=1
tile.func private @warps(%x: tensor<64xi1, #warps>) -> tensor<64xi1, #everywhere> attributes {tile_gpu.num_warps = 2 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<64xi1, #warps> -> tensor<64xi1, #everywhere>
  tile.return %0 : tensor<64xi1, #everywhere>
}

// A thread has the element that it needs, but in a register that depends on the
// lane: a conversion all the same.
#both = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [0]], warp = []>
#single = #tile_gpu.layout<register = [], lane = [[2], [4], [8], [16], [1]], warp = []>
// CHECK-LABEL: tile.func private @register_by_lane
// CHECK-NEXT: tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_load
// REMARK: [Passed] {{.*}} Function=register_by_lane
tile.func private @register_by_lane(%x: tensor<32xf32, #both>) -> tensor<32xf32, #single> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<32xf32, #both> -> tensor<32xf32, #single>
  tile.return %0 : tensor<32xf32, #single>
}

// Unchanged: another order of registers, ...
#order = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#reversed = #tile_gpu.layout<register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = []>
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NEXT: %[[A:.*]] = tile_gpu.convert_layout %x
// CHECK-NEXT: tile.return %[[A]]
// REMARK: [Missed] stage-conversion | Category:tile-gpu-stage-conversions | Function=unchanged | Reason="each thread holds what it needs"
tile.func private @unchanged(%x: tensor<128xf32, #order>) -> tensor<128xf32, #reversed> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<128xf32, #order> -> tensor<128xf32, #reversed>
  tile.return %0 : tensor<128xf32, #reversed>
}

// ... and each element in two registers instead of one.
#copied = #tile_gpu.layout<register = [[1], [2], [0]], lane = [[4], [8], [16], [32], [64]], warp = []>
// CHECK-LABEL: tile.func private @copied
// CHECK-NEXT: %[[A:.*]] = tile_gpu.convert_layout %x
// CHECK-NEXT: tile.return %[[A]]
// REMARK: [Missed] {{.*}} Function=copied
tile.func private @copied(%x: tensor<128xf32, #order>) -> tensor<128xf32, #copied> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<128xf32, #order> -> tensor<128xf32, #copied>
  tile.return %0 : tensor<128xf32, #copied>
}
