// O = (Q K^T) V, one pass over the keys, as in attention without its softmax: Q is
// M x D, K and V are N x D, O is M x D, and S = Q K^T, which is M x N, is never in
// memory. One program for each BM rows of Q and O; S is rounded to T for the second
// product, as an attention kernel rounds its probabilities. Any M and N: keys behind
// the last are read as zeros, so that they add nothing.

#BM = #tile.param<BM = 64, [64, 128]>
#BN = #tile.param<BN = 64, [32, 64, 128]>
#D = #tile.param<D = 64, [32, 64, 128]>
!T = !tile.type_param<T = f16>
!OUT = !tile.type_param<OUT = f16>
!q = !tile.t<[#BM, #D], !T>
!kv = !tile.t<[#BN, #D], !T>
!kt = !tile.t<[#D, #BN], !T>
!s = !tile.t<[#BM, #BN], f32>
!p = !tile.t<[#BM, #BN], !T>
!acc = !tile.t<[#BM, #D], f32>
!out = !tile.t<[#BM, #D], !OUT>
!pq = !tile.t<[#BM, #D], !tile.ptr<!T>>
!pkv = !tile.t<[#BN, #D], !tile.ptr<!T>>
!pout = !tile.t<[#BM, #D], !tile.ptr<!OUT>>
!m = !tile.t<[#BM], i32>
!n = !tile.t<[#BN], i32>
!d = !tile.t<[#D], i32>
!mcol = !tile.t<[#BM, 1], i32>
!ncol = !tile.t<[#BN, 1], i32>
!drow = !tile.t<[1, #D], i32>
!oq = !tile.t<[#BM, #D], i32>
!okv = !tile.t<[#BN, #D], i32>
!mmask = !tile.t<[#BM, 1], i1>
!nmask = !tile.t<[#BN, 1], i1>
!mq = !tile.t<[#BM, #D], i1>
!mkv = !tile.t<[#BN, #D], i1>

// Strides are those of rows, counted in elements; a row's elements are adjacent.
tile.func @dot_of_dot_kernel(%q: !tile.ptr<!T>, %k: !tile.ptr<!T>,
                             %v: !tile.ptr<!T>, %o: !tile.ptr<!OUT>, %m: i32,
                             %n: i32, %sq: i32, %sk: i32, %sv: i32, %so: i32) {
  %bm = arith.constant #BM
  %bn = arith.constant #BN
  %zero = arith.constant 0 : i32
  %block = tile.program_id x
  %first_m = arith.muli %block, %bm : i32
  %range_m = tile.arange : !m
  %range_n = tile.arange : !n
  %range_d = tile.arange : !d
  %starts_m = tile.splat %first_m : i32 -> !m
  %offs_m = arith.addi %starts_m, %range_m : !m
  %rows = tile.expand_dims %offs_m, 1 : !m -> !mcol
  %cols = tile.expand_dims %range_d, 0 : !d -> !drow
  %ms = tile.splat %m : i32 -> !mcol
  %in_m = arith.cmpi slt, %rows, %ms : !mcol
  %mask_q = tile.broadcast %in_m : !mmask -> !mq
  %cols_q = tile.broadcast %cols : !drow -> !oq
  %cols_kv = tile.broadcast %cols : !drow -> !okv

  %sqs = tile.splat %sq : i32 -> !mcol
  %row_q = arith.muli %rows, %sqs : !mcol
  %rows_q = tile.broadcast %row_q : !mcol -> !oq
  %offs_q = arith.addi %rows_q, %cols_q : !oq
  %base_q = tile.splat %q : !tile.ptr<!T> -> !pq
  %ptr_q = tile.addptr %base_q, %offs_q : !pq, !oq
  %fill_q = arith.constant #tile.zero : !q
  %qt = tile.load %ptr_q, %mask_q, %fill_q : !pq

  %sks = tile.splat %sk : i32 -> !ncol
  %svs = tile.splat %sv : i32 -> !ncol
  %ns = tile.splat %n : i32 -> !ncol
  %base_k = tile.splat %k : !tile.ptr<!T> -> !pkv
  %base_v = tile.splat %v : !tile.ptr<!T> -> !pkv
  %fill_kv = arith.constant #tile.zero : !kv
  %init_s = arith.constant #tile.zero : !s
  %init = arith.constant #tile.zero : !acc

  %sum = scf.for %first_n = %zero to %n step %bn iter_args(%acc = %init)
      -> (!acc) : i32 {
    %starts_n = tile.splat %first_n : i32 -> !n
    %offs_n = arith.addi %starts_n, %range_n : !n
    %keys = tile.expand_dims %offs_n, 1 : !n -> !ncol
    %in_n = arith.cmpi slt, %keys, %ns : !ncol
    %mask_kv = tile.broadcast %in_n : !nmask -> !mkv

    %row_k = arith.muli %keys, %sks : !ncol
    %rows_k = tile.broadcast %row_k : !ncol -> !okv
    %offs_k = arith.addi %rows_k, %cols_kv : !okv
    %ptr_k = tile.addptr %base_k, %offs_k : !pkv, !okv
    %k_tile = tile.load %ptr_k, %mask_kv, %fill_kv : !pkv
    %kt = tile.trans %k_tile, [1, 0] : !kv -> !kt
    %s = tile.dot %qt, %kt, %init_s : !q, !kt -> !s
    %p = tile.convert %s : !s -> !p

    %row_v = arith.muli %keys, %svs : !ncol
    %rows_v = tile.broadcast %row_v : !ncol -> !okv
    %offs_v = arith.addi %rows_v, %cols_kv : !okv
    %ptr_v = tile.addptr %base_v, %offs_v : !pkv, !okv
    %v_tile = tile.load %ptr_v, %mask_kv, %fill_kv : !pkv
    %next = tile.dot %p, %v_tile, %acc : !p, !kv -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 3 : i32}

  %sos = tile.splat %so : i32 -> !mcol
  %row_o = arith.muli %rows, %sos : !mcol
  %rows_o = tile.broadcast %row_o : !mcol -> !oq
  %offs_o = arith.addi %rows_o, %cols_q : !oq
  %base_o = tile.splat %o : !tile.ptr<!OUT> -> !pout
  %ptr_o = tile.addptr %base_o, %offs_o : !pout, !oq
  %out = tile.convert %sum : !acc -> !out
  tile.store %ptr_o, %out, %mask_q : !pout
  tile.return
}

tile.launch @dot_of_dot(%q: !tile.ptr<!T>, %k: !tile.ptr<!T>, %v: !tile.ptr<!T>,
                        %o: !tile.ptr<!OUT>, %m: i32, %n: i32, %sq: i32,
                        %sk: i32, %sv: i32, %so: i32) {
  %blocks = tile.plan.cdiv %m, #BM : i32
  tile.plan.dispatch @dot_of_dot_kernel grid(%blocks)
    args(%q, %k, %v, %o, %m, %n, %sq, %sk, %sv, %so)
    : !tile.ptr<!T>, !tile.ptr<!T>, !tile.ptr<!T>, !tile.ptr<!OUT>, i32, i32,
      i32, i32, i32, i32
}
