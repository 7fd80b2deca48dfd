// RUN: tile-opt %s --tile-gpu-assign-layouts | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-layouts --remark-format=emitRemark --remarks-filter='tile-gpu-assign-layouts' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Control flow ties what it passes on; where anchors differ, the most bytes win.

// CHECK-LABEL: tile.func @loop
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane = {{.}}[2], [4], [8], [16], [32]], warp = []>>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: %[[A:.*]] = tile.load {{.*}} #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: arith.addf %[[ACC]], %[[A]] : tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: scf.yield
// CHECK: tile.store {{.*}}, %[[SUM]]
// REMARK: Function=loop | Classes=1, Conversions=0, ConvertedBytes=0
tile.func @loop(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %sum = scf.for %i = %n to %n step %n iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<64x!tile.ptr<f32>>
    %b = arith.addf %acc, %a : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  tile.store %ps, %sum {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<64x!tile.ptr<f32>>
  tile.return
}

// The access in the loop counts tenfold: 10 * 256 bytes against 3 * 256.
// CHECK-LABEL: tile.func @loop_weighs_more
// CHECK: scf.for
// CHECK: tile.load {{.*}} #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: tile.store {{.*}} #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: tile.store {{.*}} #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: tile.store {{.*}} #tile_gpu.layout<register = {{.}}[1]], lane
// REMARK: Function=loop_weighs_more | Classes=1, Conversions=0, ConvertedBytes=0
tile.func @loop_weighs_more(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %sum = scf.for %i = %n to %n step %n iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<64x!tile.ptr<f32>>
    %b = arith.addf %acc, %a : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  tile.store %ps, %sum : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %sum : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Without the loop the three stores win: width 1 deals the elements out singly.
// CHECK-LABEL: tile.func @most_bytes
// CHECK: tile.load {{.*}} #tile_gpu.layout<register = {{.}}[32]], lane = {{.}}[1], [2], [4], [8], [16]], warp = []>>
tile.func @most_bytes(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %a : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %a : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %a : tensor<64x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @branch
// CHECK: %[[R:.*]] = scf.if %c -> (tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: tile.load {{.*}} #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: } else {
// CHECK: scf.yield %{{.*}} : tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: tile.store {{.*}}, %[[R]]
tile.func @branch(%p: !tile.ptr<f32>, %c: i1, %x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %o = tile.splat %x : f32 -> tensor<64xf32>
  %r = scf.if %c -> tensor<64xf32> {
    %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<64x!tile.ptr<f32>>
    scf.yield %a : tensor<64xf32>
  } else {
    scf.yield %o : tensor<64xf32>
  }
  tile.store %ps, %r {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<64x!tile.ptr<f32>>
  tile.return
}

// All places of the value that a while loop carries.
// CHECK-LABEL: tile.func @while
// CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (tensor<64xf32, #tile_gpu.layout<{{.*}}>>) -> tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: scf.condition(%c) %[[A]] : tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane
// CHECK: ^bb0(%{{.*}}: tensor<64xf32, #tile_gpu.layout<register = {{.}}[1]], lane
// REMARK: Function=while | Classes=1, Conversions=0, ConvertedBytes=0
tile.func @while(%p: !tile.ptr<f32>, %c: i1, %x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %o = tile.splat %x : f32 -> tensor<64xf32>
  %r = scf.while (%a = %o) : (tensor<64xf32>) -> tensor<64xf32> {
    scf.condition(%c) %a : tensor<64xf32>
  } do {
  ^bb0(%b: tensor<64xf32>):
    %d = arith.addf %b, %b : tensor<64xf32>
    scf.yield %d : tensor<64xf32>
  }
  tile.store %ps, %r {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Only free values: a default, of one element a thread along the last dimension.
// The sums of the rows have a default of their own, 4 lanes, to which what the
// reduction gives (element 2 in a register, 1 in a warp) is converted: 4 * 4 bytes.
// CHECK-LABEL: tile.func @only_free
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<4x32x!tile.ptr<f32>, #tile_gpu.layout<register = {{.}}[2, 0]], lane = {{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{.}}[1, 0]]>>
// CHECK: tile.reduce %{{.*}} axis 1 with arith.addf : (tensor<4x32xf32, #tile_gpu.layout<register = {{.}}[2, 0]], lane = {{.*}}, warp = {{.}}[1, 0]]>>)
// CHECK: tile_gpu.convert_layout %{{.*}} : tensor<4xf32, #tile_gpu.layout<register = {{.}}[2]], lane = {{.}}[0], [0], [0], [0], [0]], warp = {{.}}[1]]>> -> tensor<4xf32, #tile_gpu.layout<register = [], lane = {{.}}[1], [2], [0], [0], [0]], warp = {{.}}[0]]>>
// CHECK: tile.reduce {{.*}} -> f32
// REMARK: Function=only_free | Classes=1, Conversions=1, ConvertedBytes=16
tile.func @only_free(%p: !tile.ptr<f32>, %x: f32) attributes {tile_gpu.num_warps = 2 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x32x!tile.ptr<f32>>
  %v = tile.splat %x : f32 -> tensor<4x32xf32>
  tile.store %ps, %v : tensor<4x32x!tile.ptr<f32>>
  %s = tile.reduce %v axis 1 with arith.addf : (tensor<4x32xf32>) -> tensor<4xf32>
  %t = tile.reduce %s axis 0 with arith.addf : (tensor<4xf32>) -> f32
  tile.store %p, %t : !tile.ptr<f32>
  tile.return
}

// Unchanged: no tensors.
// CHECK-LABEL: tile.func @unchanged
// CHECK-NEXT: %[[A:.*]] = tile.load %p : !tile.ptr<f32>
// CHECK-NEXT: tile.store %p, %[[A]] : !tile.ptr<f32>
// CHECK-NEXT: tile.return
// REMARK: Function=unchanged | Classes=0, Conversions=0, ConvertedBytes=0
tile.func @unchanged(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.load %p : !tile.ptr<f32>
  tile.store %p, %a : !tile.ptr<f32>
  tile.return
}
