// y[i, :] = softmax(x[i, :]) in five kernels, as one writes it down: what the
// fused kernel of softmax.mlir saves. Values moved, for M rows of N:
//
//                 reads        writes
//   row maximum   MN           M
//   subtract      MN + M       MN
//   exp           MN           MN
//   row sum       MN           M
//   divide        MN + M       MN
//   together      5MN + 2M     3MN + 2M    = 8MN + 4M; fused: 2MN
//
// Between the kernels lie f32 values in scratch memory: `work` holds the
// shifted values, then their exponentials (in place), `stat` the maxima, then
// the sums. One program a row; a row has n <= BLOCK elements.

#BLOCK = #tile.param<BLOCK = 1024, [256, 512, 1024, 2048, 4096, 8192, 16384]>
!T = !tile.type_param<T = f32>
!row = !tile.t<[#BLOCK], f32>
!values = !tile.t<[#BLOCK], !T>
!offsets = !tile.t<[#BLOCK], i32>
!mask = !tile.t<[#BLOCK], i1>
!pointers = !tile.t<[#BLOCK], !tile.ptr<!T>>
!work_pointers = !tile.t<[#BLOCK], !tile.ptr<f32>>

// Columns of a row and whether they are inside it.
tile.func private @columns(%n: i32) -> (!offsets, !mask) {
  %cols = tile.arange : !offsets
  %ns = tile.splat %n : i32 -> !offsets
  %mask = arith.cmpi slt, %cols, %ns : !offsets
  tile.return %cols, %mask : !offsets, !mask
}

// Pointers to this program's row of x or y; strides are counted in elements.
tile.func private @row_of(%p: !tile.ptr<!T>, %stride: i32, %cols: !offsets)
    -> !pointers {
  %row = tile.program_id x
  %start = arith.muli %row, %stride : i32
  %first = tile.addptr %p, %start : !tile.ptr<!T>, i32
  %firsts = tile.splat %first : !tile.ptr<!T> -> !pointers
  %pointers = tile.addptr %firsts, %cols : !pointers, !offsets
  tile.return %pointers : !pointers
}

// The same for `work`, whose rows follow each other.
tile.func private @work_row(%work: !tile.ptr<f32>, %n: i32, %cols: !offsets)
    -> !work_pointers {
  %row = tile.program_id x
  %start = arith.muli %row, %n : i32
  %first = tile.addptr %work, %start : !tile.ptr<f32>, i32
  %firsts = tile.splat %first : !tile.ptr<f32> -> !work_pointers
  %pointers = tile.addptr %firsts, %cols : !work_pointers, !offsets
  tile.return %pointers : !work_pointers
}

// This program's value of `stat`.
tile.func private @row_stat(%stat: !tile.ptr<f32>) -> !tile.ptr<f32> {
  %row = tile.program_id x
  %p = tile.addptr %stat, %row : !tile.ptr<f32>, i32
  tile.return %p : !tile.ptr<f32>
}

tile.func @row_max_kernel(%stat: !tile.ptr<f32>, %x: !tile.ptr<!T>, %n: i32,
                          %stride_x: i32) {
  %cols, %mask = tile.call @columns(%n) : (i32) -> (!offsets, !mask)
  %px = tile.call @row_of(%x, %stride_x, %cols)
    : (!tile.ptr<!T>, i32, !offsets) -> !pointers
  %padding = arith.constant #tile.inf<neg> : !values
  %loaded = tile.load %px, %mask, %padding : !pointers
  %v = tile.convert %loaded : !values -> !row
  %max = tile.reduce %v axis 0 with arith.maximumf : (!row) -> f32
  %p = tile.call @row_stat(%stat) : (!tile.ptr<f32>) -> !tile.ptr<f32>
  tile.store %p, %max : !tile.ptr<f32>
  tile.return
}

tile.func @subtract_kernel(%work: !tile.ptr<f32>, %x: !tile.ptr<!T>,
                           %stat: !tile.ptr<f32>, %n: i32, %stride_x: i32) {
  %cols, %mask = tile.call @columns(%n) : (i32) -> (!offsets, !mask)
  %px = tile.call @row_of(%x, %stride_x, %cols)
    : (!tile.ptr<!T>, i32, !offsets) -> !pointers
  %loaded = tile.load %px, %mask : !pointers
  %v = tile.convert %loaded : !values -> !row
  %p = tile.call @row_stat(%stat) : (!tile.ptr<f32>) -> !tile.ptr<f32>
  %max = tile.load %p : !tile.ptr<f32>
  %maxes = tile.splat %max : f32 -> !row
  %shifted = arith.subf %v, %maxes : !row
  %pw = tile.call @work_row(%work, %n, %cols)
    : (!tile.ptr<f32>, i32, !offsets) -> !work_pointers
  tile.store %pw, %shifted, %mask : !work_pointers
  tile.return
}

tile.func @exp_kernel(%work: !tile.ptr<f32>, %n: i32) {
  %cols, %mask = tile.call @columns(%n) : (i32) -> (!offsets, !mask)
  %pw = tile.call @work_row(%work, %n, %cols)
    : (!tile.ptr<f32>, i32, !offsets) -> !work_pointers
  %v = tile.load %pw, %mask : !work_pointers
  %exp = math.exp %v : !row
  tile.store %pw, %exp, %mask : !work_pointers
  tile.return
}

tile.func @row_sum_kernel(%stat: !tile.ptr<f32>, %work: !tile.ptr<f32>,
                          %n: i32) {
  %cols, %mask = tile.call @columns(%n) : (i32) -> (!offsets, !mask)
  %pw = tile.call @work_row(%work, %n, %cols)
    : (!tile.ptr<f32>, i32, !offsets) -> !work_pointers
  %zero = arith.constant dense<0.0> : !row
  %v = tile.load %pw, %mask, %zero : !work_pointers
  %sum = tile.reduce %v axis 0 with arith.addf : (!row) -> f32
  %p = tile.call @row_stat(%stat) : (!tile.ptr<f32>) -> !tile.ptr<f32>
  tile.store %p, %sum : !tile.ptr<f32>
  tile.return
}

tile.func @divide_kernel(%y: !tile.ptr<!T>, %work: !tile.ptr<f32>,
                         %stat: !tile.ptr<f32>, %n: i32, %stride_y: i32) {
  %cols, %mask = tile.call @columns(%n) : (i32) -> (!offsets, !mask)
  %pw = tile.call @work_row(%work, %n, %cols)
    : (!tile.ptr<f32>, i32, !offsets) -> !work_pointers
  %v = tile.load %pw, %mask : !work_pointers
  %p = tile.call @row_stat(%stat) : (!tile.ptr<f32>) -> !tile.ptr<f32>
  %sum = tile.load %p : !tile.ptr<f32>
  %sums = tile.splat %sum : f32 -> !row
  %result = arith.divf %v, %sums : !row
  %out = tile.convert %result : !row -> !values
  %py = tile.call @row_of(%y, %stride_y, %cols)
    : (!tile.ptr<!T>, i32, !offsets) -> !pointers
  tile.store %py, %out, %mask : !pointers
  tile.return
}

tile.launch @softmax_naive(%y: !tile.ptr<!T>, %x: !tile.ptr<!T>, %m: i32,
                           %n: i32, %stride_y: i32, %stride_x: i32) {
  %fits = tile.plan.cmp le %n, #BLOCK : i32
  tile.plan.variant %fits {
    %stat_bytes = tile.plan.mul %m, 4 : i32
    %work_bytes = tile.plan.mul %stat_bytes, %n : i64, i32
    %stat = tile.plan.scratch %stat_bytes : i64 -> !tile.ptr<f32>
    %work = tile.plan.scratch %work_bytes : i64 -> !tile.ptr<f32>
    tile.plan.dispatch @row_max_kernel grid(%m : i32)
      args(%stat, %x, %n, %stride_x)
      : !tile.ptr<f32>, !tile.ptr<!T>, i32, i32
    tile.plan.dispatch @subtract_kernel grid(%m : i32)
      args(%work, %x, %stat, %n, %stride_x)
      : !tile.ptr<f32>, !tile.ptr<!T>, !tile.ptr<f32>, i32, i32
    tile.plan.dispatch @exp_kernel grid(%m : i32) args(%work, %n)
      : !tile.ptr<f32>, i32
    tile.plan.dispatch @row_sum_kernel grid(%m : i32) args(%stat, %work, %n)
      : !tile.ptr<f32>, !tile.ptr<f32>, i32
    tile.plan.dispatch @divide_kernel grid(%m : i32)
      args(%y, %work, %stat, %n, %stride_y)
      : !tile.ptr<!T>, !tile.ptr<f32>, !tile.ptr<f32>, i32, i32
  }
  tile.plan.variant else {
    tile.plan.refuse "a row is longer than BLOCK"
  }
}
