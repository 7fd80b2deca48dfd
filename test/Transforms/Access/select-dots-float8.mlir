// Products of 8-bit floats without an instruction of theirs: on sm_80 and sm_86, and of
// tiles that are smaller than 16 x 8 x 32. f16 contains both types; operands are
// converted, and its instruction multiplies them.

// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_80 --tile-gpu-select | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_86 --tile-gpu-select | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_89 --tile-gpu-select | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_90a --tile-gpu-select | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_80 --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: tile.func private @mixed
// OLD-NEXT: %[[A:.*]] = tile.convert %a : tensor<16x32xf8E4M3FN> -> tensor<16x32xf16>
// OLD-NEXT: %[[B:.*]] = tile.convert %b : tensor<32x8xf8E5M2> -> tensor<32x8xf16>
// OLD-NEXT: tile.dot %[[A]], %[[B]], %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x32xf16>, tensor<32x8xf16> -> tensor<16x8xf32>
// NEW-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>} : tensor<16x32xf8E4M3FN>, tensor<32x8xf8E5M2> -> tensor<16x8xf32>
// CHECK-NEXT: tile.return
// REMARK: [Passed] dot | {{.*}} Function=mixed | Instruction="mma_sync m16n8k16 of operands converted to f16"{{$}}
tile.func private @mixed(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x8xf8E5M2>, %c: tensor<16x8xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<16x32xf8E4M3FN>, tensor<32x8xf8E5M2> -> tensor<16x8xf32>
  tile.return
}

// K = 16 is too short everywhere, and K = 8 leaves the smaller one of f16.
// CHECK-LABEL: tile.func private @short
// CHECK-COUNT-2: tile.convert {{.*}} -> tensor<{{16x16|16x8}}xf16>
// CHECK: tile.dot {{.*}} {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>}
// CHECK-COUNT-2: tile.convert {{.*}} -> tensor<{{16x8|8x8}}xf16>
// CHECK: tile.dot {{.*}} {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>}
tile.func private @short(%a: tensor<16x16xf8E4M3FN>, %b: tensor<16x8xf8E4M3FN>, %c: tensor<16x8xf32>, %d: tensor<16x8xf8E5M2>, %e: tensor<8x8xf8E5M2>) {
  %0 = tile.dot %a, %b, %c : tensor<16x16xf8E4M3FN>, tensor<16x8xf8E4M3FN> -> tensor<16x8xf32>
  %1 = tile.dot %d, %e, %c : tensor<16x8xf8E5M2>, tensor<8x8xf8E5M2> -> tensor<16x8xf32>
  tile.return
}

// Products of f16 are as they were.
// CHECK-LABEL: tile.func private @half
// CHECK-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>}
tile.func private @half(%a: tensor<16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
  tile.return
}
