// Faults of reductions: more than two dimensions, dimensions of one element, copies
// that are counted as elements, several results with ties, NaN in extremes.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %python %S/../Kernels/Inputs/ptx_profile.py 'shfl|bar|(st|ld).shared' < %t.ptx | FileCheck %s --check-prefix=PROFILE
// RUN: %if ptxas %{ tile-opt %s --emit=cubin -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// Seven kernels have a faster variant beside them.
// CUBIN: 16 kernels

// Three dimensions, reduced one after the other, the middle one first. A lane has 4
// of the 8 and all 4 of the outermost; lanes are 16 and 2 of the others. So there are
// 4 values to exchange for the middle one, and for the last 4 times one.
// CHECK-LABEL: .entry three_dims_kernel(
// CHECK: shfl.sync.bfly.b32 {{.*}}, 16, 31, -1;
// CHECK: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
// CHECK: shfl.sync.bfly.b32 {{.*}}, 2, 31, -1;
// CHECK: shfl.sync.bfly.b32 {{.*}}, 4, 31, -1;
// CHECK: shfl.sync.bfly.b32 {{.*}}, 8, 31, -1;
// CHECK: st.global.b32
// PROFILE: three_dims_kernel: 32 threads; 8 shfl.sync.bfly.b32
tile.func @three_dims_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<512xi32>
  %offsets = tile.reshape %range : tensor<512xi32> -> tensor<4x8x16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4x8x16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %offsets : tensor<4x8x16x!tile.ptr<f32>>, tensor<4x8x16xi32>
  %v = tile.load %px : tensor<4x8x16x!tile.ptr<f32>>
  %middle = tile.reduce %v axis 1 with arith.addf : (tensor<4x8x16xf32>) -> tensor<4x16xf32>
  %first = tile.reduce %middle axis 0 with arith.addf : (tensor<4x16xf32>) -> tensor<16xf32>
  %sum = tile.reduce %first axis 0 with arith.addf : (tensor<16xf32>) -> f32
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// Four dimensions: 8 in a thread, 4 over the warps, 2 and 16 over the lanes. log2(32)
// exchanges, and one passage through shared memory.
// CHECK-LABEL: .entry four_dims_kernel(
// CHECK: st.global.b32
// PROFILE: four_dims_kernel: 128 threads; 1 bar.sync, 1 ld.shared.v4.b32, 5 shfl.sync.bfly.b32, 1 st.shared.b32
tile.func @four_dims_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %range = tile.arange : tensor<1024xi32>
  %offsets = tile.reshape %range : tensor<1024xi32> -> tensor<8x4x2x16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x4x2x16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %offsets : tensor<8x4x2x16x!tile.ptr<f32>>, tensor<8x4x2x16xi32>
  %v = tile.load %px : tensor<8x4x2x16x!tile.ptr<f32>>
  %0 = tile.reduce %v axis 0 with arith.addf : (tensor<8x4x2x16xf32>) -> tensor<4x2x16xf32>
  %1 = tile.reduce %0 axis 2 with arith.addf : (tensor<4x2x16xf32>) -> tensor<4x2xf32>
  %2 = tile.reduce %1 axis 0 with arith.addf : (tensor<4x2xf32>) -> tensor<2xf32>
  %sum = tile.reduce %2 axis 0 with arith.addf : (tensor<2xf32>) -> f32
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// Dimensions of one element: nothing is combined. -0.0 stays what it is, which a sum
// with +0.0 would not leave.
// CHECK-LABEL: .entry size_one_kernel(
// CHECK-NOT: add{{(.rn)?}}.f32
// CHECK: ret;
// PROFILE: size_one_kernel: 32 threads; {{$}}
tile.func @size_one_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f32>>
  %row = tile.expand_dims %v, 0 : tensor<32xf32> -> tensor<1x32xf32>
  %a = tile.reduce %row axis 0 with arith.addf : (tensor<1x32xf32>) -> tensor<32xf32>
  %column = tile.expand_dims %a, 1 : tensor<32xf32> -> tensor<32x1xf32>
  %b = tile.reduce %column axis 1 with arith.addf : (tensor<32x1xf32>) -> tensor<32xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %py = tile.addptr %ys, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %py, %b : tensor<32x!tile.ptr<f32>>
  tile.return
}
// CHECK-LABEL: .entry only_element_kernel(
// CHECK-NOT: add{{(.rn)?}}.f32
// CHECK: st.global.b32
// PROFILE: only_element_kernel: 32 threads; {{$}}
tile.func @only_element_kernel(%x: f32, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %xs = tile.splat %x : f32 -> tensor<1xf32>
  %sum = tile.reduce %xs axis 0 with arith.addf : (tensor<1xf32>) -> f32
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// Copies do not count: 16 elements in 128 threads are summed in log2(16) = 4 steps
// between lanes, and each warp has all of them.
// CHECK-LABEL: .entry copies_kernel(
// PROFILE: copies_kernel: 128 threads; 4 shfl.sync.bfly.b32
tile.func @copies_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %range = tile.arange : tensor<16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %px : tensor<16x!tile.ptr<f32>>
  %sum = tile.reduce %v axis 0 with arith.addf : (tensor<16xf32>) -> f32
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// ... but elements that a broadcast makes do: x eight times is 8 x. Its 32 x 8 elements
// are 8 a lane, over lanes along the rows: each is exchanged log2(8) times, and added.
// CHECK-LABEL: .entry broadcast_kernel(
// CHECK-COUNT-24: add.s32
// PROFILE: broadcast_kernel: 32 threads; {{.*}}, 24 shfl.sync.bfly.b32
tile.func @broadcast_kernel(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<i32>>
  %column = tile.expand_dims %v, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %many = tile.broadcast %column : tensor<32x1xi32> -> tensor<32x8xi32>
  %sum = tile.reduce %many axis 1 with arith.addi : (tensor<32x8xi32>) -> tensor<32xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %py = tile.addptr %ys, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %py, %sum : tensor<32x!tile.ptr<i32>>
  tile.return
}
// Sixty-four ones, in two warps: log2(32) exchanges, and both warps' sums.
// CHECK-LABEL: .entry splat_kernel(
// PROFILE: splat_kernel: 64 threads; 1 bar.sync, 1 ld.shared.v2.b32, 5 shfl.sync.bfly.b32, 1 st.shared.b32
tile.func @splat_kernel(%y: !tile.ptr<i32>) attributes {tile.num_warps = 2 : i32} {
  %ones = arith.constant dense<1> : tensor<64xi32>
  %sum = tile.reduce %ones axis 0 with arith.addi : (tensor<64xi32>) -> i32
  tile.store %y, %sum : !tile.ptr<i32>
  tile.return
}

// Two results of one reduction: both travel in each of the 5 exchanges, and on ties the
// smaller index is kept whatever the order of combination.
// CHECK-LABEL: .entry argmax_kernel(
// PROFILE: argmax_kernel: 32 threads; 10 shfl.sync.bfly.b32
tile.func @argmax_kernel(%x: !tile.ptr<f32>, %m: !tile.ptr<f32>, %i: !tile.ptr<i32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f32>>
  %max, %arg = tile.reduce %v, %range axis 0 : (tensor<32xf32>, tensor<32xi32>) -> (f32, i32) {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f32
    %eq = arith.cmpf oeq, %a, %b : f32
    %lt = arith.cmpi slt, %ai, %bi : i32
    %tie = arith.andi %eq, %lt : i1
    %first = arith.ori %gt, %tie : i1
    %best = arith.select %first, %a, %b : f32
    %besti = arith.select %first, %ai, %bi : i32
    tile.reduce.return %best, %besti : f32, i32
  }
  tile.store %m, %max : !tile.ptr<f32>
  tile.store %i, %arg : !tile.ptr<i32>
  tile.return
}

// maximumf and minimumf keep NaN, maxnumf and minnumf drop it.
// CHECK-LABEL: .entry nan_kernel(
// CHECK-COUNT-5: max.NaN.f32
// CHECK-NOT: .NaN
// CHECK-COUNT-5: min.f32
// CHECK: ret;
tile.func @nan_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f32>>
  %max = tile.reduce %v axis 0 with arith.maximumf : (tensor<32xf32>) -> f32
  tile.store %y, %max : !tile.ptr<f32>
  %min = tile.reduce %v axis 0 with arith.minnumf : (tensor<32xf32>) -> f32
  tile.store %y, %min : !tile.ptr<f32>
  tile.return
}
