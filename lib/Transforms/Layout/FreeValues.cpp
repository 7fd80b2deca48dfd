//===- FreeValues.cpp - tensors that are made again in any layout ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/FreeValues.h"

#include "tessera/Transforms/Layout/LayoutInference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Whether an operation on free operands is worth making again: integers, masks
/// and pointers.
static bool isCheap(Operation *op) {
  if (isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::TransOp, tile::ReshapeOp,
          tile::AddPtrOp>(op))
    return true;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return isa<arith::ArithDialect>(op->getDialect()) &&
         op->hasTrait<OpTrait::Elementwise>() &&
         isa<IntegerType, tile::PointerType>(element) &&
         // Divisions are not.
         !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
              arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

/// The layout of the tensors that `op` has to be made of for a result in
/// `layout`.
static LayoutAttr getInnerLayout(Operation *op, LayoutAttr layout) {
  return relatesLayouts(op) ? inferOperandLayout(op, layout) : layout;
}

bool FreeValues::contains(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !isTensor(value) || op->getNumResults() != 1)
    return false;
  if (isa<tile::SplatOp, tile::ArangeOp, arith::ConstantOp>(op))
    return true;
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  bool result = isCheap(op) && llvm::all_of(op->getOperands(), [&](Value v) {
                  return !isTensor(v) || contains(v);
                });
  known[value] = result;
  return result;
}

bool FreeValues::canMakeIn(Value value, LayoutAttr layout) const {
  if (getLayout(value.getType()) == layout)
    return true;
  if (!contains(value))
    return false;
  Operation *op = value.getDefiningOp();
  // The numbers of other constants would have to go to threads.
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  auto found = makeable.find({value, layout});
  if (found != makeable.end())
    return found->second;
  LayoutAttr inner = getInnerLayout(op, layout);
  bool result = inner && llvm::all_of(op->getOperands(), [&](Value operand) {
                  return !isTensor(operand) || canMakeIn(operand, inner);
                });
  makeable[{value, layout}] = result;
  return result;
}

Value FreeValues::makeIn(Value value, LayoutAttr layout) {
  if (getLayout(value.getType()) == layout)
    return value;
  auto found = made.find({value, layout});
  if (found != made.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  LayoutAttr inner = getInnerLayout(op, layout);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isTensor(operand))
      mapping.map(operand, makeIn(operand, inner));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto old = cast<RankedTensorType>(value.getType());
  auto type =
      RankedTensorType::get(old.getShape(), old.getElementType(), layout);
  Operation *clone = builder.clone(*op, mapping);
  if (auto constant = dyn_cast<arith::ConstantOp>(clone)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    constant.setValueAttr(
        DenseElementsAttr::get(type, splat.getSplatValue<Attribute>()));
  }
  clone->getResult(0).setType(type);
  made[{value, layout}] = clone->getResult(0);
  return clone->getResult(0);
}
