//===- LayoutInference.cpp - layouts across shape operations -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/LayoutInference.h"

#include "tessera/Layout/DimNames.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {
using Shape = ArrayRef<int64_t>;
} // namespace

static Shape getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static LinearLayout::Names getDimNames(size_t rank) {
  LinearLayout::Names names;
  for (size_t d = 0; d < rank; ++d)
    names.push_back(tensorDimName(d));
  return names;
}

static std::vector<LayoutDim> getDims(Shape shape) {
  std::vector<LayoutDim> dims;
  for (auto [d, size] : llvm::enumerate(shape))
    dims.push_back({tensorDimName(d), int32_t(size)});
  return dims;
}

/// A map for a derived tensor, its out dims named dim0, dim1, ….
using Places = std::optional<LinearLayout>;

static Places rename(Places layout) {
  return layout ? layout->renameOuts(getDimNames(layout->outDims().size()))
                : layout;
}

/// The attribute, without register bits that select nothing.
static LayoutAttr finish(MLIRContext *context, Places layout) {
  if (!layout)
    return nullptr;
  return LayoutAttr::fromLinear(context, layout->removeZeroBases(kRegisterDim));
}

/// Layout without one coordinate.
static Places dropDim(LayoutAttr layout, Shape shape, int32_t axis) {
  return rename(layout.toLinear(shape).removeOutDim(tensorDimName(axis)));
}

/// Coordinates repeated by a broadcast from `from` to `to` are set to 0.
static Places collapse(LayoutAttr layout, Shape from, Shape to) {
  Places linear = layout.toLinear(to);
  for (size_t d = 0; d < to.size() && linear; ++d)
    if (from[d] != to[d])
      linear = linear->zeroOutDim(tensorDimName(d));
  return linear;
}

/// Layout of the transposed tensor: coordinate d is the former order[d].
static Places permute(LayoutAttr layout, Shape shape, ArrayRef<int32_t> order) {
  LinearLayout::Names names;
  for (int32_t d : order)
    names.push_back(tensorDimName(d));
  return rename(layout.toLinear(shape).transposeOuts(names));
}

static SmallVector<int32_t> invert(ArrayRef<int32_t> order) {
  SmallVector<int32_t> inverse(order.size());
  for (auto [d, from] : llvm::enumerate(order))
    inverse[from] = d;
  return inverse;
}

static Places reshape(LayoutAttr layout, Shape from, Shape to) {
  return layout.toLinear(from).reshapeOuts(getDims(to));
}

bool tessera::relatesLayouts(Operation *op) {
  return isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::TransOp,
             tile::ReshapeOp, tile::ReduceOp>(op);
}

std::optional<LinearLayout> tessera::inferOperandPlaces(Operation *op,
                                                        LayoutAttr result) {
  return TypeSwitch<Operation *, Places>(op)
      .Case([&](tile::ExpandDimsOp expand) {
        return dropDim(result, getShape(expand.getResult()), expand.getAxis());
      })
      .Case([&](tile::BroadcastOp broadcast) {
        return collapse(result, getShape(broadcast.getSrc()),
                        getShape(broadcast.getResult()));
      })
      .Case([&](tile::TransOp trans) {
        return permute(result, getShape(trans.getResult()),
                       invert(trans.getOrder()));
      })
      .Case([&](tile::ReshapeOp op) {
        return reshape(result, getShape(op.getResult()), getShape(op.getSrc()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

LayoutAttr tessera::inferOperandLayout(Operation *op, LayoutAttr result) {
  return finish(op->getContext(), inferOperandPlaces(op, result));
}

LayoutAttr tessera::inferResultLayout(Operation *op, LayoutAttr operand) {
  Places places =
      TypeSwitch<Operation *, Places>(op)
          .Case([&](tile::ExpandDimsOp expand) {
            LinearLayout linear = operand.toLinear(getShape(expand.getSrc()));
            return rename(linear.appendOutDim("new", 1, expand.getAxis()));
          })
          .Case([&](tile::TransOp trans) {
            return permute(operand, getShape(trans.getSrc()), trans.getOrder());
          })
          .Case([&](tile::ReshapeOp op) {
            return reshape(operand, getShape(op.getSrc()),
                           getShape(op.getResult()));
          })
          .Case([&](tile::ReduceOp reduce) {
            Shape shape = getShape(reduce.getSrcs()[0]);
            return shape.size() == 1
                       ? std::nullopt
                       : dropDim(operand, shape, reduce.getAxis());
          })
          .Default([](Operation *) { return std::nullopt; });
  return finish(op->getContext(), places);
}

std::optional<LinearLayout>
tessera::getPlacesInThread(ConvertLayoutOp convert) {
  auto src = cast<RankedTensorType>(convert.getSrc().getType());
  auto dst = cast<RankedTensorType>(convert.getType());
  Places places = getLinearLayout(dst).invertAndCompose(getLinearLayout(src));
  // The same lane and warp, and a register that does not depend on them.
  bool inside = places && places->preserves(kLaneDim) &&
                places->preserves(kWarpDim) &&
                places->sublayoutIsZero({kLaneDim, kWarpDim}, {kRegisterDim});
  return inside ? places : std::nullopt;
}
