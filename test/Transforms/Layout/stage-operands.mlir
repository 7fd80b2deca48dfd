// Operands of wgmma go to buffers of their own, swizzled: chunk c of 16 bytes of row
// r lies at c ^ (r % 8) in rows of 128 bytes, at c ^ (r / 2 % 4) in rows of 64 and
// at c ^ (r / 4 % 2) in rows of 32. Rows run along the dimension along which a
// thread holds neighbours.

// RUN: tile-opt %s --tile-gpu-stage-operands | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-stage-operands --remark-format=emitRemark --remarks-filter=tile-gpu-stage-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#ak = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#am = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [0, 16]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]]>
#bn = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#bk = #tile_gpu.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]]>
#wgmma = #tile_gpu.instruction<wgmma, 64, 16, 16>
#mma = #tile_gpu.instruction<mma_sync, 16, 8, 16>

// Both as rows of a row-major array: A along k in rows of 64 bytes, B along n in
// rows of 32.
// CHECK-LABEL: tile.func private @rows
// CHECK-NEXT: %[[A:.*]] = tile_gpu.alloc : <64x32xf16, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>>
// CHECK-NEXT: tile_gpu.local_store %a, %[[A]]
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc : <32x16xf16, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>>
// CHECK-NEXT: tile_gpu.local_store %b, %[[B]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: %[[P:.*]] = tile_gpu.wgmma %[[A]], %[[B]], %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 16, 16>}
// CHECK-NEXT: %[[D:.*]] = tile_gpu.wgmma_wait %[[P]] pending = 0
// CHECK-NEXT: tile.return %[[D]]
// REMARK: [[@LINE+2]]:8: remark: [Passed] operands | Category:tile-gpu-stage-operands | Function=rows | MajorA=K, MajorB=MN{{$}}
tile.func private @rows(%a: tensor<64x32xf16, #ak>, %b: tensor<32x16xf16, #bn>, %c: tensor<64x16xf32, #acc>) -> tensor<64x16xf32, #acc> attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : tensor<64x32xf16, #ak>, tensor<32x16xf16, #bn> -> tensor<64x16xf32, #acc>
  tile.return %d : tensor<64x16xf32, #acc>
}

// Columns: A along m in rows of 128 bytes, B along k in rows of 64.
// CHECK-LABEL: tile.func private @columns
// CHECK-NEXT: %[[A:.*]] = tile_gpu.alloc : <64x32xbf16, #tile_gpu.shared<{{.}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16]]>>
// CHECK-NEXT: tile_gpu.local_store %a, %[[A]]
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc : <32x16xbf16, #tile_gpu.shared<{{.}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [8, 2], [16, 4], [0, 8]]>>
// REMARK: Function=columns | MajorA=MN, MajorB=K{{$}}
tile.func private @columns(%a: tensor<64x32xbf16, #am>, %b: tensor<32x16xbf16, #bk>, %c: tensor<64x16xf32, #acc>) -> tensor<64x16xf32, #acc> attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : tensor<64x32xbf16, #am>, tensor<32x16xbf16, #bk> -> tensor<64x16xf32, #acc>
  tile.return %d : tensor<64x16xf32, #acc>
}

// Eight columns of B are rows of 16 bytes, too short: rows run along k, which
// costs narrow stores.
#acc8 = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#b8 = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
// CHECK-LABEL: tile.func private @short_rows
// CHECK: tile_gpu.alloc : <32x8xf16, #tile_gpu.shared<{{.}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [8, 2], [16, 4]]>>
// REMARK: Function=short_rows | MajorA=K, MajorB=K{{$}}
tile.func private @short_rows(%a: tensor<64x32xf16, #ak>, %b: tensor<32x8xf16, #b8>, %c: tensor<64x8xf32, #acc8>) -> tensor<64x8xf32, #acc8> attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 8, 16>} : tensor<64x32xf16, #ak>, tensor<32x8xf16, #b8> -> tensor<64x8xf32, #acc8>
  tile.return %d : tensor<64x8xf32, #acc8>
}

// One value in two products, and on both sides: one buffer, since rows run along the
// second dimension on both.
// CHECK-LABEL: tile.func private @twice
// CHECK-NEXT: %[[A:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %a, %[[A]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: %[[P:.*]] = tile_gpu.wgmma %[[A]], %[[A]], %c
// CHECK-NEXT: %[[D:.*]] = tile_gpu.wgmma_wait %[[P]]
// CHECK-NEXT: tile_gpu.wgmma %[[A]], %[[A]], %[[D]]
// CHECK-NOT: tile_gpu.local_store
// CHECK: tile.return
#sq = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc64 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func private @twice(%a: tensor<64x64xf16, #sq>, %c: tensor<64x64xf32, #acc64>) -> tensor<64x64xf32, #acc64> attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 64, 16>} : tensor<64x64xf16, #sq>, tensor<64x64xf16, #sq> -> tensor<64x64xf32, #acc64>
  %e = tile.dot %a, %a, %d {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 64, 16>} : tensor<64x64xf16, #sq>, tensor<64x64xf16, #sq> -> tensor<64x64xf32, #acc64>
  tile.return %e : tensor<64x64xf32, #acc64>
}

// Unchanged: another instruction.
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NEXT: tile.dot
// CHECK-NEXT: tile.return
// REMARK-NOT: Function=unchanged
tile.func private @unchanged(%a: tensor<64x32xf16, #ak>, %b: tensor<32x16xf16, #bn>, %c: tensor<64x16xf32, #acc>) -> tensor<64x16xf32, #acc> attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #mma} : tensor<64x32xf16, #ak>, tensor<32x16xf16, #bn> -> tensor<64x16xf32, #acc>
  tile.return %d : tensor<64x16xf32, #acc>
}
