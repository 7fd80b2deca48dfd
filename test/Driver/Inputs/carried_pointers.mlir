// C = A B by pointers that loops carry, as products are usually written: they move by a
// step, and masks are of what is left. ADVANCE, FIRST and BEGIN make wrong ones of them:
// an advance that is not a step, a counter and pointers that begin elsewhere.

#BM = #tile.param<BM = 64>
#BN = #tile.param<BN = 64>
#BK = #tile.param<BK = 32>
#ADVANCE = #tile.param<ADVANCE = 32>
#FIRST = #tile.param<FIRST = 0>
#BEGIN = #tile.param<BEGIN = 0>
!a = !tile.t<[#BM, #BK], f16>
!b = !tile.t<[#BK, #BN], f16>
!c = !tile.t<[#BM, #BN], f32>
!pa = !tile.t<[#BM, #BK], !tile.ptr<f16>>
!pb = !tile.t<[#BK, #BN], !tile.ptr<f16>>
!pc = !tile.t<[#BM, #BN], !tile.ptr<f32>>
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

// Pointers, and masks for rows and columns.
tile.func private @places(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32,
                          %sam: i32, %sbk: i32, %sbn: i32)
    -> (!pa, !pb, !tile.t<[#BM, #BK], i1>, !tile.t<[#BK, #BN], i1>) {
  %bm = arith.constant #BM
  %bn = arith.constant #BN
  %begin = arith.constant #BEGIN
  %x = tile.program_id x
  %y = tile.program_id y
  %m0 = arith.muli %y, %bm : i32
  %n0 = arith.muli %x, %bn : i32
  %range_m = tile.arange : !m
  %range_n = tile.arange : !n
  %range_k = tile.arange : !k
  %starts_m = tile.splat %m0 : i32 -> !m
  %starts_n = tile.splat %n0 : i32 -> !n
  %offs_m = arith.addi %range_m, %starts_m : !m
  %offs_n = arith.addi %range_n, %starts_n : !n
  %rows = tile.expand_dims %offs_m, 1 : !m -> !mcol
  %cols = tile.expand_dims %offs_n, 0 : !n -> !nrow
  %krow = tile.expand_dims %range_k, 0 : !k -> !krow
  %kcol = tile.expand_dims %range_k, 1 : !k -> !kcol
  %ms = tile.splat %m : i32 -> !mcol
  %ns = tile.splat %n : i32 -> !nrow
  %in_m = arith.cmpi slt, %rows, %ms : !mcol
  %in_n = arith.cmpi slt, %cols, %ns : !nrow
  %mask_a = tile.broadcast %in_m : !tile.t<[#BM, 1], i1> -> !tile.t<[#BM, #BK], i1>
  %mask_b = tile.broadcast %in_n : !tile.t<[1, #BN], i1> -> !tile.t<[#BK, #BN], i1>
  %sams = tile.splat %sam : i32 -> !mcol
  %sbks = tile.splat %sbk : i32 -> !kcol
  %sbns = tile.splat %sbn : i32 -> !nrow
  %begins = tile.splat %begin : i32 -> !krow
  %from = arith.addi %krow, %begins : !krow
  %row_a = arith.muli %rows, %sams : !mcol
  %row_b = arith.muli %kcol, %sbks : !kcol
  %col_b = arith.muli %cols, %sbns : !nrow
  %rows_a = tile.broadcast %row_a : !mcol -> !oa
  %cols_a = tile.broadcast %from : !krow -> !oa
  %rows_b = tile.broadcast %row_b : !kcol -> !ob
  %cols_b = tile.broadcast %col_b : !nrow -> !ob
  %offs_a = arith.addi %rows_a, %cols_a : !oa
  %offs_b = arith.addi %rows_b, %cols_b : !ob
  %base_a = tile.splat %a : !tile.ptr<f16> -> !pa
  %base_b = tile.splat %b : !tile.ptr<f16> -> !pb
  %pa = tile.addptr %base_a, %offs_a : !pa, !oa
  %pb = tile.addptr %base_b, %offs_b : !pb, !ob
  tile.return %pa, %pb, %mask_a, %mask_b : !pa, !pb, !tile.t<[#BM, #BK], i1>, !tile.t<[#BK, #BN], i1>
}

// What is left of k, and a product of it.
tile.func private @step(%pa: !pa, %pb: !pb, %in_m: !tile.t<[#BM, #BK], i1>,
                        %in_n: !tile.t<[#BK, #BN], i1>, %left: i32, %sum: !c) -> !c {
  %range_k = tile.arange : !k
  %krow = tile.expand_dims %range_k, 0 : !k -> !krow
  %kcol = tile.expand_dims %range_k, 1 : !k -> !kcol
  %left_row = tile.splat %left : i32 -> !krow
  %left_col = tile.splat %left : i32 -> !kcol
  %in_row = arith.cmpi slt, %krow, %left_row : !krow
  %in_col = arith.cmpi slt, %kcol, %left_col : !kcol
  %in_a = tile.broadcast %in_row : !tile.t<[1, #BK], i1> -> !tile.t<[#BM, #BK], i1>
  %in_b = tile.broadcast %in_col : !tile.t<[#BK, 1], i1> -> !tile.t<[#BK, #BN], i1>
  %mask_a = arith.andi %in_m, %in_a : !tile.t<[#BM, #BK], i1>
  %mask_b = arith.andi %in_n, %in_b : !tile.t<[#BK, #BN], i1>
  %zero_a = arith.constant #tile.zero : !a
  %zero_b = arith.constant #tile.zero : !b
  %x = tile.load %pa, %mask_a, %zero_a : !pa
  %y = tile.load %pb, %mask_b, %zero_b : !pb
  %next = tile.dot %x, %y, %sum : !a, !b -> !c
  tile.return %next : !c
}

tile.func private @store(%c: !tile.ptr<f32>, %sum: !c, %m: i32, %n: i32) {
  %bm = arith.constant #BM
  %bn = arith.constant #BN
  %x = tile.program_id x
  %y = tile.program_id y
  %m0 = arith.muli %y, %bm : i32
  %n0 = arith.muli %x, %bn : i32
  %one = arith.constant 1 : i32
  %left_m = arith.subi %m, %m0 : i32
  %left_n = arith.subi %n, %n0 : i32
  %row = arith.muli %m0, %n : i32
  %at = arith.addi %row, %n0 : i32
  %place = tile.addptr %c, %at : !tile.ptr<f32>, i32
  %zero = arith.constant 0 : i32
  %desc = tile.make_desc %place, [%left_m, %left_n], [%n, %one] : !tile.ptr<f32>, [i32, i32], [i32, i32] -> !tile.desc<[#BM, #BN], f32>
  tile.desc_store %desc[%zero, %zero], %sum : !tile.desc<[#BM, #BN], f32>, [i32, i32], !c
  tile.return
}

// The counter is a position along k.
tile.func @by_steps(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                    %m: i32, %n: i32, %k: i32, %sam: i32, %sbk: i32, %sbn: i32) {
  %advance = arith.constant #ADVANCE
  %first = arith.constant #FIRST
  %bk = arith.constant #BK
  %pa0, %pb0, %in_m, %in_n = tile.call @places(%a, %b, %m, %n, %sam, %sbk, %sbn)
    : (!tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32) -> (!pa, !pb, !tile.t<[#BM, #BK], i1>, !tile.t<[#BK, #BN], i1>)
  %advance_b = arith.muli %advance, %sbk : i32
  %steps_a = tile.splat %advance : i32 -> !oa
  %steps_b = tile.splat %advance_b : i32 -> !ob
  %init = arith.constant #tile.zero : !c
  %sum, %end_a, %end_b = scf.for %i = %first to %k step %bk
      iter_args(%s = %init, %pa = %pa0, %pb = %pb0) -> (!c, !pa, !pb) : i32 {
    %left = arith.subi %k, %i : i32
    %t = tile.call @step(%pa, %pb, %in_m, %in_n, %left, %s)
      : (!pa, !pb, !tile.t<[#BM, #BK], i1>, !tile.t<[#BK, #BN], i1>, i32, !c) -> !c
    %pa1 = tile.addptr %pa, %steps_a : !pa, !oa
    %pb1 = tile.addptr %pb, %steps_b : !pb, !ob
    scf.yield %t, %pa1, %pb1 : !c, !pa, !pb
  } {tile.num_stages = 3 : i32}
  tile.call @store(%c, %sum, %m, %n) : (!tile.ptr<f32>, !c, i32, i32) -> ()
  tile.return
}

// The counter is a number of steps.
tile.func @by_numbers(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                      %m: i32, %n: i32, %k: i32, %sam: i32, %sbk: i32, %sbn: i32) {
  %advance = arith.constant #ADVANCE
  %first = arith.constant #FIRST
  %one = arith.constant 1 : i32
  %bk = arith.constant #BK
  %number = arith.ceildivsi %k, %bk : i32
  %pa0, %pb0, %in_m, %in_n = tile.call @places(%a, %b, %m, %n, %sam, %sbk, %sbn)
    : (!tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32) -> (!pa, !pb, !tile.t<[#BM, #BK], i1>, !tile.t<[#BK, #BN], i1>)
  %advance_b = arith.muli %sbk, %advance : i32
  %steps_a = tile.splat %advance : i32 -> !oa
  %steps_b = tile.splat %advance_b : i32 -> !ob
  %init = arith.constant #tile.zero : !c
  %sum, %end_a, %end_b = scf.for %i = %first to %number step %one
      iter_args(%s = %init, %pa = %pa0, %pb = %pb0) -> (!c, !pa, !pb) : i32 {
    %done = arith.muli %i, %bk : i32
    %left = arith.subi %k, %done : i32
    %t = tile.call @step(%pa, %pb, %in_m, %in_n, %left, %s)
      : (!pa, !pb, !tile.t<[#BM, #BK], i1>, !tile.t<[#BK, #BN], i1>, i32, !c) -> !c
    %pa1 = tile.addptr %pa, %steps_a : !pa, !oa
    %pb1 = tile.addptr %pb, %steps_b : !pb, !ob
    scf.yield %t, %pa1, %pb1 : !c, !pa, !pb
  } {tile.num_stages = 3 : i32}
  tile.call @store(%c, %sum, %m, %n) : (!tile.ptr<f32>, !c, i32, i32) -> ()
  tile.return
}

tile.launch @steps(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                   %m: i32, %n: i32, %k: i32, %sam: i32, %sbk: i32, %sbn: i32) {
  %x = tile.plan.cdiv %n, #BN : i32
  %y = tile.plan.cdiv %m, #BM : i32
  tile.plan.dispatch @by_steps grid(%x, %y) args(%a, %b, %c, %m, %n, %k, %sam, %sbk, %sbn)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i32, i32, i32, i32
}

tile.launch @numbers(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
                     %m: i32, %n: i32, %k: i32, %sam: i32, %sbk: i32, %sbn: i32) {
  %x = tile.plan.cdiv %n, #BN : i32
  %y = tile.plan.cdiv %m, #BM : i32
  tile.plan.dispatch @by_numbers grid(%x, %y) args(%a, %b, %c, %m, %n, %k, %sam, %sbk, %sbn)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i32, i32, i32, i32
}
