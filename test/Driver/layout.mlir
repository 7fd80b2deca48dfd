// --emit=layout: which thread holds which element. The expected cells are
// computed by hand. @copy: 64 elements in 32 lanes, two each:
//
//     element e    lane e / 2, register e % 2
//
// @transpose: 16x16 elements of 4 bytes, so 8 a lane, read 16 bytes at a time;
// 4 lanes make a row and 32 lanes 8 rows:
//
//     (row, column)    lane 4 * (row % 8) + column / 4,
//                      register column % 4 + 4 * (row / 8)
//
// It is turned by giving the coordinates other names, and moves through shared
// memory, so three values come from the place of %t: buffer, load, transpose.
//
// RUN: tile-opt %s --emit=layout --value=v --num-warps=1 -o %t.v.txt
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t.v.txt --check-prefix=V
// RUN: tile-opt %s --emit=layout --value=%%v --num-warps=1 | cmp %t.v.txt -
// RUN: tile-opt %s --emit=layout --value=v --num-warps=1 --kernel=copy | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --emit=layout --value=71 --num-warps=1 | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --emit=layout --value=71:8 --num-warps=1 | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --emit=layout --value=t --num-warps=1 | FileCheck %s --check-prefix=T
// RUN: tile-opt %s --emit=layout --value=t --num-warps=1 | %python %S/Inputs/layout_cells.py | FileCheck %s --check-prefix=CELLS
// RUN: tile-opt %s --emit=layout --value=i --num-warps=1 --raise-rank=0 | FileCheck %s --check-prefix=I
// RUN: tile-opt %s --emit=layout --value=v --num-warps=1 --kernel=copy --format=svg -o %t.svg
// RUN: %python -c "import sys, xml.dom.minidom as m; d = m.parse(sys.argv[1]); print(d.documentElement.tagName, *(len(d.getElementsByTagName(t)) for t in ('rect', 'script')))" %t.svg | FileCheck %s --check-prefix=SVG

//          V:1. @copy: tile.load at 71:8
//     V-NEXT:tensor<64xf32>
//     V-NEXT:1 warp x 32 lanes x 2 registers
//     V-NEXT:    +0         +1         +2         +3 {{.*}}+15
//     V-NEXT: 0  w0 t0 r0   w0 t0 r1   w0 t1 r0   w0 t1 r1 {{.*}}w0 t7 r1
//     V-NEXT:16  w0 t8 r0   w0 t8 r1   w0 t9 r0   w0 t9 r1 {{.*}}w0 t15 r1
//     V-NEXT:32  w0 t16 r0  w0 t16 r1  w0 t17 r0  w0 t17 r1 {{.*}}w0 t23 r1
//     V-NEXT:48  w0 t24 r0  w0 t24 r1  w0 t25 r0  w0 t25 r1 {{.*}}w0 t31 r1
//    V-EMPTY:
//     V-NEXT:2. @transpose: tile.desc_load at 89:8
//     V-NEXT:tensor<16x16xf32>
//     V-NEXT:1 warp x 32 lanes x 8 registers
//     V-NEXT:    0 {{.*}} 15
//     V-NEXT: 0  w0 t0 r0   w0 t0 r1   w0 t0 r2   w0 t0 r3   w0 t1 r0 {{.*}}w0 t3 r3
//          V: 9  w0 t4 r4   w0 t4 r5   w0 t4 r6   w0 t4 r7   w0 t5 r4 {{.*}}w0 t7 r7
//      V-NOT:{{.+}}held

// One picture has no number.
// ONE:      {{^}}@copy: tile.load
// ONE-NOT:  @transpose

// T:      1. @transpose: tile_gpu.alloc at
// T-NEXT: buffer<16x16xf32> in shared memory
// T-NEXT: 256 elements of 4 bytes from byte 0
// T:      2. @transpose: tile_gpu.local_load at
// T-NEXT: tensor<16x16xf32>
// T:      3. @transpose: tile.trans at
// CELLS: 256 cells

// As columns, %i is 4 lanes with 4 registers each: lane bits 2, 3, 4 are copies.
// As rows it is 8 lanes with 2 registers: lane bits 0, 1 are copies.
// I: 1. @transpose: tile.arange at
// I: Each element is held 8 times; a cell names the first place. The others: xor any of {t4}, {t8}, {t16}.
// I: 2. @transpose: tile.arange at
// I: Each element is held 4 times; a cell names the first place. The others: xor any of {t1}, {t2}.

// 64 cells, two boxes for the one warp of the legend, the background.
// SVG: svg 67 0

tile.func @copy(%x: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                %y: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %cols = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %px = tile.addptr %xs, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %px : tensor<64x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %py = tile.addptr %ys, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %py, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}
tile.func @transpose(%x: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
                     %y: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) {
  %i = tile.arange : tensor<16xi32>
  %c16 = arith.constant dense<16> : tensor<16x1xi32>
  %rows = tile.expand_dims %i, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tile.expand_dims %i, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %starts = arith.muli %rows, %c16 : tensor<16x1xi32>
  %starts2 = tile.broadcast %starts : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns2 = tile.broadcast %columns : tensor<1x16xi32> -> tensor<16x16xi32>
  %at = arith.addi %starts2, %columns2 : tensor<16x16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %at : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  %v = tile.load %px : tensor<16x16x!tile.ptr<f32>>
  %t = tile.trans %v, [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %py = tile.addptr %ys, %at : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %py, %t : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
