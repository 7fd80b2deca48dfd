// RUN: tile-opt %s --split-input-file --verify-diagnostics

tile.func @addptr_scalar(%p: !tile.ptr<f32>) {
  %n = tile.arange : tensor<4xi32>
  // expected-error @below {{'tile.addptr' op pointer '!tile.ptr<f32>' and offset 'tensor<4xi32>' differ in shape}}
  %0 = tile.addptr %p, %n : !tile.ptr<f32>, tensor<4xi32>
  tile.return
}

// -----

tile.func @addptr_shape(%p: !tile.ptr<f32>) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %n = tile.arange : tensor<4xi32>
  // expected-error @below {{'tile.addptr' op pointer 'tensor<8x!tile.ptr<f32>>' and offset 'tensor<4xi32>' differ in shape}}
  %0 = tile.addptr %ps, %n : tensor<8x!tile.ptr<f32>>, tensor<4xi32>
  tile.return
}

// -----

// A tensor with a layout and one without differ, too.
#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func @addptr_layout(%p: !tile.ptr<f32>) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %n = tile.arange : tensor<32xi32, #l>
  // expected-error @below {{'tile.addptr' op pointer 'tensor<32x!tile.ptr<f32>>' and offset}}
  %0 = tile.addptr %ps, %n : tensor<32x!tile.ptr<f32>>, tensor<32xi32, #l>
  tile.return
}

// -----

tile.func @addptr_bool(%p: !tile.ptr<f32>, %b: i1) {
  // expected-error @below {{'tile.addptr' op an offset cannot be an i1}}
  %0 = tile.addptr %p, %b : !tile.ptr<f32>, i1
  tile.return
}

// -----

tile.func @addptr_float(%p: !tile.ptr<f32>, %b: f32) {
  // expected-error @below {{'tile.addptr' op operand #1 must be an integer or a tensor of integers, but got 'f32'}}
  %0 = tile.addptr %p, %b : !tile.ptr<f32>, f32
  tile.return
}

// -----

tile.func @load_type(%x: f32) {
  // expected-error @below {{expected a pointer or a tensor of pointers, not 'f32'}}
  %0 = tile.load %x : f32
  tile.return
}

// -----

tile.func @load_operands() {
  // expected-error @below {{'tile.load' op expected 1 or more operands, but found 0}}
  %0 = "tile.load"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> f32
  tile.return
}

// -----

tile.func @load_result(%p: !tile.ptr<f32>) {
  // expected-error @below {{'tile.load' op failed to infer returned types}}
  // expected-error @below {{'tile.load' op inferred type(s) 'f32' are incompatible with return type(s) of operation 'f16'}}
  %0 = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tile.ptr<f32>) -> f16
  tile.return
}

// -----

tile.func @load_mask(%p: !tile.ptr<f32>, %m: i1) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  // expected-error @below {{'tile.load' op mask has type 'i1', the pointers need 'tensor<8xi1>'}}
  %0 = "tile.load"(%ps, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tile.ptr<f32>>, i1) -> tensor<8xf32>
  tile.return
}

// -----

tile.func @load_other(%p: !tile.ptr<f32>, %m: i1, %x: f16) {
  // expected-error @below {{'tile.load' op other has type 'f16', the pointers need 'f32'}}
  %0 = "tile.load"(%p, %m, %x) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!tile.ptr<f32>, i1, f16) -> f32
  tile.return
}

// -----

tile.func @load_other_alone(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @below {{'tile.load' op 'other' without a mask}}
  %0 = "tile.load"(%p, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tile.ptr<f32>, f32) -> f32
  tile.return
}

// -----

// The custom form cannot say it: the second operand is the mask.
// expected-note @below {{prior use here}}
tile.func @load_other_as_mask(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @below {{expects different type than prior uses: 'i1' vs 'f32'}}
  %0 = tile.load %p, %x : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @load_cache_wb(%p: !tile.ptr<f32>) {
  // expected-error @below {{'tile.load' op cache operator wb is for stores}}
  %0 = tile.load %p cache(wb) : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @load_cache_wt(%p: !tile.ptr<f32>) {
  // expected-error @below {{'tile.load' op cache operator wt is for stores}}
  %0 = tile.load %p cache(wt) : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @load_cache_keyword(%p: !tile.ptr<f32>) {
  // expected-error @below {{expected one of: ca, cg, cs, cv, wb, wt}}
  %0 = tile.load %p cache(l2) : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @load_evict_keyword(%p: !tile.ptr<f32>) {
  // expected-error @below {{expected one of: evict_first, evict_last}}
  %0 = tile.load %p evict(first) : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @store_type(%x: f32) {
  // expected-error @below {{expected a pointer or a tensor of pointers, not 'f32'}}
  tile.store %x, %x : f32
  tile.return
}

// -----

tile.func @store_value(%p: !tile.ptr<f32>, %x: f16) {
  // expected-error @below {{'tile.store' op value has type 'f16', the pointers need 'f32'}}
  "tile.store"(%p, %x) : (!tile.ptr<f32>, f16) -> ()
  tile.return
}

// -----

tile.func @store_mask(%p: !tile.ptr<f32>, %x: f32) {
  %m = arith.constant dense<true> : tensor<8xi1>
  // expected-error @below {{'tile.store' op mask has type 'tensor<8xi1>', the pointers need 'i1'}}
  "tile.store"(%p, %x, %m) : (!tile.ptr<f32>, f32, tensor<8xi1>) -> ()
  tile.return
}

// -----

tile.func @store_cache_ca(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @below {{'tile.store' op cache operator ca is for loads}}
  tile.store %p, %x cache(ca) : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @store_cache_cv(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @below {{'tile.store' op cache operator cv is for loads}}
  tile.store %p, %x cache(cv) : !tile.ptr<f32>
  tile.return
}
