// What is converted around matrix products, and what is not. #acc is the layout of
// the accumulators of an m16n8k16, #a and #b those of its operands, for one warp
// and a 16 x 16 x 16 product (assign-dots.mlir has the formulas).

// RUN: tile-opt %s --tile-gpu-assign-layouts | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-layouts --remark-format=emitRemark --remarks-filter='tile-gpu-assign-layouts' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-gpu-assign-layouts --tile-gpu-stage-conversions --remark-format=emitRemark --remarks-filter='tile-gpu-stage-conversions' -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAGE

// A loop of products. Operands are loaded as memory likes them and converted, 2 a
// step; accumulators stay where they are; the result is converted once, behind the
// loop, as f16 and not as f32: 3 conversions. 2 * 256 elements of f16 are 1024 bytes
// in the loop, 512 behind it.
// CHECK-LABEL: tile.func @loop
// CHECK: %[[INIT:.*]] = arith.constant dense<0.000000e+00> : tensor<16x16xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]]) -> (tensor<16x16xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>)
// CHECK: %[[LA:.*]] = tile.load
// CHECK: %[[LB:.*]] = tile.load
// CHECK: %[[A:.*]] = tile_gpu.convert_layout %[[LA]]
// CHECK-NEXT: %[[B:.*]] = tile_gpu.convert_layout %[[LB]]
// CHECK-NEXT: %[[NEXT:.*]] = tile.dot %[[A]], %[[B]], %[[ACC]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: %[[OUT:.*]] = tile.convert %[[SUM]]
// CHECK-NEXT: %[[STORED:.*]] = tile_gpu.convert_layout %[[OUT]] : tensor<16x16xf16, {{.*}}> -> tensor<16x16xf16, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [0, 4]], lane = {{.}}[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>>
// CHECK-NEXT: tile.store %{{.*}}, %[[STORED]]
// CHECK-NOT: tile_gpu.convert_layout
// REMARK: Function=loop | Classes=3, Conversions=3, ConvertedBytes=1536
tile.func @loop(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %init = arith.constant dense<0.0> : tensor<16x16xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<16x16xf32>) : i32 {
    %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 1>} : tensor<16x16x!tile.ptr<f16>>
    %b = tile.load %qs {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 1>} : tensor<16x16x!tile.ptr<f16>>
    %next = tile.dot %a, %b, %acc {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %out = tile.convert %sum : tensor<16x16xf32> -> tensor<16x16xf16>
  tile.store %ps, %out {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 1>} : tensor<16x16x!tile.ptr<f16>>
  tile.return
}

// Accumulators stay in a branch and in a while loop, too.
// CHECK-LABEL: tile.func @branches
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
// REMARK: Function=branches | Classes=1, Conversions=0, ConvertedBytes=0
tile.func @branches(%x: f16, %y: f32, %p: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %c = tile.splat %y : f32 -> tensor<16x16xf32>
  %sum = scf.while (%acc = %c) : (tensor<16x16xf32>) -> tensor<16x16xf32> {
    scf.condition(%p) %acc : tensor<16x16xf32>
  } do {
  ^bb0(%acc: tensor<16x16xf32>):
    %next = scf.if %p -> (tensor<16x16xf32>) {
      %d = tile.dot %a, %a, %acc {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %acc : tensor<16x16xf32>
    }
    scf.yield %next : tensor<16x16xf32>
  }
  tile.return
}

// A product of a product: C of f16 is A of the next one, register for register.
// CHECK-LABEL: tile.func @dot_of_dot
// CHECK: %[[S:.*]] = tile.dot
// CHECK: %[[P:.*]] = tile.convert %[[S]]
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.dot %[[P]], %{{.*}}, %{{.*}}
// REMARK: Function=dot_of_dot | Classes=2, Conversions=0, ConvertedBytes=0
tile.func @dot_of_dot(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %c = tile.splat %y : f32 -> tensor<16x16xf32>
  %s = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %p = tile.convert %s : tensor<16x16xf32> -> tensor<16x16xf16>
  %d = tile.dot %p, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.return
}

// ... of its transpose on the right: C^T has the lanes of B, and the registers in
// another order, row 1, column 8, row 8 for row 1, row 8, column 8. A thread sorts
// them by itself.
// CHECK-LABEL: tile.func @transposed_right
// CHECK: %[[T:.*]] = tile.trans {{.*}} -> tensor<16x16xf16, #tile_gpu.layout<register = {{.}}[1, 0], [0, 8], [8, 0]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK: %[[B:.*]] = tile_gpu.convert_layout %[[T]] : {{.*}} -> tensor<16x16xf16, #tile_gpu.layout<register = {{.}}[1, 0], [8, 0], [0, 8]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK: tile.dot %{{.*}}, %[[B]], %{{.*}}
// REMARK: Function=transposed_right | {{.*}}Conversions=1, ConvertedBytes=512
// STAGE: [Missed] {{.*}} Function=transposed_right | Reason="each thread holds what it needs"
tile.func @transposed_right(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %c = tile.splat %y : f32 -> tensor<16x16xf32>
  %s = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %p = tile.convert %s : tensor<16x16xf32> -> tensor<16x16xf16>
  %t = tile.trans %p, [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
  %d = tile.dot %a, %t, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.return
}

// ... on the left: lane bits are rows where they have to be columns. One conversion,
// between threads.
// CHECK-LABEL: tile.func @transposed_left
// CHECK: tile.trans
// CHECK: %[[A:.*]] = tile_gpu.convert_layout
// CHECK: tile.dot %[[A]], %{{.*}}, %{{.*}}
// REMARK: Function=transposed_left | {{.*}}Conversions=1, ConvertedBytes=512
// STAGE: [Passed] {{.*}} Function=transposed_left |
tile.func @transposed_left(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %c = tile.splat %y : f32 -> tensor<16x16xf32>
  %s = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %p = tile.convert %s : tensor<16x16xf32> -> tensor<16x16xf16>
  %t = tile.trans %p, [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
  %d = tile.dot %t, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.return
}

// Two instructions on the same accumulators cannot both have their way: the second
// product gets its sums converted, there and back, 1024 bytes each.
// CHECK-LABEL: tile.func @disagreement
// CHECK: %[[D:.*]] = tile.dot
// CHECK: %[[FMA:.*]] = tile_gpu.convert_layout %[[D]]
// CHECK: %[[E:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[FMA]] precision(ieee)
// CHECK: tile_gpu.convert_layout %[[E]]
// REMARK: Function=disagreement | {{.*}}Conversions=2, ConvertedBytes=2048
tile.func @disagreement(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<16x16xf32>
  %c = tile.splat %x : f32 -> tensor<16x16xf32>
  %d = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %e = tile.dot %a, %a, %d precision(ieee) {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// Unchanged but for its layout: a store of what is no product is tied to its value.
// CHECK-LABEL: tile.func @unchanged
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
// REMARK: Function=unchanged | Classes=1, Conversions=0, ConvertedBytes=0
tile.func @unchanged(%p: !tile.ptr<f16>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 1>} : tensor<16x16x!tile.ptr<f16>>
  %b = arith.addf %a, %a : tensor<16x16xf16>
  tile.store %ps, %b {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 1>} : tensor<16x16x!tile.ptr<f16>>
  tile.return
}
