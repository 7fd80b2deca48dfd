// RUN: tile-opt %s --tile-default-launch --verify-diagnostics

// Nobody could give a default plan a tensor map.
// expected-error @below {{no plan launches this kernel, and a default plan has no tensor map}}
tile.func @k(%a: !tile.tensor_map<8x64xf16>) {
  tile.return
}
