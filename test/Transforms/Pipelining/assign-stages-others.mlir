// Loads with an 'other' that is not zero: copies leave zeros where their masks are
// false, and what reads the copies puts it in. Each slot has 512 bytes.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#r = #tile_gpu.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!u = tensor<128xf32, #r>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!m = tensor<128xi1, #l>
!o = tensor<128xi32, #l>

// CHECK-LABEL: tile.func private @tensor
// CHECK: tile.load %p, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: Function=tensor | Distance=2, FilledWhenRead=1, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @tensor(%p: !p, %n: i32, %m: !m, %f: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Which is another number than 0.
// CHECK-LABEL: tile.func private @minus_zero
// CHECK: tile.load %p, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: Function=minus_zero | Distance=2, FilledWhenRead=1, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @minus_zero(%p: !p, %n: i32, %m: !m) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant dense<-0.0> : !t
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Loads into registers have it as well: these are sent through shared memory.
// CHECK-LABEL: tile.func private @scalar
// CHECK: tile.load %p, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[B]]
// CHECK-NEXT: tile_gpu.local_load %[[B]]
// REMARK: Function=scalar | Distance=2, FilledWhenRead=1, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @scalar(%p: !p, %n: i32, %m: !m, %f: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %fs = tile.splat %f : f32 -> !t
    %x = tile.load %p, %m, %fs {tile_gpu.access = #row} : !p
    %w = arith.negf %x : !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// What the iteration computes, even of loads, is there when it reads.
// CHECK-LABEL: tile.func private @computed
// CHECK: tile.load %p, %m, %{{.*}} {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: Function=computed | Distance=2, FilledWhenRead=1, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @computed(%p: !p, %n: i32, %m: !m, %q: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %y = tile.load %q : !tile.ptr<f32>
    %ys = tile.splat %y : f32 -> !t
    %x = tile.load %p, %m, %ys {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A mask and a constant that are made again where they are read.
// CHECK-LABEL: tile.func private @elsewhere
// CHECK: tile.load %p, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: Function=elsewhere | Distance=2, FilledWhenRead=1, Loads=1, ProductInFlight=0, SharedBytes=1024, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @elsewhere(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant dense<1.0> : !t
  scf.for %i = %zero to %n step %one : i32 {
    %is = tile.splat %i : i32 -> !o
    %range = tile.arange : !o
    %ns = tile.splat %n : i32 -> !o
    %offs = arith.addi %is, %range : !o
    %m = arith.cmpi slt, %offs, %ns : !o
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !u
  } {tile.num_stages = 3 : i32}
  tile.return
}

// An argument is not. Another load goes ahead.
// CHECK-LABEL: tile.func private @mask_elsewhere
// CHECK: tile.load %p, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}} :
// CHECK: tile.load %p {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: [[@LINE+6]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=mask_elsewhere | Reason="the load is not pipelined: asynchronous copies fill with zeros, its 'other' is not zero, and its mask cannot be made again where it is read"{{$}}
tile.func private @mask_elsewhere(%p: !p, %n: i32, %m: !m) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant dense<1.0> : !t
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !u
    %z = tile.load %p {tile_gpu.access = #row} : !p
    %s2 = tile_gpu.alloc : !b
    tile_gpu.local_store %z, %s2 : !t, !b
    %v2 = tile_gpu.local_load %s2 : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @other_elsewhere
// CHECK: tile.load %p, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}} :
// CHECK: tile.load %p {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: [[@LINE+10]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=other_elsewhere | Reason="the load is not pipelined: asynchronous copies fill with zeros, its 'other' is not zero, and that cannot be made again where it is read"{{$}}
tile.func private @other_elsewhere(%p: !p, %n: i32, %f: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %is = tile.splat %i : i32 -> !o
    %range = tile.arange : !o
    %ns = tile.splat %n : i32 -> !o
    %offs = arith.addi %is, %range : !o
    %m = arith.cmpi slt, %offs, %ns : !o
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !u
    %z = tile.load %p {tile_gpu.access = #row} : !p
    %s2 = tile_gpu.alloc : !b
    tile_gpu.local_store %z, %s2 : !t, !b
    %v2 = tile_gpu.local_load %s2 : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Where no other load goes ahead, it goes through shared memory once more.
// CHECK-LABEL: tile.func private @twice
// CHECK: tile.load %p, {{.*}}, tile_gpu.pipelined} :
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[B]]
// CHECK-NEXT: %[[V:.*]] = tile_gpu.local_load %[[B]]
// CHECK-NEXT: %[[C:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %[[V]], %[[C]]
// CHECK-NEXT: tile_gpu.local_load %[[C]]
// REMARK: Function=twice | Distance=2, FilledWhenRead=1, Loads=1,
tile.func private @twice(%p: !p, %n: i32, %m: !m, %f: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !u
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK-LABEL: tile.func private @read_first
// CHECK: tile.load %p, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}} :
// CHECK: tile.load %p {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: [[@LINE+5]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=read_first | Reason="the load is not pipelined: asynchronous copies fill with zeros, its 'other' is not zero, and its buffer is read before it is written"{{$}}
tile.func private @read_first(%p: !p, %n: i32, %m: !m, %f: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    %v = tile_gpu.local_load %s : !b -> !t
    tile_gpu.local_store %x, %s : !t, !b
    %z = tile.load %p {tile_gpu.access = #row} : !p
    %s2 = tile_gpu.alloc : !b
    tile_gpu.local_store %z, %s2 : !t, !b
    %v2 = tile_gpu.local_load %s2 : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Zeros are what copies leave, and without an 'other' nothing is said.
// CHECK-LABEL: tile.func private @zeros
// CHECK-COUNT-2: tile_gpu.pipelined
// REMARK: Function=zeros | Distance=2, Loads=2, ProductInFlight=0, SharedBytes=2048, Slots=2, Stages=3, TensorCopies=0{{$}}
tile.func private @zeros(%p: !p, %n: i32, %m: !m) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant dense<0.0> : !t
  scf.for %i = %zero to %n step %one : i32 {
    %x = tile.load %p, %m, %f {tile_gpu.access = #row} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %z = tile.load %p, %m {tile_gpu.access = #row} : !p
    %s2 = tile_gpu.alloc : !b
    tile_gpu.local_store %z, %s2 : !t, !b
    %v2 = tile_gpu.local_load %s2 : !b -> !t
  } {tile.num_stages = 3 : i32}
  tile.return
}
