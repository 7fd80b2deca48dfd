// RUN: tile-opt %s --verify-diagnostics --tile-gpu-choose-warps=num-warps=3
// RUN: not tile-opt %s --tile-gpu-choose-warps=num-warps=64 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tile-opt %s --tile-gpu-choose-warps=num-warps=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// MANY: error: the number of warps has to be a power of two from 1 to 32, not 64
// NEGATIVE: error: the number of warps has to be a power of two from 1 to 32, not -1
// expected-error @below {{the number of warps has to be a power of two from 1 to 32, not 3}}
tile.func @kernel() {
  tile.return
}
