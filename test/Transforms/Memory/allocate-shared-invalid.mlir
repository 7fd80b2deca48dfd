// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-allocate-shared
// RUN: not tile-opt %s --split-input-file --tile-gpu-allocate-shared 2>&1 | FileCheck %s

#small = #tile_gpu.shared<[[1], [2], [4], [8]]>
#large = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384]]>
#huge = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]]>
#lanes16 = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
#lanes32k = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384]], lane = [[1], [2], [4], [8], [16]], warp = []>
#lanes64k = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]], lane = [[1], [2], [4], [8], [16]], warp = []>

// Each fits sm_90a, but all are alive at once: 131072 + 131072 + 64. Notes name
// the largest first, equal ones in the order of the program. With half of %b it is 196672.

// CHECK: error: 'three' needs 262208 bytes
// CHECK: note: a buffer of 131072 bytes
// CHECK-NEXT: %b = tile_gpu.alloc
// CHECK: note: a buffer of 131072 bytes
// CHECK-NEXT: %c = tile_gpu.alloc
// CHECK: note: a buffer of 64 bytes
// CHECK-NEXT: %a = tile_gpu.alloc

// expected-error @below {{'three' needs 262208 bytes of shared memory; a program has at most 232448 on sm_90a}}
tile.func @three() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-note @below {{a buffer of 64 bytes}}
  %a = tile_gpu.alloc : !tile_gpu.buffer<16xf32, #small>
  // expected-note @below {{a buffer of 131072 bytes}}
  // expected-note @below {{together they do not fit; a tile of 16384 fits in place of 32768}}
  %b = tile_gpu.alloc : !tile_gpu.buffer<32768xf32, #large>
  // expected-note @below {{a buffer of 131072 bytes}}
  %c = tile_gpu.alloc : !tile_gpu.buffer<65536xf16, #huge>
  %u = tile_gpu.local_load %a : !tile_gpu.buffer<16xf32, #small> -> tensor<16xf32, #lanes16>
  %v = tile_gpu.local_load %b : !tile_gpu.buffer<32768xf32, #large> -> tensor<32768xf32, #lanes32k>
  %w = tile_gpu.local_load %c : !tile_gpu.buffer<65536xf16, #huge> -> tensor<65536xf16, #lanes64k>
  tile.return
}

// -----

#large = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384]]>
module attributes {tile_gpu.target = "sm_86"} {
  // expected-error @below {{'less_memory' needs 131072 bytes of shared memory; a program has at most 101376 on sm_86}}
  tile.func @less_memory() attributes {tile_gpu.num_warps = 1 : i32} {
    // expected-note @below {{a buffer of 131072 bytes}}
    // expected-note @below {{the largest does not fit alone; a tile of 16384 fits in place of 32768}}
    %a = tile_gpu.alloc : !tile_gpu.buffer<32768xf32, #large>
    tile.return
  }
}

// -----

// expected-error @below {{unknown target 'sm_42'; known are sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a}}
module attributes {tile_gpu.target = "sm_42"} {
  tile.func @unknown_target() attributes {tile_gpu.num_warps = 1 : i32} {
    tile.return
  }
}

// -----

// expected-error @below {{'tile_gpu.target' has to be a string, not 90 : i32}}
module attributes {tile_gpu.target = 90 : i32} {
  tile.func @no_name() attributes {tile_gpu.num_warps = 1 : i32} {
    tile.return
  }
}

// -----

!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [2]]>>
tile.func @select(%c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc : !b
  %b = tile_gpu.alloc : !b
  // expected-error @below {{'arith.select' op is not supported on a buffer in shared memory: only operations of tile_gpu are}}
  %s = arith.select %c, %a, %b : !b
  tile.return
}

// -----

!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [2]]>>
tile.func @carried(%n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile_gpu.alloc : !b
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!b) : i32 {
    // expected-error @below {{'scf.yield' op is not supported on a buffer in shared memory}}
    scf.yield %x : !b
  }
  tile.return
}

// -----

#lanes = #tile_gpu.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [2]]>>
tile.func private @argument(%a: !b) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{'tile_gpu.local_load' op is not supported on a buffer that is no result of a tile_gpu.alloc}}
  %u = tile_gpu.local_load %a : !b -> tensor<4xf32, #lanes>
  tile.return
}

// -----

tile.func @blocks() attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{'tile_gpu.alloc' op is not supported in a region of 'tile.func' with several blocks}}
  %a = tile_gpu.alloc : !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [2]]>>
  tile.return
^unreachable:
  tile.return
}

// -----

tile.func @holder() attributes {tile_gpu.num_warps = 1 : i32} {
  builtin.module {
    // expected-error @below {{'tile_gpu.alloc' op is not supported in a region of 'builtin.module'}}
    %a = tile_gpu.alloc : !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [2]]>>
  }
  tile.return
}
