//===- StageOperands.cpp - tile-gpu-stage-operands ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma reads its operands from shared memory. Each operand is written to a
// buffer, swizzled as the instruction wants it, with rows along the dimension
// along which threads hold neighbours: so that stores are wide, and, once they
// have become asynchronous copies, those are too. What a loop does not compute
// is written before the loop. Products next to each other that want a value
// laid out alike read one buffer, which is then written, or copied to, once.
//
// An A whose registers are laid out as the instruction reads them stays there.
// It is then waited for at once: registers that a product reads may not be
// written.
//
// A product of tiles that reach over the end of their arrays stops there
// (ProductDepth.h).
//
//===----------------------------------------------------------------------===//

#include "ProductDepth.h"

#include "tessera/Transforms/Layout/DotLayouts.h"
#include "tessera/Transforms/Passes.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUSTAGEOPERANDSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// The dimension along which a thread's first registers, or else its lanes,
/// lie next to each other.
static int getContiguousAxis(RankedTensorType type) {
  LinearLayout layout = getLinearLayout(type);
  for (const char *dim : {kRegisterDim, kLaneDim})
    for (int bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit)
      for (int axis = 0; axis < type.getRank(); ++axis)
        if (layout.getBasis(dim, bit)[axis] == 1)
          return axis;
  return type.getRank() - 1;
}

/// An operand of a dot and how it is to lie in shared memory.
static std::optional<WgmmaOperand> chooseOperand(Value value, int axisMN,
                                                 std::string &error) {
  auto type = cast<RankedTensorType>(value.getType());
  int bytes = tile::getByteWidth(type.getElementType());
  int32_t extentMN = type.getDimSize(axisMN), extentK = type.getDimSize(1 - axisMN);
  auto major = getContiguousAxis(type) == axisMN ? WgmmaOperand::Major::MN
                                                 : WgmmaOperand::Major::K;
  if (auto operand =
          WgmmaOperand::create(extentMN, extentK, major, bytes, &error))
    return operand;
  // Rows the other way cost narrow stores, but work.
  auto other = major == WgmmaOperand::Major::K ? WgmmaOperand::Major::MN
                                               : WgmmaOperand::Major::K;
  return WgmmaOperand::create(extentMN, extentK, other, bytes, &error);
}

/// Where an operand is written: before the outermost of the loops around the
/// dot that do not compute it.
static Operation *getStagingPoint(tile::DotOp dot, Value value) {
  Operation *point = dot;
  for (auto loop = dot->getParentOfType<LoopLikeOpInterface>();
       loop && loop.isDefinedOutsideOfLoop(value);
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    point = loop;
  return point;
}

/// Whether A's registers are those that the instruction reads.
static bool isInRegisters(tile::DotOp dot) {
  std::optional<WgmmaTiling> tiling = getWgmmaTiling(dot, getNumWarps(dot));
  auto type = cast<RankedTensorType>(dot.getA().getType());
  return tiling && tiling->groupsN == 1 &&
         getLayout(type) == getWgmmaRegisters(type, *tiling);
}

namespace {
/// A dot, and where it may stop; decided before anything changes.
struct StagedDot {
  tile::DotOp dot;
  std::optional<ProductDepth> depth;
};

struct StageOperands
    : tessera::impl::TileGPUStageOperandsPassBase<StageOperands> {
  void runOnOperation() override {
    // A pass runs on one function after another.
    buffers.clear();
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) {
      if (getInstruction(dot).getKind() == DotKind::Wgmma)
        dots.push_back(dot);
    });
    for (const StagedDot &staged : chooseDepths(dots))
      if (failed(stageDot(staged)))
        return signalPassFailure();
  }

private:
  SmallVector<StagedDot> chooseDepths(ArrayRef<tile::DotOp> dots);
  LogicalResult stageDot(const StagedDot &staged);
  void report(tile::DotOp dot, const std::optional<WgmmaOperand> &a,
              const WgmmaOperand &b);
  Value stage(tile::DotOp dot, Value value, int axisMN,
              const WgmmaOperand &operand);

  /// By value, type, and the block whose products read it, or the loop around
  /// them before which it is written.
  DenseMap<std::tuple<Value, Type, void *>, Value> buffers;
};
} // namespace

/// The buffer that an operand is written to, here or for a product before.
Value StageOperands::stage(tile::DotOp dot, Value value, int axisMN,
                           const WgmmaOperand &operand) {
  Location loc = dot.getLoc();
  Operation *point = getStagingPoint(dot, value);
  auto type = cast<RankedTensorType>(value.getType());
  auto layout =
      SharedAttr::fromLinear(type.getContext(), operand.getBuffer(axisMN));
  auto bufferType = BufferType::get(type.getContext(), type.getShape(),
                                    type.getElementType(), layout);
  void *place = point == dot ? static_cast<void *>(dot->getBlock()) : point;
  Value &buffer = buffers[{value, bufferType, place}];
  if (buffer)
    return buffer;
  OpBuilder builder(point);
  buffer = AllocOp::create(builder, loc, bufferType, /*offset=*/IntegerAttr());
  LocalStoreOp::create(builder, loc, value, buffer);
  if (point != dot)
    FenceAsyncOp::create(builder, loc);
  return buffer;
}

/// `a` is nothing where A stays in registers.
void StageOperands::report(tile::DotOp dot,
                           const std::optional<WgmmaOperand> &a,
                           const WgmmaOperand &b) {
  auto opts = remark::RemarkOpts::name("operands")
                  .category("tile-gpu-stage-operands")
                  .function(getOperation().getName());
  if (a && matchComputedA(dot))
    remark::missed(dot.getLoc(), opts)
        << remark::reason("A, which is computed in registers, is written to "
                          "shared memory: groups of warps that share its rows "
                          "each need all of it");
  auto nameOf = [](const WgmmaOperand &operand) {
    return operand.getMajor() == WgmmaOperand::Major::K ? "K" : "MN";
  };
  remark::passed(dot.getLoc(), opts)
      << remark::metric("MajorA", a ? nameOf(*a) : "registers")
      << remark::metric("MajorB", nameOf(b));
}

SmallVector<StagedDot> StageOperands::chooseDepths(ArrayRef<tile::DotOp> dots) {
  if (dots.empty())
    return {};
  auto opts = remark::RemarkOpts::name("depth")
                  .category("tile-gpu-stage-operands")
                  .function(getOperation().getName());
  AffineAccess analysis(getOperation());
  return llvm::map_to_vector(dots, [&](tile::DotOp dot) {
    int64_t step = getInstruction(dot).getK();
    std::string reason;
    auto depth = chooseProductDepth(dot, step, analysis, reason);
    if (depth && isInRegisters(dot)) {
      depth.reset();
      reason = "A stays in registers";
    }
    if (depth)
      remark::passed(dot.getLoc(), opts)
          << remark::metric("StopsAtMultiplesOf", step);
    else if (!reason.empty())
      remark::missed(dot.getLoc(), opts)
          << remark::reason("goes to the end of its tiles: {0}", reason);
    return StagedDot{dot, std::move(depth)};
  });
}

LogicalResult StageOperands::stageDot(const StagedDot &staged) {
  tile::DotOp dot = staged.dot;
  std::string error;
  bool inRegisters = isInRegisters(dot);
  auto a = inRegisters ? std::nullopt
                       : chooseOperand(dot.getA(), /*axisMN=*/0, error);
  auto b = chooseOperand(dot.getB(), /*axisMN=*/1, error);
  if ((!inRegisters && !a) || !b)
    return dot.emitError() << error;
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  report(dot, a, *b);
  Value operandA = inRegisters ? dot.getA() : stage(dot, dot.getA(), 0, *a);
  Value bufferB = stage(dot, dot.getB(), 1, *b);
  if (isa_and_nonnull<LocalStoreOp>(dot->getPrevNode()))
    FenceAsyncOp::create(builder, loc);
  Value depth = staged.depth ? staged.depth->build(builder, loc) : Value();
  auto product = WgmmaOp::create(builder, loc, dot.getType(), operandA, bufferB,
                                 dot.getAcc(), depth);
  product->setAttr(TileGPUDialect::kInstruction, getInstruction(dot));
  Value result = WgmmaWaitOp::create(builder, loc, dot.getType(), product,
                                     /*pending=*/0);
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
  return success();
}
