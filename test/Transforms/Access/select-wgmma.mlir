// wgmma, where the target has it, for 16-bit operands with sums in f32, tiles of 64
// rows and warps in groups of four (PTX ISA, "wgmma.mma_async"); elsewhere mma.sync,
// with a reason where the source could change that.

// RUN: tile-opt %s --tile-gpu-select | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: tile-opt %s --tile-gpu-select=num-warps=8 | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: tile-opt %s --tile-gpu-select=num-warps=2 | FileCheck %s --check-prefix=TWO
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_100a --tile-gpu-select | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s --tile-gpu-select=num-warps=2 --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-gpu-select=num-warps=8 --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_100a --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=Missed

// Eight warps are two groups: one below the other where there are 128 rows, side by
// side where there are 64, each with half of the columns.
// CHECK-LABEL: tile.func private @half
// FOUR: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 64, 16>}
// EIGHT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 32, 16>}
// CHECK: tile.dot %d, %b, %e {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 64, 16>}
// TWO-COUNT-2: #tile_gpu.instruction<mma_sync, 16, 8, 16>
// OTHER-COUNT-2: #tile_gpu.instruction<mma_sync, 16, 8, 16>
// REMARK: Function=half | Instruction="mma_sync m16n8k16", Reason="wgmma needs warps in groups of 4, not 2", Suggestion="4 warps or more"
tile.func private @half(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %d: tensor<128x32xf16>, %e: tensor<128x64xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %1 = tile.dot %d, %b, %e : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  tile.return
}

// One instruction has 256 columns at most.
// CHECK-LABEL: tile.func private @bfloat
// CHECK: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 256, 16>}
tile.func private @bfloat(%a: tensor<128x16xbf16>, %b: tensor<16x512xbf16>, %c: tensor<128x512xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<128x16xbf16>, tensor<16x512xbf16> -> tensor<128x512xf32>
  tile.return
}

// Unchanged: sums in f16, batches, 32 rows, 8 of K, 8 of N, 8-bit integers.
// A target without wgmma has nothing to say of it.
// CHECK-LABEL: tile.func private @others
// CHECK-COUNT-3: #tile_gpu.instruction<mma_sync, 16, 8, 16>
// CHECK: #tile_gpu.instruction<mma_sync, 16, 8, 8>
// CHECK: #tile_gpu.instruction<mma_sync, 16, 8, 16>
// CHECK: #tile_gpu.instruction<mma_sync, 16, 8, 32>
// WHY: Function=others | Instruction="mma_sync m16n8k16", Reason="wgmma is used with accumulators of f32", Suggestion="accumulators of f32"{{$}}
// WHY: Function=others | Instruction="mma_sync m16n8k16", Reason="wgmma takes no batches", Suggestion="a program for each product"{{$}}
// WHY: Function=others | Instruction="mma_sync m16n8k16", Reason="a tile of 32x64 does not consist of wgmma's m64n8", Suggestion="blocks that are multiples of 64 along M"{{$}}
// WHY: Function=others | Instruction="mma_sync m16n8k8", Reason="a tile of 8 along K is less than wgmma's 16", Suggestion="blocks of 16 or more along K"{{$}}
// WHY: Function=others | Instruction="mma_sync m16n8k16", Reason="a tile of 8 along N is less than wgmma's 16", Suggestion="blocks of 16 or more along N"{{$}}
// WHY: Function=others | Instruction="mma_sync m16n8k32", Reason="wgmma is used for operands of f16 and bf16"{{$}}
// NONE-COUNT-9: [Passed] dot
tile.func private @others(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf16>, %d: tensor<2x64x32xf16>, %e: tensor<2x32x64xf16>, %f: tensor<2x64x64xf32>, %g: tensor<32x32xf16>, %h: tensor<32x64xf32>, %i: tensor<64x8xf16>, %j: tensor<8x64xf16>, %k: tensor<64x64xf32>, %l: tensor<32x8xf16>, %m: tensor<64x8xf32>, %n: tensor<64x32xi8>, %o: tensor<32x64xi8>, %p: tensor<64x64xi32>) {
  %0 = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  %1 = tile.dot %d, %e, %f : tensor<2x64x32xf16>, tensor<2x32x64xf16> -> tensor<2x64x64xf32>
  %2 = tile.dot %g, %b, %h : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
  %3 = tile.dot %i, %j, %k : tensor<64x8xf16>, tensor<8x64xf16> -> tensor<64x64xf32>
  %4 = tile.dot %a, %l, %m : tensor<64x32xf16>, tensor<32x8xf16> -> tensor<64x8xf32>
  %5 = tile.dot %n, %o, %p : tensor<64x32xi8>, tensor<32x64xi8> -> tensor<64x64xi32>
  tile.return
}
