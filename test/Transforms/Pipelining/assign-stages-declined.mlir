// Loads that stay where they are, and why. A load that could go is beside them where
// nothing else would keep the detour through shared memory away.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
#one = #tile_gpu.access<direct, width = 1, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!m = tensor<128xi1, #l>
!o = tensor<128xi32, #l>
!h = tensor<128xf16, #l>
!hp = tensor<128x!tile.ptr<f16>, #l>
!hb = !tile_gpu.buffer<128xf16, #rows>

// CHECK-LABEL: tile.func private @volatile
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=volatile | Reason="the load is not pipelined: it is volatile"{{$}}
tile.func private @volatile(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p volatile {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @stored
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=stored | Reason="the load is not pipelined: 'tile.store' in the loop may change what it reads"{{$}}
tile.func private @stored(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    tile.store %p, %v : !p
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Behind other pointers, which may be to the same memory.
// CHECK-LABEL: tile.func private @stored_elsewhere
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=stored_elsewhere | Reason="the load is not pipelined: 'tile.store' in the loop may change what it reads"{{$}}
tile.func private @stored_elsewhere(%p: !p, %n: i32, %other: !p) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    tile.store %other, %v : !p
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @atomic
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=atomic | Reason="the load is not pipelined: 'tile.atomic_rmw' in the loop may change what it reads"{{$}}
tile.func private @atomic(%p: !p, %n: i32, %c: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %old = tile.atomic_rmw add relaxed gpu %c, %one : !tile.ptr<i32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @condition
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+11]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=condition | Reason="the load is not pipelined: its address or mask is computed under a condition"{{$}}
tile.func private @condition(%p: !p, %n: i32, %c: i1, %o1: !o, %o2: !o) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %o = scf.if %c -> (!o) {
      scf.yield %o1 : !o
    } else {
      scf.yield %o2 : !o
    }
    %q = tile.addptr %p, %o : !p, !o
    %x = tile.load %q {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @indirect
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+7]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=indirect | Reason="the load is not pipelined: its address or mask comes from a load"{{$}}
tile.func private @indirect(%p: !p, %n: i32, %po: tensor<128x!tile.ptr<i32>, #l>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %o = tile.load %po : tensor<128x!tile.ptr<i32>, #l>
    %q = tile.addptr %p, %o : !p, !o
    %x = tile.load %q {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A division by zero must not run ahead.
// CHECK-LABEL: tile.func private @division
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+7]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=division | Reason="the load is not pipelined: its address or mask comes from 'arith.divsi'"{{$}}
tile.func private @division(%p: !p, %n: i32, %o1: !o, %o2: !o) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %o = arith.divsi %o1, %o2 : !o
    %q = tile.addptr %p, %o : !p, !o
    %x = tile.load %q {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @scalar
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=scalar | Reason="the load is not pipelined: it loads a scalar"{{$}}
tile.func private @scalar(%p: !p, %n: i32, %sp: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %sp : !tile.ptr<f32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @unused
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=unused | Reason="the load is not pipelined: its value is not used"{{$}}
tile.func private @unused(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @narrow
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=narrow | Reason="the load is not pipelined: an asynchronous copy moves 4 bytes or more at once, these addresses allow 2"{{$}}
tile.func private @narrow(%p: !p, %n: i32, %ph: !hp) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %ph {tile_gpu.access = #one} : !hp
    %s = tile_gpu.alloc : !hb
    tile_gpu.local_store %x, %s : !h, !hb
    %v = tile_gpu.local_load %s : !hb -> !h
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @no_access
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=no_access | Reason="the load is not pipelined: an asynchronous copy moves 4 bytes or more at once, these addresses allow 0"{{$}}
tile.func private @no_access(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Its buffer is written again; another load goes ahead.
// CHECK-LABEL: tile.func private @rewritten
// CHECK: tile.load %p {tile_gpu.access = {{[^}]*}}} :
// CHECK: tile.load %p {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=rewritten | Reason="the load is not pipelined: its buffer is used in other ways"{{$}}
tile.func private @rewritten(%p: !p, %n: i32, %y: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    tile_gpu.local_store %y, %s : !t, !b
    %z = tile.load %p {tile_gpu.access = #row} : !p
    %s2 = tile_gpu.alloc : !b
    tile_gpu.local_store %z, %s2 : !t, !b
    %v2 = tile_gpu.local_load %s2 : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}
