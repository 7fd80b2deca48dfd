// Fragments of products go to shared memory by stmatrix: matrices of 8 x 8 elements of
// 16 bits, of which four lanes hold a row.

// DEFINE: %{target} =
// DEFINE: %{compile} = tile-opt %s --tile-gpu-attach-target=target=%{target} --tile-nvvm-pipeline=target=%{target} -o %t.mlir && tile-opt %t.mlir --emit=ptx --target=%{target} -o %t.ptx
// REDEFINE: %{target} = sm_90a
// RUN: %{compile}
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not=stmatrix
// REDEFINE: %{target} = sm_120a
// RUN: %{compile}
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not=stmatrix

// Before sm_90 there is none.
// REDEFINE: %{target} = sm_89
// RUN: %{compile}
// RUN: FileCheck %s --check-prefix=PLAIN --input-file=%t.ptx --implicit-check-not=stmatrix
// PLAIN-LABEL: .entry four(
// PLAIN-COUNT-4: st.shared.b32

#m4 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#m8 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#m2 = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#m1 = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#words = #tile_gpu.layout<register = [[8, 0], [0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>
#warps = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8]]>
#same = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]]>
#twice = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#s4 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
#s8 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]]>
#s2 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#s1 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#sw = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#turned = #tile_gpu.shared<[[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [0, 4], [0, 8]]>

// Four matrices: rows 0 and 8, columns 0 and 8.
// CHECK-LABEL: .entry four(
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// CHECK-NOT: st.shared
// CHECK: ret;
tile.func @four(%x: f16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<16x16xf16, #m4>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x16xf16, #s4>
  tile_gpu.local_store %v, %b : tensor<16x16xf16, #m4>, !tile_gpu.buffer<16x16xf16, #s4>
  tile.return
}

// CHECK-LABEL: .entry eight(
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// CHECK-NOT: st.shared
// CHECK: ret;
tile.func @eight(%x: bf16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : bf16 -> tensor<16x32xbf16, #m8>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x32xbf16, #s8>
  tile_gpu.local_store %v, %b : tensor<16x32xbf16, #m8>, !tile_gpu.buffer<16x32xbf16, #s8>
  tile.return
}

// CHECK-LABEL: .entry two(
// CHECK: stmatrix.sync.aligned.m8n8.x2.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}, %{{.*}}};
// CHECK-NOT: st.shared
// CHECK: ret;
tile.func @two(%x: f16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<16x8xf16, #m2>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x8xf16, #s2>
  tile_gpu.local_store %v, %b : tensor<16x8xf16, #m2>, !tile_gpu.buffer<16x8xf16, #s2>
  tile.return
}

// CHECK-LABEL: .entry one(
// CHECK: stmatrix.sync.aligned.m8n8.x1.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}};
// CHECK-NOT: st.shared
// CHECK: ret;
tile.func @one(%x: f16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<8x8xf16, #m1>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<8x8xf16, #s1>
  tile_gpu.local_store %v, %b : tensor<8x8xf16, #m1>, !tile_gpu.buffer<8x8xf16, #s1>
  tile.return
}

// The buffer has columns one after another: lanes hold columns of the matrices.
// CHECK-LABEL: .entry turned(
// CHECK: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// CHECK-NOT: st.shared
// CHECK: ret;
tile.func @turned(%x: f16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<16x16xf16, #m4>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x16xf16, #turned>
  tile_gpu.local_store %v, %b : tensor<16x16xf16, #m4>, !tile_gpu.buffer<16x16xf16, #turned>
  tile.return
}

// A row of 8 elements is one of 4 words.
// CHECK-LABEL: .entry words(
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// CHECK: ret;
tile.func @words(%x: f32) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f32 -> tensor<16x8xf32, #words>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x8xf32, #sw>
  tile_gpu.local_store %v, %b : tensor<16x8xf32, #words>, !tile_gpu.buffer<16x8xf32, #sw>
  tile.return
}

// Each warp its own columns.
// CHECK-LABEL: .entry warps(
// CHECK: stmatrix.sync.aligned.m8n8.x2.shared.b16 [%{{.*}}], {{[{]}}%{{.*}}, %{{.*}}};
// CHECK: ret;
tile.func @warps(%x: f16) attributes {tile_gpu.num_warps = 2 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<16x16xf16, #warps>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x16xf16, #s4>
  tile_gpu.local_store %v, %b : tensor<16x16xf16, #warps>, !tile_gpu.buffer<16x16xf16, #s4>
  tile.return
}

// Two warps hold the same: one of them stores, by plain stores.
// CHECK-LABEL: .entry same(
// CHECK-COUNT-4: st.shared.b32
// CHECK: ret;
tile.func @same(%x: f16) attributes {tile_gpu.num_warps = 2 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<16x16xf16, #same>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x16xf16, #s4>
  tile_gpu.local_store %v, %b : tensor<16x16xf16, #same>, !tile_gpu.buffer<16x16xf16, #s4>
  tile.return
}

// Registers that hold an element once more.
// CHECK-LABEL: .entry twice(
// CHECK: st.shared
// CHECK: ret;
tile.func @twice(%x: f16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<16x16xf16, #twice>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x16xf16, #s4>
  tile_gpu.local_store %v, %b : tensor<16x16xf16, #twice>, !tile_gpu.buffer<16x16xf16, #s4>
  tile.return
}

// 16 bytes of a row in a thread need no help.
// CHECK-LABEL: .entry rows(
// CHECK: st.shared.v4.b32
// CHECK: ret;
tile.func @rows(%x: f16) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %v = tile.splat %x : f16 -> tensor<16x16xf16, #rows>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x16xf16, #s4>
  tile_gpu.local_store %v, %b : tensor<16x16xf16, #rows>, !tile_gpu.buffer<16x16xf16, #s4>
  tile.return
}
