//===- TMAPatterns.cpp - copies of boxes and their barriers ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one thread does stands under `if (thread == 0)`: always the same thread,
// since groups of stores belong to a thread. What all threads do, and what
// costs nothing in a thread without copies, stands by itself.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ThreadCode.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// The address space of PTX's shared::cluster, which a CTA without a cluster has
/// to itself.
static constexpr unsigned kClusterSpace = 7;

static LogicalResult checkTarget(Operation *op) {
  FailureOr<TargetInfo> target = getTargetInfo(op);
  if (failed(target) || target->hasTensorCopies())
    return failure(failed(target));
  return op->emitError() << target->name << " has no tensor maps and mbarriers";
}

/// Emits `body` for thread 0 alone.
static void emitOnce(ThreadCode &code,
                     llvm::function_ref<void(ThreadCode &)> body) {
  OpBuilder::InsertionGuard guard(code.b);
  auto branch =
      scf::IfOp::create(code.b, code.isFirstThread(), /*withElseRegion=*/false);
  code.b.setInsertionPointToStart(branch.thenBlock());
  body(code);
}

/// Replaces `op`, which has no results, by `body` for thread 0 alone.
static LogicalResult
lowerToOnce(Operation *op, ConversionPatternRewriter &rewriter,
            llvm::function_ref<void(ThreadCode &)> body) {
  if (failed(checkTarget(op)))
    return failure();
  ThreadCode code(rewriter, op->getLoc());
  emitOnce(code, body);
  rewriter.eraseOp(op);
  return success();
}

/// The mbarrier of a slot.
static Value getMBarrier(ThreadCode &code, Value barriers, Value slot) {
  return LLVM::GEPOp::create(code.b, barriers.getType(), code.b.getI64Type(),
                             barriers, ValueRange(slot));
}

namespace {

struct MBarrierInit : OpConversionPattern<MBarrierInitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MBarrierInitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op)))
      return failure();
    if (!op.getOffset())
      return op.emitError("mbarriers have no offset; run "
                          "tile-gpu-allocate-shared before");
    FailureOr<Value> base = getSharedAddress(rewriter, op, *op.getOffset());
    if (failed(base))
      return failure();
    ThreadCode code(rewriter, op.getLoc());
    emitOnce(code, [&](ThreadCode &once) {
      for (int64_t i = 0; i < op.getType().getSlots(); ++i)
        NVVM::MBarrierInitOp::create(once.b,
                                     getMBarrier(once, *base, once.i32(i)),
                                     once.i32(op.getArrivals()), Value());
      // Copies, which another proxy makes, see it too.
      NVVM::FenceMbarrierInitOp::create(once.b);
    });
    code.barrier(op);
    rewriter.replaceOp(op, *base);
    return success();
  }
};

struct MBarrierArrive : OpConversionPattern<MBarrierArriveOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MBarrierArriveOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return lowerToOnce(op, rewriter, [&](ThreadCode &once) {
      NVVM::MBarrierArriveOp::create(
          once.b, once.b.getI64Type(),
          getMBarrier(once, adaptor.getBarriers(), adaptor.getSlot()),
          /*count=*/Value());
    });
  }
};

struct MBarrierExpect : OpConversionPattern<MBarrierExpectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MBarrierExpectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return lowerToOnce(op, rewriter, [&](ThreadCode &once) {
      NVVM::MBarrierArriveExpectTxOp::create(
          once.b, TypeRange(),
          getMBarrier(once, adaptor.getBarriers(), adaptor.getSlot()),
          once.i32(op.getBytes()), NVVM::MemScopeKind::CTA, /*relaxed=*/false,
          /*predicate=*/Value());
    });
  }
};

/// try_wait gives up after a while that the hardware sets; it is then asked
/// again.
struct MBarrierWait : OpConversionPattern<MBarrierWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MBarrierWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op)))
      return failure();
    ThreadCode code(rewriter, op.getLoc());
    Value barrier =
        getMBarrier(code, adaptor.getBarriers(), adaptor.getSlot());
    Value yes = LLVM::ConstantOp::create(code.b, code.b.getI1Type(),
                                         code.b.getBoolAttr(true));
    scf::WhileOp::create(
        code.b, TypeRange(), ValueRange(),
        [&](OpBuilder &builder, Location loc, ValueRange) {
          Value ended = NVVM::MBarrierTryWaitOp::create(
              builder, loc, builder.getI1Type(), barrier, adaptor.getParity(),
              /*ticks=*/Value());
          scf::ConditionOp::create(
              builder, loc, LLVM::XOrOp::create(builder, loc, ended, yes),
              ValueRange());
        },
        [&](OpBuilder &builder, Location loc, ValueRange) {
          scf::YieldOp::create(builder, loc);
        });
    rewriter.eraseOp(op);
    return success();
  }
};

struct TMAPrefetch : OpConversionPattern<TMAPrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TMAPrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return lowerToOnce(op, rewriter, [&](ThreadCode &once) {
      auto unit = once.b.getUnitAttr();
      NVVM::PrefetchOp::create(once.b, /*cacheLevel=*/nullptr,
                               /*evictPriority=*/nullptr, adaptor.getMap(),
                               /*predicate=*/Value(), /*tensormap=*/unit,
                               /*uniform=*/nullptr, /*in_param_space=*/unit);
    });
  }
};

/// It says something, and does nothing.
struct TMALoadEnd : OpConversionPattern<TMALoadEndOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TMALoadEndOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// A box of a copy: its address in the buffer and its coordinates.
struct BoxOperands {
  Value address;
  SmallVector<Value> coordinates;
};

} // namespace

static BoxOperands getBoxOperands(ThreadCode &code, const TensorCopy::Box &box,
                                  Value buffer, ValueRange coordinates,
                                  size_t rank) {
  BoxOperands result;
  result.address =
      LLVM::GEPOp::create(code.b, buffer.getType(), code.b.getI8Type(), buffer,
                          ArrayRef<LLVM::GEPArg>{int32_t(box.offset)});
  // The hardware counts dimensions from the last one.
  for (auto [i, coordinate] : llvm::enumerate(llvm::reverse(coordinates))) {
    int32_t first = i == 0 ? box.column : i == 1 && rank == 2 ? box.row : 0;
    result.coordinates.push_back(
        first == 0 ? coordinate
                   : LLVM::AddOp::create(code.b, coordinate, code.i32(first))
                         .getResult());
  }
  return result;
}

namespace {

struct TMALoad : OpConversionPattern<TMALoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TMALoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    BufferType buffer = op.getBuffer().getType();
    std::optional<BufferCopy> copy = getBufferCopy(op.getMap().getType(), buffer);
    auto cluster =
        LLVM::LLVMPointerType::get(rewriter.getContext(), kClusterSpace);
    return lowerToOnce(op, rewriter, [&](ThreadCode &once) {
      Value barrier =
          getMBarrier(once, adaptor.getBarriers(), adaptor.getSlot());
      for (const TensorCopy::Box &box : copy->copy.getBoxes()) {
        BoxOperands operands =
            getBoxOperands(once, box, adaptor.getBuffer(),
                           adaptor.getCoordinates(), buffer.getShape().size());
        NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
            once.b,
            LLVM::AddrSpaceCastOp::create(once.b, cluster, operands.address),
            adaptor.getMap(), operands.coordinates, barrier,
            /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(),
            /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
            /*isCTAOnly=*/false, /*group=*/NVVM::CTAGroupKindAttr(),
            /*predicate=*/Value());
      }
    });
  }
};

struct TMAStore : OpConversionPattern<TMAStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TMAStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    BufferType buffer = op.getBuffer().getType();
    std::optional<BufferCopy> copy = getBufferCopy(op.getMap().getType(), buffer);
    return lowerToOnce(op, rewriter, [&](ThreadCode &once) {
      for (const TensorCopy::Box &box : copy->copy.getBoxes()) {
        BoxOperands operands =
            getBoxOperands(once, box, adaptor.getBuffer(),
                           adaptor.getCoordinates(), buffer.getShape().size());
        NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
            once.b, adaptor.getMap(), operands.address, operands.coordinates,
            /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
            /*predicate=*/Value());
      }
    });
  }
};

struct TMAStoreCommit : OpConversionPattern<TMAStoreCommitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TMAStoreCommitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op)))
      return failure();
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncBulkCommitGroupOp>(op);
    return success();
  }
};

struct TMAStoreWait : OpConversionPattern<TMAStoreWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TMAStoreWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op)))
      return failure();
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncBulkWaitGroupOp>(
        op, rewriter.getI32IntegerAttr(op.getPending()),
        rewriter.getUnitAttr());
    return success();
  }
};

} // namespace

void tessera::populateTMAPatterns(const TileGPUTypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<MBarrierInit, MBarrierArrive, MBarrierExpect, MBarrierWait,
               TMAPrefetch, TMALoad, TMALoadEnd, TMAStore, TMAStoreCommit,
               TMAStoreWait>(converter, patterns.getContext());
}
