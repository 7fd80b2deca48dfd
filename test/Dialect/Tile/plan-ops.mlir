// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic > %t.source
// RUN: tile-opt %s | tile-opt --mlir-print-op-generic > %t.reparsed
// RUN: diff %t.source %t.reparsed

#BLOCK = 128 : i32

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tile.launch @leaves() {
// CHECK-NEXT: tile.plan.constant 4{{$}}
// CHECK-NEXT: tile.plan.constant -9223372036854775808{{$}}
// CHECK-NEXT: tile.plan.constant 128 {tag}
// CHECK-NEXT: tile.plan.caller_grid x{{$}}
// CHECK-NEXT: tile.plan.caller_grid y{{$}}
// CHECK-NEXT: tile.plan.caller_grid z {tag}
// CHECK-NEXT: tile.plan.num_sms{{$}}
// CHECK-NEXT: tile.plan.resident_ctas @resident {tag}
tile.launch @leaves() {
  %0 = tile.plan.constant 4
  %1 = tile.plan.constant -9223372036854775808
  %2 = tile.plan.constant #BLOCK {tag}
  %3 = tile.plan.caller_grid x
  %4 = tile.plan.caller_grid y
  %5 = tile.plan.caller_grid z {tag}
  %6 = tile.plan.num_sms
  %7 = tile.plan.resident_ctas @resident {tag}
}
tile.func @resident() {
  tile.return
}

// The right-hand side is a value with a type, or a constant, which has none.
// CHECK-LABEL: tile.launch @arithmetic(%a: i8, %b: i64, %c: i16) {
// CHECK-NEXT: tile.plan.add %a, %b : i8, i64
// CHECK-NEXT: tile.plan.add %a, -1 : i8
// CHECK-NEXT: tile.plan.sub %c, %a : i16, i8
// CHECK-NEXT: tile.plan.sub %c, 3 : i16
// CHECK-NEXT: tile.plan.mul %b, %b : i64, i64
// CHECK-NEXT: tile.plan.mul %b, 128 : i64
// CHECK-NEXT: tile.plan.div %b, %a : i64, i8
// CHECK-NEXT: tile.plan.div %b, 9223372036854775807 : i64
// CHECK-NEXT: tile.plan.cdiv %b, %a : i64, i8
// CHECK-NEXT: tile.plan.cdiv %b, 128 : i64
// CHECK-NEXT: tile.plan.rem %b, %a : i64, i8
// CHECK-NEXT: tile.plan.rem %b, 1 {tag} : i64
// CHECK-NEXT: tile.plan.min %b, %a {tag} : i64, i8
// CHECK-NEXT: tile.plan.min %b, 0 : i64
// CHECK-NEXT: tile.plan.max %b, %a : i64, i8
// CHECK-NEXT: tile.plan.max %b, 1 : i64
// CHECK-NEXT: tile.plan.next_pow2 %a {tag} : i8
tile.launch @arithmetic(%a: i8, %b: i64, %c: i16) {
  %0 = tile.plan.add %a, %b : i8, i64
  %1 = tile.plan.add %a, -1 : i8
  %2 = tile.plan.sub %c, %a : i16, i8
  %3 = tile.plan.sub %c, 3 : i16
  %4 = tile.plan.mul %b, %b : i64, i64
  %5 = tile.plan.mul %b, #BLOCK : i64
  %6 = tile.plan.div %b, %a : i64, i8
  %7 = tile.plan.div %b, 9223372036854775807 : i64
  %8 = tile.plan.cdiv %b, %a : i64, i8
  %9 = tile.plan.cdiv %b, #BLOCK : i64
  %10 = tile.plan.rem %b, %a : i64, i8
  %11 = tile.plan.rem %b, 1 {tag} : i64
  %12 = tile.plan.min %b, %a {tag} : i64, i8
  %13 = tile.plan.min %b, 0 : i64
  %14 = tile.plan.max %b, %a : i64, i8
  %15 = tile.plan.max %b, 1 : i64
  %16 = tile.plan.next_pow2 %a {tag} : i8
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tile.launch @guards(%n: i32, %p: !tile.ptr<f16>) {
// CHECK-NEXT: %[[EQ:.*]] = tile.plan.cmp eq %n, %n : i32, i32
// CHECK-NEXT: %[[NE:.*]] = tile.plan.cmp ne %n, 1 : i32
// CHECK-NEXT: tile.plan.cmp lt %n, -1 : i32
// CHECK-NEXT: tile.plan.cmp le %n, 128 : i32
// CHECK-NEXT: tile.plan.cmp gt %n, 1 : i32
// CHECK-NEXT: tile.plan.cmp ge %n, 1 {tag} : i32
// CHECK-NEXT: tile.plan.aligned %p, 16 {tag} : !tile.ptr<f16>
// CHECK-NEXT: tile.plan.divisible %n, 8 : i32
// CHECK-NEXT: tile.plan.divisible %n, 128 {tag} : i32
// CHECK-NEXT: tile.plan.all %[[EQ]], %[[NE]]
// CHECK-NEXT: tile.plan.all %[[EQ]] {tag}
// CHECK-NEXT: tile.plan.any %[[EQ]], %[[NE]], %[[NE]] {tag}
// CHECK-NEXT: tile.plan.not %[[EQ]]
tile.launch @guards(%n: i32, %p: !tile.ptr<f16>) {
  %0 = tile.plan.cmp eq %n, %n : i32, i32
  %1 = tile.plan.cmp ne %n, 1 : i32
  %2 = tile.plan.cmp lt %n, -1 : i32
  %3 = tile.plan.cmp le %n, #BLOCK : i32
  %4 = tile.plan.cmp gt %n, 1 : i32
  %5 = tile.plan.cmp ge %n, 1 {tag} : i32
  %6 = tile.plan.aligned %p, 16 {tag} : !tile.ptr<f16>
  %7 = tile.plan.divisible %n, 8 : i32
  %8 = tile.plan.divisible %n, #BLOCK {tag} : i32
  %9 = tile.plan.all %0, %1
  %10 = tile.plan.all %0 {tag}
  %11 = tile.plan.any %0, %1, %1 {tag}
  %12 = tile.plan.not %0
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

tile.func @kernel(%p: !tile.ptr<f32>, %n: i32, %x: f32) {
  tile.return
}
tile.func @empty() {
  tile.return
}

// CHECK-LABEL: tile.launch @dispatches(%p: !tile.ptr<f32>, %n: i64, %x: f32) attributes {tag} {
// CHECK-NEXT: %[[C:.*]] = tile.plan.constant 1
// CHECK-NEXT: tile.plan.dispatch @empty grid(%[[C]]) args()
// CHECK-NEXT: tile.plan.dispatch @empty grid(%[[C]], %n) args() {tag}
// CHECK-NEXT: %[[Q:.*]] = tile.plan.scratch %n : i64 -> !tile.ptr<f32>
// CHECK-NEXT: %[[Z:.*]] = tile.plan.scratch %[[C]] zero {tag} : i64 -> !tile.ptr<f32>
// CHECK-NEXT: tile.plan.fill %p, %n, 0 : !tile.ptr<f32>, i64
// CHECK-NEXT: tile.plan.fill %[[Q]], %[[C]], 255 {tag} : !tile.ptr<f32>, i64
// CHECK-NEXT: tile.plan.dispatch @kernel grid(%[[C]], %[[C]], %[[C]]) args(%[[Z]], %n, %x) : !tile.ptr<f32>, i64, f32
tile.launch @dispatches(%p: !tile.ptr<f32>, %n: i64, %x: f32) attributes {tag} {
  %c = tile.plan.constant 1
  tile.plan.dispatch @empty grid(%c) args()
  tile.plan.dispatch @empty grid(%c : i64, %n) args() {tag}
  %q = tile.plan.scratch %n : i64 -> !tile.ptr<f32>
  %z = tile.plan.scratch %c zero {tag} : i64 -> !tile.ptr<f32>
  tile.plan.fill %p, %n, 0 : !tile.ptr<f32>, i64
  tile.plan.fill %q, %c, 255 {tag} : !tile.ptr<f32>, i64
  tile.plan.dispatch @kernel grid(%c, %c, %c) args(%z, %n, %x) : !tile.ptr<f32>, i64, f32
}

// An extent that is no i64 carries its type.
// CHECK-LABEL: tile.launch @narrow_grid
// CHECK: tile.plan.dispatch @empty grid(%n : i32, %m, %k : i8) args()
tile.launch @narrow_grid(%n: i32, %m: i64, %k: i8) {
  tile.plan.dispatch @empty grid(%n : i32, %m : i64, %k : i8) args()
}

// Two choices, the second inside the first; actions between them.
// CHECK-LABEL: tile.launch @variants(%n: i64) {
// CHECK-NEXT: %[[A:.*]] = tile.plan.cmp le %n, 1024 : i64
// CHECK-NEXT: %[[B:.*]] = tile.plan.not %[[A]]
// CHECK-NEXT: tile.plan.variant %[[A]] {
// CHECK-NEXT:   tile.plan.dispatch @empty grid(%n) args()
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.variant %[[B]] {
// CHECK-NEXT:   tile.plan.variant %[[A]] {
// CHECK-NEXT:   }
// CHECK-NEXT:   tile.plan.variant else {
// CHECK-NEXT:     tile.plan.refuse "a row is longer than the block"
// CHECK-NEXT:   } {tag}
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.variant else {
// CHECK-NEXT:   tile.plan.refuse "never" {tag}
// CHECK-NEXT: }
// CHECK-NEXT: tile.plan.dispatch @empty grid(%n) args()
tile.launch @variants(%n: i64) {
  %a = tile.plan.cmp le %n, 1024 : i64
  %b = tile.plan.not %a
  tile.plan.variant %a {
    tile.plan.dispatch @empty grid(%n) args()
  }
  tile.plan.variant %b {
    tile.plan.variant %a {
    }
    tile.plan.variant else {
      tile.plan.refuse "a row is longer than the block"
    } {tag}
  }
  tile.plan.variant else {
    tile.plan.refuse "never" {tag}
  }
  tile.plan.dispatch @empty grid(%n) args()
}

// CHECK-LABEL: tile.launch @nothing() {
// CHECK-NEXT: }
tile.launch @nothing() {}
