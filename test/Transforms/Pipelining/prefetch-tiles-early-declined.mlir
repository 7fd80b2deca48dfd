// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

// What keeps the next tile's copies from where the products have not ended.

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!tile = tensor<64xf32, #l>
!full = !tile_gpu.mbarrier<2>

// The width is divided by only where it has been asserted: not for a tile before.

// CHECK-LABEL: tile.func @asserted
// CHECK: scf.for unsigned
// CHECK: tile.assert
// CHECK-NEXT: arith.divsi
// CHECK-NOT: arith.divsi
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=asserted | Reason="an assertion may stop a program before it computes where copies read"
tile.func @asserted(%a: !map, %tiles: i32, %steps: i32, %width: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%parity = %zero) -> (i32) : i32 {
    %some = arith.cmpi sgt, %width, %zero : i32
    tile.assert %some, "width is positive" : i1
    %row = arith.divsi %tile, %width : i32
    %runs = arith.cmpi slt, %zero, %steps : i32
    %ring = tile_gpu.alloc : !ring
    %done = scf.if %runs -> (i32) {
      %to = tile_gpu.slot %ring[%zero] : !ring
      scf.if %runs {
        tile_gpu.mbarrier_expect %full[%zero], 256 : !full
        tile_gpu.tma_load %a[%row], %to, %full[%zero] : !map, !slot, !full
      }
      %loop = scf.for %i = %zero to %steps step %one iter_args(%p = %parity) -> (i32) : i32 {
        tile_gpu.mbarrier_wait %full[%zero], %p : !full
        %p1 = arith.xori %p, %one : i32
        tile_gpu.barrier
        %i1 = arith.addi %i, %one : i32
        %more = arith.cmpi slt, %i1, %steps : i32
        scf.if %more {
          tile_gpu.mbarrier_expect %full[%zero], 256 : !full
          tile_gpu.tma_load %a[%row], %to, %full[%zero] : !map, !slot, !full
        }
        scf.yield %p1 : i32
      }
      scf.yield %loop : i32
    } else {
      scf.yield %parity : i32
    }
    tile_gpu.barrier
    tile.print "row", %row : i32
    scf.yield %done : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!tile = tensor<64xf32, #l>
!full = !tile_gpu.mbarrier<2>

// A slot is read behind the barrier, under a condition: it is not free there.

// CHECK-LABEL: tile.func @reads_behind
// CHECK: } else {
// CHECK: tile_gpu.barrier
// CHECK: tile_gpu.tma_load
// CHECK: tile.return
// REMARK: [Passed] prefetch {{.*}} Function=reads_behind | Carried=1, Copies=1, Early=false,
tile.func @reads_behind(%a: !map, %tiles: i32, %steps: i32, %width: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%parity = %zero) -> (i32) : i32 {
    %row = arith.divsi %tile, %width : i32
    %runs = arith.cmpi slt, %zero, %steps : i32
    %ring = tile_gpu.alloc : !ring
    %done = scf.if %runs -> (i32) {
      %to = tile_gpu.slot %ring[%zero] : !ring
      scf.if %runs {
        tile_gpu.mbarrier_expect %full[%zero], 256 : !full
        tile_gpu.tma_load %a[%row], %to, %full[%zero] : !map, !slot, !full
      }
      %loop = scf.for %i = %zero to %steps step %one iter_args(%p = %parity) -> (i32) : i32 {
        tile_gpu.mbarrier_wait %full[%zero], %p : !full
        %p1 = arith.xori %p, %one : i32
        tile_gpu.barrier
        scf.if %runs {
          %again = tile_gpu.local_load %to : !slot -> !tile
        }
        %i1 = arith.addi %i, %one : i32
        %more = arith.cmpi slt, %i1, %steps : i32
        scf.if %more {
          tile_gpu.mbarrier_expect %full[%zero], 256 : !full
          tile_gpu.tma_load %a[%row], %to, %full[%zero] : !map, !slot, !full
        }
        scf.yield %p1 : i32
      }
      scf.yield %loop : i32
    } else {
      scf.yield %parity : i32
    }
    tile_gpu.barrier
    tile.print "row", %row : i32
    scf.yield %done : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
