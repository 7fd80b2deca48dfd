// RUN: tile-opt %s --split-input-file --verify-diagnostics

tile.func @no_source() {
  // expected-error @below {{'tile.reduce' op needs a source}}
  tile.reduce axis 0 : () -> () {
    tile.reduce.return
  }
  tile.return
}

// -----

tile.func private @axis(%t: tensor<4x8xf32>) {
  // expected-error @below {{'tile.reduce' op axis 2 is not in [0, 1]}}
  %0 = tile.reduce %t axis 2 with arith.addf : (tensor<4x8xf32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.func private @axis_negative(%t: tensor<4x8xf32>) {
  // expected-error @below {{'tile.reduce' op axis -1 is not in [0, 1]}}
  %0 = tile.reduce %t axis -1 with arith.addf : (tensor<4x8xf32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.func private @axis_huge(%t: tensor<4x8xf32>) {
  // expected-error @below {{integer value too large}}
  %0 = tile.reduce %t axis 4294967296 with arith.addf : (tensor<4x8xf32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.func private @result_count(%t: tensor<8xf32>) {
  // expected-error @below {{'tile.reduce' op has 1 sources and 2 results}}
  %0:2 = tile.reduce %t axis 0 with arith.addf : (tensor<8xf32>) -> (f32, f32)
  tile.return
}

// -----

tile.func private @source_shapes(%t: tensor<8xf32>, %u: tensor<4xf32>) {
  // expected-error @below {{'tile.reduce' op sources differ in shape: 'tensor<8xf32>' and 'tensor<4xf32>'}}
  %0:2 = tile.reduce %t, %u axis 0 : (tensor<8xf32>, tensor<4xf32>) -> (f32, f32) {
  ^bb0(%a: f32, %ai: f32, %b: f32, %bi: f32):
    tile.reduce.return %a, %bi : f32, f32
  }
  tile.return
}

// -----

tile.func private @result_shape(%t: tensor<4x8xf32>) {
  // expected-error @below {{'tile.reduce' op result 'tensor<8xf32>' is not 'tensor<4x8xf32>' without axis 1}}
  %0 = tile.reduce %t axis 1 with arith.addf : (tensor<4x8xf32>) -> tensor<8xf32>
  tile.return
}

// -----

tile.func private @result_element(%t: tensor<8xf32>) {
  // expected-error @below {{'tile.reduce' op result 'f16' is not 'tensor<8xf32>' without axis 0}}
  %0 = tile.reduce %t axis 0 with arith.addf : (tensor<8xf32>) -> f16
  tile.return
}

// -----

tile.func private @result_scalar(%t: tensor<4x8xf32>) {
  // expected-error @below {{'tile.reduce' op result 'f32' is not 'tensor<4x8xf32>' without axis 0}}
  %0 = tile.reduce %t axis 0 with arith.addf : (tensor<4x8xf32>) -> f32
  tile.return
}

// -----

tile.func private @argument_count(%t: tensor<8xf32>) {
  // expected-error @below {{'tile.reduce' op the combine region needs 2 arguments, not 1}}
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32):
    tile.reduce.return %a : f32
  }
  tile.return
}

// -----

tile.func private @argument_type(%t: tensor<8xf32>) {
  // expected-error @below {{'tile.reduce' op argument #1 of the combine region is 'f16', not 'f32'}}
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f16):
    tile.reduce.return %a : f32
  }
  tile.return
}

// -----

tile.func private @return_count(%t: tensor<8xf32>) {
  // expected-error @below {{'tile.reduce' op the combine region returns 2 values, not 1}}
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.reduce.return %a, %b : f32, f32
  }
  tile.return
}

// -----

tile.func private @return_type(%t: tensor<8xf32>) {
  // expected-error @below {{'tile.reduce' op the combine region returns 'f16', not 'f32'}}
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %h = arith.truncf %a : f32 to f16
    tile.reduce.return %h : f16
  }
  tile.return
}

// -----

tile.func private @effects(%t: tensor<8xf32>, %p: !tile.ptr<f32>) {
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{'tile.load' op is not allowed in a combine region: it has side effects or regions}}
    %x = tile.load %p : !tile.ptr<f32>
    tile.reduce.return %x : f32
  }
  tile.return
}

// -----

tile.func private @regions(%t: tensor<8xf32>, %c: i1) {
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{'scf.if' op is not allowed in a combine region: it has side effects or regions}}
    %x = scf.if %c -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %b : f32
    }
    tile.reduce.return %x : f32
  }
  tile.return
}

// -----

tile.func private @tensor_result(%t: tensor<8xf32>) {
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{'tile.splat' op is not allowed in a combine region: it works on more than scalars}}
    %s = tile.splat %a : f32 -> tensor<4xf32>
    tile.reduce.return %a : f32
  }
  tile.return
}

// -----

tile.func private @tensor_operand(%t: tensor<8xf32>) {
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{'arith.addf' op is not allowed in a combine region: it works on more than scalars}}
    %s = arith.addf %t, %t : tensor<8xf32>
    tile.reduce.return %a : f32
  }
  tile.return
}

// -----

tile.func private @unknown_name(%t: tensor<8xf32>) {
  // expected-error @below {{unknown operation 'arith.plus'}}
  %0 = tile.reduce %t axis 0 with arith.plus : (tensor<8xf32>) -> f32
  tile.return
}

// -----

tile.func private @unknown_dialect(%t: tensor<8xf32>) {
  // expected-error @below {{unknown operation 'nowhere.add'}}
  %0 = tile.reduce %t axis 0 with nowhere.add : (tensor<8xf32>) -> f32
  tile.return
}

// -----

tile.func private @named_sources(%t: tensor<8xf32>) {
  // expected-error @below {{a named combine function takes one source}}
  %0:2 = tile.reduce %t, %t axis 0 with arith.addf : (tensor<8xf32>, tensor<8xf32>) -> (f32, f32)
  tile.return
}

// -----

// The named operation is built and verified as any other.
tile.func private @named_predicate(%t: tensor<8xi1>) {
  // expected-error @below {{'arith.cmpi' op requires attribute 'predicate'}}
  %0 = tile.reduce %t axis 0 with arith.cmpi : (tensor<8xi1>) -> i1
  tile.return
}

// -----

tile.func private @named_region(%t: tensor<8xf32>) {
  // expected-error @below {{'scf.if' op expected 2 regions}}
  %0 = tile.reduce %t axis 0 with scf.if : (tensor<8xf32>) -> f32
  tile.return
}

// -----

tile.func private @empty_region(%t: tensor<8xf32>) {
  // expected-error @below {{region #0 ('combine') failed to verify constraint: region with 1 blocks}}
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  }
  tile.return
}

// -----

tile.func private @two_blocks(%t: tensor<8xf32>) {
  // expected-error @below {{'tile.reduce' op expects region #0 to have 0 or 1 blocks}}
  %0 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    cf.br ^bb1
  ^bb1:
    tile.reduce.return %a : f32
  }
  tile.return
}

// -----

// expected-error @below {{'tile.reduce.return' op expects parent op 'tile.reduce'}}
tile.reduce.return

// -----

tile.func @not_associative(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<64xf32>
  // expected-error @below {{'arith.subf' is not associative; the order of a reduction is unspecified}}
  %s = tile.reduce %t axis 0 with arith.subf : (tensor<64xf32>) -> f32
  tile.return
}
