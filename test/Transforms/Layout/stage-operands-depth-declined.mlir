// Products that go to the end of their tiles: no step could be left out, or it is not
// known where the tiles end.

// RUN: tile-opt %s --tile-gpu-stage-operands | %inline-layouts | FileCheck %s --implicit-check-not=depth
// RUN: tile-opt %s --tile-gpu-stage-operands --remark-format=emitRemark --remarks-filter=tile-gpu-stage-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not="[Passed] depth"

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#ak = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#registers = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#bn = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#ashort = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#bshort = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#wgmma = #tile_gpu.instruction<wgmma, 64, 16, 16>
!a = tensor<64x32xf16, #ak>
!b = tensor<32x16xf16, #bn>
!acc = tensor<64x16xf32, #acc>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>
!p = !tile.ptr<f16>

// The array is made of whole tiles, and the counter counts them.
// CHECK-LABEL: tile.func private @whole_tiles
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %{{.*}} {
// REMARK-NOT: depth {{.*}} Function=whole_tiles
tile.func private @whole_tiles(%p: !p, %c: !acc, %k: i32 {tile.divisible_by = 32 : i32}) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
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

// 17 of 32 elements need both steps; and where one of the arrays is long enough, the
// other may be as short as it is.
// CHECK-LABEL: tile.func private @long_enough
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %{{.*}} {
// REMARK-NOT: depth {{.*}} Function=long_enough
tile.func private @long_enough(%p: !p, %c: !acc, %n: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = arith.constant 32 : i64
  %k = arith.constant 49 : i64
  %da = tile.make_desc %p, [%n, %k], [%n, %one] : !p, [i32, i64], [i32, i32] -> !da
  %db = tile.make_desc %p, [%n, %n], [%n, %one] : !p, [i32, i32], [i32, i32] -> !db
  %a = tile.desc_load %da[%zero, %i] : !da, [i32, i64] -> !a
  %b = tile.desc_load %db[%i, %zero] : !db, [i64, i32] -> !b
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
  tile.return %d : !acc
}

// K is one step.
// CHECK-LABEL: tile.func private @one_step
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %c {
// REMARK-NOT: depth {{.*}} Function=one_step
tile.func private @one_step(%p: !p, %c: !acc, %k: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %db = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !tile.desc<16x16xf16>
  %a = tile.desc_load %da[%zero, %zero] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16, #ashort>
  %b = tile.desc_load %db[%zero, %zero] : !tile.desc<16x16xf16>, [i32, i32] -> tensor<16x16xf16, #bshort>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : tensor<64x16xf16, #ashort>, tensor<16x16xf16, #bshort> -> !acc
  tile.return %d : !acc
}

// What is computed of a tile need not be zero where that is.
// CHECK-LABEL: tile.func private @computed
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %c {
// REMARK: [[@LINE+9]]:8: remark: [Missed] depth | Category:tile-gpu-stage-operands | Function=computed | Reason="goes to the end of its tiles: A is no tile of an array"
tile.func private @computed(%p: !p, %c: !acc, %k: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !db
  %a = tile.desc_load %da[%zero, %zero] : !da, [i32, i32] -> !a
  %b = tile.desc_load %db[%zero, %zero] : !db, [i32, i32] -> !b
  %e = math.exp %a : !a
  %d = tile.dot %e, %b, %c {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
  tile.return %d : !acc
}

// CHECK-LABEL: tile.func private @argument
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %c {
// REMARK: Function=argument | Reason="goes to the end of its tiles: B is no tile of an array"
tile.func private @argument(%p: !p, %b: !b, %c: !acc, %k: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !da
  %a = tile.desc_load %da[%zero, %zero] : !da, [i32, i32] -> !a
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : !a, !b -> !acc
  tile.return %d : !acc
}

// All of an A in registers is multiplied.
// CHECK-LABEL: tile.func private @from_registers
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %c {{{.*}}} : tensor<
// REMARK: Function=from_registers | Reason="goes to the end of its tiles: A stays in registers"
tile.func private @from_registers(%p: !p, %c: !acc, %k: i32) -> !acc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %da = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %p, [%k, %k], [%k, %one] : !p, [i32, i32], [i32, i32] -> !db
  %a = tile.desc_load %da[%zero, %zero] : !da, [i32, i32] -> tensor<64x32xf16, #registers>
  %b = tile.desc_load %db[%zero, %zero] : !db, [i32, i32] -> !b
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : tensor<64x32xf16, #registers>, !b -> !acc
  tile.return %d : !acc
}
