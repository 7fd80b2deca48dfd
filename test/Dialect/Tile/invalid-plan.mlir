// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{a launch plan has no results}}
tile.launch @results(%n: i32) -> i32 {
}

// -----

// expected-error @below {{'tile.launch' op is a launch plan, which has no results}}
"tile.launch"() <{sym_name = "generic", function_type = () -> i32}> ({
^bb0:
}) : () -> ()

// -----

// expected-error @below {{arguments need names}}
tile.launch @no_names(i32) {
}

// -----

// expected-error @below {{'tile.launch' op cannot be private}}
tile.launch private @private() {
}

// -----

// expected-error @below {{'tile.launch' op cannot take an argument of type 'tensor<4xi32>'}}
tile.launch @tensor(%t: tensor<4xi32>) {
}

// -----

// expected-error @below {{'tile.launch' op has two arguments named 'n'}}
tile.launch @names(%n: i32, %m: i32 {tile.name = "n"}) {
}

// -----

tile.launch @foreign() {
  // expected-error @below {{'arith.constant' op is not allowed in a launch plan}}
  %0 = arith.constant 1 : i64
}

// -----

tile.launch @foreign_in_variant(%g: i1) {
  tile.plan.variant %g {
    // expected-error @below {{'arith.constant' op is not allowed in a launch plan}}
    %0 = arith.constant 1 : i64
  }
  tile.plan.variant else {
  }
}

// -----

tile.launch @else_first() {
  // expected-error @below {{'tile.plan.variant' op is an 'else' without a variant before}}
  tile.plan.variant else {
  }
}

// -----

tile.launch @else_twice(%g: i1) {
  tile.plan.variant %g {
  }
  tile.plan.variant else {
  }
  // expected-error @below {{'tile.plan.variant' op is an 'else' without a variant before}}
  tile.plan.variant else {
  }
}

// -----

tile.launch @no_else(%g: i1) {
  tile.plan.variant %g {
  }
  // expected-error @below {{'tile.plan.variant' op is the last of its run and no 'else'; say what happens when no guard holds, with tile.plan.refuse at least}}
  tile.plan.variant %g {
  }
}

// -----

// An operation in between ends the run.
tile.launch @torn(%g: i1) {
  // expected-error @below {{'tile.plan.variant' op is the last of its run and no 'else'}}
  tile.plan.variant %g {
  }
  %0 = tile.plan.num_sms
  tile.plan.variant else {
  }
}

// -----

tile.launch @nested(%g: i1) {
  tile.plan.variant %g {
    // expected-error @below {{'tile.plan.variant' op is the last of its run and no 'else'}}
    tile.plan.variant %g {
    }
  }
  tile.plan.variant else {
  }
}

// -----

tile.launch @block_arguments(%g: i1) {
  // expected-error @below {{'tile.plan.variant' op takes no block arguments}}
  "tile.plan.variant"(%g) ({
  ^bb0(%x: i32):
  }) : (i1) -> ()
  tile.plan.variant else {
  }
}

// -----

tile.launch @divisor(%n: i32) {
  // expected-error @below {{'tile.plan.div' op the divisor 0 is not positive}}
  %0 = tile.plan.div %n, 0 : i32
}

// -----

tile.launch @divisor_cdiv(%n: i32) {
  // expected-error @below {{'tile.plan.cdiv' op the divisor -1 is not positive}}
  %0 = tile.plan.cdiv %n, -1 : i32
}

// -----

tile.launch @divisor_rem(%n: i32) {
  // expected-error @below {{'tile.plan.rem' op the divisor -9223372036854775808 is not positive}}
  %0 = tile.plan.rem %n, -9223372036854775808 : i32
}

// -----

tile.launch @right_missing(%n: i32) {
  // expected-error @below {{'tile.plan.add' op needs a value or a constant on the right}}
  %0 = "tile.plan.add"(%n) : (i32) -> i64
}

// -----

tile.launch @right_twice(%n: i32) {
  // expected-error @below {{'tile.plan.cmp' op needs a value or a constant on the right}}
  %0 = "tile.plan.cmp"(%n, %n) <{predicate = #tile<predicate eq>, constant = 1 : i64}> : (i32, i32) -> i1
}

// -----

tile.launch @right_divisor(%n: i32) {
  // expected-error @below {{'tile.plan.div' op needs a value or a constant on the right}}
  %0 = "tile.plan.div"(%n) : (i32) -> i64
}

// -----

tile.launch @right_large(%n: i32) {
  // expected-error @below {{integer value too large}}
  %0 = tile.plan.add %n, 9223372036854775808 : i32
}

// -----

tile.launch @right_float(%n: i32) {
  // expected-error @below {{expected an integer}}
  %0 = tile.plan.add %n, "one" : i32
}

// -----

tile.launch @left_pointer(%p: !tile.ptr<f32>) {
  // expected-error @below {{'tile.plan.add' op operand #0 must be an integer of a launch plan, but got '!tile.ptr<f32>'}}
  %0 = tile.plan.add %p, 1 : !tile.ptr<f32>
}

// -----

tile.launch @predicate(%n: i32) {
  // expected-error @below {{expected one of: eq, ne, lt, le, gt, ge}}
  %0 = tile.plan.cmp ult %n, 1 : i32
}

// -----

tile.launch @aligned(%p: !tile.ptr<f32>) {
  // expected-error @below {{'tile.plan.aligned' op alignment 24 is not a positive power of two}}
  %0 = tile.plan.aligned %p, 24 : !tile.ptr<f32>
}

// -----

tile.launch @aligned_negative(%p: !tile.ptr<f32>) {
  // expected-error @below {{'tile.plan.aligned' op alignment -16 is not a positive power of two}}
  %0 = tile.plan.aligned %p, -16 : !tile.ptr<f32>
}

// -----

tile.launch @aligned_integer(%n: i32) {
  // expected-error @below {{'tile.plan.aligned' op operand #0 must be a pointer, but got 'i32'}}
  %0 = tile.plan.aligned %n, 16 : i32
}

// -----

tile.launch @divisible(%n: i32) {
  // expected-error @below {{'tile.plan.divisible' op the divisor 0 is not positive}}
  %0 = tile.plan.divisible %n, 0 : i32
}

// -----

tile.launch @all() {
  // expected-error @below {{'tile.plan.all' op needs a guard}}
  %0 = "tile.plan.all"() : () -> i1
}

// -----

tile.launch @any() {
  // expected-error @below {{'tile.plan.any' op needs a guard}}
  %0 = "tile.plan.any"() : () -> i1
}

// -----

tile.func private @outside() {
  // expected-error @below {{'tile.plan.constant' op expects parent op to be one of 'tile.launch, tile.plan.variant'}}
  %c = tile.plan.constant 1
  tile.return
}
