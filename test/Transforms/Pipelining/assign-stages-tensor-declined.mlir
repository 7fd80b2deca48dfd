// Loops with tensor maps whose copies threads do all the same, and why. Their numbers
// are those of threads' copies.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s --implicit-check-not=tile_gpu.tensor_copies
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=TensorCopies=1

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

// One of two arrays.
// CHECK-LABEL: tile.func private @one_map
// CHECK: tile_gpu.slots = 3 : i32}
// REMARK: mlir:[[#@LINE+10]]:10: remark: [Missed] {{.*}} Function=one_map | Reason="threads do the copies: its array has no tensor map"{{$}}
// REMARK: [Passed] {{.*}} Function=one_map | Distance=1, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @one_map(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] : !p, [i32, i32], [i32, i32] -> !db
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

// The phase of the mbarriers would have to go on through the condition.
// CHECK-LABEL: tile.func private @conditional
// CHECK: tile_gpu.slots = 3 : i32}
// REMARK: [Missed] {{.*}} Function=conditional | Reason="threads do the copies: the loop is under a condition inside of another loop"{{$}}
// REMARK: [Passed] {{.*}} Function=conditional | Distance=1, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @conditional(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  scf.for %j = %zero to %m step %one : i32 {
    %c = arith.cmpi slt, %j, %n : i32
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
  }
  tile.return
}

// Rows before %r are in the map, and not in the array.
// CHECK-LABEL: tile.func private @negative
// CHECK: tile_gpu.slots = 3 : i32}
// REMARK: [Missed] {{.*}} Function=negative | Reason="threads do the copies: an offset may be negative"{{$}}
// REMARK: [Passed] {{.*}} Function=negative | Distance=1, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @negative(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %da[%m, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
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

!mh = !tile.tensor_map<32x8xf16>
// Boxes of half the columns.
// CHECK-LABEL: tile.func private @box
// CHECK: tile_gpu.slots = 3 : i32}
// REMARK: [Missed] {{.*}} Function=box | Reason="threads do the copies: a row of the tile is longer than one of the box, and the swizzle is not 128 bytes"{{$}}
// REMARK: [Passed] {{.*}} Function=box | Distance=1, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @box(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc, %mh: !mh) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mh[%zero, %zero] : !mh : !p, [i32, i32], [i32, i32] -> !db
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

// The array has its rows along dimension 0, the buffer along dimension 1.
// CHECK-LABEL: tile.func private @rows
// CHECK: tile_gpu.slots = 3 : i32}
// REMARK: [Missed] {{.*}} Function=rows | Reason="threads do the copies: the buffer's rows lie along the other dimension"{{$}}
// REMARK: [Passed] {{.*}} Function=rows | Distance=1, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @rows(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%one, %n] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
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

#ls = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 0], [2, 0]]>
#ss = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16]]>
#two = #tile_gpu.access<direct, width = 2, axis = 1>
!ts = tensor<4x64xf16, #ls>
!bs = !tile_gpu.buffer<4x64xf16, #ss>
!ms = !tile.tensor_map<4x64xf16, swizzle = 128>
!ds = !tile.desc<4x64xf16>

// Rows of 128 bytes are swizzled in pieces of 8 rows, and a slot has 4: 512 bytes of
// 5632.
// CHECK-LABEL: tile.func private @slots
// CHECK: tile_gpu.slots = 3 : i32}
// REMARK: [Missed] {{.*}} Function=slots | Reason="threads do the copies: slots of 512 bytes do not begin at multiples of 1024"{{$}}
// REMARK: [Passed] {{.*}} Function=slots | Distance=2, Loads=3, ProductInFlight=0, SharedBytes=16896, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @slots(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc, %ms: !ms) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%r, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  %db = tile.make_desc %b, [%k, %n], [%n, %one] map %mb[%zero, %zero] : !mb : !p, [i32, i32], [i32, i32] -> !db
  %ds = tile.make_desc %b, [%k, %n], [%n, %one] map %ms[%zero, %zero] : !ms : !p, [i32, i32], [i32, i32] -> !ds
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %da[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %db[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %z = tile.desc_load %ds[%i, %zero] {tile_gpu.access = #two} : !ds, [i32, i32] -> !ts
    %sz = tile_gpu.alloc : !bs
    tile_gpu.local_store %z, %sz : !ts, !bs
    %rz = tile_gpu.local_load %sz : !bs -> !ts
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q : !tc
  } {tile.num_stages = 3 : i32}
  tile.return
}

// No product reads the buffer.
// CHECK-LABEL: tile.func private @registers
// CHECK: tile_gpu.slots = 2 : i32}
// REMARK: [Missed] {{.*}} Function=registers | Reason="threads do the copies: products read registers"{{$}}
// REMARK: [Passed] {{.*}} Function=registers | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @registers(%a: !p, %b: !p, %ma: !ma, %mb: !mb, %m: i32, %n: i32, %k: i32, %r: i32, %init: !tc, %ms: !ms) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %ds = tile.make_desc %b, [%k, %n], [%n, %one] map %ms[%zero, %zero] : !ms : !p, [i32, i32], [i32, i32] -> !ds
  scf.for %i = %zero to %k step %step : i32 {
    %z = tile.desc_load %ds[%i, %zero] {tile_gpu.access = #two} : !ds, [i32, i32] -> !ts
    %sz = tile_gpu.alloc : !bs
    tile_gpu.local_store %z, %sz : !ts, !bs
    %rz = tile_gpu.local_load %sz : !bs -> !ts
  } {tile.num_stages = 3 : i32}
  tile.return
}
