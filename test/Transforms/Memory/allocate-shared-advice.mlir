// RUN: not tile-opt %s --split-input-file --tile-gpu-allocate-shared 2>&1 | FileCheck %s

// What fits in place of buffers that exceed the 232448 bytes of sm_90a; the driver's
// test shared-advice.test follows such advice.

#kb64 = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>

// 4 slots of 65536 bytes; 3 take 196608. Threads read them: a stage more than slots.
// CHECK: error: 'ring' needs 262144 bytes
// CHECK: note: the largest does not fit alone; num_stages = 4 fits
module {
  tile.func @ring() attributes {tile_gpu.num_warps = 1 : i32} {
    %ring = tile_gpu.alloc : !tile_gpu.buffer<16384xf32, #kb64, slots = 4>
    tile.return
  }
}

// -----

// Beside 3 x 65536 bytes one slot of as many is too much. Half a tile makes 98304 of
// the ring, and as much of the others.
#kb64 = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
#lanes = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = []>
!b = !tile_gpu.buffer<16384xf32, #kb64>
!t = tensor<16384xf32, #lanes>
// CHECK: error: 'beside' needs 393216 bytes
// CHECK: note: together they do not fit; a tile of 8192 fits in place of 16384
module {
  tile.func @beside(%v: f32) attributes {tile_gpu.num_warps = 1 : i32} {
    %x = tile.splat %v : f32 -> !t
    %ring = tile_gpu.alloc : !tile_gpu.buffer<16384xf32, #kb64, slots = 3>
    %a = tile_gpu.alloc : !b
    %b = tile_gpu.alloc : !b
    %c = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %a : !t, !b
    tile_gpu.local_store %x, %b : !t, !b
    tile_gpu.local_store %x, %c : !t, !b
    %zero = arith.constant 0 : i32
    %s = tile_gpu.slot %ring[%zero] : !tile_gpu.buffer<16384xf32, #kb64, slots = 3>
    %i = tile_gpu.local_load %a : !b -> !t
    %j = tile_gpu.local_load %b : !b -> !t
    %k = tile_gpu.local_load %c : !b -> !t
    %l = tile_gpu.local_load %s : !b -> !t
    tile.return
  }
}

// -----

// The longest dimension is halved first: 512 x 128 elements of 4 bytes are 262144.
#row = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]]>
// CHECK: error: 'tall' needs 262144 bytes
// CHECK: note: the largest does not fit alone; a tile of 256x128 fits in place of 512x128
module {
  tile.func @tall() attributes {tile_gpu.num_warps = 1 : i32} {
    %a = tile_gpu.alloc : !tile_gpu.buffer<512x128xf32, #row>
    tile.return
  }
}

// -----

// Three shapes of 131072 bytes: half of one is not enough, half of each is 196608.
#k16 = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
#k32 = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384]]>
#k64 = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]]>
#l16 = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = []>
#l32 = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384]], lane = [[1], [2], [4], [8], [16]], warp = []>
#l64 = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]], lane = [[1], [2], [4], [8], [16]], warp = []>
// CHECK: error: 'shapes' needs 393216 bytes
// CHECK: note: together they do not fit; what may help: tiles for which each takes 1/2 of that
module {
  tile.func @shapes() attributes {tile_gpu.num_warps = 1 : i32} {
    %a = tile_gpu.alloc : !tile_gpu.buffer<16384xf64, #k16>
    %b = tile_gpu.alloc : !tile_gpu.buffer<32768xf32, #k32>
    %c = tile_gpu.alloc : !tile_gpu.buffer<65536xf16, #k64>
    %v = tile_gpu.local_load %a : !tile_gpu.buffer<16384xf64, #k16> -> tensor<16384xf64, #l16>
    %w = tile_gpu.local_load %b : !tile_gpu.buffer<32768xf32, #k32> -> tensor<32768xf32, #l32>
    %x = tile_gpu.local_load %c : !tile_gpu.buffer<65536xf16, #k64> -> tensor<65536xf16, #l64>
    tile.return
  }
}
