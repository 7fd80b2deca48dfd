//===- TileOps.td - operations of kernels ---*- tablegen -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Program ids, shape operations, global memory, reductions and functions.
// Semantics follow Triton's TTIR wherever it has the operation.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_TILEOPS_TD
#define TESSERA_DIALECT_TILE_IR_TILEOPS_TD

include "tessera/Dialect/Tile/IR/TileBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// The program and its grid
//===----------------------------------------------------------------------===//

class Tile_GridOp<string mnemonic> : Tile_Op<mnemonic,
    [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<KeywordOf>($axis) attr-dict";
}

def Tile_ProgramIdOp : Tile_GridOp<"program_id"> {
  let summary = "index of this program along an axis of the grid";
  let description = [{
    Result: an i32 in [0, num_programs(axis)).

    ```mlir
    tile.func @ids() {
      %pid = tile.program_id x
      tile.return
    }
    ```
  }];
}

def Tile_NumProgramsOp : Tile_GridOp<"num_programs"> {
  let summary = "number of programs along an axis of the grid";
  let description = [{
    Result: an i32, at least 1.

    ```mlir
    tile.func @count() {
      %n = tile.num_programs y
      tile.return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

def Tile_ArangeOp : Tile_Op<"arange", [Pure]> {
  let summary = "consecutive integers";
  let description = [{
    `result[i] = start + i`, for a 1-D tensor of i32; start is 0 unless given.
    The last value must be an i32.

    ```mlir
    tile.func @arange() {
      %cols = tile.arange : tensor<128xi32>
      %next = tile.arange 128 : tensor<128xi32>
      tile.return
    }
    ```
  }];
  let arguments = (ins DefaultValuedAttr<I32Attr, "0">:$start);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "(custom<Start>($start)^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tensor whose elements are all one scalar";
  let description = [{
    `result[i...] = src`. The types agree in their element type.

    ```mlir
    tile.func @splat(%x: f32) {
      %t = tile.splat %x : f32 -> tensor<4x8xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_ElementType:$src);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure]> {
  let summary = "insert a dimension of size 1";
  let description = [{
    The result's shape is the source's with a 1 inserted at `axis`.

    ```mlir
    tile.func @expand(%x: f32) {
      %row = tile.splat %x : f32 -> tensor<64xf32>
      %col = tile.expand_dims %row, 1 : tensor<64xf32> -> tensor<64x1xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tensor:$src, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat =
      "$src `,` custom<I32>($axis) attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeat dimensions of size 1";
  let description = [{
    Source and result have one rank; each source dimension is 1 or equals the
    result's.

    ```mlir
    tile.func @broadcast(%x: f32) {
      %col = tile.splat %x : f32 -> tensor<64x1xf32>
      %all = tile.broadcast %col : tensor<64x1xf32> -> tensor<64x32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tensor:$src);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in another shape";
  let description = [{
    Elements keep their row-major order; the numbers of elements agree.

    ```mlir
    tile.func @reshape(%x: f32) {
      %a = tile.splat %x : f32 -> tensor<64xf32>
      %b = tile.reshape %a : tensor<64xf32> -> tensor<4x16xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tensor:$src);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_TransOp : Tile_Op<"trans", [Pure]> {
  let summary = "permute dimensions";
  let description = [{
    `result.shape[d] = src.shape[order[d]]`; order is a permutation.

    ```mlir
    tile.func @trans(%x: f32) {
      %a = tile.splat %x : f32 -> tensor<4x16xf32>
      %b = tile.trans %a, [1, 0] : tensor<4x16xf32> -> tensor<16x4xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat =
      "$src `,` $order attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

def Tile_ConvertOp : Tile_Op<"convert", [Pure, SameOperandsAndResultShape]> {
  let summary = "convert between float types, or equal types";
  let description = [{
    Converts each element of a float type. Widening is exact; narrowing rounds
    once, from any type, to nearest even (`rtne`, the default) or towards zero
    (`rtz`). Overflow gives infinity with `rtne`, the largest finite number with
    `rtz`. A NaN stays a NaN, of unspecified sign and payload.

    Narrowing to `f8E4M3FN` and `f8E5M2` saturates, as `cvt.rn.satfinite` of PTX
    does: a number beyond the largest finite one (448 and 57344), an infinity
    included, becomes that one with its sign; a NaN stays a NaN. This is so
    between the two 8-bit types as well. Such a conversion rounds to nearest
    even: `rtz` is an error. Widening keeps the infinities of `f8E5M2`.

    Equal types of any kind are accepted, so that one source serves several
    element types.

    ```mlir
    tile.func @convert(%x: f32) {
      %h = tile.convert %x : f32 -> f16
      %z = tile.convert %x rtz : f32 -> bf16
      %s = tile.convert %x : f32 -> f32
      %q = tile.convert %x : f32 -> f8E4M3FN
      %w = tile.convert %q : f8E4M3FN -> f16
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Any:$src,
                       DefaultValuedAttr<Tile_RoundingAttr, "Rounding::RTNE">:$rounding);
  let results = (outs Tile_Any:$result);
  let assemblyFormat =
      "$src (custom<Rounding>($rounding)^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "advance pointers by a number of elements";
  let description = [{
    `result = ptr + offset * sizeof(T)`, elementwise, the offset being signed
    and counted in elements. The offset's chain of add, sub, mul and extension
    is evaluated in 64 bits. An i1 element takes one byte.

    ```mlir
    tile.func @advance(%p: !tile.ptr<f32>, %n: i32) {
      %q = tile.addptr %p, %n : !tile.ptr<f32>, i32
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_IntLike:$offset);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_LoadOp : Tile_Op<"load", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    // Effects depend on `volatile`.
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read global memory";
  let description = [{
    `result[i] = mask[i] ? *ptr[i] : other[i]`. Where the mask is false memory
    is not touched and the pointer may be invalid. Without `other` masked-off
    elements are unspecified. The mask and `other` are shaped as the pointers.
    Hints: `cache(ca|cg|cs|cv)` are PTX's cache operators, `evict(...)` the L1
    eviction priority; they never change a result. `volatile` loads are
    neither removed nor merged.

    **Order.** A load does not reliably see what the same program stored to the
    address before: another of its threads may have made the store, and nothing
    makes the one wait for the other. Reading it takes a separate launch, or
    atomic updates of the address in place of the store and the load.

    ```mlir
    tile.func @load(%p: !tile.ptr<f32>, %m: i1, %o: f32) {
      %a = tile.load %p : !tile.ptr<f32>
      %b = tile.load %p, %m, %o cache(cg) evict(evict_first) : !tile.ptr<f32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Optional<Tile_MaskLike>:$mask,
                       Optional<Tile_Any>:$other,
                       OptionalAttr<Tile_CacheHintAttr>:$cache,
                       OptionalAttr<Tile_EvictionHintAttr>:$evict,
                       UnitAttr:$isVolatile);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? (`cache` `(` custom<KeywordOf>($cache)^ `)`)?
    (`evict` `(` custom<KeywordOf>($evict)^ `)`)? (`volatile` $isVolatile^)?
    attr-dict `:`
    custom<PointerAndFriends>(type($ptr), ref($mask), type($mask), ref($other), type($other))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "write global memory";
  let description = [{
    `if mask[i]: *ptr[i] = value[i]`. Elements of one store that write one
    address must write one value. `cache(wb|cg|cs|wt)` are PTX's operators.

    Each element is stored by one of the threads that hold copies of it, a
    scalar by the first thread of the program. Two stores of a program to one
    address are unordered, and so are a store and a load (see `tile.load`).

    ```mlir
    tile.func @store(%p: !tile.ptr<f32>, %v: f32, %m: i1) {
      tile.store %p, %v : !tile.ptr<f32>
      tile.store %p, %v, %m cache(cs) : !tile.ptr<f32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_Any:$value,
                       Optional<Tile_MaskLike>:$mask,
                       OptionalAttr<Tile_CacheHintAttr>:$cache,
                       OptionalAttr<Tile_EvictionHintAttr>:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? (`cache` `(` custom<KeywordOf>($cache)^ `)`)?
    (`evict` `(` custom<KeywordOf>($evict)^ `)`)? attr-dict `:`
    custom<StoreTypes>(type($ptr), type($value), ref($mask), type($mask))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Tile_ReduceOp : Tile_Op<"reduce", [
    Pure, SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"ReduceReturnOp">]> {
  let summary = "combine the elements along one dimension";
  let description = [{
    Reduces each source along `axis` with the combine region, which takes one
    accumulator for each source, then one element for each, and returns the
    new accumulators. Sources have one shape; results have it without `axis`,
    and are scalars when nothing is left. The combine function has to be
    associative and commutative; **the order is unspecified**. With a single
    operation the region may be named instead of written.

    ```mlir
    tile.func @reduce(%x: f32, %i: i32) {
      %t = tile.splat %x : f32 -> tensor<4x64xf32>
      %j = tile.splat %i : i32 -> tensor<4x64xi32>
      %sum = tile.reduce %t axis 1 with arith.addf : (tensor<4x64xf32>) -> tensor<4xf32>
      %max, %arg = tile.reduce %t, %j axis 1 : (tensor<4x64xf32>, tensor<4x64xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
      ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
        %gt = arith.cmpf ogt, %a, %b : f32
        %eq = arith.cmpf oeq, %a, %b : f32
        %lt = arith.cmpi slt, %ai, %bi : i32
        %tie = arith.andi %eq, %lt : i1
        %first = arith.ori %gt, %tie : i1
        %v = arith.select %first, %a, %b : f32
        %vi = arith.select %first, %ai, %bi : i32
        tile.reduce.return %v, %vi : f32, i32
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<Tile_Any>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ReduceReturnOp : Tile_Op<"reduce.return",
    [Pure, Terminator, ReturnLike, HasParent<"ReduceOp">]> {
  let summary = "the results of a combine region";
  let description = [{
    See `tile.reduce`.
  }];
  let arguments = (ins Variadic<Tile_ElementType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), "">];
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Tile_FuncOp : Tile_Op<"func", [
    FunctionOpInterface, IsolatedFromAbove,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "a kernel, or a function that kernels call";
  let description = [{
    A public function without results is a kernel; private ones may return
    values and are inlined into their callers (recursion is refused). Facts
    about arguments are attributes (see the dialect). `tile.num_warps` fixes
    the number of warps of a program: a power of two from 1 to 32; without it
    the compiler chooses.

    ```mlir
    tile.func private @twice(%x: f32) -> f32 {
      %y = arith.addf %x, %x : f32
      tile.return %y : f32
    }
    tile.func @kernel(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32})
        attributes {tile.num_warps = 4 : i32} {
      %a = tile.load %p : !tile.ptr<f32>
      %b = tile.call @twice(%a) : (f32) -> f32
      tile.store %p, %b : !tile.ptr<f32>
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// Whether this function is launched rather than called.
    bool isKernel() { return isPublic(); }
  }];
}

def Tile_ReturnOp : Tile_Op<"return",
    [Pure, Terminator, ReturnLike, HasParent<"FuncOp">]> {
  let summary = "end of a function";
  let description = [{
    Operands agree with the function's results; a kernel has none.

    ```mlir
    tile.func private @same(%x: f32) -> f32 {
      tile.return %x : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Any>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def Tile_CallOp : Tile_Op<"call", [
    CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of a private function";
  let description = [{
    Types agree with the callee's. Calls are inlined.

    ```mlir
    tile.func private @id(%x: i32) -> i32 {
      tile.return %x : i32
    }
    tile.func @caller(%n: i32) {
      %m = tile.call @id(%n) : (i32) -> i32
      tile.return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Tile_Any>:$operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<Tile_Any>:$results);
  let assemblyFormat =
      "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() {
      return getOperandsMutable();
    }
  }];
}

#endif // TESSERA_DIALECT_TILE_IR_TILEOPS_TD
