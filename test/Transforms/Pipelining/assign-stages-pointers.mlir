// What a loop reads through pointers that loops carry: they are made from an
// argument only if their updates are made from the same one.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!s = !tile.ptr<f32>
!p = tensor<128x!s, #l>
!o = tensor<128xi32, #l>

// The second round reads what it has written.
// CHECK-LABEL: tile.func @swapped
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+7]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=swapped | Reason="the load is not pipelined: 'tile.store' in the loop may change what it reads"{{$}}
tile.func @swapped(%p: !s {tile.noalias}, %q: !s {tile.noalias}, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %one to %n step %one iter_args(%a = %p, %b = %q) -> (!s, !s) : i32 {
    %as = tile.splat %a : !s -> !p
    %qs = tile.splat %q : !s -> !p
    scf.for %j = %one to %n step %one : i32 {
      %x = tile.load %as {tile_gpu.access = #row} : !p
      %y = arith.addf %x, %x : !t
      tile.store %qs, %y : !p
    } {tile.num_stages = 3 : i32}
    scf.yield %b, %a : !s, !s
  }
  tile.return
}

// A pointer that the loop hands on after it has written to the other array.
// CHECK-LABEL: tile.func @replaced
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+6]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=replaced | Reason="the load is not pipelined: 'tile.store' in the loop may change what it reads"{{$}}
tile.func @replaced(%p: !s {tile.noalias}, %q: !s {tile.noalias}, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  %ps = tile.splat %p : !s -> !p
  %qs = tile.splat %q : !s -> !p
  %r = scf.for %j = %one to %n step %one iter_args(%a = %ps) -> (!p) : i32 {
    %x = tile.load %a {tile_gpu.access = #row} : !p
    %y = arith.addf %x, %x : !t
    tile.store %qs, %y : !p
    %o = tile.arange : !o
    %next = tile.addptr %qs, %o : !p, !o
    scf.yield %next : !p
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Only the array that the pointer begins with is not written at all.
// CHECK-LABEL: tile.func @readonly_at_first
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+6]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=readonly_at_first | Reason="the load is not pipelined: 'tile.store' in the loop may change what it reads"{{$}}
tile.func @readonly_at_first(%p: !s {tile.readonly}, %q: !s, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  %ps = tile.splat %p : !s -> !p
  %qs = tile.splat %q : !s -> !p
  %r = scf.for %j = %one to %n step %one iter_args(%a = %ps) -> (!p) : i32 {
    %x = tile.load %a {tile_gpu.access = #row} : !p
    %y = arith.addf %x, %x : !t
    tile.store %qs, %y : !p
    %o = tile.arange : !o
    %next = tile.addptr %qs, %o : !p, !o
    scf.yield %next : !p
  } {tile.num_stages = 3 : i32}
  tile.return
}

// The store's pointer is the one that changes.
// CHECK-LABEL: tile.func @store_swapped
// CHECK-NOT: tile_gpu.pipelined
// REMARK: [[@LINE+7]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=store_swapped | Reason="the load is not pipelined: 'tile.store' in the loop may change what it reads"{{$}}
tile.func @store_swapped(%p: !s {tile.noalias}, %q: !s {tile.noalias}, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  %ps = tile.splat %p : !s -> !p
  %r:2 = scf.for %i = %one to %n step %one iter_args(%a = %q, %b = %p) -> (!s, !s) : i32 {
    %as = tile.splat %a : !s -> !p
    scf.for %j = %one to %n step %one : i32 {
      %x = tile.load %ps {tile_gpu.access = #row} : !p
      %y = arith.addf %x, %x : !t
      tile.store %as, %y : !p
    } {tile.num_stages = 3 : i32}
    scf.yield %b, %a : !s, !s
  }
  tile.return
}

// Pointers that only move stay in their arrays, from one loop to the next too.
// CHECK-LABEL: tile.func @advanced
// CHECK: tile.load {{.*}}tile_gpu.pipelined
// CHECK: tile.load {{.*}}tile_gpu.pipelined
// REMARK: remark: [Passed] {{.*}} Function=advanced | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
// REMARK: remark: [Passed] {{.*}} Function=advanced | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func @advanced(%p: !s {tile.noalias}, %q: !s {tile.noalias}, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  %ps = tile.splat %p : !s -> !p
  %qs = tile.splat %q : !s -> !p
  %r:2 = scf.for %i = %one to %n step %one iter_args(%a = %ps, %b = %qs) -> (!p, !p) : i32 {
    %in:2 = scf.for %j = %one to %n step %one iter_args(%c = %a, %d = %b) -> (!p, !p) : i32 {
      %x = tile.load %c {tile_gpu.access = #row} : !p
      %y = arith.addf %x, %x : !t
      tile.store %d, %y : !p
      %o = tile.arange : !o
      %next = tile.addptr %c, %o : !p, !o
      %next2 = tile.addptr %d, %o : !p, !o
      scf.yield %next, %next2 : !p, !p
    } {tile.num_stages = 3 : i32}
    scf.yield %in#0, %in#1 : !p, !p
  }
  scf.for %j = %one to %n step %one : i32 {
    %x = tile.load %r#0 {tile_gpu.access = #row} : !p
    %y = arith.addf %x, %x : !t
    tile.store %r#1, %y : !p
  } {tile.num_stages = 3 : i32}
  tile.return
}
