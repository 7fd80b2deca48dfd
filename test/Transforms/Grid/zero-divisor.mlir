// A source that guards its division: the formulas stand outside the guard, and divide
// by nothing that is zero. The plan of @none always passes a zero, so that verified
// passes see one.

// RUN: tile-opt %s --tile-cta-swizzle="order=grouped group-m=1" --verify-passes=2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-opt %s --tile-cta-swizzle="order=column" --verify-passes=2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-opt %s --tile-cta-swizzle="order=hilbert group-m=8" --verify-passes=2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: tile-opt: 1 changes by passes verified with 4 inputs

// Number 3 has quotient 0 and remainder 3 by 5, -1 and 0 by -3; by 0 the source does
// not divide. The sum of both and the number: 6 = 0 + 3 + 3, 2 = -1 + 0 + 3.
// RUN: tile-run %s --kernel=any 5 --swizzle=grouped:1 | FileCheck %s --check-prefix=FIVE
// RUN: tile-run %s --kernel=any 5 --swizzle=grouped:1 --stage=tile-gpu | FileCheck %s --check-prefix=FIVE
// RUN: tile-run %s --kernel=any -3 --swizzle=hilbert:2 | FileCheck %s --check-prefix=NEGATIVE
// RUN: tile-run %s --kernel=any 0 --swizzle=grouped:4 | FileCheck %s --check-prefix=ZERO
// RUN: tile-run %s --kernel=any 0 --swizzle=column --stage=tile-gpu | FileCheck %s --check-prefix=ZERO
// RUN: tile-run %s --kernel=any 0 --swizzle=hilbert:4 --schedule=persistent --programs-per-sm=1 --num-sms=12 \
// RUN:   | FileCheck %s --check-prefix=ZERO
// RUN: tile-run %s --kernel=any 0 | FileCheck %s --check-prefix=ZERO
// FIVE-DAG: (program 3, 0, 0) sum = 6
// NEGATIVE-DAG: (program 3, 0, 0) sum = 2
// ZERO-DAG: (program 0, 0, 0) sum = -7
// ZERO-DAG: (program 3, 0, 0) sum = -4
// ZERO-DAG: (program 11, 0, 0) sum = 4{{$}}
tile.func @sum_kernel(%n: i32) {
  %pid = tile.program_id x
  %zero = arith.constant 0 : i32
  %has = arith.cmpi ne, %n, %zero : i32
  %sum = scf.if %has -> (i32) {
    %r = arith.divsi %pid, %n : i32
    %c = arith.remsi %pid, %n : i32
    %both = arith.addi %r, %c : i32
    scf.yield %both : i32
  } else {
    %none = arith.constant -7 : i32
    scf.yield %none : i32
  }
  %all = arith.addi %sum, %pid : i32
  tile.print "sum", %all : i32
  tile.return
}
tile.launch @any(%n: i32) {
  %tiles = tile.plan.constant 12
  tile.plan.dispatch @sum_kernel grid(%tiles) args(%n) : i32
}
tile.launch @none() {
  %tiles = tile.plan.constant 12
  %zero = tile.plan.constant 0
  tile.plan.dispatch @sum_kernel grid(%tiles) args(%zero) : i64
}
