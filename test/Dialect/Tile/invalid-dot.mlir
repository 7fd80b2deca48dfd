// RUN: tile-opt %s --split-input-file --verify-diagnostics

tile.func private @rank(%a: tensor<4xf32>) {
  // expected-error @below {{'tile.dot' op needs operands of two dimensions, or of three with a batch}}
  %0 = tile.dot %a, %a, %a : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.func private @ranks(%a: tensor<4x4xf32>, %b: tensor<1x4x4xf32>) {
  // expected-error @below {{'tile.dot' op needs operands of two dimensions, or of three with a batch}}
  %0 = tile.dot %a, %b, %a : tensor<4x4xf32>, tensor<1x4x4xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.func private @inner(%a: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  // expected-error @below {{'tile.dot' op shapes do not agree: 'tensor<4x8xf32>' times 'tensor<4x8xf32>' plus 'tensor<4x8xf32>'}}
  %0 = tile.dot %a, %a, %c : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func private @batch(%a: tensor<2x4x4xf32>, %c: tensor<1x4x4xf32>) {
  // expected-error @below {{'tile.dot' op shapes do not agree}}
  %0 = tile.dot %a, %a, %c : tensor<2x4x4xf32>, tensor<2x4x4xf32> -> tensor<1x4x4xf32>
  tile.return
}

// -----

tile.func private @mixed(%a: tensor<4x4xf16>, %b: tensor<4x4xbf16>, %c: tensor<4x4xf32>) {
  // expected-error @below {{'tile.dot' op there is no product of 'f16' and 'bf16' in 'f32'}}
  %0 = tile.dot %a, %b, %c : tensor<4x4xf16>, tensor<4x4xbf16> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.func private @accumulator(%a: tensor<4x4xbf16>) {
  // expected-error @below {{'tile.dot' op there is no product of 'bf16' and 'bf16' in 'bf16'}}
  %0 = tile.dot %a, %a, %a : tensor<4x4xbf16>, tensor<4x4xbf16> -> tensor<4x4xbf16>
  tile.return
}

// -----

tile.func private @precision(%a: tensor<4x4xf16>) {
  // expected-error @below {{'tile.dot' op precision is for operands of f32}}
  %0 = tile.dot %a, %a, %a precision(ieee) : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf16>
  tile.return
}

// -----

tile.func private @precision_keyword(%a: tensor<4x4xf32>) {
  // expected-error @below {{expected one of: tf32, ieee}}
  %0 = tile.dot %a, %a, %a precision(tf32x3) : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.func @rmw_kind(%p: !tile.ptr<i32>, %n: i32) {
  // expected-error @below {{expected one of: add, max, min, umax, umin, and, or, xor, xchg}}
  %0 = tile.atomic_rmw sub relaxed gpu %p, %n : !tile.ptr<i32>
  tile.return
}

// -----

tile.func @rmw_semantic(%p: !tile.ptr<i32>, %n: i32) {
  // expected-error @below {{expected one of: relaxed, acquire, release, acq_rel}}
  %0 = tile.atomic_rmw add seq_cst gpu %p, %n : !tile.ptr<i32>
  tile.return
}

// -----

tile.func @rmw_scope(%p: !tile.ptr<i32>, %n: i32) {
  // expected-error @below {{expected one of: cta, gpu, sys}}
  %0 = tile.atomic_rmw add relaxed warp %p, %n : !tile.ptr<i32>
  tile.return
}

// -----

tile.func @rmw_pointer(%n: i32) {
  // expected-error @below {{expected a pointer or a tensor of pointers, not 'i32'}}
  %0 = tile.atomic_rmw add relaxed gpu %n, %n : i32
  tile.return
}

// -----

tile.func @rmw_float(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @below {{'tile.atomic_rmw' op there is no atomic max of 'f32'}}
  %0 = tile.atomic_rmw max relaxed gpu %p, %x : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @rmw_narrow(%p: !tile.ptr<i16>, %x: i16) {
  // expected-error @below {{'tile.atomic_rmw' op there is no atomic add of 'i16'}}
  %0 = tile.atomic_rmw add relaxed gpu %p, %x : !tile.ptr<i16>
  tile.return
}

// -----

tile.func @rmw_value(%p: !tile.ptr<i32>, %x: i64) {
  // expected-error @below {{'tile.atomic_rmw' op has a value of type 'i64', the pointers need 'i32'}}
  %0 = "tile.atomic_rmw"(%p, %x) <{kind = #tile<atomic add>, semantic = #tile<semantic relaxed>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>, i64) -> i32
  tile.return
}

// -----

tile.func @rmw_mask(%p: !tile.ptr<i32>, %x: i32) {
  %m = arith.constant dense<true> : tensor<4xi1>
  // expected-error @below {{'tile.atomic_rmw' op mask has type 'tensor<4xi1>', the pointers need 'i1'}}
  %0 = "tile.atomic_rmw"(%p, %x, %m) <{kind = #tile<atomic add>, semantic = #tile<semantic relaxed>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>, i32, tensor<4xi1>) -> i32
  tile.return
}

// -----

tile.func @cas_float(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @below {{'tile.atomic_cas' op there is no atomic compare and swap of 'f32'}}
  %0 = tile.atomic_cas relaxed gpu %p, %x, %x : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @cas_value(%p: !tile.ptr<i32>, %x: i32, %y: i64) {
  // expected-error @below {{'tile.atomic_cas' op has a value of type 'i64', the pointers need 'i32'}}
  %0 = "tile.atomic_cas"(%p, %x, %y) <{semantic = #tile<semantic relaxed>, scope = #tile<scope gpu>}> : (!tile.ptr<i32>, i32, i64) -> i32
  tile.return
}

// -----

tile.func @print_text(%n: i32) {
  // expected-error @below {{'tile.print' op the text has characters that cannot be printed}}
  tile.print "a\0Ab", %n : i32
  tile.return
}

// -----

tile.func @assert_type(%n: i32) {
  // expected-error @below {{'tile.assert' op operand #0 must be an i1 or a tensor of i1, but got 'i32'}}
  tile.assert %n, "text" : i32
  tile.return
}

// -----

tile.func @ptx_width(%n: i8) {
  // expected-error @below {{'tile.inline_ptx' op registers have 16, 32 or 64 bits, 'i8' has 8}}
  %0 = tile.inline_ptx "mov.b32 $0, $1;"(%n) : (i8) -> i32
  tile.return
}

// -----

tile.func @ptx_operand(%n: i32) {
  // expected-error @below {{'tile.inline_ptx' op '$2' is no operand: $0 is the result, $1 to $1 are the operands}}
  %0 = tile.inline_ptx "mov.b32 $0, $2;"(%n) : (i32) -> i32
  tile.return
}

// -----

tile.func @ptx_dollar(%n: i32) {
  // expected-error @below {{'tile.inline_ptx' op '$' is no operand}}
  %0 = tile.inline_ptx "mov.b32 $0, $$1;"(%n) : (i32) -> i32
  tile.return
}

// -----

tile.func @ptx_operands() {
  // expected-error @below {{'tile.inline_ptx' op expected 1 or more operands, but found 0}}
  %0 = tile.inline_ptx "mov.u32 $0, %clock;"() : () -> i32
  tile.return
}

// -----

tile.func private @assert_text(%c: i1) {
  // expected-error @below {{'tile.assert' op the text has characters that cannot be printed}}
  tile.assert %c, "a\00b" : i1
  tile.return
}
