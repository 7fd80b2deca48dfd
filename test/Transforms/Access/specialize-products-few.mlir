// RUN: tile-opt %s --tile-specialize | FileCheck %s
// RUN: tile-opt %s --tile-specialize --remark-format=emitRemark --remarks-filter=tile-specialize -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Among so many stores the loads of B hardly count: with B by rows they have 8 elements
// at once, by columns 4, since they begin at k + 4. No facts are then worth a clone, and
// one without any would be the kernel itself.

// REMARK: [Missed] specialize {{.*}} Reason="no clone in which sbn is not 1: the kernel itself is as good"
// REMARK: [Passed] specialize {{.*}} Clone=product$fast, Facts="sbk is a multiple of 8, sbn is 1"
// CHECK-LABEL: tile.func @product(
// CHECK: tile.func @product$fast(
// CHECK-NOT: tile.func
// CHECK: tile.plan.dispatch @product$fast
// CHECK: tile.plan.dispatch @product grid

tile.func @product(%a: !tile.ptr<f16> {tile.divisible_by = 16 : i32}, %b: !tile.ptr<f16> {tile.divisible_by = 16 : i32}, %c: !tile.ptr<f32> {tile.divisible_by = 16 : i32}, %x: !tile.ptr<f16> {tile.divisible_by = 16 : i32},
                   %k: i32 {tile.divisible_by = 16 : i32}, %sbk: i32, %sbn: i32) {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %one = arith.constant 1 : i32
  %e = arith.constant 128 : i32
  %step = arith.constant 16 : i32
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %w = arith.constant #tile.zero : tensor<128x128xf16>
  %w2 = arith.constant #tile.zero : tensor<64x128xf16>
  %da = tile.make_desc %a, [%e, %e], [%e, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf16>
  %db = tile.make_desc %b, [%e, %e], [%sbk, %sbn] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<16x16xf16>
  %dc = tile.make_desc %c, [%e, %e], [%e, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<64x16xf32>
  %dx = tile.make_desc %x, [%e, %e], [%e, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<128x128xf16>
  %dy = tile.make_desc %x, [%e, %e], [%e, %one] : !tile.ptr<f16>, [i32, i32], [i32, i32] -> !tile.desc<64x128xf16>
  %sum = scf.for %kk = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
    %k4 = arith.addi %kk, %four : i32
    %at = tile.desc_load %da[%zero, %kk] : !tile.desc<64x16xf16>, [i32, i32] -> tensor<64x16xf16>
    %bt = tile.desc_load %db[%k4, %zero] : !tile.desc<16x16xf16>, [i32, i32] -> tensor<16x16xf16>
    %next = tile.dot %at, %bt, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.desc_store %dc[%zero, %zero], %sum : !tile.desc<64x16xf32>, [i32, i32], tensor<64x16xf32>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dx[%zero, %zero], %w : !tile.desc<128x128xf16>, [i32, i32], tensor<128x128xf16>
  tile.desc_store %dy[%zero, %zero], %w2 : !tile.desc<64x128xf16>, [i32, i32], tensor<64x128xf16>
  tile.return
}
tile.launch @any(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %x: !tile.ptr<f16>, %k: i32, %sbk: i32, %sbn: i32) {
  tile.plan.dispatch @product grid(%k : i32) args(%a, %b, %c, %x, %k, %sbk, %sbn) : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, !tile.ptr<f16>, i32, i32, i32
}
