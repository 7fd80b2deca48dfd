// Arrays that get no tensor map, each with the reason: the module stays as it is.

// RUN: tile-opt %s --tile-inline-calls --tile-gpu-attach-target=target=sm_90a -o %t.before
// RUN: tile-opt %t.before --tile-tensor-maps -o %t.after
// RUN: diff %t.before %t.after
// RUN: tile-opt %t.before --tile-tensor-maps --remark-format=emitRemark --remarks-filter=tile-tensor-maps -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='[Passed]' --implicit-check-not=Missed

!p = !tile.ptr<f16>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16>

// A product of the tile.
tile.func private @use(%x: !t) {
  %y = arith.constant #tile.zero : tensor<32x16xf16>
  %z = arith.constant #tile.zero : tensor<64x16xf32>
  %r = tile.dot %x, %y, %z : !t, tensor<32x16xf16> -> tensor<64x16xf32>
  tile.return
}

// The array is as it should be; a kernel that nothing launches gets no argument.
// CHECK: [Missed] tensor-map | Category:tile-tensor-maps | Function=unlaunched | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
tile.func @unlaunched(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Strides that only the launch knows, and two of 1.
// CHECK: [Missed] {{.*}} Function=strides | Reason="the array gets no tensor map: it has not one dimension whose stride is known to be 1"
tile.func @strides(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %s] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=ones | Reason="the array gets no tensor map: it has not one dimension whose stride is known to be 1"
tile.func @ones(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%one, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A pointer out of memory, which no launch knows.
// CHECK: [Missed] {{.*}} Function=loaded | Reason="the array gets no tensor map: its pointer is not one of the kernel's arguments"
tile.func @loaded(%pp: !tile.ptr<!p>, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %q = tile.load %pp : !tile.ptr<!p>
  %d = tile.make_desc %q, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Extents and strides that are computed.
// CHECK: [Missed] {{.*}} Function=extent | Reason="the array gets no tensor map: an extent or a stride is not one of the kernel's arguments"
tile.func @extent(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %e = arith.muli %m, %m : i32
  %d = tile.make_desc %a, [%e, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=stride | Reason="the array gets no tensor map: an extent or a stride is not one of the kernel's arguments"
tile.func @stride(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %e = arith.muli %s, %s : i32
  %d = tile.make_desc %a, [%m, %k], [%e, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// An extent that changes with the loop.
// CHECK: [Missed] {{.*}} Function=growing | Reason="the array gets no tensor map: an extent or a stride is not one of the kernel's arguments"
tile.func @growing(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %d = tile.make_desc %a, [%m, %i], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
    %x = tile.desc_load %d[%zero, %zero] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Less than 16 bytes are known of the address, of rows that begin.
// CHECK: [Missed] {{.*}} Function=address | Reason="the array gets no tensor map: its address is not known to be a multiple of 16 bytes"
tile.func @address(%a: !p {tile.divisible_by = 8 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=begin | Reason="the array gets no tensor map: its rows are not known to begin at multiples of 16 bytes"
tile.func @begin(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 4 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Only a store asks where rows end: it writes whole pieces of 16 bytes.
// CHECK: [Missed] {{.*}} Function=end | Reason="the array gets no tensor map: its rows are not known to end at a multiple of 16 bytes"
tile.func @end(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 4 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %v = arith.constant #tile.zero : !t
  tile.desc_store %d[%zero, %zero], %v : !d, [i32, i32], !t
  tile.return
}

// Constant rows that overlap: of 48 elements, 40 apart; none at all.
// CHECK: [Missed] {{.*}} Function=overlap | Reason="the array gets no tensor map: its rows overlap"
tile.func @overlap(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %r = arith.constant 40 : i32
  %e = arith.constant 48 : i32
  %d = tile.make_desc %a, [%m, %e], [%r, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// CHECK: [Missed] {{.*}} Function=negative | Reason="the array gets no tensor map: it has no elements"
tile.func @negative(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %e = arith.constant -64 : i32
  %d = tile.make_desc %a, [%e, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  tile.return
}

// 16 bytes a row.
// CHECK: [Missed] {{.*}} Function=narrow | Reason="the array gets no tensor map: rows of a tile have less than 32 bytes"
tile.func @narrow(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !tile.desc<8x8xf16>
  scf.for %i = %zero to %k step %one : i32 {
    %x = tile.desc_load %d[%zero, %i] : !tile.desc<8x8xf16>, [i32, i32] -> tensor<8x8xf16>
    %c = arith.constant #tile.zero : tensor<8x8xf32>
    %r = tile.dot %x, %x, %c : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// A batch of matrices.
// CHECK: [Missed] {{.*}} Function=batch | Reason="the array gets no tensor map: it has other than two dimensions"
tile.func @batch(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32, %s: i32 {tile.divisible_by = 8 : i32}) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = tile.make_desc %a, [%m, %m, %k], [%s, %s, %one] : !p, [i32, i32, i32], [i32, i32, i32] -> !tile.desc<2x32x32xf16>
  scf.for %i = %zero to %k step %one : i32 {
    %x = tile.desc_load %d[%zero, %zero, %i] : !tile.desc<2x32x32xf16>, [i32, i32, i32] -> tensor<2x32x32xf16>
    %c = arith.constant #tile.zero : tensor<2x32x32xf32>
    %r = tile.dot %x, %x, %c : tensor<2x32x32xf16>, tensor<2x32x32xf16> -> tensor<2x32x32xf32>
  } {tile.num_stages = 3 : i32}
  tile.return
}

// Truths that are stored; the loads would do.
// CHECK: [Missed] {{.*}} Function=bits | Reason="the array gets no tensor map: no launch plan dispatches the kernel"
// CHECK: [Missed] {{.*}} Function=bits | Reason="the array gets no tensor map: a tensor map cannot have elements of one bit"
tile.func @bits(%a: !p {tile.divisible_by = 16 : i32}, %m: i32, %k: i32 {tile.divisible_by = 8 : i32}, %s: i32 {tile.divisible_by = 8 : i32}, %b: !tile.ptr<i1> {tile.divisible_by = 16 : i32}) {
  %one = arith.constant 1 : i32
  %d = tile.make_desc %a, [%m, %k], [%s, %one] : !p, [i32, i32], [i32, i32] -> !d
  %f = tile.make_desc %b, [%m, %k], [%s, %one] : !tile.ptr<i1>, [i32, i32], [i32, i32] -> !tile.desc<64x32xi1>
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %i = %zero to %k step %step : i32 {
    %x = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
    tile.call @use(%x) : (!t) -> ()
  } {tile.num_stages = 3 : i32}
  %v = arith.constant dense<true> : tensor<64x32xi1>
  tile.desc_store %f[%zero, %zero], %v : !tile.desc<64x32xi1>, [i32, i32], tensor<64x32xi1>
  tile.return
}
