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

// -----

#ends = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tile.func private @between_parts(%t: tensor<128xf32, #ends>) {
  // expected-error @below {{offset 32 is no multiple of 64 inside of 128}}
  %0 = tile_gpu.extract_slice %t[32] : tensor<128xf32, #ends> -> tensor<64xf32, #half>
  tile.return
}

// -----

#ends = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tile.func private @behind_the_end(%t: tensor<128xf32, #ends>) {
  // expected-error @below {{offset 128 is no multiple of 64 inside of 128}}
  %0 = tile_gpu.extract_slice %t[128] : tensor<128xf32, #ends> -> tensor<64xf32, #half>
  tile.return
}

// -----

#ends = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tile.func private @negative(%t: tensor<128xf32, #ends>) {
  // expected-error @below {{offset -64 is no multiple of 64 inside of 128}}
  %0 = tile_gpu.extract_slice %t[-64] : tensor<128xf32, #ends> -> tensor<64xf32, #half>
  tile.return
}

// -----

#ends = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tile.func private @too_many_offsets(%t: tensor<128xf32, #ends>) {
  // expected-error @below {{takes a part of rank 1 at 2 offsets of a tensor of rank 1}}
  %0 = tile_gpu.extract_slice %t[0, 0] : tensor<128xf32, #ends> -> tensor<64xf32, #half>
  tile.return
}

// -----

#ends = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tile.func private @other_type(%t: tensor<128xf32, #ends>) {
  // expected-error @below {{'tile_gpu.extract_slice' op the part is a 'tensor<64xf32}}
  %0 = tile_gpu.extract_slice %t[64] : tensor<128xf32, #ends> -> tensor<64xf16, #half>
  tile.return
}

// -----

#lanes = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
#few = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
tile.func private @parts_of_lanes(%t: tensor<64xf32, #lanes>) {
  // expected-error @below {{a part of shape 16 of 'tensor<64xf32}}
  %0 = tile_gpu.extract_slice %t[16] : tensor<64xf32, #lanes> -> tensor<16xf32, #few>
  tile.return
}
