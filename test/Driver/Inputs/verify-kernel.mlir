// y[i] = x[i] + x[256 + i] for i < n. The second offset is a product in 8 bits,
// which wraps when it is folded, and does not as a part of an address.
!block = tensor<32xi8>
!mask = tensor<32xi1>
!pointers = tensor<32x!tile.ptr<i32>>

tile.func @verify_kernel(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %n: i32) {
  %range = tile.arange : tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %mask = arith.cmpi slt, %range, %ns : tensor<32xi32>
  %sixteen = arith.constant 16 : i8
  %far = arith.muli %sixteen, %sixteen : i8
  %second = tile.addptr %x, %far : !tile.ptr<i32>, i8
  %xs = tile.splat %x : !tile.ptr<i32> -> !pointers
  %seconds = tile.splat %second : !tile.ptr<i32> -> !pointers
  %ys = tile.splat %y : !tile.ptr<i32> -> !pointers
  %p = tile.addptr %xs, %range : !pointers, tensor<32xi32>
  %q = tile.addptr %seconds, %range : !pointers, tensor<32xi32>
  %r = tile.addptr %ys, %range : !pointers, tensor<32xi32>
  %a = tile.load %p, %mask : !pointers
  %b = tile.load %q, %mask : !pointers
  %sum = arith.addi %a, %b : tensor<32xi32>
  tile.store %r, %sum, %mask : !pointers
  tile.return
}
