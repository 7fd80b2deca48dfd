// The table of lib/Transforms/Pipelining/PipelinePlan.h, for 2 to 5 stages. A ring
// takes its slots times the bytes of a tensor: 4096 for 64x32 of f16, 1024 for
// 32x16 of f16, 512 for 128 of f32.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=2 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=4 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=5 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIVE
// One stage is no pipeline.
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=1 --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages 2>&1 | FileCheck %s --check-prefix=ONE
// ONE-NOT: remark:
// ONE-NOT: tile_gpu.distance
// ONE-NOT: tile_gpu.pipelined

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0], [0]]>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!d = !tile.desc<128xf32>
!pb = tensor<32x16x!tile.ptr<f16>, #lb>
!mb = tensor<32x16xi1, #lb>
!ob = tensor<32x16xi32, #lb>

// CHECK-LABEL: tile.func private @in_flight
// CHECK: tile.desc_load {{.*}}tile_gpu.pipelined
// CHECK: tile.desc_load {{.*}}tile_gpu.pipelined
// CHECK: tile_gpu.wgmma {{.*}}tile_gpu.in_flight
// CHECK: } {tile.num_stages = 3 : i32, tile_gpu.distance = 1 : i32, tile_gpu.slots = 3 : i32}
// TWO: Function=in_flight | Distance=1, Loads=2, ProductInFlight=0, SharedBytes=10240, Slots=2, Stages=2, TensorCopies=0{{$}}
// THREE: Function=in_flight | Distance=1, Loads=2, ProductInFlight=1, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=0{{$}}
// FOUR: Function=in_flight | Distance=2, Loads=2, ProductInFlight=1, SharedBytes=20480, Slots=4, Stages=4, TensorCopies=0{{$}}
// FIVE: Function=in_flight | Distance=3, Loads=2, ProductInFlight=1, SharedBytes=25600, Slots=5, Stages=5, TensorCopies=0{{$}}
tile.func private @in_flight(%a: !da, %b: !db, %n: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %a[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %b[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
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

// Something else reads the accumulators: the product is waited for. Pointers that
// the loop carries, under a mask.
// CHECK-LABEL: tile.func private @waited
// CHECK: tile.load {{.*}}tile_gpu.pipelined
// CHECK: tile_gpu.wgmma
// CHECK-NOT: tile_gpu.in_flight
// CHECK: } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 3 : i32}
// TWO: Function=waited | Distance=1, Loads=2, ProductInFlight=0, SharedBytes=10240, Slots=2, Stages=2, TensorCopies=0{{$}}
// THREE: Function=waited | Distance=2, Loads=2, ProductInFlight=0, SharedBytes=15360, Slots=3, Stages=3, TensorCopies=0{{$}}
// FOUR: Function=waited | Distance=3, Loads=2, ProductInFlight=0, SharedBytes=20480, Slots=4, Stages=4, TensorCopies=0{{$}}
// FIVE: Function=waited | Distance=4, Loads=2, ProductInFlight=0, SharedBytes=25600, Slots=5, Stages=5, TensorCopies=0{{$}}
tile.func private @waited(%a: !da, %b: !pb, %m: !mb, %s: !ob, %n: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fill = arith.constant #tile.zero : !tb
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %pb = %b) -> (!tc, !pb) : i32 {
    %x = tile.desc_load %a[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.load %pb, %m, %fill {tile_gpu.access = #wide} : !pb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %scaled = arith.addf %q, %q : !tc
    %next = tile.addptr %pb, %s : !pb, !ob
    scf.yield %scaled, %next : !tc, !pb
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A load that is written to two buffers is copied twice; two products are waited for.
// CHECK-LABEL: tile.func private @two_products
// CHECK-NOT: tile_gpu.in_flight
// THREE: Function=two_products | Distance=2, Loads=2, ProductInFlight=0, SharedBytes=27648, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @two_products(%a: !da, %b: !db, %n: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %a[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %b[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
    %s1 = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %s1 : !ta, !ba
    %s2 = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %s2 : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %p = tile_gpu.wgmma %s1, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %u = tile_gpu.wgmma %s2, %sy, %q : !ba, !bb -> !tc
    %v = tile_gpu.wgmma_wait %u pending = 0 : !tc
    scf.yield %v : !tc
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Read into registers.
// CHECK-LABEL: tile.func private @registers
// CHECK: } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32}
// TWO: Function=registers | Distance=1, Loads=1, ProductInFlight=0, SharedBytes=512, Slots=1, Stages=2, TensorCopies=0{{$}}
// THREE: Function=registers | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
// FOUR: Function=registers | Distance=3, Loads=1, ProductInFlight=0, SharedBytes=1536, Slots=3, Stages=4, TensorCopies=0{{$}}
// FIVE: Function=registers | Distance=4, Loads=1, ProductInFlight=0, SharedBytes=2048, Slots=4, Stages=5, TensorCopies=0{{$}}
tile.func private @registers(%d: !d, %n: i32, %init: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!t) : i32 {
    %x = tile.desc_load %d[%i] {tile_gpu.access = #row} : !d, [i32] -> !t
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Products and registers: as for the products, whose slots are read last.
// CHECK-LABEL: tile.func private @both
// CHECK-NOT: tile_gpu.in_flight
// CHECK: } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 3 : i32}
// TWO: Function=both | Distance=1, Loads=3, ProductInFlight=0, SharedBytes=11264, Slots=2, Stages=2, TensorCopies=0{{$}}
// THREE: Function=both | Distance=2, Loads=3, ProductInFlight=0, SharedBytes=16896, Slots=3, Stages=3, TensorCopies=0{{$}}
// FOUR: Function=both | Distance=3, Loads=3, ProductInFlight=0, SharedBytes=22528, Slots=4, Stages=4, TensorCopies=0{{$}}
// FIVE: Function=both | Distance=4, Loads=3, ProductInFlight=0, SharedBytes=28160, Slots=5, Stages=5, TensorCopies=0{{$}}
tile.func private @both(%a: !da, %b: !db, %d: !d, %n: i32, %init: !tc, %sum: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %s = %sum) -> (!tc, !t) : i32 {
    %x = tile.desc_load %a[%zero, %i] {tile_gpu.access = #wide} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %b[%i, %zero] {tile_gpu.access = #wide} : !db, [i32, i32] -> !tb
    %z = tile.desc_load %d[%i] {tile_gpu.access = #row} : !d, [i32] -> !t
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    %sz = tile_gpu.alloc : !b
    tile_gpu.local_store %z, %sz : !t, !b
    %v = tile_gpu.local_load %sz : !b -> !t
    %next = arith.addf %s, %v : !t
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q, %next : !tc, !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Unchanged: the author asks for nothing, and the option is for those who do.
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NOT: tile_gpu.pipelined
// CHECK-NOT: tile_gpu.distance
// FIVE-NOT: Function=unchanged
tile.func private @unchanged(%d: !d, %n: i32, %init: !t) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!t) : i32 {
    %x = tile.desc_load %d[%i] {tile_gpu.access = #row} : !d, [i32] -> !t
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.return
}
