// y[i, :] = softmax(x[i, :]), one program a row. A row of n <= BLOCK elements
// is held in registers: one read and one write of memory. `other` is -inf, so
// that padding changes neither the maximum nor the sum.

#BLOCK = #tile.param<BLOCK = 1024, [256, 512, 1024, 2048, 4096, 8192, 16384]>
!T = !tile.type_param<T = f32>
!row = !tile.t<[#BLOCK], f32>
!values = !tile.t<[#BLOCK], !T>
!offsets = !tile.t<[#BLOCK], i32>
!pointers = !tile.t<[#BLOCK], !tile.ptr<!T>>

// Strides are counted in elements.
tile.func @softmax_kernel(%y: !tile.ptr<!T>, %x: !tile.ptr<!T>, %n: i32,
                          %stride_y: i32, %stride_x: i32) {
  %row = tile.program_id x
  %cols = tile.arange : !offsets
  %ns = tile.splat %n : i32 -> !offsets
  %mask = arith.cmpi slt, %cols, %ns : !offsets

  %start_x = arith.muli %row, %stride_x : i32
  %row_x = tile.addptr %x, %start_x : !tile.ptr<!T>, i32
  %rows_x = tile.splat %row_x : !tile.ptr<!T> -> !pointers
  %px = tile.addptr %rows_x, %cols : !pointers, !offsets
  %padding = arith.constant #tile.inf<neg> : !values
  %loaded = tile.load %px, %mask, %padding : !pointers
  %v = tile.convert %loaded : !values -> !row

  %max = tile.reduce %v axis 0 with arith.maximumf : (!row) -> f32
  %maxes = tile.splat %max : f32 -> !row
  %shifted = arith.subf %v, %maxes : !row
  %exp = math.exp %shifted : !row
  %sum = tile.reduce %exp axis 0 with arith.addf : (!row) -> f32
  %sums = tile.splat %sum : f32 -> !row
  %result = arith.divf %exp, %sums : !row

  %start_y = arith.muli %row, %stride_y : i32
  %row_y = tile.addptr %y, %start_y : !tile.ptr<!T>, i32
  %rows_y = tile.splat %row_y : !tile.ptr<!T> -> !pointers
  %py = tile.addptr %rows_y, %cols : !pointers, !offsets
  %out = tile.convert %result : !row -> !values
  tile.store %py, %out, %mask : !pointers
  tile.return
}

tile.launch @softmax(%y: !tile.ptr<!T>, %x: !tile.ptr<!T>, %m: i32, %n: i32,
                     %stride_y: i32, %stride_x: i32) {
  %fits = tile.plan.cmp le %n, #BLOCK : i32
  tile.plan.variant %fits {
    tile.plan.dispatch @softmax_kernel grid(%m : i32)
      args(%y, %x, %n, %stride_y, %stride_x)
      : !tile.ptr<!T>, !tile.ptr<!T>, i32, i32, i32
  }
  tile.plan.variant else {
    tile.plan.refuse "a row is longer than BLOCK"
  }
}
