// Loops in scf.while: its body hands the phase of the mbarriers on, its condition does
// not, nor what is under another one.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!p = !tile.ptr<f16>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>
!ma = !tile.tensor_map<64x32xf16, swizzle = 64>
!mb = !tile.tensor_map<32x16xf16, swizzle = 32>

// CHECK-LABEL: tile.func private @body
// CHECK: tile_gpu.tensor_copies
// REMARK: [Passed] {{.*}} Function=body | Distance=2, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=1{{$}}
tile.func private @body(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %end = scf.while (%begun = %r) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %m : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
    %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
      %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
      %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
      %sx = tile_gpu.alloc : !ba
      tile_gpu.local_store %x, %sx : !ta, !ba
      %sy = tile_gpu.alloc : !bb
      tile_gpu.local_store %y, %sy : !tb, !bb
      %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
      %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
      scf.yield %q : !tc
    } {tile.num_stages = 3 : i32}
    %next = arith.addi %tile, %one : i32
    scf.yield %next : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// CHECK-LABEL: tile.func private @condition
// CHECK-NOT: tile_gpu.tensor_copies
// REMARK: [Missed] {{.*}} Function=condition | Reason="threads do the copies: the loop is under a condition inside of another loop"{{$}}
// REMARK: [Passed] {{.*}} Function=condition | {{.*}} TensorCopies=0{{$}}
tile.func private @condition(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %end = scf.while (%begun = %r) : (i32) -> i32 {
    %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
      %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
      %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
      %sx = tile_gpu.alloc : !ba
      tile_gpu.local_store %x, %sx : !ta, !ba
      %sy = tile_gpu.alloc : !bb
      tile_gpu.local_store %y, %sy : !tb, !bb
      %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
      %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
      scf.yield %q : !tc
    } {tile.num_stages = 3 : i32}
    %more = arith.cmpi ult, %begun, %m : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
    %next = arith.addi %tile, %one : i32
    scf.yield %next : i32
  }
  tile.return
}

// CHECK-LABEL: tile.func private @branch
// CHECK-NOT: tile_gpu.tensor_copies
// REMARK: [Missed] {{.*}} Function=branch | Reason="threads do the copies: the loop is under a condition inside of another loop"{{$}}
// REMARK: [Passed] {{.*}} Function=branch | {{.*}} TensorCopies=0{{$}}
tile.func private @branch(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %end = scf.while (%begun = %r) : (i32) -> i32 {
    %more = arith.cmpi ult, %begun, %m : i32
    scf.condition(%more) %begun : i32
  } do {
  ^body(%tile: i32):
    %c = arith.cmpi slt, %tile, %n : i32
    scf.if %c {
      %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
        %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
        %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
        %sx = tile_gpu.alloc : !ba
        tile_gpu.local_store %x, %sx : !ta, !ba
        %sy = tile_gpu.alloc : !bb
        tile_gpu.local_store %y, %sy : !tb, !bb
        %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
        %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
        scf.yield %q : !tc
      } {tile.num_stages = 3 : i32}
    }
    %next = arith.addi %tile, %one : i32
    scf.yield %next : i32
  } attributes {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
