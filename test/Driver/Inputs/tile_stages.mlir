// C = L B as in tensor_stages.mlir, by a program for each tile of C, with pointers and
// masks: row r of tiles needs r steps along k, from none to 5. 6 rows of 3 tiles, of
// 64 x 16; sizes are no multiples of these.

!a = tensor<64x16xf16>
!b = tensor<16x16xf16>
!pa = tensor<64x16x!tile.ptr<f16>>
!pb = tensor<16x16x!tile.ptr<f16>>
!row = tensor<1x16xi32>
!col = tensor<64x1xi32>

// The numbers from `first` on, of rows and of columns.
tile.func private @rows(%first: i32) -> !col {
  %range = tile.arange : tensor<64xi32>
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %numbers = arith.addi %firsts, %range : tensor<64xi32>
  %rows = tile.expand_dims %numbers, 1 : tensor<64xi32> -> !col
  tile.return %rows : !col
}
tile.func private @columns(%first: i32) -> !row {
  %range = tile.arange : tensor<16xi32>
  %firsts = tile.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %firsts, %range : tensor<16xi32>
  %columns = tile.expand_dims %numbers, 0 : tensor<16xi32> -> !row
  tile.return %columns : !row
}

// Pointers to 64 x 16 elements of an array whose rows have `stride`, and which exist.
tile.func private @tall(%p: !tile.ptr<f16>, %rows: !col, %columns: !row, %m: i32, %n: i32)
    -> (!pa, tensor<64x16xi1>) {
  %strides = tile.splat %n : i32 -> !col
  %starts = arith.muli %rows, %strides : !col
  %x = tile.broadcast %starts : !col -> tensor<64x16xi32>
  %y = tile.broadcast %columns : !row -> tensor<64x16xi32>
  %offsets = arith.addi %x, %y : tensor<64x16xi32>
  %base = tile.splat %p : !tile.ptr<f16> -> !pa
  %pointers = tile.addptr %base, %offsets : !pa, tensor<64x16xi32>
  %ms = tile.splat %m : i32 -> !col
  %ns = tile.splat %n : i32 -> !row
  %in_m = arith.cmpi slt, %rows, %ms : !col
  %in_n = arith.cmpi slt, %columns, %ns : !row
  %u = tile.broadcast %in_m : tensor<64x1xi1> -> tensor<64x16xi1>
  %v = tile.broadcast %in_n : tensor<1x16xi1> -> tensor<64x16xi1>
  %mask = arith.andi %u, %v : tensor<64x16xi1>
  tile.return %pointers, %mask : !pa, tensor<64x16xi1>
}

tile.func @triangle(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                    %m: i32, %n: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %wide = arith.constant 16 : i32
  %high = arith.constant 64 : i32
  %id = tile.program_id x
  %across = arith.ceildivsi %n, %wide : i32
  %tile_m = arith.divsi %id, %across : i32
  %tile_n = arith.remsi %id, %across : i32
  %first_m = arith.muli %tile_m, %high : i32
  %first_n = arith.muli %tile_n, %wide : i32
  %rows = tile.call @rows(%first_m) : (i32) -> !col
  %columns = tile.call @columns(%first_n) : (i32) -> !row
  %end = arith.divsi %first_m, %four : i32
  %steps = arith.minsi %end, %k : i32
  %none = arith.constant #tile.zero : !a
  %nothing = arith.constant #tile.zero : !b
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %sum = scf.for %i = %zero to %steps step %wide iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
    %across_k = tile.call @columns(%i) : (i32) -> !row
    %pa, %ma = tile.call @tall(%a, %rows, %across_k, %m, %k)
      : (!tile.ptr<f16>, !col, !row, i32, i32) -> (!pa, tensor<64x16xi1>)
    %x = tile.load %pa, %ma, %none : !pa

    %range = tile.arange : tensor<16xi32>
    %is = tile.splat %i : i32 -> tensor<16xi32>
    %numbers = arith.addi %is, %range : tensor<16xi32>
    %down = tile.expand_dims %numbers, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %strides = tile.splat %n : i32 -> tensor<16x1xi32>
    %starts = arith.muli %down, %strides : tensor<16x1xi32>
    %u = tile.broadcast %starts : tensor<16x1xi32> -> tensor<16x16xi32>
    %v = tile.broadcast %columns : !row -> tensor<16x16xi32>
    %offsets = arith.addi %u, %v : tensor<16x16xi32>
    %base = tile.splat %b : !tile.ptr<f16> -> !pb
    %pb = tile.addptr %base, %offsets : !pb, tensor<16x16xi32>
    %ks = tile.splat %k : i32 -> tensor<16x1xi32>
    %ns = tile.splat %n : i32 -> !row
    %in_k = arith.cmpi slt, %down, %ks : tensor<16x1xi32>
    %in_n = arith.cmpi slt, %columns, %ns : !row
    %mk = tile.broadcast %in_k : tensor<16x1xi1> -> tensor<16x16xi1>
    %mn = tile.broadcast %in_n : tensor<1x16xi1> -> tensor<16x16xi1>
    %mb = arith.andi %mk, %mn : tensor<16x16xi1>
    %y = tile.load %pb, %mb, %nothing : !pb

    %next = tile.dot %x, %y, %acc : !a, !b -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  } {tile.num_stages = 3 : i32}
  %out = tile.convert %sum : tensor<64x16xf32> -> !a
  %pc, %mc = tile.call @tall(%c, %rows, %columns, %m, %n)
    : (!tile.ptr<f16>, !col, !row, i32, i32) -> (!pa, tensor<64x16xi1>)
  tile.store %pc, %out, %mc : !pa
  tile.return
}

tile.launch @triangle_entry(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>) {
  %m = tile.plan.constant 376
  %n = tile.plan.constant 40
  %k = tile.plan.constant 88
  %tiles = tile.plan.constant 18
  tile.plan.dispatch @triangle grid(%tiles : i64) args(%a, %b, %c, %m, %n, %k)
    : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, i64, i64, i64
}
