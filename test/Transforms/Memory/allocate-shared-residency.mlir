// RUN: tile-opt %s --tile-gpu-allocate-shared=min-ctas=3 | FileCheck %s
// RUN: not tile-opt %s --tile-gpu-allocate-shared=min-ctas=4 2>&1 | FileCheck %s --check-prefix=FOUR --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not tile-opt %s --tile-gpu-allocate-shared=min-ctas=32 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tile-opt %s --tile-gpu-allocate-shared=min-ctas=0 2>&1 | FileCheck %s --check-prefix=NONE

// Room for several programs on a multiprocessor of 233472 bytes, of which the
// system takes 1024 for each.

// NONE: error: min-ctas is 1 or more

#s = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048]]>

// 4 slots of 16384 bytes. 233472 / 3 - 1024 = 76800 and 233472 / 4 - 1024 = 57344;
// 3 slots are 49152.
// CHECK-LABEL: tile.func @ring
// CHECK-SAME: tile_gpu.shared_bytes = 65536
// FOUR: [[#@LINE+3]]:1: error: 'ring' needs 65536 bytes of shared memory for its buffers; 4 programs on a multiprocessor (--min-ctas) leave each 57344 of the 233472 on sm_90a, beside the system's 1024; what may help: --min-ctas=3 or less, or 1 stage fewer
// FOUR: [[#@LINE+4]]:{{[0-9]+}}: note: a buffer of 65536 bytes
// MANY: error: 'ring' needs 65536 bytes of shared memory for its buffers; 32 programs on a multiprocessor (--min-ctas) leave each 6272 of the 233472 on sm_90a, beside the system's 1024; what may help: --min-ctas=3 or less{{$}}
tile.func @ring() attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK: tile_gpu.alloc offset = 0
  %ring = tile_gpu.alloc : !tile_gpu.buffer<4096xf32, #s, slots = 4>
  tile.return
}

// CHECK-LABEL: tile.func @without
// CHECK-SAME: tile_gpu.shared_bytes = 0
tile.func @without() attributes {tile_gpu.num_warps = 1 : i32} {
  tile.return
}
