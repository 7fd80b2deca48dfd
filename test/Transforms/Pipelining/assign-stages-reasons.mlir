// Loads that stay where they are, for what keeps them there in the first place.

// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s --check-prefix=STAY

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
#one = #tile_gpu.access<direct, width = 1, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!o = tensor<128xi32, #l>
!h = tensor<128xf16, #l>
!hp = tensor<128x!tile.ptr<f16>, #l>

// Through shared memory it would run ahead, if its elements were 2 more bytes long.
// STAY-LABEL: tile.func private @narrow
// STAY-NOT: tile_gpu.pipelined
// CHECK: Function=narrow | Reason="the load is not pipelined: an asynchronous copy moves 4 bytes or more at once, these addresses allow 2"{{$}}
// CHECK: Function=narrow | Reason="no load of the loop can run ahead", Stages=3
tile.func private @narrow(%p: !hp, %n: i32, %t: !h) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!h) : i32 {
    %x = tile.load %p {tile_gpu.access = #one} : !hp
    %w = arith.addf %u, %x : !h
    scf.yield %w : !h
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Four elements of a byte side by side in memory, 8 bytes apart in the buffer. Another
// load runs ahead, so that this one takes no detour.
#wide = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
#columns = #tile_gpu.shared<[[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [0, 8]]>
#by_row = #tile_gpu.access<direct, width = 4, axis = 1>
!bytes = tensor<8x16xi8, #wide>
// STAY-LABEL: tile.func private @turned
// STAY: tile.load %p {{{.*}}, tile_gpu.pipelined} : tensor<128x
// STAY-NOT: tile_gpu.pipelined
// CHECK: Function=turned | Reason="the load is not pipelined: an asynchronous copy moves 4 bytes or more at once, the order of elements in the buffer allows 1"{{$}}
tile.func private @turned(%p: !p, %q: tensor<8x16x!tile.ptr<i8>, #wide>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %y = tile.load %p {tile_gpu.access = #row} : !p
    %b = tile_gpu.alloc : !b
    tile_gpu.local_store %y, %b : !t, !b
    %w = tile_gpu.local_load %b : !b -> !t
    %x = tile.load %q {tile_gpu.access = #by_row} : tensor<8x16x!tile.ptr<i8>, #wide>
    %s = tile_gpu.alloc : !tile_gpu.buffer<8x16xi8, #columns>
    tile_gpu.local_store %x, %s : !bytes, !tile_gpu.buffer<8x16xi8, #columns>
    %v = tile_gpu.local_load %s : !tile_gpu.buffer<8x16xi8, #columns> -> !bytes
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The address of the next iteration is a sum of what this one loads: no condition.
// STAY-LABEL: tile.func private @reduced
// STAY-NOT: tile_gpu.pipelined
// CHECK: Function=reduced | Reason="the load is not pipelined: its address or mask comes from 'tile.reduce'"{{$}}
tile.func private @reduced(%p: tensor<128x!tile.ptr<i32>, #l>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %zero) -> (i32) : i32 {
    %o = tile.splat %u : i32 -> !o
    %q = tile.addptr %p, %o : tensor<128x!tile.ptr<i32>, #l>, !o
    %x = tile.load %q {tile_gpu.access = #row} : tensor<128x!tile.ptr<i32>, #l>
    %sum = tile.reduce %x axis 0 with arith.addi : (!o) -> i32
    scf.yield %sum : i32
  } {tile.num_stages = 3 : i32}
  tile.return
}

// STAY-LABEL: tile.func private @inner
// STAY-NOT: tile_gpu.pipelined
// CHECK: Function=inner | Reason="the load is not pipelined: its address or mask is computed in an inner loop"{{$}}
tile.func private @inner(%p: !p, %n: i32, %t: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!t) : i32 {
    %far = scf.for %j = %zero to %i step %one iter_args(%s = %zero) -> (i32) : i32 {
      %next = arith.addi %s, %j : i32
      scf.yield %next : i32
    }
    %o = tile.splat %far : i32 -> !o
    %q = tile.addptr %p, %o : !p, !o
    %x = tile.load %q {tile_gpu.access = #row} : !p
    %w = arith.addf %u, %x : !t
    scf.yield %w : !t
  } {tile.num_stages = 3 : i32}
  tile.return
}
