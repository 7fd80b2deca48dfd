// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{a tensor map of 6 dimensions; it has 1 to 5}}
tile.func @rank(%a: !tile.tensor_map<1x1x1x1x1x16xf16>) {
  tile.return
}

// -----

// expected-error @below {{dimension 0 of a tensor map's box is 257, not from 1 to 256}}
tile.func @large(%a: !tile.tensor_map<257x16xf16>) {
  tile.return
}

// -----

// expected-error @below {{dimension 1 of a tensor map's box is 0, not from 1 to 256}}
tile.func @empty(%a: !tile.tensor_map<8x0xf16>) {
  tile.return
}

// -----

// expected-error @below {{a tensor map cannot have elements of '!tile.ptr<f16>'}}
tile.func @pointers(%a: !tile.tensor_map<8x16x!tile.ptr<f16>>) {
  tile.return
}

// -----

// expected-error @below {{a tensor map cannot have elements of 'i1'}}
tile.func @bits(%a: !tile.tensor_map<8x16xi1>) {
  tile.return
}

// -----

// expected-error @below {{a swizzle of 16 bytes; known are 0, 32, 64 and 128}}
tile.func @swizzle(%a: !tile.tensor_map<8x8xf16, swizzle = 16>) {
  tile.return
}

// -----

// expected-error @below {{a row of a tensor map's box has 24 bytes, which is no multiple of 16}}
tile.func @row(%a: !tile.tensor_map<8x12xf16>) {
  tile.return
}

// -----

// expected-error @below {{a row of a tensor map's box has 128 bytes, more than its swizzle of 64}}
tile.func @wide(%a: !tile.tensor_map<8x64xf16, swizzle = 64>) {
  tile.return
}

// -----

// expected-error @below {{'tile.launch' op cannot take an argument of type '!tile.tensor_map<64xf16>'}}
tile.launch @entry(%a: !tile.tensor_map<64xf16>) {
}

// -----

tile.launch @extents(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error @below {{'tile.plan.tensor_map' op has 1 extents and 2 strides for a map of rank 2}}
  %a = tile.plan.tensor_map %p[%n] strides[%n, %n] : !tile.ptr<f16> -> !tile.tensor_map<8x64xf16>
}

// -----

tile.launch @strides(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error @below {{'tile.plan.tensor_map' op has 2 extents and 1 strides for a map of rank 2}}
  %a = tile.plan.tensor_map %p[%n, %n] strides[%n] : !tile.ptr<f16> -> !tile.tensor_map<8x64xf16>
}

// -----

tile.launch @pointee(%p: !tile.ptr<f32>, %n: i64) {
  // expected-error @below {{'tile.plan.tensor_map' op a pointer to 'f32' has no elements of 'f16'}}
  %a = tile.plan.tensor_map %p[%n, %n] strides[%n, %n] : !tile.ptr<f32> -> !tile.tensor_map<8x64xf16>
}

// -----

tile.func @k(%a: !tile.tensor_map<8x64xf16>) {
  tile.return
}
tile.launch @other(%p: !tile.ptr<f16>, %n: i64) {
  %a = tile.plan.tensor_map %p[%n, %n] strides[%n, %n] : !tile.ptr<f16> -> !tile.tensor_map<8x64xf16, swizzle = 128>
  // expected-error @below {{'tile.plan.dispatch' op argument #0 has type '!tile.tensor_map<8x64xf16, swizzle = 128>', 'k' takes '!tile.tensor_map<8x64xf16>'}}
  tile.plan.dispatch @k grid(%n) args(%a) : !tile.tensor_map<8x64xf16, swizzle = 128>
}

// -----

// expected-error @below {{argument #0: 'tile.noalias' needs a pointer}}
tile.func @facts(%a: !tile.tensor_map<8x64xf16> {tile.noalias}) {
  tile.return
}
