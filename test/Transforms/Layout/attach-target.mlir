// RUN: tile-opt %s --tile-gpu-attach-target | FileCheck %s
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_80 | FileCheck %s --check-prefix=AMPERE
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_80 --tile-gpu-attach-target=target=sm_80 | FileCheck %s --check-prefix=AMPERE
// RUN: tile-opt %s --tile-gpu-attach-target=target=sm_86 --tile-gpu-attach-target=target=sm_120a | FileCheck %s --check-prefix=LAST
// RUN: not tile-opt %s --tile-gpu-attach-target=target=sm_70 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt %s --tile-gpu-attach-target=target= 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK: module attributes {tile.parameters = {}, tile_gpu.target = "sm_90a"} {
// AMPERE: module attributes {tile.parameters = {}, tile_gpu.target = "sm_80"} {
// LAST: module attributes {tile.parameters = {}, tile_gpu.target = "sm_120a"} {
// UNKNOWN: error: unknown target 'sm_70'; known are sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a
// EMPTY: error: unknown target ''; known are

// The kernels are left alone.
// CHECK-NEXT: tile.func @unchanged() {
// CHECK-NEXT: tile.return
module attributes {tile.parameters = {}} {
  tile.func @unchanged() {
    tile.return
  }
}
