// Stores that threads do themselves, each with the reason: the module stays as it is.

// RUN: tile-opt %s -o %t.before
// RUN: tile-opt %s --tile-gpu-tensor-stores -o %t.after
// RUN: diff %t.before %t.after
// RUN: tile-opt %s --tile-gpu-tensor-stores --remark-format=emitRemark --remarks-filter=tile-gpu-tensor-stores -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Passed]' --implicit-check-not=Missed

#l = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
!p = !tile.ptr<f16>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16, #l>
!map = !tile.tensor_map<64x32xf16, swizzle = 64>

// Without a map there is nothing to say.
tile.func private @no_map(%a: !p, %m: i32, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %m], [%m, %one] : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%one, %one], %v : !d, [i32, i32], !t
  tile.return
}

// Hints, which a copy cannot follow.
// CHECK: [Missed] {{.*}} Function=cache | Reason="threads store the tile themselves: it has cache hints"
tile.func private @cache(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%zero, %zero], %v cache(cs) : !d, [i32, i32], !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=evict | Reason="threads store the tile themselves: it has cache hints"
tile.func private @evict(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%zero, %zero], %v evict(evict_first) : !d, [i32, i32], !t
  tile.return
}

// Rows of 64 bytes, and boxes with rows of 32.
// CHECK: [Missed] {{.*}} Function=box | Reason="threads store the tile themselves: boxes of the tensor map do not fill a tile"
tile.func private @box(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !tile.tensor_map<64x16xf16, swizzle = 32>, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !tile.tensor_map<64x16xf16, swizzle = 32> : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// Where the array begins inside of the map, elements before it are no elements of the
// array.
// CHECK: [Missed] {{.*}} Function=unknown | Reason="threads store the tile themselves: an offset may be negative"
tile.func private @unknown(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%c, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=wide | Reason="threads store the tile themselves: an offset may be negative"
tile.func private @wide(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%w, %zero], %v : !d, [i64, i32], !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=below | Reason="threads store the tile themselves: an offset may be negative"
tile.func private @below(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %below = arith.constant -1 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%below, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// CHECK: [Missed] {{.*}} Function=from_below | Reason="threads store the tile themselves: an offset may be negative"
tile.func private @from_below(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %below = arith.constant -1 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %below to %m step %one : i32 {
    tile.desc_store %d[%i, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// CHECK: [Missed] {{.*}} Function=from_unknown | Reason="threads store the tile themselves: an offset may be negative"
tile.func private @from_unknown(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %c to %m step %one : i32 {
    tile.desc_store %d[%i, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// A counter beyond 2^31 is negative for a map.
// CHECK: [Missed] {{.*}} Function=unsigned | Reason="threads store the tile themselves: an offset may be negative"
tile.func private @unsigned(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  scf.for unsigned %i = %zero to %m step %one : i32 {
    tile.desc_store %d[%i, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}

// A step that may be large.
// CHECK: [Missed] {{.*}} Function=step | Reason="threads store the tile themselves: an offset may be negative"
tile.func private @step(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %m step %c : i32 {
    tile.desc_store %d[%i, %zero], %v : !d, [i32, i32], !t
  }
  tile.return
}
