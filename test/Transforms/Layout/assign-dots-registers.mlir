// Where wgmma's A is computed element by element next to the product, it gets the
// layout in which the instruction reads registers: that of the accumulators of a
// product of its shape.

// RUN: tile-opt %s --tile-gpu-assign-layouts | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-layouts --remark-format=emitRemark --remarks-filter='tile-gpu-assign-layouts' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!q = tensor<64x16xf16>
!k = tensor<16x32xf16>
!s = tensor<64x32xf32>
!p = tensor<64x32xf16>
!v = tensor<32x16xf16>
!o = tensor<64x16xf32>
!d = !tile.desc<64x32xf16>
#wide = #tile_gpu.instruction<wgmma, 64, 32, 16>
#narrow = #tile_gpu.instruction<wgmma, 64, 16, 16>
#access = #tile_gpu.access<direct, width = 8, axis = 1>

// Nothing is converted on the way from product to product.
// REMARK: Function=products | {{.*}} Conversions=0,
// CHECK-LABEL: tile.func @products
// CHECK: tile.dot {{.*}} -> tensor<64x32xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8], [0, 16]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.}}[16, 0], [32, 0]]>>
// CHECK: tile.dot {{.*}} : tensor<64x32xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8], [0, 16]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.}}[16, 0], [32, 0]]>>,
tile.func @products(%x: f16) attributes {tile_gpu.num_warps = 4 : i32} {
  %q = tile.splat %x : f16 -> !q
  %k = tile.splat %x : f16 -> !k
  %v = tile.splat %x : f16 -> !v
  %zs = arith.constant dense<0.0> : !s
  %zo = arith.constant dense<0.0> : !o
  %s = tile.dot %q, %k, %zs {tile_gpu.instruction = #wide} : !q, !k -> !s
  %two = arith.constant dense<2.0> : !s
  %scaled = arith.mulf %s, %two : !s
  %p = tile.convert %scaled : !s -> !p
  %o = tile.dot %p, %v, %zo {tile_gpu.instruction = #narrow} : !p, !v -> !o
  tile.return
}

// Two groups of warps share the rows: each has half of the columns of S, and would
// need all of them. The operand is what it is, for shared memory.
// REMARK: Function=shared_rows | {{.*}} Conversions=0,
// CHECK-LABEL: tile.func @shared_rows
// CHECK: tile.dot
// CHECK: tile.dot {{.*}} : tensor<64x32xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.}}[16, 0], [32, 0], [0, 16]]>>,
tile.func @shared_rows(%x: f16) attributes {tile_gpu.num_warps = 8 : i32} {
  %q = tile.splat %x : f16 -> !q
  %k = tile.splat %x : f16 -> !k
  %v = tile.splat %x : f16 -> !v
  %zs = arith.constant dense<0.0> : !s
  %zo = arith.constant dense<0.0> : !o
  %s = tile.dot %q, %k, %zs {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 16, 16>} : !q, !k -> !s
  %p = tile.convert %s : !s -> !p
  %o = tile.dot %p, %v, %zo {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 8, 16>} : !p, !v -> !o
  tile.return
}

// A load that can run ahead: its rows are converted as they are, by way of shared
// memory, where a copy can bring them; what is computed of them is computed in
// fragments.
// REMARK: Function=streamed | {{.*}} Conversions=1, ConvertedBytes=4096{{$}}
// CHECK-LABEL: tile.func private @streamed
// CHECK: %[[X:.*]] = tile.desc_load {{.*}} -> tensor<64x32xf16, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [0, 4], [32, 0]],
// CHECK-NEXT: %[[F:.*]] = tile_gpu.convert_layout %[[X]] : {{.*}} -> tensor<64x32xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8], [0, 16]],
// CHECK: %[[M:.*]] = arith.mulf %[[F]],
// CHECK-NEXT: tile.dot %[[M]],
tile.func private @streamed(%d: !d, %x: f16, %n: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %zo = arith.constant dense<0.0> : !o
  %v = tile.splat %x : f16 -> !v
  %o = scf.for %i = %zero to %n step %step iter_args(%acc = %zo) -> (!o) : i32 {
    %a = tile.desc_load %d[%zero, %i] {tile_gpu.access = #access} : !d, [i32, i32] -> !p
    %two = arith.constant dense<2.0> : !p
    %m = arith.mulf %a, %two : !p
    %next = tile.dot %m, %v, %acc {tile_gpu.instruction = #narrow} : !p, !v -> !o
    scf.yield %next : !o
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Unchanged, for shared memory: loads that do not run ahead; what something else uses,
// too; what is computed before the loop; what is only loaded.
// REMARK: Function=unchanged | {{.*}} Conversions=0,
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func private @unchanged(%d: !d, %x: f16, %n: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %zo = arith.constant dense<0.0> : !o
  %v = tile.splat %x : f16 -> !v
  %two = arith.constant dense<2.0> : !p
  %b = tile.desc_load %d[%zero, %zero] {tile_gpu.access = #access} : !d, [i32, i32] -> !p
  %before = arith.mulf %b, %two : !p
  %u = scf.for %i = %zero to %n step %step iter_args(%acc = %zo) -> (!o) : i32 {
    %a = tile.desc_load %d[%zero, %i] {tile_gpu.access = #access} : !d, [i32, i32] -> !p
    %m = arith.mulf %a, %two : !p
    %next = tile.dot %m, %v, %acc {tile_gpu.instruction = #narrow} : !p, !v -> !o
    scf.yield %next : !o
  }
  %o = scf.for %i = %zero to %n step %step iter_args(%acc = %zo) -> (!o) : i32 {
    %a = tile.desc_load %d[%zero, %i] {tile_gpu.access = #access} : !d, [i32, i32] -> !p
    %m = arith.mulf %a, %two : !p
    tile.desc_store %d[%zero, %i], %m {tile_gpu.access = #access} : !d, [i32, i32], !p
    %first = tile.dot %m, %v, %acc {tile_gpu.instruction = #narrow} : !p, !v -> !o
    %second = tile.dot %before, %v, %first {tile_gpu.instruction = #narrow} : !p, !v -> !o
    %c = tile.desc_load %d[%i, %i] {tile_gpu.access = #access} : !d, [i32, i32] -> !p
    %third = tile.dot %c, %v, %second {tile_gpu.instruction = #narrow} : !p, !v -> !o
    scf.yield %third : !o
  } {tile.num_stages = 3 : i32}
  tile.return
}
