// y[i, :] = x[i, :] / sqrt(mean(x[i, :]^2) + eps) * weight, one program a row. A
// row of n <= BLOCK elements is held in registers: one read and one write of
// memory. Computed in f32; the padding is zero and adds nothing to the squares.

#BLOCK = #tile.param<BLOCK = 1024, [256, 512, 1024, 2048, 4096, 8192, 16384]>
!T = !tile.type_param<T = f32>
!row = !tile.t<[#BLOCK], f32>
!values = !tile.t<[#BLOCK], !T>
!offsets = !tile.t<[#BLOCK], i32>
!pointers = !tile.t<[#BLOCK], !tile.ptr<!T>>

// Strides are counted in elements.
tile.func @rmsnorm_kernel(%y: !tile.ptr<!T>, %x: !tile.ptr<!T>,
                          %weight: !tile.ptr<!T>, %n: i32, %stride_y: i32,
                          %stride_x: i32, %eps: f32) {
  %row = tile.program_id x
  %cols = tile.arange : !offsets
  %ns = tile.splat %n : i32 -> !offsets
  %mask = arith.cmpi slt, %cols, %ns : !offsets
  %padding = arith.constant #tile.zero : !values

  %start_x = arith.muli %row, %stride_x : i32
  %row_x = tile.addptr %x, %start_x : !tile.ptr<!T>, i32
  %rows_x = tile.splat %row_x : !tile.ptr<!T> -> !pointers
  %px = tile.addptr %rows_x, %cols : !pointers, !offsets
  %loaded = tile.load %px, %mask, %padding : !pointers
  %v = tile.convert %loaded : !values -> !row

  %count = arith.sitofp %n : i32 to f32
  %squares = arith.mulf %v, %v : !row
  %sum = tile.reduce %squares axis 0 with arith.addf : (!row) -> f32
  %mean = arith.divf %sum, %count : f32
  %with_eps = arith.addf %mean, %eps : f32
  %scale = math.rsqrt %with_eps : f32
  %scales = tile.splat %scale : f32 -> !row
  %normal = arith.mulf %v, %scales : !row

  %weights = tile.splat %weight : !tile.ptr<!T> -> !pointers
  %pw = tile.addptr %weights, %cols : !pointers, !offsets
  %w_t = tile.load %pw, %mask, %padding : !pointers
  %w = tile.convert %w_t : !values -> !row
  %result = arith.mulf %normal, %w : !row

  %start_y = arith.muli %row, %stride_y : i32
  %row_y = tile.addptr %y, %start_y : !tile.ptr<!T>, i32
  %rows_y = tile.splat %row_y : !tile.ptr<!T> -> !pointers
  %py = tile.addptr %rows_y, %cols : !pointers, !offsets
  %out = tile.convert %result : !row -> !values
  tile.store %py, %out, %mask : !pointers
  tile.return
}

tile.launch @rmsnorm(%y: !tile.ptr<!T>, %x: !tile.ptr<!T>,
                     %weight: !tile.ptr<!T>, %m: i32, %n: i32, %stride_y: i32,
                     %stride_x: i32, %eps: f32) {
  %fits = tile.plan.cmp le %n, #BLOCK : i32
  tile.plan.variant %fits {
    tile.plan.dispatch @rmsnorm_kernel grid(%m : i32)
      args(%y, %x, %weight, %n, %stride_y, %stride_x, %eps)
      : !tile.ptr<!T>, !tile.ptr<!T>, !tile.ptr<!T>, i32, i32, i32, f32
  }
  tile.plan.variant else {
    tile.plan.refuse "a row is longer than BLOCK"
  }
}
