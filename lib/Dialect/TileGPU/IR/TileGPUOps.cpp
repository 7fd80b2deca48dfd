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
// ExtractSliceOp
//===----------------------------------------------------------------------===//

LogicalResult ExtractSliceOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto result = cast<RankedTensorType>(getType());
  if (failed(verifyLayout(*this, src)))
    return failure();
  ArrayRef<int64_t> offsets = getOffsets();
  if (result.getRank() != src.getRank() ||
      int64_t(offsets.size()) != src.getRank())
    return emitOpError() << "takes a part of rank " << result.getRank()
                         << " at " << offsets.size()
                         << " offsets of a tensor of rank " << src.getRank();
  for (auto [offset, size, whole] :
       llvm::zip(offsets, result.getShape(), src.getShape()))
    if (offset < 0 || offset % size != 0 || offset + size > whole)
      return emitOpError() << "offset " << offset << " is no multiple of "
                           << size << " inside of " << whole;
  auto slice = RegisterSlice::get(src, result.getShape());
  if (!slice)
    return emitOpError() << "a part of shape " << result.getShape() << " of "
                         << src << " is not made of whole registers";
  if (slice->getType() != result)
    return emitOpError() << "the part is a " << slice->getType() << ", not "
                         << result;
  return success();
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
  if (buffer.getSlots() != 1)
    return op->emitOpError("accesses one slot of a buffer");
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

//===----------------------------------------------------------------------===//
// Asynchronous operations
//===----------------------------------------------------------------------===//

LogicalResult AsyncCopyOp::verify() {
  auto pointers = cast<RankedTensorType>(getPtr().getType());
  auto pointer = dyn_cast<tile::PointerType>(pointers.getElementType());
  BufferType buffer = getBuffer().getType();
  if (!pointer || pointers.getShape() != buffer.getShape() ||
      pointer.getPointee() != buffer.getElementType())
    return emitOpError() << pointers << " does not point to elements of "
                         << buffer;
  if (getMask()) {
    auto mask = cast<RankedTensorType>(getMask().getType());
    if (mask != pointers.clone(IntegerType::get(getContext(), 1)))
      return emitOpError() << "the mask " << mask << " does not go with "
                           << pointers;
  }
  if (buffer.getSlots() != 1)
    return emitOpError("copies to one slot of a buffer");
  return verifyLayout(*this, pointers);
}

RankedTensorType DescCopyOp::getTileType() {
  auto desc = cast<tile::DescType>(getDesc().getType());
  return RankedTensorType::get(desc.getShape(), desc.getElementType(),
                               getLayout());
}

LogicalResult DescCopyOp::verify() {
  auto desc = cast<tile::DescType>(getDesc().getType());
  BufferType buffer = getBuffer().getType();
  if (desc.getShape() != buffer.getShape() ||
      desc.getElementType() != buffer.getElementType())
    return emitOpError() << desc << " and " << buffer
                         << " differ in shape or element type";
  if (int64_t(getOffsets().size()) != desc.getRank())
    return emitOpError() << "has " << getOffsets().size() << " offsets for "
                         << desc;
  if (buffer.getSlots() != 1)
    return emitOpError("copies to one slot of a buffer");
  return verifyLayout(*this, getTileType());
}

/// How many operations may be under way after a wait.
static LogicalResult verifyPending(Operation *op, uint32_t pending) {
  if (int32_t(pending) < 0 || pending > kMaxSlots)
    return op->emitOpError() << "pending = " << int32_t(pending)
                             << " is not in [0, " << kMaxSlots << "]";
  return success();
}

LogicalResult AsyncWaitOp::verify() { return verifyPending(*this, getPending()); }

LogicalResult WgmmaWaitOp::verify() {
  if (failed(verifyPending(*this, getPending())))
    return failure();
  return verifyLayout(*this, getType());
}

int64_t WgmmaOp::getStep() {
  return 32 / tile::getByteWidth(getB().getType().getElementType());
}

LogicalResult WgmmaOp::verify() {
  auto buffer = dyn_cast<BufferType>(getA().getType());
  auto tensor = dyn_cast<RankedTensorType>(getA().getType());
  BufferType b = getB().getType();
  auto acc = cast<RankedTensorType>(getType());
  ArrayRef<int64_t> a = buffer ? buffer.getShape() : tensor.getShape();
  if (a.size() != 2 || b.getShape().size() != 2 || acc.getRank() != 2 ||
      a[0] != acc.getDimSize(0) || a[1] != b.getShape()[0] ||
      b.getShape()[1] != acc.getDimSize(1))
    return emitOpError() << getA().getType() << " times " << b << " is not "
                         << acc;
  if ((buffer && buffer.getSlots() != 1) || b.getSlots() != 1)
    return emitOpError("reads one slot of a buffer");
  if (tensor && getDepth())
    return emitOpError("has a depth, and A in registers");
  if ((buffer && !getWgmmaOperand(buffer, /*axisMN=*/0)) ||
      !getWgmmaOperand(b, /*axisMN=*/1))
    return emitOpError("a buffer is not swizzled as wgmma reads it");
  Type type = buffer ? buffer.getElementType() : tensor.getElementType();
  if (!(type.isF16() || type.isBF16()) || type != b.getElementType() ||
      !acc.getElementType().isF32())
    return emitOpError() << "does not multiply " << type << " by "
                         << b.getElementType() << " into "
                         << acc.getElementType();
  if (int32_t warps = getNumWarps(*this)) {
    std::string error;
    auto tiling =
        chooseWgmmaTiling(acc.getDimSize(0), acc.getDimSize(1), warps, &error);
    if (!tiling)
      return emitOpError() << error;
    if (getLayout(acc) !=
        LayoutAttr::fromLinear(getContext(),
                               *makeWgmmaAccumulator(acc.getDimSize(0),
                                                     acc.getDimSize(1), *tiling)))
      return emitOpError("the accumulators are not laid out as wgmma writes "
                         "them");
    if (tensor && getLayout(tensor) != getWgmmaRegisters(tensor, *tiling))
      return emitOpError("A is not laid out as wgmma reads registers");
  }
  return verifyLayout(*this, acc);
}

// A number without a type.
static ParseResult parseNumber(OpAsmParser &parser, IntegerAttr &value) {
  return parser.parseAttribute(value, parser.getBuilder().getI32Type());
}
static void printNumber(OpAsmPrinter &printer, Operation *, IntegerAttr value) {
  printer << value.getInt();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/TileGPU/IR/TileGPUOps.cpp.inc"
