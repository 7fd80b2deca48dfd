// RUN: tile-opt %s --emit=ptx --target=sm_90a -o - | FileCheck %s
// RUN: not tile-opt %s --emit=ptx --target=sm_89 -o - 2>&1 | FileCheck %s --check-prefix=SM89 --implicit-check-not=error:
// RUN: not tile-opt %s --emit=ptx --target=sm_89 --min-ctas=4 -o - 2>&1 | FileCheck %s --check-prefix=SM89 --implicit-check-not=min-ctas

// CHECK: atom.relaxed.gpu.global.add.noftz.bf16
// SM89: atomic-bf16.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: sm_89 has no atomic add of bf16

tile.func @sum_kernel(%p: !tile.ptr<bf16>) {
  %one = arith.constant 1.0 : bf16
  %old = tile.atomic_rmw add relaxed gpu %p, %one : !tile.ptr<bf16>
  tile.return
}
