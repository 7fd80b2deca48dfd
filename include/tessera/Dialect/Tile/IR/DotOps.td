//===- DotOps.td - matrix products, atomics and diagnostics of kernels ---*- tablegen -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix products, atomic updates of global memory, inline PTX, and what a
// kernel tells its author at run time.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_DOTOPS_TD
#define TESSERA_DIALECT_TILE_IR_DOTOPS_TD

include "tessera/Dialect/Tile/IR/TileOps.td"

//===----------------------------------------------------------------------===//
// Matrix product
//===----------------------------------------------------------------------===//

def Tile_InputPrecision : I32EnumAttr<"InputPrecision",
    "how a dot of f32 reads its operands", [
    I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"IEEE", 1, "ieee">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_InputPrecisionAttr
    : EnumAttr<Tile_Dialect, Tile_InputPrecision, "precision">;

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product, added to an accumulator";
  let description = [{
    `result[m, n] = acc[m, n] + sum_k a[m, k] * b[k, n]`, for operands of shapes
    MxK and KxN; with three dimensions, the first one is a batch.

    | a, b | acc | products and sums |
    | --- | --- | --- |
    | f16 | f32 or f16 | exact products, sums in the accumulator's type or better |
    | bf16 | f32 | exact products, sums in f32 |
    | f8E4M3FN, f8E5M2, also mixed | f32 | exact products, sums in f32 or a little less: the hardware keeps at least 13 bits of fraction between steps |
    | f32 | f32 | operands rounded to tf32 (10 bits of fraction), or `precision(ieee)`: products and sums in f32 |
    | f64 | f64 | f64 |
    | i8 | i32 | exact, wrapping |

    The order of the sum over k is unspecified.

    ```mlir
    tile.func @dot(%x: f16, %y: f32) {
      %a = tile.splat %x : f16 -> tensor<16x32xf16>
      %b = tile.splat %x : f16 -> tensor<32x64xf16>
      %c = tile.splat %y : f32 -> tensor<16x64xf32>
      %d = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
      %e = tile.splat %y : f32 -> tensor<16x16xf32>
      %f = tile.dot %e, %e, %e precision(ieee) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tensor:$a, Tile_Tensor:$b, Tile_Tensor:$acc,
      DefaultValuedAttr<Tile_InputPrecisionAttr, "InputPrecision::TF32">:$precision);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`precision` `(` custom<KeywordOf>($precision)^ `)`)?
    attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

def Tile_AtomicKind : I32EnumAttr<"AtomicKind", "an atomic update", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"UMax", 3, "umax">,
    I32EnumAttrCase<"UMin", 4, "umin">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">,
    I32EnumAttrCase<"Xchg", 8, "xchg">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_AtomicKindAttr : EnumAttr<Tile_Dialect, Tile_AtomicKind, "atomic">;

def Tile_MemorySemantic : I32EnumAttr<"MemorySemantic", "ordering of an atomic", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">,
    I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">,
    I32EnumAttrCase<"AcqRel", 3, "acq_rel">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_MemorySemanticAttr
    : EnumAttr<Tile_Dialect, Tile_MemorySemantic, "semantic">;

def Tile_MemoryScope : I32EnumAttr<"MemoryScope", "threads that an atomic orders", [
    I32EnumAttrCase<"CTA", 0, "cta">, I32EnumAttrCase<"GPU", 1, "gpu">,
    I32EnumAttrCase<"System", 2, "sys">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_MemoryScopeAttr : EnumAttr<Tile_Dialect, Tile_MemoryScope, "scope">;

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "atomic read, modify and write of global memory";
  let description = [{
    `result[i] = *ptr[i]; *ptr[i] = result[i] op value[i]`, atomically for each
    element whose mask is true; the result of the others is unspecified. Each
    element is updated once, however many threads hold copies of it. `add` takes
    i32, i64, f16, bf16 (sm_90), f32 and f64; the others i32 and i64; `xchg`
    also f32 and f64.
    Elements of one operation are unordered, also when they meet at one address.
    `release` comes after all that the program wrote before, `acquire` before all
    that it reads afterwards, whichever thread does it.

    ```mlir
    tile.func @count(%p: !tile.ptr<i32>, %m: i1) {
      %one = arith.constant 1 : i32
      %before = tile.atomic_rmw add relaxed gpu %p, %one : !tile.ptr<i32>
      %again = tile.atomic_rmw add acq_rel sys %p, %one, %m : !tile.ptr<i32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind,
                       Tile_MemorySemanticAttr:$semantic,
                       Tile_MemoryScopeAttr:$scope, Tile_PtrLike:$ptr,
                       Tile_Any:$value, Optional<Tile_MaskLike>:$mask);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    custom<KeywordOf>($kind) custom<KeywordOf>($semantic)
    custom<KeywordOf>($scope) $ptr `,` $value (`,` $mask^)? attr-dict `:`
    custom<AtomicTypes>(type($ptr), type($value), ref($mask), type($mask), type($result))
  }];
  let hasVerifier = 1;
}

def Tile_AtomicCASOp : Tile_Op<"atomic_cas", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "atomic compare and swap of global memory";
  let description = [{
    `result[i] = *ptr[i]; if (result[i] == compare[i]) *ptr[i] = value[i]`,
    atomically for each element, of type i32 or i64.

    ```mlir
    tile.func @lock(%p: !tile.ptr<i32>) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %before = tile.atomic_cas acquire gpu %p, %zero, %one : !tile.ptr<i32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_MemorySemanticAttr:$semantic,
                       Tile_MemoryScopeAttr:$scope, Tile_PtrLike:$ptr,
                       Tile_Any:$compare, Tile_Any:$value);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    custom<KeywordOf>($semantic) custom<KeywordOf>($scope) $ptr `,` $compare
    `,` $value attr-dict `:`
    custom<CompareTypes>(type($ptr), type($compare), type($value), type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// What a kernel tells its author
//===----------------------------------------------------------------------===//

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "print values at run time";
  let description = [{
    Prints one line for each element, once: the program, the element's index,
    the text and the value. The order of lines is unspecified.

    ```mlir
    tile.func @show(%n: i32) {
      %r = tile.arange : tensor<4xi32>
      tile.print "n", %n : i32
      tile.print "range", %r : tensor<4xi32>
      tile.return
    }
    ```
  }];
  let arguments = (ins StrAttr:$text, Tile_Any:$value);
  let assemblyFormat = "$text `,` $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "stop the kernel when a condition does not hold";
  let description = [{
    When an element is false, the text and the source line are printed and the
    kernel traps: the launch fails.

    ```mlir
    tile.func @check(%n: i32) {
      %zero = arith.constant 0 : i32
      %ok = arith.cmpi sge, %n, %zero : i32
      tile.assert %ok, "n is negative" : i1
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_MaskLike:$condition, StrAttr:$text);
  let assemblyFormat = "$condition `,` $text attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def Tile_InlinePTXOp : Tile_Op<"inline_ptx", [Pure, SameOperandsAndResultShape]> {
  let summary = "PTX for each element";
  let description = [{
    The text is applied to each element: `$0` is the result, `$1`, `$2`, … the
    operands, in registers of their width (16, 32 or 64 bits). It may have no
    effect but its result.

    ```mlir
    tile.func @reverse(%x: i32) {
      %y = tile.inline_ptx "brev.b32 $0, $1;"(%x) : (i32) -> i32
      tile.return
    }
    ```
  }];
  let arguments = (ins StrAttr:$text, Variadic<Tile_Any>:$operands);
  let results = (outs Tile_Any:$result);
  let assemblyFormat =
      "$text `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TILE_IR_DOTOPS_TD
