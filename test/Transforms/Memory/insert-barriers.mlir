// RUN: tile-opt %s --tile-gpu-insert-barriers | FileCheck %s
// RUN: tile-opt %s --tile-gpu-insert-barriers --remark-format=emitRemark --remarks-filter='.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Straight-line code. CHECK-NEXT everywhere: no barrier but those expected. A
// program of one warp needs them too. Buffers: %a has bytes 0 to 127, %b 128 to
// 255, %half 64 to 127.

#lanes = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#half = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
!buf = !tile_gpu.buffer<32xf32, #tile_gpu.shared<[[1], [2], [4], [8], [16]]>>
!half = !tile_gpu.buffer<16xf32, #tile_gpu.shared<[[1], [2], [4], [8]]>>
!t = tensor<32xf32, #lanes>
!thalf = tensor<16xf32, #half>

// Two writes of different bytes, two reads of the same.
// CHECK-LABEL: tile.func @unchanged
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
// REMARK-NOT: Function=unchanged
tile.func @unchanged(%t: !t) attributes {sym_visibility = "private", tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  %b = tile_gpu.alloc offset = 128 : !buf
  %c = tile_gpu.alloc offset = 256 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  tile_gpu.local_store %t, %b : !t, !buf
  %u = tile_gpu.local_load %c : !buf -> !t
  %v = tile_gpu.local_load %c : !buf -> !t
  tile.return
}
