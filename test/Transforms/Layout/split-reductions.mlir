// RUN: tile-opt %s --tile-gpu-split-reductions | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-split-reductions --remark-format=emitRemark --remarks-filter='tile-gpu-split-reductions' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Coordinates by hand. Bit 9 (512) is in a register, bits 8 and 7 are over warps,
// bits 6 to 0 in registers and lanes: runs of 2, 4 and 128 elements. The four
// warps come to the front, the other 2 * 128 elements are reduced first.
#vector = #tile_gpu.layout<register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
// CHECK-LABEL: tile.func private @vector
// CHECK-NEXT: %[[A:.*]] = tile.reshape %x : {{.*}} -> tensor<2x4x128xf32, #tile_gpu.layout<register = {{.}}[0, 0, 1], [0, 0, 2], [1, 0, 0]], lane = {{.}}[0, 0, 4], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64]], warp = {{.}}[0, 1, 0], [0, 2, 0]]>>
// CHECK-NEXT: %[[B:.*]] = tile.trans %[[A]], [1, 0, 2] : {{.*}} -> tensor<4x2x128xf32, #tile_gpu.layout<register = {{.}}[0, 0, 1], [0, 0, 2], [0, 1, 0]], {{.*}}, warp = {{.}}[1, 0, 0], [2, 0, 0]]>>
// CHECK-NEXT: %[[C:.*]] = tile.reshape %[[B]] : {{.*}} -> tensor<4x256xf32, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [0, 128]], lane = {{.}}[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = {{.}}[1, 0], [2, 0]]>>
// CHECK-NEXT: %[[D:.*]] = tile.reduce %[[C]] axis 1 with arith.addf : {{.*}} -> tensor<4xf32, #tile_gpu.layout<register = [], lane = {{.}}[0], [0], [0], [0], [0]], warp = {{.}}[1], [2]]>>
// CHECK-NEXT: %[[E:.*]] = tile_gpu.convert_layout %[[D]] : {{.*}} -> tensor<4xf32, #tile_gpu.layout<register = {{.}}[1], [2]], lane = {{.}}[0], [0], [0], [0], [0]], warp = {{.}}[0], [0]]>>
// CHECK-NEXT: %[[F:.*]] = tile.reduce %[[E]] axis 0 with arith.addf : {{.*}} -> f32
// CHECK-NEXT: tile.return %[[F]] : f32
// REMARK: [Passed] split-reduction | Category:tile-gpu-split-reductions | Function=vector | Partials=4
tile.func private @vector(%x: tensor<1024xf32, #vector>) -> f32 attributes {tile_gpu.num_warps = 4 : i32} {
  %0 = tile.reduce %x axis 0 with arith.addf : (tensor<1024xf32, #vector>) -> f32
  tile.return %0 : f32
}

// One warp bit on the axis (64), the other on the rows, which stay apart.
#rows = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[0, 64], [1, 0]]>
#sums = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [1]]>
// CHECK-LABEL: tile.func private @rows
// CHECK: %[[D:.*]] = tile.reduce %{{.*}} axis 2 with arith.maximumf : (tensor<2x2x64xf32, {{.*}} -> tensor<2x2xf32, #tile_gpu.layout<register = [], lane = {{.*}}, warp = {{.}}[0, 1], [1, 0]]>>
// CHECK-NEXT: %[[E:.*]] = tile_gpu.convert_layout %[[D]] : {{.*}} -> tensor<2x2xf32, #tile_gpu.layout<register = {{.}}[0, 1]], lane = {{.}}[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = {{.}}[0, 0], [1, 0]]>>
// CHECK-NEXT: %[[F:.*]] = tile.reduce %[[E]] axis 1 with arith.maximumf : {{.*}} -> tensor<2xf32, #tile_gpu.layout<register = [], lane = {{.}}[0], [0], [0], [0], [0]], warp = {{.}}[0], [1]]>>
// CHECK-NEXT: tile.return %[[F]]
// REMARK: Function=rows | Partials=2
tile.func private @rows(%x: tensor<2x128xf32, #rows>) -> tensor<2xf32, #sums> attributes {tile_gpu.num_warps = 4 : i32} {
  %0 = tile.reduce %x axis 1 with arith.maximumf : (tensor<2x128xf32, #rows>) -> tensor<2xf32, #sums>
  tile.return %0 : tensor<2xf32, #sums>
}

// The users' layout of the result is kept by a conversion at the end.
#wanted = #tile_gpu.layout<register = [], lane = [[1], [0], [0], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @converted
// CHECK: %[[F:.*]] = tile.reduce %{{.*}} axis 1 with arith.addf : {{.*}} -> tensor<2xf32, {{.*}} warp = {{.}}[0], [1]]>>
// CHECK-NEXT: %[[G:.*]] = tile_gpu.convert_layout %[[F]] : {{.*}} -> tensor<2xf32, #tile_gpu.layout<register = [], lane = {{.}}[1], [0], [0], [0], [0]], warp = {{.}}[0], [0]]>>
// CHECK-NEXT: tile.return %[[G]]
tile.func private @converted(%x: tensor<2x128xf32, #rows>) -> tensor<2xf32, #wanted> attributes {tile_gpu.num_warps = 4 : i32} {
  %0 = tile.reduce %x axis 1 with arith.addf : (tensor<2x128xf32, #rows>) -> tensor<2xf32, #wanted>
  tile.return %0 : tensor<2xf32, #wanted>
}

// Two sources: both are cut, and the region is copied into both reductions.
// CHECK-LABEL: tile.func private @argmax
// CHECK: tile.reshape %x
// CHECK: tile.reshape %i
// CHECK: %[[D:.*]]:2 = tile.reduce %{{.*}}, %{{.*}} axis 1 : (tensor<4x256xf32, {{.*}}, tensor<4x256xi32, {{.*}}) -> (tensor<4xf32, {{.*}}, tensor<4xi32, {{.*}}) {
// CHECK: arith.cmpf ogt
// CHECK: tile.reduce.return %{{.*}}, %{{.*}} : f32, i32
// CHECK: %[[E:.*]] = tile_gpu.convert_layout %[[D]]#0
// CHECK-NEXT: %[[EI:.*]] = tile_gpu.convert_layout %[[D]]#1
// CHECK-NEXT: %[[F:.*]]:2 = tile.reduce %[[E]], %[[EI]] axis 0 : {{.*}} -> (f32, i32) {
// CHECK: arith.cmpf ogt
// CHECK: tile.return %[[F]]#0, %[[F]]#1
// REMARK: Function=argmax | Partials=4
tile.func private @argmax(%x: tensor<1024xf32, #vector>, %i: tensor<1024xi32, #vector>) -> (f32, i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %max, %arg = tile.reduce %x, %i axis 0 : (tensor<1024xf32, #vector>, tensor<1024xi32, #vector>) -> (f32, i32) {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %gt, %a, %b : f32
    %vi = arith.select %gt, %ai, %bi : i32
    tile.reduce.return %v, %vi : f32, i32
  }
  tile.return %max, %arg : f32, i32
}

// Unchanged: the axis is in lanes only, warps being on the rows, ...
#inside = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NEXT: %[[A:.*]] = tile.reduce %x axis 1 with arith.addf : (tensor<4x32xf32, {{.*}}
// CHECK-NEXT: tile.return %[[A]]
// REMARK: [Missed] split-reduction | Category:tile-gpu-split-reductions | Function=unchanged | Reason="one warp holds the whole axis"
tile.func private @unchanged(%x: tensor<4x32xf32, #inside>) -> tensor<4xf32> attributes {tile_gpu.num_warps = 4 : i32} {
  %0 = tile.reduce %x axis 1 with arith.addf : (tensor<4x32xf32, #inside>) -> tensor<4xf32>
  tile.return %0 : tensor<4xf32>
}

// ... or all warps hold copies.
#copies = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @copies
// CHECK-NEXT: %[[A:.*]] = tile.reduce %x axis 0 with arith.addf : (tensor<32xf32, {{.*}} -> f32
// CHECK-NEXT: tile.return %[[A]]
// REMARK: [Missed] {{.*}} Function=copies
tile.func private @copies(%x: tensor<32xf32, #copies>) -> f32 attributes {tile_gpu.num_warps = 4 : i32} {
  %0 = tile.reduce %x axis 0 with arith.addf : (tensor<32xf32, #copies>) -> f32
  tile.return %0 : f32
}
