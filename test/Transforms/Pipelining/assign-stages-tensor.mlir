// Loops whose copies tensor maps do: they are issued at the end of an iteration, so
// that one slot less is under way than with threads' copies. A slot is of 64 x 32 and
// of 32 x 16 elements of 2 bytes: 5120 bytes.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=2 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=3 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=4 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=5 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIVE

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

// CHECK-LABEL: tile.func private @in_flight
// CHECK-COUNT-2: tile.desc_load {{.*}}tile_gpu.pipelined
// CHECK: tile_gpu.wgmma {{.*}}tile_gpu.in_flight
// CHECK: } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 3 : i32, tile_gpu.tensor_copies}
// TWO: [Passed] {{.*}} Function=in_flight | Distance=1, Loads=2, ProductInFlight=1, SharedBytes=10240, Slots=2, Stages=2, TensorCopies=1{{$}}
// THREE: [Passed] {{.*}} Function=in_flight | Distance=2, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=1{{$}}
// FOUR: [Passed] {{.*}} Function=in_flight | Distance=3, Loads=2, ProductInFlight=1, SharedBytes=20480, Slots=4, Stages=4, TensorCopies=1{{$}}
// FIVE: [Passed] {{.*}} Function=in_flight | Distance=4, Loads=2, ProductInFlight=1, SharedBytes=25600, Slots=5, Stages=5, TensorCopies=1{{$}}
tile.func private @in_flight(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
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
  tile.return
}

// An offset of 64 bits is no reason for threads to copy.
// CHECK-LABEL: tile.func private @wide
// CHECK: } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 3 : i32, tile_gpu.tensor_copies}
// THREE: [Passed] {{.*}} Function=wide | Distance=2, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=1{{$}}
tile.func private @wide(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc, %w: i64) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %w] {tile_gpu.access = #wide} : !db, [i32, i64] -> !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q : !tc
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Something else reads the accumulators.
// CHECK-LABEL: tile.func private @waited
// CHECK-COUNT-2: tile.desc_load {{.*}}tile_gpu.pipelined
// CHECK-NOT: tile_gpu.in_flight
// CHECK: } {tile.num_stages = 3 : i32, tile_gpu.distance = 3 : i32, tile_gpu.slots = 3 : i32, tile_gpu.tensor_copies}
// TWO: [Passed] {{.*}} Function=waited | Distance=2, Loads=2, ProductInFlight=0, SharedBytes=10240, Slots=2, Stages=2, TensorCopies=1{{$}}
// THREE: [Passed] {{.*}} Function=waited | Distance=3, Loads=2, ProductInFlight=0, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=1{{$}}
// FOUR: [Passed] {{.*}} Function=waited | Distance=4, Loads=2, ProductInFlight=0, SharedBytes=20480, Slots=4, Stages=4, TensorCopies=1{{$}}
// FIVE: [Passed] {{.*}} Function=waited | Distance=5, Loads=2, ProductInFlight=0, SharedBytes=25600, Slots=5, Stages=5, TensorCopies=1{{$}}
tile.func private @waited(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %u = arith.addf %q, %q : !tc
    scf.yield %u : !tc
  } {tile.num_stages = 3 : i32}
  tile.return
}

// In loops that hold each other directly, and under a condition around no loop.
// CHECK-LABEL: tile.func private @nested
// CHECK: tile_gpu.tensor_copies
// CHECK-LABEL: tile.func private @condition
// CHECK: tile_gpu.tensor_copies
tile.func private @nested(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  scf.for %j = %zero to %m step %one : i32 {
    scf.for %l = %zero to %n step %one : i32 {
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
  }
  tile.return
}
tile.func private @condition(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %c = arith.cmpi slt, %m, %n : i32
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
  tile.return
}
