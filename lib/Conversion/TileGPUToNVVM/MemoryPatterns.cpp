//===- MemoryPatterns.cpp - loads and stores of global memory -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor access is cut into chunks of registers that one instruction moves.
// Masks predicate instructions; without a mask, plain LLVM accesses are made,
// which LLVM may combine and schedule.
//
//===----------------------------------------------------------------------===//

#include "GlobalChunk.h"
#include "Patterns.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

static Value andOptional(ThreadCode &code, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return LLVM::AndOp::create(code.b, a, b);
}

/// One chunk of a load. `other` may be null. Without a predicate, values are
/// loaded as such, which LLVM may combine.
static Value loadChunk(ThreadCode &code, tile::LoadOp op, const Chunk &chunk,
                       Value address, Value predicate, Value other) {
  if (!predicate && !op.getCache() && !op.getEvict()) {
    Value loaded = LLVM::LoadOp::create(
        code.b, VectorType::get({chunk.width}, chunk.memoryType),
        toPointer(code, address), unsigned(chunk.bytes), op.getIsVolatile());
    return chunk.registerType.isInteger(1) ? code.bytesToBools(loaded) : loaded;
  }
  GlobalHints hints{op.getCache(), op.getEvict(), op.getIsVolatile()};
  Value words = loadWords(code, chunk, hints, address, predicate,
                          predicate && other ? toMemory(code, other, chunk)
                                             : Value());
  return fromMemory(code, words, chunk);
}

static void storeChunk(ThreadCode &code, tile::StoreOp op, const Chunk &chunk,
                       Value address, Value predicate, Value values) {
  if (!predicate && !op.getCache() && !op.getEvict()) {
    if (getElementTypeOrSelf(values.getType()).isInteger(1))
      values = code.boolsToBytes(values);
    LLVM::StoreOp::create(code.b, values, toPointer(code, address),
                          unsigned(chunk.bytes));
    return;
  }
  storeWords(code, chunk, {op.getCache(), op.getEvict()}, address, predicate,
             toMemory(code, values, chunk));
}

namespace {

struct Load : OpConversionPattern<tile::LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    auto &converter = *getTypeConverter<TileGPUTypeConverter>();
    Type registerType =
        converter.convertElement(getElementTypeOrSelf(op.getType()));
    auto tensor = dyn_cast<RankedTensorType>(op.getPtr().getType());
    Value addresses = code.asVector(adaptor.getPtr());
    Value mask = code.asVector(adaptor.getMask());
    Value other = code.asVector(adaptor.getOther());
    int64_t width =
        tensor ? getChunkWidth(op, tensor, getLinearLayout(tensor)) : 1;
    Chunk chunk(registerType, width);
    SmallVector<Value> parts;
    for (int64_t reg = 0; reg < getCount(addresses); reg += width)
      parts.push_back(loadChunk(
          code, op, chunk, code.extract(addresses, reg),
          mask ? code.extract(mask, reg) : Value(),
          other ? code.slice(other, reg, width) : Value()));
    Value result = code.concat(parts);
    if (!tensor) {
      result = code.extract(result, 0);
      if (isa<tile::PointerType>(op.getType()))
        result = LLVM::IntToPtrOp::create(
            code.b, converter.convertType(op.getType()), result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Of the threads that hold copies of an element, the first one stores it; of
/// a scalar, thread 0.
struct Store : OpConversionPattern<tile::StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Value addresses = code.asVector(adaptor.getPtr());
    Value mask = code.asVector(adaptor.getMask());
    Value values = code.asVector(adaptor.getValue());
    auto tensor = dyn_cast<RankedTensorType>(op.getPtr().getType());
    int64_t width = 1, copies = 0;
    Value first;
    if (tensor) {
      LinearLayout layout = getLinearLayout(tensor);
      width = getChunkWidth(op, tensor, layout);
      first = code.isFirstCopy(layout);
      copies = layout.freeVariableMasks()[kRegisterDim];
    } else {
      first = code.isFirstThread();
    }
    Chunk chunk(getElementTypeOrSelf(values.getType()), width);
    for (int64_t reg = 0; reg < getCount(addresses); reg += width) {
      if (reg & copies)
        continue;
      Value predicate =
          andOptional(code, mask ? code.extract(mask, reg) : Value(), first);
      storeChunk(code, op, chunk, code.extract(addresses, reg), predicate,
                 code.slice(values, reg, width));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tessera::populateMemoryPatterns(const TileGPUTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<Load, Store>(converter, patterns.getContext());
}
