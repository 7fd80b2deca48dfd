// What tile-gpu-assign-stages would not have chosen.

// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-async-copies

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>

tile.func private @registers(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
    // expected-error @below {{a pipelined load is used other than by stores to shared memory}}
    %x = tile.load %p {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %y = arith.negf %x : !t
  } {tile_gpu.distance = 1 : i32, tile_gpu.slots = 1 : i32}
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>

tile.func private @buffer(%p: !p, %n: i32, %s: !b) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
    // expected-error @below {{a pipelined load is used other than by stores to shared memory}}
    %x = tile.load %p {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    tile_gpu.local_store %x, %s : !t, !b
  } {tile_gpu.distance = 1 : i32, tile_gpu.slots = 1 : i32}
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!o = tensor<128xi32, #l>

tile.func private @indirect(%p: !p, %n: i32, %po: tensor<128x!tile.ptr<i32>, #l>) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  // expected-error @below {{the loads of this loop cannot run ahead: its address or mask comes from a load}}
  scf.for %i = %one to %n step %one : i32 {
    %o = tile.load %po : tensor<128x!tile.ptr<i32>, #l>
    %q = tile.addptr %p, %o : !p, !o
    %x = tile.load %q {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
  } {tile_gpu.distance = 1 : i32, tile_gpu.slots = 1 : i32}
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#r = #tile_gpu.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!m = tensor<128xi1, #l>

tile.func private @other(%p: !p, %m: !m, %f: !t, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
    // expected-error @below {{a pipelined load cannot be copied: asynchronous copies fill with zeros, its 'other' is not zero, and its mask cannot be made again where it is read}}
    %x = tile.load %p, %m, %f {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> tensor<128xf32, #r>
  } {tile_gpu.distance = 1 : i32, tile_gpu.slots = 1 : i32}
  tile.return
}
