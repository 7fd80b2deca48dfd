// RUN: tile-opt %s --split-input-file --verify-diagnostics

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func private @shape(%t: tensor<32xf32, #l>) {
  // expected-error @below {{'tile_gpu.convert_layout' op changes more than the layout, from 'tensor<32xf32}}
  %0 = tile_gpu.convert_layout %t : tensor<32xf32, #l> -> tensor<32xf16, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func private @no_layout(%t: tensor<32xf32>) {
  // expected-error @below {{'tile_gpu.convert_layout' op operand #0 must be a tensor with a layout, but got 'tensor<32xf32>'}}
  %0 = tile_gpu.convert_layout %t : tensor<32xf32> -> tensor<32xf32, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func private @warps(%t: tensor<32xf32, #l>) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{is for 1 warps, the function has 4}}
  %0 = tile_gpu.convert_layout %t : tensor<32xf32, #l> -> tensor<32xf32, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#m = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
tile.func private @result_warps(%t: tensor<32xf32, #l>) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{is for 2 warps, the function has 1}}
  %0 = tile_gpu.convert_layout %t : tensor<32xf32, #l> -> tensor<32xf32, #m>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
tile.func private @store_element(%t: tensor<32xf32, #l>) {
  %b = tile_gpu.alloc : !tile_gpu.buffer<32xi32, #rows>
  // expected-error @below {{differ in shape or element type}}
  tile_gpu.local_store %t, %b : tensor<32xf32, #l>, !tile_gpu.buffer<32xi32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8]]>
tile.func private @load_shape() {
  %b = tile_gpu.alloc : !tile_gpu.buffer<16xf32, #rows>
  // expected-error @below {{differ in shape or element type}}
  %0 = tile_gpu.local_load %b : !tile_gpu.buffer<16xf32, #rows> -> tensor<32xf32, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
tile.func private @load_warps() attributes {tile_gpu.num_warps = 8 : i32} {
  %b = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #rows>
  // expected-error @below {{'tile_gpu.local_load' op the layout of}}
  %0 = tile_gpu.local_load %b : !tile_gpu.buffer<32xf32, #rows> -> tensor<32xf32, #l>
  tile.return
}

// -----

tile.func private @alloc_type() {
  // expected-error @below {{expected '<'}}
  %b = tile_gpu.alloc : tensor<32xf32>
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
tile.func private @alloc_negative() {
  // expected-error @below {{'tile_gpu.alloc' op offset -16 is not a non-negative multiple of 16}}
  %b = tile_gpu.alloc offset = -16 : !tile_gpu.buffer<32xf32, #rows>
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
tile.func private @alloc_misaligned() {
  // expected-error @below {{'tile_gpu.alloc' op offset 8 is not a non-negative multiple of 16}}
  %b = tile_gpu.alloc offset = 8 : !tile_gpu.buffer<32xf32, #rows>
  tile.return
}
