// RUN: tile-opt %s --split-input-file --verify-diagnostics --convert-tile-gpu-to-nvvm

module attributes {tile_gpu.target = "sm_89"} {
  tile.func @old() attributes {tile_gpu.num_warps = 1 : i32} {
    // expected-error @below {{sm_89 has no tensor maps and mbarriers}}
    // expected-error @below {{failed to legalize operation 'tile_gpu.mbarrier_init'}}
    %b = tile_gpu.mbarrier_init arrivals = 1 offset = 0 : !tile_gpu.mbarrier<1>
    tile.return
  }
}

// -----

tile.func @offset() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{mbarriers have no offset; run tile-gpu-allocate-shared before}}
  // expected-error @below {{failed to legalize operation 'tile_gpu.mbarrier_init'}}
  %b = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<1>
  tile.return
}
