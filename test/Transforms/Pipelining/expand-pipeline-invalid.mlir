// Schedules that cannot be.

// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-expand-pipeline

tile.func private @unsigned(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{a loop that counts unsigned cannot be pipelined}}
  scf.for unsigned %i = %n to %n step %n : i32 {
    %a = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32  }
  tile.return
}

// -----

tile.func private @no_stage(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    %a = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
    // expected-error @below {{has no stage in a loop that has stages}}
    %b = arith.addi %i, %n {tile_gpu.order = 0 : i32} : i32  }
  tile.return
}

// -----

tile.func private @no_order(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    %a = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
    // expected-error @below {{has no stage in a loop that has stages}}
    %b = arith.addi %i, %n {tile_gpu.stage = 0 : i32} : i32  }
  tile.return
}

// -----

tile.func private @negative(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    %a = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
    // expected-error @below {{has no stage in a loop that has stages}}
    %b = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = -1 : i32} : i32  }
  tile.return
}

// -----

tile.func private @too_late(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    %a = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
    // expected-error @below {{has no stage in a loop that has stages}}
    %b = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 65 : i32} : i32  }
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
!t = tensor<128xf32, #l>
!p = tensor<128x!tile.ptr<f32>, #l>

tile.func private @effect(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    // expected-error @below {{cannot be skipped, and is not in the last stage}}
    %v = tile.load %p {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p
    tile.store %p, %v {tile_gpu.order = 0 : i32, tile_gpu.stage = 1 : i32} : !p  }
  tile.return
}

// -----

tile.func private @backwards(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    // expected-error @below {{is used by an earlier stage}}
    %a = arith.addi %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 1 : i32} : i32
    %b = arith.addi %a, %n {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : i32  }
  tile.return
}

// -----

tile.func private @backwards_inside(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    // expected-error @below {{is used by an earlier stage}}
    %a = arith.cmpi eq, %i, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 1 : i32} : i32
    %b = scf.if %a -> (i32) {
      scf.yield %n : i32
    } else {
      scf.yield %i : i32
    } {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32}  }
  tile.return
}

// -----

tile.func private @carried(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %n) -> (i32) : i32 {
    // expected-error @below {{uses what a later stage of the iteration before computes}}
    %b = arith.addi %a, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
    %c = arith.addi %b, %n {tile_gpu.order = 1 : i32, tile_gpu.stage = 1 : i32} : i32
    scf.yield %c : i32  }
  tile.return
}

// -----

tile.func private @rotated(%p: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  // expected-error @below {{a loop that hands on a value which it does not compute cannot be pipelined}}
  %r:2 = scf.for %i = %n to %n step %n iter_args(%a = %n, %b = %n) -> (i32, i32) : i32 {
    %c = arith.addi %a, %n {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : i32
    %d = arith.addi %i, %n {tile_gpu.order = 1 : i32, tile_gpu.stage = 1 : i32} : i32
    scf.yield %b, %c : i32, i32  }
  tile.return
}
