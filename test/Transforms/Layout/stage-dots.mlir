// The buffers that tiles of matrix products pass through. Rows of 128 bytes have 8
// chunks of 16 bytes; chunk c of row r lies at c ^ (r % 8), so that 8 rows of one
// column of chunks, which ldmatrix reads at a time, are in 8 different groups of
// banks. A wavefront moves 128 bytes: 16 x 64 elements of f16 take 16 of them.
// lib/Layout chooses; here stand the choices and their cost.

// RUN: tile-opt %s --tile-gpu-stage-conversions | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-stage-conversions --remark-format=emitRemark --remarks-filter='tile-gpu-stage-conversions' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Eight neighbours a lane, eight lanes a row.
#load = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
// m16n8k16, four steps along K (A) or eight n8 columns in four pairs (B and C).
#a = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #tile_gpu.layout<register = [[1, 0], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>

// CHECK-LABEL: tile.func private @operand_a
// CHECK-NEXT: %[[BUFFER:.*]] = tile_gpu.alloc : <16x64xf16, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>>
// CHECK-NEXT: tile_gpu.local_store %x, %[[BUFFER]]
// CHECK-NEXT: tile_gpu.local_load %[[BUFFER]]
// REMARK: Function=operand_a | Buffer="order [1, 0], swizzled by 16 bytes", Bytes=2048, ReadWavefronts=16, ReadWavefrontsIdeal=16, WriteWavefronts=16, WriteWavefrontsIdeal=16{{$}}
tile.func private @operand_a(%x: tensor<16x64xf16, #load>) -> tensor<16x64xf16, #a> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x64xf16, #load> -> tensor<16x64xf16, #a>
  tile.return %0 : tensor<16x64xf16, #a>
}

// B is read by columns, which ldmatrix.trans does from the same buffer.
// CHECK-LABEL: tile.func private @operand_b
// CHECK-NEXT: tile_gpu.alloc : <16x64xf16, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>>
// REMARK: Function=operand_b | Buffer="order [1, 0], swizzled by 16 bytes", Bytes=2048, ReadWavefronts=16, ReadWavefrontsIdeal=16, WriteWavefronts=16, WriteWavefrontsIdeal=16{{$}}
tile.func private @operand_b(%x: tensor<16x64xf16, #load>) -> tensor<16x64xf16, #b> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x64xf16, #load> -> tensor<16x64xf16, #b>
  tile.return %0 : tensor<16x64xf16, #b>
}

// Results as f16, which have the layout of A: 4 bytes a lane and access, 8 rows of
// 16 bytes at a time, as ldmatrix reads them.
// CHECK-LABEL: tile.func private @results
// CHECK-NEXT: tile_gpu.alloc : <16x64xf16, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>>
// REMARK: Function=results | Buffer="order [1, 0], swizzled by 16 bytes", Bytes=2048, ReadWavefronts=16, ReadWavefrontsIdeal=16, WriteWavefronts=16, WriteWavefrontsIdeal=16{{$}}
tile.func private @results(%x: tensor<16x64xf16, #a>) -> tensor<16x64xf16, #load> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x64xf16, #a> -> tensor<16x64xf16, #load>
  tile.return %0 : tensor<16x64xf16, #load>
}

// Rows of 64 bytes, two to a line of 128: chunk c of row r lies at
// c ^ (r / 2 % 4), so that row 1 is where it would be.
#load32 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
#a32 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-LABEL: tile.func private @short_rows
// CHECK-NEXT: tile_gpu.alloc : <16x32xf16, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]]>>
// REMARK: Function=short_rows | Buffer="order [1, 0], swizzled by 16 bytes", Bytes=1024, ReadWavefronts=8, ReadWavefrontsIdeal=8, WriteWavefronts=8, WriteWavefrontsIdeal=8{{$}}
tile.func private @short_rows(%x: tensor<16x32xf16, #load32>) -> tensor<16x32xf16, #a32> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x32xf16, #load32> -> tensor<16x32xf16, #a32>
  tile.return %0 : tensor<16x32xf16, #a32>
}

// f32, read as tf32: chunks of four elements.
#load_f32 = #tile_gpu.layout<register = [[0, 1], [0, 2], [4, 0], [8, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = []>
#a_tf32 = #tile_gpu.layout<register = [[8, 0], [0, 4], [0, 8], [0, 16]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-LABEL: tile.func private @tf32
// CHECK-NEXT: tile_gpu.alloc : <16x32xf32, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0]]>>
// REMARK: Function=tf32 | Buffer="order [1, 0], swizzled by 16 bytes", Bytes=2048, ReadWavefronts=16, ReadWavefrontsIdeal=16, WriteWavefronts=16, WriteWavefrontsIdeal=16{{$}}
tile.func private @tf32(%x: tensor<16x32xf32, #load_f32>) -> tensor<16x32xf32, #a_tf32> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x32xf32, #load_f32> -> tensor<16x32xf32, #a_tf32>
  tile.return %0 : tensor<16x32xf32, #a_tf32>
}

// Two warps along N hold the same A: a warp reads all of it, each writes half.
#load2 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0]]>
#a2 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]]>
// CHECK-LABEL: tile.func private @shared_by_warps
// REMARK: Function=shared_by_warps | {{.*}}Bytes=2048, ReadWavefronts=16, ReadWavefrontsIdeal=16, WriteWavefronts=8, WriteWavefrontsIdeal=8{{$}}
tile.func private @shared_by_warps(%x: tensor<16x64xf16, #load2>) -> tensor<16x64xf16, #a2> attributes {tile_gpu.num_warps = 2 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x64xf16, #load2> -> tensor<16x64xf16, #a2>
  tile.return %0 : tensor<16x64xf16, #a2>
}

// Both operands of a product form a group: one barrier will stand between all
// stores and all loads.
// CHECK-LABEL: tile.func private @group
// CHECK-NEXT: %[[BA:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %x, %[[BA]]
// CHECK-NEXT: %[[BB:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %y, %[[BB]]
// CHECK-NEXT: %[[A:.*]] = tile_gpu.local_load %[[BA]]
// CHECK-NEXT: %[[B:.*]] = tile_gpu.local_load %[[BB]]
// CHECK-NEXT: tile.return %[[A]], %[[B]]
tile.func private @group(%x: tensor<16x64xf16, #load>, %y: tensor<16x64xf16, #load>) -> (tensor<16x64xf16, #a>, tensor<16x64xf16, #b>) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x64xf16, #load> -> tensor<16x64xf16, #a>
  %1 = tile_gpu.convert_layout %y : tensor<16x64xf16, #load> -> tensor<16x64xf16, #b>
  tile.return %0, %1 : tensor<16x64xf16, #a>, tensor<16x64xf16, #b>
}

// What is made of a loaded value cannot join, and begins a group of its own.
// CHECK-LABEL: tile.func private @dependent
// CHECK: tile_gpu.local_store %x,
// CHECK-NEXT: %[[A:.*]] = tile_gpu.local_load
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT: %[[BUFFER:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %[[N]], %[[BUFFER]]
// CHECK-NEXT: tile_gpu.local_load %[[BUFFER]]
tile.func private @dependent(%x: tensor<16x64xf16, #load>) -> tensor<16x64xf16, #load> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x64xf16, #load> -> tensor<16x64xf16, #a>
  %1 = arith.negf %0 : tensor<16x64xf16, #a>
  %2 = tile_gpu.convert_layout %1 : tensor<16x64xf16, #a> -> tensor<16x64xf16, #load>
  tile.return %2 : tensor<16x64xf16, #load>
}

// Unchanged: the same registers under another order.
#bt = #tile_gpu.layout<register = [[1, 0], [0, 8], [8, 0], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NEXT: tile_gpu.convert_layout
// REMARK: [Missed] {{.*}} Function=unchanged | Reason="each thread holds what it needs"
tile.func private @unchanged(%x: tensor<16x64xf16, #bt>) -> tensor<16x64xf16, #b> attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile_gpu.convert_layout %x : tensor<16x64xf16, #bt> -> tensor<16x64xf16, #b>
  tile.return %0 : tensor<16x64xf16, #b>
}
