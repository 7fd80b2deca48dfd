!m = tensor<128xi32>
!k = tensor<64xi32>
!mcol = tensor<128x1xi32>
!nrow = tensor<1x128xi32>
!krow = tensor<1x64xi32>
!kcol = tensor<64x1xi32>
!oa = tensor<128x64xi32>
!ob = tensor<64x128xi32>
!oc = tensor<128x128xi32>
!a = tensor<128x64xf16>
!b = tensor<64x128xf16>
!acc = tensor<128x128xf32>
!out = tensor<128x128xf16>
!pa = tensor<128x64x!tile.ptr<f16>>
!pb = tensor<64x128x!tile.ptr<f16>>
!pc = tensor<128x128x!tile.ptr<f16>>
!mc1 = tensor<128x1xi1>
!ma = tensor<128x64xi1>
!mcm = tensor<128x128xi1>
tile.func @bounds_kernel(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %b: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %c: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %m: i32, %k: i32 {tile.divisible_by = 64 : i64}) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %n = arith.constant 128 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %n : i32
  %range = tile.arange : !m
  %starts = tile.splat %first : i32 -> !m
  %rows = arith.addi %starts, %range : !m
  %column = tile.expand_dims %rows, 1 : !m -> !mcol
  %ks = tile.splat %k : i32 -> !mcol
  %row_a = arith.muli %column, %ks : !mcol
  %rows_a = tile.broadcast %row_a : !mcol -> !oa
  %ms = tile.splat %m : i32 -> !mcol
  %in_m = arith.cmpi slt, %column, %ms : !mcol
  %in_m_a = tile.broadcast %in_m : !mc1 -> !ma
  %range_k = tile.arange : !k
  %cols_b = tile.expand_dims %range, 0 : !m -> !nrow
  %off_b = tile.broadcast %cols_b : !nrow -> !ob
  %base_a = tile.splat %a : !tile.ptr<f16> -> !pa
  %base_b = tile.splat %b : !tile.ptr<f16> -> !pb
  %fill = arith.constant #tile.zero : !a
  %init = arith.constant #tile.zero : !acc
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!acc) : i32 {
    %starts_k = tile.splat %i : i32 -> !k
    %offs_k = arith.addi %starts_k, %range_k : !k
    %k_row = tile.expand_dims %offs_k, 0 : !k -> !krow
    %cols_a = tile.broadcast %k_row : !krow -> !oa
    %offs_a = arith.addi %rows_a, %cols_a : !oa
    %ptr_a = tile.addptr %base_a, %offs_a : !pa, !oa
    %k_col = tile.expand_dims %offs_k, 1 : !k -> !kcol
    %ns = tile.splat %n : i32 -> !kcol
    %row_b = arith.muli %k_col, %ns : !kcol
    %rows_b = tile.broadcast %row_b : !kcol -> !ob
    %offs_b = arith.addi %rows_b, %off_b : !ob
    %ptr_b = tile.addptr %base_b, %offs_b : !pb, !ob
    %at = tile.load %ptr_a, %in_m_a, %fill : !pa
    %bt = tile.load %ptr_b : !pb
    %next = tile.dot %at, %bt, %acc : !a, !b -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 4 : i32}
  %out = tile.convert %sum : !acc -> !out
  %ncs = tile.splat %n : i32 -> !mcol
  %row_c = arith.muli %column, %ncs : !mcol
  %rows_c = tile.broadcast %row_c : !mcol -> !oc
  %cols_c = tile.broadcast %cols_b : !nrow -> !oc
  %offs_c = arith.addi %rows_c, %cols_c : !oc
  %base_c = tile.splat %c : !tile.ptr<f16> -> !pc
  %ptr_c = tile.addptr %base_c, %offs_c : !pc, !oc
  %mask_c = tile.broadcast %in_m : !mc1 -> !mcm
  tile.store %ptr_c, %out, %mask_c : !pc
  tile.return
}
tile.launch @bounds(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %k: i32) {
  %tiles = tile.plan.cdiv %m, 128 : i32
  tile.plan.dispatch @bounds_kernel grid(%tiles) args(%flags, %a, %b, %c, %m, %k)
    : !tile.ptr<i8>, !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32
}
tile.func @rows_kernel(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %b: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %c: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %m: i32, %k: i32 {tile.divisible_by = 64 : i64}) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %n = arith.constant 128 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %n : i32
  %range = tile.arange : !m
  %starts = tile.splat %first : i32 -> !m
  %rows = arith.addi %starts, %range : !m
  %column = tile.expand_dims %rows, 1 : !m -> !mcol
  %ks = tile.splat %k : i32 -> !mcol
  %row_a = arith.muli %column, %ks : !mcol
  %rows_a = tile.broadcast %row_a : !mcol -> !oa
  %ms = tile.splat %m : i32 -> !mcol
  %in_m = arith.cmpi slt, %column, %ms : !mcol
  %in_m_a = tile.broadcast %in_m : !mc1 -> !ma
  %range_k = tile.arange : !k
  %cols_b = tile.expand_dims %range, 0 : !m -> !nrow
  %off_b = tile.broadcast %cols_b : !nrow -> !ob
  %base_a = tile.splat %a : !tile.ptr<f16> -> !pa
  %base_b = tile.splat %b : !tile.ptr<f16> -> !pb
  %fill = arith.constant #tile.zero : !a
  %init = arith.constant #tile.zero : !acc
  %flag_base = tile.splat %flags : !tile.ptr<i8> -> tensor<128x1x!tile.ptr<i8>>
  %flag_ptr = tile.addptr %flag_base, %column : tensor<128x1x!tile.ptr<i8>>, tensor<128x1xi32>
  %flag = tile.load %flag_ptr : tensor<128x1x!tile.ptr<i8>>
  %none = arith.constant #tile.zero : tensor<128x1xi8>
  %live = arith.cmpi ne, %flag, %none : tensor<128x1xi8>
  %live_a = tile.broadcast %live : !mc1 -> !ma
  %mask = arith.andi %in_m_a, %live_a : !ma
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!acc) : i32 {
    %starts_k = tile.splat %i : i32 -> !k
    %offs_k = arith.addi %starts_k, %range_k : !k
    %k_row = tile.expand_dims %offs_k, 0 : !k -> !krow
    %cols_a = tile.broadcast %k_row : !krow -> !oa
    %offs_a = arith.addi %rows_a, %cols_a : !oa
    %ptr_a = tile.addptr %base_a, %offs_a : !pa, !oa
    %k_col = tile.expand_dims %offs_k, 1 : !k -> !kcol
    %ns = tile.splat %n : i32 -> !kcol
    %row_b = arith.muli %k_col, %ns : !kcol
    %rows_b = tile.broadcast %row_b : !kcol -> !ob
    %offs_b = arith.addi %rows_b, %off_b : !ob
    %ptr_b = tile.addptr %base_b, %offs_b : !pb, !ob
    %at = tile.load %ptr_a, %mask, %fill : !pa
    %bt = tile.load %ptr_b : !pb
    %next = tile.dot %at, %bt, %acc : !a, !b -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 4 : i32}
  %out = tile.convert %sum : !acc -> !out
  %ncs = tile.splat %n : i32 -> !mcol
  %row_c = arith.muli %column, %ncs : !mcol
  %rows_c = tile.broadcast %row_c : !mcol -> !oc
  %cols_c = tile.broadcast %cols_b : !nrow -> !oc
  %offs_c = arith.addi %rows_c, %cols_c : !oc
  %base_c = tile.splat %c : !tile.ptr<f16> -> !pc
  %ptr_c = tile.addptr %base_c, %offs_c : !pc, !oc
  %mask_c = tile.broadcast %in_m : !mc1 -> !mcm
  tile.store %ptr_c, %out, %mask_c : !pc
  tile.return
}
tile.launch @rows(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %k: i32) {
  %tiles = tile.plan.cdiv %m, 128 : i32
  tile.plan.dispatch @rows_kernel grid(%tiles) args(%flags, %a, %b, %c, %m, %k)
    : !tile.ptr<i8>, !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32
}
tile.func @columns_kernel(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %b: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %c: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %m: i32, %k: i32 {tile.divisible_by = 64 : i64}) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %n = arith.constant 128 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %n : i32
  %range = tile.arange : !m
  %starts = tile.splat %first : i32 -> !m
  %rows = arith.addi %starts, %range : !m
  %column = tile.expand_dims %rows, 1 : !m -> !mcol
  %ks = tile.splat %k : i32 -> !mcol
  %row_a = arith.muli %column, %ks : !mcol
  %rows_a = tile.broadcast %row_a : !mcol -> !oa
  %ms = tile.splat %m : i32 -> !mcol
  %in_m = arith.cmpi slt, %column, %ms : !mcol
  %in_m_a = tile.broadcast %in_m : !mc1 -> !ma
  %range_k = tile.arange : !k
  %cols_b = tile.expand_dims %range, 0 : !m -> !nrow
  %off_b = tile.broadcast %cols_b : !nrow -> !ob
  %base_a = tile.splat %a : !tile.ptr<f16> -> !pa
  %base_b = tile.splat %b : !tile.ptr<f16> -> !pb
  %fill = arith.constant #tile.zero : !a
  %init = arith.constant #tile.zero : !acc
  %range_row = tile.expand_dims %range_k, 0 : !k -> !krow
  %flag_base = tile.splat %flags : !tile.ptr<i8> -> tensor<1x64x!tile.ptr<i8>>
  %flag_ptr = tile.addptr %flag_base, %range_row : tensor<1x64x!tile.ptr<i8>>, tensor<1x64xi32>
  %flag = tile.load %flag_ptr : tensor<1x64x!tile.ptr<i8>>
  %none = arith.constant #tile.zero : tensor<1x64xi8>
  %live = arith.cmpi ne, %flag, %none : tensor<1x64xi8>
  %live_a = tile.broadcast %live : tensor<1x64xi1> -> !ma
  %mask = arith.andi %in_m_a, %live_a : !ma
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!acc) : i32 {
    %starts_k = tile.splat %i : i32 -> !k
    %offs_k = arith.addi %starts_k, %range_k : !k
    %k_row = tile.expand_dims %offs_k, 0 : !k -> !krow
    %cols_a = tile.broadcast %k_row : !krow -> !oa
    %offs_a = arith.addi %rows_a, %cols_a : !oa
    %ptr_a = tile.addptr %base_a, %offs_a : !pa, !oa
    %k_col = tile.expand_dims %offs_k, 1 : !k -> !kcol
    %ns = tile.splat %n : i32 -> !kcol
    %row_b = arith.muli %k_col, %ns : !kcol
    %rows_b = tile.broadcast %row_b : !kcol -> !ob
    %offs_b = arith.addi %rows_b, %off_b : !ob
    %ptr_b = tile.addptr %base_b, %offs_b : !pb, !ob
    %at = tile.load %ptr_a, %mask, %fill : !pa
    %bt = tile.load %ptr_b : !pb
    %next = tile.dot %at, %bt, %acc : !a, !b -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 4 : i32}
  %out = tile.convert %sum : !acc -> !out
  %ncs = tile.splat %n : i32 -> !mcol
  %row_c = arith.muli %column, %ncs : !mcol
  %rows_c = tile.broadcast %row_c : !mcol -> !oc
  %cols_c = tile.broadcast %cols_b : !nrow -> !oc
  %offs_c = arith.addi %rows_c, %cols_c : !oc
  %base_c = tile.splat %c : !tile.ptr<f16> -> !pc
  %ptr_c = tile.addptr %base_c, %offs_c : !pc, !oc
  %mask_c = tile.broadcast %in_m : !mc1 -> !mcm
  tile.store %ptr_c, %out, %mask_c : !pc
  tile.return
}
tile.launch @columns(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %k: i32) {
  %tiles = tile.plan.cdiv %m, 128 : i32
  tile.plan.dispatch @columns_kernel grid(%tiles) args(%flags, %a, %b, %c, %m, %k)
    : !tile.ptr<i8>, !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32
}
tile.func @inside_kernel(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %b: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %c: !tile.ptr<f16> {tile.divisible_by = 16 : i64}, %m: i32, %k: i32 {tile.divisible_by = 64 : i64}) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %n = arith.constant 128 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %n : i32
  %range = tile.arange : !m
  %starts = tile.splat %first : i32 -> !m
  %rows = arith.addi %starts, %range : !m
  %column = tile.expand_dims %rows, 1 : !m -> !mcol
  %ks = tile.splat %k : i32 -> !mcol
  %row_a = arith.muli %column, %ks : !mcol
  %rows_a = tile.broadcast %row_a : !mcol -> !oa
  %ms = tile.splat %m : i32 -> !mcol
  %in_m = arith.cmpi slt, %column, %ms : !mcol
  %in_m_a = tile.broadcast %in_m : !mc1 -> !ma
  %range_k = tile.arange : !k
  %cols_b = tile.expand_dims %range, 0 : !m -> !nrow
  %off_b = tile.broadcast %cols_b : !nrow -> !ob
  %base_a = tile.splat %a : !tile.ptr<f16> -> !pa
  %base_b = tile.splat %b : !tile.ptr<f16> -> !pb
  %fill = arith.constant #tile.zero : !a
  %init = arith.constant #tile.zero : !acc
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!acc) : i32 {
    %starts_k = tile.splat %i : i32 -> !k
    %offs_k = arith.addi %starts_k, %range_k : !k
    %k_row = tile.expand_dims %offs_k, 0 : !k -> !krow
    %cols_a = tile.broadcast %k_row : !krow -> !oa
    %offs_a = arith.addi %rows_a, %cols_a : !oa
    %ptr_a = tile.addptr %base_a, %offs_a : !pa, !oa
    %k_col = tile.expand_dims %offs_k, 1 : !k -> !kcol
    %ns = tile.splat %n : i32 -> !kcol
    %row_b = arith.muli %k_col, %ns : !kcol
    %rows_b = tile.broadcast %row_b : !kcol -> !ob
    %offs_b = arith.addi %rows_b, %off_b : !ob
    %ptr_b = tile.addptr %base_b, %offs_b : !pb, !ob
    %flag_base = tile.splat %flags : !tile.ptr<i8> -> tensor<1x64x!tile.ptr<i8>>
    %flag_ptr = tile.addptr %flag_base, %k_row : tensor<1x64x!tile.ptr<i8>>, tensor<1x64xi32>
    %flag = tile.load %flag_ptr : tensor<1x64x!tile.ptr<i8>>
    %none = arith.constant #tile.zero : tensor<1x64xi8>
    %live = arith.cmpi ne, %flag, %none : tensor<1x64xi8>
    %live_a = tile.broadcast %live : tensor<1x64xi1> -> !ma
    %mask = arith.andi %in_m_a, %live_a : !ma
    %at = tile.load %ptr_a, %mask, %fill : !pa
    %bt = tile.load %ptr_b : !pb
    %next = tile.dot %at, %bt, %acc : !a, !b -> !acc
    scf.yield %next : !acc
  } {tile.num_stages = 4 : i32}
  %out = tile.convert %sum : !acc -> !out
  %ncs = tile.splat %n : i32 -> !mcol
  %row_c = arith.muli %column, %ncs : !mcol
  %rows_c = tile.broadcast %row_c : !mcol -> !oc
  %cols_c = tile.broadcast %cols_b : !nrow -> !oc
  %offs_c = arith.addi %rows_c, %cols_c : !oc
  %base_c = tile.splat %c : !tile.ptr<f16> -> !pc
  %ptr_c = tile.addptr %base_c, %offs_c : !pc, !oc
  %mask_c = tile.broadcast %in_m : !mc1 -> !mcm
  tile.store %ptr_c, %out, %mask_c : !pc
  tile.return
}
tile.launch @inside(%flags: !tile.ptr<i8>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %k: i32) {
  %tiles = tile.plan.cdiv %m, 128 : i32
  tile.plan.dispatch @inside_kernel grid(%tiles) args(%flags, %a, %b, %c, %m, %k)
    : !tile.ptr<i8>, !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i32, i32
}
