// Every operation of launch plans, for launchers (launcher.test).

tile.func @three_kernel(%a: i64, %b: i64, %c: i64) {
  tile.return
}
tile.func @one_kernel(%p: !tile.ptr<f32>) {
  tile.return
}
tile.func @two_kernel(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  tile.return
}
tile.func @narrow_kernel(%a: i8, %b: i32, %c: i1) {
  tile.return
}
tile.func @floats_kernel(%a: f16, %b: f32, %c: f64, %d: i1) {
  tile.return
}

!rows = !tile.tensor_map<8x64xf16, swizzle = 128>
!bytes = !tile.tensor_map<256xi8>
tile.func @maps_kernel(%a: !rows, %b: i64, %c: !bytes) {
  tile.return
}

tile.launch @sums(%a: i64, %b: i64) {
  %one = tile.plan.constant 1
  %x = tile.plan.add %a, %b : i64, i64
  %y = tile.plan.sub %a, %b : i64, i64
  tile.plan.dispatch @three_kernel grid(%one) args(%x, %y, %a) : i64, i64, i64
}
tile.launch @products(%a: i64, %b: i64) {
  %one = tile.plan.constant 1
  %x = tile.plan.mul %a, %b : i64, i64
  tile.plan.dispatch @three_kernel grid(%one) args(%x, %b, %a) : i64, i64, i64
}
tile.launch @quotients(%a: i64, %b: i64) {
  %one = tile.plan.constant 1
  %x = tile.plan.div %a, %b : i64, i64
  %y = tile.plan.cdiv %a, %b : i64, i64
  %z = tile.plan.rem %a, %b : i64, i64
  tile.plan.dispatch @three_kernel grid(%one) args(%x, %y, %z) : i64, i64, i64
}
tile.launch @extremes(%a: i64, %b: i64) {
  %one = tile.plan.constant 1
  %x = tile.plan.min %a, %b : i64, i64
  %y = tile.plan.max %a, %b : i64, i64
  %z = tile.plan.next_pow2 %b : i64
  tile.plan.dispatch @three_kernel grid(%one) args(%x, %y, %z) : i64, i64, i64
}

// The number of blocks tells which guard held. A division by zero stands behind
// guards that decide before it.
tile.launch @guards(%p: !tile.ptr<f32>, %a: i64, %b: i64) {
  %eq = tile.plan.cmp eq %a, %b : i64, i64
  %ne = tile.plan.cmp ne %a, 7 : i64
  %lt = tile.plan.cmp lt %a, %b : i64, i64
  %le = tile.plan.cmp le %a, 1 : i64
  %gt = tile.plan.cmp gt %a, 4096 : i64
  %ge = tile.plan.cmp ge %b, 1 : i64
  %aligned = tile.plan.aligned %p, 16 : !tile.ptr<f32>
  %eight = tile.plan.divisible %a, 8 : i64
  %quotient = tile.plan.div %a, %b : i64, i64
  %small = tile.plan.cmp lt %quotient, 2 : i64
  %odd = tile.plan.not %eight
  %both = tile.plan.all %ge, %small, %aligned
  %some = tile.plan.any %le, %gt, %small
  %first = tile.plan.constant 1
  %second = tile.plan.constant 2
  %third = tile.plan.constant 3
  %fourth = tile.plan.constant 4
  tile.plan.variant %eq {
    tile.plan.dispatch @one_kernel grid(%first) args(%p) : !tile.ptr<f32>
  }
  tile.plan.variant %both {
    tile.plan.variant %odd {
      tile.plan.dispatch @one_kernel grid(%second) args(%p) : !tile.ptr<f32>
    }
    tile.plan.variant else {
      tile.plan.dispatch @one_kernel grid(%second, %second) args(%p) : !tile.ptr<f32>
    }
  }
  tile.plan.variant %some {
    tile.plan.dispatch @one_kernel grid(%third) args(%p) : !tile.ptr<f32>
  }
  tile.plan.variant %ne {
    tile.plan.variant %lt {
      tile.plan.dispatch @one_kernel grid(%fourth) args(%p) : !tile.ptr<f32>
    }
    tile.plan.variant else {
      tile.plan.dispatch @one_kernel grid(%fourth, %second) args(%p) : !tile.ptr<f32>
    }
  }
  tile.plan.variant else {
    tile.plan.refuse "7 is \"no\" number\\ for this??/"
  }
}

tile.launch @memory(%p: !tile.ptr<f32>, %n: i64) {
  %one = tile.plan.constant 1
  %bytes = tile.plan.mul %n, 4 : i64
  %size = tile.plan.constant 256
  tile.plan.fill %p, %bytes, 7 : !tile.ptr<f32>, i64
  %a = tile.plan.scratch %bytes zero : i64 -> !tile.ptr<f32>
  %b = tile.plan.scratch %size : i64 -> !tile.ptr<f32>
  tile.plan.fill %b, %n, 255 : !tile.ptr<f32>, i64
  tile.plan.dispatch @two_kernel grid(%one) args(%a, %b) : !tile.ptr<f32>, !tile.ptr<f32>
  tile.plan.dispatch @two_kernel grid(%n) args(%b, %p) : !tile.ptr<f32>, !tile.ptr<f32>
}
tile.launch @narrow(%a: i64, %b: i8, %c: i64) {
  %sms = tile.plan.num_sms
  %x = tile.plan.add %a, 1 : i64
  tile.plan.dispatch @narrow_kernel grid(%sms) args(%x, %b, %c) : i64, i8, i64
}
tile.launch @floats(%a: f16, %b: f32, %c: f64, %d: i1) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @floats_kernel grid(%one) args(%a, %b, %c, %d) : f16, f32, f64, i1
}
tile.launch @grids(%int: !tile.ptr<f32>) {
  %x = tile.plan.caller_grid x
  %y = tile.plan.caller_grid y
  %z = tile.plan.caller_grid z
  tile.plan.dispatch @one_kernel grid(%x, %y, %z) args(%int) : !tile.ptr<f32>
}
tile.launch @maps(%p: !tile.ptr<f16>, %a: i64, %b: i64) {
  %one = tile.plan.constant 1
  %size = tile.plan.constant 4096
  %s = tile.plan.scratch %size : i64 -> !tile.ptr<i8>
  %x = tile.plan.tensor_map %p[%a, %b] strides[%b, %one] : !tile.ptr<f16> -> !rows
  %y = tile.plan.tensor_map %s[%a] strides[%one] : !tile.ptr<i8> -> !bytes
  tile.plan.dispatch @maps_kernel grid(%one) args(%x, %b, %y) : !rows, i64, !bytes
}
