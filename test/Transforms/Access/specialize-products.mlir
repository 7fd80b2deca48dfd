// RUN: tile-opt %s --tile-specialize | FileCheck %s
// RUN: tile-opt %s --tile-specialize=max-clones=1 | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --tile-specialize=max-clones=4 | FileCheck %s --check-prefix=FOUR
// RUN: tile-opt %s --tile-specialize --remark-format=emitRemark \
// RUN:   --remarks-filter=tile-specialize -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// C = A B with all strides unknown. The first clone has rows of A, B and C. The
// second has columns of B: its bound along N matters for C alone. The third has
// columns of A, and rows of B, so that bounds along M take the place of those
// along K. C keeps its rows. Both operands by columns are a fourth.

// REMARK-DAG: [Missed] specialize {{.*}} Function=product | Reason="operands of products in more orders have no clone: 3 are the most (max-clones)"
// REMARK-DAG: [Passed] specialize {{.*}} Function=product | Clone=product$fast, {{.*}}sak is 1, sbk is a multiple of 8, sbn is 1,{{.*}} Widths="load 1 to 8, load 1 to 8, store 1 to 8"
// REMARK-DAG: [Passed] specialize {{.*}} Function=product | Clone=product$fast2, {{.*}}sak is 1, sbk is 1, sbn is a multiple of 8,{{.*}} Widths="load 1 to 8, load 1 to 8, store 1 to 8"
// REMARK-DAG: [Passed] specialize {{.*}} Function=product | Clone=product$fast3, {{.*}}sam is 1, sak is a multiple of 8, sbk is a multiple of 8, sbn is 1,{{.*}} Widths="load 1 to 8, load 1 to 8, store 1 to 8"

// CHECK-LABEL: tile.func @product(
// CHECK-LABEL: tile.func @product$fast(
// CHECK-SAME: %m: i32, %n: i32 {tile.divisible_by = 8 : i32}, %k: i32 {tile.divisible_by = 8 : i32}, %sam: i32 {tile.divisible_by = 8 : i32}, %sak: i32 {tile.equals = 1 : i32}, %sbk: i32 {tile.divisible_by = 8 : i32}, %sbn: i32 {tile.equals = 1 : i32}, %scm: i32 {tile.divisible_by = 8 : i32}, %scn: i32 {tile.equals = 1 : i32})
// CHECK-LABEL: tile.func @product$fast2(
// CHECK-SAME: %m: i32, %n: i32 {tile.divisible_by = 8 : i32}, %k: i32 {tile.divisible_by = 8 : i32}, %sam: i32 {tile.divisible_by = 8 : i32}, %sak: i32 {tile.equals = 1 : i32}, %sbk: i32 {tile.equals = 1 : i32}, %sbn: i32 {tile.divisible_by = 8 : i32}, %scm: i32 {tile.divisible_by = 8 : i32}, %scn: i32 {tile.equals = 1 : i32})
// CHECK-LABEL: tile.func @product$fast3(
// CHECK-SAME: %m: i32 {tile.divisible_by = 8 : i32}, %n: i32 {tile.divisible_by = 8 : i32}, %k: i32, %sam: i32 {tile.equals = 1 : i32}, %sak: i32 {tile.divisible_by = 8 : i32}, %sbk: i32 {tile.divisible_by = 8 : i32}, %sbn: i32 {tile.equals = 1 : i32}, %scm: i32 {tile.divisible_by = 8 : i32}, %scn: i32 {tile.equals = 1 : i32})
// CHECK-NOT: @product$fast4

// ONE-LABEL: tile.func @product$fast(
// ONE-SAME: %sak: i32 {tile.equals = 1 : i32}, %sbk: i32 {tile.divisible_by = 8 : i32}, %sbn: i32 {tile.equals = 1 : i32}
// ONE-NOT: $fast2

// FOUR-LABEL: tile.func @product$fast3(
// FOUR-LABEL: tile.func @product$fast4(
// FOUR-SAME: %sam: i32 {tile.equals = 1 : i32}, %sak: i32 {tile.divisible_by = 8 : i32}, %sbk: i32 {tile.equals = 1 : i32}, %sbn: i32 {tile.divisible_by = 8 : i32}, %scm: i32 {tile.divisible_by = 8 : i32}, %scn: i32 {tile.equals = 1 : i32})
tile.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                   %m: i32, %n: i32, %k: i32, %sam: i32, %sak: i32, %sbk: i32,
                   %sbn: i32, %scm: i32, %scn: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %init = arith.constant #tile.zero : tensor<64x64xf32>
  %da = tile.make_desc %a, [%m, %k], [%sam, %sak] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %n], [%sbk, %sbn] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<32x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%scm, %scn] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x64xf16>
  %sum = scf.for %kk = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x64xf32>) : i32 {
    %at = tile.desc_load %da[%zero, %kk] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
    %bt = tile.desc_load %db[%kk, %zero] : !tile.desc<32x64xf16>, [i32, i32] -> tensor<32x64xf16>
    %next = tile.dot %at, %bt, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %out = tile.convert %sum : tensor<64x64xf32> -> tensor<64x64xf16>
  tile.desc_store %dc[%zero, %zero], %out : !tile.desc<64x64xf16>, [i32, i32], tensor<64x64xf16>
  tile.return
}

// Guards in the order of the clones; the kernel itself is last.
// CHECK-LABEL: tile.launch @any(
// CHECK: tile.plan.cmp eq %sak, 1
// CHECK: tile.plan.cmp eq %sbn, 1
// CHECK: tile.plan.cmp eq %scn, 1
// CHECK: %[[NN:.*]] = tile.plan.all
// CHECK: tile.plan.cmp eq %sak, 1
// CHECK: tile.plan.cmp eq %sbk, 1
// CHECK: tile.plan.cmp eq %scn, 1
// CHECK: %[[NT:.*]] = tile.plan.all
// CHECK: tile.plan.cmp eq %sam, 1
// CHECK: tile.plan.cmp eq %sbn, 1
// CHECK: tile.plan.cmp eq %scn, 1
// CHECK: %[[TN:.*]] = tile.plan.all
// CHECK-NEXT: tile.plan.variant %[[NN]]
// CHECK-NEXT: @product$fast grid
// CHECK: tile.plan.variant %[[NT]]
// CHECK-NEXT: @product$fast2 grid
// CHECK: tile.plan.variant %[[TN]]
// CHECK-NEXT: @product$fast3 grid
// CHECK: tile.plan.variant else
// CHECK-NEXT: @product grid
tile.launch @any(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                 %m: i32, %n: i32, %k: i32, %sam: i32, %sak: i32, %sbk: i32,
                 %sbn: i32, %scm: i32, %scn: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @product grid(%one)
    args(%a, %b, %c, %m, %n, %k, %sam, %sak, %sbk, %sbn, %scm, %scn)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32,
      i32, i32, i32, i32
}

// A plan for B by columns alone has the one clone that it can take.
// CHECK-LABEL: tile.launch @fixed(
// CHECK-NOT: $fast{{ |3}}
// CHECK: @product$fast2 grid
// CHECK-NOT: $fast{{ |3}}
// CHECK: @product grid
tile.launch @fixed(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                   %m: i32, %n: i32, %k: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @product grid(%one)
    args(%a, %b, %c, %m, %n, %k, %k, %one, %one, %k, %n, %one)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i64,
      i64, i32, i32, i64
}

// B is f32, times factors of its columns, and transposed: its rows, along K, are
// of 4 elements at once. Where columns are instead, factors stay as they are.

// REMARK-DAG: Function=scaled | Clone=scaled$fast, Facts="a is aligned to 16 bytes, b is aligned to 16 bytes, k is a multiple of 4, sbn is a multiple of 4, sbk is 1"
// REMARK-DAG: Function=scaled | Clone=scaled$fast2, Facts="a is aligned to 16 bytes, b is aligned to 16 bytes, n is a multiple of 4, sbn is 1, sbk is a multiple of 4"
// CHECK-LABEL: tile.func @scaled$fast(
// CHECK-SAME: %sbn: i32 {tile.divisible_by = 4 : i32}, %sbk: i32 {tile.equals = 1 : i32}, %sf: i32)
// CHECK-LABEL: tile.func @scaled$fast2(
// CHECK-SAME: %sbn: i32 {tile.equals = 1 : i32}, %sbk: i32 {tile.divisible_by = 4 : i32}, %sf: i32)
tile.func @scaled(%a: !tile.ptr<f16>, %b: !tile.ptr<f32>, %f: !tile.ptr<f32>,
                  %c: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %n: i32,
                  %k: i32, %sbn: i32, %sbk: i32, %sf: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %init = arith.constant #tile.zero : tensor<64x64xf32>
  %da = tile.make_desc %a, [%size, %size], [%size, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%n, %k], [%sbn, %sbk] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x32xf32>
  %df = tile.make_desc %f, [%n, %one], [%sf, %zero] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x1xf32>
  %dc = tile.make_desc %c, [%size, %size], [%size, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x64xf32>
  %factors = tile.desc_load %df[%zero, %zero] : !tile.desc<64x1xf32>, [i32, i32] -> tensor<64x1xf32>
  %wide = tile.broadcast %factors : tensor<64x1xf32> -> tensor<64x32xf32>
  %sum = scf.for %kk = %zero to %size step %one iter_args(%acc = %init) -> (tensor<64x64xf32>) : i32 {
    %at = tile.desc_load %da[%zero, %zero] : !tile.desc<64x32xf16>, [i32, i32] -> tensor<64x32xf16>
    %bt = tile.desc_load %db[%zero, %zero] : !tile.desc<64x32xf32>, [i32, i32] -> tensor<64x32xf32>
    %scaled = arith.mulf %bt, %wide : tensor<64x32xf32>
    %half = tile.convert %scaled : tensor<64x32xf32> -> tensor<64x32xf16>
    %columns = tile.trans %half, [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    %next = tile.dot %at, %columns, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x64xf32>, [i32, i32], tensor<64x64xf32>
  tile.return
}

tile.launch @scale(%a: !tile.ptr<f16>, %b: !tile.ptr<f32>, %f: !tile.ptr<f32>,
                   %c: !tile.ptr<f32>, %n: i32, %k: i32, %sbn: i32, %sbk: i32, %sf: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @scaled grid(%one) args(%a, %b, %f, %c, %n, %k, %sbn, %sbk, %sf)
    : !tile.ptr<f16>, !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>, i32, i32,
      i32, i32, i32
}
