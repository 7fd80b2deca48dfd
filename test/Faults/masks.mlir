// Faults of masks: false for a whole program, computed from a loaded value, i1 in
// memory, addresses that are not valid where the mask is false.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ tile-opt %s --emit=cubin -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: 10 kernels

// All false, as the compiler sees: nothing is read or written, and `other` is the
// result: 3.0, whose bits are 0x40400000 = 1077936128.
// CHECK-LABEL: .entry never_kernel(
// CHECK-NOT: {{(ld|st)}}.global
// CHECK: st.global.b32 [%rd{{[0-9]+}}], 1077936128;
// CHECK-NOT: {{(ld|st)}}.global
// CHECK: ret;
tile.func @never_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %never = arith.constant dense<false> : tensor<32xi1>
  %three = arith.constant dense<3.0> : tensor<32xf32>
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px, %never, %three : tensor<32x!tile.ptr<f32>>
  tile.store %px, %v, %never : tensor<32x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %py = tile.addptr %ys, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %py, %v : tensor<32x!tile.ptr<f32>>
  tile.return
}

// False where the program number is too large: every access has the predicate.
// CHECK-LABEL: .entry no_rows_kernel(
// CHECK-NOT: {{^[[:space:]]*(ld|st)}}.global
// CHECK: @%p{{[0-9]+}} ld.global.b32
// CHECK-NOT: {{^[[:space:]]*(ld|st)}}.global
// CHECK: @%p{{[0-9]+}} st.global.b32
// CHECK-NOT: {{^[[:space:]]*(ld|st)}}.global
// CHECK: ret;
tile.func @no_rows_kernel(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  %pid = tile.program_id x
  %some = arith.cmpi slt, %pid, %n : i32
  %mask = tile.splat %some : i1 -> tensor<32xi1>
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px, %mask : tensor<32x!tile.ptr<f32>>
  tile.store %px, %v, %mask : tensor<32x!tile.ptr<f32>>
  tile.return
}

// A mask from loaded values is constant over one element only, so that accesses are
// single, each with its own predicate, although the pointers are aligned.
// CHECK-LABEL: .entry loaded_kernel(
// CHECK: setp.gt.s32 [[P0:%p[0-9]+]], %r{{[0-9]+}}, 0;
// CHECK-NEXT: setp.gt.s32 [[P1:%p[0-9]+]], %r{{[0-9]+}}, 0;
// CHECK-NEXT: setp.gt.s32 [[P2:%p[0-9]+]], %r{{[0-9]+}}, 0;
// CHECK-NEXT: setp.gt.s32 [[P3:%p[0-9]+]], %r{{[0-9]+}}, 0;
// CHECK: @[[P0]] ld.global.b32 [[V0:%r[0-9]+]], [[[A0:%rd[0-9]+]]];
// CHECK: @[[P1]] ld.global.b32
// CHECK: @[[P2]] ld.global.b32
// CHECK: @[[P3]] ld.global.b32
// CHECK: @[[P0]] st.global.b32 [[[A0]]],
// CHECK: @[[P1]] st.global.b32
// CHECK: @[[P2]] st.global.b32
// CHECK: @[[P3]] st.global.b32
// CHECK-NOT: {{(ld|st)}}.global
// CHECK: ret;
tile.func @loaded_kernel(%i: !tile.ptr<i32> {tile.divisible_by = 16 : i32},
                         %x: !tile.ptr<f32> {tile.divisible_by = 16 : i32}) attributes {tile.num_warps = 1 : i32} {
  %zero = arith.constant dense<0> : tensor<128xi32>
  %range = tile.arange : tensor<128xi32>
  %is = tile.splat %i : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %pi = tile.addptr %is, %range : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %index = tile.load %pi : tensor<128x!tile.ptr<i32>>
  %mask = arith.cmpi sgt, %index, %zero : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %px = tile.addptr %xs, %range : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %px, %mask : tensor<128x!tile.ptr<f32>>
  %w = arith.negf %v : tensor<128xf32>
  tile.store %px, %w, %mask : tensor<128x!tile.ptr<f32>>
  tile.return
}

// The address itself comes from memory: where the mask is false it may point anywhere,
// and is computed but not read. Offsets are of 64 bits.
// CHECK-LABEL: .entry gather_kernel(
// CHECK: ld.global.b64 [[INDEX:%rd[0-9]+]],
// CHECK: setp.lt.u64 [[P:%p[0-9]+]], [[INDEX]],
// CHECK: shl.b64 [[OFFSET:%rd[0-9]+]], [[INDEX]], 2;
// CHECK: add.s64 [[ADDRESS:%rd[0-9]+]], [[OFFSET]],
// CHECK: @[[P]] ld.global.b32 %r{{[0-9]+}}, [[[ADDRESS]]];
// CHECK-NOT: ld.global
// CHECK: ret;
tile.func @gather_kernel(%i: !tile.ptr<i64>, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i64) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<32xi32>
  %is = tile.splat %i : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>>
  %pi = tile.addptr %is, %range : tensor<32x!tile.ptr<i64>>, tensor<32xi32>
  %index = tile.load %pi : tensor<32x!tile.ptr<i64>>
  %ns = tile.splat %n : i64 -> tensor<32xi64>
  %mask = arith.cmpi ult, %index, %ns : tensor<32xi64>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %index : tensor<32x!tile.ptr<f32>>, tensor<32xi64>
  %v = tile.load %px, %mask : tensor<32x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %py = tile.addptr %ys, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %py, %v : tensor<32x!tile.ptr<f32>>
  tile.return
}

// i1 in memory is a byte: any but 0 is true when read, and 0 or 1 is written. As a mask
// it is loaded like any value.
// CHECK-LABEL: .entry bools_kernel(
// CHECK: ld.global.b8 [[BYTE:%rs[0-9]+]],
// CHECK: setp.ne.b16 [[TRUE:%p[0-9]+]], [[BYTE]], 0;
// CHECK: selp.b16 [[ONE:%rs[0-9]+]], 1, 0, [[TRUE]];
// CHECK: @[[TRUE]] st.global.b8 [%rd{{[0-9]+}}], [[ONE]];
// CHECK: ret;
tile.func @bools_kernel(%x: !tile.ptr<i1>, %y: !tile.ptr<i1>) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i1> -> tensor<32x!tile.ptr<i1>>
  %px = tile.addptr %xs, %range : tensor<32x!tile.ptr<i1>>, tensor<32xi32>
  %mask = tile.load %px : tensor<32x!tile.ptr<i1>>
  %ys = tile.splat %y : !tile.ptr<i1> -> tensor<32x!tile.ptr<i1>>
  %py = tile.addptr %ys, %range : tensor<32x!tile.ptr<i1>>, tensor<32xi32>
  tile.store %py, %mask, %mask : tensor<32x!tile.ptr<i1>>
  tile.return
}
// CHECK-LABEL: .entry bools_wide_kernel(
// CHECK: ld.global.v4.b32
// CHECK-COUNT-16: setp.ne.b32 %p{{[0-9]+}}, %r{{[0-9]+}}, 0;
// CHECK-COUNT-16: selp.b32 %r{{[0-9]+}}, 1, 0,
// CHECK: st.global.v4.b32
// CHECK-NOT: {{(ld|st)}}.global
// CHECK: ret;
tile.func @bools_wide_kernel(%x: !tile.ptr<i1> {tile.divisible_by = 16 : i32},
                             %y: !tile.ptr<i1> {tile.divisible_by = 16 : i32}) attributes {tile.num_warps = 1 : i32} {
  %range = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<i1> -> tensor<512x!tile.ptr<i1>>
  %px = tile.addptr %xs, %range : tensor<512x!tile.ptr<i1>>, tensor<512xi32>
  %v = tile.load %px : tensor<512x!tile.ptr<i1>>
  %ys = tile.splat %y : !tile.ptr<i1> -> tensor<512x!tile.ptr<i1>>
  %py = tile.addptr %ys, %range : tensor<512x!tile.ptr<i1>>, tensor<512xi32>
  tile.store %py, %v : tensor<512x!tile.ptr<i1>>
  tile.return
}
