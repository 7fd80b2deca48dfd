// RUN: tile-opt %s --verify-diagnostics --tile-gpu-choose-warps=num-warps=3
// RUN: not tile-opt %s --tile-gpu-choose-warps=num-warps=64 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tile-opt %s --tile-gpu-choose-warps=num-warps=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-opt %s --tile-gpu-choose-warps="num-warps=16 min-ctas=5" 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: tile-opt %s --tile-gpu-choose-warps="num-warps=16 min-ctas=4" | FileCheck %s --check-prefix=FOUR

// 64 warps of a multiprocessor.
// WARPS: error: 5 programs of 16 warps on a multiprocessor (--min-ctas) are too many: sm_90a has room for 64 warps in at most 32 programs; what may help: --min-ctas=4 or less, or fewer warps
// FOUR: tile.func @kernel() attributes {tile_gpu.num_warps = 16 : i32}

// MANY: error: the number of warps has to be a power of two from 1 to 32, not 64
// NEGATIVE: error: the number of warps has to be a power of two from 1 to 32, not -1
// expected-error @below {{the number of warps has to be a power of two from 1 to 32, not 3}}
tile.func @kernel() {
  tile.return
}
