// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

// 4 warps of 32 threads: reqntid 128. Names and types of arguments stay for the
// manifest; the facts that LLVM knows become its attributes.
// CHECK-LABEL: llvm.func @facts
// CHECK-SAME: %{{.*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly, tile.name = "p", tile.type = !tile.ptr<f32>}
// CHECK-SAME: %{{.*}}: i32 {tile.name = "n", tile.type = i32}
// CHECK-SAME: %{{.*}}: i8 {tile.name = "q", tile.type = f8E4M3FN}
// CHECK-SAME: %{{.*}}: i1 {tile.name = "arg3", tile.type = i1})
// CHECK-SAME: attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 0 : i32}
// CHECK-NEXT: llvm.return
tile.func @facts(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32, tile.noalias, tile.readonly},
                 %n: i32 {tile.divisible_by = 8 : i32}, %q: f8E4M3FN, %3: i1)
    attributes {tile_gpu.num_warps = 4 : i32} {
  tile.return
}

// CHECK-LABEL: llvm.func @shared
// CHECK-SAME: nvvm.reqntid = array<i32: 1024>, tile_gpu.num_warps = 32 : i32, tile_gpu.shared_bytes = 4096 : i32
tile.func @shared() attributes {tile_gpu.num_warps = 32 : i32, tile_gpu.shared_bytes = 4096 : i32} {
  tile.return
}

// CHECK-LABEL: llvm.func @grid
// CHECK-NEXT: nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK-NEXT: nvvm.read.ptx.sreg.ctaid.z : i32
// CHECK-NEXT: nvvm.read.ptx.sreg.nctaid.x : i32
// CHECK-NEXT: nvvm.read.ptx.sreg.nctaid.y : i32
// CHECK-NEXT: nvvm.read.ptx.sreg.nctaid.z : i32
// CHECK-NEXT: llvm.return
tile.func @grid() attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.program_id x
  %1 = tile.program_id y
  %2 = tile.program_id z
  %3 = tile.num_programs x
  %4 = tile.num_programs y
  %5 = tile.num_programs z
  tile.return
}

// Tensors that control flow carries are vectors.
#l = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
// CHECK-LABEL: llvm.func @control
// CHECK: scf.for {{.*}} -> (vector<2xf32>)
// CHECK: scf.yield %{{.*}} : vector<2xf32>
// CHECK: scf.if %{{.*}} -> (vector<2xi64>)
tile.func @control(%x: f32, %n: i32, %c: i1, %p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<64xf32, #l>
  %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (tensor<64xf32, #l>) : i32 {
    %b = arith.addf %a, %a : tensor<64xf32, #l>
    scf.yield %b : tensor<64xf32, #l>
  }
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #l>
  %s = scf.if %c -> tensor<64x!tile.ptr<f32>, #l> {
    scf.yield %ps : tensor<64x!tile.ptr<f32>, #l>
  } else {
    %qs = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #l>
    scf.yield %qs : tensor<64x!tile.ptr<f32>, #l>
  }
  tile.return
}
