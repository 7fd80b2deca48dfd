// PTX is text to the interpreter.
tile.func @reverse_kernel(%p: !tile.ptr<i32>, %x: i32) {
  %y = tile.inline_ptx "brev.b32 $0, $1;"(%x) : (i32) -> i32
  tile.store %p, %y : !tile.ptr<i32>
  tile.return
}
