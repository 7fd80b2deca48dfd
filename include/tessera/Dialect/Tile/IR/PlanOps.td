//===- PlanOps.td - the launch plan ---*- tablegen -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch plan says how a public entry turns into kernel launches: integers
// computed from its arguments, guards, variants and dispatches. It is
// serialised into the manifest and evaluated by the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_PLANOPS_TD
#define TESSERA_DIALECT_TILE_IR_PLANOPS_TD

include "tessera/Dialect/Tile/IR/DescOps.td"
include "tessera/Dialect/Tile/IR/DotOps.td"

def Tile_PlanInt : AnyTypeOf<[I8, I16, I32, I64],
    "an integer of a launch plan">;
def Tile_PlanArg : AnyTypeOf<[Tile_ElementType, Tile_TensorMap],
    "a launch argument">;

class Tile_PlanOp<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, "plan." # mnemonic,
         traits # [ParentOneOf<["LaunchOp", "PlanVariantOp"]>]>;

def Tile_LaunchOp : Tile_Op<"launch", [
    FunctionOpInterface, IsolatedFromAbove, NoTerminator,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    SingleBlock, HasParent<"::mlir::ModuleOp">]> {
  let summary = "launch plan of a public entry";
  let description = [{
    The entry's name is the plan's symbol. The body holds `tile.plan.*`
    operations only: integer arithmetic on checked i64 (smaller integers are
    widened, overflow is an error of the launch), guards, and actions, which
    run in order. There are no loops. A run of adjacent `tile.plan.variant`
    operations is one choice: the first true guard wins, and the last variant
    is an `else`.

    ```mlir
    tile.func @add_kernel(%x: !tile.ptr<f32>, %n: i32) {
      tile.return
    }
    tile.launch @add(%x: !tile.ptr<f32>, %n: i32) {
      %g = tile.plan.cdiv %n, 1024 : i32
      tile.plan.dispatch @add_kernel grid(%g) args(%x, %n) : !tile.ptr<f32>, i32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
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
  }];
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def Tile_PlanConstantOp : Tile_PlanOp<"constant", [Pure]> {
  let summary = "an integer";
  let description = [{
    ```mlir
    tile.launch @constant() {
      %c = tile.plan.constant 4
    }
    ```
  }];
  let arguments = (ins I64Attr:$value);
  let results = (outs I64:$result);
  let assemblyFormat = "custom<PlanConstant>($value) attr-dict";
}

def Tile_PlanCallerGridOp : Tile_PlanOp<"caller_grid", [Pure]> {
  let summary = "an extent of the grid that the caller gives";
  let description = [{
    A launch without a grid is then an error.

    ```mlir
    tile.launch @caller_grid() {
      %g = tile.plan.caller_grid x
    }
    ```
  }];
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "custom<KeywordOf>($axis) attr-dict";
}

def Tile_PlanNumSMsOp : Tile_PlanOp<"num_sms", [Pure]> {
  let summary = "number of multiprocessors of the device launched on";
  let description = [{
    ```mlir
    tile.launch @sms() {
      %s = tile.plan.num_sms
    }
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_PlanResidentCTAsOp : Tile_PlanOp<"resident_ctas", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "CTAs of a kernel that a multiprocessor holds at one time";
  let description = [{
    At least 1. Known when ptxas has said how many registers the kernel takes;
    the manifest has the number. Without ptxas (`--emit=ptx`) registers are left
    out of account.

    ```mlir
    tile.func @k() {
      tile.return
    }
    tile.launch @resident() {
      %sms = tile.plan.num_sms
      %ctas = tile.plan.resident_ctas @k
      %grid = tile.plan.mul %sms, %ctas : i64, i64
      tile.plan.dispatch @k grid(%grid) args()
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel);
  let results = (outs I64:$result);
  let assemblyFormat = "$kernel attr-dict";
}

// The second operand is a value or an integer attribute, so that block sizes
// need no constant of their own.
class Tile_PlanBinaryOp<string mnemonic, string text> : Tile_PlanOp<mnemonic, [Pure]> {
  let summary = text;
  let arguments = (ins Tile_PlanInt:$lhs, Optional<Tile_PlanInt>:$rhs,
                       OptionalAttr<I64Attr>:$constant);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $lhs `,` custom<ValueOrConstant>($rhs, $constant) attr-dict `:`
    custom<PlanTypes>(type($lhs), ref($rhs), type($rhs))
  }];
  let hasVerifier = 1;
}

def Tile_PlanAddOp : Tile_PlanBinaryOp<"add", "checked sum"> {
  let description = [{
    Overflow of i64 is an error of the launch.

    ```mlir
    tile.launch @add(%a: i32, %b: i64) {
      %c = tile.plan.add %a, %b : i32, i64
      %d = tile.plan.add %c, 1 : i64
    }
    ```
  }];
}
def Tile_PlanSubOp : Tile_PlanBinaryOp<"sub", "checked difference"> {
  let description = [{
    ```mlir
    tile.launch @sub(%a: i32) {
      %c = tile.plan.sub %a, 1 : i32
    }
    ```
  }];
}
def Tile_PlanMulOp : Tile_PlanBinaryOp<"mul", "checked product"> {
  let description = [{
    ```mlir
    tile.launch @mul(%a: i32, %b: i32) {
      %c = tile.plan.mul %a, %b : i32, i32
    }
    ```
  }];
}
def Tile_PlanDivOp : Tile_PlanBinaryOp<"div", "quotient, rounded down"> {
  let description = [{
    The divisor has to be positive.

    ```mlir
    tile.launch @div(%a: i32) {
      %c = tile.plan.div %a, 2 : i32
    }
    ```
  }];
}
def Tile_PlanCDivOp : Tile_PlanBinaryOp<"cdiv", "quotient, rounded up"> {
  let description = [{
    The divisor has to be positive.

    ```mlir
    tile.launch @cdiv(%a: i32) {
      %c = tile.plan.cdiv %a, 128 : i32
    }
    ```
  }];
}
def Tile_PlanRemOp : Tile_PlanBinaryOp<"rem", "remainder of `div`"> {
  let description = [{
    The divisor has to be positive; so is the result, or zero.

    ```mlir
    tile.launch @rem(%a: i32) {
      %c = tile.plan.rem %a, 128 : i32
    }
    ```
  }];
}
def Tile_PlanMinOp : Tile_PlanBinaryOp<"min", "the smaller integer"> {
  let description = [{
    ```mlir
    tile.launch @min(%a: i32, %b: i32) {
      %c = tile.plan.min %a, %b : i32, i32
    }
    ```
  }];
}
def Tile_PlanMaxOp : Tile_PlanBinaryOp<"max", "the larger integer"> {
  let description = [{
    ```mlir
    tile.launch @max(%a: i32, %b: i32) {
      %c = tile.plan.max %a, %b : i32, i32
    }
    ```
  }];
}

def Tile_PlanNextPow2Op : Tile_PlanOp<"next_pow2", [Pure]> {
  let summary = "the smallest power of two that is not less";
  let description = [{
    1 for values of at most 1.

    ```mlir
    tile.launch @next_pow2(%n: i32) {
      %c = tile.plan.next_pow2 %n : i32
    }
    ```
  }];
  let arguments = (ins Tile_PlanInt:$value);
  let results = (outs I64:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

def Tile_PlanCmpOp : Tile_PlanOp<"cmp", [Pure]> {
  let summary = "comparison of integers";
  let description = [{
    Predicates: eq, ne, lt, le, gt, ge.

    ```mlir
    tile.launch @cmp(%n: i32) {
      %fits = tile.plan.cmp le %n, 1024 : i32
    }
    ```
  }];
  let arguments = (ins Tile_PlanPredicateAttr:$predicate, Tile_PlanInt:$lhs,
                       Optional<Tile_PlanInt>:$rhs, OptionalAttr<I64Attr>:$constant);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    custom<KeywordOf>($predicate) $lhs `,` custom<ValueOrConstant>($rhs, $constant) attr-dict `:`
    custom<PlanTypes>(type($lhs), ref($rhs), type($rhs))
  }];
  let hasVerifier = 1;
}

def Tile_PlanAlignedOp : Tile_PlanOp<"aligned", [Pure]> {
  let summary = "whether an address is a multiple of a power of two";
  let description = [{
    ```mlir
    tile.launch @aligned(%p: !tile.ptr<f32>) {
      %ok = tile.plan.aligned %p, 16 : !tile.ptr<f32>
    }
    ```
  }];
  let arguments = (ins Tile_ScalarPtr:$pointer, I64Attr:$bytes);
  let results = (outs I1:$result);
  let assemblyFormat =
      "$pointer `,` custom<PlanConstant>($bytes) attr-dict `:` type($pointer)";
  let hasVerifier = 1;
}

def Tile_PlanDivisibleOp : Tile_PlanOp<"divisible", [Pure]> {
  let summary = "whether an integer is a multiple of a positive one";
  let description = [{
    ```mlir
    tile.launch @divisible(%n: i32) {
      %ok = tile.plan.divisible %n, 8 : i32
    }
    ```
  }];
  let arguments = (ins Tile_PlanInt:$value, I64Attr:$by);
  let results = (outs I1:$result);
  let assemblyFormat =
      "$value `,` custom<PlanConstant>($by) attr-dict `:` type($value)";
  let hasVerifier = 1;
}

class Tile_PlanLogicOp<string mnemonic, string text> : Tile_PlanOp<mnemonic, [Pure]> {
  let summary = text;
  let arguments = (ins Variadic<I1>:$operands);
  let results = (outs I1:$result);
  let assemblyFormat = "$operands attr-dict";
  // Without operands the assembly would take the next operation's result.
  let hasVerifier = 1;
}

def Tile_PlanAllOp : Tile_PlanLogicOp<"all", "whether all guards hold"> {
  let description = [{
    Evaluated from left to right, up to the first that does not hold.

    ```mlir
    tile.launch @all(%m: i32, %n: i32) {
      %a = tile.plan.divisible %m, 8 : i32
      %b = tile.plan.divisible %n, 8 : i32
      %ok = tile.plan.all %a, %b
    }
    ```
  }];
}
def Tile_PlanAnyOp : Tile_PlanLogicOp<"any", "whether some guard holds"> {
  let description = [{
    Evaluated from left to right, up to the first that holds.

    ```mlir
    tile.launch @any(%m: i32, %n: i32) {
      %a = tile.plan.divisible %m, 8 : i32
      %b = tile.plan.divisible %n, 8 : i32
      %ok = tile.plan.any %a, %b
    }
    ```
  }];
}
def Tile_PlanNotOp : Tile_PlanOp<"not", [Pure]> {
  let summary = "whether a guard does not hold";
  let description = [{
    ```mlir
    tile.launch @not(%n: i32) {
      %a = tile.plan.divisible %n, 8 : i32
      %ragged = tile.plan.not %a
    }
    ```
  }];
  let arguments = (ins I1:$operand);
  let results = (outs I1:$result);
  let assemblyFormat = "$operand attr-dict";
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

def Tile_PlanVariantOp : Tile_PlanOp<"variant", [NoTerminator, SingleBlock]> {
  let summary = "actions under a guard";
  let description = [{
    Adjacent variants form one choice, ended by an `else`.

    ```mlir
    tile.func @k() {
      tile.return
    }
    tile.launch @variant(%n: i32) {
      %ok = tile.plan.cmp le %n, 1024 : i32
      tile.plan.variant %ok {
        %c = tile.plan.constant 1
        tile.plan.dispatch @k grid(%c) args()
      }
      tile.plan.variant else {
        tile.plan.refuse "a row is longer than the block"
      }
    }
    ```
  }];
  let arguments = (ins Optional<I1>:$guard);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Guard>($guard) $body attr-dict";
}

def Tile_PlanRefuseOp : Tile_PlanOp<"refuse"> {
  let summary = "end the launch with an error";
  let description = [{
    The text is the runtime's error message.

    ```mlir
    tile.launch @refuse() {
      tile.plan.refuse "not supported"
    }
    ```
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

def Tile_PlanScratchOp : Tile_PlanOp<"scratch"> {
  let summary = "device memory for the time of this launch";
  let description = [{
    `bytes` of memory, aligned to 256 bytes, filled with zeros when `zero` is
    given; released, in stream order, after the last dispatch.

    ```mlir
    tile.launch @scratch(%n: i32) {
      %b = tile.plan.mul %n, 4 : i32
      %s = tile.plan.scratch %b zero : i64 -> !tile.ptr<f32>
    }
    ```
  }];
  let arguments = (ins Tile_PlanInt:$bytes, UnitAttr:$zero);
  let results = (outs Tile_ScalarPtr:$result);
  let assemblyFormat =
      "$bytes (`zero` $zero^)? attr-dict `:` type($bytes) `->` type($result)";
}

def Tile_PlanFillOp : Tile_PlanOp<"fill"> {
  let summary = "set bytes of device memory";
  let description = [{
    Sets `bytes` bytes at the pointer to `value` (0 to 255), in stream order.

    ```mlir
    tile.launch @fill(%p: !tile.ptr<f32>, %n: i32) {
      %b = tile.plan.mul %n, 4 : i32
      tile.plan.fill %p, %b, 0 : !tile.ptr<f32>, i64
    }
    ```
  }];
  let arguments = (ins Tile_ScalarPtr:$pointer, Tile_PlanInt:$bytes, I64Attr:$value);
  let assemblyFormat = [{
    $pointer `,` $bytes `,` custom<PlanConstant>($value) attr-dict `:`
    type($pointer) `,` type($bytes)
  }];
  let hasVerifier = 1;
}

def Tile_PlanTensorMapOp : Tile_PlanOp<"tensor_map", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "a tensor map for a kernel";
  let description = [{
    The tensor at `pointer` with these extents and strides, in elements, as many
    as the map has dimensions. It is an error of the launch unless the address
    is a multiple of 16 bytes, extents are from 0 to 2^32, the last stride is 1
    and the others are positive multiples of 16 bytes below 2^40 bytes: guards
    see to that. With an extent of 0 the kernel gets a map that it must not use.
    The map is made when a dispatch that takes it launches something.

    ```mlir
    tile.func @k(%map: !tile.tensor_map<128x64xf16, swizzle = 128>) {
      tile.return
    }
    tile.launch @tensor_map(%a: !tile.ptr<f16>, %m: i32, %n: i32, %stride: i32) {
      %g = tile.plan.cdiv %m, 128 : i32
      %one = tile.plan.constant 1
      %map = tile.plan.tensor_map %a[%m : i32, %n : i32] strides[%stride : i32, %one]
        : !tile.ptr<f16> -> !tile.tensor_map<128x64xf16, swizzle = 128>
      tile.plan.dispatch @k grid(%g) args(%map)
        : !tile.tensor_map<128x64xf16, swizzle = 128>
    }
    ```
  }];
  let arguments = (ins Tile_ScalarPtr:$pointer, Variadic<Tile_PlanInt>:$extents,
                       Variadic<Tile_PlanInt>:$strides);
  let results = (outs Tile_TensorMap:$result);
  let assemblyFormat = [{
    $pointer `[` custom<Grid>($extents, type($extents)) `]`
    `strides` `[` custom<Grid>($strides, type($strides)) `]` attr-dict
    `:` type($pointer) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_PlanDispatchOp : Tile_PlanOp<"dispatch", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launch a kernel";
  let description = [{
    The grid has one to three extents; one of zero launches nothing.
    Arguments agree with the kernel's: pointers, floats and tensor maps in their
    type, integers in any width (narrowed with a check).

    ```mlir
    tile.func @k(%n: i32) {
      tile.return
    }
    tile.launch @dispatch(%n: i32) {
      %g = tile.plan.cdiv %n, 128 : i32
      tile.plan.dispatch @k grid(%g, %n : i32) args(%n) : i32
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Tile_PlanInt>:$grid,
                       Variadic<Tile_PlanArg>:$args);
  let assemblyFormat = [{
    $kernel `grid` `(` custom<Grid>($grid, type($grid)) `)` `args` `(` $args `)`
    attr-dict (`:` type($args)^)?
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TILE_IR_PLANOPS_TD
