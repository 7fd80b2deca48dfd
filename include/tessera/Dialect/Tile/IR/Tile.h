//===- Tile.h - the tile dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialect, types and operations of kernel sources. See TileBase.td.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_TILE_H
#define TESSERA_DIALECT_TILE_IR_TILE_H

#include "tessera/Dialect/Tile/IR/Parameters.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tessera/Dialect/Tile/IR/TileDialect.h.inc"
#include "tessera/Dialect/Tile/IR/TileEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/Tile/IR/TileTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Tile/IR/TileAttrs.h.inc"

namespace tessera::tile {

/// Most elements of one tensor: 2^17, 128 for each of the threads of the largest
/// CTA. Larger ones could not be held in registers.
inline constexpr int64_t kMaxTensorElements = int64_t(1) << 17;
/// Most warps of one program (1024 threads).
inline constexpr int32_t kMaxWarps = 32;

/// Whether `type` is an element type of the dialect (see TileBase.td).
bool isElementType(mlir::Type type);
/// Whether `type` is one of the 8-bit floats, f8E4M3FN and f8E5M2.
bool isFloat8(mlir::Type type);
/// Whether `type` is a ranked tensor of element types whose dimensions are
/// static powers of two, of at most kMaxTensorElements elements.
bool isTileTensor(mlir::Type type);
/// Says what is wrong with a tensor type; empty when nothing is.
std::string describeTensorFault(mlir::RankedTensorType type);

/// `type` with its element type replaced; shape and layout are kept.
mlir::Type withElementType(mlir::Type type, mlir::Type elementType);
/// Type of what pointers of type `type` point to, in the pointers' shape.
mlir::Type getPointeeLike(mlir::Type type);
/// Bytes of an element in memory: i1 takes one, a pointer eight.
int64_t getByteWidth(mlir::Type elementType);

bool isPointerOrTensorOf(mlir::Type type);
bool isIntegerOrTensorOf(mlir::Type type);
bool isFloatOrTensorOf(mlir::Type type);
bool isMaskOrTensorOf(mlir::Type type);

} // namespace tessera::tile

#define GET_OP_CLASSES
#include "tessera/Dialect/Tile/IR/TileOps.h.inc"

namespace tessera::tile {

/// The type of the tensor that a load or store moves, of pointers or of a
/// descriptor; null for other operations and for scalars.
mlir::RankedTensorType getMovedTensor(mlir::Operation *op);

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_IR_TILE_H
