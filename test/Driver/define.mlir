// -D overrides parameters while the source is parsed, in both modes.

// RUN: tile-opt %s | FileCheck %s --check-prefix=DEFAULT
// RUN: tile-opt %s -D BLOCK=256 -DT=f16 | FileCheck %s
// RUN: tile-opt %s -D BLOCK=256 -D T=f16 --emit=mlir --stage=tile -o - | FileCheck %s --check-prefix=MODULE
// RUN: not tile-opt %s -D BLOK=256 --emit=mlir -o - 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt %s -D BLOK=256 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt %s -D BLOCK=many --emit=mlir -o - 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tile-opt %s -D BLOCK=many 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tile-opt %s -D BLOCK --emit=mlir -o - 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not tile-opt %s -D BLOCK 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not tile-opt %s -D BLOCK=1 -D BLOCK=2 --emit=mlir -o - 2>&1 | FileCheck %s --check-prefix=TWICE

// DEFAULT: tile.func private @k(%x: !tile.ptr<f32>, %y: tensor<1024xf32>)
// CHECK: tile.func private @k(%x: !tile.ptr<f16>, %y: tensor<256xf16>)
// MODULE: module attributes {tile.parameters = {BLOCK = 256 : i32, T = f16}}
// UNKNOWN: error: -D BLOK=256: expects a parameter of the source: BLOCK, T; did you mean BLOCK?
// TYPE: define.mlir:[[@LINE+4]]:{{[0-9]+}}: error: parameter 'BLOCK' needs an i32, not 'many'
// FORM: error: -D BLOCK: expects NAME=VALUE
// TWICE: error: parameter 'BLOCK' is given twice: 1 and 2

#BLOCK = #tile.param<BLOCK = 1024>
!T = !tile.type_param<T = f32>
tile.func private @k(%x: !tile.ptr<!T>, %y: !tile.t<[#BLOCK], !T>) {
  tile.return
}
