//===- SplitReductions.cpp - split reductions across warps -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts the reduced axis into runs of bits that are spread over warps and runs
// that are not. Reshapes and a transposition, which move nothing, gather the
// runs into two dimensions; the one inside warps is reduced, the partial
// results of the warps are brought together by a conversion, and reduced.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/DimNames.h"
#include "tessera/Transforms/Layout/LayoutInference.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUSPLITREDUCTIONSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

namespace {
/// Consecutive bits of the reduced coordinate, from the highest.
struct Run {
  int bits;
  bool acrossWarps;
};
} // namespace

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Runs of the axis, the highest first.
static SmallVector<Run> getRuns(const LinearLayout &layout, int32_t axis) {
  std::string dim = tensorDimName(axis);
  uint32_t warpBits = 0;
  for (int bit = 0; bit < layout.getInDimSizeLog2(kWarpDim); ++bit)
    warpBits |= layout.getBasis(kWarpDim, bit, dim);
  SmallVector<Run> runs;
  for (int bit = layout.getOutDimSizeLog2(dim) - 1; bit >= 0; --bit) {
    bool across = (warpBits >> bit) & 1;
    if (runs.empty() || runs.back().acrossWarps != across)
      runs.push_back({0, across});
    ++runs.back().bits;
  }
  return runs;
}

/// Layout for partial results: dim `axis`, of `size` elements, in registers,
/// the other dims as they are. Every warp then holds all of them.
static LayoutAttr gatherAxis(RankedTensorType type, int32_t axis) {
  std::optional<LinearLayout> layout =
      getLinearLayout(type).zeroOutDim(tensorDimName(axis));
  std::vector<LinearLayout::NamedBases> bases;
  for (const char *dim : {kRegisterDim, kLaneDim, kWarpDim}) {
    bases.emplace_back(dim, std::vector<std::vector<int32_t>>());
    // Lowest register bits, so that a thread reads neighbours at once.
    if (dim == StringRef(kRegisterDim))
      for (int64_t size = 1; size < type.getDimSize(axis); size *= 2) {
        std::vector<int32_t> basis(type.getRank(), 0);
        basis[axis] = size;
        bases.back().second.push_back(basis);
      }
    for (int bit = 0; bit < layout->getInDimSizeLog2(dim); ++bit) {
      std::vector<int32_t> basis = layout->getBasis(dim, bit);
      bool zero = llvm::all_of(basis, [](int32_t c) { return c == 0; });
      if (!zero || dim != StringRef(kRegisterDim))
        bases.back().second.push_back(basis);
    }
  }
  std::vector<LayoutDim> outs;
  for (int64_t d = 0; d < type.getRank(); ++d)
    outs.push_back({tensorDimName(d), int32_t(type.getDimSize(d))});
  std::optional<LinearLayout> result = LinearLayout::create(bases, outs);
  return LayoutAttr::fromLinear(type.getContext(), *result);
}

namespace {

/// Rewrites one reduction.
class Splitter {
public:
  explicit Splitter(tile::ReduceOp op) : op(op), builder(op) {}

  void run(ArrayRef<Run> runs);

private:
  SmallVector<Value> reduce(ValueRange sources, int32_t axis);
  SmallVector<Value> convert(ValueRange sources, int32_t axis);
  SmallVector<Value> reshape(ValueRange sources, ArrayRef<int64_t> shape);
  SmallVector<Value> transpose(ValueRange sources, ArrayRef<int32_t> order);
  SmallVector<Value> separate(ArrayRef<Run> runs);

  tile::ReduceOp op;
  OpBuilder builder;
};

} // namespace

/// Sets the type of a shape operation's result, with the layout that follows
/// from the operand's.
static Value withInferredLayout(Operation *shapeOp) {
  Value result = shapeOp->getResult(0);
  LayoutAttr layout =
      inferResultLayout(shapeOp, getLayout(shapeOp->getOperand(0).getType()));
  result.setType(RankedTensorType::get(getType(result).getShape(),
                                       getType(result).getElementType(),
                                       layout));
  return result;
}

SmallVector<Value> Splitter::reshape(ValueRange sources,
                                     ArrayRef<int64_t> shape) {
  SmallVector<Value> results;
  for (Value source : sources)
    results.push_back(withInferredLayout(tile::ReshapeOp::create(
        builder, op.getLoc(),
        RankedTensorType::get(shape, getType(source).getElementType()),
        source)));
  return results;
}

SmallVector<Value> Splitter::transpose(ValueRange sources,
                                       ArrayRef<int32_t> order) {
  SmallVector<Value> results;
  for (Value source : sources) {
    SmallVector<int64_t> shape;
    for (int32_t d : order)
      shape.push_back(getType(source).getDimSize(d));
    results.push_back(withInferredLayout(tile::TransOp::create(
        builder, op.getLoc(),
        RankedTensorType::get(shape, getType(source).getElementType()), source,
        order)));
  }
  return results;
}

/// The same combine function along another axis.
SmallVector<Value> Splitter::reduce(ValueRange sources, int32_t axis) {
  RankedTensorType first = getType(sources[0]);
  SmallVector<int64_t> shape(first.getShape());
  shape.erase(shape.begin() + axis);
  SmallVector<Type> plain;
  for (Value source : sources) {
    Type element = getType(source).getElementType();
    plain.push_back(shape.empty()
                        ? element
                        : Type(RankedTensorType::get(shape, element)));
  }
  auto reduced = tile::ReduceOp::create(builder, op.getLoc(), plain, sources,
                                        axis);
  IRMapping mapping;
  op.getCombine().cloneInto(&reduced.getCombine(), mapping);
  if (LayoutAttr layout = inferResultLayout(reduced, getLayout(first)))
    for (Value result : reduced.getResults())
      result.setType(RankedTensorType::get(
          shape, getType(result).getElementType(), layout));
  return llvm::to_vector_of<Value>(reduced.getResults());
}

SmallVector<Value> Splitter::convert(ValueRange sources, int32_t axis) {
  SmallVector<Value> results;
  for (Value source : sources) {
    RankedTensorType type = getType(source);
    auto gathered = RankedTensorType::get(type.getShape(), type.getElementType(),
                                          gatherAxis(type, axis));
    results.push_back(
        ConvertLayoutOp::create(builder, op.getLoc(), gathered, source));
  }
  return results;
}

/// Moves the runs across warps in front of the others, which become one dim:
/// the shape with `axis` replaced by (partial results, elements of each).
SmallVector<Value> Splitter::separate(ArrayRef<Run> runs) {
  int32_t axis = op.getAxis();
  ArrayRef<int64_t> shape = getType(op.getSrcs()[0]).getShape();
  SmallVector<int64_t> cut(shape.take_front(axis));
  SmallVector<int64_t> merged(shape.take_front(axis));
  SmallVector<int32_t> across, inside;
  int64_t partials = 1;
  for (auto [index, run] : llvm::enumerate(runs)) {
    cut.push_back(int64_t(1) << run.bits);
    (run.acrossWarps ? across : inside).push_back(axis + index);
    partials <<= run.acrossWarps ? run.bits : 0;
  }
  llvm::append_range(cut, shape.drop_front(axis + 1));
  merged.append({partials, shape[axis] / partials});
  llvm::append_range(merged, shape.drop_front(axis + 1));

  auto order = llvm::to_vector(llvm::seq<int32_t>(0, axis));
  llvm::append_range(order, across);
  llvm::append_range(order, inside);
  for (int32_t d = axis + runs.size(); d < int32_t(cut.size()); ++d)
    order.push_back(d);
  return reshape(transpose(reshape(op.getSrcs(), cut), order), merged);
}

void Splitter::run(ArrayRef<Run> runs) {
  int32_t axis = op.getAxis();
  SmallVector<Value> values = reduce(separate(runs), axis + 1);
  values = reduce(convert(values, axis), axis);
  // The layout that the users expect.
  for (auto [result, value] : llvm::zip(op.getResults(), values)) {
    if (result.getType() != value.getType())
      value = ConvertLayoutOp::create(builder, op.getLoc(), result.getType(),
                                      value);
    result.replaceAllUsesWith(value);
  }
  op.erase();
}

namespace {
struct SplitReductions
    : tessera::impl::TileGPUSplitReductionsPassBase<SplitReductions> {
  void runOnOperation() override {
    SmallVector<tile::ReduceOp> reductions;
    getOperation().walk([&](tile::ReduceOp op) { reductions.push_back(op); });
    for (tile::ReduceOp op : reductions) {
      RankedTensorType type = getType(op.getSrcs()[0]);
      if (!hasLayout(type)) {
        op.emitError("a reduction is split by the layout of its source, which "
                     "has none");
        return signalPassFailure();
      }
      SmallVector<Run> runs = getRuns(getLinearLayout(type), op.getAxis());
      auto opts = remark::RemarkOpts::name("split-reduction")
                      .category("tile-gpu-split-reductions")
                      .function(getOperation().getName());
      int64_t partials = 1;
      for (const Run &run : runs)
        partials <<= run.acrossWarps ? run.bits : 0;
      if (partials == 1) {
        remark::missed(op.getLoc(), opts)
            << remark::reason("one warp holds the whole axis");
        continue;
      }
      remark::passed(op.getLoc(), opts) << remark::metric("Partials", partials);
      Splitter(op).run(runs);
    }
  }
};
} // namespace
