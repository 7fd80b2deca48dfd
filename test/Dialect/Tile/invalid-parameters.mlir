// RUN: tile-opt %s --split-input-file --verify-diagnostics

#A = #tile.param<BM = 128>
// expected-error @below {{parameter 'BM' is declared twice with different defaults: 128 : i32 and 64 : i32}}
#B = #tile.param<BM = 64>

// -----

#A = #tile.param<BM = 128>
// expected-error @below {{declared twice with different defaults: 128 : i32 and 128 : i64}}
#B = #tile.param<BM = 128 : i64>

// -----

// Choices that differ are an error as well.
#A = #tile.param<BM = 128, [64, 128]>
// expected-error @below {{parameter 'BM' is declared twice with different choices}}
#B = #tile.param<BM = 128, [128, 256]>

// -----

!A = !tile.type_param<T = f32>
// expected-error @below {{parameter 'T' is declared twice with different defaults: f32 and f16}}
!B = !tile.type_param<T = f16>

// -----

// An integer and a type of one name.
#A = #tile.param<T = 1>
// expected-error @below {{parameter 'T' is declared twice with different defaults: 1 : i32 and f16}}
!B = !tile.type_param<T = f16>

// -----

// expected-error @below {{a parameter cannot have type 'f32'}}
#A = #tile.param<BM = 128 : f32>

// -----

// expected-error @below {{a parameter cannot have type 'i7'}}
#A = #tile.param<BM = 1 : i7>

// -----

// expected-error @below {{2147483648 does not fit into 'i32'}}
#A = #tile.param<BM = 2147483648>

// -----

// expected-error @below {{128 does not fit into 'i8'}}
#A = #tile.param<BM = 1 : i8, [1, 128]>

// -----

// expected-error @below {{2 does not fit into 'i1'}}
#A = #tile.param<FLAG = 2 : i1>

// -----

// expected-error @below {{integer value too large}}
#A = #tile.param<BM = 9223372036854775808 : i64>

// -----

// expected-error @below {{expected '='}}
#A = #tile.param<BM>

// -----

// expected-error @below {{a type parameter needs an element type, not 'tensor<4xf32>'}}
!A = !tile.type_param<T = tensor<4xf32>>

// -----

// expected-error @below {{a type parameter needs an element type, not 'i7'}}
!A = !tile.type_param<T = i7>

// -----

// expected-error @below {{unknown operation 'pow' in #tile.eval}}
#A = #tile.eval<pow 2, 3>

// -----

// expected-error @below {{#tile.eval has no value in 'i32'}}
#A = #tile.eval<mul 65536, 65536>

// -----

// expected-error @below {{#tile.eval has no value in 'i32'}}
#A = #tile.eval<div 1, 0>

// -----

// expected-error @below {{#tile.eval has no value in 'i32'}}
#A = #tile.eval<cdiv 1, -2>

// -----

// 2^63 is no i64.
#BIG = 9223372036854775807 : i64
// expected-error @below {{#tile.eval has no value in 'i64'}}
#A = #tile.eval<add #BIG, 1>

// -----

#SMALL = -9223372036854775808 : i64
// expected-error @below {{#tile.eval has no value in 'i64'}}
#A = #tile.eval<sub #SMALL, 1>

// -----

#BIG = 4611686018427387905 : i64
// expected-error @below {{#tile.eval has no value in 'i64'}}
#A = #tile.eval<next_pow2 #BIG>

// -----

#WIDE = 1 : i128
// expected-error @below {{expected an integer of at most 64 bits}}
#A = #tile.eval<add #WIDE, 1>

// -----

// expected-error @below {{invalid kind of attribute specified}}
#A = #tile.eval<add 1.0, 1>

// -----

#F = 1.0 : f32
// expected-error @below {{invalid kind of attribute specified}}
#A = #tile.eval<add #F, 1>

// -----

// expected-error @below {{expected 'pos' or 'neg' in #tile.inf}}
#A = #tile.inf<plus> : f32

// -----

// expected-error @below {{#tile.inf needs a float type that has infinities, as in '#tile.inf<neg> : f32'}}
#A = #tile.inf<neg>

// -----

// expected-error @below {{#tile.inf needs a float type that has infinities}}
#A = #tile.inf<neg> : i32

// -----

// f8E4M3FN has no infinities.
// expected-error @below {{#tile.inf needs a float type that has infinities}}
#A = #tile.inf<neg> : f8E4M3FN

// -----

// expected-error @below {{#tile.inf needs a float type that has infinities}}
#A = #tile.inf<neg> : tensor<4xi32>

// -----

// expected-error @below {{unknown attribute 'infinity' in the tile dialect}}
#A = #tile.infinity<neg>

// -----

// expected-error @below {{dimension 1 of a tensor is 3, not a power of two}}
!A = !tile.t<[4, 3], f32>

// -----

// expected-error @below {{dimension 0 of a tensor is -4, not a power of two}}
!A = !tile.t<[-4], f32>

// -----

// expected-error @below {{element type 'index' is not supported}}
!A = !tile.t<[4], index>

// -----

// expected-error @below {{invalid tensor 'tensor<f32>': a tensor needs at least one dimension}}
!A = !tile.t<[], f32>

// -----

// expected-error @below {{invalid tensor 'tensor<2097152xf32>': it has more than 131072 elements}}
!A = !tile.t<[2097152], f32>

// -----

// The product does not overflow on the way.
// expected-error @below {{it has more than 131072 elements}}
!A = !tile.t<[4611686018427387904, 4611686018427387904], f32>

// -----

#D = "four"
// expected-error @below {{expected an integer of at most 64 bits}}
!A = !tile.t<[#D], f32>

// -----

#D = 18446744073709551620 : i128
// expected-error @below {{expected an integer of at most 64 bits}}
!A = !tile.t<[#D], f32>

// -----

// expected-error @below {{unknown type 'tensor' in the tile dialect}}
!A = !tile.tensor<[4], f32>

// -----

// expected-error @below {{a pointer cannot point to 'tensor<4xf32>'}}
!A = !tile.ptr<tensor<4xf32>>

// -----

// expected-error @below {{a pointer cannot point to 'index'}}
!A = !tile.ptr<index>
