// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-inline-calls

// expected-note@below {{'again' is here}}
tile.func private @again(%x: i32) -> i32 {
  // expected-error@below {{recursive call of 'again': calls are inlined}}
  %y = tile.call @again(%x) : (i32) -> i32
  tile.return %y : i32
}
tile.func @kernel(%n: i32) {
  %y = tile.call @again(%n) : (i32) -> i32
  tile.return
}

// -----

// Two functions that call each other, which no kernel reaches.

// expected-note@below {{'ping' is here}}
tile.func private @ping(%x: i32) -> i32 {
  %y = tile.call @pong(%x) : (i32) -> i32
  tile.return %y : i32
}
tile.func private @pong(%x: i32) -> i32 {
  // expected-error@below {{recursive call of 'ping': calls are inlined}}
  %y = tile.call @ping(%x) : (i32) -> i32
  tile.return %y : i32
}

// -----

tile.func private @branches(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^yes, ^no
^yes:
  tile.return %x : i32
^no:
  %y = arith.addi %x, %x : i32
  tile.return %y : i32
}
tile.func @caller(%c: i1, %n: i32) {
  // expected-error@below {{'branches' has branches between blocks and cannot be inlined; use scf operations}}
  %y = tile.call @branches(%c, %n) : (i1, i32) -> i32
  tile.return
}
