// RUN: tile-opt %s --split-input-file --verify-diagnostics

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
// expected-error @below {{a buffer of 0 slots; it has 1 to 64}}
tile.func private @no_slots(%b: !tile_gpu.buffer<32xf32, #rows, slots = 0>) {
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
// expected-error @below {{a buffer of 65 slots; it has 1 to 64}}
tile.func private @many_slots(%b: !tile_gpu.buffer<32xf32, #rows, slots = 65>) {
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
// expected-error @below {{expected 'slots'}}
tile.func private @keyword(%b: !tile_gpu.buffer<32xf32, #rows, rings = 2>) {
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
!b = !tile_gpu.buffer<32xf32, #rows, slots = 2>
// expected-note @below {{prior use here}}
tile.func private @index(%b: !b, %i: i64) {
  // expected-error @below {{use of value '%i' expects different type than prior uses: 'i32' vs 'i64'}}
  %s = tile_gpu.slot %b[%i] : !b
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
!b = !tile_gpu.buffer<32xf32, #rows, slots = 2>
tile.func private @slot_type(%b: !b, %i: i32) {
  // expected-error @below {{'tile_gpu.slot' op failed to verify that the result is one slot of the buffer}}
  %s = "tile_gpu.slot"(%b, %i) : (!b, i32) -> !b
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
!b = !tile_gpu.buffer<128xf32, #rows, slots = 2>
tile.func private @store(%t: tensor<128xf32, #l>, %b: !b) {
  // expected-error @below {{'tile_gpu.local_store' op accesses one slot of a buffer}}
  tile_gpu.local_store %t, %b : tensor<128xf32, #l>, !b
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
!b = !tile_gpu.buffer<128xf32, #rows, slots = 2>
tile.func private @load(%b: !b) {
  // expected-error @below {{'tile_gpu.local_load' op accesses one slot of a buffer}}
  %t = tile_gpu.local_load %b : !b -> tensor<128xf32, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @no_pointers(%p: tensor<128xf32, #l>, %b: !tile_gpu.buffer<128xf32, #rows>) {
  // expected-error-re @below {{'tile_gpu.async_copy' op 'tensor<128xf32, {{.*}}>' does not point to elements of}}
  tile_gpu.async_copy %p, %b : tensor<128xf32, #l>, !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @pointee(%p: tensor<128x!tile.ptr<i32>, #l>, %b: !tile_gpu.buffer<128xf32, #rows>) {
  // expected-error-re @below {{'tile_gpu.async_copy' op 'tensor<128x!tile.ptr<i32>, {{.*}}>' does not point to elements of '!tile_gpu.buffer<128xf32,}}
  tile_gpu.async_copy %p, %b : tensor<128x!tile.ptr<i32>, #l>, !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
tile.func private @copy_shape(%p: tensor<128x!tile.ptr<f32>, #l>, %b: !tile_gpu.buffer<32xf32, #rows>) {
  // expected-error-re @below {{'tile_gpu.async_copy' op 'tensor<128x!tile.ptr<f32>, {{.*}}>' does not point to elements of '!tile_gpu.buffer<32xf32,}}
  tile_gpu.async_copy %p, %b : tensor<128x!tile.ptr<f32>, #l>, !tile_gpu.buffer<32xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @mask_element(%p: tensor<128x!tile.ptr<f32>, #l>, %b: !tile_gpu.buffer<128xf32, #rows>, %m: tensor<128xi8, #l>) {
  // expected-error-re @below {{'tile_gpu.async_copy' op the mask 'tensor<128xi8, {{.*}}>' does not go with 'tensor<128x!tile.ptr<f32>,}}
  tile_gpu.async_copy %p, %b, %m : tensor<128x!tile.ptr<f32>, #l>, !tile_gpu.buffer<128xf32, #rows>, tensor<128xi8, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#m = #tile_gpu.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func private @mask_layout(%p: tensor<128x!tile.ptr<f32>, #l>, %b: !tile_gpu.buffer<128xf32, #rows>, %m: tensor<128xi1, #m>) {
  // expected-error-re @below {{'tile_gpu.async_copy' op the mask 'tensor<128xi1, {{.*}}>' does not go with 'tensor<128x!tile.ptr<f32>,}}
  tile_gpu.async_copy %p, %b, %m : tensor<128x!tile.ptr<f32>, #l>, !tile_gpu.buffer<128xf32, #rows>, tensor<128xi1, #m>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @copy_ring(%p: tensor<128x!tile.ptr<f32>, #l>, %b: !tile_gpu.buffer<128xf32, #rows, slots = 2>) {
  // expected-error @below {{'tile_gpu.async_copy' op copies to one slot of a buffer}}
  tile_gpu.async_copy %p, %b : tensor<128x!tile.ptr<f32>, #l>, !tile_gpu.buffer<128xf32, #rows, slots = 2>
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @no_layout(%p: tensor<128x!tile.ptr<f32>>, %b: !tile_gpu.buffer<128xf32, #rows>) {
  // expected-error @below {{'tile_gpu.async_copy' op operand #0 must be a tensor with a layout, but got 'tensor<128x!tile.ptr<f32>>'}}
  tile_gpu.async_copy %p, %b : tensor<128x!tile.ptr<f32>>, !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @copy_warps(%p: tensor<128x!tile.ptr<f32>, #l>, %b: !tile_gpu.buffer<128xf32, #rows>) attributes {tile_gpu.num_warps = 2 : i32} {
  // expected-error @below {{is for 1 warps, the function has 2}}
  tile_gpu.async_copy %p, %b : tensor<128x!tile.ptr<f32>, #l>, !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @desc_element(%d: !tile.desc<128xi32>, %b: !tile_gpu.buffer<128xf32, #rows>, %i: i32) {
  // expected-error-re @below {{'tile_gpu.desc_copy' op '!tile.desc<128xi32>' and '!tile_gpu.buffer<128xf32, {{.*}}' differ in shape or element type}}
  tile_gpu.desc_copy %d[%i], %b layout #l : !tile.desc<128xi32>, [i32], !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @desc_shape(%d: !tile.desc<64xf32>, %b: !tile_gpu.buffer<128xf32, #rows>, %i: i32) {
  // expected-error-re @below {{'tile_gpu.desc_copy' op '!tile.desc<64xf32>' and '!tile_gpu.buffer<128xf32, {{.*}}' differ in shape or element type}}
  tile_gpu.desc_copy %d[%i], %b layout #l : !tile.desc<64xf32>, [i32], !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @offsets(%d: !tile.desc<128xf32>, %b: !tile_gpu.buffer<128xf32, #rows>, %i: i32, %j: i32) {
  // expected-error @below {{'tile_gpu.desc_copy' op has 2 offsets for '!tile.desc<128xf32>'}}
  tile_gpu.desc_copy %d[%i, %j], %b layout #l : !tile.desc<128xf32>, [i32, i32], !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @desc_ring(%d: !tile.desc<128xf32>, %b: !tile_gpu.buffer<128xf32, #rows, slots = 4>, %i: i32) {
  // expected-error @below {{'tile_gpu.desc_copy' op copies to one slot of a buffer}}
  tile_gpu.desc_copy %d[%i], %b layout #l : !tile.desc<128xf32>, [i32], !tile_gpu.buffer<128xf32, #rows, slots = 4>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @desc_warps(%d: !tile.desc<128xf32>, %b: !tile_gpu.buffer<128xf32, #rows>, %i: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{is for 1 warps, the function has 4}}
  tile_gpu.desc_copy %d[%i], %b layout #l : !tile.desc<128xf32>, [i32], !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @desc_layout(%d: !tile.desc<128xf32>, %b: !tile_gpu.buffer<128xf32, #rows>, %i: i32) {
  // expected-error-re @below {{'tile_gpu.desc_copy' op the layout of 'tensor<128xf32, {{.*}}' leaves elements without a thread}}
  tile_gpu.desc_copy %d[%i], %b layout #l : !tile.desc<128xf32>, [i32], !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @not_a_desc(%p: !tile.ptr<f32>, %b: !tile_gpu.buffer<128xf32, #rows>, %i: i32) {
  // expected-error @below {{'tile_gpu.desc_copy' op operand #0 must be a descriptor, but got '!tile.ptr<f32>'}}
  tile_gpu.desc_copy %p[%i], %b layout #l : !tile.ptr<f32>, [i32], !tile_gpu.buffer<128xf32, #rows>
  tile.return
}

// -----

tile.func private @pending() {
  // expected-error @below {{'tile_gpu.async_wait' op pending = -1 is not in [0, 64]}}
  tile_gpu.async_wait pending = -1
  tile.return
}

// -----

tile.func private @pending_many() {
  // expected-error @below {{'tile_gpu.async_wait' op pending = 65 is not in [0, 64]}}
  tile_gpu.async_wait pending = 65
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @wgmma_pending(%t: tensor<128xf32, #l>) {
  // expected-error @below {{'tile_gpu.wgmma_wait' op pending = -1 is not in [0, 64]}}
  %r = tile_gpu.wgmma_wait %t pending = -1 : tensor<128xf32, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @wgmma_pending_many(%t: tensor<128xf32, #l>) {
  // expected-error @below {{'tile_gpu.wgmma_wait' op pending = 65 is not in [0, 64]}}
  %r = tile_gpu.wgmma_wait %t pending = 65 : tensor<128xf32, #l>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
tile.func private @wgmma_wait_warps(%t: tensor<128xf32, #l>) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{is for 1 warps, the function has 4}}
  %r = tile_gpu.wgmma_wait %t pending = 0 : tensor<128xf32, #l>
  tile.return
}
