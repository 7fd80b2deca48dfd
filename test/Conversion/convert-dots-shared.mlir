// Operands of matrix products from shared memory: ldmatrix brings each lane 32 bits
// of up to four 8 x 8 matrices of 16-bit elements (PTX ISA, "ldmatrix").

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

// 16 x 64 elements of f16 in rows of 128 bytes, swizzled: 32 a lane, which is 16
// registers, 4 instructions. A has its neighbours in a row of memory.
#buffer = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
#a = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-LABEL: llvm.func @plain
// CHECK-COUNT-4: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"
// CHECK-NOT: ldmatrix
// CHECK: llvm.return
tile.func @plain() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 2048 : i32} {
  %buffer = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x64xf16, #buffer>
  %a = tile_gpu.local_load %buffer : !tile_gpu.buffer<16x64xf16, #buffer> -> tensor<16x64xf16, #a>
  tile.return
}

// B has its neighbours in a column: the instruction transposes.
#b = #tile_gpu.layout<register = [[1, 0], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: llvm.func @transposed
// CHECK-COUNT-4: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"
// CHECK-NOT: ldmatrix
// CHECK: llvm.return
tile.func @transposed() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 2048 : i32} {
  %buffer = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x64xf16, #buffer>
  %b = tile_gpu.local_load %buffer : !tile_gpu.buffer<16x64xf16, #buffer> -> tensor<16x64xf16, #b>
  tile.return
}

// Two matrices, and one, whose register stands in braces all the same.
#rows16 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#rows8 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b16 = #tile_gpu.layout<register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#b8 = #tile_gpu.layout<register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: llvm.func @few
// CHECK: "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];", "=r,=r,r"
// CHECK: "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$0}, [$1];", "=r,r"
// CHECK-NOT: ldmatrix
// CHECK: llvm.return
tile.func @few() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 384 : i32} {
  %two = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x8xf16, #rows16>
  %b = tile_gpu.local_load %two : !tile_gpu.buffer<16x8xf16, #rows16> -> tensor<16x8xf16, #b16>
  %one = tile_gpu.alloc offset = 256 : !tile_gpu.buffer<8x8xf16, #rows8>
  %c = tile_gpu.local_load %one : !tile_gpu.buffer<8x8xf16, #rows8> -> tensor<8x8xf16, #b8>
  tile.return
}

// tf32: an element takes the place of two of 16 bits; a row of 16 bytes has four,
// one a lane. Unlike 16 bits, 32 cannot be transposed: plain loads, one an element.
#buffer32 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0]]>
#a32 = #tile_gpu.layout<register = [[8, 0], [0, 4], [0, 8], [0, 16]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>
#b32 = #tile_gpu.layout<register = [[4, 0], [8, 0], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: llvm.func @tf32
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: ldmatrix
// CHECK-COUNT-16: llvm.load %{{.*}} -> vector<1xf32>
// CHECK-NOT: llvm.load
// CHECK: llvm.return
tile.func @tf32() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 2048 : i32} {
  %buffer = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x32xf32, #buffer32>
  %a = tile_gpu.local_load %buffer : !tile_gpu.buffer<16x32xf32, #buffer32> -> tensor<16x32xf32, #a32>
  %b = tile_gpu.local_load %buffer : !tile_gpu.buffer<16x32xf32, #buffer32> -> tensor<16x32xf32, #b32>
  tile.return
}

// Bytes: four a register, 16 a row. Columns of bytes are read one by one.
#buffer8 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 16], [8, 0]]>
#a8 = #tile_gpu.layout<register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
#b8bit = #tile_gpu.layout<register = [[1, 0], [2, 0], [0, 8], [0, 16]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: llvm.func @bytes
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: ldmatrix
// CHECK-COUNT-16: llvm.load %{{.*}} -> vector<1xi8>
// CHECK-NOT: llvm.load
// CHECK: llvm.return
tile.func @bytes() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %buffer = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x32xi8, #buffer8>
  %a = tile_gpu.local_load %buffer : !tile_gpu.buffer<16x32xi8, #buffer8> -> tensor<16x32xi8, #a8>
  %b = tile_gpu.local_load %buffer : !tile_gpu.buffer<16x32xi8, #buffer8> -> tensor<16x32xi8, #b8bit>
  tile.return
}

// Two warps along M: the second one's rows begin 16 further down, at element 1024.
#buffer_m = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]>
#a_m = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0]]>
// CHECK-LABEL: llvm.func @warps
// CHECK: %[[C1024:.*]] = llvm.mlir.constant(1024 : i32)
// CHECK-NEXT: llvm.mul %{{.*}}, %[[C1024]]
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.shared.b16
tile.func @warps() attributes {tile_gpu.num_warps = 2 : i32, tile_gpu.shared_bytes = 4096 : i32} {
  %buffer = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<32x64xf16, #buffer_m>
  %a = tile_gpu.local_load %buffer : !tile_gpu.buffer<32x64xf16, #buffer_m> -> tensor<32x64xf16, #a_m>
  tile.return
}

// Unchanged in kind: a layout of whole rows is read by plain loads of 16 bytes.
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
// CHECK-LABEL: llvm.func @unchanged
// CHECK-NOT: ldmatrix
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK: llvm.return
tile.func @unchanged() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 2048 : i32} {
  %buffer = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x64xf16, #buffer>
  %a = tile_gpu.local_load %buffer : !tile_gpu.buffer<16x64xf16, #buffer> -> tensor<16x64xf16, #rows>
  tile.return
}
