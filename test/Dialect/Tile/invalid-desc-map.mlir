// RUN: tile-opt %s --split-input-file --verify-diagnostics

tile.func @no_map(%p: !tile.ptr<f32>, %n: i32) {
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.make_desc' op has an origin, and no map}}
  %d = "tile.make_desc"(%p, %n, %n, %n, %one, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, 2, 0, 2>}> : (!tile.ptr<f32>, i32, i32, i32, i32, i32, i32) -> !tile.desc<16x32xf32>
  tile.return
}

// -----

tile.func @origin(%p: !tile.ptr<f32>, %n: i32, %map: !tile.tensor_map<16x32xf32, swizzle = 128>) {
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.make_desc' op has 1 coordinates of the origin, '!tile.desc<16x32xf32>' needs 2}}
  %d = tile.make_desc %p, [%n, %n], [%n, %one] map %map[%n] : !tile.tensor_map<16x32xf32, swizzle = 128> : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<16x32xf32>
  tile.return
}

// -----

tile.func @wide_origin(%p: !tile.ptr<f32>, %n: i32, %w: i64, %map: !tile.tensor_map<16x32xf32, swizzle = 128>) {
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.make_desc' op operand #6 must be variadic of 32-bit signless integer, but got 'i64'}}
  %d = "tile.make_desc"(%p, %n, %n, %n, %one, %map, %w, %w) <{operandSegmentSizes = array<i32: 1, 2, 2, 1, 2>}> : (!tile.ptr<f32>, i32, i32, i32, i32, !tile.tensor_map<16x32xf32, swizzle = 128>, i64, i64) -> !tile.desc<16x32xf32>
  tile.return
}

// -----

tile.func @three_dimensions(%p: !tile.ptr<f32>, %n: i32, %map: !tile.tensor_map<2x16x32xf32, swizzle = 128>) {
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.make_desc' op with a map has two dimensions, and one of them the constant stride 1}}
  %d = tile.make_desc %p, [%n, %n, %n], [%n, %n, %one] map %map[%n, %n, %n] : !tile.tensor_map<2x16x32xf32, swizzle = 128> : !tile.ptr<f32>, [i32, i32, i32], [i32, i32, i32] -> !tile.desc<2x16x32xf32>
  tile.return
}

// -----

tile.func @map_of_three(%p: !tile.ptr<f32>, %n: i32, %map: !tile.tensor_map<1x16x32xf32, swizzle = 128>) {
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.make_desc' op with a map has two dimensions, and one of them the constant stride 1}}
  %d = tile.make_desc %p, [%n, %n], [%n, %one] map %map[%n, %n] : !tile.tensor_map<1x16x32xf32, swizzle = 128> : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<16x32xf32>
  tile.return
}

// -----

tile.func @no_unit(%p: !tile.ptr<f32>, %n: i32, %map: !tile.tensor_map<16x32xf32, swizzle = 128>) {
  // expected-error @below {{'tile.make_desc' op with a map has two dimensions, and one of them the constant stride 1}}
  %d = tile.make_desc %p, [%n, %n], [%n, %n] map %map[%n, %n] : !tile.tensor_map<16x32xf32, swizzle = 128> : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<16x32xf32>
  tile.return
}

// -----

tile.func @two_units(%p: !tile.ptr<f32>, %n: i32, %map: !tile.tensor_map<16x32xf32, swizzle = 128>) {
  %one = arith.constant 1 : i64
  // expected-error @below {{'tile.make_desc' op with a map has two dimensions, and one of them the constant stride 1}}
  %d = tile.make_desc %p, [%n, %n], [%one, %one] map %map[%n, %n] : !tile.tensor_map<16x32xf32, swizzle = 128> : !tile.ptr<f32>, [i32, i32], [i64, i64] -> !tile.desc<16x32xf32>
  tile.return
}

// -----

tile.func @elements(%p: !tile.ptr<f32>, %n: i32, %map: !tile.tensor_map<16x32xi32, swizzle = 128>) {
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.make_desc' op a map of 'i32' does not describe elements of type 'f32'}}
  %d = tile.make_desc %p, [%n, %n], [%n, %one] map %map[%n, %n] : !tile.tensor_map<16x32xi32, swizzle = 128> : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<16x32xf32>
  tile.return
}
