// Adds to hits[z, y, x] an element of the product of A's rows of tiles y and B's columns
// of tiles x, where all elements of a tile are one number.

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

tile.func @count_kernel(%hits: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>,
                        %m: i32, %n: i32, %k: i32) {
  %tile_x = tile.program_id x
  %tile_y = tile.program_id y
  %z = tile.program_id z
  %side = arith.constant 8 : i32
  %zero = arith.constant 0 : i32
  %wide = arith.constant 16 : i32
  %high = arith.constant 64 : i32
  %first_m = arith.muli %tile_y, %high : i32
  %first_n = arith.muli %tile_x, %wide : i32
  %rows = tile.call @rows(%first_m) : (i32) -> !col
  %columns = tile.call @columns(%first_n) : (i32) -> !row
  %none = arith.constant #tile.zero : !a
  %nothing = arith.constant #tile.zero : !b
  %init = arith.constant #tile.zero : tensor<64x16xf32>
  %sum = scf.for %i = %zero to %k step %wide iter_args(%acc = %init) -> (tensor<64x16xf32>) : i32 {
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
  %largest = tile.reduce %sum axis 0 with arith.maximumf : (tensor<64x16xf32>) -> tensor<16xf32>
  %element = tile.reduce %largest axis 0 with arith.maximumf : (tensor<16xf32>) -> f32
  %number = arith.fptosi %element : f32 to i32
  %plane = arith.muli %z, %side : i32
  %row = arith.addi %plane, %tile_y : i32
  %first = arith.muli %row, %side : i32
  %at = arith.addi %first, %tile_x : i32
  %hit = tile.addptr %hits, %at : !tile.ptr<i32>, i32
  %before = tile.atomic_rmw add relaxed gpu %hit, %number : !tile.ptr<i32>
  tile.return
}

tile.launch @count(%hits: !tile.ptr<i32>, %x: i32, %y: i32, %z: i32,
                   %a: !tile.ptr<f16>, %b: !tile.ptr<f16>) {
  %m = tile.plan.constant 512
  %n = tile.plan.constant 128
  %k = tile.plan.constant 64
  tile.plan.dispatch @count_kernel grid(%x : i32, %y : i32, %z : i32)
    args(%hits, %a, %b, %m, %n, %k)
    : !tile.ptr<i32>, !tile.ptr<f16>, !tile.ptr<f16>, i64, i64, i64
}
