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
