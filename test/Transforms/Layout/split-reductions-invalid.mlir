// RUN: tile-opt %s --verify-diagnostics --tile-gpu-split-reductions

tile.func private @no_layout(%x: tensor<32xf32>) -> f32 attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{a reduction is split by the layout of its source, which has none}}
  %0 = tile.reduce %x axis 0 with arith.addf : (tensor<32xf32>) -> f32
  tile.return %0 : f32
}
