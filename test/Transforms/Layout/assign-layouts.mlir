// RUN: tile-opt %s --tile-gpu-assign-layouts | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-layouts --remark-format=emitRemark --remarks-filter='tile-gpu-assign-layouts' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Layouts by hand from the rules of blocked layouts: `width` elements a thread
// along the axis of the access (fewer when the tensor has not enough for all
// threads), then lanes, then warps; what is left goes to registers.

// 4 elements a thread, 32 * 4 = 128 a warp; the bit of 128 is left. Pointers are
// splats, made in the layout that they are needed in.
// CHECK-LABEL: tile.func @one_warp
// CHECK: tile.splat %p : {{.*}} -> tensor<256x!tile.ptr<f32>, #tile_gpu.layout<register = {{.}}[1], [2], [128]], lane = {{.}}[4], [8], [16], [32], [64]], warp = []>>
// CHECK-NEXT: %[[A:.*]] = tile.load {{.*}} tensor<256x!tile.ptr<f32>, #tile_gpu.layout<register = {{.}}[1], [2], [128]], lane
// CHECK-NEXT: %[[B:.*]] = arith.addf %[[A]], %[[A]] : tensor<256xf32, #tile_gpu.layout<register = {{.}}[1], [2], [128]], lane
// CHECK-NEXT: tile.store %{{.*}}, %[[B]] {{.*}} tensor<256x!tile.ptr<f32>, #tile_gpu.layout<register = {{.}}[1], [2], [128]], lane
// REMARK: Function=one_warp | Classes=1, Conversions=0, ConvertedBytes=0
tile.func @one_warp(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<256x!tile.ptr<f32>>
  %b = arith.addf %a, %a : tensor<256xf32>
  tile.store %ps, %b {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<256x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @four_warps
// CHECK: tile.load {{.*}} #tile_gpu.layout<register = {{.}}[1], [2]], lane = {{.}}[4], [8], [16], [32], [64]], warp = {{.}}[128], [256]]>>
tile.func @four_warps(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 4 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<512x!tile.ptr<f32>>
  tile.store %ps, %a {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<512x!tile.ptr<f32>>
  tile.return
}

// 128 elements for 128 threads: one each, whatever the width.
// CHECK-LABEL: tile.func @narrowed
// CHECK: tile.load {{.*}} #tile_gpu.layout<register = [], lane = {{.}}[1], [2], [4], [8], [16]], warp = {{.}}[32], [64]]>>
tile.func @narrowed(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 4 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<128x!tile.ptr<f32>>
  tile.store %ps, %a : tensor<128x!tile.ptr<f32>>
  tile.return
}

// Fewer elements than threads: copies in the upper lanes and warps.
// CHECK-LABEL: tile.func @replicated
// CHECK: tile.load {{.*}} #tile_gpu.layout<register = [], lane = {{.}}[1], [2], [4], [8], [0]], warp = {{.}}[0]]>>
tile.func @replicated(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 2 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %a = tile.load %ps : tensor<16x!tile.ptr<f32>>
  tile.store %ps, %a : tensor<16x!tile.ptr<f32>>
  tile.return
}

// Rows of 32: 4 a thread, so 8 lanes a row, 4 rows a warp; 8 * 4 rows in
// registers. Both sides of the transposition want rows: one conversion, of
// 32 * 32 * 4 bytes, to the layout with coordinates exchanged.
// CHECK-LABEL: tile.func @transposed
// CHECK: %[[A:.*]] = tile.load {{.*}} #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], lane = {{.}}[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = []>>
// CHECK-NEXT: %[[B:.*]] = tile_gpu.convert_layout %[[A]] : {{.*}} -> tensor<32x32xf32, #tile_gpu.layout<register = {{.}}[1, 0], [2, 0], [0, 4], [0, 8], [0, 16]], lane = {{.}}[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = []>>
// CHECK-NEXT: %[[C:.*]] = tile.trans %[[B]], [1, 0] : {{.*}} -> tensor<32x32xf32, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], lane
// CHECK-NEXT: tile.store %{{.*}}, %[[C]]
// REMARK: Function=transposed | Classes=2, Conversions=1, ConvertedBytes=4096
tile.func @transposed(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>} : tensor<32x32x!tile.ptr<f32>>
  %b = tile.trans %a, [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %ps, %b {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>} : tensor<32x32x!tile.ptr<f32>>
  tile.return
}

// The axis of the access is the fast one: here columns.
// CHECK-LABEL: tile.func @columns
// CHECK: tile.load {{.*}} #tile_gpu.layout<register = {{.}}[1, 0], [2, 0], [0, 8]], lane = {{.}}[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
tile.func @columns(%p: !tile.ptr<f16>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<16x16x!tile.ptr<f16>>
  tile.store %ps, %a {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<16x16x!tile.ptr<f16>>
  tile.return
}

// A reduction drops its coordinate, expand_dims and broadcast bring it back:
// the layouts follow from the access, and nothing is converted.
// CHECK-LABEL: tile.func @row_sums
// CHECK: %[[A:.*]] = tile.load {{.*}} #tile_gpu.layout<register = {{.}}[1, 0], [2, 0], [4, 0]], lane = {{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>>
// CHECK-NEXT: %[[S:.*]] = tile.reduce %[[A]] axis 1 with arith.addf : {{.*}} -> tensor<8xf32, #tile_gpu.layout<register = {{.}}[1], [2], [4]], lane = {{.}}[0], [0], [0], [0], [0]], warp = []>>
// CHECK-NEXT: %[[E:.*]] = tile.expand_dims %[[S]], 1 : {{.*}} -> tensor<8x1xf32, #tile_gpu.layout<register = {{.}}[1, 0], [2, 0], [4, 0]], lane = {{.}}[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
// CHECK-NEXT: %[[B:.*]] = tile.broadcast %[[E]] : {{.*}} -> tensor<8x32xf32, #tile_gpu.layout<register = {{.}}[1, 0], [2, 0], [4, 0]], lane = {{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>>
// CHECK-NEXT: arith.subf %[[A]], %[[B]]
// REMARK: Function=row_sums | Classes=3, Conversions=0, ConvertedBytes=0
tile.func @row_sums(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x32x!tile.ptr<f32>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 1, axis = 1>} : tensor<8x32x!tile.ptr<f32>>
  %s = tile.reduce %a axis 1 with arith.addf : (tensor<8x32xf32>) -> tensor<8xf32>
  %e = tile.expand_dims %s, 1 : tensor<8xf32> -> tensor<8x1xf32>
  %b = tile.broadcast %e : tensor<8x1xf32> -> tensor<8x32xf32>
  %d = arith.subf %a, %b : tensor<8x32xf32>
  tile.store %ps, %d {tile_gpu.access = #tile_gpu.access<direct, width = 1, axis = 1>} : tensor<8x32x!tile.ptr<f32>>
  tile.return
}

// One arange for rows and columns becomes two, each in its slice of the layout
// of @transposed; the first goes.
// CHECK-LABEL: tile.func @free_values
// CHECK-DAG: %[[COL:.*]] = tile.arange : tensor<32xi32, #tile_gpu.layout<register = {{.}}[1], [2]], lane = {{.}}[4], [8], [16], [0], [0]], warp = []>>
// CHECK-DAG: %[[ROW:.*]] = tile.arange : tensor<32xi32, #tile_gpu.layout<register = {{.}}[4], [8], [16]], lane = {{.}}[0], [0], [0], [1], [2]], warp = []>>
// CHECK-NOT: tile.arange
// CHECK-DAG: tile.expand_dims %[[ROW]], 1
// CHECK-DAG: tile.expand_dims %[[COL]], 0
// CHECK: tile.load
tile.func @free_values(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %r = tile.arange : tensor<32xi32>
  %row = tile.expand_dims %r, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %col = tile.expand_dims %r, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %cols = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %offsets = arith.addi %rows, %cols : tensor<32x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %q = tile.addptr %ps, %offsets : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %a = tile.load %q {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>} : tensor<32x32x!tile.ptr<f32>>
  tile.store %q, %a {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>} : tensor<32x32x!tile.ptr<f32>>
  tile.return
}
