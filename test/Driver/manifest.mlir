// The launch plan as JSON: operands before users, one node for each value and
// each constant, grids padded to three extents, scratch memory by number.

// RUN: tile-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.json
// RUN: tile-opt %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// CHECK:      {
// CHECK-NEXT:   "format": "tessera-manifest",
// CHECK-NEXT:   "version": 1,
// CHECK-NEXT:   "target": "sm_90a",
// CHECK-NEXT:   "ptxas": null,
// CHECK-NEXT:   "parameters": {
// CHECK-NEXT:     "BLOCK": 1024,
// CHECK-NEXT:     "T": "f32"
// CHECK-NEXT:   },
// CHECK-NEXT:   "output": "manifest.mlir.tmp.ptx",

// CHECK:      "name": "k",
// CHECK-NEXT: "symbol": "k",
// CHECK:        "name": "x",
// CHECK-NEXT:   "type": "ptr<f32>"
// CHECK:        "name": "n",
// CHECK-NEXT:   "type": "i32"
// CHECK:      "num_warps": 4,
// CHECK-NEXT: "dynamic_shared_bytes": 512,
// 64 x f32
// CHECK-NEXT: "static_shared_bytes": 256,
// CHECK-NEXT: "registers": null,
// CHECK-NEXT: "spill_store_bytes": null,
// CHECK-NEXT: "spill_load_bytes": null,
// CHECK-NEXT: "stack_bytes": null

// CHECK: "entries": [
// CHECK:   "name": "entry",
// CHECK:   "nodes": [
// Node 0: the address, 1: its alignment, 2: n, 3: its divisibility, 4: both.
// CHECK:        "op": "arg",
// CHECK-NEXT:   "index": 0
// CHECK:        "op": "aligned",
// CHECK-NEXT:   "args": [
// CHECK-NEXT:     0
// CHECK-NEXT:   ],
// CHECK-NEXT:   "bytes": 16
// CHECK:        "op": "arg",
// CHECK-NEXT:   "index": 1
// CHECK:        "op": "divisible",
// CHECK-NEXT:   "args": [
// CHECK-NEXT:     2
// CHECK-NEXT:   ],
// CHECK-NEXT:   "by": 8
// CHECK:        "op": "all",
// CHECK-NEXT:   "args": [
// CHECK-NEXT:     1,
// CHECK-NEXT:     3
// CHECK-NEXT:   ]
// Node 5: the constant 4, 6: n * 4, 7: the constant 1024, 8: the grid.
// CHECK:        "op": "const",
// CHECK-NEXT:   "value": 4
// CHECK:        "op": "mul",
// CHECK-NEXT:   "args": [
// CHECK-NEXT:     2,
// CHECK-NEXT:     5
// CHECK:        "op": "const",
// CHECK-NEXT:   "value": 1024
// CHECK:        "op": "cdiv",
// CHECK-NEXT:   "args": [
// CHECK-NEXT:     2,
// CHECK-NEXT:     7
// Node 9: the caller's grid, 10: the padding of grids, 11: a comparison with the
// same 1024.
// CHECK:        "op": "caller_grid",
// CHECK-NEXT:   "dim": 1
// CHECK:        "op": "const",
// CHECK-NEXT:   "value": 1
// CHECK:        "op": "cmp",
// CHECK-NEXT:   "predicate": "le",
// CHECK-NEXT:   "args": [
// CHECK-NEXT:     2,
// CHECK-NEXT:     7
// CHECK-NEXT:   ]
// CHECK-NOT:    "op":
// CHECK: "body": [
// CHECK:        "do": "variants",
// CHECK-NEXT:   "cases": [
// CHECK:          "guard": 4,
// CHECK:            "do": "scratch",
// CHECK-NEXT:       "id": 0,
// CHECK-NEXT:       "bytes": 6,
// CHECK-NEXT:       "zero": true
// CHECK:            "do": "fill",
// CHECK-NEXT:       "pointer": {
// CHECK-NEXT:         "scratch": 0
// CHECK-NEXT:       },
// CHECK-NEXT:       "bytes": 6,
// CHECK-NEXT:       "value": 255
// CHECK:            "do": "dispatch",
// CHECK-NEXT:       "kernel": "k",
// CHECK-NEXT:       "grid": [
// CHECK-NEXT:         8,
// CHECK-NEXT:         9,
// CHECK-NEXT:         10
// CHECK-NEXT:       ],
// CHECK:              "scratch": 0
// CHECK:              "arg": 1
// CHECK:          "guard": 11,
// CHECK:            "do": "dispatch",
// CHECK:            "grid": [
// CHECK-NEXT:         8,
// CHECK-NEXT:         10,
// CHECK-NEXT:         10
// CHECK:              "arg": 0
// CHECK:              "node": 6
// CHECK:          "guard": null,
// CHECK:            "do": "refuse",
// CHECK-NEXT:       "text": "a \"long\" row"

// PTX:     .extern .shared .align 16 .b8 dynamic[];
// PTX:     .visible .entry k(
// PTX:     .reqntid 128
// PTX-NOT: .debug_info
// PTX:     .file 1 "manifest.mlir", 1, 0
module attributes {tile.parameters = {BLOCK = 1024 : i32, T = f32}} {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<64 x f32>
  llvm.func @k(%x: !llvm.ptr<1> {tile.name = "x", tile.type = !tile.ptr<f32>},
               %n: i32 {tile.name = "n", tile.type = i32})
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>,
                  tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 512 : i32} {
    %dynamic = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %table = llvm.mlir.addressof @table : !llvm.ptr<3>
    %a = llvm.load volatile %dynamic : !llvm.ptr<3> -> f32
    %b = llvm.load volatile %table : !llvm.ptr<3> -> f32
    %sum = llvm.fadd %a, %b : f32
    llvm.store %sum, %x : f32, !llvm.ptr<1>
    llvm.return
  }
  tile.launch @entry(%x: !tile.ptr<f32>, %n: i32, %scale: f32) {
    %grid = tile.plan.cdiv %n, 1024 : i32
    %aligned = tile.plan.aligned %x, 16 : !tile.ptr<f32>
    %divisible = tile.plan.divisible %n, 8 : i32
    %fast = tile.plan.all %aligned, %divisible
    %short = tile.plan.cmp le %n, 1024 : i32
    %caller = tile.plan.caller_grid y
    %bytes = tile.plan.mul %n, 4 : i32
    tile.plan.variant %fast {
      %scratch = tile.plan.scratch %bytes zero : i64 -> !tile.ptr<f32>
      tile.plan.fill %scratch, %bytes, 255 : !tile.ptr<f32>, i64
      tile.plan.dispatch @k grid(%grid, %caller : i64) args(%scratch, %n) : !tile.ptr<f32>, i32
    }
    tile.plan.variant %short {
      tile.plan.dispatch @k grid(%grid) args(%x, %bytes) : !tile.ptr<f32>, i64
    }
    tile.plan.variant else {
      tile.plan.refuse "a \"long\" row"
    }
  }
}
