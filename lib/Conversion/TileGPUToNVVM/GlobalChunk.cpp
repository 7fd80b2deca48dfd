//===- GlobalChunk.cpp - what one instruction moves of a tensor -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalChunk.h"

#include "Patterns.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

Chunk::Chunk(Type registerType, int64_t width)
    : width(width), registerType(registerType),
      memoryType(registerType.isInteger(1)
                     ? IntegerType::get(registerType.getContext(), 8)
                     : registerType) {
  unsigned elementBits = memoryType.getIntOrFloatBitWidth();
  unsigned bits = elementBits * width;
  wordBits = elementBits == 64 ? 64 : std::min(32u, bits);
  words = bits / wordBits;
  bytes = bits / 8;
}

VectorType Chunk::getWordsType() const {
  return VectorType::get({int64_t(words)},
                         IntegerType::get(memoryType.getContext(), wordBits));
}

int64_t tessera::getChunkWidth(Operation *op, RankedTensorType tensor,
                               const LinearLayout &layout) {
  auto access = op->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  if (!access || access.getAxis() >= tensor.getRank())
    return 1;
  int64_t neighbours =
      layout.contiguity(kRegisterDim, tensorDimName(access.getAxis()));
  // `tensor` is what is moved, or pointers to it.
  Type element = tensor.getElementType();
  if (auto pointer = dyn_cast<tile::PointerType>(element))
    element = pointer.getPointee();
  int64_t bytes = tile::getByteWidth(element);
  int64_t limit = std::max<int64_t>(1, 16 / bytes);
  return std::min({access.getWidth(), neighbours, limit});
}

Value tessera::toMemory(ThreadCode &code, Value values, const Chunk &chunk) {
  if (getElementTypeOrSelf(values.getType()).isInteger(1))
    values = code.boolsToBytes(values);
  return code.toWords(values, chunk.wordBits);
}

Value tessera::fromMemory(ThreadCode &code, Value words, const Chunk &chunk) {
  Value values =
      code.fromWords(words, VectorType::get({chunk.width}, chunk.memoryType));
  return chunk.registerType.isInteger(1) ? code.bytesToBools(values) : values;
}

Value tessera::toPointer(ThreadCode &code, Value address) {
  return LLVM::IntToPtrOp::create(
      code.b, LLVM::LLVMPointerType::get(code.b.getContext(), kGlobalSpace),
      address);
}

Value tessera::loadWords(ThreadCode &code, const Chunk &chunk,
                         const GlobalHints &hints, Value address,
                         Value predicate, Value other) {
  if (!predicate && !hints.cache && !hints.evict)
    return LLVM::LoadOp::create(code.b, chunk.getWordsType(),
                                toPointer(code, address),
                                unsigned(chunk.bytes), hints.isVolatile);
  if (predicate && !other)
    other = code.zero(chunk.getWordsType());
  ptx::GlobalAccess access{chunk.wordBits, chunk.words, hints.cache,
                           hints.evict, hints.isVolatile};
  return ptx::loadGlobal(code.b, access, address, predicate, other);
}

void tessera::storeWords(ThreadCode &code, const Chunk &chunk,
                         const GlobalHints &hints, Value address,
                         Value predicate, Value words) {
  if (!predicate && !hints.cache && !hints.evict) {
    LLVM::StoreOp::create(code.b, words, toPointer(code, address),
                          unsigned(chunk.bytes));
    return;
  }
  ptx::GlobalAccess access{chunk.wordBits, chunk.words, hints.cache,
                           hints.evict};
  ptx::storeGlobal(code.b, access, address, words, predicate);
}
