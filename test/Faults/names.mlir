// Names: characters that PTX does not have, names that mean something in it, two
// kernels in a file, arguments of one name. The manifest has the source's names.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t.json
// RUN: %if ptxas %{ tile-opt %s --emit=cubin -o %t.cubin && %python %S/Inputs/no_spills.py %t.json | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: 6 kernels

// CHECK: .entry a_b{{[a-z_]*\$h[0-9a-f]+}}(
// CHECK-NOT: .entry a-b
// MANIFEST: "name": "a-b.c d_kernel",
// MANIFEST-NEXT: "symbol": "[[SYMBOL:[A-Za-z_][A-Za-z0-9_$]*]]",
tile.func @"a-b.c d_kernel"(%x: !tile.ptr<f32>, %n: f32) {
  tile.store %x, %n : !tile.ptr<f32>
  tile.return
}

// The second kernel of a file, whose name differs from the first one's in what PTX
// does not have.
// CHECK: .entry a_b{{[a-z_]*\$h[0-9a-f]+}}(
// MANIFEST: "name": "a+b.c d_kernel",
// MANIFEST-NOT: "symbol": "[[SYMBOL]]"
tile.func @"a+b.c d_kernel"(%x: !tile.ptr<f32>, %n: f32) {
  tile.store %x, %n : !tile.ptr<f32>
  tile.return
}

// Not ASCII, and a quotation mark.
// CHECK: .entry {{[A-Za-z_][A-Za-z0-9_]*\$h[0-9a-f]+}}(
// MANIFEST: "name": "größe\"_kernel",
tile.func @"gr\C3\B6\C3\9Fe\22_kernel"(%x: !tile.ptr<f32>, %n: f32) {
  tile.store %x, %n : !tile.ptr<f32>
  tile.return
}

// What means something in PTX: an instruction, a special register's name, and a digit
// in front.
// CHECK: .entry {{[A-Za-z_][A-Za-z0-9_$]*}}(
// CHECK: .entry {{[A-Za-z_][A-Za-z0-9_$]*}}(
// CHECK: .entry {{[A-Za-z_][A-Za-z0-9_$]*}}(
// MANIFEST: "name": "%tid",
// MANIFEST: "name": "ret",
// MANIFEST: "name": "2d",
tile.func @"%tid"(%x: !tile.ptr<f32>, %n: f32) {
  tile.store %x, %n : !tile.ptr<f32>
  tile.return
}
tile.func @ret(%x: !tile.ptr<f32>, %n: f32) {
  tile.store %x, %n : !tile.ptr<f32>
  tile.return
}
tile.func @"2d"(%reg: !tile.ptr<f32>, %entry: f32) {
  tile.store %reg, %entry : !tile.ptr<f32>
  tile.return
}
