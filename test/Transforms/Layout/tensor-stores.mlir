// Tiles that one copy stores from shared memory. Rows of 64 bytes are swizzled: bits
// 4 and 5 of an address by its bits 7 and 8, those of rows 2 and 4.

// RUN: tile-opt %s --tile-gpu-tensor-stores | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-tensor-stores --remark-format=emitRemark --remarks-filter=tile-gpu-tensor-stores -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=Missed

#l = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!p = !tile.ptr<f16>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16, #l>
!u = tensor<64x32xf16, #acc>
!map = !tile.tensor_map<64x32xf16, swizzle = 64>
#turned = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 0]]>

// The accumulators' own threads write the buffer; nothing else needs the conversion.
// 64 x 32 elements of 2 bytes. A sum of origin and offset only where both are there;
// what 32 bits do not hold of it is as far outside as they reach.
// CHECK-LABEL: tile.func private @converted
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : i64
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: %[[B:.*]] = tile_gpu.alloc : <64x32xf16, #tile_gpu.shared<{{.}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>>
// CHECK-NEXT: tile_gpu.local_store %v, %[[B]] : tensor<64x32xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: %[[R:.*]] = arith.extsi %r : i32 to i64
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[R]], %[[EIGHT]] : i64
// CHECK-NEXT: %[[MIN:.*]] = arith.constant -2147483648 : i64
// CHECK-NEXT: %[[ABOVE:.*]] = arith.maxsi %[[SUM]], %[[MIN]] : i64
// CHECK-NEXT: %[[MAX:.*]] = arith.constant 2147483647 : i64
// CHECK-NEXT: %[[WITHIN:.*]] = arith.minsi %[[ABOVE]], %[[MAX]] : i64
// CHECK-NEXT: %[[ROW:.*]] = arith.trunci %[[WITHIN]] : i64 to i32
// CHECK-NEXT: tile_gpu.tma_store %[[B]], %map[%[[ROW]], %c] : <64x32xf16, {{.*}}>, <64x32xf16, swizzle = 64>
// CHECK-NEXT: tile_gpu.tma_store_commit
// CHECK-NEXT: tile_gpu.tma_store_wait pending = 0
// CHECK-NEXT: tile.return
// REMARK: [[@LINE+8]]:3: remark: [Passed] tensor-store | Category:tile-gpu-tensor-stores | Function=converted | SharedBytes=4096{{$}}
tile.func private @converted(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %map: !map, %v: !u) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %eight = arith.constant 8 : i64
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  %w = arith.extsi %c : i32 to i64
  %t = tile_gpu.convert_layout %v : !u -> !t
  tile.desc_store %d[%eight, %w], %t : !d, [i64, i64], !t
  tile.return
}

// The conversion stays for the one who returns it.
// CHECK-LABEL: tile.func private @used
// CHECK: %[[T:.*]] = tile_gpu.convert_layout %v
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %v, %[[B]]
// CHECK: tile_gpu.tma_store %[[B]], %map[%r, %c]
// CHECK: tile.return %[[T]]
// REMARK: Function=used
tile.func private @used(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %map: !map, %v: !u) -> !t attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i64
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %c] : !map : !p, [i32, i32], [i32, i32] -> !d
  %t = tile_gpu.convert_layout %v : !u -> !t
  tile.desc_store %d[%zero, %zero], %t : !d, [i64, i64], !t
  tile.return %t : !t
}

// No conversion. A counter from 0 upwards is added to the origin.
// CHECK-LABEL: tile.func private @counter
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %v, %[[B]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-DAG: %[[C:.*]] = arith.extsi %c : i32 to i64
// CHECK-DAG: %[[J:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[SUM:.*]] = arith.addi %[[C]], %[[J]] : i64
// CHECK: arith.maxsi %[[SUM]], %
// CHECK: %[[COL:.*]] = arith.trunci %
// CHECK-NEXT: tile_gpu.tma_store %[[B]], %map[%r, %[[COL]]]
// REMARK: Function=counter
tile.func private @counter(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %c] : !map : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %m step %one : i32 {
    tile.desc_store %d[%zero, %i], %v : !d, [i32, i32], !t
  }
  tile.return
}

// An offset of 64 bits is brought to the bounds of 32: no array has elements there.
// CHECK-LABEL: tile.func private @wide
// CHECK: %[[ABOVE:.*]] = arith.maxsi %w, %{{.*}} : i64
// CHECK: %[[WITHIN:.*]] = arith.minsi %[[ABOVE]], %{{.*}} : i64
// CHECK-NEXT: %[[COL:.*]] = arith.trunci %[[WITHIN]] : i64 to i32
// CHECK-NEXT: tile_gpu.tma_store %{{.*}}, %map[%r, %[[COL]]]
// REMARK: Function=wide
tile.func private @wide(%a: !p, %m: i32, %s: i32, %r: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%r, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%zero, %w], %v : !d, [i32, i64], !t
  tile.return
}

// 32 bits hold the counter that begins at 0 and ends before %m, not the one before %w.
// CHECK-LABEL: tile.func private @wide_counters
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NOT: arith.maxsi
// CHECK: %[[ROW:.*]] = arith.trunci %[[I]] : i64 to i32
// CHECK-NEXT: tile_gpu.tma_store %{{.*}}, %map[%[[ROW]], %{{.*}}]
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %w
// CHECK: arith.maxsi %[[J]], %
// REMARK-COUNT-2: Function=wide_counters
tile.func private @wide_counters(%a: !p, %m: i32, %s: i32, %w: i64, %map: !map, %v: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %first = arith.constant 0 : i64
  %step = arith.constant 64 : i64
  %end = arith.extsi %m : i32 to i64
  %d = tile.make_desc %a, [%m, %m], [%s, %one] map %map[%zero, %zero] : !map : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %first to %end step %step : i64 {
    tile.desc_store %d[%i, %zero], %v : !d, [i64, i32], !t
  }
  scf.for %j = %first to %w step %step : i64 {
    tile.desc_store %d[%j, %zero], %v : !d, [i64, i32], !t
  }
  tile.return
}

// Dimension 0 lies along the map's rows, of 128 bytes: the coordinates change their
// places, and rows 1, 2, 4 of the buffer swizzle columns 8, 16, 32.
// CHECK-LABEL: tile.func private @turned
// CHECK: %[[B:.*]] = tile_gpu.alloc : <64x32xf16, #tile_gpu.shared<{{.}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16]]>>
// CHECK: tile_gpu.tma_store %[[B]], %map[%c, %r]
// REMARK: Function=turned | SharedBytes=4096
tile.func private @turned(%a: !p, %m: i32, %s: i32, %r: i32, %c: i32, %map: !tile.tensor_map<32x64xf16, swizzle = 128>, %v: tensor<64x32xf16, #turned>) attributes {tile_gpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m], [%one, %s] map %map[%zero, %zero] : !tile.tensor_map<32x64xf16, swizzle = 128> : !p, [i32, i32], [i32, i32] -> !d
  tile.desc_store %d[%r, %c], %v : !d, [i32, i32], tensor<64x32xf16, #turned>
  tile.return
}
