//===- RaiseAccesses.cpp - tile-raise-accesses ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DescAccess.h says which accesses become accesses of descriptors, and why that
// is exact. This file builds them:
//
//     %x = tile.load %pointers, %mask, %zeros
//
// becomes
//
//     %desc = tile.make_desc %base, [%m, %k], [%stride_m, %stride_k]
//     %x = tile.desc_load %desc[%i, %j]
//
// The descriptor is made as far outside of loops as its operands allow.
//
//===----------------------------------------------------------------------===//

#include "CarriedTensors.h"
#include "DescAccess.h"
#include "ScalarCode.h"
#include "TransposedLoads.h"

#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILERAISEACCESSESPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// The outermost operation around (or at) `op` in front of which all `values`
/// are available.
static Operation *getHoistPoint(Operation *op,
                                const llvm::SetVector<Value> &values) {
  while (true) {
    Operation *parent = op->getParentOp();
    bool needed = llvm::any_of(values, [&](Value value) {
      return parent->isAncestor(value.getParentRegion()->getParentOp());
    });
    if (needed || isa<tile::FuncOp>(parent))
      return op;
    op = parent;
  }
}

namespace {
/// What a dimension adds to the operations.
struct DimOperands {
  Value extent, stride;
  /// Where the array begins behind the tile's first element; null: there.
  Value shift;
};
} // namespace

/// bound - start for each bound, combined by `combine`.
static Value
combineDistances(ScalarCode &code, ArrayRef<MaskBound> bounds,
                 llvm::function_ref<Value(Value, Value)> combine) {
  Value result;
  for (const MaskBound &bound : bounds) {
    Value distance = code.subtract(code.wideIndex(bound.bound, bound.width),
                                   code.wideIndex(bound.start, bound.width));
    result = result ? combine(result, distance) : distance;
  }
  return result;
}

/// A dimension that begins at the tile's first element, or at the first one
/// that the lower bounds let through; `size` elements if nothing bounds it.
static DimOperands buildTileDim(ScalarCode &code, const DescDim &dim,
                                int64_t size) {
  DimOperands operands;
  operands.stride = code.index(dim.stride, 64);
  operands.extent =
      combineDistances(code, dim.uppers, [&](Value a, Value b) {
        return code.smaller(a, b);
      });
  if (!operands.extent)
    operands.extent = code.constant(size, 64);
  operands.shift =
      combineDistances(code, dim.lowers, [&](Value a, Value b) {
        return code.larger(a, b);
      });
  if (operands.shift)
    operands.extent = code.subtract(operands.extent, operands.shift);
  return operands;
}

static DimOperands buildArrayDim(ScalarCode &code, const DescDim &dim) {
  DimOperands operands;
  operands.stride = code.index(dim.stride, 64);
  for (const MaskBound &bound : dim.uppers) {
    if (dim.uppers.size() == 1) {
      operands.extent = code.index(bound.bound, bound.width);
      break;
    }
    Value extent = code.wideIndex(bound.bound, bound.width);
    operands.extent =
        operands.extent ? code.smaller(operands.extent, extent) : extent;
  }
  return operands;
}

namespace {
/// Builds the descriptor access of one decision.
class Raiser {
public:
  explicit Raiser(const DescAccess &access)
      : access(access), op(access.access), builder(op) {}

  void run();

private:
  Value buildDesc();
  void replace(Value desc, ValueRange offsets);

  const DescAccess &access;
  Operation *op;
  OpBuilder builder;
  SmallVector<DimOperands> dims;
};
} // namespace

Value Raiser::buildDesc() {
  Location loc = op->getLoc();
  ScalarCode code(builder, loc);
  auto type = cast<RankedTensorType>(getAccessPointer(op).getType());
  Value base = code.sum(access.base, 64);
  SmallVector<Value> extents, strides;
  for (auto [dim, size] : llvm::zip(access.dims, type.getShape())) {
    DimOperands operands = dim.origin == DescDim::Origin::Array
                               ? buildArrayDim(code, dim)
                               : buildTileDim(code, dim, size);
    if (operands.shift)
      base = code.add(base, code.multiply(operands.shift,
                                          code.resize(operands.stride, 64)));
    extents.push_back(operands.extent);
    strides.push_back(operands.stride);
    dims.push_back(operands);
  }
  Value pointer = builder.createOrFold<tile::AddPtrOp>(loc, access.pointer, base);
  Type element =
      cast<tile::PointerType>(access.pointer.getType()).getPointee();
  auto descType =
      tile::DescType::get(op->getContext(), type.getShape(), element);
  return tile::MakeDescOp::create(builder, loc, descType, pointer, extents,
                                  strides);
}

void Raiser::replace(Value desc, ValueRange offsets) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::LoadOp load) {
        auto raised = tile::DescLoadOp::create(
            builder, load.getLoc(), load.getType(), desc, offsets,
            load.getCacheAttr(), load.getEvictAttr());
        load.getResult().replaceAllUsesWith(raised);
      })
      .Case([&](tile::StoreOp store) {
        tile::DescStoreOp::create(builder, store.getLoc(), desc, offsets,
                                  store.getValue(), store.getCacheAttr(),
                                  store.getEvictAttr());
      });
  op->erase();
}

void Raiser::run() {
  builder.setInsertionPoint(getHoistPoint(op, access.getLeaves()));
  Value desc = buildDesc();
  builder.setInsertionPoint(op);
  ScalarCode code(builder, op->getLoc());
  SmallVector<Value> offsets;
  for (auto [dim, operands] : llvm::zip(access.dims, dims)) {
    if (dim.origin == DescDim::Origin::Array) {
      const MaskBound &bound = dim.uppers.front();
      offsets.push_back(code.index(bound.start, bound.width));
    } else if (operands.shift) {
      offsets.push_back(code.subtract(code.constant(0, 64), operands.shift));
    } else {
      offsets.push_back(code.constant(0, 64));
    }
  }
  replace(desc, offsets);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Erases what has no use any more; users come after what they use.
static void eraseDead(tile::FuncOp function) {
  SmallVector<Operation *> ops;
  function.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (op->getNumRegions() == 0 && isOpTriviallyDead(op))
      op->erase();
}

/// Lets the strides of descriptors that are known numbers be constants.
static bool foldStrides(tile::FuncOp function, const AffineAccess &analysis) {
  bool changed = false;
  function.walk([&](tile::MakeDescOp desc) {
    for (OpOperand &operand : desc.getStridesMutable()) {
      std::optional<int64_t> known = analysis.getFacts(operand.get()).constant;
      if (!known || operand.get().getDefiningOp<arith::ConstantOp>())
        continue;
      OpBuilder builder(desc);
      ScalarCode code(builder, desc.getLoc());
      operand.set(code.constant(
          *known, operand.get().getType().getIntOrFloatBitWidth()));
      changed = true;
    }
  });
  return changed;
}

namespace {
struct TileRaiseAccesses
    : tessera::impl::TileRaiseAccessesPassBase<TileRaiseAccesses> {
  using TileRaiseAccessesPassBase::TileRaiseAccessesPassBase;

  void runOnOperation() override {
    if (maxRank <= 0)
      return;
    scalarize();
    AffineAccess analysis(getOperation());
    bool changed = foldStrides(getOperation(), analysis);
    SmallVector<DescAccess, 0> raised;
    for (Operation *op : getPointerAccesses()) {
      DescChoice choice = chooseDesc(op, analysis, maxRank);
      report(op, choice);
      if (choice.access)
        raised.push_back(std::move(*choice.access));
    }
    for (const DescAccess &access : raised)
      Raiser(access).run();
    changed |= foldTransposes(getOperation());
    if (changed || !raised.empty())
      eraseDead(getOperation());
  }

private:
  SmallVector<Operation *> getPointerAccesses() {
    SmallVector<Operation *> accesses = getTensorAccesses(getOperation());
    llvm::erase_if(accesses,
                   [](Operation *op) { return !getAccessPointer(op); });
    return accesses;
  }

  /// Scalars for the loop-carried tensors of accesses that can be raised.
  void scalarize() {
    AffineAccess analysis(getOperation());
    llvm::SetVector<BlockArgument> advances;
    for (Operation *op : getPointerAccesses()) {
      DescChoice choice = chooseDesc(op, analysis, maxRank);
      if (choice.access)
        advances.insert_range(choice.access->getAdvances());
    }
    scalarizeCarried(advances, analysis);
  }

  void report(Operation *op, const DescChoice &choice) {
    auto opts =
        remark::RemarkOpts::name(isa<tile::LoadOp>(op) ? "load" : "store")
            .category("tile-raise-accesses")
            .function(getOperation().getName());
    if (!choice.access) {
      remark::missed(op->getLoc(), opts)
          << remark::reason("{0}", choice.reason);
      return;
    }
    auto origins = llvm::map_range(
        choice.access->dims, [](const DescDim &dim) -> std::string {
          return dim.origin == DescDim::Origin::Array ? "array" : "tile";
        });
    remark::passed(op->getLoc(), opts)
        << remark::metric("Origins", llvm::join(origins, ", "));
  }
};
} // namespace
