// RUN: tile-opt %s --split-input-file --verify-diagnostics

tile.launch @fill(%p: !tile.ptr<f32>, %n: i64) {
  // expected-error @below {{'tile.plan.fill' op value 256 is not in [0, 255]}}
  tile.plan.fill %p, %n, 256 : !tile.ptr<f32>, i64
}

// -----

tile.launch @fill_negative(%p: !tile.ptr<f32>, %n: i64) {
  // expected-error @below {{'tile.plan.fill' op value -1 is not in [0, 255]}}
  tile.plan.fill %p, %n, -1 : !tile.ptr<f32>, i64
}

// -----

tile.launch @scratch(%n: i64) {
  // expected-error @below {{'tile.plan.scratch' op result #0 must be a pointer, but got 'i64'}}
  %0 = tile.plan.scratch %n : i64 -> i64
}

// -----

tile.func @kernel() {
  tile.return
}
tile.launch @grid_empty() {
  // expected-error @below {{'tile.plan.dispatch' op the grid has 0 extents, not 1 to 3}}
  "tile.plan.dispatch"() <{kernel = @kernel, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
}

// -----

tile.func @kernel() {
  tile.return
}
tile.launch @grid_long(%n: i64) {
  // expected-error @below {{'tile.plan.dispatch' op the grid has 4 extents, not 1 to 3}}
  tile.plan.dispatch @kernel grid(%n, %n, %n, %n) args()
}

// -----

tile.launch @nowhere(%n: i64) {
  // expected-error @below {{'tile.plan.dispatch' op 'kernel' is not a kernel}}
  tile.plan.dispatch @kernel grid(%n) args()
}

// -----

tile.launch @itself(%n: i64) {
  // expected-error @below {{'tile.plan.dispatch' op 'itself' is not a kernel}}
  tile.plan.dispatch @itself grid(%n) args(%n) : i64
}

// -----

tile.func private @helper() {
  tile.return
}
tile.launch @private(%n: i64) {
  // expected-error @below {{'tile.plan.dispatch' op 'helper' is private}}
  tile.plan.dispatch @helper grid(%n) args()
}

// -----

tile.func @kernel(%x: f32) {
  tile.return
}
tile.launch @too_few(%n: i64) {
  // expected-error @below {{'tile.plan.dispatch' op 'kernel' takes 1 arguments, not 0}}
  tile.plan.dispatch @kernel grid(%n) args()
}

// -----

tile.func @kernel(%x: f32, %n: i32) {
  tile.return
}
tile.launch @types(%n: i64, %x: f16) {
  // expected-error @below {{'tile.plan.dispatch' op argument #0 has type 'f16', 'kernel' takes 'f32'}}
  tile.plan.dispatch @kernel grid(%n) args(%x, %n) : f16, i64
}

// -----

tile.func @kernel(%p: !tile.ptr<f32>) {
  tile.return
}
tile.launch @pointers(%n: i64, %p: !tile.ptr<f16>) {
  // expected-error @below {{'tile.plan.dispatch' op argument #0 has type '!tile.ptr<f16>', 'kernel' takes '!tile.ptr<f32>'}}
  tile.plan.dispatch @kernel grid(%n) args(%p) : !tile.ptr<f16>
}

// -----

// After lowering only the number of arguments is compared.
llvm.func @lowered(%x: i32) {
  llvm.return
}
tile.launch @lowered_count(%n: i64) {
  // expected-error @below {{'tile.plan.dispatch' op 'lowered' takes 1 arguments, not 2}}
  tile.plan.dispatch @lowered grid(%n) args(%n, %n) : i64, i64
}

// -----

tile.launch @resident_of_none() {
  // expected-error @below {{'tile.plan.resident_ctas' op 'kernel' is not a kernel}}
  %0 = tile.plan.resident_ctas @kernel
}

// -----

tile.func private @helper() {
  tile.return
}
tile.launch @resident_of_private() {
  // expected-error @below {{'tile.plan.resident_ctas' op 'helper' is private}}
  %0 = tile.plan.resident_ctas @helper
}
