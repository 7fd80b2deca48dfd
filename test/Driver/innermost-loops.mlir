// RUN: tile-opt %s --emit=llvm -o - | FileCheck %s

// What an innermost loop does not change is computed before it; what only a loop
// around another one does not change stays, so that the inner one need not hold it.

// CHECK-LABEL: define ptx_kernel void @k_kernel(
// CHECK-SAME: ptr addrspace(1) %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 %[[M:[0-9]+]], i32 %[[S:[0-9]+]])
// CHECK-NOT: xor
// CHECK: %[[SQUARED:.*]] = mul i32 %[[S]], %[[S]]
// CHECK: [[LOOP:[0-9]+]]:
// CHECK-NOT: mul
// CHECK: %[[NEW:.*]] = add i32 %{{.*}}, %[[SQUARED]]
// CHECK: br i1 %{{.*}}, label %[[LOOP]], label
// CHECK: %[[ODD:.*]] = xor i32 %[[S]], %[[M]]
// CHECK-NOT: br
// CHECK-NOT: xor
// CHECK: asm sideeffect "@$0 st.global.b32 [$1], $2;", {{.*}}, i32 %[[ODD]])
tile.func @k_kernel(%p: !tile.ptr<i32>, %n: i32, %m: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %at = tile.addptr %p, %i : !tile.ptr<i32>, i32
    scf.for %j = %zero to %m step %one : i32 {
      %squared = arith.muli %s, %s : i32
      %old = tile.load %at volatile : !tile.ptr<i32>
      %new = arith.addi %old, %squared : i32
      tile.store %at, %new : !tile.ptr<i32>
    }
    %odd = arith.xori %s, %m : i32
    tile.store %at, %odd : !tile.ptr<i32>
  }
  tile.return
}
