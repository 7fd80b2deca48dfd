// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{a descriptor's elements are integers or floats, not '!tile.ptr<f32>'}}
tile.func private @pointers(%d: !tile.desc<4x!tile.ptr<f32>>)

// -----

// expected-error @below {{a descriptor's elements are integers or floats, not 'i7'}}
tile.func private @odd(%d: !tile.desc<4xi7>)

// -----

// expected-error @below {{a descriptor has 1 to 5 dimensions, not 6}}
tile.func private @rank(%d: !tile.desc<1x1x1x1x1x1xf32>)

// -----

// expected-error @below {{a descriptor has 1 to 5 dimensions, not 0}}
tile.func private @scalar(%d: !tile.desc<f32>)

// -----

// expected-error @below {{invalid tile: dimension 1 is 12, not a power of two}}
tile.func private @size(%d: !tile.desc<4x12xf32>)

// -----

// expected-error @below {{invalid tile: dimension 0 is -4, not a power of two}}
tile.func private @negative(%d: !tile.desc<[-4], f32>)

// -----

// expected-error @below {{invalid tile: it has more than 131072 elements}}
tile.func private @large(%d: !tile.desc<1024x256xf32>)

// -----

tile.func @base(%p: !tile.ptr<f32>, %n: i32) {
  // expected-error @below {{'tile.make_desc' op base points to 'f32', the elements of '!tile.desc<4xf16>' are 'f16'}}
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<4xf16>
  tile.return
}

// -----

tile.func @extents(%p: !tile.ptr<f32>, %n: i32) {
  // expected-error @below {{'tile.make_desc' op has 1 extents, '!tile.desc<4x4xf32>' needs 2}}
  %d = tile.make_desc %p, [%n], [%n, %n] : !tile.ptr<f32>, [i32], [i32, i32] -> !tile.desc<4x4xf32>
  tile.return
}

// -----

tile.func @strides(%p: !tile.ptr<f32>, %n: i32) {
  // expected-error @below {{'tile.make_desc' op has 3 strides, '!tile.desc<4x4xf32>' needs 2}}
  %d = tile.make_desc %p, [%n, %n], [%n, %n, %n] : !tile.ptr<f32>, [i32, i32], [i32, i32, i32] -> !tile.desc<4x4xf32>
  tile.return
}

// -----

tile.func @index_type(%p: !tile.ptr<f32>, %n: i16) {
  // expected-error @below {{'tile.make_desc' op operand #1 must be variadic of an i32 or i64, but got 'i16'}}
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i16], [i16] -> !tile.desc<4xf32>
  tile.return
}

// -----

tile.func @load_offsets(%p: !tile.ptr<f32>, %n: i32) {
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<4xf32>
  // expected-error @below {{'tile.desc_load' op has 2 offsets, '!tile.desc<4xf32>' needs 1}}
  %x = tile.desc_load %d[%n, %n] : !tile.desc<4xf32>, [i32, i32] -> tensor<4xf32>
  tile.return
}

// -----

tile.func @load_result(%p: !tile.ptr<f32>, %n: i32) {
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<4xf32>
  // expected-error @below {{'tile.desc_load' op result has type 'tensor<8xf32>', '!tile.desc<4xf32>' needs 'tensor<4xf32>'}}
  %x = tile.desc_load %d[%n] : !tile.desc<4xf32>, [i32] -> tensor<8xf32>
  tile.return
}

// -----

tile.func @load_cache(%p: !tile.ptr<f32>, %n: i32) {
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<4xf32>
  // expected-error @below {{'tile.desc_load' op cache operator wb is for stores}}
  %x = tile.desc_load %d[%n] cache(wb) : !tile.desc<4xf32>, [i32] -> tensor<4xf32>
  tile.return
}

// -----

tile.func @store_value(%p: !tile.ptr<f32>, %n: i32, %v: f16) {
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<4xf32>
  %x = tile.splat %v : f16 -> tensor<4xf16>
  // expected-error @below {{'tile.desc_store' op value has type 'tensor<4xf16>', '!tile.desc<4xf32>' needs 'tensor<4xf32>'}}
  tile.desc_store %d[%n], %x : !tile.desc<4xf32>, [i32], tensor<4xf16>
  tile.return
}

// -----

tile.func @store_offsets(%p: !tile.ptr<f32>, %n: i32, %v: f32) {
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<4xf32>
  %x = tile.splat %v : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.desc_store' op has 2 offsets, '!tile.desc<4xf32>' needs 1}}
  tile.desc_store %d[%n, %n], %x : !tile.desc<4xf32>, [i32, i32], tensor<4xf32>
  tile.return
}

// -----

tile.func @store_cache(%p: !tile.ptr<f32>, %n: i32, %v: f32) {
  %d = tile.make_desc %p, [%n], [%n] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<4xf32>
  %x = tile.splat %v : f32 -> tensor<4xf32>
  // expected-error @below {{'tile.desc_store' op cache operator ca is for loads}}
  tile.desc_store %d[%n], %x cache(ca) : !tile.desc<4xf32>, [i32], tensor<4xf32>
  tile.return
}
