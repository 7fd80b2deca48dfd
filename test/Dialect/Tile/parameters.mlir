// RUN: tile-opt %s --split-input-file --verify-roundtrip | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: tile-opt %s --split-input-file -D BM=64 -D T=f16 -D FLAG=0 -D WIDE=0x100000000 -D NEG=-3 | FileCheck %s --check-prefixes=CHECK,OVERRIDE
// RUN: tile-opt %s --split-input-file -DBM=64 -DT=f16 -DFLAG=0 -DWIDE=4294967296 -DNEG=-3 | FileCheck %s --check-prefixes=CHECK,OVERRIDE

#BM = #tile.param<BM = 128, [64, 128, 256]>
#WIDE = #tile.param<WIDE = 4294967297 : i64>
#FLAG = #tile.param<FLAG = 1 : i1>
#NEG = #tile.param<"NEG" = -1 : i8>
!T = !tile.type_param<T = f32>

// Parameters are gone after parsing: builtin attributes and types stand for them.
// CHECK-LABEL: tile.func @integers
// DEFAULT: arith.constant 128 : i32
// DEFAULT: arith.constant 4294967297 : i64
// DEFAULT: arith.constant true
// DEFAULT: arith.constant -1 : i8
// OVERRIDE: arith.constant 64 : i32
// OVERRIDE: arith.constant 4294967296 : i64
// OVERRIDE: arith.constant false
// OVERRIDE: arith.constant -3 : i8
tile.func @integers() {
  %0 = arith.constant #BM
  %1 = arith.constant #WIDE
  %2 = arith.constant #FLAG
  %3 = arith.constant #NEG
  tile.return
}

// CHECK-LABEL: tile.func private @types
// DEFAULT-SAME: (%x: f32, %a: tensor<128x32xf32>, %p: tensor<128x!tile.ptr<f32>>, %v: tensor<8xi1>)
// OVERRIDE-SAME: (%x: f16, %a: tensor<64x32xf16>, %p: tensor<64x!tile.ptr<f16>>, %v: tensor<8xi1>)
tile.func private @types(%x: !T, %a: !tile.t<[#BM, 32], !T>, %p: !tile.t<[#BM], !tile.ptr<!T>>, %v: !tile.t<[8], i1>) {
  tile.return
}

// In operations that take an integer.
// CHECK-LABEL: tile.func @uses
// DEFAULT: tile.arange 128 : tensor<128xi32>
// OVERRIDE: tile.arange 64 : tensor<64xi32>
tile.func @uses() {
  %0 = tile.arange #BM : !tile.t<[#BM], i32>
  tile.return
}

// CHECK-LABEL: tile.launch @plan
// DEFAULT: tile.plan.cdiv %n, 128 : i32
// OVERRIDE: tile.plan.cdiv %n, 64 : i32
tile.launch @plan(%n: i32) {
  %0 = tile.plan.cdiv %n, #BM : i32
}

// By hand from the definitions: div rounds down, cdiv up.
// CHECK-LABEL: tile.func @eval
// DEFAULT: arith.constant 130 : i32
// DEFAULT: arith.constant 126 : i32
// DEFAULT: arith.constant 256 : i32
// DEFAULT: arith.constant 42 : i32
// DEFAULT: arith.constant 43 : i32
// DEFAULT: arith.constant 100 : i32
// DEFAULT: arith.constant 128 : i32
// OVERRIDE: arith.constant 66 : i32
// OVERRIDE: arith.constant 62 : i32
// OVERRIDE: arith.constant 128 : i32
// OVERRIDE: arith.constant 21 : i32
// OVERRIDE: arith.constant 22 : i32
// OVERRIDE: arith.constant 64 : i32
// OVERRIDE: arith.constant 100 : i32
tile.func @eval() {
  %0 = arith.constant #tile.eval<add #BM, 2>
  %1 = arith.constant #tile.eval<sub #BM, 2>
  %2 = arith.constant #tile.eval<mul #BM, 2>
  %3 = arith.constant #tile.eval<div #BM, 3>
  %4 = arith.constant #tile.eval<cdiv #BM, 3>
  %5 = arith.constant #tile.eval<min #BM, 100>
  %6 = arith.constant #tile.eval<max #BM, 100>
  tile.return
}

// Literals alone are i32; the first attribute gives the type otherwise.
#BIG = 4611686018427387904 : i64
#ONE = 1 : i64
// CHECK-LABEL: tile.func @eval_literals
// CHECK: arith.constant -4 : i32
// CHECK: arith.constant -3 : i32
// CHECK: arith.constant 1 : i32
// CHECK: arith.constant 1 : i32
// CHECK: arith.constant 64 : i32
// CHECK: arith.constant 64 : i32
// CHECK: arith.constant 4611686018427387904 : i64
// CHECK: arith.constant 7 : i64
tile.func @eval_literals() {
  %0 = arith.constant #tile.eval<div -7, 2>
  %1 = arith.constant #tile.eval<cdiv -7, 2>
  %2 = arith.constant #tile.eval<next_pow2 -5>
  %3 = arith.constant #tile.eval<next_pow2 1>
  %4 = arith.constant #tile.eval<next_pow2 33>
  %5 = arith.constant #tile.eval<next_pow2 64>
  %6 = arith.constant #tile.eval<next_pow2 #BIG>
  %7 = arith.constant #tile.eval<add 3, #tile.eval<add #ONE, 3>>
  tile.return
}

// Derived types.
// CHECK-LABEL: tile.func private @half
// DEFAULT-SAME: tensor<64xf32>
// OVERRIDE-SAME: tensor<32xf16>
#HALF = #tile.eval<div #BM, 2>
tile.func private @half(%x: !tile.t<[#HALF], !T>) {
  tile.return
}

// Infinities of the type at hand.
// CHECK-LABEL: tile.func @inf
// CHECK: arith.constant 0xFF800000 : f32
// DEFAULT: arith.constant dense<0x7F800000> : tensor<4xf32>
// OVERRIDE: arith.constant dense<0x7C00> : tensor<4xf16>
// CHECK: arith.constant 0x7F80 : bf16
// CHECK: arith.constant 0xFC : f8E5M2
// CHECK: arith.constant 0xFFF0000000000000 : f64
tile.func @inf() {
  %0 = arith.constant #tile.inf<neg> : f32
  %1 = arith.constant #tile.inf<pos> : !tile.t<[4], !T>
  %2 = arith.constant #tile.inf<pos> : bf16
  %3 = arith.constant #tile.inf<neg> : f8E5M2
  %4 = arith.constant #tile.inf<neg> : f64
  tile.return
}

// -----

// One name may be declared again with the same default; one of the two may leave
// the choices out.

#A = #tile.param<BM = 128, [64, 128, 256]>
#B = #tile.param<BM = 128>
#C = #tile.param<FLAG = 1 : i1>
#D = #tile.param<WIDE = 4294967297 : i64>
#E = #tile.param<NEG = -1 : i8>
!U = !tile.type_param<T = f32>
!V = !tile.type_param<"T" = f32>

// CHECK-LABEL: tile.func private @twice
// DEFAULT-SAME: (%a: tensor<128xf32>, %b: tensor<128xf32>)
// OVERRIDE-SAME: (%a: tensor<64xf16>, %b: tensor<64xf16>)
tile.func private @twice(%a: !tile.t<[#A], !U>, %b: !tile.t<[#B], !V>) {
  tile.return
}
