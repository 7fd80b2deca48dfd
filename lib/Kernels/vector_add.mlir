// z[i] = x[i] + y[i] for i < n; one program a block.

#BLOCK = #tile.param<BLOCK = 1024, [256, 512, 1024, 2048]>
!T = !tile.type_param<T = f32>
!block = !tile.t<[#BLOCK], !T>
!offsets = !tile.t<[#BLOCK], i32>
!mask = !tile.t<[#BLOCK], i1>
!pointers = !tile.t<[#BLOCK], !tile.ptr<!T>>

tile.func @vector_add_kernel(%x: !tile.ptr<!T>, %y: !tile.ptr<!T>,
                             %z: !tile.ptr<!T>, %n: i32) {
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
  %zs = tile.splat %z : !tile.ptr<!T> -> !pointers
  %px = tile.addptr %xs, %offs : !pointers, !offsets
  %py = tile.addptr %ys, %offs : !pointers, !offsets
  %pz = tile.addptr %zs, %offs : !pointers, !offsets
  %a = tile.load %px, %mask : !pointers
  %b = tile.load %py, %mask : !pointers
  %sum = arith.addf %a, %b : !block
  tile.store %pz, %sum, %mask : !pointers
  tile.return
}

tile.launch @vector_add(%x: !tile.ptr<!T>, %y: !tile.ptr<!T>,
                        %z: !tile.ptr<!T>, %n: i32) {
  %programs = tile.plan.cdiv %n, #BLOCK : i32
  tile.plan.dispatch @vector_add_kernel grid(%programs) args(%x, %y, %z, %n)
    : !tile.ptr<!T>, !tile.ptr<!T>, !tile.ptr<!T>, i32
}
