// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-insert-barriers

!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [2]]>>
tile.func @no_offset() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{'tile_gpu.alloc' op has no offset; tile-gpu-allocate-shared sets it}}
  %a = tile_gpu.alloc : !b
  tile.return
}

// -----

!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [2]]>>
tile.func @select(%c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !b
  %b = tile_gpu.alloc offset = 16 : !b
  // expected-error @below {{'arith.select' op is not supported on a buffer in shared memory: only operations of tile_gpu are}}
  %s = arith.select %c, %a, %b : !b
  tile.return
}

// -----

tile.func @holder() attributes {tile_gpu.num_warps = 1 : i32} {
  builtin.module {
    // expected-error @below {{'tile_gpu.barrier' op is not supported in a region of 'builtin.module'}}
    tile_gpu.barrier
  }
  tile.return
}

// -----

// The fence of one write is none for the next.
#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
!b = !tile_gpu.buffer<32xf32, #tile_gpu.shared<[[1], [2], [4], [8], [16]]>>
!map = !tile.tensor_map<32xf32>
tile.func private @no_fence(%v: tensor<32xf32, #l>, %to: !map, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = tile_gpu.alloc offset = 0 : !b
  tile_gpu.local_store %v, %t : tensor<32xf32, #l>, !b
  tile_gpu.fence_async
  tile_gpu.tma_store %t, %to[%zero] : !b, !map
  tile_gpu.tma_store_commit
  tile_gpu.tma_store_wait pending = 0
  // expected-note @below {{written here}}
  tile_gpu.local_store %v, %t : tensor<32xf32, #l>, !b
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error @below {{'tile_gpu.tma_store' op reads what threads wrote to a buffer without a fence in between}}
    tile_gpu.tma_store %t, %to[%i] : !b, !map
    tile_gpu.tma_store_commit
  }
  tile_gpu.tma_store_wait pending = 0
  tile.return
}
