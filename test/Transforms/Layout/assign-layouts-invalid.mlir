// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-assign-layouts

// expected-error @below {{layouts need the number of warps; run tile-gpu-choose-warps before}}
tile.func @no_warps(%p: !tile.ptr<f32>) {
  tile.return
}

// -----

// A number of warps that no program can have counts as none.
// expected-error @below {{layouts need the number of warps; run tile-gpu-choose-warps before}}
tile.func @odd_warps(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 3 : i32} {
  tile.return
}

// -----

// expected-error @below {{layouts need the number of warps; run tile-gpu-choose-warps before}}
tile.func @many_warps(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1073741824 : i32} {
  tile.return
}

// -----

tile.func @constant() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{a constant tensor needs one value for all of its elements}}
  %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
  tile.return
}

// -----

tile.func @foreign() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{'ub.poison' of tensors is not supported in a kernel}}
  %0 = ub.poison : tensor<4xf32>
  tile.return
}

// -----

tile.func private @callee(%t: tensor<4xf32>) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{'tile.call' of tensors is not supported in a kernel}}
  tile.call @callee(%t) : (tensor<4xf32>) -> ()
  tile.return
}
