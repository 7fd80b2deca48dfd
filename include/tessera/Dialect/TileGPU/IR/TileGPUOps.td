//===- TileGPUOps.td - tensors with layouts, and shared memory -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Level 2: the same programs as in the tile dialect, with a layout on each
// tensor, buffers in shared memory and barriers.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILEGPU_IR_TILEGPUOPS_TD
#define TESSERA_DIALECT_TILEGPU_IR_TILEGPUOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileGPU_Dialect : Dialect {
  let name = "tile_gpu";
  let cppNamespace = "::tessera::tile_gpu";
  let summary = "tensors distributed over the threads of a CTA";
  let description = [{
    At this level each tensor's encoding is a `#tile_gpu.layout`, which says
    which thread holds which element in which register. Shared memory consists
    of `!tile_gpu.buffer` values. Attributes with a meaning:

    * on a module: `tile_gpu.target = "sm_90a"`;
    * on a kernel: `tile_gpu.num_warps = N : i32`, and, after allocation,
      `tile_gpu.shared_bytes = N : i32`, and, once all barriers stand,
      `tile_gpu.synchronized`; once lowered, `tile_gpu.shared_buffers`, which says
      what shared memory holds;
    * on a load or store: `tile_gpu.access`, see `#tile_gpu.access`;
    * on a dot: `tile_gpu.instruction`, see `#tile_gpu.instruction`;
    * on a loop to be pipelined: `tile_gpu.distance` and `tile_gpu.slots`, on its
      loads `tile_gpu.pipelined`, on its product `tile_gpu.in_flight`, and
      `tile_gpu.tensor_copies` where tensor maps do its copies,
      `tile_gpu.reads_ahead` where registers are filled an iteration ahead (see
      tile-gpu-assign-stages); then, on each operation of its body,
      `tile_gpu.stage` and `tile_gpu.order` (see tile-gpu-async-copies).
  }];
  let dependentDialects = ["::tessera::tile::TileDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kTarget{"tile_gpu.target"};
    static constexpr ::llvm::StringLiteral kNumWarps{"tile_gpu.num_warps"};
    static constexpr ::llvm::StringLiteral kSharedBytes{"tile_gpu.shared_bytes"};
    static constexpr ::llvm::StringLiteral kSharedBuffers{"tile_gpu.shared_buffers"};
    static constexpr ::llvm::StringLiteral kSynchronized{"tile_gpu.synchronized"};
    static constexpr ::llvm::StringLiteral kAccess{"tile_gpu.access"};
    static constexpr ::llvm::StringLiteral kInstruction{"tile_gpu.instruction"};
    static constexpr ::llvm::StringLiteral kDistance{"tile_gpu.distance"};
    static constexpr ::llvm::StringLiteral kSlots{"tile_gpu.slots"};
    static constexpr ::llvm::StringLiteral kPipelined{"tile_gpu.pipelined"};
    static constexpr ::llvm::StringLiteral kInFlight{"tile_gpu.in_flight"};
    static constexpr ::llvm::StringLiteral kTensorCopies{"tile_gpu.tensor_copies"};
    static constexpr ::llvm::StringLiteral kReadsAhead{"tile_gpu.reads_ahead"};
    static constexpr ::llvm::StringLiteral kStage{"tile_gpu.stage"};
    static constexpr ::llvm::StringLiteral kOrder{"tile_gpu.order"};

  private:
    void registerAttributes();
    void registerTypes();

  public:
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// Layouts are long: printed IR names them, #layout and #shared, and defines the
// names at its top.
def TileGPU_LayoutAttr : AttrDef<TileGPU_Dialect, "Layout", [OpAsmAttrInterface]> {
  let mnemonic = "layout";
  let genMnemonicAlias = 1;
  let summary = "which thread holds which element of a tensor";
  let description = [{
    A linear map over F2 from (register, lane, warp) to the coordinates of a
    tensor: bit i of an input contributes its i-th basis vector, a coordinate
    for each dimension, and contributions are added with XOR. A zero vector
    means that the values under this bit are replicas. The number of warps is
    2^(length of `warp`), the number of lanes always 32. (Linear Layouts,
    arXiv 2505.23819.)

    `tensor<128xf32, #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8],
    [16], [32], [64]], warp = []>>`: four consecutive elements a thread.
  }];
  let parameters = (ins "unsigned":$rank,
                        ArrayRefParameter<"int32_t">:$registers,
                        ArrayRefParameter<"int32_t">:$lanes,
                        ArrayRefParameter<"int32_t">:$warps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The map for a tensor of this shape; out dims are dim0, dim1, ….
    ::tessera::LinearLayout toLinear(::llvm::ArrayRef<int64_t> shape) const;
    /// The attribute of a map with in dims register, lane and warp.
    static LayoutAttr fromLinear(::mlir::MLIRContext *context,
                                 const ::tessera::LinearLayout &layout);
    unsigned getNumRegisterBits() const { return getRegisters().size() / getRank(); }
    unsigned getNumWarpBits() const { return getWarps().size() / getRank(); }
    /// Elements that one thread holds.
    int64_t getNumRegisters() const { return int64_t(1) << getNumRegisterBits(); }
  }];
}

def TileGPU_SharedAttr : AttrDef<TileGPU_Dialect, "Shared", [OpAsmAttrInterface]> {
  let mnemonic = "shared";
  let genMnemonicAlias = 1;
  let summary = "where a buffer holds which element";
  let description = [{
    A linear map over F2 from the offset, counted in elements, to the
    coordinates of the buffer; a bijection. Row-major order of 4x8:
    `#tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>`.
  }];
  let parameters = (ins "unsigned":$rank, ArrayRefParameter<"int32_t">:$offsets);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The map, with in dim offset, for a buffer of this shape.
    ::tessera::LinearLayout toLinear(::llvm::ArrayRef<int64_t> shape) const;
    /// Row-major order.
    static SharedAttr getRowMajor(::mlir::MLIRContext *context,
                                  ::llvm::ArrayRef<int64_t> shape);
    static SharedAttr fromLinear(::mlir::MLIRContext *context,
                                 const ::tessera::LinearLayout &layout);
  }];
}

def TileGPU_Path : I32EnumAttr<"AccessPath", "how an access reaches global memory", [
    I32EnumAttrCase<"Direct", 0, "direct">]> {
  let cppNamespace = "::tessera::tile_gpu";
  let genSpecializedAttr = 0;
}

def TileGPU_AccessAttr : AttrDef<TileGPU_Dialect, "Access"> {
  let mnemonic = "access";
  let summary = "the path of an access, and what is known of its addresses";
  let description = [{
    In each aligned group of `width` elements along dimension `axis`, addresses
    are consecutive, the first is aligned to the group's bytes, and the mask
    has one value. `width` is a power of two, at most 16 bytes' worth.
    `#tile_gpu.access<direct, width = 4, axis = 0>`.
  }];
  let parameters = (ins EnumParameter<TileGPU_Path>:$path, "int64_t":$width,
                        "int64_t":$axis);
  let assemblyFormat =
      "`<` $path `,` `width` `=` $width `,` `axis` `=` $axis `>`";
  let genVerifyDecl = 1;
}

def TileGPU_DotKind : I32EnumAttr<"DotKind", "what computes a dot", [
    I32EnumAttrCase<"MmaSync", 0, "mma_sync">, I32EnumAttrCase<"FMA", 1, "fma">,
    I32EnumAttrCase<"Wgmma", 2, "wgmma">]> {
  let cppNamespace = "::tessera::tile_gpu";
  let genSpecializedAttr = 0;
}

def TileGPU_InstructionAttr : AttrDef<TileGPU_Dialect, "Instruction"> {
  let mnemonic = "instruction";
  let summary = "the instruction of a dot";
  let description = [{
    `mma_sync` or `wgmma` with the instruction's shape MxNxK, or `fma`, one
    multiplication and addition a product, of shape 1x1x1.
    `#tile_gpu.instruction<mma_sync, 16, 8, 16>`.
  }];
  let parameters = (ins EnumParameter<TileGPU_DotKind>:$kind, "int32_t":$m,
                        "int32_t":$n, "int32_t":$k);
  let assemblyFormat = "`<` $kind `,` $m `,` $n `,` $k `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def TileGPU_BufferType : TypeDef<TileGPU_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "a buffer in shared memory";
  let description = [{
    `!tile_gpu.buffer<4x8xf32, #tile_gpu.shared<...>>`. An i1 takes one byte.
    With `slots = N` it is N such buffers, one after another, of which
    `tile_gpu.slot` selects one.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, "SharedAttr":$layout,
                        DefaultValuedParameter<"int64_t", "1">:$slots);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                   "::mlir::Type":$elementType,
                                   "SharedAttr":$layout,
                                   CArg<"int64_t", "1">:$slots), [{
    return $_get($_ctxt, shape, elementType, layout, slots);
  }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements of one slot.
    int64_t getNumElements() const;
    /// Size of one slot in shared memory.
    int64_t getSlotBytes() const;
    /// Size of all slots.
    int64_t getBytes() const;
    /// The type of one slot.
    BufferType getSlotType() const;
  }];
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

def TileGPU_Tensor : Type<
    CPred<"::tessera::tile_gpu::hasLayout($_self)">,
    "a tensor with a layout", "::mlir::RankedTensorType">;

class TileGPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<TileGPU_Dialect, mnemonic, traits>;

def TileGPU_ConvertLayoutOp : TileGPU_Op<"convert_layout", [Pure]> {
  let summary = "the same tensor in another layout";
  let description = [{
    Values move between registers of a thread where that suffices, and
    otherwise through shared memory (`tile-gpu-stage-conversions`).

    ```mlir
    #a = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
    #b = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
    tile.func @convert(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
      %t = tile.splat %x : f32 -> tensor<64xf32, #a>
      %u = tile_gpu.convert_layout %t : tensor<64xf32, #a> -> tensor<64xf32, #b>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_Tensor:$src);
  let results = (outs TileGPU_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TileGPU_ExtractSliceOp : TileGPU_Op<"extract_slice", [Pure]> {
  let summary = "a part of a tensor";
  let description = [{
    `result[i, j] = src[offset0 + i, offset1 + j]`. Offsets are multiples of the
    result's shape. The part is made of whole registers of each thread, and keeps
    what is left of the layout: no value moves.

    ```mlir
    #l = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
    #half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
    tile.func @upper_half(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
      %t = tile.splat %x : f32 -> tensor<128xf32, #l>
      %u = tile_gpu.extract_slice %t[64] : tensor<128xf32, #l> -> tensor<64xf32, #half>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_Tensor:$src, DenseI64ArrayAttr:$offsets);
  let results = (outs TileGPU_Tensor:$result);
  let assemblyFormat =
      "$src `` $offsets attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_AllocOp : TileGPU_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer in shared memory";
  let description = [{
    The buffer lives from here to its last use. `offset`, in bytes, is set by
    `tile-gpu-allocate-shared`; it is a multiple of 16, the widest access, and
    not negative.

    ```mlir
    #rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
    tile.func @alloc() attributes {tile_gpu.num_warps = 1 : i32} {
      %b = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #rows>
      tile.return
    }
    ```
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$offset);
  let results = (outs TileGPU_BufferType:$result);
  let assemblyFormat = "(`offset` `=` $offset^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileGPU_LocalStoreOp : TileGPU_Op<"local_store"> {
  let summary = "write a tensor to a buffer";
  let description = [{
    Shapes and element types agree. Other threads see the values after a
    barrier.

    ```mlir
    #l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
    #rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
    tile.func @put(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
      %t = tile.splat %x : f32 -> tensor<32xf32, #l>
      %b = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #rows>
      tile_gpu.local_store %t, %b : tensor<32xf32, #l>, !tile_gpu.buffer<32xf32, #rows>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_Tensor:$value,
                       Arg<TileGPU_BufferType, "", [MemWrite]>:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}

def TileGPU_LocalLoadOp : TileGPU_Op<"local_load"> {
  let summary = "read a tensor from a buffer";
  let description = [{
    Shapes and element types agree. Every element has been written before, and
    seen to be: by a barrier, or the wait for a copy. A read that is `ahead` may be
    of an iteration that never comes; what has not been written is then any value.

    ```mlir
    #l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
    #rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
    tile.func @get() attributes {tile_gpu.num_warps = 1 : i32} {
      %b = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #rows>
      %t = tile_gpu.local_load %b : !tile_gpu.buffer<32xf32, #rows> -> tensor<32xf32, #l>
      tile.return
    }
    ```
  }];
  let arguments = (ins Arg<TileGPU_BufferType, "", [MemRead]>:$buffer,
                       UnitAttr:$ahead);
  let results = (outs TileGPU_Tensor:$result);
  let assemblyFormat =
      "$buffer (`ahead` $ahead^)? attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_BarrierOp : TileGPU_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the CTA meet";
  let description = [{
    Writes to shared memory before it are seen by reads after it. A program of
    one warp synchronises its lanes only.

    ```mlir
    tile.func @meet() attributes {tile_gpu.num_warps = 2 : i32} {
      tile_gpu.barrier
      tile.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

include "tessera/Dialect/TileGPU/IR/AsyncOps.td"
include "tessera/Dialect/TileGPU/IR/TMAOps.td"

#endif // TESSERA_DIALECT_TILEGPU_IR_TILEGPUOPS_TD
