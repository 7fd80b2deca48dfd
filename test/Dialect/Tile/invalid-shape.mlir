// RUN: tile-opt %s --split-input-file --verify-diagnostics

tile.func @arange_type() {
  // expected-error @below {{'tile.arange' op needs a 1-D tensor of i32, not 'tensor<2x2xi32>'}}
  %0 = tile.arange : tensor<2x2xi32>
  tile.return
}

// -----

tile.func @arange_element() {
  // expected-error @below {{'tile.arange' op needs a 1-D tensor of i32, not 'tensor<4xi64>'}}
  %0 = tile.arange : tensor<4xi64>
  tile.return
}

// -----

// 2147483645 + 3 = 2^31 is one too many.
tile.func @arange_overflow() {
  // expected-error @below {{'tile.arange' op goes beyond the range of i32}}
  %0 = tile.arange 2147483645 : tensor<4xi32>
  tile.return
}

// -----

tile.func @arange_start() {
  // expected-error @below {{2147483648 does not fit into 'i32'}}
  %0 = tile.arange 2147483648 : tensor<4xi32>
  tile.return
}

// -----

#START = 1.0 : f32
tile.func @arange_float() {
  // expected-error @below {{expected an integer}}
  %0 = tile.arange #START : tensor<4xi32>
  tile.return
}

// -----

#START = 1 : i128
tile.func @arange_wide() {
  // expected-error @below {{expected an integer}}
  %0 = tile.arange #START : tensor<4xi32>
  tile.return
}

// -----

tile.func @splat(%x: f32) {
  // expected-error @below {{'tile.splat' op changes the element type from 'f32' to 'i32'}}
  %0 = tile.splat %x : f32 -> tensor<4xi32>
  tile.return
}

// -----

tile.func @splat_type(%x: f32) {
  // expected-error @below {{'tile.splat' op result #0 must be a tensor with static power-of-two dimensions of a tile element type, but got 'tensor<3xf32>'}}
  %0 = tile.splat %x : f32 -> tensor<3xf32>
  tile.return
}

// -----

tile.func @expand_axis(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.expand_dims' op axis 2 is not in [0, 1]}}
  %0 = tile.expand_dims %t, 2 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.func @expand_negative(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.expand_dims' op axis -1 is not in [0, 1]}}
  %0 = tile.expand_dims %t, -1 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.func @expand_shape(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.expand_dims' op result 'tensor<4x1xf32>' is not 'tensor<4xf32>' with a 1 at axis 0}}
  %0 = tile.expand_dims %t, 0 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.func @expand_element(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.expand_dims' op changes the element type from 'f32' to 'f16'}}
  %0 = tile.expand_dims %t, 0 : tensor<4xf32> -> tensor<1x4xf16>
  tile.return
}

// -----

tile.func @expand_no_axis(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  // expected-error @below {{expected an integer}}
  %0 = tile.expand_dims %t, : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.func @broadcast_rank(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<1xf32>
  // expected-error @below {{'tile.broadcast' op changes the rank from 1 to 2}}
  %0 = tile.broadcast %t : tensor<1xf32> -> tensor<1x4xf32>
  tile.return
}

// -----

tile.func @broadcast_dim(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<1x2xf32>
  // expected-error @below {{'tile.broadcast' op cannot repeat dimension 1 of size 2 to size 4}}
  %0 = tile.broadcast %t : tensor<1x2xf32> -> tensor<8x4xf32>
  tile.return
}

// -----

tile.func @broadcast_element(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<1xf32>
  // expected-error @below {{'tile.broadcast' op changes the element type from 'f32' to 'i32'}}
  %0 = tile.broadcast %t : tensor<1xf32> -> tensor<4xi32>
  tile.return
}

// -----

tile.func @reshape_count(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  // expected-error @below {{'tile.reshape' op changes the number of elements from 32 to 64}}
  %0 = tile.reshape %t : tensor<4x8xf32> -> tensor<64xf32>
  tile.return
}

// -----

tile.func @reshape_element(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.reshape' op changes the element type from 'f32' to 'f16'}}
  %0 = tile.reshape %t : tensor<4xf32> -> tensor<2x2xf16>
  tile.return
}

// -----

tile.func @trans_length(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  // expected-error @below {{'tile.trans' op order is not a permutation of the 2 dimensions}}
  %0 = tile.trans %t, [0, 1, 2] : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @trans_twice(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  // expected-error @below {{'tile.trans' op order is not a permutation of the 2 dimensions}}
  %0 = tile.trans %t, [1, 1] : tensor<4x8xf32> -> tensor<8x8xf32>
  tile.return
}

// -----

tile.func @trans_range(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  // expected-error @below {{'tile.trans' op order is not a permutation of the 2 dimensions}}
  %0 = tile.trans %t, [-1, 2] : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @trans_shape(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  // expected-error @below {{'tile.trans' op result 'tensor<4x8xf32>' is not the permuted 'tensor<4x8xf32>'}}
  %0 = tile.trans %t, [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @trans_element(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4x8xf32>
  // expected-error @below {{'tile.trans' op changes the element type from 'f32' to 'i32'}}
  %0 = tile.trans %t, [1, 0] : tensor<4x8xf32> -> tensor<8x4xi32>
  tile.return
}

// -----

tile.func @convert_float8(%x: f32) {
  // expected-error @below {{'tile.convert' op rounds to nearest even when it narrows to 'f8E4M3FN', not towards zero}}
  %0 = tile.convert %x rtz : f32 -> f8E4M3FN
  tile.return
}

// -----

tile.func @convert_between_float8(%x: f8E4M3FN) {
  %t = tile.splat %x : f8E4M3FN -> tensor<4xf8E4M3FN>
  // expected-error @below {{'tile.convert' op rounds to nearest even when it narrows to 'f8E5M2', not towards zero}}
  %0 = tile.convert %t rtz : tensor<4xf8E4M3FN> -> tensor<4xf8E5M2>
  tile.return
}

// -----

tile.func @convert_integer(%x: i32) {
  // expected-error @below {{'tile.convert' op converts floats, or equal types, not 'i32' to 'f32'}}
  %0 = tile.convert %x : i32 -> f32
  tile.return
}

// -----

tile.func @convert_shape(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.convert' op requires the same shape for all operands and results}}
  %0 = tile.convert %t : tensor<4xf32> -> tensor<8xf16>
  tile.return
}

// -----

tile.func @axis() {
  // expected-error @below {{expected one of: x, y, z}}
  %0 = tile.program_id w
  tile.return
}
