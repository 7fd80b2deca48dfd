// RUN: tile-opt %s | FileCheck %s --check-prefixes=CHECK,PTX
// CHECK-LABEL: fine
// CHECK-COUNT-2: fine
// CHECK{LITERAL}: [[fine]]
// PTX-NEXT: fine
// CHECKED is a word, not a directive
// The word CHECK inside a sentence is fine too
// CHECK no colon
// CHECK-NXT: a suffix that does not exist
  // PTX-NEXT no colon
