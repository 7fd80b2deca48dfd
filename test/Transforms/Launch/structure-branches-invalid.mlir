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
