// y[i] = x[i] for i < n, in programs of 8 elements.
#BLOCK = #tile.param<BLOCK = 8>
!T = !tile.type_param<T = f32>
!values = !tile.t<[#BLOCK], !T>
!pointers = !tile.t<[#BLOCK], !tile.ptr<!T>>
!offsets = !tile.t<[#BLOCK], i32>

tile.func @copy_kernel(%y: !tile.ptr<!T>, %x: !tile.ptr<!T>, %n: i32) {
  %block = arith.constant #BLOCK
  %pid = tile.program_id x
  %start = arith.muli %pid, %block : i32
  %starts = tile.splat %start : i32 -> !offsets
  %range = tile.arange : !offsets
  %offs = arith.addi %starts, %range : !offsets
  %ns = tile.splat %n : i32 -> !offsets
  %mask = arith.cmpi slt, %offs, %ns : !offsets
  %xs = tile.splat %x : !tile.ptr<!T> -> !pointers
  %ys = tile.splat %y : !tile.ptr<!T> -> !pointers
  %px = tile.addptr %xs, %offs : !pointers, !offsets
  %py = tile.addptr %ys, %offs : !pointers, !offsets
  %values = tile.load %px, %mask : !pointers
  tile.store %py, %values, %mask : !pointers
  tile.return
}

tile.launch @copy(%y: !tile.ptr<!T>, %x: !tile.ptr<!T>, %n: i32) {
  %programs = tile.plan.cdiv %n, #BLOCK : i32
  tile.plan.dispatch @copy_kernel grid(%programs) args(%y, %x, %n)
    : !tile.ptr<!T>, !tile.ptr<!T>, i32
}
