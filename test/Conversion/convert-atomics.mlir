// Atomics: one instruction for each element, by the first of the threads that hold
// copies of it (PTX ISA, "atom"). What a masked-off element's register holds is
// unspecified, here the value that it would have added ("0" ties it to $0).

// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

// Thread 0 does what is scalar.
// CHECK-LABEL: llvm.func @scalar
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-NEXT: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NEXT: %[[FIRST:.*]] = llvm.icmp "eq" %[[TID]], %[[ZERO]]
// CHECK: llvm.inline_asm has_side_effects "@$1 atom.relaxed.gpu.global.add.u32 $0, [$2], $3;", "=r,b,l,r,0" %[[FIRST]], %{{.*}}, %[[N:.*]], %[[N]] : (i1, i64, i32, i32) -> i32
tile.func @scalar(%p: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  tile.return
}

// ... where the mask is true.
// CHECK-LABEL: llvm.func @masked
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: %[[MASK:.*]] = llvm.extractelement %{{.*}} : vector<1xi1>
// CHECK-NEXT: %[[BOTH:.*]] = llvm.and %[[MASK]], %[[FIRST]] : i1
// CHECK: "@$1 atom.relaxed.gpu.global.add.u32 $0, [$2], $3;", "=r,b,l,r,0" %[[BOTH]],
tile.func @masked(%p: !tile.ptr<i32>, %n: i32, %m: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.atomic_rmw add relaxed gpu %p, %n, %m : !tile.ptr<i32>
  tile.return
}

// Signed and unsigned extremes, bits, exchange; sums of integers do not care.
// CHECK-LABEL: llvm.func @kinds_i32
// CHECK: "@$1 atom.relaxed.gpu.global.add.u32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.max.s32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.min.s32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.max.u32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.min.u32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.and.b32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.or.b32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.xor.b32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.exch.b32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK-NOT: llvm.inline_asm
tile.func @kinds_i32(%p: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  %1 = tile.atomic_rmw max relaxed gpu %p, %n : !tile.ptr<i32>
  %2 = tile.atomic_rmw min relaxed gpu %p, %n : !tile.ptr<i32>
  %3 = tile.atomic_rmw umax relaxed gpu %p, %n : !tile.ptr<i32>
  %4 = tile.atomic_rmw umin relaxed gpu %p, %n : !tile.ptr<i32>
  %5 = tile.atomic_rmw and relaxed gpu %p, %n : !tile.ptr<i32>
  %6 = tile.atomic_rmw or relaxed gpu %p, %n : !tile.ptr<i32>
  %7 = tile.atomic_rmw xor relaxed gpu %p, %n : !tile.ptr<i32>
  %8 = tile.atomic_rmw xchg relaxed gpu %p, %n : !tile.ptr<i32>
  tile.return
}
// CHECK-LABEL: llvm.func @kinds_i64
// CHECK: "@$1 atom.relaxed.gpu.global.add.u64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.max.s64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.min.s64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.max.u64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.min.u64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.and.b64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.or.b64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.xor.b64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.exch.b64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK-NOT: llvm.inline_asm
tile.func @kinds_i64(%p: !tile.ptr<i64>, %n: i64) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i64>
  %1 = tile.atomic_rmw max relaxed gpu %p, %n : !tile.ptr<i64>
  %2 = tile.atomic_rmw min relaxed gpu %p, %n : !tile.ptr<i64>
  %3 = tile.atomic_rmw umax relaxed gpu %p, %n : !tile.ptr<i64>
  %4 = tile.atomic_rmw umin relaxed gpu %p, %n : !tile.ptr<i64>
  %5 = tile.atomic_rmw and relaxed gpu %p, %n : !tile.ptr<i64>
  %6 = tile.atomic_rmw or relaxed gpu %p, %n : !tile.ptr<i64>
  %7 = tile.atomic_rmw xor relaxed gpu %p, %n : !tile.ptr<i64>
  %8 = tile.atomic_rmw xchg relaxed gpu %p, %n : !tile.ptr<i64>
  tile.return
}

// Floats: 16 bits travel as integers and keep denormals; what is exchanged is bits.
// CHECK-LABEL: llvm.func @floats
// CHECK: "@$1 atom.relaxed.gpu.global.add.noftz.f16 $0, [$2], $3;", "=h,b,l,h,0" {{.*}} : (i1, i64, i16, i16) -> i16
// CHECK: "@$1 atom.relaxed.gpu.global.add.noftz.bf16 $0, [$2], $3;", "=h,b,l,h,0"
// CHECK: "@$1 atom.relaxed.gpu.global.add.f32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.add.f64 $0, [$2], $3;", "=l,b,l,l,0"
// CHECK: "@$1 atom.relaxed.gpu.global.exch.b32 $0, [$2], $3;", "=r,b,l,r,0"
// CHECK: "@$1 atom.relaxed.gpu.global.exch.b64 $0, [$2], $3;", "=l,b,l,l,0"
tile.func @floats(%p: !tile.ptr<f16>, %x: f16, %q: !tile.ptr<bf16>, %y: bf16, %r: !tile.ptr<f32>, %z: f32, %s: !tile.ptr<f64>, %w: f64) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.atomic_rmw add relaxed gpu %p, %x : !tile.ptr<f16>
  %1 = tile.atomic_rmw add relaxed gpu %q, %y : !tile.ptr<bf16>
  %2 = tile.atomic_rmw add relaxed gpu %r, %z : !tile.ptr<f32>
  %3 = tile.atomic_rmw add relaxed gpu %s, %w : !tile.ptr<f64>
  %4 = tile.atomic_rmw xchg relaxed gpu %r, %z : !tile.ptr<f32>
  %5 = tile.atomic_rmw xchg relaxed gpu %s, %w : !tile.ptr<f64>
  tile.return
}

// Every order and scope.
// CHECK-LABEL: llvm.func @orders
// CHECK: atom.relaxed.cta.global.add.u32 $0,
// CHECK: atom.relaxed.gpu.global.add.u32 $0,
// CHECK: atom.relaxed.sys.global.add.u32 $0,
// CHECK: atom.acquire.cta.global.add.u32 $0,
// CHECK: atom.acquire.gpu.global.add.u32 $0,
// CHECK: atom.acquire.sys.global.add.u32 $0,
// CHECK: atom.release.cta.global.add.u32 $0,
// CHECK: atom.release.gpu.global.add.u32 $0,
// CHECK: atom.release.sys.global.add.u32 $0,
// CHECK: atom.acq_rel.cta.global.add.u32 $0,
// CHECK: atom.acq_rel.gpu.global.add.u32 $0,
// CHECK: atom.acq_rel.sys.global.add.u32 $0,
tile.func @orders(%p: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.atomic_rmw add relaxed cta %p, %n : !tile.ptr<i32>
  %1 = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  %2 = tile.atomic_rmw add relaxed sys %p, %n : !tile.ptr<i32>
  %3 = tile.atomic_rmw add acquire cta %p, %n : !tile.ptr<i32>
  %4 = tile.atomic_rmw add acquire gpu %p, %n : !tile.ptr<i32>
  %5 = tile.atomic_rmw add acquire sys %p, %n : !tile.ptr<i32>
  %6 = tile.atomic_rmw add release cta %p, %n : !tile.ptr<i32>
  %7 = tile.atomic_rmw add release gpu %p, %n : !tile.ptr<i32>
  %8 = tile.atomic_rmw add release sys %p, %n : !tile.ptr<i32>
  %9 = tile.atomic_rmw add acq_rel cta %p, %n : !tile.ptr<i32>
  %10 = tile.atomic_rmw add acq_rel gpu %p, %n : !tile.ptr<i32>
  %11 = tile.atomic_rmw add acq_rel sys %p, %n : !tile.ptr<i32>
  tile.return
}

// Compare and swap: what is compared comes first.
// CHECK-LABEL: llvm.func @compare
// CHECK: %[[OLD:.*]] = llvm.extractelement %{{.*}} : vector<1xi32>
// CHECK: %[[NEW:.*]] = llvm.extractelement %{{.*}} : vector<1xi32>
// CHECK: "@$1 atom.acquire.gpu.global.cas.b32 $0, [$2], $3, $4;", "=r,b,l,r,r,0" %{{.*}}, %{{.*}}, %[[OLD]], %[[NEW]], %[[OLD]] :
// CHECK: "@$1 atom.acq_rel.sys.global.cas.b64 $0, [$2], $3, $4;", "=l,b,l,l,l,0"
tile.func @compare(%p: !tile.ptr<i32>, %a: i32, %b: i32, %q: !tile.ptr<i64>, %c: i64, %d: i64) attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.atomic_cas acquire gpu %p, %a, %b : !tile.ptr<i32>
  %1 = tile.atomic_cas acq_rel sys %q, %c, %d : !tile.ptr<i64>
  tile.return
}

// Tensors: each element its own instruction, never a wide one. Where every element
// is in one place only, there is no predicate but the mask.
#pairs = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
// CHECK-LABEL: llvm.func @tensor
// CHECK-COUNT-2: "atom.relaxed.gpu.global.add.f32 $0, [$1], $2;", "=r,l,r" %{{.*}}, %{{.*}} : (i64, i32) -> i32
// CHECK-NOT: llvm.inline_asm
// CHECK: %[[M0:.*]] = llvm.extractelement %[[MASKS:.*]][%{{.*}}] : vector<2xi1>
// CHECK: "@$1 atom.relaxed.gpu.global.add.f32 $0, [$2], $3;", "=r,b,l,r,0" %[[M0]],
// CHECK: %[[M1:.*]] = llvm.extractelement %[[MASKS]][%{{.*}}] : vector<2xi1>
// CHECK: "@$1 atom.relaxed.gpu.global.add.f32 $0, [$2], $3;", "=r,b,l,r,0" %[[M1]],
// CHECK-NOT: llvm.inline_asm
tile.func @tensor(%p: !tile.ptr<f32>, %x: f32, %m: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #pairs>
  %xs = tile.splat %x : f32 -> tensor<64xf32, #pairs>
  %ms = tile.splat %m : i1 -> tensor<64xi1, #pairs>
  %0 = tile.atomic_rmw add relaxed gpu %ps, %xs : tensor<64x!tile.ptr<f32>, #pairs>
  %1 = tile.atomic_rmw add relaxed gpu %ps, %xs, %ms : tensor<64x!tile.ptr<f32>, #pairs>
  tile.return
}

// Copies in lanes (bit 4) and warps (bit 5): only threads without them update. And
// in registers: the first of two updates, both get its result.
#copies = #tile_gpu.layout<register = [[0]], lane = [[1], [2], [4], [8], [0]], warp = [[0]]>
// CHECK-LABEL: llvm.func @copies
// CHECK: %[[C48:.*]] = llvm.mlir.constant(48 : i32)
// CHECK-NEXT: %[[BITS:.*]] = llvm.and %{{.*}}, %[[C48]]
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[BITS]]
// CHECK: llvm.inline_asm has_side_effects "@$1 atom{{.*}} %[[FIRST]],
// CHECK-NOT: llvm.inline_asm
// CHECK: %[[ONE:.*]] = llvm.insertelement %{{.*}} : vector<2xi32>
// CHECK: %[[RESULT:.*]] = llvm.extractelement %[[ONE]][%{{.*}}] : vector<2xi32>
// CHECK: llvm.insertelement %[[RESULT]], %[[ONE]]
tile.func @copies(%p: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.num_warps = 2 : i32} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #copies>
  %ns = tile.splat %n : i32 -> tensor<16xi32, #copies>
  %0 = tile.atomic_rmw add relaxed gpu %ps, %ns : tensor<16x!tile.ptr<i32>, #copies>
  tile.return
}
