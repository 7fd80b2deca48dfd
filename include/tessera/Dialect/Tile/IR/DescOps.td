//===- DescOps.td - rectangular windows onto global memory ---*- tablegen -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors: an array in global memory, given by scalars, and accesses of one
// tile of it. tile-raise-accesses makes them of masked pointer accesses;
// authors may write them as well.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_DESCOPS_TD
#define TESSERA_DIALECT_TILE_IR_DESCOPS_TD

include "tessera/Dialect/Tile/IR/TileOps.td"

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

def Tile_DescType : TypeDef<Tile_Dialect, "Desc"> {
  let mnemonic = "desc";
  let summary = "an array in global memory, accessed by tiles";
  let description = [{
    `!tile.desc<128x64xf16>` describes an array of rank 2 and element type f16
    whose accesses move tiles of 128x64 elements: a pointer to element 0, and
    an extent and a stride for each dimension (`tile.make_desc`). The rank is 1
    to 5, the tile a tensor shape of the language. Elements are integers or
    floats. `!tile.desc<[#BM, #BK], f16>` takes dimensions that are attributes.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Most dimensions of a descriptor.
    static constexpr int64_t kMaxRank = 5;
    int64_t getRank() const { return getShape().size(); }
    /// The type of a tile, without a layout.
    ::mlir::RankedTensorType getTileType() const {
      return ::mlir::RankedTensorType::get(getShape(), getElementType());
    }
  }];
}

// Without a C++ class, so that the assembly spells the type out.
def Tile_AnyDesc : Type<
    CPred<"::llvm::isa<::tessera::tile::DescType>($_self)">, "a descriptor">;
def Tile_DescIndex : AnyTypeOf<[I32, I64], "an i32 or i64">;

def Tile_MakeDescOp : Tile_Op<"make_desc", [Pure, AttrSizedOperandSegments]> {
  let summary = "describe an array in global memory";
  let description = [{
    The array has `extents[d]` elements along dimension d. Element
    (i0, i1, ...), each i_d in [0, extents[d]), is at

        base + sizeof(T) * (i0 * strides[0] + i1 * strides[1] + ...)

    Extents and strides are signed and count elements; the sum is evaluated
    modulo 2^64, i32 operands being sign-extended. An extent of 0 or less makes
    an array without elements. Strides may be in any order, 0 or negative: the
    order of dimensions in memory follows from them, and the dimension whose
    stride is known to be 1 is the one along which accesses are wide.

    An operation on a descriptor touches no element outside of it. No memory is
    touched by `tile.make_desc` itself.

    `map` says that the launch has made a tensor map of the same memory, and
    `origin` where in it the array begins, in the array's order of dimensions:
    element (i0, i1), with indices of 0 or more, exists if and only if element
    (origin[0] + i0, origin[1] + i1) of the map's tensor does, and is the same.
    The map's last dimension is the array's dimension with the constant stride
    1, of which there is one; the rank is 2. Descriptors with a map are made by
    `tile-tensor-maps`.

    ```mlir
    tile.func @make_desc(%a: !tile.ptr<f16>, %m: i32, %k: i32, %stride: i64) {
      %one = arith.constant 1 : i64
      %desc = tile.make_desc %a, [%m, %k], [%stride, %one]
        : !tile.ptr<f16>, [i32, i32], [i64, i64] -> !tile.desc<128x64xf16>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_ScalarPtr:$base, Variadic<Tile_DescIndex>:$extents,
                       Variadic<Tile_DescIndex>:$strides,
                       Optional<Tile_TensorMap>:$map, Variadic<I32>:$origin);
  let results = (outs Tile_AnyDesc:$result);
  let assemblyFormat = [{
    $base `,` `[` $extents `]` `,` `[` $strides `]`
    (`map` $map^ `[` $origin `]` `:` type($map))? attr-dict `:` type($base) `,`
    `[` type($extents) `]` `,` `[` type($strides) `]` `->` type($result)
  }];
  let builders = [OpBuilder<(ins "DescType":$type, "::mlir::Value":$base,
                                 "::mlir::ValueRange":$extents,
                                 "::mlir::ValueRange":$strides), [{
    build($_builder, $_state, type, base, extents, strides, ::mlir::Value(),
          ::mlir::ValueRange());
  }]>];
  let extraClassDeclaration = [{
    DescType getDescType() {
      return ::llvm::cast<DescType>(getResult().getType());
    }
    /// The only dimension whose stride is the constant 1; nothing when there is
    /// no such dimension, or several.
    std::optional<unsigned> getUnitDim();
  }];
  let hasVerifier = 1;
}

def Tile_DescLoadOp : Tile_Op<"desc_load"> {
  let summary = "read a tile of an array";
  let description = [{
    `result[c0, c1, ...]` is element (offsets[0] + c0, offsets[1] + c1, ...) of
    the array where it exists, and zero (all bits) where it does not: for each
    d, the integer offsets[d] + c_d, which does not wrap, is in
    [0, extents[d]). Offsets are signed, i32 or i64, and may be negative. Memory
    of elements that do not exist is not touched.

    `cache` and `evict` are those of `tile.load`, and so is the rule on order.

    ```mlir
    tile.func @desc_load(%p: !tile.ptr<f32>, %n: i32, %i: i32) {
      %one = arith.constant 1 : i32
      %row = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
      %x = tile.desc_load %row[%i] : !tile.desc<128xf32>, [i32] -> tensor<128xf32>
      %y = tile.desc_load %row[%i] cache(cg) : !tile.desc<128xf32>, [i32] -> tensor<128xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Arg<Tile_AnyDesc, "", [MemRead]>:$desc,
                       Variadic<Tile_DescIndex>:$offsets,
                       OptionalAttr<Tile_CacheHintAttr>:$cache,
                       OptionalAttr<Tile_EvictionHintAttr>:$evict);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $offsets `]` (`cache` `(` custom<KeywordOf>($cache)^ `)`)?
    (`evict` `(` custom<KeywordOf>($evict)^ `)`)? attr-dict `:` type($desc) `,`
    `[` type($offsets) `]` `->` type($result)
  }];
  let extraClassDeclaration = [{
    DescType getDescType() {
      return ::llvm::cast<DescType>(getDesc().getType());
    }
  }];
  let hasVerifier = 1;
}

def Tile_DescStoreOp : Tile_Op<"desc_store"> {
  let summary = "write a tile of an array";
  let description = [{
    Element (offsets[0] + c0, offsets[1] + c1, ...) of the array becomes
    `value[c0, c1, ...]` where it exists (see `tile.desc_load`). Where it does
    not, nothing is written. Elements of one store that are at one address must
    have one value. Each element is stored by one thread, as by `tile.store`.

    ```mlir
    tile.func @desc_store(%p: !tile.ptr<f32>, %n: i32, %i: i64, %v: f32) {
      %one = arith.constant 1 : i32
      %row = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
      %x = tile.splat %v : f32 -> tensor<128xf32>
      tile.desc_store %row[%i], %x : !tile.desc<128xf32>, [i64], tensor<128xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Arg<Tile_AnyDesc, "", [MemWrite]>:$desc,
                       Variadic<Tile_DescIndex>:$offsets, Tile_Tensor:$value,
                       OptionalAttr<Tile_CacheHintAttr>:$cache,
                       OptionalAttr<Tile_EvictionHintAttr>:$evict);
  let assemblyFormat = [{
    $desc `[` $offsets `]` `,` $value (`cache` `(` custom<KeywordOf>($cache)^ `)`)?
    (`evict` `(` custom<KeywordOf>($evict)^ `)`)? attr-dict `:` type($desc) `,`
    `[` type($offsets) `]` `,` type($value)
  }];
  let extraClassDeclaration = [{
    DescType getDescType() {
      return ::llvm::cast<DescType>(getDesc().getType());
    }
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TILE_IR_DESCOPS_TD
