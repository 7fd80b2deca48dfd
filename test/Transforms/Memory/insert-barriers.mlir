// RUN: tile-opt %s --tile-gpu-insert-barriers | FileCheck %s
// RUN: tile-opt %s --tile-gpu-insert-barriers --remark-format=emitRemark --remarks-filter='.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Every line of a body is checked, so that no barrier is there but those that are
// expected. Programs of one warp need them too. %a has the bytes 0 to 127, %b 128
// to 255.

#lanes = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#lanes16 = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
!buf = !tile_gpu.buffer<32xf32, #tile_gpu.shared<[[1], [2], [4], [8], [16]]>>
!half = !tile_gpu.buffer<16xf32, #tile_gpu.shared<[[1], [2], [4], [8]]>>
!t = tensor<32xf32, #lanes>

// Writes of different bytes, reads of the same.
// CHECK-LABEL: tile.func private @unchanged
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
// REMARK-NOT: Function=unchanged
tile.func private @unchanged(%t: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  %b = tile_gpu.alloc offset = 128 : !buf
  %c = tile_gpu.alloc offset = 256 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  tile_gpu.local_store %t, %b : !t, !buf
  %u = tile_gpu.local_load %c : !buf -> !t
  %v = tile_gpu.local_load %c : !buf -> !t
  tile.return
}

// CHECK-LABEL: tile.func private @one_for_two_buffers
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile.return
// REMARK: [Passed] barriers | Category:tile-gpu-insert-barriers | Function=one_for_two_buffers | Barriers=1, InLoops=0
tile.func private @one_for_two_buffers(%t: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  %b = tile_gpu.alloc offset = 128 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  tile_gpu.local_store %t, %b : !t, !buf
  %u = tile_gpu.local_load %a : !buf -> !t
  %v = tile_gpu.local_load %b : !buf -> !t
  tile.return
}

// Bytes count, not buffers: %upper is the second half of %a, %b touches it only.
// CHECK-LABEL: tile.func private @shared_bytes
// CHECK: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.local_store {{.*}} tensor<32xf32
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store {{.*}} tensor<16xf32
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store {{.*}} tensor<32xf32
// CHECK-NEXT: tile.return
tile.func private @shared_bytes(%t: !t, %s: tensor<16xf32, #lanes16>) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  %b = tile_gpu.alloc offset = 128 : !buf
  %upper = tile_gpu.alloc offset = 64 : !half
  %u = tile_gpu.local_load %a : !buf -> !t
  tile_gpu.local_store %t, %b : !t, !buf
  tile_gpu.local_store %s, %upper : tensor<16xf32, #lanes16>, !half
  tile_gpu.local_store %t, %a : !t, !buf
  tile.return
}

// CHECK-LABEL: tile.func private @there_already
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile.return
// REMARK-NOT: Function=there_already
tile.func private @there_already(%t: !t) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  tile_gpu.barrier
  %u = tile_gpu.local_load %a : !buf -> !t
  tile.return
}

// CHECK-LABEL: tile.func private @loop_over_one_buffer
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: }
// REMARK: Function=loop_over_one_buffer | Barriers=2, InLoops=2
tile.func private @loop_over_one_buffer(%t: !t, %n: index) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile_gpu.alloc offset = 0 : !buf
  scf.for %i = %c0 to %n step %c1 {
    tile_gpu.local_store %t, %a : !t, !buf
    %u = tile_gpu.local_load %a : !buf -> !t
  }
  tile.return
}

// The barrier between the accesses of one buffer separates the iterations of the
// other one's.
// CHECK-LABEL: tile.func private @loop_over_two_buffers
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: }
tile.func private @loop_over_two_buffers(%t: !t, %n: index) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile_gpu.alloc offset = 0 : !buf
  %b = tile_gpu.alloc offset = 128 : !buf
  scf.for %i = %c0 to %n step %c1 {
    tile_gpu.local_store %t, %a : !t, !buf
    %u = tile_gpu.local_load %a : !buf -> !t
    tile_gpu.local_store %t, %b : !t, !buf
    %v = tile_gpu.local_load %b : !buf -> !t
  }
  tile.return
}

// The write after the loop has to wait for the reads in it; if the loop does not
// run, for the write before it.
// CHECK-LABEL: tile.func private @before_and_after_a_loop
// CHECK: tile_gpu.local_store
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile.return
// REMARK: Function=before_and_after_a_loop | Barriers=2, InLoops=1
tile.func private @before_and_after_a_loop(%t: !t, %n: index) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile_gpu.alloc offset = 0 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  scf.for %i = %c0 to %n step %c1 {
    %u = tile_gpu.local_load %a : !buf -> !t
  }
  tile_gpu.local_store %t, %a : !t, !buf
  tile.return
}

// A barrier in a loop does not serve if the loop runs zero times.
// CHECK-LABEL: tile.func private @zero_iterations
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile.return
tile.func private @zero_iterations(%t: !t, %n: index) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile_gpu.alloc offset = 0 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  scf.for %i = %c0 to %n step %c1 {
    tile_gpu.barrier
  }
  %u = tile_gpu.local_load %a : !buf -> !t
  tile.return
}

// The first region always runs, so that its barrier serves what comes after the
// loop. The second writes %a again.
// CHECK-LABEL: tile.func private @while
// CHECK: tile_gpu.local_store
// CHECK-NEXT: scf.while
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: scf.condition
// CHECK-NEXT: } do {
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile.return
tile.func private @while(%t: !t, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  scf.while : () -> () {
    %u = tile_gpu.local_load %a : !buf -> !t
    scf.condition(%c)
  } do {
    tile_gpu.local_store %t, %a : !t, !buf
    scf.yield
  }
  %v = tile_gpu.local_load %a : !buf -> !t
  tile.return
}

// The branches do not meet each other; what follows meets both.
// CHECK-LABEL: tile.func private @branches
// CHECK: tile_gpu.local_load
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: } else {
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile.return
tile.func private @branches(%t: !t, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  %u = tile_gpu.local_load %a : !buf -> !t
  scf.if %c {
    tile_gpu.local_store %t, %a : !t, !buf
  } else {
    %v = tile_gpu.local_load %a : !buf -> !t
  }
  %w = tile_gpu.local_load %a : !buf -> !t
  tile.return
}

// A barrier in one branch does not serve the other, an absent `else`.
// CHECK-LABEL: tile.func private @barrier_in_a_branch
// CHECK: scf.if
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile.return
tile.func private @barrier_in_a_branch(%t: !t, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  scf.if %c {
    tile_gpu.barrier
  }
  %u = tile_gpu.local_load %a : !buf -> !t
  tile.return
}

// The barrier that separates %b's read from its write in the next iteration
// makes one before the write of %a needless.
// CHECK-LABEL: tile.func private @across_iterations
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: }
tile.func private @across_iterations(%t: !t, %n: index) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile_gpu.alloc offset = 0 : !buf
  %b = tile_gpu.alloc offset = 128 : !buf
  scf.for %i = %c0 to %n step %c1 {
    %u = tile_gpu.local_load %a : !buf -> !t
    tile_gpu.local_store %t, %b : !t, !buf
    tile_gpu.local_store %t, %a : !t, !buf
    %v = tile_gpu.local_load %a : !buf -> !t
    %w = tile_gpu.local_load %b : !buf -> !t
  }
  tile.return
}

// Any operation that tells how control passes through its regions will do.
// CHECK-LABEL: tile.func private @index_switch
// CHECK: case 1 {
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: scf.yield
// CHECK: default {
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
tile.func private @index_switch(%t: !t, %n: index) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile_gpu.alloc offset = 0 : !buf
  tile_gpu.local_store %t, %a : !t, !buf
  scf.index_switch %n
  case 1 {
    %u = tile_gpu.local_load %a : !buf -> !t
    scf.yield
  }
  default {
  }
  tile_gpu.local_store %t, %a : !t, !buf
  tile.return
}
