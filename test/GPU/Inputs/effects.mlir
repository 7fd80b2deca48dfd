// Atomics, assertions, prints and inline PTX, for test/GPU/effects.py.

// Each program draws a ticket, which all of its threads need; the sums of the
// remainders modulo 8 are added by elements that meet at one address.
tile.func @tickets_kernel(%counter: !tile.ptr<i32>, %sums: !tile.ptr<f32>, %out: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %ticket = tile.atomic_rmw add acq_rel gpu %counter, %one : !tile.ptr<i32>
  %block = arith.constant 64 : i32
  %first = arith.muli %ticket, %block : i32
  %r = tile.arange : tensor<64xi32>
  %starts = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %starts, %r : tensor<64xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %po = tile.addptr %os, %offs : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %po, %offs : tensor<64x!tile.ptr<i32>>
  %eight = arith.constant dense<8> : tensor<64xi32>
  %slot = arith.remui %r, %eight : tensor<64xi32>
  %ss = tile.splat %sums : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ps = tile.addptr %ss, %slot : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = arith.sitofp %r : tensor<64xi32> to tensor<64xf32>
  %old = tile.atomic_rmw add relaxed gpu %ps, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A tensor smaller than the CTA: each element is updated once, and every thread
// gets the old value.
tile.func @small_atomics_kernel(%x: !tile.ptr<i32>, %old: !tile.ptr<i32>, %m: !tile.ptr<i1>) {
  %r = tile.arange : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %px = tile.addptr %xs, %r : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  %ms = tile.splat %m : !tile.ptr<i1> -> tensor<8x!tile.ptr<i1>>
  %pm = tile.addptr %ms, %r : tensor<8x!tile.ptr<i1>>, tensor<8xi32>
  %mask = tile.load %pm : tensor<8x!tile.ptr<i1>>
  %five = arith.constant dense<5> : tensor<8xi32>
  %before = tile.atomic_rmw max relaxed gpu %px, %five, %mask : tensor<8x!tile.ptr<i32>>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %kept = arith.select %mask, %before, %zero : tensor<8xi1>, tensor<8xi32>
  %sum = tile.reduce %kept axis 0 with arith.addi : (tensor<8xi32>) -> i32
  tile.store %old, %sum : !tile.ptr<i32>
  tile.return
}

// Swaps where the value is 3; a 64-bit exchange of floats.
tile.func @swaps_kernel(%x: !tile.ptr<i64>, %y: !tile.ptr<f64>, %z: !tile.ptr<f64>) {
  %r = tile.arange : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<128x!tile.ptr<i64>>
  %px = tile.addptr %xs, %r : tensor<128x!tile.ptr<i64>>, tensor<128xi32>
  %three = arith.constant dense<3> : tensor<128xi64>
  %minus = arith.constant dense<-1> : tensor<128xi64>
  %a = tile.atomic_cas acq_rel sys %px, %three, %minus : tensor<128x!tile.ptr<i64>>
  %ys = tile.splat %y : !tile.ptr<f64> -> tensor<128x!tile.ptr<f64>>
  %py = tile.addptr %ys, %r : tensor<128x!tile.ptr<f64>>, tensor<128xi32>
  %v = arith.sitofp %a : tensor<128xi64> to tensor<128xf64>
  %before = tile.atomic_rmw xchg relaxed cta %py, %v : tensor<128x!tile.ptr<f64>>
  %zs = tile.splat %z : !tile.ptr<f64> -> tensor<128x!tile.ptr<f64>>
  %pz = tile.addptr %zs, %r : tensor<128x!tile.ptr<f64>>, tensor<128xi32>
  tile.store %pz, %before : tensor<128x!tile.ptr<f64>>
  tile.return
}

// Sums of 16-bit floats.
tile.func @half_sums_kernel(%h: !tile.ptr<f16>, %b: !tile.ptr<bf16>) {
  %one = arith.constant 1.0 : f16
  %two = arith.constant 2.0 : bf16
  %h1 = tile.atomic_rmw add relaxed gpu %h, %one : !tile.ptr<f16>
  %b1 = tile.atomic_rmw add relaxed gpu %b, %two : !tile.ptr<bf16>
  tile.return
}

// Each program prints one line for each element, once.
tile.func @print_kernel(%n: i32) {
  %r = tile.arange 10 : tensor<4xi32>
  %half = arith.constant 2.5 : f16
  tile.print "n", %n : i32
  tile.print "range", %r : tensor<4xi32>
  tile.print "100% half", %half : f16
  tile.return
}

tile.func @assert_kernel(%n: i32, %x: !tile.ptr<i32>) {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %r = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %sum = arith.addi %r, %ns : tensor<64xi32>
  %ok = arith.cmpi sge, %sum, %zero : tensor<64xi32>
  tile.assert %ok, "an index is negative" : tensor<64xi1>
  %reversed = tile.inline_ptx "brev.b32 $0, $1;"(%r) : (tensor<64xi32>) -> tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %px = tile.addptr %xs, %r : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %px, %reversed : tensor<64x!tile.ptr<i32>>
  tile.return
}
