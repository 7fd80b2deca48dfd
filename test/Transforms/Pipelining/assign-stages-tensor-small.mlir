// A few bytes that tensor maps cannot copy are loaded in their own iteration, and the
// operands of the product keep their maps.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-gpu-assign-stages --tile-gpu-async-copies | FileCheck %s --check-prefix=COPIES

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#ls = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0], [0]]>
#lr = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#ss = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
#four = #tile_gpu.access<direct, width = 4, axis = 0>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ts = tensor<64xf32, #ls>
!ps = tensor<64x!tile.ptr<f32>, #ls>
!tr = tensor<64xf32, #lr>
!th = tensor<64xf16, #ls>
!ph = tensor<64x!tile.ptr<f16>, #ls>
!tq = tensor<64xf16, #lr>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!bs = !tile_gpu.buffer<64xf32, #ss>
!bh = !tile_gpu.buffer<64xf16, #ss>
!p = !tile.ptr<f16>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>
!ma = !tile.tensor_map<64x32xf16, swizzle = 64>
!mb = !tile.tensor_map<32x16xf16, swizzle = 32>

// A and B are 64 * 32 * 2 + 32 * 16 * 2 = 5120 bytes, the vector 128: a 40th. 3 slots
// of A and B.
// CHECK-LABEL: tile.func private @small
// CHECK: tile.desc_load {{.*}}tile_gpu.pipelined
// CHECK: tile.desc_load {{.*}}tile_gpu.pipelined
// CHECK-NOT: tile.load {{.*}}tile_gpu.pipelined
// CHECK: tile_gpu.tensor_copies
// REMARK: mlir:[[#@LINE+19]]:10: remark: [Missed] {{.*}} Function=small | Reason="the load is not pipelined: its array has no tensor map, and threads' copies of so few bytes would keep tensor maps from the loop's other loads"
// REMARK: [Passed] {{.*}} Function=small | Distance=2, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=1{{$}}
// COPIES-LABEL: tile.func private @small
// COPIES: scf.for
// COPIES: tile_gpu.tma_load
// COPIES: tile_gpu.tma_load
// COPIES: tile.load
// COPIES: tile_gpu.local_store
// COPIES: tile_gpu.local_load
// COPIES-NOT: async_copy
tile.func private @small(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc, %ps: !ph, %s0: !tq) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %sum:2 = scf.for %i = %zero to %k step %step iter_args(%acc = %init, %last = %s0) -> (!tc, !tq) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
    %s = tile.load %ps {tile_gpu.access = #four} : !ph
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %sz = tile_gpu.alloc : !bh
    tile_gpu.local_store %s, %sz : !th, !bh
    %t = tile_gpu.local_load %sz : !bh -> !tq
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q, %t : !tc, !tq
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Twice 256 bytes are a tenth: the loop is copied by threads as before, and the remark
// is at the first load that makes them.
// CHECK-LABEL: tile.func private @not_small
// COPIES-LABEL: tile.func private @not_small
// COPIES: tile_gpu.async_copy %ps
// CHECK: tile.load {{.*}}tile_gpu.pipelined
// CHECK-NOT: tile_gpu.tensor_copies
// REMARK: mlir:[[#@LINE+11]]:10: remark: [Missed] {{.*}} Function=not_small | Reason="threads do the copies: its array has no tensor map"{{$}}
// REMARK: [Passed] {{.*}} Function=not_small | Distance=2, Loads=4, ProductInFlight=0, SharedBytes=16896, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @not_small(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc, %ps: !ps, %s0: !tr) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %sum:3 = scf.for %i = %zero to %k step %step iter_args(%acc = %init, %last = %s0, %before = %s0) -> (!tc, !tr, !tr) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
    %s = tile.load %ps {tile_gpu.access = #four} : !ps
    %s2 = tile.load %ps {tile_gpu.access = #four} : !ps
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %sz = tile_gpu.alloc : !bs
    tile_gpu.local_store %s, %sz : !ts, !bs
    %t = tile_gpu.local_load %sz : !bs -> !tr
    %sz2 = tile_gpu.alloc : !bs
    tile_gpu.local_store %s2, %sz2 : !ts, !bs
    %t2 = tile_gpu.local_load %sz2 : !bs -> !tr
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q, %t, %t2 : !tc, !tr, !tr
  } {tile.num_stages = 3 : i32}
  tile.return
}
