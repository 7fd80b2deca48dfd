//===- GlobalChunk.h - what one instruction moves of a tensor -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor access is cut into chunks of registers that one instruction moves.
// Shared by accesses through pointers and through descriptors.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CONVERSION_TILEGPUTONVVM_GLOBALCHUNK_H
#define TESSERA_LIB_CONVERSION_TILEGPUTONVVM_GLOBALCHUNK_H

#include "PTXTable.h"
#include "ThreadCode.h"

namespace tessera {

/// How one access moves `width` elements of a type at once.
struct Chunk {
  int64_t width;
  /// Type of an element in a register, and in memory: i8 for i1.
  mlir::Type registerType, memoryType;
  unsigned wordBits, words;
  int64_t bytes;

  Chunk(mlir::Type registerType, int64_t width);
  /// Its words as a vector.
  mlir::VectorType getWordsType() const;
};

/// Hints of a global access.
struct GlobalHints {
  std::optional<tile::CacheHint> cache;
  std::optional<tile::EvictionHint> evict;
  bool isVolatile = false;
};

/// Elements that the access `op` of `tensor`, in `layout`, moves at once: what
/// selection proved, as far as the thread's registers hold neighbours.
int64_t getChunkWidth(mlir::Operation *op, mlir::RankedTensorType tensor,
                      const LinearLayout &layout);

/// Register values as words of memory, and back.
mlir::Value toMemory(ThreadCode &code, mlir::Value values, const Chunk &chunk);
mlir::Value fromMemory(ThreadCode &code, mlir::Value words, const Chunk &chunk);

/// An address, an i64, as a pointer.
mlir::Value toPointer(ThreadCode &code, mlir::Value address);

/// The words at `address` if `predicate` holds or is null, else `other`, which
/// may be null for zeros. Without predicate and hints, an access of LLVM's.
mlir::Value loadWords(ThreadCode &code, const Chunk &chunk,
                      const GlobalHints &hints, mlir::Value address,
                      mlir::Value predicate, mlir::Value other);
/// Writes words to `address` if `predicate` holds or is null.
void storeWords(ThreadCode &code, const Chunk &chunk, const GlobalHints &hints,
                mlir::Value address, mlir::Value predicate, mlir::Value words);

} // namespace tessera

#endif // TESSERA_LIB_CONVERSION_TILEGPUTONVVM_GLOBALCHUNK_H
