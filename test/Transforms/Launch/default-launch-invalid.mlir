// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-default-launch

// expected-error@below {{no plan launches this kernel, and 'add', the name of a default plan, is taken}}
tile.func @add_kernel() {
  tile.return
}
tile.func @other() {
  tile.return
}
// expected-note@below {{'add' is here}}
tile.launch @add(%n: i32) {
  tile.plan.dispatch @other grid(%n : i32) args()
}

// -----

// Two kernels whose default plans would have one name.

// expected-note@below {{'k_launch' is here}}
tile.func @k() {
  tile.return
}
// expected-error@below {{no plan launches this kernel, and 'k_launch', the name of a default plan, is taken}}
tile.func @k_launch_kernel() {
  tile.return
}
