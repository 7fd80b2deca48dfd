// Products: descriptors, the text of the instruction, and waits.

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --tile-nvvm-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

#acc64 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#acc256 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#tall = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#broad = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 64]]>
#parts = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sa128 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
#sat = #tile_gpu.shared<[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8]]>
#sak = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
#sb128 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [0, 64]]>
#sb256 = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [0, 64], [0, 128]]>
#sbk = #tile_gpu.shared<[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]>

// A: rows of 32 bytes along k: swizzle 3, 8 rows in 256 bytes: 3 << 62 | 16 << 32 |
// 1 << 16. B: rows of 128 bytes along n: 1 << 62 | 64 << 32, a panel of 16 of them
// in 2048 bytes: | 128 << 16, and a transposed operand.
// CHECK-LABEL: llvm.func @one
// CHECK: %[[S:.*]] = llvm.mlir.addressof @__tessera_shared
// CHECK-NEXT: %[[PIN:.*]] = llvm.inline_asm has_side_effects "mov.b64 $0, $1;", "=l,l" %[[S]] : (!llvm.ptr<3>) -> !llvm.ptr<3>
// CHECK-NEXT: %[[PA:.*]] = llvm.getelementptr %[[PIN]][0]
// CHECK: %[[PB:.*]] = llvm.getelementptr %{{.*}}[2048]
// CHECK: %[[AA:.*]] = llvm.ptrtoint %[[PA]] : !llvm.ptr<3> to i32
// CHECK-NEXT: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
// CHECK-NEXT: %[[SIXTEENTHS:.*]] = llvm.lshr %[[AA]], %[[FOUR]] : i32
// CHECK-NEXT: %[[MASK:.*]] = llvm.mlir.constant(16383 : i32)
// CHECK-NEXT: %[[FIELD:.*]] = llvm.and %[[SIXTEENTHS]], %[[MASK]] : i32
// CHECK-NEXT: %[[WIDE:.*]] = llvm.zext %[[FIELD]] : i32 to i64
// CHECK-NEXT: %[[DA:.*]] = llvm.mlir.constant(-4611685949707845632 : i64)
// CHECK-NEXT: %[[A:.*]] = llvm.or %[[WIDE]], %[[DA]] : i64
// CHECK: llvm.ptrtoint %[[PB]]
// CHECK: %[[DB:.*]] = llvm.mlir.constant(4611686293313683456 : i64)
// CHECK-NEXT: %[[B:.*]] = llvm.or %{{.*}}, %[[DB]] : i64
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, p, 1, 1, 0, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31" %[[A]], %[[B]], 
// CHECK-NOT: wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// A wait that leaves products under way touches no register; the last one takes and
// returns all 32.
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
// CHECK-NOT: wgmma
// CHECK: llvm.return
// PTX-LABEL: .entry one(
// PTX: wgmma.fence.sync.aligned;
// PTX: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%[[R:r[0-9]+]], {{.*}}}, %{{rd[0-9]+}}, %{{rd[0-9]+}}, p, 1, 1, 0, 1;
// PTX: wgmma.commit_group.sync.aligned;
// PTX-NOT: mov.b32
// PTX: wgmma.wait_group.sync.aligned 1;
// PTX-NOT: mov.b32
// PTX: wgmma.wait_group.sync.aligned 0;
tile.func @one(%x: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %acc = tile.splat %x : f32 -> tensor<64x64xf32, #acc64>
  %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sa>
  %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x64xf16, #sb>
  %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<64x16xf16, #sa>, !tile_gpu.buffer<16x64xf16, #sb> -> tensor<64x64xf32, #acc64>
  %e = tile_gpu.wgmma_wait %d pending = 1 : tensor<64x64xf32, #acc64>
  %f = tile_gpu.wgmma_wait %e pending = 0 : tensor<64x64xf32, #acc64>
  tile.return
}

// Both along k, four steps of 32 bytes: the descriptors advance by 2. Each product
// adds to what the one before it wrote.
// CHECK-LABEL: llvm.func @steps
// CHECK: %[[DA:.*]] = llvm.mlir.constant(4611686293305360384 : i64)
// CHECK: %[[A:.*]] = llvm.or %{{.*}}, %[[DA]] : i64
// CHECK: %[[DB:.*]] = llvm.mlir.constant(4611686293305360384 : i64)
// CHECK-NEXT: %[[B:.*]] = llvm.or %{{.*}}, %[[DB]] : i64
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 0; }", "{{.*}}" %[[A]], %[[B]], 
// CHECK: %[[STEP:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-NEXT: %[[A1:.*]] = llvm.add %[[A]], %[[STEP]] : i64
// CHECK-NEXT: %[[STEP:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-NEXT: %[[B1:.*]] = llvm.add %[[B]], %[[STEP]] : i64
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 0; }", "{{.*}}" %[[A1]], %[[B1]], 
// CHECK: %[[STEP:.*]] = llvm.mlir.constant(4 : i64)
// CHECK-NEXT: %[[A2:.*]] = llvm.add %[[A]], %[[STEP]] : i64
// CHECK-NEXT: %[[STEP:.*]] = llvm.mlir.constant(4 : i64)
// CHECK-NEXT: %[[B2:.*]] = llvm.add %[[B]], %[[STEP]] : i64
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 0; }", "{{.*}}" %[[A2]], %[[B2]], 
// CHECK: %[[STEP:.*]] = llvm.mlir.constant(6 : i64)
// CHECK-NEXT: %[[A3:.*]] = llvm.add %[[A]], %[[STEP]] : i64
// CHECK-NEXT: %[[STEP:.*]] = llvm.mlir.constant(6 : i64)
// CHECK-NEXT: %[[B3:.*]] = llvm.add %[[B]], %[[STEP]] : i64
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 0; }", "{{.*}}" %[[A3]], %[[B3]], 
// CHECK-NOT: mma_async
// CHECK: nvvm.wgmma.commit.group
// PTX-LABEL: .entry steps(
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, p, 1, 1, 0, 0;
// PTX-NOT: mma_async
// PTX: wgmma.commit_group.sync.aligned;
tile.func @steps(%x: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %acc = tile.splat %x : f32 -> tensor<64x64xf32, #acc64>
  %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x64xf16, #sak>
  %b = tile_gpu.alloc offset = 8192 : !tile_gpu.buffer<64x64xf16, #sbk>
  %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<64x64xf16, #sak>, !tile_gpu.buffer<64x64xf16, #sbk> -> tensor<64x64xf32, #acc64>
  %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<64x64xf32, #acc64>
  tile.return
}

// The widest one, of bf16, both transposed: 128 accumulators.
// CHECK-LABEL: llvm.func @widest
// CHECK: %[[DA:.*]] = llvm.mlir.constant(4611686293313683456 : i64)
// CHECK: %[[A:.*]] = llvm.or %{{.*}}, %[[DA]] : i64
// CHECK: %[[DB:.*]] = llvm.mlir.constant(4611686293313683456 : i64)
// CHECK-NEXT: %[[B:.*]] = llvm.or %{{.*}}, %[[DB]] : i64
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
// CHECK: m64n256k16.f32.bf16.bf16 {$0, {{.*}}, $127}, $128, $129, p, 1, 1, 1, 1; }", "{{.*}}" %[[A]], %[[B]], 
// CHECK-NOT: mma_async
// CHECK: llvm.return
// PTX-LABEL: .entry widest(
// PTX: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {{.*}}, p, 1, 1, 1, 1;
tile.func @widest(%x: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %acc = tile.splat %x : f32 -> tensor<64x256xf32, #acc256>
  %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xbf16, #sat>
  %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x256xbf16, #sb256>
  %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<64x16xbf16, #sat>, !tile_gpu.buffer<16x256xbf16, #sb256> -> tensor<64x256xf32, #acc256>
  %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<64x256xf32, #acc256>
  tile.return
}

// Two groups along M: the second one's 64 rows of A begin after 64 x 32 bytes.
// CHECK-LABEL: llvm.func @groups_m
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[WARP:.*]] = llvm.lshr %[[T]], %{{.*}} : i32
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-NEXT: %[[GROUP:.*]] = llvm.lshr %[[WARP]], %[[TWO]] : i32
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint
// CHECK: %[[BIT:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT: %[[AND:.*]] = llvm.and %[[GROUP]], %[[BIT]] : i32
// CHECK: %[[SET:.*]] = llvm.icmp "ne" %[[AND]], %{{.*}} : i32
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(2048 : i32)
// CHECK: %[[OFFSET:.*]] = llvm.select %[[SET]], %[[BYTES]], %{{.*}} : i1, i32
// CHECK-NEXT: llvm.add %[[ADDRESS]], %[[OFFSET]] : i32
// CHECK: llvm.mlir.constant(-4611685949707845632 : i64)
// CHECK-NEXT: %[[A:.*]] = llvm.or
// CHECK-NOT: llvm.select
// CHECK: llvm.mlir.constant(4611686293313683456 : i64)
// CHECK-NEXT: %[[B:.*]] = llvm.or
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 1; }", "{{.*}}" %[[A]], %[[B]], 
// CHECK-NOT: mma_async
// CHECK: llvm.return
tile.func @groups_m(%x: f32) attributes {tile_gpu.num_warps = 8 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %acc = tile.splat %x : f32 -> tensor<128x64xf32, #tall>
  %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<128x16xf16, #sa128>
  %b = tile_gpu.alloc offset = 4096 : !tile_gpu.buffer<16x64xf16, #sb>
  %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<128x16xf16, #sa128>, !tile_gpu.buffer<16x64xf16, #sb> -> tensor<128x64xf32, #tall>
  %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<128x64xf32, #tall>
  tile.return
}

// Two groups along N: the second one's 64 columns of B are the second panel, after
// 16 x 128 bytes.
// CHECK-LABEL: llvm.func @groups_n
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[WARP:.*]] = llvm.lshr %[[T]], %{{.*}} : i32
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-NEXT: %[[GROUP:.*]] = llvm.lshr %[[WARP]], %[[TWO]] : i32
// CHECK-NOT: llvm.select
// CHECK: llvm.mlir.constant(-4611685949707845632 : i64)
// CHECK-NEXT: %[[A:.*]] = llvm.or
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint
// CHECK: %[[BIT:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT: %[[AND:.*]] = llvm.and %[[GROUP]], %[[BIT]] : i32
// CHECK: %[[SET:.*]] = llvm.icmp "ne" %[[AND]], %{{.*}} : i32
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(2048 : i32)
// CHECK: %[[OFFSET:.*]] = llvm.select %[[SET]], %[[BYTES]], %{{.*}} : i1, i32
// CHECK-NEXT: llvm.add %[[ADDRESS]], %[[OFFSET]] : i32
// CHECK: llvm.mlir.constant(4611686293313683456 : i64)
// CHECK-NEXT: %[[B:.*]] = llvm.or
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 1; }", "{{.*}}" %[[A]], %[[B]], 
// CHECK-NOT: mma_async
// CHECK: llvm.return
tile.func @groups_n(%x: f32) attributes {tile_gpu.num_warps = 8 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %acc = tile.splat %x : f32 -> tensor<64x128xf32, #broad>
  %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sa>
  %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x128xf16, #sb128>
  %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<64x16xf16, #sa>, !tile_gpu.buffer<16x128xf16, #sb128> -> tensor<64x128xf32, #broad>
  %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<64x128xf32, #broad>
  tile.return
}

// One group, two instructions: registers 0 to 31, then 32 to 63 with the rows of A
// that begin after 2048 bytes.
// CHECK-LABEL: llvm.func @parts
// CHECK: %[[DA:.*]] = llvm.mlir.constant(-4611685949707845632 : i64)
// CHECK: %[[A:.*]] = llvm.or %{{.*}}, %[[DA]] : i64
// CHECK: %[[DB:.*]] = llvm.mlir.constant(4611686293313683456 : i64)
// CHECK-NEXT: %[[B:.*]] = llvm.or %{{.*}}, %[[DB]] : i64
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 1; }", "{{.*}}" %[[A]], %[[B]], 
// CHECK: %[[ROWS:.*]] = llvm.mlir.constant(128 : i64)
// CHECK-NEXT: %[[A1:.*]] = llvm.add %[[A]], %[[ROWS]] : i64
// CHECK: m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 1; }", "{{.*}}" %[[A1]], %[[B]], 
// CHECK-NOT: mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: "wgmma.wait_group.sync.aligned 0;", "{{.*}},62,63"
tile.func @parts(%x: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 65536 : i32} {
  %acc = tile.splat %x : f32 -> tensor<128x64xf32, #parts>
  %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<128x16xf16, #sa128>
  %b = tile_gpu.alloc offset = 4096 : !tile_gpu.buffer<16x64xf16, #sb>
  %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<128x16xf16, #sa128>, !tile_gpu.buffer<16x64xf16, #sb> -> tensor<128x64xf32, #parts>
  %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<128x64xf32, #parts>
  tile.return
}
