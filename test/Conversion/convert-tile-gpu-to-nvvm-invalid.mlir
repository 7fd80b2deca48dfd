// RUN: tile-opt %s --split-input-file --verify-diagnostics --convert-tile-gpu-to-nvvm

// expected-error @below {{failed to legalize operation 'tile.func'}}
// expected-error @below {{a kernel needs its number of warps; run tile-gpu-choose-warps before}}
tile.func @no_warps() {
  tile.return
}

// -----

// expected-error @below {{failed to legalize operation 'tile.func'}}
// expected-error @below {{a kernel needs its number of warps; run tile-gpu-choose-warps before}}
tile.func @odd_warps() attributes {tile_gpu.num_warps = 1000000000 : i32} {
  tile.return
}

// -----

// expected-error @below {{a private function cannot be lowered; run tile-inline-calls before}}
tile.func private @helper(%x: f32) -> f32 attributes {tile_gpu.num_warps = 1 : i32} {
  tile.return %x : f32
}

// -----

tile.func @no_layout(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{a tensor has no layout; run tile-gpu-assign-layouts before}}
  %0 = tile.splat %x : f32 -> tensor<32xf32>
  tile.return
}

// -----

// An encoding that is no layout.
tile.func @other_encoding(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{a tensor has no layout; run tile-gpu-assign-layouts before}}
  %0 = tile.splat %x : f32 -> tensor<32xf32, "rows">
  tile.return
}

// -----

tile.func @float8(%x: f8E5M2) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{'arith.addf' of 8-bit floats is not supported}}
  %0 = arith.addf %x, %x : f8E5M2
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#m = #tile_gpu.layout<register = [], lane = [[2], [1], [4], [8], [16]], warp = []>
tile.func @between_threads(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<32xf32, #l>
  // expected-error @below {{failed to legalize operation 'tile_gpu.convert_layout'}}
  // expected-error @below {{a conversion between threads was not lowered to shared memory}}
  %0 = tile_gpu.convert_layout %a : tensor<32xf32, #l> -> tensor<32xf32, #m>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#m = #tile_gpu.layout<register = [], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []>
tile.func @operand_layout(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<32xf32, #l>
  // expected-error @below {{failed to legalize operation 'tile.reshape'}}
  // expected-error @below {{the operand's layout does not fit the result's}}
  %0 = tile.reshape %a : tensor<32xf32, #l> -> tensor<4x8xf32, #m>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
tile.func @across_warps(%x: f32) attributes {tile_gpu.num_warps = 2 : i32} {
  %a = tile.splat %x : f32 -> tensor<64xf32, #l>
  // expected-error @below {{failed to legalize operation 'tile.reduce'}}
  // expected-error @below {{a reduction crosses warps, or mixes dimensions}}
  %0 = tile.reduce %a axis 0 with arith.addf : (tensor<64xf32, #l>) -> f32
  tile.return
}

// -----

// One lane bit moves along both dimensions.
#l = #tile_gpu.layout<register = [[1, 0]], lane = [[1, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#s = #tile_gpu.layout<register = [[1]], lane = [[1], [0], [0], [0], [0]], warp = []>
tile.func @mixed(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<2x32xf32, #l>
  // expected-error @below {{failed to legalize operation 'tile.reduce'}}
  // expected-error @below {{a reduction crosses warps, or mixes dimensions}}
  %0 = tile.reduce %a axis 1 with arith.addf : (tensor<2x32xf32, #l>) -> tensor<2xf32, #s>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func @two_results(%x: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : i32 -> tensor<32xi32, #l>
  // expected-error @below {{failed to legalize operation 'tile.reduce'}}
  %0 = tile.reduce %a axis 0 : (tensor<32xi32, #l>) -> i32 {
  ^bb0(%b: i32, %c: i32):
    // expected-error @below {{is not supported in a combine region}}
    %sum, %carry = arith.addui_extended %b, %c : i32, i1
    tile.reduce.return %sum : i32
  }
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func @pointers(%x: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #l>
  // expected-error @below {{failed to legalize operation 'tile.reduce'}}
  %0 = tile.reduce %a axis 0 : (tensor<32x!tile.ptr<f32>, #l>) -> !tile.ptr<f32> {
  ^bb0(%b: !tile.ptr<f32>, %c: !tile.ptr<f32>):
    // expected-error @below {{is not supported in a combine region}}
    %d = tile.addptr %b, %n : !tile.ptr<f32>, i32
    tile.reduce.return %d : !tile.ptr<f32>
  }
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
tile.func @no_offset() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{failed to legalize operation 'tile_gpu.alloc'}}
  // expected-error @below {{a buffer has no offset; run tile-gpu-allocate-shared before}}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #rows>
  tile.return
}

// -----

// The compiler's own symbol.
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
// expected-error @below {{the name '__tessera_shared' belongs to the compiler}}
tile.func @__tessera_shared() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{failed to legalize operation 'tile_gpu.alloc'}}
  %0 = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<32xf32, #rows>
  tile.return
}

// -----

tile.func @blocks(%c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{failed to legalize operation 'cf.cond_br'}}
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  tile.return
}
