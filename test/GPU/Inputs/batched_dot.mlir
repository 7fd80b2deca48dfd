// C[b] = A[b] B[b] by products of three dimensions: program (x, y, z) computes a
// tile of NB matrices, BM rows and BN columns. The matrices lie densely, each in
// row-major order.

#NB = #tile.param<NB = 2>
#BM = #tile.param<BM = 32>
#BN = #tile.param<BN = 32>
#BK = #tile.param<BK = 16>
!T = !tile.type_param<T = f16>
!ACC = !tile.type_param<ACC = f32>
!a = !tile.t<[#NB, #BM, #BK], !T>
!b = !tile.t<[#NB, #BK, #BN], !T>
!c = !tile.t<[#NB, #BM, #BN], !ACC>
!pa = !tile.t<[#NB, #BM, #BK], !tile.ptr<!T>>
!pb = !tile.t<[#NB, #BK, #BN], !tile.ptr<!T>>
!pc = !tile.t<[#NB, #BM, #BN], !tile.ptr<!ACC>>
!oa = !tile.t<[#NB, #BM, #BK], i32>
!ob = !tile.t<[#NB, #BK, #BN], i32>
!oc = !tile.t<[#NB, #BM, #BN], i32>
!ma = !tile.t<[#NB, #BM, #BK], i1>
!mb = !tile.t<[#NB, #BK, #BN], i1>
!mc = !tile.t<[#NB, #BM, #BN], i1>
// Index vectors, and where they stand among the three dimensions.
!vb = !tile.t<[#NB], i32>
!vm = !tile.t<[#BM], i32>
!vn = !tile.t<[#BN], i32>
!vk = !tile.t<[#BK], i32>
!vb1 = !tile.t<[#NB, 1], i32>
!vm1 = !tile.t<[1, #BM], i32>
!vn1 = !tile.t<[1, #BN], i32>
!vk1 = !tile.t<[1, #BK], i32>
!b3 = !tile.t<[#NB, 1, 1], i32>
!m3 = !tile.t<[1, #BM, 1], i32>
!n3 = !tile.t<[1, 1, #BN], i32>
!kr3 = !tile.t<[1, #BK, 1], i32>
!kc3 = !tile.t<[1, 1, #BK], i32>
!bm3 = !tile.t<[#NB, #BM, 1], i32>
!bk3 = !tile.t<[#NB, #BK, 1], i32>
!bmask = !tile.t<[#NB, 1, 1], i1>
!mmask = !tile.t<[1, #BM, 1], i1>
!nmask = !tile.t<[1, 1, #BN], i1>
!krmask = !tile.t<[1, #BK, 1], i1>
!kcmask = !tile.t<[1, 1, #BK], i1>

tile.func @batched_dot_kernel(%a: !tile.ptr<!T>, %b: !tile.ptr<!T>,
                              %c: !tile.ptr<!ACC>, %batch: i32, %m: i32, %n: i32,
                              %k: i32) {
  %nb = arith.constant #NB
  %bm = arith.constant #BM
  %bn = arith.constant #BN
  %bk = arith.constant #BK
  %zero = arith.constant 0 : i32
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %first_n = arith.muli %x, %bn : i32
  %first_m = arith.muli %y, %bm : i32
  %first_b = arith.muli %z, %nb : i32
  %range_b = tile.arange : !vb
  %range_m = tile.arange : !vm
  %range_n = tile.arange : !vn
  %range_k = tile.arange : !vk
  %starts_b = tile.splat %first_b : i32 -> !vb
  %starts_m = tile.splat %first_m : i32 -> !vm
  %starts_n = tile.splat %first_n : i32 -> !vn
  %offs_b = arith.addi %starts_b, %range_b : !vb
  %offs_m = arith.addi %starts_m, %range_m : !vm
  %offs_n = arith.addi %starts_n, %range_n : !vn
  %offs_b1 = tile.expand_dims %offs_b, 1 : !vb -> !vb1
  %offs_m1 = tile.expand_dims %offs_m, 0 : !vm -> !vm1
  %offs_n1 = tile.expand_dims %offs_n, 0 : !vn -> !vn1
  %bs = tile.expand_dims %offs_b1, 2 : !vb1 -> !b3
  %rows = tile.expand_dims %offs_m1, 2 : !vm1 -> !m3
  %cols = tile.expand_dims %offs_n1, 0 : !vn1 -> !n3
  %limit_b = tile.splat %batch : i32 -> !b3
  %limit_m = tile.splat %m : i32 -> !m3
  %limit_n = tile.splat %n : i32 -> !n3
  %in_b = arith.cmpi slt, %bs, %limit_b : !b3
  %in_m = arith.cmpi slt, %rows, %limit_m : !m3
  %in_n = arith.cmpi slt, %cols, %limit_n : !n3
  %in_b_a = tile.broadcast %in_b : !bmask -> !ma
  %in_m_a = tile.broadcast %in_m : !mmask -> !ma
  %in_bm_a = arith.andi %in_b_a, %in_m_a : !ma
  %in_b_b = tile.broadcast %in_b : !bmask -> !mb
  %in_n_b = tile.broadcast %in_n : !nmask -> !mb
  %in_bn_b = arith.andi %in_b_b, %in_n_b : !mb

  // Row i of matrix b of A is row b m + i of all; of B it is row b k + i.
  %m_b = tile.splat %m : i32 -> !b3
  %k_b = tile.splat %k : i32 -> !b3
  %bs_m = arith.muli %bs, %m_b : !b3
  %bs_k = arith.muli %bs, %k_b : !b3
  %bs_m_rows = tile.broadcast %bs_m : !b3 -> !bm3
  %rows_all = tile.broadcast %rows : !m3 -> !bm3
  %row = arith.addi %bs_m_rows, %rows_all : !bm3
  %bs_k_rows = tile.broadcast %bs_k : !b3 -> !bk3
  %ks = tile.splat %k : i32 -> !bm3
  %row_a = arith.muli %row, %ks : !bm3
  %rows_a = tile.broadcast %row_a : !bm3 -> !oa
  %cols_b = tile.broadcast %cols : !n3 -> !ob
  %base_a = tile.splat %a : !tile.ptr<!T> -> !pa
  %base_b = tile.splat %b : !tile.ptr<!T> -> !pb
  %fill_a = arith.constant #tile.zero : !a
  %fill_b = arith.constant #tile.zero : !b
  %init = arith.constant #tile.zero : !c

  %sum = scf.for %kk = %zero to %k step %bk iter_args(%acc = %init) -> (!c) : i32 {
    %starts_k = tile.splat %kk : i32 -> !vk
    %offs_k = arith.addi %starts_k, %range_k : !vk
    %offs_k1 = tile.expand_dims %offs_k, 0 : !vk -> !vk1
    %k_row = tile.expand_dims %offs_k1, 2 : !vk1 -> !kr3
    %k_col = tile.expand_dims %offs_k1, 0 : !vk1 -> !kc3
    %limit_kr = tile.splat %k : i32 -> !kr3
    %limit_kc = tile.splat %k : i32 -> !kc3
    %in_kr = arith.cmpi slt, %k_row, %limit_kr : !kr3
    %in_kc = arith.cmpi slt, %k_col, %limit_kc : !kc3
    %in_k_a = tile.broadcast %in_kc : !kcmask -> !ma
    %in_k_b = tile.broadcast %in_kr : !krmask -> !mb
    %mask_a = arith.andi %in_bm_a, %in_k_a : !ma
    %mask_b = arith.andi %in_bn_b, %in_k_b : !mb

    %cols_a = tile.broadcast %k_col : !kc3 -> !oa
    %offs_a = arith.addi %rows_a, %cols_a : !oa
    %k_rows = tile.broadcast %k_row : !kr3 -> !bk3
    %row_of_b = arith.addi %bs_k_rows, %k_rows : !bk3
    %ns = tile.splat %n : i32 -> !bk3
    %row_b = arith.muli %row_of_b, %ns : !bk3
    %rows_b = tile.broadcast %row_b : !bk3 -> !ob
    %offs_bt = arith.addi %rows_b, %cols_b : !ob
    %ptr_a = tile.addptr %base_a, %offs_a : !pa, !oa
    %ptr_b = tile.addptr %base_b, %offs_bt : !pb, !ob
    %at = tile.load %ptr_a, %mask_a, %fill_a : !pa
    %bt = tile.load %ptr_b, %mask_b, %fill_b : !pb
    %next = tile.dot %at, %bt, %acc : !a, !b -> !c
    scf.yield %next : !c
  }

  %ns_c = tile.splat %n : i32 -> !bm3
  %row_c = arith.muli %row, %ns_c : !bm3
  %rows_c = tile.broadcast %row_c : !bm3 -> !oc
  %cols_c = tile.broadcast %cols : !n3 -> !oc
  %offs_c = arith.addi %rows_c, %cols_c : !oc
  %base_c = tile.splat %c : !tile.ptr<!ACC> -> !pc
  %ptr_c = tile.addptr %base_c, %offs_c : !pc, !oc
  %in_b_c = tile.broadcast %in_b : !bmask -> !mc
  %in_m_c = tile.broadcast %in_m : !mmask -> !mc
  %in_n_c = tile.broadcast %in_n : !nmask -> !mc
  %in_bm_c = arith.andi %in_b_c, %in_m_c : !mc
  %mask_c = arith.andi %in_bm_c, %in_n_c : !mc
  tile.store %ptr_c, %sum, %mask_c : !pc
  tile.return
}

tile.launch @batched_dot(%a: !tile.ptr<!T>, %b: !tile.ptr<!T>,
                         %c: !tile.ptr<!ACC>, %batch: i32, %m: i32, %n: i32,
                         %k: i32) {
  %tiles_n = tile.plan.cdiv %n, #BN : i32
  %tiles_m = tile.plan.cdiv %m, #BM : i32
  %tiles_b = tile.plan.cdiv %batch, #NB : i32
  tile.plan.dispatch @batched_dot_kernel grid(%tiles_n, %tiles_m, %tiles_b)
    args(%a, %b, %c, %batch, %m, %n, %k)
    : !tile.ptr<!T>, !tile.ptr<!T>, !tile.ptr<!ACC>, i32, i32, i32, i32
}
