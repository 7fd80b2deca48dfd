// Products whose A is in registers: fragments of mma.sync, four words for each 16 of
// k, in place of a descriptor, and no qualifier of how its rows run.

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --tile-nvvm-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

#acc16 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#acc32 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#tall16 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#tall32 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sq = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sk = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]]>
#sv = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>

// What a product leaves, rounded, is an operand of the next one as it is: 64 x 32 of
// f16 are 16 in a thread, 8 words. They go through the fence, so that nothing writes
// them behind it; the product of zeros sets none of its registers to zero, and asks
// for no old value.
// CHECK-LABEL: llvm.func @chain
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0, {{.*}} $15}, $16, $17, p, 1, 1, 0, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l" %
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// CHECK: arith.truncf
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7"
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, p, 1, 1, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l"
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, p, 1, 1, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7"
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// CHECK-NOT: wgmma.mma_async
// CHECK: llvm.return

// Rows 0 to 7 and 8 to 15 of columns 2t and 2t + 1, then of 2t + 8: accumulators 0 and
// 1, 2 and 3, 4 and 5, 6 and 7; the next step's are the next eight.
// PTX-LABEL: .entry chain(
// PTX: wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%[[S0:r[0-9]+]], %[[S1:r[0-9]+]], %[[S2:r[0-9]+]], %[[S3:r[0-9]+]], %[[S4:r[0-9]+]], %[[S5:r[0-9]+]], %[[S6:r[0-9]+]], %[[S7:r[0-9]+]], %[[S8:r[0-9]+]], %[[S9:r[0-9]+]],
// PTX: wgmma.wait_group.sync.aligned 0;
// PTX-DAG: cvt.rn.f16x2.f32 %[[A0:r[0-9]+]], %[[S1]], %[[S0]];
// PTX-DAG: cvt.rn.f16x2.f32 %[[A1:r[0-9]+]], %[[S3]], %[[S2]];
// PTX-DAG: cvt.rn.f16x2.f32 %[[A2:r[0-9]+]], %[[S5]], %[[S4]];
// PTX-DAG: cvt.rn.f16x2.f32 %[[A3:r[0-9]+]], %[[S7]], %[[S6]];
// PTX-DAG: cvt.rn.f16x2.f32 %[[A4:r[0-9]+]], %[[S9]], %[[S8]];
// PTX: wgmma.fence.sync.aligned;
// PTX-NOT: cvt
// PTX-NOT: mov
// PTX: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{{.*}}}, {%[[A0]], %[[A1]], %[[A2]], %[[A3]]}, %[[V:rd[0-9]+]], p, 1, 1, 1;
// PTX: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{{.*}}}, {%[[A4]], %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}}, %{{rd[0-9]+}}, p, 1, 1, 1;
// PTX: wgmma.commit_group.sync.aligned;
// PTX: wgmma.wait_group.sync.aligned 0;
tile.func @chain(%x: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %zero_s = arith.constant dense<0.0> : tensor<64x32xf32, #acc32>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32, #acc16>
  %q = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sq>
  %k = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x32xf16, #sk>
  %v = tile_gpu.alloc offset = 4096 : !tile_gpu.buffer<32x16xf16, #sv>
  %d = tile_gpu.wgmma %q, %k, %zero_s : !tile_gpu.buffer<64x16xf16, #sq>, !tile_gpu.buffer<16x32xf16, #sk> -> tensor<64x32xf32, #acc32>
  %s = tile_gpu.wgmma_wait %d pending = 0 : tensor<64x32xf32, #acc32>
  %p = tile.convert %s : tensor<64x32xf32, #acc32> -> tensor<64x32xf16, #acc32>
  %e = tile_gpu.wgmma %p, %v, %zero : tensor<64x32xf16, #acc32>, !tile_gpu.buffer<32x16xf16, #sv> -> tensor<64x16xf32, #acc16>
  %o = tile_gpu.wgmma_wait %e pending = 0 : tensor<64x16xf32, #acc16>
  %px = tile.splat %x : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>, #acc16>
  tile.store %px, %o : tensor<64x16x!tile.ptr<f32>, #acc16>
  tile.return
}

// Two parts of 64 rows: the second part's words are those behind the first part's two
// fragments. Accumulators that something else computes go through the fence as well.
// CHECK-LABEL: llvm.func @parts
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=r,{{(=r,)+=f,(=f,)+}}0,1,
// CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, p, 1, 1, 1;
// CHECK: %[[C:.*]] = llvm.mlir.constant(8 : i32)
// CHECK-NEXT: %[[W:.*]] = llvm.extractelement %{{.*}}[%[[C]] : i32] : vector<16xi32>
// CHECK: "{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}} %[[W]],
// CHECK: wgmma.mma_async
// CHECK-NOT: wgmma.mma_async
// CHECK: llvm.return
tile.func @parts(%x: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %acc = tile.splat %x : f32 -> tensor<128x16xf32, #tall16>
  %y = tile.splat %x : f32 -> tensor<128x32xf32, #tall32>
  %a = tile.convert %y : tensor<128x32xf32, #tall32> -> tensor<128x32xbf16, #tall32>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<32x16xbf16, #sv>
  %d = tile_gpu.wgmma %a, %b, %acc : tensor<128x32xbf16, #tall32>, !tile_gpu.buffer<32x16xbf16, #sv> -> tensor<128x16xf32, #tall16>
  %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<128x16xf32, #tall16>
  tile.print "e", %e : tensor<128x16xf32, #tall16>
  tile.return
}

// What a loop carries from product to product does not go through the fence.
// CHECK-LABEL: llvm.func @carried
// CHECK: scf.for
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=r,=r,=r,=r,0,1,2,3"
// CHECK: "{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async
tile.func @carried(%x: f16, %n: i32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32, #acc32>
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x32xf16, #sk>
  %a = tile.splat %x : f16 -> tensor<64x16xf16, #acc16>
  %sum = scf.for %i = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x32xf32, #acc32>) : i32 {
    %d = tile_gpu.wgmma %a, %b, %acc : tensor<64x16xf16, #acc16>, !tile_gpu.buffer<16x32xf16, #sk> -> tensor<64x32xf32, #acc32>
    %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<64x32xf32, #acc32>
    scf.yield %e : tensor<64x32xf32, #acc32>
  }
  tile.print "sum", %sum : tensor<64x32xf32, #acc32>
  tile.return
}
