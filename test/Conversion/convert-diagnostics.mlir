// What a kernel tells its author: print, assert, and PTX in a kernel's text.

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s
// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s --check-prefix=PRINTF

// One line each. A text that is used twice is there once; a percent sign is doubled.
// Narrow integers are widened with their sign, codes of 8-bit floats without.
// PRINTF-DAG: @__tessera_text0("(program %d, %d, %d) n is 100%% = %d\0A\00") {addr_space = 1 : i32}
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) half = %g\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) double = %g\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) pointer = 0x%llx\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) bool = %d\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) byte = %d\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) float8 = 0x%x\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) long = %lld\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) tile[%d] = %g\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) tile[%d, %d] = %d\0A\00")
// PRINTF-DAG: @__tessera_text{{[0-9]+}}("(program %d, %d, %d) convert-diagnostics.mlir:[[@LINE+104]]: assertion failed: less than 100%%\0A\00")
// PRINTF: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// PRINTF-NOT: llvm.func @vprintf

// Thread 0 prints a scalar: the program, then the value.
// CHECK-LABEL: llvm.func @print_scalar
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: scf.if %[[FIRST]] {
// CHECK: %[[X:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK: %[[Y:.*]] = nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK: %[[Z:.*]] = nvvm.read.ptx.sreg.ctaid.z : i32
// CHECK: %[[ARGUMENTS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.store %[[X]]
// CHECK: llvm.store %[[Y]]
// CHECK: llvm.store %[[Z]]
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[ARGUMENTS]][0, 3]
// CHECK: llvm.store %arg0, %[[FIELD]] : i32, !llvm.ptr
// CHECK: %[[STRING:.*]] = llvm.mlir.addressof @__tessera_text0 : !llvm.ptr<1>
// CHECK: %[[FORMAT:.*]] = llvm.addrspacecast %[[STRING]]
// CHECK: llvm.call @vprintf(%[[FORMAT]], %[[ARGUMENTS]])
// CHECK: llvm.call @vprintf
// CHECK-NOT: llvm.call
// CHECK: llvm.return
tile.func @print_scalar(%n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  tile.print "n is 100%", %n : i32
  tile.print "n is 100%", %n : i32
  tile.return
}

// As a C function with variable arguments has them: floats as f64, integers of at
// least 32 bits.
// CHECK-LABEL: llvm.func @print_types
// CHECK: llvm.fpext %arg0 : f16 to f64
// CHECK-NOT: llvm.fpext
// CHECK: llvm.struct<(i32, i32, i32, f64)>
// CHECK: llvm.ptrtoint %arg2 : !llvm.ptr<1> to i64
// CHECK: llvm.zext %arg3 : i1 to i32
// CHECK: llvm.sext %arg4 : i8 to i32
// CHECK: llvm.zext %arg5 : i8 to i32
// CHECK: llvm.struct<(i32, i32, i32, i64)>
tile.func @print_types(%h: f16, %d: f64, %p: !tile.ptr<f32>, %b: i1, %s: i8, %q: f8E4M3FN, %k: i64) attributes {tile_gpu.num_warps = 1 : i32} {
  tile.print "half", %h : f16
  tile.print "double", %d : f64
  tile.print "pointer", %p : !tile.ptr<f32>
  tile.print "bool", %b : i1
  tile.print "byte", %s : i8
  tile.print "float8", %q : f8E4M3FN
  tile.print "long", %k : i64
  tile.return
}

// A tensor: of 8 elements in two registers, lanes 0 to 3 have them, the others
// (bits 4, 8, 16: 28) copies. A third register bit is a copy and prints nothing.
// Element 2 * lane + register.
#few = #tile_gpu.layout<register = [[1], [0]], lane = [[2], [4], [0], [0], [0]], warp = []>
// CHECK-LABEL: llvm.func @print_tensor
// CHECK: %[[C28:.*]] = llvm.mlir.constant(28 : i32)
// CHECK-NEXT: %[[BITS:.*]] = llvm.and %{{.*}}, %[[C28]]
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[BITS]]
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK: %[[OWN:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[INDEX:.*]] = llvm.xor %{{.*}}, %[[OWN]]
// CHECK: llvm.store %[[INDEX]]
// CHECK: llvm.call @vprintf
// CHECK: %[[OWN1:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[INDEX1:.*]] = llvm.xor %{{.*}}, %[[OWN1]]
// CHECK: llvm.store %[[INDEX1]]
// CHECK: llvm.call @vprintf
// CHECK-NOT: llvm.call
// CHECK: llvm.return
tile.func @print_tensor(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %xs = tile.splat %x : f32 -> tensor<8xf32, #few>
  tile.print "tile", %xs : tensor<8xf32, #few>
  tile.return
}

// Every element in one place: no branch. Two coordinates.
#all = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []>
// CHECK-LABEL: llvm.func @print_all
// CHECK-NOT: scf.if
// CHECK: llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK: llvm.call @vprintf
// CHECK-NOT: llvm.call
// CHECK: llvm.return
tile.func @print_all(%n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %ns = tile.splat %n : i32 -> tensor<4x8xi32, #all>
  tile.print "tile", %ns : tensor<4x8xi32, #all>
  tile.return
}

// Any thread whose condition is broken says so, with the source's line, and stops
// the kernel. Of a tensor, all of a thread's elements have to be true.
#two = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [0], [0], [0]], warp = []>
// CHECK-LABEL: llvm.func @assert
// CHECK: %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
// CHECK: %[[BROKEN:.*]] = llvm.xor %arg0, %[[TRUE]] : i1
// CHECK: scf.if %[[BROKEN]] {
// CHECK: llvm.call @vprintf
// CHECK-NEXT: llvm.intr.trap
// CHECK-NEXT: }
// CHECK: %[[ALL:.*]] = llvm.and %{{.*}}, %{{.*}} : i1
// CHECK: %[[LESS:.*]] = llvm.xor %[[ALL]]
// CHECK: scf.if %[[LESS]] {
tile.func @assert(%b: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  tile.assert %b, "less than 100%" : i1
  %bs = tile.splat %b : i1 -> tensor<8xi1, #two>
  tile.assert %bs, "tile" : tensor<8xi1, #two>
  tile.return
}

// PTX: element by element, in registers of the type's width; pointers are 64 bits,
// halves travel as 16.
// CHECK-LABEL: llvm.func @inline_ptx
// CHECK: llvm.inline_asm "brev.b32 $0, $1;", "=r,r" %arg0 : (i32) -> i32
// CHECK-COUNT-2: llvm.inline_asm "add.s32 $0, $1, $2;", "=r,r,r" %{{.*}}, %{{.*}} : (i32, i32) -> i32
// CHECK: %[[BITS:.*]] = llvm.bitcast %arg1 : f16 to i16
// CHECK: %[[NEGATED:.*]] = llvm.inline_asm "neg.f16 $0, $1;", "=h,h" %[[BITS]] : (i16) -> i16
// CHECK: llvm.bitcast %[[NEGATED]] : i16 to f16
// CHECK: llvm.inline_asm "ex2.approx.f32 $0, $1;", "=f,f" %arg2 : (f32) -> f32
// CHECK: llvm.inline_asm "neg.f64 $0, $1;", "=d,d" %arg3 : (f64) -> f64
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %arg4
// CHECK: %[[NEXT:.*]] = llvm.inline_asm "add.u64 $0, $1, 4;", "=l,l" %[[ADDRESS]] : (i64) -> i64
// CHECK: llvm.inttoptr %[[NEXT]]
tile.func @inline_ptx(%n: i32, %h: f16, %x: f32, %d: f64, %p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ns = tile.splat %n : i32 -> tensor<8xi32, #two>
  %0 = tile.inline_ptx "brev.b32 $0, $1;"(%n) : (i32) -> i32
  %1 = tile.inline_ptx "add.s32 $0, $1, $2;"(%ns, %ns) : (tensor<8xi32, #two>, tensor<8xi32, #two>) -> tensor<8xi32, #two>
  %2 = tile.inline_ptx "neg.f16 $0, $1;"(%h) : (f16) -> f16
  %3 = tile.inline_ptx "ex2.approx.f32 $0, $1;"(%x) : (f32) -> f32
  %4 = tile.inline_ptx "neg.f64 $0, $1;"(%d) : (f64) -> f64
  %5 = tile.inline_ptx "add.u64 $0, $1, 4;"(%p) : (!tile.ptr<f32>) -> !tile.ptr<f32>
  tile.return
}

// Unchanged: nothing to tell, no text.
// CHECK-LABEL: llvm.func @unchanged
// CHECK-NEXT: llvm.return
tile.func @unchanged() attributes {tile_gpu.num_warps = 1 : i32} {
  tile.return
}
