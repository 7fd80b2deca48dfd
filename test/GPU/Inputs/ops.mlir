// Small kernels, one for each family of operations, that test/GPU/ops.py runs
// with several numbers of warps. Buffers are dense; shapes are the tensors'.

// Sum of each row, and the rows minus their sums: reduce, expand_dims,
// broadcast, a store in a sliced layout.
tile.func @rows_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %s: !tile.ptr<f32>) {
  %r = tile.arange : tensor<32xi32>
  %c = tile.arange : tensor<64xi32>
  %r2 = tile.expand_dims %r, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c2 = tile.expand_dims %c, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %w = arith.constant dense<64> : tensor<32x1xi32>
  %ro = arith.muli %r2, %w : tensor<32x1xi32>
  %rb = tile.broadcast %ro : tensor<32x1xi32> -> tensor<32x64xi32>
  %cb = tile.broadcast %c2 : tensor<1x64xi32> -> tensor<32x64xi32>
  %o = arith.addi %rb, %cb : tensor<32x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  %px = tile.addptr %xs, %o : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  %v = tile.load %px : tensor<32x64x!tile.ptr<f32>>
  %sum = tile.reduce %v axis 1 with arith.addf : (tensor<32x64xf32>) -> tensor<32xf32>
  %sum2 = tile.expand_dims %sum, 1 : tensor<32xf32> -> tensor<32x1xf32>
  %sumb = tile.broadcast %sum2 : tensor<32x1xf32> -> tensor<32x64xf32>
  %d = arith.subf %v, %sumb : tensor<32x64xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  %py = tile.addptr %ys, %o : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  tile.store %py, %d : tensor<32x64x!tile.ptr<f32>>
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ps = tile.addptr %ss, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %ps, %sum : tensor<32x!tile.ptr<f32>>
  tile.return
}

// Maximum of each column and the row where it first is: two results, ties.
tile.func @argmax_columns_kernel(%x: !tile.ptr<f16>, %m: !tile.ptr<f16>, %i: !tile.ptr<i32>) {
  %r = tile.arange : tensor<64xi32>
  %c = tile.arange : tensor<32xi32>
  %r2 = tile.expand_dims %r, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c2 = tile.expand_dims %c, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %w = arith.constant dense<32> : tensor<64x1xi32>
  %ro = arith.muli %r2, %w : tensor<64x1xi32>
  %rb = tile.broadcast %ro : tensor<64x1xi32> -> tensor<64x32xi32>
  %cb = tile.broadcast %c2 : tensor<1x32xi32> -> tensor<64x32xi32>
  %o = arith.addi %rb, %cb : tensor<64x32xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %px = tile.addptr %xs, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %v = tile.load %px : tensor<64x32x!tile.ptr<f16>>
  %rows = tile.broadcast %r2 : tensor<64x1xi32> -> tensor<64x32xi32>
  %max, %arg = tile.reduce %v, %rows axis 0 : (tensor<64x32xf16>, tensor<64x32xi32>) -> (tensor<32xf16>, tensor<32xi32>) {
  ^bb0(%a: f16, %ai: i32, %b: f16, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f16
    %eq = arith.cmpf oeq, %a, %b : f16
    %lt = arith.cmpi slt, %ai, %bi : i32
    %tie = arith.andi %eq, %lt : i1
    %first = arith.ori %gt, %tie : i1
    %best = arith.select %first, %a, %b : f16
    %besti = arith.select %first, %ai, %bi : i32
    tile.reduce.return %best, %besti : f16, i32
  }
  %ms = tile.splat %m : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>>
  %pm = tile.addptr %ms, %c : tensor<32x!tile.ptr<f16>>, tensor<32xi32>
  tile.store %pm, %max : tensor<32x!tile.ptr<f16>>
  %is = tile.splat %i : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %pi = tile.addptr %is, %c : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %pi, %arg : tensor<32x!tile.ptr<i32>>
  tile.return
}

// Transposition through shared memory: both accesses coalesced.
tile.func @transpose_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange : tensor<64xi32>
  %c = tile.arange : tensor<32xi32>
  %r2 = tile.expand_dims %r, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c2 = tile.expand_dims %c, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %w = arith.constant dense<32> : tensor<64x1xi32>
  %ro = arith.muli %r2, %w : tensor<64x1xi32>
  %rb = tile.broadcast %ro : tensor<64x1xi32> -> tensor<64x32xi32>
  %cb = tile.broadcast %c2 : tensor<1x32xi32> -> tensor<64x32xi32>
  %o = arith.addi %rb, %cb : tensor<64x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %o : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  %v = tile.load %px : tensor<64x32x!tile.ptr<f32>>
  %t = tile.trans %v, [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %cr = tile.expand_dims %c, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rc = tile.expand_dims %r, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %w2 = arith.constant dense<64> : tensor<32x1xi32>
  %cro = arith.muli %cr, %w2 : tensor<32x1xi32>
  %crb = tile.broadcast %cro : tensor<32x1xi32> -> tensor<32x64xi32>
  %rcb = tile.broadcast %rc : tensor<1x64xi32> -> tensor<32x64xi32>
  %o2 = arith.addi %crb, %rcb : tensor<32x64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  %py = tile.addptr %ys, %o2 : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  tile.store %py, %t : tensor<32x64x!tile.ptr<f32>>
  tile.return
}

// Masks kept in memory as i1, a mask computed from a loaded value, a loop that
// carries a pointer, masked-off addresses that are not valid.
tile.func @masked_sum_kernel(%x: !tile.ptr<f32>, %keep: !tile.ptr<i1>, %y: !tile.ptr<f32>,
                             %any: !tile.ptr<i1>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 256 : i32
  %range = tile.arange : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ks = tile.splat %keep : !tile.ptr<i1> -> tensor<256x!tile.ptr<i1>>
  %px = tile.addptr %xs, %range : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %pk = tile.addptr %ks, %range : tensor<256x!tile.ptr<i1>>, tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %init = arith.constant dense<0.0> : tensor<256xf32>
  %nothing = arith.constant dense<false> : tensor<256xi1>
  %steps = arith.constant dense<256> : tensor<256xi32>
  %acc, %seen, %p1, %p2 = scf.for %i = %zero to %n step %step
      iter_args(%acc = %init, %seen = %nothing, %p = %px, %q = %pk)
      -> (tensor<256xf32>, tensor<256xi1>, tensor<256x!tile.ptr<f32>>, tensor<256x!tile.ptr<i1>>) : i32 {
    %base = tile.splat %i : i32 -> tensor<256xi32>
    %offs = arith.addi %base, %range : tensor<256xi32>
    %inside = arith.cmpi slt, %offs, %ns : tensor<256xi32>
    %k = tile.load %q, %inside, %nothing : tensor<256x!tile.ptr<i1>>
    %v = tile.load %p, %k, %init : tensor<256x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<256xf32>
    %some = arith.ori %seen, %k : tensor<256xi1>
    %np = tile.addptr %p, %steps : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %nq = tile.addptr %q, %steps : tensor<256x!tile.ptr<i1>>, tensor<256xi32>
    scf.yield %next, %some, %np, %nq : tensor<256xf32>, tensor<256xi1>, tensor<256x!tile.ptr<f32>>, tensor<256x!tile.ptr<i1>>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %py = tile.addptr %ys, %range : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %py, %acc : tensor<256x!tile.ptr<f32>>
  %as = tile.splat %any : !tile.ptr<i1> -> tensor<256x!tile.ptr<i1>>
  %pa = tile.addptr %as, %range : tensor<256x!tile.ptr<i1>>, tensor<256xi32>
  tile.store %pa, %seen : tensor<256x!tile.ptr<i1>>
  tile.return
}

// A tensor smaller than a warp, scalar loads and stores, a branch.
tile.func @small_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %flag: i32) {
  %zero = arith.constant 0 : i32
  %r = tile.arange : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %px = tile.addptr %xs, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %v = tile.load %px : tensor<8x!tile.ptr<f32>>
  %is = arith.cmpi ne, %flag, %zero : i32
  %w = scf.if %is -> (tensor<8xf32>) {
    %sum = tile.reduce %v axis 0 with arith.addf : (tensor<8xf32>) -> f32
    %s = tile.splat %sum : f32 -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    %n = arith.negf %v : tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %py = tile.addptr %ys, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %py, %w : tensor<8x!tile.ptr<f32>>
  %eight = arith.constant 8 : i32
  %p8 = tile.addptr %y, %eight : !tile.ptr<f32>, i32
  %first = tile.load %x : !tile.ptr<f32>
  tile.store %p8, %first : !tile.ptr<f32>
  tile.return
}

// Elementwise functions, each into its own row of the output.
tile.func @math_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %px = tile.addptr %xs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %px : tensor<1024x!tile.ptr<f32>>
  %row = arith.constant dense<1024> : tensor<1024xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p0 = tile.addptr %ys, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %e = math.exp %v : tensor<1024xf32>
  tile.store %p0, %e : tensor<1024x!tile.ptr<f32>>
  %p1 = tile.addptr %p0, %row : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %pe = math.exp %v {tile.precise} : tensor<1024xf32>
  tile.store %p1, %pe : tensor<1024x!tile.ptr<f32>>
  %p2 = tile.addptr %p1, %row : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %s = math.sin %v : tensor<1024xf32>
  tile.store %p2, %s : tensor<1024x!tile.ptr<f32>>
  %p3 = tile.addptr %p2, %row : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %a = math.absf %v : tensor<1024xf32>
  %sq = math.sqrt %a : tensor<1024xf32>
  tile.store %p3, %sq : tensor<1024x!tile.ptr<f32>>
  %p4 = tile.addptr %p3, %row : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %l = math.log %a : tensor<1024xf32>
  tile.store %p4, %l : tensor<1024x!tile.ptr<f32>>
  %p5 = tile.addptr %p4, %row : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %d = arith.addf %a, %one : tensor<1024xf32>
  %q = arith.divf %v, %d : tensor<1024xf32>
  tile.store %p5, %q : tensor<1024x!tile.ptr<f32>>
  %p6 = tile.addptr %p5, %row : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %pq = arith.divf %v, %d {tile.precise} : tensor<1024xf32>
  tile.store %p6, %pq : tensor<1024x!tile.ptr<f32>>
  %p7 = tile.addptr %p6, %row : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %t = math.tanh %v : tensor<1024xf32>
  tile.store %p7, %t : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Roundings: f32 to f16 and bf16, to nearest and towards zero, and f16 to bf16.
tile.func @convert_kernel(%x: !tile.ptr<f32>, %h: !tile.ptr<f16>, %hz: !tile.ptr<f16>,
                          %b: !tile.ptr<bf16>, %bz: !tile.ptr<bf16>, %hb: !tile.ptr<bf16>) {
  %r = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %px = tile.addptr %xs, %r : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %v = tile.load %px : tensor<512x!tile.ptr<f32>>
  %vh = tile.convert %v : tensor<512xf32> -> tensor<512xf16>
  %vhz = tile.convert %v rtz : tensor<512xf32> -> tensor<512xf16>
  %vb = tile.convert %v : tensor<512xf32> -> tensor<512xbf16>
  %vbz = tile.convert %v rtz : tensor<512xf32> -> tensor<512xbf16>
  %vhb = tile.convert %vh : tensor<512xf16> -> tensor<512xbf16>
  %hs = tile.splat %h : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>>
  %ph = tile.addptr %hs, %r : tensor<512x!tile.ptr<f16>>, tensor<512xi32>
  tile.store %ph, %vh : tensor<512x!tile.ptr<f16>>
  %hzs = tile.splat %hz : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>>
  %phz = tile.addptr %hzs, %r : tensor<512x!tile.ptr<f16>>, tensor<512xi32>
  tile.store %phz, %vhz : tensor<512x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>>
  %pb = tile.addptr %bs, %r : tensor<512x!tile.ptr<bf16>>, tensor<512xi32>
  tile.store %pb, %vb : tensor<512x!tile.ptr<bf16>>
  %bzs = tile.splat %bz : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>>
  %pbz = tile.addptr %bzs, %r : tensor<512x!tile.ptr<bf16>>, tensor<512xi32>
  tile.store %pbz, %vbz : tensor<512x!tile.ptr<bf16>>
  %hbs = tile.splat %hb : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>>
  %phb = tile.addptr %hbs, %r : tensor<512x!tile.ptr<bf16>>, tensor<512xi32>
  tile.store %phb, %vhb : tensor<512x!tile.ptr<bf16>>
  tile.return
}

// Offsets beyond 2^31 elements: the product and the sum would wrap in 32 bits.
tile.func @far_kernel(%x: !tile.ptr<i8>, %y: !tile.ptr<i8>, %row: i32, %stride: i32) {
  %start = arith.muli %row, %stride : i32
  %p = tile.addptr %x, %start : !tile.ptr<i8>, i32
  %r = tile.arange : tensor<128xi32>
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>>
  %px = tile.addptr %ps, %r : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  %v = tile.load %px : tensor<128x!tile.ptr<i8>>
  %ys = tile.splat %y : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>>
  %py = tile.addptr %ys, %r : tensor<128x!tile.ptr<i8>>, tensor<128xi32>
  tile.store %py, %v : tensor<128x!tile.ptr<i8>>
  tile.return
}

// Reductions of 64-bit integers, of i1 and of f64, over the slow dimension of
// three.
tile.func @reduce3_kernel(%x: !tile.ptr<i64>, %y: !tile.ptr<i64>, %z: !tile.ptr<f64>, %any: !tile.ptr<i1>) {
  %r = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<1024x!tile.ptr<i64>>
  %px = tile.addptr %xs, %r : tensor<1024x!tile.ptr<i64>>, tensor<1024xi32>
  %flat = tile.load %px : tensor<1024x!tile.ptr<i64>>
  %v = tile.reshape %flat : tensor<1024xi64> -> tensor<16x8x8xi64>
  %sum = tile.reduce %v axis 0 with arith.addi : (tensor<16x8x8xi64>) -> tensor<8x8xi64>
  %f = arith.sitofp %v : tensor<16x8x8xi64> to tensor<16x8x8xf64>
  %max = tile.reduce %f axis 1 with arith.maximumf : (tensor<16x8x8xf64>) -> tensor<16x8xf64>
  %limit = arith.constant dense<900> : tensor<16x8x8xi64>
  %big = arith.cmpi sgt, %v, %limit : tensor<16x8x8xi64>
  %some = tile.reduce %big axis 2 with arith.ori : (tensor<16x8x8xi1>) -> tensor<16x8xi1>
  %s1 = tile.reshape %sum : tensor<8x8xi64> -> tensor<64xi64>
  %m1 = tile.reshape %max : tensor<16x8xf64> -> tensor<128xf64>
  %a1 = tile.reshape %some : tensor<16x8xi1> -> tensor<128xi1>
  %r64 = tile.arange : tensor<64xi32>
  %r128 = tile.arange : tensor<128xi32>
  %ys = tile.splat %y : !tile.ptr<i64> -> tensor<64x!tile.ptr<i64>>
  %py = tile.addptr %ys, %r64 : tensor<64x!tile.ptr<i64>>, tensor<64xi32>
  tile.store %py, %s1 : tensor<64x!tile.ptr<i64>>
  %zs = tile.splat %z : !tile.ptr<f64> -> tensor<128x!tile.ptr<f64>>
  %pz = tile.addptr %zs, %r128 : tensor<128x!tile.ptr<f64>>, tensor<128xi32>
  tile.store %pz, %m1 : tensor<128x!tile.ptr<f64>>
  %as = tile.splat %any : !tile.ptr<i1> -> tensor<128x!tile.ptr<i1>>
  %pa = tile.addptr %as, %r128 : tensor<128x!tile.ptr<i1>>, tensor<128xi32>
  tile.store %pa, %a1 : tensor<128x!tile.ptr<i1>>
  tile.return
}
