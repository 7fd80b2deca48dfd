// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

#four = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#flat = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>

// One external array of dynamic shared memory for the module.
// CHECK: llvm.mlir.global external @__tessera_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-NOT: llvm.mlir.global

// 16 bytes of neighbours a thread, at byte 512: one access each. One warp
// synchronises its lanes only.
// CHECK-LABEL: llvm.func @wide
// CHECK: %[[S:.*]] = llvm.mlir.addressof @__tessera_shared : !llvm.ptr<3>
// CHECK-NEXT: %[[PIN:.*]] = llvm.inline_asm has_side_effects "mov.b64 $0, $1;", "=l,l" %[[S]] : (!llvm.ptr<3>) -> !llvm.ptr<3>
// CHECK-NEXT: %[[B:.*]] = llvm.getelementptr %[[PIN]][512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: %[[A:.*]] = llvm.getelementptr %[[B]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
// CHECK-NEXT: llvm.store %{{.*}}, %[[A]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK: llvm.return
tile.func @wide(%x: f32) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #four>
  %b = tile_gpu.alloc offset = 512 : !tile_gpu.buffer<128xf32, #flat>
  tile_gpu.local_store %a, %b : tensor<128xf32, #four>, !tile_gpu.buffer<128xf32, #flat>
  tile_gpu.barrier
  %c = tile_gpu.local_load %b : !tile_gpu.buffer<128xf32, #flat> -> tensor<128xf32, #four>
  tile.return
}

// A thread's registers are 32 and 64 elements apart in the buffer: single accesses.
#strided = #tile_gpu.shared<[[4], [8], [16], [32], [64], [1], [2]]>
// CHECK-LABEL: llvm.func @single
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 8 : i64} : vector<1xf64>, !llvm.ptr<3>
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<1xf64>
// CHECK: llvm.return
tile.func @single(%x: f64) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %a = tile.splat %x : f64 -> tensor<128xf64, #four>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<128xf64, #strided>
  tile_gpu.local_store %a, %b : tensor<128xf64, #four>, !tile_gpu.buffer<128xf64, #strided>
  %c = tile_gpu.local_load %b : !tile_gpu.buffer<128xf64, #strided> -> tensor<128xf64, #four>
  tile.return
}

// The same with 4 bytes an element: four lanes read 16 neighbouring bytes, the
// registers are matrices 32 elements apart, which is what ldmatrix does.
// CHECK-LABEL: llvm.func @matrices
// CHECK-NOT: llvm.load
// CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
tile.func @matrices() attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<128xf32, #strided>
  %c = tile_gpu.local_load %b : !tile_gpu.buffer<128xf32, #strided> -> tensor<128xf32, #four>
  tile.return
}

// Offsets are columns + 8 * rows, but for the swizzle: by the buffer's bases row 1
// is at 8 ^ 2 = 10, row 2 at 16 ^ 4 = 20, row 4 at 32.
#tile = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#swizzled = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 2], [2, 4], [4, 0]]>
// CHECK-LABEL: llvm.func @swizzled
// CHECK: %[[C10:.*]] = llvm.mlir.constant(10 : i32)
// CHECK-NEXT: %[[R1:.*]] = llvm.mul %{{.*}}, %[[C10]]
// CHECK-NEXT: llvm.xor %{{.*}}, %[[R1]]
// CHECK: %[[C20:.*]] = llvm.mlir.constant(20 : i32)
// CHECK-NEXT: %[[R2:.*]] = llvm.mul %{{.*}}, %[[C20]]
// CHECK-NEXT: llvm.xor %{{.*}}, %[[R2]]
// CHECK: %[[C32:.*]] = llvm.mlir.constant(32 : i32)
// CHECK-NEXT: %[[R4:.*]] = llvm.mul %{{.*}}, %[[C32]]
// CHECK-NEXT: llvm.xor %{{.*}}, %[[R4]]
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<3>
tile.func @swizzled(%x: f16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 128 : i32} {
  %a = tile.splat %x : f16 -> tensor<8x8xf16, #tile>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<8x8xf16, #swizzled>
  tile_gpu.local_store %a, %b : tensor<8x8xf16, #tile>, !tile_gpu.buffer<8x8xf16, #swizzled>
  tile.return
}

// Warp 1 holds copies (thread bit 32) and does not write them. An i1 is a byte.
// Several warps meet at a barrier of the CTA.
#copies = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
#row = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
// CHECK-LABEL: llvm.func @copies
// CHECK: llvm.zext %{{.*}} : vector<1xi1> to vector<1xi8>
// CHECK: %[[C32:.*]] = llvm.mlir.constant(32 : i32)
// CHECK-NEXT: %[[BITS:.*]] = llvm.and %{{.*}}, %[[C32]]
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[BITS]]
// CHECK: %[[A:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
// CHECK: llvm.inline_asm has_side_effects "@$0 st.shared.b8 [$1], $2;", "b,r,h" %[[FIRST]], %[[A]]
// CHECK: nvvm.barrier0
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> vector<1xi8>
// CHECK: llvm.icmp "ne" %[[V]]
tile.func @copies(%x: i1) attributes {tile_gpu.num_warps = 2 : i32, tile_gpu.shared_bytes = 32 : i32} {
  %a = tile.splat %x : i1 -> tensor<32xi1, #copies>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<32xi1, #row>
  tile_gpu.local_store %a, %b : tensor<32xi1, #copies>, !tile_gpu.buffer<32xi1, #row>
  tile_gpu.barrier
  %c = tile_gpu.local_load %b : !tile_gpu.buffer<32xi1, #row> -> tensor<32xi1, #copies>
  tile.return
}

// Predicated stores of wide vectors: 4 f32 are 4 words, 2 f64 two of 64 bits.
#four_copies = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = []>
#flat64 = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
// CHECK-LABEL: llvm.func @wide_copies
// CHECK: "@$0 st.shared.v4.b32 [$1], {$2, $3, $4, $5};", "b,r,r,r,r,r"
// CHECK-COUNT-2: "@$0 st.shared.v2.b64 [$1], {$2, $3};", "b,r,l,l"
tile.func @wide_copies(%x: f32, %y: f64) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %a = tile.splat %x : f32 -> tensor<64xf32, #four_copies>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64xf32, #flat64>
  tile_gpu.local_store %a, %b : tensor<64xf32, #four_copies>, !tile_gpu.buffer<64xf32, #flat64>
  %c = tile.splat %y : f64 -> tensor<64xf64, #four_copies>
  %d = tile_gpu.alloc offset = 512 : !tile_gpu.buffer<64xf64, #flat64>
  tile_gpu.local_store %c, %d : tensor<64xf64, #four_copies>, !tile_gpu.buffer<64xf64, #flat64>
  tile.return
}

// Unchanged: nothing shared, no array.
// CHECK-LABEL: llvm.func @unchanged
// CHECK-NEXT: llvm.return
tile.func @unchanged() attributes {tile_gpu.num_warps = 1 : i32} {
  tile.return
}
