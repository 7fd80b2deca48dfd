// Integers that are negative, divisors that are powers of two, signed against
// unsigned, shifts, i1 and i64: the instructions, and what the compiler computes
// itself. Division by zero and shifts by the width or more are unspecified, but
// compile.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ tile-opt %s --emit=cubin -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: 6 kernels

// Quotients are rounded toward zero, toward minus and plus infinity; a remainder has
// the dividend's sign: n - (n / m) * m.
// CHECK-LABEL: .entry div_kernel(
// CHECK-DAG: ld.param.b32 [[N:%r[0-9]+]], [div_kernel_param_0];
// CHECK-DAG: ld.param.b32 [[M:%r[0-9]+]], [div_kernel_param_1];
// CHECK: div.s32 [[Q:%r[0-9]+]], [[N]], [[M]];
// CHECK: mul.lo.s32 [[QM:%r[0-9]+]], [[Q]], [[M]];
// CHECK: sub.s32 [[REM:%r[0-9]+]], [[N]], [[QM]];
// CHECK: div.u32 [[QU:%r[0-9]+]], [[N]], [[M]];
// CHECK: mul.lo.s32 [[QMU:%r[0-9]+]], [[QU]], [[M]];
// CHECK: sub.s32 {{%r[0-9]+}}, [[N]], [[QMU]];
// One less where there is a rest and signs differ, one more where they agree.
// CHECK: setp.ne.b32 [[REST:%p[0-9]+]], [[N]], [[QM]];
// CHECK: xor.b32 [[SIGNS:%r[0-9]+]], [[N]], [[M]];
// CHECK-DAG: setp.gt.s32 [[AGREE:%p[0-9]+]], [[SIGNS]], -1;
// CHECK-DAG: setp.lt.s32 [[DIFFER:%p[0-9]+]], [[SIGNS]], 0;
// CHECK: and.pred [[DOWN:%p[0-9]+]], [[REST]], [[DIFFER]];
// CHECK: selp.b32 [[MINUS:%r[0-9]+]], -1, 0, [[DOWN]];
// CHECK: add.s32 {{%r[0-9]+}}, [[Q]], [[MINUS]];
// CHECK: and.pred [[UP:%p[0-9]+]], [[REST]], [[AGREE]];
// CHECK: selp.b32 [[PLUS:%r[0-9]+]], 1, 0, [[UP]];
// CHECK: add.s32 {{%r[0-9]+}}, [[Q]], [[PLUS]];
// CHECK: ret;
tile.func @div_kernel(%n: i32, %m: i32, %y: !tile.ptr<i32>) {
  %a = arith.divsi %n, %m : i32
  tile.store %y, %a : !tile.ptr<i32>
  %b = arith.remsi %n, %m : i32
  tile.store %y, %b : !tile.ptr<i32>
  %c = arith.divui %n, %m : i32
  tile.store %y, %c : !tile.ptr<i32>
  %d = arith.remui %n, %m : i32
  tile.store %y, %d : !tile.ptr<i32>
  %e = arith.floordivsi %n, %m : i32
  tile.store %y, %e : !tile.ptr<i32>
  %f = arith.ceildivsi %n, %m : i32
  tile.store %y, %f : !tile.ptr<i32>
  tile.return
}

// By 8: a signed quotient is a shift after 7 is added to what is negative (the sign,
// shifted right by 29 as unsigned), an unsigned one only a shift.
// CHECK-LABEL: .entry powers_kernel(
// CHECK: ld.param.b32 [[N:%r[0-9]+]],
// CHECK: shr.s32 [[SIGN:%r[0-9]+]], [[N]], 31;
// CHECK: shr.u32 [[SEVEN:%r[0-9]+]], [[SIGN]], 29;
// CHECK: add.s32 [[SUM:%r[0-9]+]], [[N]], [[SEVEN]];
// CHECK: shr.s32 {{%r[0-9]+}}, [[SUM]], 3;
// CHECK: and.b32 [[MULTIPLE:%r[0-9]+]], [[SUM]], -8;
// CHECK: sub.s32 {{%r[0-9]+}}, [[N]], [[MULTIPLE]];
// CHECK: shr.u32 {{%r[0-9]+}}, [[N]], 3;
// CHECK: and.b32 {{%r[0-9]+}}, [[N]], 7;
// CHECK-NOT: div
// CHECK-NOT: rem
// CHECK: ret;
tile.func @powers_kernel(%n: i32, %y: !tile.ptr<i32>) {
  %m = arith.constant 8 : i32
  %a = arith.divsi %n, %m : i32
  tile.store %y, %a : !tile.ptr<i32>
  %b = arith.remsi %n, %m : i32
  tile.store %y, %b : !tile.ptr<i32>
  %c = arith.divui %n, %m : i32
  tile.store %y, %c : !tile.ptr<i32>
  %d = arith.remui %n, %m : i32
  tile.store %y, %d : !tile.ptr<i32>
  tile.return
}

// 64 bits, also as offsets. Only where the upper halves of both are 0, so that neither
// is negative, 32 bits are divided, which is faster.
// CHECK-LABEL: .entry wide_kernel(
// CHECK-DAG: ld.param.b64 [[N:%rd[0-9]+]], [wide_kernel_param_0];
// CHECK-DAG: ld.param.b64 [[M:%rd[0-9]+]], [wide_kernel_param_1];
// CHECK-DAG: ld.param.b64 [[Y:%rd[0-9]+]], [wide_kernel_param_2];
// CHECK: or.b64 [[EITHER:%rd[0-9]+]], [[N]], [[M]];
// CHECK: and.b64 [[UPPER:%rd[0-9]+]], [[EITHER]], -4294967296;
// CHECK: setp.ne.b64 [[LARGE:%p[0-9]+]], [[UPPER]], 0;
// CHECK: @[[LARGE]] bra
// CHECK: div.s64 [[Q:%rd[0-9]+]], [[N]], [[M]];
// CHECK: cvt.u64.u32 [[Q]], %r{{[0-9]+}};
// CHECK: shl.b64 [[BYTES:%rd[0-9]+]], [[Q]], 3;
// CHECK: add.s64 [[ADDRESS:%rd[0-9]+]], [[Y]], [[BYTES]];
// CHECK: st.global.b64 [[[ADDRESS]]], [[Q]];
// CHECK: ret;
tile.func @wide_kernel(%n: i64, %m: i64, %y: !tile.ptr<i64>) {
  %q = arith.divsi %n, %m : i64
  %p = tile.addptr %y, %q : !tile.ptr<i64>, i64
  tile.store %p, %q : !tile.ptr<i64>
  tile.return
}

// CHECK-LABEL: .entry shifts_kernel(
// CHECK-DAG: ld.param.b32 [[N:%r[0-9]+]], [shifts_kernel_param_0];
// CHECK-DAG: ld.param.b32 [[M:%r[0-9]+]], [shifts_kernel_param_1];
// CHECK: shl.b32 {{%r[0-9]+}}, [[N]], [[M]];
// CHECK: shr.s32 {{%r[0-9]+}}, [[N]], [[M]];
// CHECK: shr.u32 {{%r[0-9]+}}, [[N]], [[M]];
// CHECK: ret;
tile.func @shifts_kernel(%n: i32, %m: i32, %y: !tile.ptr<i32>) {
  %a = arith.shli %n, %m : i32
  tile.store %y, %a : !tile.ptr<i32>
  %b = arith.shrsi %n, %m : i32
  tile.store %y, %b : !tile.ptr<i32>
  %c = arith.shrui %n, %m : i32
  tile.store %y, %c : !tile.ptr<i32>
  tile.return
}

// Folded: -7 / 2 is -3 with a rest of -1, floor -4, ceiling -3; as unsigned
// (2^32 - 7) / 2 = 2147483644. -2^31 % -1 is 0.
// -7 >> 1 is -4, as unsigned 2147483644, -7 << 29 is 5 * 2^29 - 2^32 = 536870912.
// CHECK-LABEL: .entry folded_kernel(
// CHECK: mov.b32 [[A:%r[0-9]+]], -3;
// CHECK: mov.b32 [[B:%r[0-9]+]], -1;
// CHECK: mov.b32 [[C:%r[0-9]+]], -4;
// CHECK: st.global.b32 [%rd{{[0-9]+}}], [[C]];
// CHECK: st.global.b32 [%rd{{[0-9]+}}], [[A]];
// CHECK: mov.b32 [[U:%r[0-9]+]], 2147483644;
// CHECK: mov.b32 [[Z:%r[0-9]+]], 0;
// CHECK: st.global.b32 [%rd{{[0-9]+}}], [[Z]];
// CHECK: st.global.b32 [%rd{{[0-9]+}}], [[C]];
// CHECK: st.global.b32 [%rd{{[0-9]+}}], [[U]];
// CHECK: mov.b32 [[S:%r[0-9]+]], 536870912;
// CHECK: st.global.b32 [%rd{{[0-9]+}}], [[S]];
// CHECK-COUNT-3: st.global.b32
// CHECK: ret;
tile.func @folded_kernel(%y: !tile.ptr<i32>) {
  %n = arith.constant -7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %min = arith.constant -2147483648 : i32
  %minus = arith.constant -1 : i32
  %left = arith.constant 29 : i32
  %a = arith.divsi %n, %two : i32
  tile.store %y, %a : !tile.ptr<i32>
  %b = arith.remsi %n, %two : i32
  tile.store %y, %b : !tile.ptr<i32>
  %c = arith.floordivsi %n, %two : i32
  tile.store %y, %c : !tile.ptr<i32>
  %d = arith.ceildivsi %n, %two : i32
  tile.store %y, %d : !tile.ptr<i32>
  %e = arith.divui %n, %two : i32
  tile.store %y, %e : !tile.ptr<i32>
  %f = arith.remsi %min, %minus : i32
  tile.store %y, %f : !tile.ptr<i32>
  %g = arith.shrsi %n, %one : i32
  tile.store %y, %g : !tile.ptr<i32>
  %h = arith.shrui %n, %one : i32
  tile.store %y, %h : !tile.ptr<i32>
  %i = arith.shli %n, %left : i32
  tile.store %y, %i : !tile.ptr<i32>
  // Unspecified.
  %zero = arith.constant 0 : i32
  %width = arith.constant 32 : i32
  %j = arith.divsi %n, %zero : i32
  tile.store %y, %j : !tile.ptr<i32>
  %k = arith.shli %n, %width : i32
  tile.store %y, %k : !tile.ptr<i32>
  %l = arith.divsi %min, %minus : i32
  tile.store %y, %l : !tile.ptr<i32>
  tile.return
}

// i1 is an integer of one bit: a sum wraps, and true, as a signed number -1, is less
// than false.
// CHECK-LABEL: .entry bits_kernel(
// CHECK: ld.param.b8 [[Y:%rs[0-9]+]], [bits_kernel_param_1];
// CHECK-NEXT: and.b16 [[Y1:%rs[0-9]+]], [[Y]], 1;
// CHECK-NEXT: setp.ne.b16 [[B:%p[0-9]+]], [[Y1]], 0;
// CHECK: ld.param.b8 [[X:%rs[0-9]+]], [bits_kernel_param_0];
// CHECK-NEXT: and.b16 [[X1:%rs[0-9]+]], [[X]], 1;
// CHECK-NEXT: setp.ne.b16 [[A:%p[0-9]+]], [[X1]], 0;
// CHECK: xor.pred {{%p[0-9]+}}, [[A]], [[B]];
// CHECK: and.pred {{%p[0-9]+}}, [[A]], [[B]];
// CHECK: not.pred [[NOT:%p[0-9]+]], [[B]];
// CHECK: and.pred {{%p[0-9]+}}, [[A]], [[NOT]];
// CHECK: ret;
tile.func @bits_kernel(%a: i1, %b: i1, %y: !tile.ptr<i1>) {
  %0 = arith.addi %a, %b : i1
  tile.store %y, %0 : !tile.ptr<i1>
  %1 = arith.muli %a, %b : i1
  tile.store %y, %1 : !tile.ptr<i1>
  %2 = arith.cmpi slt, %a, %b : i1
  tile.store %y, %2 : !tile.ptr<i1>
  tile.return
}
