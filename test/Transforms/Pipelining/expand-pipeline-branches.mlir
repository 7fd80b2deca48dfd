// Branches share one where nothing but operations without effects stands between
// them, under the same condition.

// RUN: tile-opt %s --tile-gpu-expand-pipeline | FileCheck %s

#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#l = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
!map = !tile.tensor_map<8x64xf16, swizzle = 128>
!box = !tile_gpu.buffer<8x64xf16, #rows>
!ring = !tile_gpu.buffer<8x64xf16, #rows, slots = 3>
!t = tensor<8x64xf16, #l>
!bars = !tile_gpu.mbarrier<3>

// Three, next to each other.
// CHECK-LABEL: tile.func private @adjacent
// CHECK: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: tile_gpu.mbarrier_arrive %full[%n]
// CHECK-NEXT: tile_gpu.mbarrier_arrive %full[%{{c0.*}}]
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.func private @adjacent(%map: !map, %full: !bars, %n: i32, %c: i1, %d: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  scf.for %i = %zero to %n step %zero : i32 {
    %v = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
  }
  scf.if %c {
    tile_gpu.mbarrier_expect %full[%zero], 64 : !bars
  }
  scf.if %c {
    tile_gpu.mbarrier_arrive %full[%n] : !bars
  }
  scf.if %c {
    tile_gpu.mbarrier_arrive %full[%zero] : !bars
  }
  tile.return
}

// CHECK-LABEL: tile.func private @pure
// CHECK: %[[A:.*]] = arith.addi %n, %n : i32
// CHECK-NEXT: %[[B:.*]] = arith.muli %[[A]], %n : i32
// CHECK-NEXT: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: tile_gpu.mbarrier_arrive %full[%[[B]]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.func private @pure(%map: !map, %full: !bars, %n: i32, %c: i1, %d: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  scf.for %i = %zero to %n step %zero : i32 {
    %v = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
  }
  scf.if %c {
    tile_gpu.mbarrier_expect %full[%zero], 64 : !bars
  }
  %a = arith.addi %n, %n : i32
  %b = arith.muli %a, %n : i32
  scf.if %c {
    tile_gpu.mbarrier_arrive %full[%b] : !bars
  }
  tile.return
}

// An effect in between stays there.
// CHECK-LABEL: tile.func private @effect
// CHECK: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_arrive
// CHECK-NEXT: }
tile.func private @effect(%map: !map, %full: !bars, %n: i32, %c: i1, %d: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  scf.for %i = %zero to %n step %zero : i32 {
    %v = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
  }
  scf.if %c {
    tile_gpu.mbarrier_expect %full[%zero], 64 : !bars
  }
  tile_gpu.barrier
  scf.if %c {
    tile_gpu.mbarrier_arrive %full[%n] : !bars
  }
  tile.return
}

// Other conditions.
// CHECK-LABEL: tile.func private @conditions
// CHECK: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %d {
// CHECK-NEXT: tile_gpu.mbarrier_arrive
// CHECK-NEXT: }
tile.func private @conditions(%map: !map, %full: !bars, %n: i32, %c: i1, %d: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  scf.for %i = %zero to %n step %zero : i32 {
    %v = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
  }
  scf.if %c {
    tile_gpu.mbarrier_expect %full[%zero], 64 : !bars
  }
  scf.if %d {
    tile_gpu.mbarrier_arrive %full[%n] : !bars
  }
  tile.return
}

// Without a loop that has stages, nothing is done.
// CHECK-LABEL: tile.func private @no_loop
// CHECK: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_arrive
// CHECK-NEXT: }
tile.func private @no_loop(%map: !map, %full: !bars, %n: i32, %c: i1, %d: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  scf.if %c {
    tile_gpu.mbarrier_expect %full[%zero], 64 : !bars
  }
  scf.if %c {
    tile_gpu.mbarrier_arrive %full[%n] : !bars
  }
  tile.return
}

// Branches that have an else, or results, and a branch in another one.
// CHECK-LABEL: tile.func private @others
// CHECK-COUNT-2: } else {
// CHECK: scf.if %c {
// CHECK-NEXT: scf.if %c {
// CHECK-NEXT: tile_gpu.mbarrier_arrive
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: }
tile.func private @others(%map: !map, %full: !bars, %n: i32, %c: i1, %d: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  scf.for %i = %zero to %n step %zero : i32 {
    %v = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
  }
  scf.if %c {
    tile_gpu.mbarrier_expect %full[%zero], 64 : !bars
  } else {
    tile_gpu.mbarrier_arrive %full[%n] : !bars
  }
  %x = scf.if %c -> (i32) {
    scf.yield %n : i32
  } else {
    scf.yield %zero : i32
  }
  scf.if %c {
    scf.if %c {
      tile_gpu.mbarrier_arrive %full[%n] : !bars
    }
    tile_gpu.mbarrier_expect %full[%zero], 64 : !bars
  }
  tile.return
}
