//===- DotLayouts.cpp - layouts of a dot's operands -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/DotLayouts.h"

#include "tessera/Layout/DimNames.h"
#include "tessera/Transforms/Layout/LayoutProblem.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

using Basis = std::vector<int32_t>;
using Bases = std::vector<Basis>;

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

DotShape tessera::getDotShape(tile::DotOp dot) {
  ArrayRef<int64_t> a = getTensor(dot.getA()).getShape();
  ArrayRef<int64_t> acc = getTensor(dot.getAcc()).getShape();
  size_t rank = acc.size();
  return {rank == 3 ? acc[0] : 1, acc[rank - 2], acc[rank - 1], a[rank - 1]};
}

InstructionAttr tessera::getInstruction(tile::DotOp dot) {
  auto instruction =
      dot->getAttrOfType<InstructionAttr>(TileGPUDialect::kInstruction);
  return instruction ? instruction
                     : InstructionAttr::get(dot.getContext(), DotKind::FMA, 1,
                                            1, 1);
}

std::optional<MmaTiling> tessera::getMmaTiling(tile::DotOp dot,
                                               int32_t numWarps) {
  InstructionAttr instruction = getInstruction(dot);
  DotShape shape = getDotShape(dot);
  MmaShape mma{instruction.getM(), instruction.getN(), instruction.getK()};
  std::optional<std::vector<int32_t>> warps =
      chooseWarps(shape.m, shape.n, numWarps, mma);
  if (!warps)
    return std::nullopt;
  return MmaTiling{*warps, mma};
}

/// The attribute of a two-dimensional layout, with a leading batch dimension in
/// the highest register bits where the tensor has one.
static LayoutAttr withBatch(const LinearLayout &layout, RankedTensorType type) {
  if (type.getRank() == 2)
    return LayoutAttr::fromLinear(type.getContext(), layout);
  SmallVector<int32_t> flat[3];
  const char *dims[] = {kRegisterDim, kLaneDim, kWarpDim};
  for (int i = 0; i < 3; ++i)
    for (int bit = 0; bit < layout.getInDimSizeLog2(dims[i]); ++bit) {
      flat[i].push_back(0);
      llvm::append_range(flat[i], layout.getBasis(dims[i], bit));
    }
  for (int32_t size = 1; size < type.getDimSize(0); size *= 2)
    flat[0].append({size, 0, 0});
  return LayoutAttr::get(type.getContext(), 3, flat[0], flat[1], flat[2]);
}

//===----------------------------------------------------------------------===//
// mma_sync
//===----------------------------------------------------------------------===//

static FailureOr<DotLayouts> getMmaLayouts(tile::DotOp dot, int32_t numWarps) {
  DotShape shape = getDotShape(dot);
  int bits = getTensor(dot.getA()).getElementTypeBitWidth();
  std::optional<MmaTiling> tiling = getMmaTiling(dot, numWarps);
  if (tiling) {
    std::string error;
    auto a = makeMmaOperandA(shape.m, shape.k, *tiling, bits, &error);
    auto b = makeMmaOperandB(shape.k, shape.n, *tiling, bits, &error);
    auto acc = makeMmaAccumulator(shape.m, shape.n, *tiling, &error);
    if (a && b && acc)
      return DotLayouts{withBatch(*a, getTensor(dot.getA())),
                        withBatch(*b, getTensor(dot.getB())),
                        withBatch(*acc, getTensor(dot.getAcc()))};
  }
  return dot.emitError() << "the instruction " << getInstruction(dot)
                         << " does not fit the shape of the dot";
}

//===----------------------------------------------------------------------===//
// fma
//===----------------------------------------------------------------------===//

/// Bases of one input dim of `acc` as places of an operand: coordinate `kept`
/// stays at `position`, the other one is dropped. Register bits that then
/// select nothing are left out.
static Bases project(const LinearLayout &acc, const char *dim, int kept,
                     int position) {
  Bases bases;
  for (int bit = 0; bit < acc.getInDimSizeLog2(dim); ++bit) {
    Basis basis(2, 0);
    basis[position] = acc.getBasis(dim, bit)[kept];
    if (basis[position] != 0 || dim != StringRef(kRegisterDim))
      bases.push_back(basis);
  }
  return bases;
}

/// Operand of `rows` x `columns`, whose dim `position` is the accumulators'
/// dim `kept`, and whose other dim is k.
static std::optional<LinearLayout> projectOperand(const LinearLayout &acc,
                                                  int kept, int position,
                                                  int32_t rows,
                                                  int32_t columns) {
  Bases registers;
  int32_t k = position == 0 ? columns : rows;
  for (int32_t size = 1; size < k; size *= 2) {
    Basis basis(2, 0);
    basis[1 - position] = size;
    registers.push_back(basis);
  }
  for (Basis &basis : project(acc, kRegisterDim, kept, position))
    registers.push_back(basis);
  return LinearLayout::create(
      {{kRegisterDim, registers},
       {kLaneDim, project(acc, kLaneDim, kept, position)},
       {kWarpDim, project(acc, kWarpDim, kept, position)}},
      {{tensorDimName(0), rows}, {tensorDimName(1), columns}});
}

static FailureOr<DotLayouts> getFMALayouts(tile::DotOp dot, int32_t numWarps) {
  DotShape shape = getDotShape(dot);
  auto type = RankedTensorType::get({shape.m, shape.n},
                                    getTensor(dot.getAcc()).getElementType());
  LayoutAttr acc = getCoalescedLayout(type, 1, 4, numWarps);
  if (acc) {
    LinearLayout linear = acc.toLinear(type.getShape());
    auto a = projectOperand(linear, 0, 0, shape.m, shape.k);
    auto b = projectOperand(linear, 1, 1, shape.k, shape.n);
    if (a && b)
      return DotLayouts{withBatch(*a, getTensor(dot.getA())),
                        withBatch(*b, getTensor(dot.getB())),
                        withBatch(linear, getTensor(dot.getAcc()))};
  }
  return dot.emitError("no layout fits the shape of the dot");
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

std::optional<WgmmaTiling> tessera::getWgmmaTiling(tile::DotOp dot,
                                                   int32_t numWarps) {
  DotShape shape = getDotShape(dot);
  return chooseWgmmaTiling(shape.m, shape.n, numWarps);
}

/// Whether an operation computes each element of its result from those of its
/// operands.
static bool isElementwise(Operation *op) {
  return isa<tile::ConvertOp>(op) ||
         (op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1);
}

/// Whether a load of a tile runs ahead of what uses it in its loop.
static bool isLoadOfStagedLoop(Operation *op) {
  return isa<tile::LoadOp, tile::DescLoadOp>(op) &&
         op->getParentOp()->hasAttr(tile::TileDialect::kNumStages);
}

std::optional<ComputedOperand> tessera::matchComputedA(tile::DotOp dot) {
  ComputedOperand result;
  bool fromProduct = false;
  llvm::SetVector<Value> values;
  values.insert(dot.getA());
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    // Before a loop it is as well written to shared memory once.
    if (!op || op->getBlock() != dot->getBlock())
      return std::nullopt;
    if (isElementwise(op)) {
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()) &&
            !operand.getDefiningOp<tile::BroadcastOp>() &&
            !operand.getDefiningOp<tile::SplatOp>() &&
            !operand.getDefiningOp<arith::ConstantOp>())
          values.insert(operand);
    } else if (i != 0 && isLoadOfStagedLoop(op)) {
      result.loads.push_back(op);
    } else if (auto product = dyn_cast<tile::DotOp>(op);
               product && getInstruction(product).getKind() == DotKind::Wgmma) {
      fromProduct = true;
    } else {
      return std::nullopt;
    }
  }
  auto isOnlyForA = [&](Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user == dot ? dot.getB() != value
                         : user->getNumResults() == 1 &&
                               values.contains(user->getResult(0));
    });
  };
  // A load that something else uses, too, is in registers as that needs it.
  if (!result.loads.empty() &&
      (fromProduct || !llvm::all_of(values, isOnlyForA)))
    return std::nullopt;
  return fromProduct || !result.loads.empty() ? std::optional(result)
                                              : std::nullopt;
}

static FailureOr<DotLayouts> getWgmmaLayouts(tile::DotOp dot,
                                             int32_t numWarps) {
  DotShape shape = getDotShape(dot);
  auto byRows = [&](Value operand) {
    RankedTensorType type = getTensor(operand);
    return getCoalescedLayout(type, type.getRank() - 1,
                              16 / tile::getByteWidth(type.getElementType()),
                              numWarps);
  };
  if (auto tiling = getWgmmaTiling(dot, numWarps))
    if (auto acc = makeWgmmaAccumulator(shape.m, shape.n, *tiling)) {
      DotLayouts layouts{byRows(dot.getA()), byRows(dot.getB()),
                         LayoutAttr::fromLinear(dot.getContext(), *acc),
                         /*readsA=*/false, /*readsB=*/false};
      // Groups along N would each need all of A.
      if (tiling->groupsN == 1 && matchComputedA(dot)) {
        layouts.a = getWgmmaRegisters(getTensor(dot.getA()), *tiling);
        layouts.readsA = true;
      }
      return layouts;
    }
  return dot.emitError() << "the instruction " << getInstruction(dot)
                         << " does not fit the shape of the dot and "
                         << numWarps << " warps";
}

FailureOr<DotLayouts> tessera::getDotLayouts(tile::DotOp dot,
                                             int32_t numWarps) {
  switch (getInstruction(dot).getKind()) {
  case DotKind::MmaSync:
    return getMmaLayouts(dot, numWarps);
  case DotKind::Wgmma:
    return getWgmmaLayouts(dot, numWarps);
  case DotKind::FMA:
    return getFMALayouts(dot, numWarps);
  }
}
