//===- TileGPUOps.cpp - operations of the tile_gpu dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tessera::tile_gpu;

/// Checks the layout of a tensor against its shape and the number of warps.
static LogicalResult verifyLayout(Operation *op, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  LayoutAttr layout = getLayout(type);
  if (int64_t(layout.getRank()) != tensor.getRank())
    return op->emitOpError() << "the layout of " << type << " has rank "
                             << layout.getRank();
  if (!layout.toLinear(tensor.getShape()).isSurjective())
    return op->emitOpError() << "the layout of " << type
                             << " leaves elements without a thread";
  int32_t warps = getNumWarps(op);
  if (warps != 0 && int32_t(1) << layout.getNumWarpBits() != warps)
    return op->emitOpError() << "the layout of " << type << " is for "
                             << (1 << layout.getNumWarpBits())
                             << " warps, the function has " << warps;
  return success();
}

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto result = cast<RankedTensorType>(getType());
  if (src.getShape() != result.getShape() ||
      src.getElementType() != result.getElementType())
    return emitOpError() << "changes more than the layout, from " << src
                         << " to " << result;
  if (failed(verifyLayout(*this, src)))
    return failure();
  return verifyLayout(*this, result);
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? getSrc() : Value();
}

LogicalResult ConvertLayoutOp::canonicalize(ConvertLayoutOp op,
                                            PatternRewriter &rewriter) {
  Operation *def = op.getSrc().getDefiningOp();
  if (auto convert = dyn_cast_or_null<ConvertLayoutOp>(def)) {
    rewriter.modifyOpInPlace(
        op, [&] { op.getSrcMutable().assign(convert.getSrc()); });
    return success();
  }
  if (auto splat = dyn_cast_or_null<tile::SplatOp>(def)) {
    rewriter.replaceOpWithNewOp<tile::SplatOp>(op, op.getType(),
                                               splat.getSrc());
    return success();
  }
  // No fold, since the dialect makes no constants.
  SplatElementsAttr value;
  if (matchPattern(op.getSrc(), m_Constant(&value))) {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(cast<RankedTensorType>(op.getType()),
                                   value.getSplatValue<Attribute>()));
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// AllocOp
//===----------------------------------------------------------------------===//

LogicalResult AllocOp::verify() {
  int32_t offset = getOffset().value_or(0);
  if (offset < 0 || offset % 16 != 0)
    return emitOpError() << "offset " << offset
                         << " is not a non-negative multiple of 16";
  return success();
}

//===----------------------------------------------------------------------===//
// LocalStoreOp, LocalLoadOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyLocal(Operation *op, Type tensorType,
                                 BufferType buffer) {
  auto tensor = cast<RankedTensorType>(tensorType);
  if (tensor.getShape() != buffer.getShape() ||
      tensor.getElementType() != buffer.getElementType())
    return op->emitOpError() << tensor << " and " << buffer
                             << " differ in shape or element type";
  return verifyLayout(op, tensor);
}

LogicalResult LocalStoreOp::verify() {
  return verifyLocal(*this, getValue().getType(), getBuffer().getType());
}

LogicalResult LocalLoadOp::verify() {
  return verifyLocal(*this, getType(), getBuffer().getType());
}

#define GET_OP_CLASSES
#include "tessera/Dialect/TileGPU/IR/TileGPUOps.cpp.inc"
