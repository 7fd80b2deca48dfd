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

#include "PTXTable.h"
#include "Patterns.h"
#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {
/// How one access moves `width` elements of a type at once.
struct Chunk {
  int64_t width;
  /// Type of an element in memory: i8 for i1.
  Type memoryType;
  unsigned wordBits, words;
  int64_t bytes;
};
} // namespace

static Chunk getChunk(Type registerType, int64_t width) {
  Chunk chunk;
  chunk.width = width;
  chunk.memoryType = registerType.isInteger(1)
                         ? IntegerType::get(registerType.getContext(), 8)
                         : registerType;
  unsigned elementBits = chunk.memoryType.getIntOrFloatBitWidth();
  unsigned bits = elementBits * width;
  chunk.wordBits = elementBits == 64 ? 64 : std::min(32u, bits);
  chunk.words = bits / chunk.wordBits;
  chunk.bytes = bits / 8;
  return chunk;
}

/// Elements that the access moves at once: what selection proved, as far as the
/// thread's registers hold neighbours.
static int64_t getWidth(Operation *op, RankedTensorType type,
                        const LinearLayout &layout) {
  auto access = op->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  if (!access || access.getAxis() >= type.getRank())
    return 1;
  int64_t neighbours =
      layout.contiguity(kRegisterDim, tensorDimName(access.getAxis()));
  Type pointee = cast<tile::PointerType>(type.getElementType()).getPointee();
  int64_t limit = std::max<int64_t>(1, 16 / tile::getByteWidth(pointee));
  return std::min({access.getWidth(), neighbours, limit});
}

/// Register values as words of memory, and back.
static Value toMemory(ThreadCode &code, Value values, const Chunk &chunk) {
  if (getElementTypeOrSelf(values.getType()).isInteger(1))
    values = code.boolsToBytes(values);
  return code.toWords(values, chunk.wordBits);
}
static Value fromMemory(ThreadCode &code, Value words, const Chunk &chunk,
                        Type registerType) {
  auto type = VectorType::get({chunk.width}, chunk.memoryType);
  Value values = code.fromWords(words, type);
  return registerType.isInteger(1) ? code.bytesToBools(values) : values;
}

static Value toPointer(ThreadCode &code, Value address) {
  return LLVM::IntToPtrOp::create(
      code.b, LLVM::LLVMPointerType::get(code.b.getContext(), kGlobalSpace),
      address);
}

static Value andOptional(ThreadCode &code, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return LLVM::AndOp::create(code.b, a, b);
}

/// One chunk of a load. `other` may be null.
static Value loadChunk(ThreadCode &code, tile::LoadOp op, const Chunk &chunk,
                       Type registerType, Value address, Value predicate,
                       Value other) {
  auto type = VectorType::get({chunk.width}, chunk.memoryType);
  bool plain = !predicate && !op.getCache() && !op.getEvict();
  if (plain) {
    Value loaded =
        LLVM::LoadOp::create(code.b, type, toPointer(code, address),
                             unsigned(chunk.bytes), op.getIsVolatile());
    return registerType.isInteger(1) ? code.bytesToBools(loaded) : loaded;
  }
  Value words;
  if (predicate)
    words = other ? toMemory(code, other, chunk)
                  : code.zero(VectorType::get(
                        {int64_t(chunk.words)},
                        code.b.getIntegerType(chunk.wordBits)));
  ptx::GlobalAccess access{chunk.wordBits, chunk.words, op.getCache(),
                           op.getEvict(), op.getIsVolatile()};
  words = ptx::loadGlobal(code.b, access, address, predicate, words);
  return fromMemory(code, words, chunk, registerType);
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
  ptx::GlobalAccess access{chunk.wordBits, chunk.words, op.getCache(),
                           op.getEvict()};
  ptx::storeGlobal(code.b, access, address, toMemory(code, values, chunk),
                   predicate);
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
        tensor ? getWidth(op, tensor, getLinearLayout(tensor)) : 1;
    Chunk chunk = getChunk(registerType, width);
    SmallVector<Value> parts;
    for (int64_t reg = 0; reg < getCount(addresses); reg += width)
      parts.push_back(loadChunk(
          code, op, chunk, registerType, code.extract(addresses, reg),
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
      width = getWidth(op, tensor, layout);
      first = code.isFirstCopy(layout);
      copies = layout.freeVariableMasks()[kRegisterDim];
    } else {
      first = code.isFirstThread();
    }
    Chunk chunk = getChunk(getElementTypeOrSelf(values.getType()), width);
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
