// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

// Hints, volatile loads, scalars and copies.

// PTX has a cache operator or an eviction priority; the cache operator wins. A
// volatile access has neither.
// CHECK-LABEL: llvm.func @hints
// CHECK: "ld.global.ca.b32 $0, [$1];", "=r,l"
// CHECK: "ld.global.cg.b32 $0, [$1];", "=r,l"
// CHECK: "ld.global.cs.b32 $0, [$1];", "=r,l"
// CHECK: "ld.global.cv.b32 $0, [$1];", "=r,l"
// CHECK: "ld.global.L1::evict_first.b32 $0, [$1];", "=r,l"
// CHECK: "@$1 ld.global.L1::evict_last.b32 $0, [$2];", "=r,b,l,0"
// CHECK: "ld.global.cg.b32 $0, [$1];", "=r,l"
// CHECK: llvm.load volatile %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xf32>
// CHECK: "@$1 ld.volatile.global.b32 $0, [$2];", "=r,b,l,0"
// CHECK: "ld.volatile.global.b32 $0, [$1];", "=r,l"
tile.func @hints(%p: !tile.ptr<f32>, %m: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.load %p cache(ca) : !tile.ptr<f32>
  %1 = tile.load %p cache(cg) : !tile.ptr<f32>
  %2 = tile.load %p cache(cs) : !tile.ptr<f32>
  %3 = tile.load %p cache(cv) : !tile.ptr<f32>
  %4 = tile.load %p evict(evict_first) : !tile.ptr<f32>
  %5 = tile.load %p, %m evict(evict_last) : !tile.ptr<f32>
  %6 = tile.load %p cache(cg) evict(evict_last) : !tile.ptr<f32>
  %7 = tile.load %p volatile : !tile.ptr<f32>
  %8 = tile.load %p, %m cache(cg) volatile : !tile.ptr<f32>
  %9 = tile.load %p evict(evict_last) volatile : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: llvm.func @store_hints
// CHECK: "st.global.wb.b32 [$0], $1;", "l,r"
// CHECK: "st.global.cg.b32 [$0], $1;", "l,r"
// CHECK: "st.global.cs.b32 [$0], $1;", "l,r"
// CHECK: "st.global.wt.b32 [$0], $1;", "l,r"
// CHECK: "st.global.L1::evict_first.b32 [$0], $1;", "l,r"
// CHECK: "@$0 st.global.L1::evict_last.b32 [$1], $2;", "b,l,r"
#one = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func @store_hints(%p: !tile.ptr<f32>, %x: f32, %m: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
  %xs = tile.splat %x : f32 -> tensor<32xf32, #one>
  %ms = tile.splat %m : i1 -> tensor<32xi1, #one>
  tile.store %ps, %xs cache(wb) : tensor<32x!tile.ptr<f32>, #one>
  tile.store %ps, %xs cache(cg) : tensor<32x!tile.ptr<f32>, #one>
  tile.store %ps, %xs cache(cs) : tensor<32x!tile.ptr<f32>, #one>
  tile.store %ps, %xs cache(wt) : tensor<32x!tile.ptr<f32>, #one>
  tile.store %ps, %xs evict(evict_first) : tensor<32x!tile.ptr<f32>, #one>
  tile.store %ps, %xs, %ms evict(evict_last) : tensor<32x!tile.ptr<f32>, #one>
  tile.return
}

// A scalar is read by all threads, and written by thread 0 where the mask holds.
// CHECK-LABEL: llvm.func @scalars
// CHECK-SAME: %{{.*}}: !llvm.ptr<1> {{.*}}, %[[M:.*]]: i1 {
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> vector<1xi8>
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[TID]]
// CHECK: %[[G:.*]] = llvm.and %{{.*}}, %[[FIRST]] : i1
// CHECK: llvm.inline_asm has_side_effects "@$0 st.global.b8 [$1], $2;", "b,l,h" %[[G]]
tile.func @scalars(%p: !tile.ptr<i1>, %m: i1) attributes {tile_gpu.num_warps = 4 : i32} {
  %a = tile.load %p : !tile.ptr<i1>
  tile.store %p, %a, %m : !tile.ptr<i1>
  tile.return
}

// CHECK-LABEL: llvm.func @scalar_pointer
// CHECK: %[[A:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<1xi64>
// CHECK: %[[E:.*]] = llvm.extractelement %[[A]]
// CHECK: %[[Q:.*]] = llvm.inttoptr %[[E]] : i64 to !llvm.ptr<1>
// CHECK: llvm.ptrtoint %[[Q]] : !llvm.ptr<1> to i64
// CHECK: "@$0 st.global.b64 [$1], $2;", "b,l,l"
tile.func @scalar_pointer(%p: !tile.ptr<!tile.ptr<f32>>) attributes {tile_gpu.num_warps = 4 : i32} {
  %a = tile.load %p : !tile.ptr<!tile.ptr<f32>>
  tile.store %p, %a : !tile.ptr<!tile.ptr<f32>>
  tile.return
}

// Copies: lane bit 4 and warp bit 0 select nothing, thread bits 16 + 32 = 48. Only
// the threads with none of them set store; register copies are left out.
// CHECK-LABEL: llvm.func @copies
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(48 : i32)
// CHECK-NEXT: %[[BITS:.*]] = llvm.and %[[TID]], %[[MASK]]
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[BITS]]
// CHECK: llvm.inline_asm has_side_effects "@$0 st.global.b16 [$1], $2;", "b,l,h" %[[FIRST]]
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
#copies = #tile_gpu.layout<register = [[0]], lane = [[1], [2], [4], [8], [0]], warp = [[0]]>
tile.func @copies(%p: !tile.ptr<f16>, %x: f16) attributes {tile_gpu.num_warps = 2 : i32} {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<16x!tile.ptr<f16>, #copies>
  %xs = tile.splat %x : f16 -> tensor<16xf16, #copies>
  tile.store %ps, %xs : tensor<16x!tile.ptr<f16>, #copies>
  tile.return
}
