// A product of wgmma reads copies where they are, zeros and all. A slot of A has 4096
// bytes, one of B 1024.

// RUN: tile-opt %s --tile-gpu-assign-stages | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-stages --remark-format=emitRemark --remarks-filter=tile-gpu-assign-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!pa = tensor<64x32x!tile.ptr<f16>, #la>
!pb = tensor<32x16x!tile.ptr<f16>, #lb>
!ma = tensor<64x32xi1, #la>
!mb = tensor<32x16xi1, #lb>

// The other operand, with zeros, goes ahead.
// CHECK-LABEL: tile.func private @one_operand
// CHECK: tile.load %a, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}} :
// CHECK: tile.load %b, %{{.*}}, %{{.*}} {tile_gpu.access = {{[^}]*}}, tile_gpu.pipelined} :
// REMARK: [[@LINE+8]]:{{[0-9]+}}: remark: [Missed] {{.*}} Function=one_operand | Reason="the load is not pipelined: asynchronous copies fill with zeros, its 'other' is not zero, and the product reads shared memory"{{$}}
// REMARK: Function=one_operand | Distance=2, Loads=1, ProductInFlight=0, SharedBytes=3072, Slots=3, Stages=3, TensorCopies=0{{$}}
tile.func private @one_operand(%a: !pa, %ma: !ma, %b: !pb, %mb: !mb, %n: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : !ta
  %zeros = arith.constant dense<0.0> : !tb
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.load %a, %ma, %ones {tile_gpu.access = #wide} : !pa
    %y = tile.load %b, %mb, %zeros {tile_gpu.access = #wide} : !pb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q : !tc
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Nothing goes ahead, on no detour either.
// CHECK-LABEL: tile.func private @both_operands
// CHECK-NOT: tile_gpu.pipelined
// CHECK-NOT: tile_gpu.local_load
// REMARK-COUNT-2: Function=both_operands | Reason="the load is not pipelined: asynchronous copies fill with zeros, its 'other' is not zero, and the product reads shared memory"{{$}}
// REMARK: Function=both_operands | Reason="no load of the loop can run ahead", Stages=3
tile.func private @both_operands(%a: !pa, %ma: !ma, %b: !pb, %mb: !mb, %n: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : !ta
  %minus = arith.constant dense<-0.0> : !tb
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.load %a, %ma, %ones {tile_gpu.access = #wide} : !pa
    %y = tile.load %b, %mb, %minus {tile_gpu.access = #wide} : !pb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %sx, %sy, %acc : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %q : !tc
  } {tile.num_stages = 3 : i32}
  tile.return
}
