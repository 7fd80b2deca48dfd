// Loops of which no load, or only some, can run ahead.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>

// CHECK-LABEL: tile.func private @unsigned
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=unsigned | Reason="the load is not pipelined: the loop counts unsigned"{{$}}
tile.func private @unsigned(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for unsigned %i = %zero to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The value of the iteration before the last.
// CHECK-LABEL: tile.func private @carried
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=carried | Reason="the load is not pipelined: the loop carries on a value that it does not compute"{{$}}
tile.func private @carried(%p: !p, %n: i32, %t: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %t, %w = %t) -> (!t, !t) : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    scf.yield %w, %v : !t, !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @branch
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+6]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=branch | Reason="the load is not pipelined: it is under a condition or in an inner loop"{{$}}
tile.func private @branch(%p: !p, %n: i32, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.if %c {
      %x = tile.load %p {tile_gpu.access = #row} : !p
    }
  } {tile.num_stages = 3 : i32}
  tile.return
}

// What is only read goes ahead of anything; what no other argument points to goes
// ahead of their atomics, but not of an acquire, after which the load may find
// what another program has written.
// CHECK-LABEL: tile.func @readonly
// CHECK: tile.desc_load {{.*}}tile_gpu.pipelined
// REMARK: remark: [Passed] {{.*}} Function=readonly | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func @readonly(%p: !tile.ptr<f32> {tile.readonly}, %c: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.desc_load %d[%i] {tile_gpu.access = #row} : !tile.desc<128xf32>, [i32] -> !t
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %old = tile.atomic_rmw add acq_rel gpu %c, %one : !tile.ptr<i32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func @noalias
// CHECK: tile.desc_load {{.*}}tile_gpu.pipelined
// REMARK: remark: [Passed] {{.*}} Function=noalias | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func @noalias(%p: !tile.ptr<f32> {tile.noalias}, %c: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.desc_load %d[%i] {tile_gpu.access = #row} : !tile.desc<128xf32>, [i32] -> !t
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %old = tile.atomic_rmw add release gpu %c, %one : !tile.ptr<i32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func @acquire
// CHECK-NOT: tile_gpu.pipelined
// REMARK: remark: [Missed] {{.*}} Function=acquire | Reason="the load is not pipelined: 'tile.atomic_rmw' in the loop may change what it reads"{{$}}
tile.func @acquire(%p: !tile.ptr<f32> {tile.noalias}, %c: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.desc_load %d[%i] {tile_gpu.access = #row} : !tile.desc<128xf32>, [i32] -> !t
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %old = tile.atomic_rmw add acquire gpu %c, %one : !tile.ptr<i32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func @acq_rel
// CHECK-NOT: tile_gpu.pipelined
// REMARK: remark: [Missed] {{.*}} Function=acq_rel | Reason="the load is not pipelined: 'tile.atomic_rmw' in the loop may change what it reads"{{$}}
tile.func @acq_rel(%p: !tile.ptr<f32> {tile.noalias}, %c: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.desc_load %d[%i] {tile_gpu.access = #row} : !tile.desc<128xf32>, [i32] -> !t
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %old = tile.atomic_rmw add acq_rel gpu %c, %one : !tile.ptr<i32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Used in registers only, beside a load that is not: no detour.
// CHECK-LABEL: tile.func private @beside
// CHECK: tile.load %p {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined}
// CHECK: tile.load %q {tile_gpu.access = {{[^}]*}}} :
// CHECK: tile_gpu.alloc
// CHECK-NOT: tile_gpu.alloc
// REMARK: [[@LINE+7]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=beside | Reason="the load is not pipelined: its value is used in registers"{{$}}
// REMARK: remark: [Passed] {{.*}} Function=beside | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @beside(%p: !p, %q: !p, %n: i32, %t: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!t) : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %y = tile.load %q {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %w = arith.addf %v, %y : !t
    scf.yield %w : !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Where nothing else is pipelined, several loads that are used in registers take
// the detour together.
// CHECK-LABEL: tile.func private @detour
// CHECK: %[[X:.*]] = tile.load %p {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined}
// CHECK-NEXT: %[[BX:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %[[X]], %[[BX]]
// CHECK-NEXT: %[[VX:.*]] = tile_gpu.local_load %[[BX]]
// CHECK-NEXT: %[[Y:.*]] = tile.load %q {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined}
// CHECK-NEXT: %[[BY:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %[[Y]], %[[BY]]
// CHECK-NEXT: %[[VY:.*]] = tile_gpu.local_load %[[BY]]
// CHECK-NEXT: arith.addf %[[VX]], %[[VY]]
// REMARK: remark: [Passed] {{.*}} Function=detour | Distance=2, Loads=2, ProductInFlight=0, SharedBytes=2048, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @detour(%p: !p, %q: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %y = tile.load %q {tile_gpu.access = #row} : !p
    %w = arith.addf %x, %y : !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Of loops in each other the innermost is pipelined.
// CHECK-LABEL: tile.func private @nested
// CHECK: tile.load %p {tile_gpu.access = {{[^}]*}}} :
// CHECK: tile.load %q {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// CHECK: } {tile.num_stages = 4 : i32, tile_gpu.distance = 3 : i32, tile_gpu.slots = 3 : i32}
// CHECK: } {tile.num_stages = 3 : i32}
// REMARK: [[@LINE+6]]:5: remark: [Passed] {{.*}} Function=nested | Distance=3, Loads=1, ProductInFlight=0, SharedBytes=1536, Slots=3, Stages=4, TensorCopies=0{{$}}
// REMARK: [[@LINE+4]]:10: remark: [Missed] {{.*}} Function=nested | Reason="the load is not pipelined: an inner loop is pipelined"{{$}}
tile.func private @nested(%p: !p, %q: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    scf.for %j = %one to %n step %one : i32 {
      %y = tile.load %q {tile_gpu.access = #row} : !p
      %w = arith.addf %x, %y : !t
    } {tile.num_stages = 4 : i32}
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Unchanged: a loop without loads.
// CHECK-LABEL: tile.func @nothing
// CHECK: } {tile.num_stages = 3 : i32}
// REMARK: remark: [Missed] {{.*}} Function=nothing | Reason="no load of the loop can run ahead", Stages=3{{$}}
tile.func @nothing(%n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
  } {tile.num_stages = 3 : i32}
  tile.return
}
