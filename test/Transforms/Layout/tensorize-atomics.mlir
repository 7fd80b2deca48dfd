// One thread performs a scalar atomic. Where its result is used, it becomes a
// tensor of one element, of which all threads hold copies; the way from the first
// copy to the others is that of all replicated tensors, through shared memory.

// RUN: tile-opt %s --tile-gpu-tensorize-atomics | FileCheck %s
// RUN: tile-opt %s --tile-gpu-tensorize-atomics --tile-gpu-assign-layouts --tile-gpu-stage-conversions \
// RUN:   | %inline-layouts | FileCheck %s --check-prefix=STAGED
// RUN: tile-opt %s --tile-gpu-tensorize-atomics --tile-gpu-assign-layouts --tile-gpu-stage-conversions \
// RUN:   --tile-gpu-allocate-shared --tile-gpu-insert-barriers | FileCheck %s --check-prefix=BARRIER

// CHECK-LABEL: tile.func @used
// CHECK-NEXT: %[[P:.*]] = tile.splat %p : !tile.ptr<i32> -> tensor<1x!tile.ptr<i32>>
// CHECK-NEXT: %[[N:.*]] = tile.splat %n : i32 -> tensor<1xi32>
// CHECK-NEXT: %[[OLD:.*]] = tile.atomic_rmw add acq_rel sys %[[P]], %[[N]] : tensor<1x!tile.ptr<i32>>
// CHECK-NEXT: %[[ONLY:.*]] = tile.reduce %[[OLD]] axis 0 : (tensor<1xi32>) -> i32 {
// CHECK-NEXT: ^{{.*}}(%[[X:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: tile.reduce.return %[[X]] : i32
// CHECK: tile.store %q, %[[ONLY]]
// STAGED-LABEL: tile.func @used
// STAGED: %[[OLD:.*]] = tile.atomic_rmw add acq_rel sys
// STAGED-NEXT: %[[BUFFER:.*]] = tile_gpu.alloc : <1xi32
// STAGED-NEXT: tile_gpu.local_store %[[OLD]], %[[BUFFER]]
// STAGED-NEXT: %[[ALL:.*]] = tile_gpu.local_load %[[BUFFER]]
// STAGED-NEXT: tile.reduce %[[ALL]] axis 0
// BARRIER-LABEL: tile.func @used
// BARRIER: tile_gpu.local_store
// BARRIER-NEXT: tile_gpu.barrier
// BARRIER-NEXT: tile_gpu.local_load
// BARRIER-NOT: tile_gpu.barrier
// BARRIER: tile.return
tile.func @used(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  %old = tile.atomic_rmw add acq_rel sys %p, %n : !tile.ptr<i32>
  tile.store %q, %old : !tile.ptr<i32>
  tile.return
}

// A mask and attributes go along.
// CHECK-LABEL: tile.func @masked
// CHECK-DAG: %[[P:.*]] = tile.splat %p : !tile.ptr<f32> -> tensor<1x!tile.ptr<f32>>
// CHECK-DAG: %[[X:.*]] = tile.splat %x : f32 -> tensor<1xf32>
// CHECK-DAG: %[[M:.*]] = tile.splat %m : i1 -> tensor<1xi1>
// CHECK: tile.atomic_rmw xchg relaxed cta %[[P]], %[[X]], %[[M]] {tag} : tensor<1x!tile.ptr<f32>>
tile.func @masked(%p: !tile.ptr<f32>, %x: f32, %m: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %old = tile.atomic_rmw xchg relaxed cta %p, %x, %m {tag} : !tile.ptr<f32>
  tile.store %p, %old : !tile.ptr<f32>
  tile.return
}

// A lock that is taken in a loop.
// CHECK-LABEL: tile.func @compare
// CHECK: scf.while
// CHECK: %[[OLD:.*]] = tile.atomic_cas acquire gpu {{.*}} : tensor<1x!tile.ptr<i64>>
// CHECK: %[[ONLY:.*]] = tile.reduce %[[OLD]] axis 0
// CHECK: arith.cmpi ne, %[[ONLY]], %{{.*}} : i64
// The next turn's store has to wait until all have read: two barriers.
// BARRIER-LABEL: tile.func @compare
// BARRIER: scf.while
// BARRIER: tile_gpu.barrier
// BARRIER-NEXT: tile_gpu.local_store
// BARRIER-NEXT: tile_gpu.barrier
// BARRIER-NEXT: tile_gpu.local_load
tile.func @compare(%p: !tile.ptr<i64>) attributes {tile_gpu.num_warps = 2 : i32} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.while : () -> () {
    %old = tile.atomic_cas acquire gpu %p, %zero, %one : !tile.ptr<i64>
    %taken = arith.cmpi ne, %old, %zero : i64
    scf.condition(%taken)
  } do {
    scf.yield
  }
  tile.return
}

// 16 elements over 32 lanes and two warps: of each element there are four copies,
// in lanes 16 apart and in both warps. What the first copy got is what all get.
// CHECK-LABEL: tile.func @replicated
// CHECK: tile.atomic_rmw add relaxed gpu {{.*}} : tensor<16x!tile.ptr<i32>>
// STAGED-LABEL: tile.func @replicated
// STAGED: %[[OLD:.*]] = tile.atomic_rmw {{.*}} #tile_gpu.layout<register = [], lane = {{.}}[1], [2], [4], [8], [0]], warp = {{.}}[0]]>>
// STAGED-NEXT: %[[BUFFER:.*]] = tile_gpu.alloc : <16xi32, #tile_gpu.shared<{{.}}[1], [2], [4], [8]]>>
// STAGED-NEXT: tile_gpu.local_store %[[OLD]], %[[BUFFER]]
// STAGED-NEXT: %[[ALL:.*]] = tile_gpu.local_load %[[BUFFER]]
// STAGED-NEXT: tile.store %{{.*}}, %[[ALL]]
tile.func @replicated(%p: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %old = tile.atomic_rmw add relaxed gpu %ps, %ns : tensor<16x!tile.ptr<i32>>
  tile.store %ps, %old : tensor<16x!tile.ptr<i32>>
  tile.return
}

// 64 elements, one a thread: nobody else needs a result.
// STAGED-LABEL: tile.func @spread
// STAGED: tile.atomic_rmw
// STAGED-NEXT: tile.store
tile.func @spread(%p: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %old = tile.atomic_rmw add relaxed gpu %ps, %ns : tensor<64x!tile.ptr<i32>>
  tile.store %ps, %old : tensor<64x!tile.ptr<i32>>
  tile.return
}

// Unchanged: a scalar whose result nobody uses stays scalar, a tensor stays as it
// is, and neither passes through shared memory.
// CHECK-LABEL: tile.func @unchanged
// CHECK-NEXT: tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
// CHECK-NEXT: tile.atomic_cas relaxed gpu %p, %n, %n : !tile.ptr<i32>
// CHECK-NEXT: %[[PS:.*]] = tile.splat
// CHECK-NEXT: %[[NS:.*]] = tile.splat
// CHECK-NEXT: tile.atomic_rmw add relaxed gpu %[[PS]], %[[NS]] : tensor<16x!tile.ptr<i32>>
// CHECK-NEXT: tile.return
// STAGED-LABEL: tile.func @unchanged
// STAGED-NOT: tile_gpu.alloc
// STAGED: tile.return
tile.func @unchanged(%p: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  %0 = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  %1 = tile.atomic_cas relaxed gpu %p, %n, %n : !tile.ptr<i32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %2 = tile.atomic_rmw add relaxed gpu %ps, %ns : tensor<16x!tile.ptr<i32>>
  tile.return
}
