// RUN: tile-opt %s --tile-gpu-allocate-shared=free-bytes=0 | FileCheck %s
// RUN: tile-opt %s --tile-gpu-allocate-shared=free-bytes=0 --remark-format=emitRemark --remarks-filter='.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Offsets were placed by hand. A buffer of at least 128 bytes is aligned to 128,
// others to 16.

#lanes = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#half = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
#quad = #tile_gpu.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
#rows4 = #tile_gpu.shared<[[1], [2]]>
#rows16 = #tile_gpu.shared<[[1], [2], [4], [8]]>
#rows32 = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>

!b16 = !tile_gpu.buffer<4xf32, #rows4>
!b64 = !tile_gpu.buffer<16xf32, #rows16>
!b128 = !tile_gpu.buffer<32xf32, #rows32>
!b256 = !tile_gpu.buffer<32xf64, #rows32>
!bools = !tile_gpu.buffer<4xi1, #rows4>
!t16 = tensor<4xf32, #quad>
!t64 = tensor<16xf32, #half>
!t128 = tensor<32xf32, #lanes>
!t256 = tensor<32xf64, #lanes>
!tbools = tensor<4xi1, #quad>

// CHECK-LABEL: tile.func @no_buffer
// CHECK-SAME: tile_gpu.shared_bytes = 0 : i32
// REMARK-NOT: Function=no_buffer
tile.func @no_buffer() attributes {tile_gpu.num_warps = 1 : i32} {
  tile.return
}

// CHECK-LABEL: tile.func @one_after_the_other
// CHECK-SAME: tile_gpu.shared_bytes = 128 : i32
// REMARK: [Passed] shared-memory | Category:tile-gpu-allocate-shared | Function=one_after_the_other | BufferBytes=192, Buffers=2, MostBytesAlive=128, SharedBytes=128
tile.func @one_after_the_other() attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK: tile_gpu.alloc offset = 0 : <32xf32
  %a = tile_gpu.alloc : !b128
  %u = tile_gpu.local_load %a : !b128 -> !t128
  // CHECK: tile_gpu.alloc offset = 0 : <16xf32
  %b = tile_gpu.alloc : !b64
  %v = tile_gpu.local_load %b : !b64 -> !t64
  tile.return
}

// An offset that is there is replaced.
// CHECK-LABEL: tile.func @at_once
// CHECK-SAME: tile_gpu.shared_bytes = 464 : i32
tile.func @at_once() attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK: tile_gpu.alloc offset = 384 : <16xf32
  %a = tile_gpu.alloc offset = 4096 : !b64
  // CHECK: tile_gpu.alloc offset = 448 : <4xf32
  %b = tile_gpu.alloc : !b16
  // CHECK: tile_gpu.alloc offset = 256 : <32xf32
  %c = tile_gpu.alloc : !b128
  // CHECK: tile_gpu.alloc offset = 0 : <32xf64
  %d = tile_gpu.alloc : !b256
  %t = tile_gpu.local_load %a : !b64 -> !t64
  %u = tile_gpu.local_load %b : !b16 -> !t16
  %v = tile_gpu.local_load %c : !b128 -> !t128
  %w = tile_gpu.local_load %d : !b256 -> !t256
  tile.return
}

// An i1 takes a byte; 16 is the smallest alignment.
// CHECK-LABEL: tile.func @bytes
// CHECK-SAME: tile_gpu.shared_bytes = 20 : i32
tile.func @bytes() attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK: tile_gpu.alloc offset = 0 : <4xi1
  %a = tile_gpu.alloc : !bools
  // CHECK: tile_gpu.alloc offset = 16 : <4xi1
  %b = tile_gpu.alloc : !bools
  %u = tile_gpu.local_load %a : !bools -> !tbools
  %v = tile_gpu.local_load %b : !bools -> !tbools
  tile.return
}

// Nobody uses it, but it has a place.
// CHECK-LABEL: tile.func @unused
// CHECK-SAME: tile_gpu.shared_bytes = 64 : i32
tile.func @unused() attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK: tile_gpu.alloc offset = 0
  %a = tile_gpu.alloc : !b64
  tile.return
}

// %a is used in the next iteration again, after %b; %b and %c live in one
// iteration only. %d comes after the loop.
// CHECK-LABEL: tile.func @loop
// CHECK-SAME: tile_gpu.shared_bytes = 256 : i32
tile.func @loop(%n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tile_gpu.alloc offset = 0
  %a = tile_gpu.alloc : !b128
  scf.for %i = %c0 to %n step %c1 : i32 {
    %t = tile_gpu.local_load %a : !b128 -> !t128
    // CHECK: tile_gpu.alloc offset = 128
    %b = tile_gpu.alloc : !b128
    %u = tile_gpu.local_load %b : !b128 -> !t128
    // CHECK: tile_gpu.alloc offset = 128
    %c = tile_gpu.alloc : !b128
    %v = tile_gpu.local_load %c : !b128 -> !t128
  }
  // CHECK: tile_gpu.alloc offset = 0
  %d = tile_gpu.alloc : !b128
  %w = tile_gpu.local_load %d : !b128 -> !t128
  tile.return
}

// %a lives through the inner loop, but only in one iteration of the outer one.
// CHECK-LABEL: tile.func @nested_loops
// CHECK-SAME: tile_gpu.shared_bytes = 256 : i32
tile.func @nested_loops(%n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: tile_gpu.alloc offset = 0
    %a = tile_gpu.alloc : !b128
    scf.for %j = %c0 to %n step %c1 : i32 {
      %t = tile_gpu.local_load %a : !b128 -> !t128
      // CHECK: tile_gpu.alloc offset = 128
      %b = tile_gpu.alloc : !b128
      %u = tile_gpu.local_load %b : !b128 -> !t128
    }
    // CHECK: tile_gpu.alloc offset = 0
    %c = tile_gpu.alloc : !b128
    %v = tile_gpu.local_load %c : !b128 -> !t128
  }
  tile.return
}

// Both regions repeat: %a is needed after %b.
// CHECK-LABEL: tile.func @while
// CHECK-SAME: tile_gpu.shared_bytes = 256 : i32
tile.func @while(%c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK: tile_gpu.alloc offset = 0
  %a = tile_gpu.alloc : !b128
  scf.while : () -> () {
    %u = tile_gpu.local_load %a : !b128 -> !t128
    scf.condition(%c)
  } do {
    // CHECK: tile_gpu.alloc offset = 128
    %b = tile_gpu.alloc : !b128
    %v = tile_gpu.local_load %b : !b128 -> !t128
    scf.yield
  }
  tile.return
}

// A branch runs once: %a dies in it, and the branches share their bytes.
// CHECK-LABEL: tile.func @branches
// CHECK-SAME: tile_gpu.shared_bytes = 128 : i32
tile.func @branches(%c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK: tile_gpu.alloc offset = 0
  %a = tile_gpu.alloc : !b128
  scf.if %c {
    %t = tile_gpu.local_load %a : !b128 -> !t128
    // CHECK: tile_gpu.alloc offset = 0
    %b = tile_gpu.alloc : !b128
    %u = tile_gpu.local_load %b : !b128 -> !t128
  } else {
    // CHECK: tile_gpu.alloc offset = 0
    %d = tile_gpu.alloc : !b128
    %v = tile_gpu.local_load %d : !b128 -> !t128
  }
  tile.return
}

// 227 KiB is the limit of sm_90a: 128 + 64 + 32 + 2 + 1.
!x128k = !tile_gpu.buffer<131072xi8, #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768], [65536]]>>
!y128k = tensor<131072xi8, #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768], [65536]], lane = [[1], [2], [4], [8], [16]], warp = []>>
!x64k = !tile_gpu.buffer<65536xi8, #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]]>>
!y64k = tensor<65536xi8, #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]], lane = [[1], [2], [4], [8], [16]], warp = []>>
!x32k = !tile_gpu.buffer<32768xi8, #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384]]>>
!y32k = tensor<32768xi8, #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384]], lane = [[1], [2], [4], [8], [16]], warp = []>>
!x2k = !tile_gpu.buffer<2048xi8, #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024]]>>
!y2k = tensor<2048xi8, #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024]], lane = [[1], [2], [4], [8], [16]], warp = []>>
!x1k = !tile_gpu.buffer<1024xi8, #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]]>>
!y1k = tensor<1024xi8, #tile_gpu.layout<register = [[32], [64], [128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = []>>
// CHECK-LABEL: tile.func @limit
// CHECK-SAME: tile_gpu.shared_bytes = 232448 : i32
tile.func @limit() attributes {tile_gpu.num_warps = 1 : i32} {
  %a1k = tile_gpu.alloc : !x1k
  %a2k = tile_gpu.alloc : !x2k
  %a32k = tile_gpu.alloc : !x32k
  %a64k = tile_gpu.alloc : !x64k
  %a128k = tile_gpu.alloc : !x128k
  %t1k = tile_gpu.local_load %a1k : !x1k -> !y1k
  %t2k = tile_gpu.local_load %a2k : !x2k -> !y2k
  %t32k = tile_gpu.local_load %a32k : !x32k -> !y32k
  %t64k = tile_gpu.local_load %a64k : !x64k -> !y64k
  %t128k = tile_gpu.local_load %a128k : !x128k -> !y128k
  tile.return
}
