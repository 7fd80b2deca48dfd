// What no asynchronous copy or product can do.

// RUN: tile-opt %s --split-input-file --verify-diagnostics --convert-tile-gpu-to-nvvm

#l = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
tile.func @alone(%p: !tile.ptr<f16>) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 128 : i32} {
  %r = tile.arange : tensor<64xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>, #l>
  %pp = tile.addptr %ps, %r : tensor<64x!tile.ptr<f16>, #l>, tensor<64xi32, #l>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64xf16, #rows>
  // expected-error @+2 {{an asynchronous copy moves 4, 8 or 16 bytes, not 2}}
  // expected-error @+1 {{failed to legalize}}
  tile_gpu.async_copy %pp, %b {tile_gpu.access = #tile_gpu.access<direct, width = 1, axis = 0>} : tensor<64x!tile.ptr<f16>, #l>, !tile_gpu.buffer<64xf16, #rows>
  tile.return
}

// -----

// The buffer's order does not allow for more than one element.
#l = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#turned = #tile_gpu.shared<[[2], [1], [4], [8], [16], [32]]>
tile.func @desc(%p: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %n: i32, %i: i32) attributes {tile_gpu.num_warps = 1 : i32, tile_gpu.shared_bytes = 128 : i32} {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f16>, [i32], [i32] -> !tile.desc<64xf16>
  %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64xf16, #turned>
  // expected-error @+2 {{an asynchronous copy moves 4, 8 or 16 bytes, not 2}}
  // expected-error @+1 {{failed to legalize}}
  tile_gpu.desc_copy %d[%i], %b layout #l {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : !tile.desc<64xf16>, [i32], !tile_gpu.buffer<64xf16, #turned>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
module attributes {tile_gpu.target = "sm_80"} {
  tile.func @target(%x: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 4096 : i32} {
    %acc = tile.splat %x : f32 -> tensor<64x16xf32, #acc>
    %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sa>
    %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x16xf16, #sb>
    // expected-error @+2 {{the target has no wgmma}}
    // expected-error @+1 {{failed to legalize}}
    %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<64x16xf16, #sa>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
    %e = tile_gpu.wgmma_wait %d pending = 0 : tensor<64x16xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
module attributes {tile_gpu.target = "sm_90a"} {
  tile.func @under_way() attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 4096 : i32} {
    %acc = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
    %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sa>
    %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x16xf16, #sb>
    %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<64x16xf16, #sa>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
    %e = tile_gpu.wgmma_wait %d pending = 1 : tensor<64x16xf32, #acc>
    // expected-error @+1 {{uses accumulators whose product may be under way; a wait has to come before}}
    %f = arith.addf %e, %e : tensor<64x16xf32, #acc>
    %g = tile_gpu.wgmma_wait %d pending = 0 : tensor<64x16xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
module attributes {tile_gpu.target = "sm_90a"} {
  tile.func @registers(%x: f16, %n: i32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 4096 : i32} {
    %acc = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
    %a = tile.splat %x : f16 -> tensor<64x16xf16, #acc>
    %b = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<16x16xf16, #sb>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%y = %acc) -> (tensor<64x16xf32, #acc>) : i32 {
      %c = arith.addf %a, %a : tensor<64x16xf16, #acc>
      // expected-error @+2 {{reads registers that the next iteration writes; a wait for it has to come before}}
      // expected-error @+1 {{failed to legalize}}
      %d = tile_gpu.wgmma %c, %b, %y : tensor<64x16xf16, #acc>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
      %e = tile_gpu.wgmma_wait %d pending = 1 : tensor<64x16xf32, #acc>
      scf.yield %e : tensor<64x16xf32, #acc>
    }
    %f = tile_gpu.wgmma_wait %sum pending = 0 : tensor<64x16xf32, #acc>
    tile.return
  }
}

// -----

// Control flow hands the accumulators on: out of a loop, to the next iteration, and
// through a loop and a branch.
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
module attributes {tile_gpu.target = "sm_90a"} {
  tile.func @result(%n: i32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 4096 : i32} {
    %acc = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
    %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sa>
    %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x16xf16, #sb>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%y = %acc) -> (tensor<64x16xf32, #acc>) : i32 {
      %d = tile_gpu.wgmma %a, %b, %y : !tile_gpu.buffer<64x16xf16, #sa>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
      %e = tile_gpu.wgmma_wait %d pending = 1 : tensor<64x16xf32, #acc>
      scf.yield %e : tensor<64x16xf32, #acc>
    }
    // expected-error @+1 {{uses accumulators whose product may be under way; a wait has to come before}}
    %f = arith.addf %sum, %sum : tensor<64x16xf32, #acc>
    %g = tile_gpu.wgmma_wait %sum pending = 0 : tensor<64x16xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
module attributes {tile_gpu.target = "sm_90a"} {
  tile.func @next_iteration(%n: i32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 4096 : i32} {
    %acc = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
    %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sa>
    %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x16xf16, #sb>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%y = %acc) -> (tensor<64x16xf32, #acc>) : i32 {
      // expected-error @+1 {{uses accumulators whose product may be under way; a wait has to come before}}
      %x = arith.mulf %y, %y : tensor<64x16xf32, #acc>
      %d = tile_gpu.wgmma %a, %b, %x : !tile_gpu.buffer<64x16xf16, #sa>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
      %e = tile_gpu.wgmma_wait %d pending = 1 : tensor<64x16xf32, #acc>
      scf.yield %e : tensor<64x16xf32, #acc>
    }
    %f = tile_gpu.wgmma_wait %sum pending = 0 : tensor<64x16xf32, #acc>
    tile.return
  }
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
module attributes {tile_gpu.target = "sm_90a"} {
  tile.func @branch(%c: i1) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 4096 : i32} {
    %acc = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
    %a = tile_gpu.alloc offset = 0 : !tile_gpu.buffer<64x16xf16, #sa>
    %b = tile_gpu.alloc offset = 2048 : !tile_gpu.buffer<16x16xf16, #sb>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %d = tile_gpu.wgmma %a, %b, %acc : !tile_gpu.buffer<64x16xf16, #sa>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
    %e = tile_gpu.wgmma_wait %d pending = 1 : tensor<64x16xf32, #acc>
    %r = scf.while (%x = %e) : (tensor<64x16xf32, #acc>) -> tensor<64x16xf32, #acc> {
      scf.condition(%c) %x : tensor<64x16xf32, #acc>
    } do {
    ^bb0(%x: tensor<64x16xf32, #acc>):
      %i = scf.if %c -> (tensor<64x16xf32, #acc>) {
        scf.yield %x : tensor<64x16xf32, #acc>
      } else {
        scf.yield %acc : tensor<64x16xf32, #acc>
      }
      // expected-error @+1 {{uses accumulators whose product may be under way; a wait has to come before}}
      %f = arith.negf %i : tensor<64x16xf32, #acc>
      scf.yield %acc : tensor<64x16xf32, #acc>
    }
    %g = tile_gpu.wgmma_wait %r pending = 0 : tensor<64x16xf32, #acc>
    tile.return
  }
}
