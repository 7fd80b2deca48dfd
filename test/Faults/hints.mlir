// Strange hints: each is refused at its line, without a crash and without output.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not -16 : i32}}
tile.func @negative(%p: !tile.ptr<f32> {tile.divisible_by = -16 : i32}) {
  tile.return
}

// -----

// The most negative number is a power of two in unsigned arithmetic only.
// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not -9223372036854775808 : i64}}
tile.func @most_negative(%p: !tile.ptr<f32> {tile.divisible_by = -9223372036854775808 : i64}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not 24 : i32}}
tile.func @no_power(%p: !tile.ptr<f32> {tile.divisible_by = 24 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not dense<16> : tensor<2xi32>}}
tile.func @not_a_number(%p: !tile.ptr<f32> {tile.divisible_by = dense<16> : tensor<2xi32>}) {
  tile.return
}

// -----

// expected-error @below {{'tile.num_warps' has to be a power of two from 1 to 32, not 3 : i32}}
tile.func @three_warps() attributes {tile.num_warps = 3 : i32} {
  tile.return
}

// -----

// expected-error @below {{'tile.num_warps' has to be a power of two from 1 to 32, not 64 : i32}}
tile.func @many_warps() attributes {tile.num_warps = 64 : i32} {
  tile.return
}

// -----

// expected-error @below {{'tile.num_warps' has to be a power of two from 1 to 32, not -2147483648 : i32}}
tile.func @negative_warps() attributes {tile.num_warps = -2147483648 : i32} {
  tile.return
}

// -----

tile.func @no_stages(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.num_stages' has to be an integer from 1 to 64, not 0 : i32}}
  scf.for %i = %zero to %n step %one : i32 {
  } {tile.num_stages = 0 : i32}
  tile.return
}

// -----

tile.func @many_stages(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.num_stages' has to be an integer from 1 to 64, not 100 : i32}}
  scf.for %i = %zero to %n step %one : i32 {
  } {tile.num_stages = 100 : i32}
  tile.return
}

// -----

tile.func @text_stages(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{'tile.num_stages' has to be an integer from 1 to 64, not "four"}}
  scf.for %i = %zero to %n step %one : i32 {
  } {tile.num_stages = "four"}
  tile.return
}

// -----

// A hint that does not exist.
// expected-error @below {{argument #0: 'tile.multiple_of' is not known}}
tile.func @unknown(%n: i32 {tile.multiple_of = 16 : i32}) {
  tile.return
}
