//===- MemoryOps.cpp - global memory operations of the tile dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Directives.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera::tile;

/// The types of a mask or of values follow from the pointers'.
static LogicalResult verifyFollows(Operation *op, StringRef what, Value value,
                                   Type expected) {
  if (value && value.getType() != expected)
    return op->emitOpError() << what << " has type " << value.getType()
                             << ", the pointers need " << expected;
  return success();
}

static LogicalResult verifyMask(Operation *op, Value mask, Type ptr) {
  return verifyFollows(
      op, "mask", mask,
      withElementType(ptr, IntegerType::get(op->getContext(), 1)));
}

LogicalResult tessera::tile::verifyLoadCache(Operation *op,
                                             std::optional<CacheHint> cache) {
  if (cache && (*cache == CacheHint::WB || *cache == CacheHint::WT))
    return op->emitOpError() << "cache operator " << stringifyCacheHint(*cache)
                             << " is for stores";
  return success();
}

LogicalResult tessera::tile::verifyStoreCache(Operation *op,
                                              std::optional<CacheHint> cache) {
  if (cache && (*cache == CacheHint::CA || *cache == CacheHint::CV))
    return op->emitOpError() << "cache operator " << stringifyCacheHint(*cache)
                             << " is for loads";
  return success();
}

RankedTensorType tessera::tile::getMovedTensor(Operation *op) {
  return llvm::TypeSwitch<Operation *, RankedTensorType>(op)
      .Case<LoadOp, DescLoadOp>([](auto load) {
        return dyn_cast<RankedTensorType>(load.getResult().getType());
      })
      .Case<StoreOp, DescStoreOp>([](auto store) {
        return dyn_cast<RankedTensorType>(store.getValue().getType());
      })
      .Default(RankedTensorType());
}

/// Whether `mask` is a constant with all elements equal to `value`.
static bool isConstantMask(Value mask, bool value) {
  APInt bits;
  return mask && matchPattern(mask, m_ConstantInt(&bits)) &&
         bits.getBoolValue() == value;
}

//===----------------------------------------------------------------------===//
// AddPtrOp
//===----------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  auto ptr = dyn_cast<RankedTensorType>(getPtr().getType());
  auto offset = dyn_cast<RankedTensorType>(getOffset().getType());
  if (bool(ptr) != bool(offset) ||
      (ptr && (ptr.getShape() != offset.getShape() ||
               ptr.getEncoding() != offset.getEncoding())))
    return emitOpError() << "pointer " << getPtr().getType() << " and offset "
                         << getOffset().getType() << " differ in shape";
  if (getElementTypeOrSelf(getOffset().getType())
          .isSignlessInteger(1))
    return emitOpError() << "an offset cannot be an i1";
  return success();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return matchPattern(adaptor.getOffset(), m_Zero()) ? getPtr()
                                                     : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &types) {
  if (operands.empty() || !isPointerOrTensorOf(operands[0].getType()))
    return emitOptionalError(location,
                             "needs a pointer or a tensor of pointers");
  types.push_back(getPointeeLike(operands[0].getType()));
  return success();
}

LogicalResult LoadOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyMask(*this, getMask(), ptr)) ||
      failed(verifyFollows(*this, "other", getOther(), getPointeeLike(ptr))))
    return failure();
  if (getOther() && !getMask())
    return emitOpError() << "'other' without a mask";
  return verifyLoadCache(*this, getCache());
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  // A volatile load is neither removed nor merged: it counts as a write.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (isConstantMask(op.getMask(), true)) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getMaskMutable().clear();
      op.getOtherMutable().clear();
    });
    return success();
  }
  if (isConstantMask(op.getMask(), false) && op.getOther() &&
      !op.getIsVolatile()) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

LogicalResult StoreOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyMask(*this, getMask(), ptr)) ||
      failed(verifyFollows(*this, "value", getValue(), getPointeeLike(ptr))))
    return failure();
  return verifyStoreCache(*this, getCache());
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (isConstantMask(op.getMask(), true)) {
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
  if (isConstantMask(op.getMask(), false)) {
    rewriter.eraseOp(op);
    return success();
  }
  return failure();
}
