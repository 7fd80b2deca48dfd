// C = (A A) B, where A is squared element by element before the product: an operand
// that is computed in registers. One program for each BM x BN tile of C, in row-major
// order of tiles. Any M, N and K, and any strides (counted in elements).

#BM = #tile.param<BM = 128, [64, 128, 256]>
#BN = #tile.param<BN = 128, [64, 128, 256]>
#BK = #tile.param<BK = 32, [32, 64, 128]>
!T = !tile.type_param<T = f16>
!ACC = !tile.type_param<ACC = f32>
!OUT = !tile.type_param<OUT = f16>
!a = !tile.t<[#BM, #BK], !T>
!b = !tile.t<[#BK, #BN], !T>
!acc = !tile.t<[#BM, #BN], !ACC>
!out = !tile.t<[#BM, #BN], !OUT>
!pa = !tile.t<[#BM, #BK], !tile.ptr<!T>>
!pb = !tile.t<[#BK, #BN], !tile.ptr<!T>>
!pc = !tile.t<[#BM, #BN], !tile.ptr<!OUT>>
!m = !tile.t<[#BM], i32>
!n = !tile.t<[#BN], i32>
!k = !tile.t<[#BK], i32>
!mcol = !tile.t<[#BM, 1], i32>
!nrow = !tile.t<[1, #BN], i32>
!krow = !tile.t<[1, #BK], i32>
!kcol = !tile.t<[#BK, 1], i32>
!oa = !tile.t<[#BM, #BK], i32>
!ob = !tile.t<[#BK, #BN], i32>
!oc = !tile.t<[#BM, #BN], i32>
!mmask = !tile.t<[#BM, 1], i1>
!nmask = !tile.t<[1, #BN], i1>
!krmask = !tile.t<[1, #BK], i1>
!kcmask = !tile.t<[#BK, 1], i1>
!ma = !tile.t<[#BM, #BK], i1>
!mb = !tile.t<[#BK, #BN], i1>
!mc = !tile.t<[#BM, #BN], i1>

tile.func @squared_product_kernel(%a: !tile.ptr<!T>, %b: !tile.ptr<!T>, %c: !tile.ptr<!OUT>,
                         %m: i32, %n: i32, %k: i32,
                         %sam: i32, %sak: i32, %sbk: i32, %sbn: i32,
                         %scm: i32, %scn: i32) {
  %bm = arith.constant #BM
  %bn = arith.constant #BN
  %bk = arith.constant #BK
  %zero = arith.constant 0 : i32
  %tile = tile.program_id x
  %tiles_n = arith.ceildivsi %n, %bn : i32
  %tile_m = arith.divsi %tile, %tiles_n : i32
  %tile_n = arith.remsi %tile, %tiles_n : i32

  // Rows of A and C, columns of B and C.
  %first_m = arith.muli %tile_m, %bm : i32
  %first_n = arith.muli %tile_n, %bn : i32
  %range_m = tile.arange : !m
  %range_n = tile.arange : !n
  %range_k = tile.arange : !k
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
  %in_m_a = tile.broadcast %in_m : !mmask -> !ma
  %in_n_b = tile.broadcast %in_n : !nmask -> !mb

  %sams = tile.splat %sam : i32 -> !mcol
  %saks = tile.splat %sak : i32 -> !krow
  %sbks = tile.splat %sbk : i32 -> !kcol
  %sbns = tile.splat %sbn : i32 -> !nrow
  %row_a = arith.muli %rows, %sams : !mcol
  %col_b = arith.muli %cols, %sbns : !nrow
  %rows_a = tile.broadcast %row_a : !mcol -> !oa
  %cols_b = tile.broadcast %col_b : !nrow -> !ob
  %base_a = tile.splat %a : !tile.ptr<!T> -> !pa
  %base_b = tile.splat %b : !tile.ptr<!T> -> !pb
  %fill_a = arith.constant #tile.zero : !a
  %fill_b = arith.constant #tile.zero : !b
  %init = arith.constant #tile.zero : !acc

  %sum = scf.for %kk = %zero to %k step %bk iter_args(%acc = %init) -> (!acc) : i32 {
    %starts_k = tile.splat %kk : i32 -> !k
    %offs_k = arith.addi %starts_k, %range_k : !k
    %k_row = tile.expand_dims %offs_k, 0 : !k -> !krow
    %k_col = tile.expand_dims %offs_k, 1 : !k -> !kcol
    %ks_row = tile.splat %k : i32 -> !krow
    %ks_col = tile.splat %k : i32 -> !kcol
    %in_k_row = arith.cmpi slt, %k_row, %ks_row : !krow
    %in_k_col = arith.cmpi slt, %k_col, %ks_col : !kcol
    %in_k_a = tile.broadcast %in_k_row : !krmask -> !ma
    %in_k_b = tile.broadcast %in_k_col : !kcmask -> !mb
    %mask_a = arith.andi %in_m_a, %in_k_a : !ma
    %mask_b = arith.andi %in_n_b, %in_k_b : !mb

    %col_a = arith.muli %k_row, %saks : !krow
    %row_b = arith.muli %k_col, %sbks : !kcol
    %cols_a = tile.broadcast %col_a : !krow -> !oa
    %rows_b = tile.broadcast %row_b : !kcol -> !ob
    %offs_a = arith.addi %rows_a, %cols_a : !oa
    %offs_b = arith.addi %rows_b, %cols_b : !ob
    %ptr_a = tile.addptr %base_a, %offs_a : !pa, !oa
    %ptr_b = tile.addptr %base_b, %offs_b : !pb, !ob
    %at = tile.load %ptr_a, %mask_a, %fill_a : !pa
    %bt = tile.load %ptr_b, %mask_b, %fill_b : !pb
    %squares = arith.mulf %at, %at : !a
    %next = tile.dot %squares, %bt, %acc : !a, !b -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 4 : i32}

  %scms = tile.splat %scm : i32 -> !mcol
  %scns = tile.splat %scn : i32 -> !nrow
  %row_c = arith.muli %rows, %scms : !mcol
  %col_c = arith.muli %cols, %scns : !nrow
  %rows_c = tile.broadcast %row_c : !mcol -> !oc
  %cols_c = tile.broadcast %col_c : !nrow -> !oc
  %offs_c = arith.addi %rows_c, %cols_c : !oc
  %base_c = tile.splat %c : !tile.ptr<!OUT> -> !pc
  %ptr_c = tile.addptr %base_c, %offs_c : !pc, !oc
  %in_m_c = tile.broadcast %in_m : !mmask -> !mc
  %in_n_c = tile.broadcast %in_n : !nmask -> !mc
  %mask_c = arith.andi %in_m_c, %in_n_c : !mc
  %out = tile.convert %sum : !acc -> !out
  tile.store %ptr_c, %out, %mask_c : !pc
  tile.return
}

tile.launch @squared_product(%a: !tile.ptr<!T>, %b: !tile.ptr<!T>, %c: !tile.ptr<!OUT>,
                    %m: i32, %n: i32, %k: i32, %sam: i32, %sak: i32, %sbk: i32,
                    %sbn: i32, %scm: i32, %scn: i32) {
  %tiles_m = tile.plan.cdiv %m, #BM : i32
  %tiles_n = tile.plan.cdiv %n, #BN : i32
  %tiles = tile.plan.mul %tiles_m, %tiles_n : i64, i64
  tile.plan.dispatch @squared_product_kernel grid(%tiles)
    args(%a, %b, %c, %m, %n, %k, %sam, %sak, %sbk, %sbn, %scm, %scn)
    : !tile.ptr<!T>, !tile.ptr<!T>, !tile.ptr<!OUT>, i32, i32, i32, i32, i32,
      i32, i32, i32, i32
}
