//===- PTXTable.h - instructions without an operation of the nvvm dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place for inline PTX. Each entry gives the instruction's text and
// the constraints of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CONVERSION_TILEGPUTONVVM_PTXTABLE_H
#define TESSERA_LIB_CONVERSION_TILEGPUTONVVM_PTXTABLE_H

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::ptx {

/// Width and hints of a global access. PTX ISA, "ld", "st".
struct GlobalAccess {
  /// Bits of a word: 8, 16, 32 or 64.
  unsigned wordBits;
  /// Words of one access: 1, 2 or 4; 16 bytes at most.
  unsigned words;
  std::optional<tile::CacheHint> cache;
  std::optional<tile::EvictionHint> evict;
  bool isVolatile = false;
};

/// `predicate ? *address : other`, word by word. `address` is an i64;
/// `predicate`, an i1, may be null, and `other` is then not used. Words are
/// vector<words x iN>.
///
/// Emulation: a masked load of `words` consecutive words.
mlir::Value loadGlobal(mlir::ImplicitLocOpBuilder &b, const GlobalAccess &access,
                       mlir::Value address, mlir::Value predicate,
                       mlir::Value other);

/// `if (predicate) *address = value`, with the same operands.
void storeGlobal(mlir::ImplicitLocOpBuilder &b, const GlobalAccess &access,
                 mlir::Value address, mlir::Value value, mlir::Value predicate);

/// `if (predicate) *address = value` for shared memory; `address` is an i32.
void storeShared(mlir::ImplicitLocOpBuilder &b, unsigned wordBits,
                 mlir::Value address, mlir::Value value, mlir::Value predicate);

} // namespace tessera::ptx

#endif // TESSERA_LIB_CONVERSION_TILEGPUTONVVM_PTXTABLE_H
