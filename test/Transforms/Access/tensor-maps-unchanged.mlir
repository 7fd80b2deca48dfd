// Kernels for which no map is asked, and targets: nothing changes, without a remark.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a -o %t.before
// RUN: tile-opt %t.before --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: not grep . %t.remarks

// Products of these targets read registers; sm_80 has no maps at all.
// RUN: tile-opt %S/tensor-maps.mlir --tile-inline-calls --tile-gpu-attach-target=target=sm_80 -o %t.before
// RUN: tile-opt %t.before --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: not grep . %t.remarks
// RUN: tile-opt %S/tensor-maps.mlir --tile-inline-calls --tile-gpu-attach-target=target=sm_120a -o %t.before
// RUN: tile-opt %t.before --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: not grep . %t.remarks

// A target that no one knows is an error.
// RUN: sed 's/module attributes {.*} {/module attributes {tile_gpu.target = "sm_1"} {/' %t.before > %t.unknown
// RUN: not tile-opt %t.unknown --tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: unknown target 'sm_1'

!p = !tile.ptr<f16>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16>

// A product of the tile.
tile.func private @use(%x: !t) {
  %y = arith.constant #tile.zero : tensor<32x16xf16>
  %z = arith.constant #tile.zero : tensor<64x16xf32>
  %r = tile.dot %x, %y, %z : !t, tensor<32x16xf16> -> tensor<64x16xf32>
  tile.return
}

// No stages.
tile.func @stages(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  }
  tile.return
}

// Stages, and no product.
tile.func @product(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.desc_store %d[%zero, %i], %x : !d, [i32, i32], !t
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A product, and no loop.
tile.func @loop(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %x = tile.desc_load %d[%zero, %zero] : !d, [i32, i32] -> !t
  tile.call @use(%x) : (!t) -> ()
  tile.return
}

// A descriptor that a loop carries.
tile.func @carried(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %r = scf.for %i = %zero to %k step %step iter_args(%e = %d) -> (!d) : i32 {
    %x = tile.desc_load %e[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
    scf.yield %e : !d
  } {tile.num_stages = 3 : i32}
  tile.return
}
