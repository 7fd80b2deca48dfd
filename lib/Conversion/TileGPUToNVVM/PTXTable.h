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

/// Loads 8x8 matrices of 16-bit elements from shared memory: `count` (1, 2 or
/// 4) words of 32 bits, one a matrix, as vector<count x i32>. `address`, an
/// i32, is that of row lane % 8 of matrix lane / 8. PTX ISA, "ldmatrix".
///
/// Emulation: word j of lane t holds elements 2 (t % 4) and 2 (t % 4) + 1 of
/// row t / 4 of matrix j; transposed, rows and columns change places.
mlir::Value loadMatrix(mlir::ImplicitLocOpBuilder &b, unsigned count,
                       bool transposed, mlir::Value address);

/// Stores them: words as vector<count x i32>, addresses as above. PTX ISA,
/// "stmatrix".
void storeMatrix(mlir::ImplicitLocOpBuilder &b, bool transposed,
                 mlir::Value address, mlir::Value words);

/// One mma.sync of shape m x n x k. PTX ISA, "mma".
struct Mma {
  int m, n, k;
  /// Element types in PTX's terms: "f16", "bf16", "tf32", "e4m3", "e5m2", "s8",
  /// "f64"; accumulators "f32", "f16", "s32", "f64".
  std::string a, b, acc;
};

/// acc + a * b. Operands are vectors of the registers of one lane: i32 words,
/// or f64; accumulators f32, i32 (also two f16) or f64. The result is typed as
/// `acc`.
///
/// Emulation: the products and sums of the fragments (Mma.h).
mlir::Value multiplyMatrices(mlir::ImplicitLocOpBuilder &builder,
                             const Mma &mma, mlir::Value a, mlir::Value b,
                             mlir::Value acc);

/// One wgmma.mma_async of shape m64 x n x k with accumulators of f32, B in
/// shared memory. PTX ISA, "wgmma.mma_async".
struct Wgmma {
  int n, k;
  /// "f16" or "bf16".
  std::string type;
  /// Whether rows of the operand run along m or n instead of k: qualifiers of
  /// PTX, so no enum.
  bool transposeA, transposeB;
};

/// acc + a * b, for descriptors of i64 (Wgmma.h); `a` may be the four registers
/// of a fragment instead, i32 words, which rows along k only have. The
/// registers that it returns are written later, and those of `a` read until
/// then (waitForProducts). Without `acc`, which stands for zeros, no register
/// need be set to them.
///
/// Emulation: the products and sums of the operands that descriptors name, or
/// of the fragment (Mma.h).
llvm::SmallVector<mlir::Value> multiplyAsync(mlir::ImplicitLocOpBuilder &b,
                                             const Wgmma &wgmma,
                                             mlir::ValueRange a,
                                             mlir::Value descriptorB,
                                             mlir::ValueRange acc);

/// Orders what has been computed before products that read it: returns
/// `vectors` of registers, whose definitions stay in front of it. PTX ISA,
/// "wgmma.fence".
///
/// Emulation: the vectors.
llvm::SmallVector<mlir::Value> fenceRegisters(mlir::ImplicitLocOpBuilder &b,
                                              mlir::ValueRange vectors);

/// Waits for all products but the `pending` last ones, and returns `acc`, a
/// vector of registers that none of those writes. PTX ISA, "wgmma.wait_group".
mlir::Value waitForProducts(mlir::ImplicitLocOpBuilder &b, mlir::Value acc,
                            uint32_t pending);

/// Rounds f32 to tf32, to nearest, ties away from zero. PTX ISA, "cvt.rna.tf32".
mlir::Value roundToTF32(mlir::ImplicitLocOpBuilder &b, mlir::Value value);

/// A copy of a scalar or a pointer that LLVM cannot look through: what is
/// computed from it is computed behind it, and not once before a loop, where it
/// would take registers through the loop. PTX ISA, "mov".
///
/// Emulation: the value.
mlir::Value pinHere(mlir::ImplicitLocOpBuilder &b, mlir::Value value);

/// `text` on scalars: $0 is the result, $1, … the operands. Without effects.
mlir::Value applyText(mlir::ImplicitLocOpBuilder &b, llvm::StringRef text,
                      mlir::Type type, mlir::ValueRange operands);

/// An atomic update of one element: `suffix` is what follows "atom", e.g.
/// ".relaxed.gpu.global.add.f32". Returns the old value; `predicate` may be
/// null. PTX ISA, "atom".
mlir::Value atomic(mlir::ImplicitLocOpBuilder &b, llvm::StringRef suffix,
                   mlir::Value address, mlir::ValueRange values,
                   mlir::Value predicate);

} // namespace tessera::ptx

#endif // TESSERA_LIB_CONVERSION_TILEGPUTONVVM_PTXTABLE_H
