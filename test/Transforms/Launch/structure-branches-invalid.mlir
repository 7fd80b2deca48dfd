// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-structure-branches

tile.func private @passed(%c: i1, %d: !tile.desc<16xi32>, %e: !tile.desc<16xi32>) {
  // expected-error@below {{no argument of 'passed' points to elements of this type; branches between blocks need one}}
  cf.cond_br %c, ^store(%d : !tile.desc<16xi32>), ^store(%e : !tile.desc<16xi32>)
^store(%to: !tile.desc<16xi32>):
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<16xi32>
  tile.desc_store %to[%zero], %zeros : !tile.desc<16xi32>, [i32], tensor<16xi32>
  tile.return
}

// -----

// Of other dialects, blocks may end in what has no counterpart.

tile.func @trap(%c: i1) {
  cf.cond_br %c, ^go, ^stop
^go:
  tile.return
^stop:
  // expected-error@below {{'llvm.unreachable' ends a block and cannot be structured}}
  llvm.unreachable
}

// -----

tile.func @jump(%c: i1) {
  scf.execute_region {
    cf.cond_br %c, ^there, ^here
  ^here:
    // expected-error@below {{'llvm.br' ends a block and cannot be structured}}
    llvm.br ^there
  ^there:
    scf.yield
  }
  tile.return
}

// -----

// What cannot be reached is not asked.

tile.func @unreachable(%c: i1) {
  cf.cond_br %c, ^one, ^two
^one:
  tile.return
^two:
  tile.return
^dead:
  llvm.unreachable
}
