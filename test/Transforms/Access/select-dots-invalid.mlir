// RUN: tile-opt %s --tile-gpu-select --verify-diagnostics

// A module that was written for a target of another compiler.
// expected-error @below {{unknown target 'sm_70'; known are}}
module attributes {tile_gpu.target = "sm_70"} {
  tile.func @unknown_target() {
    tile.return
  }
}
