// sums[j] = sum_i x[i, j], in f32. One program for each BM x BN tile of x, in
// row-major order of tiles, adds the sums of its columns to memory, atomically,
// which the launch plan has filled with zeros. The order of the additions differs
// from launch to launch, and so may the last bits.

#BM = #tile.param<BM = 64, [32, 64, 128, 256]>
#BN = #tile.param<BN = 64, [32, 64, 128, 256]>
!T = !tile.type_param<T = f32>
!values = !tile.t<[#BM, #BN], !T>
!tile = !tile.t<[#BM, #BN], f32>
!sums = !tile.t<[#BN], f32>
!psums = !tile.t<[#BN], !tile.ptr<f32>>
!pointers = !tile.t<[#BM, #BN], !tile.ptr<!T>>
!offsets = !tile.t<[#BM, #BN], i32>
!mask = !tile.t<[#BM, #BN], i1>
!m = !tile.t<[#BM], i32>
!n = !tile.t<[#BN], i32>
!mcol = !tile.t<[#BM, 1], i32>
!nrow = !tile.t<[1, #BN], i32>
!mmask = !tile.t<[#BM, 1], i1>
!nmask = !tile.t<[1, #BN], i1>

// Strides are counted in elements.
tile.func @column_sum_kernel(%sums: !tile.ptr<f32>, %x: !tile.ptr<!T>, %m: i32,
                             %n: i32, %stride_m: i32, %stride_n: i32) {
  %bm = arith.constant #BM
  %bn = arith.constant #BN
  %tile = tile.program_id x
  %tiles_n = arith.ceildivsi %n, %bn : i32
  %tile_m = arith.divsi %tile, %tiles_n : i32
  %tile_n = arith.remsi %tile, %tiles_n : i32

  %first_m = arith.muli %tile_m, %bm : i32
  %first_n = arith.muli %tile_n, %bn : i32
  %range_m = tile.arange : !m
  %range_n = tile.arange : !n
  %starts_m = tile.splat %first_m : i32 -> !m
  %starts_n = tile.splat %first_n : i32 -> !n
  %offs_m = arith.addi %starts_m, %range_m : !m
  %offs_n = arith.addi %starts_n, %range_n : !n
  %rows = tile.expand_dims %offs_m, 1 : !m -> !mcol
  %cols = tile.expand_dims %offs_n, 0 : !n -> !nrow
  %ms = tile.splat %m : i32 -> !mcol
  %ns = tile.splat %n : i32 -> !nrow
  %in_m = arith.cmpi slt, %rows, %ms : !mcol
  %in_n = arith.cmpi slt, %cols, %ns : !nrow
  %in_m_x = tile.broadcast %in_m : !mmask -> !mask
  %in_n_x = tile.broadcast %in_n : !nmask -> !mask
  %mask = arith.andi %in_m_x, %in_n_x : !mask

  %strides_m = tile.splat %stride_m : i32 -> !mcol
  %strides_n = tile.splat %stride_n : i32 -> !nrow
  %row_x = arith.muli %rows, %strides_m : !mcol
  %col_x = arith.muli %cols, %strides_n : !nrow
  %rows_x = tile.broadcast %row_x : !mcol -> !offsets
  %cols_x = tile.broadcast %col_x : !nrow -> !offsets
  %offs_x = arith.addi %rows_x, %cols_x : !offsets
  %base_x = tile.splat %x : !tile.ptr<!T> -> !pointers
  %ptr_x = tile.addptr %base_x, %offs_x : !pointers, !offsets
  %padding = arith.constant #tile.zero : !values
  %loaded = tile.load %ptr_x, %mask, %padding : !pointers
  %v = tile.convert %loaded : !values -> !tile
  %part = tile.reduce %v axis 0 with arith.addf : (!tile) -> !sums

  %base_sums = tile.splat %sums : !tile.ptr<f32> -> !psums
  %ptr_sums = tile.addptr %base_sums, %offs_n : !psums, !n
  %limits = tile.splat %n : i32 -> !n
  %in_sums = arith.cmpi slt, %offs_n, %limits : !n
  %before = tile.atomic_rmw add relaxed gpu %ptr_sums, %part, %in_sums : !psums
  tile.return
}

tile.launch @column_sum(%sums: !tile.ptr<f32>, %x: !tile.ptr<!T>, %m: i32,
                        %n: i32, %stride_m: i32, %stride_n: i32) {
  %tiles_m = tile.plan.cdiv %m, #BM : i32
  %tiles_n = tile.plan.cdiv %n, #BN : i32
  %tiles = tile.plan.mul %tiles_m, %tiles_n : i64, i64
  %bytes = tile.plan.mul %n, 4 : i32
  tile.plan.fill %sums, %bytes, 0 : !tile.ptr<f32>, i64
  tile.plan.dispatch @column_sum_kernel grid(%tiles)
    args(%sums, %x, %m, %n, %stride_m, %stride_n)
    : !tile.ptr<f32>, !tile.ptr<!T>, i32, i32, i32, i32
}
