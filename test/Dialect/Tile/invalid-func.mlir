// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'tile.func' op is public, and so a kernel, which has no results}}
tile.func @results(%x: f32) -> f32 {
  tile.return %x : f32
}

// -----

// expected-error @below {{'tile.func' op a kernel cannot take an argument of type 'tensor<4xf32>'}}
tile.func @tensor_argument(%x: tensor<4xf32>) {
  tile.return
}

// -----

// expected-error @below {{'tile.func' op a kernel cannot take an argument of type 'index'}}
tile.func @index_argument(%x: index) {
  tile.return
}

// -----

// expected-error @below {{arguments need names}}
tile.func @no_names(i32) {
  tile.return
}

// -----

// expected-error @below {{'tile.func' op has two arguments named 'x'}}
tile.func @same_name(%x: i32, %y: i32 {tile.name = "x"}) {
  tile.return
}

// -----

// Argument #1 has the name arg1 unless the source gives it another.
// expected-error @below {{'tile.func' op has two arguments named 'arg1'}}
tile.func @default_name(%arg1: i32, %1: i32) {
  tile.return
}

// -----

// expected-error @below {{'tile.func' op is either public or private}}
"tile.func"() <{sym_name = "nested", sym_visibility = "nested", function_type = () -> ()}> ({
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{'tile.func' op cannot have attributes on results}}
tile.func private @result_attributes(%x: f32) -> (f32 {tile.name = "y"}) {
  tile.return %x : f32
}

// -----

// expected-error @below {{region #0 ('body') failed to verify constraint: region with at least 1 blocks}}
"tile.func"() <{sym_name = "external", function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error @below {{empty block: expect at least a terminator}}
tile.func @empty() {}

// -----

tile.func @outer() {
  // expected-error @below {{'tile.func' op expects parent op 'builtin.module'}}
  tile.func @inner() {
    tile.return
  }
  tile.return
}

// -----

tile.func private @return_types(%x: f32) -> (f32, i32) {
  // expected-error @below {{'tile.return' op returns ('f32'), the function's results are ('f32', 'i32')}}
  tile.return %x : f32
}

// -----

tile.func @return_none(%x: f32) {
  // expected-error @below {{'tile.return' op returns ('f32'), the function's results are ()}}
  tile.return %x : f32
}

// -----

module {
  // expected-error @below {{'tile.return' op expects parent op 'tile.func'}}
  "tile.return"() : () -> ()
}

// -----

tile.func @call_nothing() {
  // expected-error @below {{'tile.call' op 'nowhere' is not a tile.func}}
  tile.call @nowhere() : () -> ()
  tile.return
}

// -----

tile.launch @plan() {
}
tile.func @call_plan() {
  // expected-error @below {{'tile.call' op 'plan' is not a tile.func}}
  tile.call @plan() : () -> ()
  tile.return
}

// -----

tile.func @kernel() {
  tile.return
}
tile.func @call_kernel() {
  // expected-error @below {{'tile.call' op cannot call the kernel 'kernel'; make it private}}
  tile.call @kernel() : () -> ()
  tile.return
}

// -----

tile.func private @half(%x: f16) -> f16 {
  tile.return %x : f16
}
tile.func @call_operand(%x: f32) {
  // expected-error @below {{'tile.call' op the types do not agree with 'half', of type '(f16) -> f16'}}
  %0 = tile.call @half(%x) : (f32) -> f16
  tile.return
}

// -----

tile.func private @half(%x: f16) -> f16 {
  tile.return %x : f16
}
tile.func @call_result(%x: f16) {
  // expected-error @below {{'tile.call' op the types do not agree with 'half', of type '(f16) -> f16'}}
  tile.call @half(%x) : (f16) -> ()
  tile.return
}

// -----

// Values inside a function: element types, index, and tensors of them.
tile.func @wide(%x: i64) {
  // expected-error @below {{'arith.extsi' type 'i128' is not supported}}
  %0 = arith.extsi %x : i64 to i128
  tile.return
}

// -----

tile.func @quad(%x: f64) {
  // expected-error @below {{'arith.extf' type 'f128' is not supported}}
  %0 = arith.extf %x : f64 to f128
  tile.return
}

// -----

tile.func @vector() {
  // expected-error @below {{'arith.constant' type 'vector<4xf32>' is not supported}}
  %0 = arith.constant dense<0.0> : vector<4xf32>
  tile.return
}

// -----

tile.func @scalar_tensor() {
  // expected-error @below {{'arith.constant' invalid tensor 'tensor<f32>': a tensor needs at least one dimension}}
  %0 = arith.constant dense<0.0> : tensor<f32>
  tile.return
}

// -----

tile.func @odd_tensor() {
  // expected-error @below {{'arith.constant' invalid tensor 'tensor<4x3xf32>': dimension 1 is 3, not a static power of two}}
  %0 = arith.constant dense<0.0> : tensor<4x3xf32>
  tile.return
}

// -----

tile.func @index_tensor() {
  // expected-error @below {{'arith.constant' invalid tensor 'tensor<4xindex>': element type index is not supported}}
  %0 = arith.constant dense<0> : tensor<4xindex>
  tile.return
}

// -----

// 2^21 elements; the largest tensor has 2^17.
tile.func @huge_tensor() {
  // expected-error @below {{'arith.constant' invalid tensor 'tensor<2048x1024xf32>': it has more than 131072 elements}}
  %0 = arith.constant dense<0.0> : tensor<2048x1024xf32>
  tile.return
}

// -----

// expected-error @below {{'tile.func' invalid tensor 'tensor<4x?xf32>': dimension 1 is dynamic, not a static power of two}}
tile.func private @dynamic_argument(%x: tensor<4x?xf32>) {
  tile.return
}

// -----

tile.func private @dynamic() {
  %t = ub.poison : tensor<4x8xf32>
  // expected-error @below {{invalid tensor 'tensor<4x?xf32>': dimension 1 is dynamic, not a static power of two}}
  %u = builtin.unrealized_conversion_cast %t : tensor<4x8xf32> to tensor<4x?xf32>
  tile.return
}

// -----

tile.func @loop_argument(%n: i32, %x: f64) {
  // expected-error @below {{type 'f128' is not supported}}
  %w = arith.extf %x : f64 to f128
  %0 = scf.for %i = %n to %n step %n iter_args(%y = %w) -> f128 : i32 {
    scf.yield %y : f128
  }
  tile.return
}
