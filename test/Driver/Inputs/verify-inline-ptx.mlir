// PTX is text to the interpreter.
tile.func @reverse_kernel(%p: !tile.ptr<i32>, %x: i32) {
  %y = tile.inline_ptx "brev.b32 $0, $1;"(%x) : (i32) -> i32
  tile.store %p, %y : !tile.ptr<i32>
  tile.return
}
tile.launch @reverse(%p: !tile.ptr<i32>, %x: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @reverse_kernel grid(%one) args(%p, %x) : !tile.ptr<i32>, i32
}

// Beside it, what can be run.
tile.func @double_kernel(%p: !tile.ptr<i32>, %x: i32) {
  %y = arith.addi %x, %x : i32
  tile.store %p, %y : !tile.ptr<i32>
  tile.return
}
