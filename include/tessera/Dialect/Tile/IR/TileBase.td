//===- TileBase.td - the tile dialect and its types ---*- tablegen -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its types and the type constraints that its operations share.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_TILEBASE_TD
#define TESSERA_DIALECT_TILE_IR_TILEBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tessera::tile";
  let summary = "SPMD programs over tiles: what kernel authors write";
  let description = [{
    A kernel is a `tile.func` without results. One *program* (one CTA) runs it
    for each point of a launch grid. Values are scalars and builtin ranked
    tensors whose dimensions are static powers of two; elementwise work is
    `arith` and `math` on tensors, control flow is `scf`. The `tile` dialect
    adds what those lack: program ids, shape operations, global memory,
    reductions, functions, and the launch plan (`tile.launch`, `tile.plan.*`).

    **Element types**: i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN,
    f8E5M2 and `!tile.ptr<T>`.

    **Parameters.** Sizes and element types that a user may override are
    written with attributes and types that the parser replaces at once:

    ```mlir
    #BLOCK = #tile.param<BLOCK = 1024, [256, 512, 1024]>
    !T = !tile.type_param<T = f32>
    !row = !tile.t<[#BLOCK], !T>
    #HALF = #tile.eval<div #BLOCK, 2>
    ```

    * `#tile.param<NAME = value : type, [choices]>` is an integer attribute
      (i32 unless suffixed); choices are what `--assume` may take beside the
      default.
    * `!tile.type_param<NAME = type>` is a type.
    * `!tile.t<[dims], T>` is `tensor<dims x T>`, with dimensions that may be
      attributes.
    * `#tile.eval<op a, b>` computes with add, sub, mul, div (floor), cdiv,
      min, max, and the unary next_pow2.
    * `#tile.inf<pos> : T` and `#tile.inf<neg> : T` are infinities of a float
      type or of a tensor of it.
    * `#tile.zero : T` is the zero of a type or of a tensor of it.

    An override (`tile-opt -D NAME=VALUE`) is applied while parsing, so that
    the IR is always concrete. One name with two defaults is an error.

    **Argument facts.** Arguments may carry `tile.divisible_by` (bytes for
    pointers, the value itself for integers; a positive power of two),
    `tile.equals` (an integer), `tile.noalias` and `tile.readonly` (pointers).
    Passes rely on them; the launch plan has to guard them. `tile.name` is the
    name of the argument in the source, recorded by the parser.

    **Tile loops.** `tile.tile_loop` stands on an `scf.for` or an `scf.while`,
    and says that its iterations are what programs of one launch are to each
    other, as the pass that makes programs persistent has it: the loops of all
    programs together run each number in [0, bound) once. The number is the
    counter of an `scf.for`, and the bound its upper bound; of an `scf.while` it
    is the first value that the condition passes on, and the bound what that is
    compared with. `#tile.tile_loop<independent>` adds that an iteration may
    begin before an earlier one has ended: its loads do not depend on what
    earlier iterations store. `ordered` does not add it.

    **Numbers.** Integers wrap, except in addresses. Floats follow IEEE 754
    with denormals; a multiplication and an addition may be contracted to a
    fused one. `math.exp`, `math.exp2` and `arith.divf` of at most 32 bits are
    approximate (`ex2.approx`: relative error at most 2^-22 + |x| 2^-24;
    `div.full`: 2 ulp), unless the operation carries `tile.precise`. Other
    functions are libdevice's. `arith.maximumf` and `arith.minimumf` return NaN
    when an operand is NaN, `arith.maxnumf` and `arith.minnumf` the other
    operand. A shift by the width or more, a division of integers by zero, and
    a conversion to an integer type that does not contain the truncated float,
    give an unspecified value; integers become floats by rounding to nearest
    even. The order of a reduction is unspecified.

    **Addresses.** Chains of add, sub, mul and extension that reach
    `tile.addptr`, or an operation on a descriptor, are evaluated in 64 bits:
    offsets do not wrap.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasConstantMaterializer = 1;
  // The parsers of parameters return builtin attributes and types.
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    /// Parses tile types, and `!tile.t` and `!tile.type_param`, which stand for
    /// builtin types.
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type,
                   ::mlir::DialectAsmPrinter &printer) const override;

    /// Parses `#tile.param`, `#tile.eval` and `#tile.inf`, which all stand for
    /// builtin attributes, and the dialect's own attributes.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr,
                        ::mlir::DialectAsmPrinter &printer) const override;

    /// The parameters of the sources parsed in this context. Overrides have to
    /// be set before a source is parsed.
    ParameterTable &getParameters() const { return *parameters; }

    // Names of the attributes that the dialect gives a meaning.
    static constexpr ::llvm::StringLiteral kDivisibleBy{"tile.divisible_by"};
    static constexpr ::llvm::StringLiteral kEquals{"tile.equals"};
    static constexpr ::llvm::StringLiteral kNoAlias{"tile.noalias"};
    static constexpr ::llvm::StringLiteral kReadOnly{"tile.readonly"};
    static constexpr ::llvm::StringLiteral kName{"tile.name"};
    static constexpr ::llvm::StringLiteral kType{"tile.type"};
    static constexpr ::llvm::StringLiteral kNumWarps{"tile.num_warps"};
    static constexpr ::llvm::StringLiteral kNumStages{"tile.num_stages"};
    static constexpr ::llvm::StringLiteral kPrecise{"tile.precise"};
    static constexpr ::llvm::StringLiteral kTileLoop{"tile.tile_loop"};
    static constexpr ::llvm::StringLiteral kParameters{"tile.parameters"};
    static constexpr ::llvm::StringLiteral kAssumed{"tile.assumed"};

  private:
    void registerTypes();
    void registerAttributes();
    std::unique_ptr<ParameterTable> parameters;

  public:
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Tile_PointerType : TypeDef<Tile_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "a pointer into global memory";
  let description = [{
    `!tile.ptr<T>` points to an element of type `T` in global memory. Tensors
    of pointers address one element each.
  }];
  let parameters = (ins TypeParameter<"::mlir::Type", "element type">:$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee), [{
    return $_get(pointee.getContext(), pointee);
  }]>];
}

def Tile_TensorMapType : TypeDef<Tile_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "a tensor in global memory, for copies of boxes";
  let description = [{
    `!tile.tensor_map<128x64xf16, swizzle = 128>` describes a tensor of f16 with
    its address, extents and strides, of which one copy moves a box of 128 rows
    of 64 elements. The last dimension is the one whose neighbours lie side by
    side. In shared memory the 16-byte chunks of the box are permuted in lines of
    `swizzle` bytes: 128, 64, 32, or 0, the default, for none. Elements outside
    the extents are read as zeros and not written.

    Only a launch plan makes tensor maps (`tile.plan.tensor_map`), and only
    kernels take them. 1 to 5 dimensions, of 1 to 256 elements; rows of a
    multiple of 16 bytes that are no longer than the swizzle.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$box,
                        "::mlir::Type":$elementType, "int64_t":$swizzle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getBox().size(); }
    /// Bytes of one row of the box.
    int64_t getRowBytes() const;
  }];
}

def Tile_ElementType : Type<
    CPred<"::tessera::tile::isElementType($_self)">,
    "an element type of the tile dialect">;
def Tile_Tensor : Type<
    CPred<"::tessera::tile::isTileTensor($_self)">,
    "a tensor with static power-of-two dimensions of a tile element type",
    "::mlir::RankedTensorType">;
def Tile_Any : AnyTypeOf<[Tile_ElementType, Tile_Tensor],
    "a tile element type or a tensor of it">;

def Tile_TensorMap : Type<
    CPred<"::llvm::isa<::tessera::tile::TensorMapType>($_self)">, "a tensor map",
    "::tessera::tile::TensorMapType">;
def Tile_ScalarPtr : Type<
    CPred<"::llvm::isa<::tessera::tile::PointerType>($_self)">, "a pointer">;
def Tile_PtrLike : Type<
    CPred<"::tessera::tile::isPointerOrTensorOf($_self)">,
    "a pointer or a tensor of pointers">;
def Tile_IntLike : Type<
    CPred<"::tessera::tile::isIntegerOrTensorOf($_self)">,
    "an integer or a tensor of integers">;
def Tile_FloatLike : Type<
    CPred<"::tessera::tile::isFloatOrTensorOf($_self)">,
    "a float or a tensor of floats">;
def Tile_MaskLike : Type<
    CPred<"::tessera::tile::isMaskOrTensorOf($_self)">,
    "an i1 or a tensor of i1">;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def Tile_Axis : I32EnumAttr<"Axis", "axis of the launch grid", [
    I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_AxisAttr : EnumAttr<Tile_Dialect, Tile_Axis, "axis">;

def Tile_CacheHint : I32EnumAttr<"CacheHint", "caching of a global access", [
    I32EnumAttrCase<"CA", 0, "ca">, I32EnumAttrCase<"CG", 1, "cg">,
    I32EnumAttrCase<"CS", 2, "cs">, I32EnumAttrCase<"CV", 3, "cv">,
    I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"WT", 5, "wt">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_CacheHintAttr : EnumAttr<Tile_Dialect, Tile_CacheHint, "cache">;

def Tile_EvictionHint : I32EnumAttr<"EvictionHint", "L1 eviction priority", [
    I32EnumAttrCase<"First", 0, "evict_first">,
    I32EnumAttrCase<"Last", 1, "evict_last">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_EvictionHintAttr : EnumAttr<Tile_Dialect, Tile_EvictionHint, "evict">;

def Tile_Rounding : I32EnumAttr<"Rounding", "rounding of a float conversion", [
    I32EnumAttrCase<"RTNE", 0, "rtne">, I32EnumAttrCase<"RTZ", 1, "rtz">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_RoundingAttr : EnumAttr<Tile_Dialect, Tile_Rounding, "rounding">;

def Tile_TileLoop : I32EnumAttr<"TileLoop", "what iterations may overlap", [
    I32EnumAttrCase<"Ordered", 0, "ordered">,
    I32EnumAttrCase<"Independent", 1, "independent">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_TileLoopAttr : EnumAttr<Tile_Dialect, Tile_TileLoop, "tile_loop"> {
  let assemblyFormat = "`<` $value `>`";
}

def Tile_PlanPredicate : I32EnumAttr<"PlanPredicate", "comparison in a plan", [
    I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
    I32EnumAttrCase<"LT", 2, "lt">, I32EnumAttrCase<"LE", 3, "le">,
    I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
def Tile_PlanPredicateAttr
    : EnumAttr<Tile_Dialect, Tile_PlanPredicate, "predicate">;

#endif // TESSERA_DIALECT_TILE_IR_TILEBASE_TD
