// RUN: tile-opt %s --tile-gpu-choose-warps | FileCheck %s
// RUN: tile-opt %s --tile-gpu-choose-warps=num-warps=2 | FileCheck %s --check-prefix=OPTION
// RUN: tile-opt %s --tile-gpu-choose-warps --remark-format=emitRemark --remarks-filter='tile-gpu-choose-warps' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Without a reduction a thread holds 8 elements of the largest tensor:
// 2048 / (8 * 32) = 8 warps.
// CHECK-LABEL: tile.func @elementwise
// CHECK-SAME: tile_gpu.num_warps = 8 : i32
// OPTION-LABEL: tile.func @elementwise
// OPTION-SAME: tile_gpu.num_warps = 2 : i32
// REMARK: [Passed] num-warps | Category:tile-gpu-choose-warps | Function=elementwise
// REMARK-SAME: Elements=2048, Reason="from the largest tensor, without a reduction", Warps=8{{$}}
tile.func @elementwise(%p: !tile.ptr<f32>) {
  %r = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %a = tile.load %ps : tensor<2048x!tile.ptr<f32>>
  tile.store %ps, %a : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// With one, 32 elements: 4096 / (32 * 32) = 4 warps.
// CHECK-LABEL: tile.func @reduction
// CHECK-SAME: tile_gpu.num_warps = 4 : i32
// REMARK: Function=reduction
// REMARK-SAME: Elements=4096, Reason="from the largest tensor, with a reduction", Warps=4{{$}}
tile.func @reduction(%p: !tile.ptr<f32>) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %a = tile.load %ps : tensor<64x64x!tile.ptr<f32>>
  %s = tile.reduce %a axis 0 with arith.addf : (tensor<64x64xf32>) -> tensor<64xf32>
  %t = tile.reduce %s axis 0 with arith.addf : (tensor<64xf32>) -> f32
  tile.store %p, %t : !tile.ptr<f32>
  tile.return
}

// At least one warp, at most 16, unless a thread would hold more than 64.
// CHECK-LABEL: tile.func @small
// CHECK-SAME: tile_gpu.num_warps = 1 : i32
// REMARK: Function=small
// REMARK-SAME: Elements=128, {{.*}}, Warps=1{{$}}
tile.func @small() {
  %r = tile.arange : tensor<128xi32>
  tile.return
}
// CHECK-LABEL: tile.func @large
// CHECK-SAME: tile_gpu.num_warps = 16 : i32
// REMARK: Function=large
// REMARK-SAME: Elements=32768, {{.*}}, Warps=16{{$}}
tile.func @large() {
  %r = tile.arange : tensor<32768xi32>
  tile.return
}
// CHECK-LABEL: tile.func @crowded
// CHECK-SAME: tile_gpu.num_warps = 32 : i32
// REMARK: Function=crowded
// REMARK-SAME: Elements=65536, {{.*}}, Warps=32{{$}}
tile.func @crowded() {
  %r = tile.arange : tensor<65536xi32>
  tile.return
}
// CHECK-LABEL: tile.func @scalars
// CHECK-SAME: tile_gpu.num_warps = 1 : i32
// REMARK: Function=scalars
// REMARK-SAME: Elements=1, {{.*}}, Warps=1{{$}}
tile.func @scalars(%p: !tile.ptr<f32>, %x: f32) {
  tile.store %p, %x : !tile.ptr<f32>
  tile.return
}

// The author's number wins over the choice, the option over the author's.
// CHECK-LABEL: tile.func @author
// CHECK-SAME: attributes {tile.num_warps = 32 : i32, tile_gpu.num_warps = 32 : i32}
// OPTION-LABEL: tile.func @author
// OPTION-SAME: attributes {tile.num_warps = 32 : i32, tile_gpu.num_warps = 2 : i32}
// REMARK: Function=author
// REMARK-SAME: Elements=128, Reason="from tile.num_warps", Warps=32{{$}}
tile.func @author() attributes {tile.num_warps = 32 : i32} {
  %r = tile.arange : tensor<128xi32>
  tile.return
}

// Unchanged: the body, and a choice that is already there.
// CHECK-LABEL: tile.func @unchanged
// CHECK-SAME: attributes {tile.num_warps = 1 : i32, tile_gpu.num_warps = 1 : i32}
// CHECK-NEXT: tile.arange : tensor<4xi32>
// CHECK-NEXT: tile.return
tile.func @unchanged() attributes {tile.num_warps = 1 : i32, tile_gpu.num_warps = 1 : i32} {
  %r = tile.arange : tensor<4xi32>
  tile.return
}

// A dot: registers for 64 * 64 accumulators, two operands of 64 * 32 / 2 and the
// loads of them, each with 8 elements an access: 4096 + 2048 + 2048 + 512 * 4
// = 10240; one warp would have 320 of them a thread, two have 160.
// CHECK-LABEL: tile.func @dot
// CHECK-SAME: tile_gpu.num_warps = 2 : i32
// REMARK: Function=dot
// REMARK-SAME: Reason="from the registers of dots and loads"
tile.func @dot(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %y: f32) {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 1>} : tensor<64x32x!tile.ptr<f16>>
  %b = tile.load %qs {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 1>} : tensor<32x64x!tile.ptr<f16>>
  %c = tile.splat %y : f32 -> tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// The same with one element an access: 8192 + 4096 * 4 = 24576; 384 a thread of
// two warps, 192 of four.
// CHECK-LABEL: tile.func @narrow_dot
// CHECK-SAME: tile_gpu.num_warps = 4 : i32
// REMARK: Function=narrow_dot
tile.func @narrow_dot(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %y: f32) {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %a = tile.load %ps : tensor<64x32x!tile.ptr<f16>>
  %b = tile.load %qs : tensor<32x64x!tile.ptr<f16>>
  %c = tile.splat %y : f32 -> tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// The same through descriptors: each element has a register until it is packed,
// addresses take what 16-byte accesses would: 4096 + 2048 + 2 * (2048 + 256 * 4) =
// 12288; 384 a thread of one warp, 192 of two.
// CHECK-LABEL: tile.func @narrow_descriptors
// CHECK-SAME: tile_gpu.num_warps = 2 : i32
// REMARK: Function=narrow_descriptors
tile.func @narrow_descriptors(%p: !tile.ptr<f16>, %n: i32, %y: f32) {
  %d = tile.make_desc %p, [%n, %n], [%n, %n] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %e = tile.make_desc %p, [%n, %n], [%n, %n] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x64xf16>
  %a = tile.desc_load %d[%n, %n] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
  %b = tile.desc_load %e[%n, %n] : !tile.desc<32x64xf16>, [i32, i32] -> tensor<32x64xf16>
  %c = tile.splat %y : f32 -> tensor<64x64xf32>
  %r = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// No number of warps has room for 65536 + 4096 registers: 48 are missing in each
// thread of 8 warps (272 of 224), 39 in each of 16 (136 of 97, since 512 threads have
// 128 registers each), 12288 against 19968 in all.
// CHECK-LABEL: tile.func @too_large
// CHECK-SAME: tile_gpu.num_warps = 8 : i32
// REMARK: Function=too_large
tile.func @too_large(%x: f16, %y: f32) {
  %a = tile.splat %x : f16 -> tensor<256x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x256xf16>
  %c = tile.splat %y : f32 -> tensor<256x256xf32>
  %r = tile.dot %a, %b, %c : tensor<256x16xf16>, tensor<16x256xf16> -> tensor<256x256xf32>
  tile.return
}
