// Products without an mma.sync: multiplications and additions, with the reason and
// what an author may do about it.

// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_80 --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_80 --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_90a --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: tile.func private @full_precision
// CHECK-NEXT: tile.dot %a, %a, %a precision(ieee) {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>}
// REMARK: [[@LINE+2]]:8: remark: [Missed] dot | Category:tile-gpu-select | Function=full_precision | Instruction="fma m1n1k1", Reason="mma.sync has no f32 operands at full precision", Suggestion=precision(tf32)
tile.func private @full_precision(%a: tensor<16x16xf32>) {
  %0 = tile.dot %a, %a, %a precision(ieee) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// Too small along M, N and K; the smallest instruction of the type is named.
// CHECK-LABEL: tile.func private @small
// CHECK-COUNT-3: tile.dot {{.*}} {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>}
// CHECK: tile.return
// REMARK: Function=small | Instruction="fma m1n1k1", Reason="a tile of 8x16x16 is smaller than mma.sync's m16n8k8", Suggestion="larger block sizes"
// REMARK: Function=small | Instruction="fma m1n1k1", Reason="a tile of 16x4x16 is smaller than mma.sync's m16n8k8", Suggestion="larger block sizes"
// REMARK: Function=small | Instruction="fma m1n1k1", Reason="a tile of 16x16x4 is smaller than mma.sync's m16n8k8", Suggestion="larger block sizes"
tile.func private @small(%a: tensor<8x16xf16>, %b: tensor<16x16xf16>, %c: tensor<8x16xf32>, %d: tensor<16x4xf16>, %e: tensor<16x4xf32>, %f: tensor<4x16xf16>, %g: tensor<16x16xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<8x16xf16>, tensor<16x16xf16> -> tensor<8x16xf32>
  %1 = tile.dot %b, %d, %e : tensor<16x16xf16>, tensor<16x4xf16> -> tensor<16x4xf32>
  %2 = tile.dot %d, %f, %g : tensor<16x4xf16>, tensor<4x16xf16> -> tensor<16x16xf32>
  tile.return
}

// The same for the other types.
// CHECK-LABEL: tile.func private @small_types
// CHECK-COUNT-4: tile.dot {{.*}} {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>}
// CHECK: tile.return
// REMARK: Function=small_types | {{.*}}Reason="a tile of 16x16x4 is smaller than mma.sync's m16n8k8"
// REMARK: Function=small_types | {{.*}}Reason="a tile of 16x16x2 is smaller than mma.sync's m16n8k4"
// REMARK: Function=small_types | {{.*}}Reason="a tile of 4x8x4 is smaller than mma.sync's m8n8k4"
// REMARK: Function=small_types | {{.*}}Reason="a tile of 16x16x8 is smaller than mma.sync's m16n8k16"
tile.func private @small_types(%a: tensor<16x4xbf16>, %b: tensor<4x16xbf16>, %c: tensor<16x16xf32>, %d: tensor<16x2xf32>, %e: tensor<2x16xf32>, %f: tensor<4x4xf64>, %g: tensor<4x8xf64>, %h: tensor<16x8xi8>, %i: tensor<8x16xi8>, %j: tensor<16x16xi32>) {
  %0 = tile.dot %a, %b, %c : tensor<16x4xbf16>, tensor<4x16xbf16> -> tensor<16x16xf32>
  %1 = tile.dot %d, %e, %c : tensor<16x2xf32>, tensor<2x16xf32> -> tensor<16x16xf32>
  %2 = tile.dot %f, %g, %g : tensor<4x4xf64>, tensor<4x8xf64> -> tensor<4x8xf64>
  %3 = tile.dot %h, %i, %j : tensor<16x8xi8>, tensor<8x16xi8> -> tensor<16x16xi32>
  tile.return
}

// 8-bit floats that not even an instruction of f16 takes are not converted.
// CHECK-LABEL: tile.func private @small_float8
// CHECK-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<16x4xf8E4M3FN>, tensor<4x8xf8E4M3FN> -> tensor<16x8xf32>
// REMARK: Function=small_float8 | {{.*}}Reason="a tile of 16x8x4 is smaller than mma.sync's m16n8k8", Suggestion="larger block sizes"
tile.func private @small_float8(%a: tensor<16x4xf8E4M3FN>, %b: tensor<4x8xf8E4M3FN>, %c: tensor<16x8xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<16x4xf8E4M3FN>, tensor<4x8xf8E4M3FN> -> tensor<16x8xf32>
  tile.return
}
