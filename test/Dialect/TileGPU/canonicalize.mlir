// RUN: tile-opt %s --canonicalize | %inline-layouts | FileCheck %s

#a = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#b = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
#c = #tile_gpu.layout<register = [[2]], lane = [[1], [4], [8], [16], [32]], warp = []>

// Layouts are told apart by their only register.

// CHECK-LABEL: tile.func private @same_layout
// CHECK-NEXT: tile.return %x
tile.func private @same_layout(%x: tensor<64xf32, #a>) -> tensor<64xf32, #a> {
  %0 = tile_gpu.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #a>
  tile.return %0 : tensor<64xf32, #a>
}

// CHECK-LABEL: tile.func private @constant
// CHECK-NEXT: %[[V:.*]] = arith.constant dense<1.000000e+00> : tensor<64xf32, #tile_gpu.layout<register = {{.}}[32]],
// CHECK-NEXT: tile.return %[[V]]
tile.func private @constant() -> tensor<64xf32, #b> {
  %one = arith.constant dense<1.0> : tensor<64xf32, #a>
  %0 = tile_gpu.convert_layout %one : tensor<64xf32, #a> -> tensor<64xf32, #b>
  tile.return %0 : tensor<64xf32, #b>
}

// CHECK-LABEL: tile.func private @splat
// CHECK-NEXT: %[[V:.*]] = tile.splat %x : f32 -> tensor<64xf32, #tile_gpu.layout<register = {{.}}[32]],
// CHECK-NEXT: tile.return %[[V]]
tile.func private @splat(%x: f32) -> tensor<64xf32, #b> {
  %t = tile.splat %x : f32 -> tensor<64xf32, #a>
  %0 = tile_gpu.convert_layout %t : tensor<64xf32, #a> -> tensor<64xf32, #b>
  tile.return %0 : tensor<64xf32, #b>
}

// CHECK-LABEL: tile.func private @twice
// CHECK-NEXT: %[[V:.*]] = tile_gpu.convert_layout %x : {{.*}} -> tensor<64xf32, #tile_gpu.layout<register = {{.}}[2]],
// CHECK-NEXT: tile.return %[[V]]
tile.func private @twice(%x: tensor<64xf32, #a>) -> tensor<64xf32, #c> {
  %0 = tile_gpu.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %1 = tile_gpu.convert_layout %0 : tensor<64xf32, #b> -> tensor<64xf32, #c>
  tile.return %1 : tensor<64xf32, #c>
}

// CHECK-LABEL: tile.func private @there_and_back
// CHECK-NEXT: tile.return %x
tile.func private @there_and_back(%x: tensor<64xf32, #a>) -> tensor<64xf32, #a> {
  %0 = tile_gpu.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %1 = tile_gpu.convert_layout %0 : tensor<64xf32, #b> -> tensor<64xf32, #a>
  tile.return %1 : tensor<64xf32, #a>
}

// CHECK-LABEL: tile.func private @unchanged
// CHECK-NEXT: %[[V:.*]] = tile_gpu.convert_layout %x
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[V]], %[[V]]
// CHECK-NEXT: tile.return %[[S]]
tile.func private @unchanged(%x: tensor<64xf32, #a>) -> tensor<64xf32, #b> {
  %0 = tile_gpu.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %1 = arith.addf %0, %0 : tensor<64xf32, #b>
  tile.return %1 : tensor<64xf32, #b>
}

// Shape operations of constants and splats keep the layout of their result.
// CHECK-LABEL: tile.func private @layout_kept
// CHECK-DAG: %[[S:.*]] = tile.splat %x : f32 -> tensor<64xf32, #tile_gpu.layout<register = {{.}}[32]],
// CHECK-DAG: %[[K:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32, #tile_gpu.layout<register = {{.}}[2]],
// CHECK: tile.return %[[S]], %[[K]]
#flat = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = []>
tile.func private @layout_kept(%x: f32) -> (tensor<64xf32, #b>, tensor<64xf32, #c>) {
  %zero = arith.constant dense<0.0> : tensor<1x64xf32, #flat>
  %s = tile.splat %x : f32 -> tensor<1x64xf32, #flat>
  %0 = tile.reshape %s : tensor<1x64xf32, #flat> -> tensor<64xf32, #b>
  %1 = tile.reshape %zero : tensor<1x64xf32, #flat> -> tensor<64xf32, #c>
  tile.return %0, %1 : tensor<64xf32, #b>, tensor<64xf32, #c>
}
