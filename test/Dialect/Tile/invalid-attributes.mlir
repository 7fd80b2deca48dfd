// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Facts about arguments.

// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not 3 : i32}}
tile.func @divisible(%n: i32 {tile.divisible_by = 3 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not 0 : i32}}
tile.func @divisible_zero(%n: i32 {tile.divisible_by = 0 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not unit}}
tile.func @divisible_unit(%n: i32 {tile.divisible_by}) {
  tile.return
}

// -----

// Wider than the compiler's integers.
// expected-error @below {{argument #0: 'tile.divisible_by' has to be a positive power of two, not 16 : i128}}
tile.func @divisible_wide(%n: i32 {tile.divisible_by = 16 : i128}) {
  tile.return
}

// -----

// expected-error @below {{argument #1: 'tile.divisible_by' needs a pointer or an integer}}
tile.func @divisible_float(%n: i32, %x: f32 {tile.divisible_by = 16 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.equals' has to be an integer, not 1.000000e+00 : f32}}
tile.func @equals(%n: i32 {tile.equals = 1.0 : f32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.equals' needs an integer argument}}
tile.func @equals_pointer(%p: !tile.ptr<f32> {tile.equals = 0 : i64}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.equals' does not fit into 'i8'}}
tile.func @equals_large(%n: i8 {tile.equals = 128 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.noalias' takes no value}}
tile.func @noalias(%p: !tile.ptr<f32> {tile.noalias = 1 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.noalias' needs a pointer}}
tile.func @noalias_integer(%n: i32 {tile.noalias}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.readonly' takes no value}}
tile.func @readonly(%p: !tile.ptr<f32> {tile.readonly = true}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.readonly' needs a pointer}}
tile.func @readonly_float(%x: f32 {tile.readonly}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.name' has to be a string that is not empty}}
tile.func @name(%n: i32 {tile.name = 1 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.name' has to be a string that is not empty}}
tile.func @name_empty(%n: i32 {tile.name = ""}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.type' has to be a type}}
tile.func @type(%n: i32 {tile.type = "i32"}) {
  tile.return
}

// -----

// expected-error @below {{argument #0: 'tile.aligned' is not known}}
tile.func @unknown(%n: i32 {tile.aligned}) {
  tile.return
}

// -----

// The same for a launch plan.
// expected-error @below {{argument #0: 'tile.noalias' needs a pointer}}
tile.launch @plan(%n: i32 {tile.noalias}) {
}

// -----

// Attributes of operations.

// expected-error @below {{'tile.num_warps' has to be a power of two from 1 to 32, not 3 : i32}}
tile.func @warps() attributes {tile.num_warps = 3 : i32} {
  tile.return
}

// -----

// expected-error @below {{'tile.num_warps' has to be a power of two from 1 to 32, not 64 : i32}}
tile.func @warps_many() attributes {tile.num_warps = 64 : i32} {
  tile.return
}

// -----

// expected-error @below {{'tile.num_warps' has to be a power of two from 1 to 32, not 0 : i32}}
tile.func @warps_none() attributes {tile.num_warps = 0 : i32} {
  tile.return
}

// -----

// expected-error @below {{'tile.num_warps' has to be a power of two from 1 to 32, not "four"}}
tile.func @warps_text() attributes {tile.num_warps = "four"} {
  tile.return
}

// -----

tile.func @stages(%n: i32) {
  // expected-error @below {{'tile.num_stages' has to be an integer from 1 to 64, not 0 : i32}}
  scf.for %i = %n to %n step %n : i32 {
  } {tile.num_stages = 0 : i32}
  tile.return
}

// -----

tile.func @stages_many(%n: i32) {
  // expected-error @below {{'tile.num_stages' has to be an integer from 1 to 64, not 65 : i32}}
  scf.for %i = %n to %n step %n : i32 {
  } {tile.num_stages = 65 : i32}
  tile.return
}

// -----

tile.func @stages_while(%n: i32) {
  %zero = arith.constant 0 : i32
  // expected-error @below {{'tile.num_stages' has to be on an scf.for: loads run ahead in no other loop}}
  %r = scf.while (%i = %zero) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %n : i32
  } attributes {tile.num_stages = 3 : i32}
  tile.return
}

// -----

tile.func @tile_loop_text(%n: i32) {
  // expected-error @below {{'tile.tile_loop' has to be a #tile.tile_loop on an scf.for or scf.while}}
  scf.for %i = %n to %n step %n : i32 {
  } {tile.tile_loop = "independent"}
  tile.return
}

// -----

tile.func @tile_loop_elsewhere(%x: f32) {
  // expected-error @below {{'tile.tile_loop' has to be a #tile.tile_loop on an scf.for or scf.while}}
  %0 = arith.addf %x, %x {tile.tile_loop = #tile.tile_loop<ordered>} : f32
  tile.return
}

// -----

tile.func @precise(%x: f32) {
  // expected-error @below {{'tile.precise' takes no value}}
  %0 = math.exp %x {tile.precise = true} : f32
  tile.return
}

// -----

// expected-error @below {{'tile.assumed' has to be a dictionary}}
module attributes {tile.assumed = "m=4"} {
}

// -----

// expected-error @below {{'tile.parameters' has to be a dictionary}}
module attributes {tile.parameters = 4 : i32} {
}

// -----

// expected-error @below {{unknown attribute 'tile.num_warp'}}
tile.func @unknown_attribute() attributes {tile.num_warp = 4 : i32} {
  tile.return
}
