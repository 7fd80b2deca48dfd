// RUN: tile-opt %s --canonicalize | FileCheck %s

//===----------------------------------------------------------------------===//
// Shape operations of constants and splats
//===----------------------------------------------------------------------===//

// A splat of a constant is a constant, and so is every shape operation of it.
// CHECK-LABEL: tile.func private @constants() ->
// CHECK-DAG: %[[A:.*]] = arith.constant dense<2.000000e+00> : tensor<1x4xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<32xf32>
// CHECK-DAG: %[[D:.*]] = arith.constant dense<2.000000e+00> : tensor<4x8xf32>
// CHECK-NEXT: tile.return %[[A]], %[[B]], %[[C]], %[[D]]
tile.func private @constants() -> (tensor<1x4xf32>, tensor<8x4xf32>, tensor<32xf32>, tensor<4x8xf32>) {
  %two = arith.constant 2.0 : f32
  %0 = tile.splat %two : f32 -> tensor<4xf32>
  %1 = tile.expand_dims %0, 0 : tensor<4xf32> -> tensor<1x4xf32>
  %2 = tile.broadcast %1 : tensor<1x4xf32> -> tensor<8x4xf32>
  %3 = tile.reshape %2 : tensor<8x4xf32> -> tensor<32xf32>
  %4 = tile.trans %2, [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  tile.return %1, %2, %3, %4 : tensor<1x4xf32>, tensor<8x4xf32>, tensor<32xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: tile.func private @bool_constant
// CHECK-NEXT: %[[A:.*]] = arith.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: tile.return %[[A]]
tile.func private @bool_constant() -> tensor<4xi1> {
  %true = arith.constant true
  %0 = tile.splat %true : i1 -> tensor<4xi1>
  tile.return %0 : tensor<4xi1>
}

// CHECK-LABEL: tile.func private @splats
// CHECK-DAG: %[[A:.*]] = tile.splat %p : !tile.ptr<f32> -> tensor<4x1x!tile.ptr<f32>>
// CHECK-DAG: %[[B:.*]] = tile.splat %p : !tile.ptr<f32> -> tensor<4x8x!tile.ptr<f32>>
// CHECK-DAG: %[[C:.*]] = tile.splat %p : !tile.ptr<f32> -> tensor<2x16x!tile.ptr<f32>>
// CHECK-DAG: %[[D:.*]] = tile.splat %p : !tile.ptr<f32> -> tensor<8x4x!tile.ptr<f32>>
// CHECK-NOT: tile.{{expand|broadcast|reshape|trans}}
// CHECK: tile.return %[[A]], %[[B]], %[[C]], %[[D]]
tile.func private @splats(%p: !tile.ptr<f32>) -> (tensor<4x1x!tile.ptr<f32>>, tensor<4x8x!tile.ptr<f32>>, tensor<2x16x!tile.ptr<f32>>, tensor<8x4x!tile.ptr<f32>>) {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %1 = tile.expand_dims %0, 1 : tensor<4x!tile.ptr<f32>> -> tensor<4x1x!tile.ptr<f32>>
  %2 = tile.broadcast %1 : tensor<4x1x!tile.ptr<f32>> -> tensor<4x8x!tile.ptr<f32>>
  %3 = tile.reshape %2 : tensor<4x8x!tile.ptr<f32>> -> tensor<2x16x!tile.ptr<f32>>
  %4 = tile.trans %2, [1, 0] : tensor<4x8x!tile.ptr<f32>> -> tensor<8x4x!tile.ptr<f32>>
  tile.return %1, %2, %3, %4 : tensor<4x1x!tile.ptr<f32>>, tensor<4x8x!tile.ptr<f32>>, tensor<2x16x!tile.ptr<f32>>, tensor<8x4x!tile.ptr<f32>>
}

// CHECK-LABEL: tile.func private @identities
// CHECK-NEXT: tile.return %x, %x, %x, %x
tile.func private @identities(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = tile.broadcast %x : tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = tile.reshape %x : tensor<4x4xf32> -> tensor<4x4xf32>
  %2 = tile.trans %x, [0, 1] : tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = tile.convert %x : tensor<4x4xf32> -> tensor<4x4xf32>
  tile.return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: tile.func private @reshapes
// CHECK-NEXT: %[[A:.*]] = tile.reshape %x : tensor<32xf32> -> tensor<2x16xf32>
// CHECK-NEXT: tile.return %x, %[[A]]
tile.func private @reshapes(%x: tensor<32xf32>) -> (tensor<32xf32>, tensor<2x16xf32>) {
  %0 = tile.reshape %x : tensor<32xf32> -> tensor<4x8xf32>
  %1 = tile.reshape %0 : tensor<4x8xf32> -> tensor<32xf32>
  %2 = tile.reshape %0 : tensor<4x8xf32> -> tensor<2x16xf32>
  tile.return %1, %2 : tensor<32xf32>, tensor<2x16xf32>
}

// A transposition of equal dimensions keeps the type but not the elements.
// CHECK-LABEL: tile.func private @unchanged_shapes
// CHECK-NEXT: %[[A:.*]] = tile.trans %x, [1, 0]
// CHECK-NEXT: %[[B:.*]] = tile.expand_dims %x, 0
// CHECK-NEXT: %[[C:.*]] = tile.broadcast %[[B]]
// CHECK-NEXT: %[[D:.*]] = tile.reshape %[[A]]
// CHECK-NEXT: tile.return %[[A]], %[[C]], %[[D]]
tile.func private @unchanged_shapes(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<16xf32>) {
  %0 = tile.trans %x, [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = tile.expand_dims %x, 0 : tensor<4x4xf32> -> tensor<1x4x4xf32>
  %2 = tile.broadcast %1 : tensor<1x4x4xf32> -> tensor<2x4x4xf32>
  %3 = tile.reshape %0 : tensor<4x4xf32> -> tensor<16xf32>
  tile.return %0, %2, %3 : tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<16xf32>
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

// By hand: f16 has 10 bits of fraction, so that 1 + 2^-10 + 2^-11 lies half-way
// between 1 + 2^-10 and 1 + 2^-9 (1.001953125), to even; towards zero it is
// 1 + 2^-10 (0x3C01). 65520 is half-way to 2^16: infinity (0x7C00), or the
// largest number, 65504 (0x7BFF).
// CHECK-LABEL: tile.func private @convert_constants
// CHECK-DAG: %[[A:.*]] = arith.constant 1.001950e+00 : f16
// CHECK-DAG: %[[B:.*]] = arith.constant 1.000980e+00 : f16
// CHECK-DAG: %[[C:.*]] = arith.constant 0x7C00 : f16
// CHECK-DAG: %[[D:.*]] = arith.constant 6.550400e+04 : f16
// CHECK-DAG: %[[E:.*]] = arith.constant dense<1.500000e+00> : tensor<4xbf16>
// CHECK-NOT: tile.convert
// CHECK: tile.return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
tile.func private @convert_constants() -> (f16, f16, f16, f16, tensor<4xbf16>) {
  %half_way = arith.constant 1.00146484375 : f32
  %large = arith.constant 65520.0 : f32
  %t = arith.constant dense<1.5> : tensor<4xf64>
  %0 = tile.convert %half_way : f32 -> f16
  %1 = tile.convert %half_way rtz : f32 -> f16
  %2 = tile.convert %large : f32 -> f16
  %3 = tile.convert %large rtz : f32 -> f16
  %4 = tile.convert %t : tensor<4xf64> -> tensor<4xbf16>
  tile.return %0, %1, %2, %3, %4 : f16, f16, f16, f16, tensor<4xbf16>
}

// Narrowing and widening again loses bits.
// CHECK-LABEL: tile.func private @unchanged_convert
// CHECK-NEXT: %[[A:.*]] = tile.convert %x : f32 -> f16
// CHECK-NEXT: %[[B:.*]] = tile.convert %[[A]] : f16 -> f32
// CHECK-NEXT: tile.return %[[B]]
tile.func private @unchanged_convert(%x: f32) -> f32 {
  %0 = tile.convert %x : f32 -> f16
  %1 = tile.convert %0 : f16 -> f32
  tile.return %1 : f32
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tile.func private @addptr
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : i64
// CHECK-NEXT: %[[A:.*]] = tile.addptr %p, %[[C1]]
// CHECK-NEXT: tile.return %p, %ps, %[[A]]
tile.func private @addptr(%p: !tile.ptr<f32>, %ps: tensor<4x!tile.ptr<f32>>) -> (!tile.ptr<f32>, tensor<4x!tile.ptr<f32>>, !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zeros = arith.constant dense<0> : tensor<4xi32>
  %0 = tile.addptr %p, %c0 : !tile.ptr<f32>, i64
  %1 = tile.addptr %ps, %zeros : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %2 = tile.addptr %p, %c1 : !tile.ptr<f32>, i64
  tile.return %0, %1, %2 : !tile.ptr<f32>, tensor<4x!tile.ptr<f32>>, !tile.ptr<f32>
}

// A mask that is true everywhere goes, with `other`; where it is false
// everywhere, `other` is the result. Hints stay.
// CHECK-LABEL: tile.func private @load_masks
// CHECK: %[[FALSE:.*]] = arith.constant dense<false>
// CHECK-NEXT: %[[A:.*]] = tile.load %ps cache(cg) : tensor<4x!tile.ptr<f32>>
// CHECK-NEXT: %[[B:.*]] = tile.load %p volatile : !tile.ptr<f32>
// CHECK-NEXT: %[[C:.*]] = tile.load %ps, %[[FALSE]], %o volatile
// CHECK-NEXT: %[[D:.*]] = tile.load %ps, %[[FALSE]] :
// CHECK-NEXT: tile.return %[[A]], %[[B]], %o, %[[C]], %[[D]]
tile.func private @load_masks(%p: !tile.ptr<f32>, %ps: tensor<4x!tile.ptr<f32>>, %o: tensor<4xf32>) -> (tensor<4xf32>, f32, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = arith.constant true
  %all = arith.constant dense<true> : tensor<4xi1>
  %none = arith.constant dense<false> : tensor<4xi1>
  %0 = tile.load %ps, %all, %o cache(cg) : tensor<4x!tile.ptr<f32>>
  %1 = tile.load %p, %true volatile : !tile.ptr<f32>
  %2 = tile.load %ps, %none, %o : tensor<4x!tile.ptr<f32>>
  %3 = tile.load %ps, %none, %o volatile : tensor<4x!tile.ptr<f32>>
  %4 = tile.load %ps, %none : tensor<4x!tile.ptr<f32>>
  tile.return %0, %1, %2, %3, %4 : tensor<4xf32>, f32, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// An unused load goes, a volatile one stays, and two volatile loads stay two.
// CHECK-LABEL: tile.func private @unused_loads
// CHECK-NEXT: tile.load %p volatile
// CHECK-NEXT: tile.load %p volatile
// CHECK-NEXT: tile.return
tile.func private @unused_loads(%p: !tile.ptr<f32>, %m: i1) {
  %0 = tile.load %p, %m : !tile.ptr<f32>
  %1 = tile.load %p volatile : !tile.ptr<f32>
  %2 = tile.load %p volatile : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func private @store_masks
// CHECK-NEXT: tile.store %ps, %v cache(cs) : tensor<4x!tile.ptr<f32>>
// CHECK-NEXT: tile.store %ps, %v, %m : tensor<4x!tile.ptr<f32>>
// CHECK-NEXT: tile.return
tile.func private @store_masks(%ps: tensor<4x!tile.ptr<f32>>, %v: tensor<4xf32>, %m: tensor<4xi1>) {
  %all = arith.constant dense<true> : tensor<4xi1>
  %none = arith.constant dense<false> : tensor<4xi1>
  tile.store %ps, %v, %all cache(cs) : tensor<4x!tile.ptr<f32>>
  tile.store %ps, %v, %none : tensor<4x!tile.ptr<f32>>
  tile.store %ps, %v, %m : tensor<4x!tile.ptr<f32>>
  tile.return
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// Nothing is combined along a dimension of size 1.
// CHECK-LABEL: tile.func private @reduce_one
// CHECK-NEXT: %[[A:.*]] = tile.reshape %x : tensor<4x1xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = tile.reshape %x : tensor<4x1xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = tile.reshape %i : tensor<4x1xi32> -> tensor<4xi32>
// CHECK-NEXT: tile.return %[[A]], %[[B]], %[[C]]
tile.func private @reduce_one(%x: tensor<4x1xf32>, %i: tensor<4x1xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %0 = tile.reduce %x axis 1 with arith.addf : (tensor<4x1xf32>) -> tensor<4xf32>
  %1:2 = tile.reduce %x, %i axis 1 : (tensor<4x1xf32>, tensor<4x1xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    tile.reduce.return %a, %ai : f32, i32
  }
  tile.return %0, %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: tile.func private @unchanged_reduce
// CHECK-NEXT: %[[A:.*]] = tile.reduce %x axis 0 with arith.addf
// CHECK-NEXT: %[[B:.*]] = tile.reduce %y axis 0 with arith.addf
// CHECK-NEXT: tile.return %[[A]], %[[B]]
tile.func private @unchanged_reduce(%x: tensor<4x1xf32>, %y: tensor<1xf32>) -> (tensor<1xf32>, f32) {
  %0 = tile.reduce %x axis 0 with arith.addf : (tensor<4x1xf32>) -> tensor<1xf32>
  %1 = tile.reduce %y axis 0 with arith.addf : (tensor<1xf32>) -> f32
  tile.return %0, %1 : tensor<1xf32>, f32
}
