// A product of tiles that may reach over the ends of their arrays stops there: of 32
// elements of k, what is left of the arrays from the tiles on.

// RUN: tile-opt %s --tile-gpu-stage-operands | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-stage-operands --remark-format=emitRemark --remarks-filter=tile-gpu-stage-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#ak = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#bn = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#wgmma = #tile_gpu.instruction<wgmma, 64, 16, 16>
!a = tensor<64x32xf16, #ak>
!b = tensor<32x16xf16, #bn>
!acc = tensor<64x16xf32, #acc>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>
!p = !tile.ptr<f16>

// The rest of one array of k: of 32 bits, exact where it is positive.
// CHECK-LABEL: tile.func private @one_end
// CHECK: tile_gpu.fence_async
// CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi sgt, %k, %i : i32
// CHECK-NEXT: %[[REST:.*]] = arith.subi %k, %i : i32
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// CHECK-NEXT: %[[LEAST:.*]] = arith.minui %[[REST]], %[[C32]] : i32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[DEPTH:.*]] = arith.select %[[EXISTS]], %[[LEAST]], %[[ZERO]] : i32
// CHECK-NEXT: tile_gpu.wgmma %{{.*}}, %{{.*}}, %c depth %[[DEPTH]] {
// REMARK: [[@LINE+8]]:8: remark: [Passed] depth | Category:tile-gpu-stage-operands | Function=one_end | StopsAtMultiplesOf=16{{$}}
tile.func private @one_end(%p: !p, %c: !acc, %k: i32, %i: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !db
  %a = tile.desc_load %da[%zero, %i] : !da, [i32, i32] -> !a
  %b = tile.desc_load %db[%i, %zero] : !db, [i32, i32] -> !b
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
  tile.return %d : !acc
}

// Of two arrays, where the longer one ends; of 64 bits where one number has them, but
// not where they are an extension.
// CHECK-LABEL: tile.func private @two_ends
// CHECK: arith.cmpi sgt, %k, %i : i32
// CHECK: %[[RESTA:.*]] = arith.select %{{.*}} : i32
// CHECK: %[[WIDE:.*]] = arith.extsi %i : i32 to i64
// CHECK: %[[EXISTS:.*]] = arith.cmpi sgt, %l, %[[WIDE]] : i64
// CHECK: %[[REST:.*]] = arith.subi %l, %[[WIDE]] : i64
// CHECK: %[[LEAST:.*]] = arith.minui %[[REST]], %{{.*}} : i64
// CHECK: %[[RESTB:.*]] = arith.select %[[EXISTS]], %[[LEAST]], %{{.*}} : i64
// CHECK: %[[NARROW:.*]] = arith.trunci %[[RESTB]] : i64 to i32
// CHECK: %[[DEPTH:.*]] = arith.maxsi %[[RESTA]], %[[NARROW]] : i32
// CHECK-NEXT: tile_gpu.wgmma {{.*}} depth %[[DEPTH]] {
tile.func private @two_ends(%p: !p, %c: !acc, %k: i32, %l: i64, %i: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wide = arith.extsi %k : i32 to i64
  %da = tile.make_desc %p, [%k, %wide], [%k, %one] : !p, [i32, i64], [i32, i32] -> !da
  %db = tile.make_desc %p, [%l, %k], [%k, %one] : !p, [i64, i32], [i32, i32] -> !db
  %a = tile.desc_load %da[%zero, %i] : !da, [i32, i32] -> !a
  %b = tile.desc_load %db[%i, %zero] : !db, [i32, i32] -> !b
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
  tile.return %d : !acc
}

// The counter of the loop is a multiple of 32, the array's extent one of 16 only.
// CHECK-LABEL: tile.func private @half_tiles
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: arith.subi %k, %[[I]] : i32
// CHECK: tile_gpu.wgmma {{.*}} depth %
// REMARK: [Passed] depth {{.*}} Function=half_tiles |
tile.func private @half_tiles(%p: !p, %c: !acc, %k: i32 {tile.divisible_by = 16 : i32}) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !db
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %c) -> (!acc) : i32 {
    %a = tile.desc_load %da[%zero, %i] : !da, [i32, i32] -> !a
    %b = tile.desc_load %db[%i, %zero] : !db, [i32, i32] -> !b
    %d = tile.dot %a, %b, %acc {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
    scf.yield %d : !acc
  }
  tile.return %sum : !acc
}

// Both are known: 40 - 32 elements are left.
// CHECK-LABEL: tile.func private @constants
// CHECK: %[[DEPTH:c8_i32_[0-9]+]] = arith.constant 8 : i32
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %{{.*}} depth %[[DEPTH]] {
tile.func private @constants(%p: !p, %c: !acc) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = arith.constant 32 : i32
  %k = arith.constant 40 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !db
  %a = tile.desc_load %da[%zero, %i] : !da, [i32, i32] -> !a
  %b = tile.desc_load %db[%i, %zero] : !db, [i32, i32] -> !b
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
  tile.return %d : !acc
}

// An A from before the loop ends as well.
// CHECK-LABEL: tile.func private @kept_operand
// CHECK: scf.for
// CHECK: arith.cmpi sgt, %k, %{{.*}} : i32
// CHECK: tile_gpu.wgmma {{.*}} depth %
tile.func private @kept_operand(%p: !p, %c: !acc, %k: i32, %n: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %p, [%k, %n], [%n, %one] : !p, [i32, i32], [i32, i32] -> !db
  %a = tile.desc_load %da[%zero, %zero] : !da, [i32, i32] -> !a
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (!acc) : i32 {
    %b = tile.desc_load %db[%zero, %i] : !db, [i32, i32] -> !b
    %d = tile.dot %a, %b, %acc {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
    scf.yield %d : !acc
  }
  tile.return %sum : !acc
}
