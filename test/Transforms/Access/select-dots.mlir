// The instruction of each product: the largest mma.sync of its type that is not
// larger than the tile (PTX ISA, "mma", table of shapes and types).

// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_89 --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_100a --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_120a --tile-gpu-select | FileCheck %s
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_89 --tile-gpu-select --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-gpu-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// f16 and bf16: 16 x 8 x 16, and 16 x 8 x 8 where the tile has only 8 of K.
// CHECK-LABEL: tile.func private @half
// CHECK-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<64x32xf16>
// CHECK-NEXT: tile.dot %a, %b, %d {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<64x32xf16>
// CHECK-NEXT: tile.dot %e, %f, %g {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>} : tensor<16x8xf16>
// REMARK: [[@LINE+4]]:8: remark: [Passed] dot | Category:tile-gpu-select | Function=half | Instruction="mma_sync m16n8k16"{{$}}
// REMARK: [Passed] dot {{.*}} Function=half | Instruction="mma_sync m16n8k16"{{$}}
// REMARK: [Passed] dot {{.*}} Function=half | Instruction="mma_sync m16n8k8"{{$}}
tile.func private @half(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %d: tensor<64x64xf16>, %e: tensor<16x8xf16>, %f: tensor<8x8xf16>, %g: tensor<16x8xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %1 = tile.dot %a, %b, %d : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  %2 = tile.dot %e, %f, %g : tensor<16x8xf16>, tensor<8x8xf16> -> tensor<16x8xf32>
  tile.return
}
// CHECK-LABEL: tile.func private @bfloat
// CHECK-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>}
// CHECK-NEXT: tile.dot %d, %e, %f {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>}
tile.func private @bfloat(%a: tensor<16x16xbf16>, %b: tensor<16x8xbf16>, %c: tensor<16x8xf32>, %d: tensor<32x8xbf16>, %e: tensor<8x16xbf16>, %f: tensor<32x16xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<16x16xbf16>, tensor<16x8xbf16> -> tensor<16x8xf32>
  %1 = tile.dot %d, %e, %f : tensor<32x8xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  tile.return
}

// f32, as tf32: 16 x 8 x 8 or 16 x 8 x 4.
// CHECK-LABEL: tile.func private @single
// CHECK-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>}
// CHECK-NEXT: tile.dot %d, %e, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 4>}
// REMARK: Function=single | Instruction="mma_sync m16n8k8"{{$}}
// REMARK: Function=single | Instruction="mma_sync m16n8k4"{{$}}
tile.func private @single(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>, %d: tensor<16x4xf32>, %e: tensor<4x16xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<16x32xf32>, tensor<32x16xf32> -> tensor<16x16xf32>
  %1 = tile.dot %d, %e, %c : tensor<16x4xf32>, tensor<4x16xf32> -> tensor<16x16xf32>
  tile.return
}

// f64: 8 x 8 x 4, also where the tile is just that.
// CHECK-LABEL: tile.func private @double
// CHECK-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 8, 8, 4>}
// CHECK-NEXT: tile.dot %d, %e, %f {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 8, 8, 4>}
// REMARK: Function=double | Instruction="mma_sync m8n8k4"{{$}}
tile.func private @double(%a: tensor<32x16xf64>, %b: tensor<16x32xf64>, %c: tensor<32x32xf64>, %d: tensor<8x4xf64>, %e: tensor<4x8xf64>, %f: tensor<8x8xf64>) {
  %0 = tile.dot %a, %b, %c : tensor<32x16xf64>, tensor<16x32xf64> -> tensor<32x32xf64>
  %1 = tile.dot %d, %e, %f : tensor<8x4xf64>, tensor<4x8xf64> -> tensor<8x8xf64>
  tile.return
}

// i8: 16 x 8 x 32 or 16 x 8 x 16.
// CHECK-LABEL: tile.func private @bytes
// CHECK-NEXT: tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>}
// CHECK-NEXT: tile.dot %d, %e, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>}
// REMARK: Function=bytes | Instruction="mma_sync m16n8k32"{{$}}
// REMARK: Function=bytes | Instruction="mma_sync m16n8k16"{{$}}
tile.func private @bytes(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xi32>, %d: tensor<16x16xi8>, %e: tensor<16x8xi8>) {
  %0 = tile.dot %a, %b, %c : tensor<16x64xi8>, tensor<64x8xi8> -> tensor<16x8xi32>
  %1 = tile.dot %d, %e, %c : tensor<16x16xi8>, tensor<16x8xi8> -> tensor<16x8xi32>
  tile.return
}

// 8-bit floats, of one kind or mixed: 16 x 8 x 32.
// CHECK-LABEL: tile.func private @float8
// CHECK-COUNT-4: tile.dot {{.*}} {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>}
// CHECK: tile.return
// REMARK-COUNT-4: [Passed] {{.*}} Function=float8 | Instruction="mma_sync m16n8k32"{{$}}
tile.func private @float8(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x8xf8E4M3FN>, %c: tensor<16x32xf8E5M2>, %d: tensor<32x8xf8E5M2>, %e: tensor<16x8xf32>) {
  %0 = tile.dot %a, %b, %e : tensor<16x32xf8E4M3FN>, tensor<32x8xf8E4M3FN> -> tensor<16x8xf32>
  %1 = tile.dot %a, %d, %e : tensor<16x32xf8E4M3FN>, tensor<32x8xf8E5M2> -> tensor<16x8xf32>
  %2 = tile.dot %c, %b, %e : tensor<16x32xf8E5M2>, tensor<32x8xf8E4M3FN> -> tensor<16x8xf32>
  %3 = tile.dot %c, %d, %e : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2> -> tensor<16x8xf32>
  tile.return
}

// A batch is no part of an instruction: 4 is less than any M.
// CHECK-LABEL: tile.func private @batch
// CHECK-NEXT: tile.dot {{.*}} {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>}
tile.func private @batch(%a: tensor<4x16x16xf16>, %b: tensor<4x16x8xf16>, %c: tensor<4x16x8xf32>) {
  %0 = tile.dot %a, %b, %c : tensor<4x16x16xf16>, tensor<4x16x8xf16> -> tensor<4x16x8xf32>
  tile.return
}

// Inside a loop or a branch it is the same.
// CHECK-LABEL: tile.func private @nested
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot {{.*}} {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>}
tile.func private @nested(%a: tensor<16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>, %n: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<16x8xf32>) : i32 {
    %next = scf.if %p -> (tensor<16x8xf32>) {
      %d = tile.dot %a, %b, %acc : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
      scf.yield %d : tensor<16x8xf32>
    } else {
      scf.yield %acc : tensor<16x8xf32>
    }
    scf.yield %next : tensor<16x8xf32>
  }
  tile.return
}

// Unchanged: no product, no access.
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NEXT: arith.addf %a, %a : tensor<16x16xf32>
// CHECK-NEXT: tile.return
// REMARK-NOT: Function=unchanged
tile.func private @unchanged(%a: tensor<16x16xf32>) {
  %0 = arith.addf %a, %a : tensor<16x16xf32>
  tile.return
}
