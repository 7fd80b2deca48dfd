// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{0 mbarriers; there are 1 to 64}}
tile.func private @none(%b: !tile_gpu.mbarrier<0>) {
  tile.return
}

// -----

// expected-error @below {{65 mbarriers; there are 1 to 64}}
tile.func private @many(%b: !tile_gpu.mbarrier<65>) {
  tile.return
}

// -----

tile.func private @arrivals() {
  // expected-error @below {{'tile_gpu.mbarrier_init' op arrivals = 0 is not in [1, 1048575]}}
  %b = tile_gpu.mbarrier_init arrivals = 0 : !tile_gpu.mbarrier<1>
  tile.return
}

// -----

tile.func private @offset() {
  // expected-error @below {{'tile_gpu.mbarrier_init' op offset 8 is not a non-negative multiple of 16}}
  %b = tile_gpu.mbarrier_init arrivals = 1 offset = 8 : !tile_gpu.mbarrier<1>
  tile.return
}

// -----

tile.func private @nested(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error @below {{'tile_gpu.mbarrier_init' op expects parent op 'tile.func'}}
    %b = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<1>
  }
  tile.return
}

// -----

tile.func private @bytes(%b: !tile_gpu.mbarrier<1>, %i: i32) {
  // expected-error @below {{'tile_gpu.mbarrier_expect' op expects 1048576 bytes, which is not in [1, 1048575]}}
  tile_gpu.mbarrier_expect %b[%i], 1048576 : !tile_gpu.mbarrier<1>
  tile.return
}

// -----

tile.func private @pending() {
  // expected-error @below {{'tile_gpu.tma_store_wait' op pending = -1 is not in [0, 64]}}
  tile_gpu.tma_store_wait pending = -1
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!b = !tile_gpu.buffer<8x8xf16, #s>
tile.func private @coordinates(%m: !tile.tensor_map<8x8xf16>, %t: !b, %i: i32) {
  // expected-error @below {{'tile_gpu.tma_store' op has 1 coordinates for a map of rank 2}}
  tile_gpu.tma_store %t, %m[%i] : !b, !tile.tensor_map<8x8xf16>
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!b = !tile_gpu.buffer<8x8xf16, #s, slots = 2>
tile.func private @slots(%m: !tile.tensor_map<8x8xf16>, %t: !b, %i: i32) {
  // expected-error @below {{'tile_gpu.tma_store' op copies one slot of a buffer}}
  tile_gpu.tma_store %t, %m[%i, %i] : !b, !tile.tensor_map<8x8xf16>
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!b = !tile_gpu.buffer<8x8xbf16, #s>
tile.func private @element(%m: !tile.tensor_map<8x8xf16>, %t: !b, %i: i32) {
  // expected-error @below {{'tile_gpu.tma_store' op a map of 'f16' does not fit a buffer of 'bf16'}}
  tile_gpu.tma_store %t, %m[%i, %i] : !b, !tile.tensor_map<8x8xf16>
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!b = !tile_gpu.buffer<8x8xf16, #s>
tile.func private @batch(%m: !tile.tensor_map<2x8x8xf16>, %t: !b, %i: i32) {
  // expected-error @below {{'tile_gpu.tma_store' op boxes of rank 3 do not fill a buffer of rank 2}}
  tile_gpu.tma_store %t, %m[%i, %i, %i] : !b, !tile.tensor_map<2x8x8xf16>
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!b = !tile_gpu.buffer<8x8xf16, #s>
!bars = !tile_gpu.mbarrier<1>
tile.func private @shape(%m: !tile.tensor_map<8x16xf16>, %t: !b, %bars: !bars, %i: i32) {
  // expected-error @below {{'tile_gpu.tma_load' op a tile of 8x8 elements does not consist of boxes of 8x16}}
  tile_gpu.tma_load %m[%i, %i], %t, %bars[%i] : !tile.tensor_map<8x16xf16>, !b, !bars
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
!b = !tile_gpu.buffer<8x16xf16, #s>
!bars = !tile_gpu.mbarrier<1>
tile.func private @swizzle(%m: !tile.tensor_map<8x16xf16, swizzle = 64>, %t: !b, %bars: !bars, %i: i32) {
  // expected-error @below {{'tile_gpu.tma_load' op a row of the box has 32 bytes, its swizzle 64}}
  tile_gpu.tma_load %m[%i, %i], %t, %bars[%i] : !tile.tensor_map<8x16xf16, swizzle = 64>, !b, !bars
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
!b = !tile_gpu.buffer<8x16xf16, #s>
!bars = !tile_gpu.mbarrier<1>
tile.func private @layout(%m: !tile.tensor_map<8x16xf16, swizzle = 32>, %t: !b, %bars: !bars, %i: i32) {
  // expected-error @below {{'tile_gpu.tma_load' op the buffer is not laid out as copies with a swizzle of 32 bytes fill it}}
  tile_gpu.tma_load %m[%i, %i], %t, %bars[%i] : !tile.tensor_map<8x16xf16, swizzle = 32>, !b, !bars
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
tile.func private @ring(%m: !tile.tensor_map<4x8xf16>, %i: i32) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<4x8xf16, #s, slots = 2>
  %t = tile_gpu.slot %ring[%i] : !tile_gpu.buffer<4x8xf16, #s, slots = 2>
  // expected-error @below {{'tile_gpu.tma_store' op slots of 64 bytes do not begin at multiples of 128}}
  tile_gpu.tma_store %t, %m[%i, %i] : !tile_gpu.buffer<4x8xf16, #s>, !tile.tensor_map<4x8xf16>
  tile.return
}

// -----

#s = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8]]>
tile.func private @aligned(%m: !tile.tensor_map<8x16xf16, swizzle = 32>, %i: i32) {
  %t = tile_gpu.alloc offset = 128 : !tile_gpu.buffer<8x16xf16, #s>
  // expected-error @below {{'tile_gpu.tma_store' op the buffer begins at byte 128, not at a multiple of 256}}
  tile_gpu.tma_store %t, %m[%i, %i] : !tile_gpu.buffer<8x16xf16, #s>, !tile.tensor_map<8x16xf16, swizzle = 32>
  tile.return
}

// -----

tile.func private @load_end(%t: !tile_gpu.buffer<8xf16, #tile_gpu.shared<[[1], [2], [4]]>>) {
  // expected-error @below {{'tile_gpu.tma_load_end' op operand #0 must be mbarriers}}
  "tile_gpu.tma_load_end"(%t) : (!tile_gpu.buffer<8xf16, #tile_gpu.shared<[[1], [2], [4]]>>) -> ()
  tile.return
}
