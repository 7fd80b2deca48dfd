// wgmma, where the target has it, for 16-bit operands with sums in f32, tiles of 64
// rows and warps in groups of four (PTX ISA, "wgmma.mma_async"); elsewhere mma.sync,
// with a reason where the source could change that.

// RUN: tile-opt %s --tile-gpu-select | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: tile-opt %s --tile-gpu-select=num-warps=8 | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: tile-opt %s --tile-gpu-select=num-warps=2 | FileCheck %s --check-prefix=TWO
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_100a --tile-gpu-select | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s --tile-gpu-select=num-warps=2 --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Eight warps are two groups: one below the other where there are 128 rows, side by
// side where there are 64, each with half of the columns.
// CHECK-LABEL: tile.func private @half
// FOUR: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 64, 16>}
// EIGHT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 32, 16>}
// CHECK: tile.dot %d, %b, %e {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 64, 16>}
// TWO-COUNT-2: #tile_gpu.instruction<mma_sync, 16, 8, 16>
// OTHER-COUNT-2: #tile_gpu.instruction<mma_sync, 16, 8, 16>
// REMARK: Function=half | Instruction="mma_sync m16n8k16", Reason="wgmma needs warps in groups of 4, not 2", Suggestion="blocks that are multiples of 64 along M, and 4 warps or more"
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

// Unchanged: sums in f16, batches, 32 rows, 8 of K.
// CHECK-LABEL: tile.func private @others
// CHECK-COUNT-3: #tile_gpu.instruction<mma_sync, 16, 8, 16>
// CHECK: #tile_gpu.instruction<mma_sync, 16, 8, 8>
tile.func private @others(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf16>, %d: tensor<2x64x32xf16>, %e: tensor<2x32x64xf16>, %f: tensor<2x64x64xf32>, %g: tensor<32x32xf16>, %h: tensor<32x64xf32>, %i: tensor<64x8xf16>, %j: tensor<8x64xf16>, %k: tensor<64x64xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  %1 = tile.dot %d, %e, %f : tensor<2x64x32xf16>, tensor<2x32x64xf16> -> tensor<2x64x64xf32>
  %2 = tile.dot %g, %b, %h : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
  %3 = tile.dot %i, %j, %k : tensor<64x8xf16>, tensor<8x64xf16> -> tensor<64x64xf32>
  tile.return
}
