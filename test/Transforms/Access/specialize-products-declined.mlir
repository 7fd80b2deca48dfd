// RUN: tile-opt %s --tile-specialize | FileCheck %s
// RUN: tile-opt %s --tile-specialize --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-specialize -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=Missed

!a = !tile.desc<64x32xf16>
!b = !tile.desc<32x64xf16>
!c = !tile.desc<64x64xf16>

// The author says which strides are 1: there is nothing to choose.

// REMARK: [Passed] specialize {{.*}} Function=stated | Clone=stated$fast,
// CHECK-LABEL: tile.func @stated$fast(
// CHECK-NOT: @stated$fast2
tile.func @stated(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32,
                  %k: i32, %sam: i32, %sak: i32 {tile.equals = 1 : i32},
                  %sbk: i32 {tile.equals = 1 : i32}, %sbn: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %init = arith.constant #tile.zero : tensor<64x64xf32>
  %da = tile.make_desc %a, [%m, %k], [%sam, %sak] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !a
  %db = tile.make_desc %b, [%k, %n], [%sbk, %sbn] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !b
  %sum = scf.for %kk = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x64xf32>) : i32 {
    %at = tile.desc_load %da[%zero, %kk] : !a, [i32, i32] -> tensor<64x32xf16>
    %bt = tile.desc_load %db[%kk, %zero] : !b, [i32, i32] -> tensor<32x64xf16>
    %next = tile.dot %at, %bt, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.return
}

// Rows of B and of C are 64 elements apart, and an iteration of the loop counts ten
// times: 10 * (2048 + 2048) / 8 + 4096 / 8 = 5632 access instructions in the first
// clone; with B one by one, 10 * (2048 / 8 + 2048) + 512 = 23552. The plan has rows
// of A that are 8 elements apart.

// REMARK-DAG: [Passed] specialize {{.*}} Function=rows | Clone=rows$fast,
// REMARK-DAG: [Missed] specialize {{.*}} Function=rows | Reason="no clone in which sbn is not 1: 23552 access instructions would be left, with the first choice 5632"
// REMARK-DAG: [Missed] specialize {{.*}} Function=rows | Reason="no clone in which sak is not 1: the launch plan passes arguments that break the facts, or that allow an earlier clone"
// REMARK-DAG: [Missed] specialize {{.*}} Function=rows | Reason="no clone in which sak and sbn are not 1: 23552 access instructions would be left, with the first choice 5632"
// CHECK-LABEL: tile.func @rows$fast(
// CHECK-NOT: @rows$fast2
tile.func @rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                %m: i32, %n: i32, %k: i32, %sam: i32, %sak: i32, %sbn: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %step = arith.constant 32 : i32
  %init = arith.constant #tile.zero : tensor<64x64xf32>
  %da = tile.make_desc %a, [%m, %k], [%sam, %sak] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !a
  %db = tile.make_desc %b, [%k, %n], [%size, %sbn] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !b
  %dc = tile.make_desc %c, [%m, %n], [%size, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !c
  %sum = scf.for %kk = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x64xf32>) : i32 {
    %at = tile.desc_load %da[%zero, %kk] : !a, [i32, i32] -> tensor<64x32xf16>
    %bt = tile.desc_load %db[%kk, %zero] : !b, [i32, i32] -> tensor<32x64xf16>
    %next = tile.dot %at, %bt, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %out = tile.convert %sum : tensor<64x64xf32> -> tensor<64x64xf16>
  tile.desc_store %dc[%zero, %zero], %out : !c, [i32, i32], tensor<64x64xf16>
  tile.return
}

// Two products of one tile: both second operands first, then the first of them
// alone, and no more.

// REMARK-DAG: [Passed] specialize {{.*}} Function=gated | Clone=gated$fast, {{.*}}sak is 1, {{.*}}sgn is 1, {{.*}}sun is 1
// REMARK-DAG: [Passed] specialize {{.*}} Function=gated | Clone=gated$fast2, {{.*}}sak is 1, sgk is 1, {{.*}}suk is 1,
// REMARK-DAG: [Passed] specialize {{.*}} Function=gated | Clone=gated$fast3, {{.*}}sak is 1, sgk is 1, {{.*}}sun is 1
// REMARK-DAG: [Missed] specialize {{.*}} Function=gated | Reason="operands of products in more orders have no clone: 3 are the most (max-clones)"
// CHECK-LABEL: tile.func @gated$fast3(
tile.func @gated(%a: !tile.ptr<f16>, %g: !tile.ptr<f16>, %u: !tile.ptr<f16>,
                 %m: i32, %n: i32, %k: i32, %sam: i32, %sak: i32, %sgk: i32,
                 %sgn: i32, %suk: i32, %sun: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %init = arith.constant #tile.zero : tensor<64x64xf32>
  %da = tile.make_desc %a, [%m, %k], [%sam, %sak] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !a
  %dg = tile.make_desc %g, [%k, %n], [%sgk, %sgn] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !b
  %du = tile.make_desc %u, [%k, %n], [%suk, %sun] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !b
  %sums:2 = scf.for %kk = %zero to %k step %step iter_args(%gate = %init, %up = %init)
      -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %at = tile.desc_load %da[%zero, %kk] : !a, [i32, i32] -> tensor<64x32xf16>
    %gt = tile.desc_load %dg[%kk, %zero] : !b, [i32, i32] -> tensor<32x64xf16>
    %ut = tile.desc_load %du[%kk, %zero] : !b, [i32, i32] -> tensor<32x64xf16>
    %next = tile.dot %at, %gt, %gate : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %above = tile.dot %at, %ut, %up : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next, %above : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tile.return
}

// The only plan of `weights` passes columns of B: the first choice has no clone.

// REMARK-DAG: [Passed] specialize {{.*}} Function=weights | Clone=weights$fast, {{.*}}sak is 1, sbk is 1, sbn is a multiple of 8"
// REMARK-DAG: [Missed] specialize {{.*}} Function=weights | Reason="no clone in which sak is not 1: the launch plan passes
// REMARK-DAG: [Missed] specialize {{.*}} Function=weights | Reason="no clone in which sak and sbn are not 1: the launch plan passes
// CHECK-LABEL: tile.func @weights$fast(
// CHECK-SAME: %sbk: i32 {tile.equals = 1 : i32}, %sbn: i32 {tile.divisible_by = 8 : i32})
// CHECK-NOT: @weights$fast2
tile.func @weights(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32,
                   %k: i32, %sam: i32, %sak: i32, %sbk: i32, %sbn: i32) {
  %zero = arith.constant 0 : i32
  %init = arith.constant #tile.zero : tensor<64x64xf32>
  %da = tile.make_desc %a, [%m, %k], [%sam, %sak] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !a
  %db = tile.make_desc %b, [%k, %n], [%sbk, %sbn] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !b
  %at = tile.desc_load %da[%zero, %zero] : !a, [i32, i32] -> tensor<64x32xf16>
  %bt = tile.desc_load %db[%zero, %zero] : !b, [i32, i32] -> tensor<32x64xf16>
  %sum = tile.dot %at, %bt, %init : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.launch @all(
tile.launch @all(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                 %m: i32, %n: i32, %k: i32, %s: i32, %t: i32, %u: i32, %v: i32) {
  %one = tile.plan.constant 1
  %eight = tile.plan.constant 8
  tile.plan.dispatch @stated grid(%one) args(%a, %b, %m, %n, %k, %s, %one, %one, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i64, i64, i32
  tile.plan.dispatch @rows grid(%one) args(%a, %b, %c, %m, %n, %k, %eight, %s, %t)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i64, i32, i32
  tile.plan.dispatch @gated grid(%one) args(%a, %b, %c, %m, %n, %k, %s, %t, %u, %v, %u, %v)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32,
      i32, i32, i32, i32
  tile.plan.dispatch @weights grid(%one) args(%a, %b, %m, %n, %k, %k, %one, %one, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i64, i64, i32
}
