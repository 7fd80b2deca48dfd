//===- ThreadCode.h - code of one thread -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builders shared by the patterns: thread indices, layouts applied to them,
// and vectors of registers.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CONVERSION_TILEGPUTONVVM_THREADCODE_H
#define TESSERA_LIB_CONVERSION_TILEGPUTONVVM_THREADCODE_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera {

/// Builds code of one thread at one place.
class ThreadCode {
public:
  ThreadCode(mlir::OpBuilder &builder, mlir::Location loc)
      : b(loc, builder) {}

  //===--------------------------------------------------------------------===//
  // Scalars
  //===--------------------------------------------------------------------===//

  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  /// A zero of a scalar or vector type of integers or floats.
  mlir::Value zero(mlir::Type type);
  mlir::Value threadId();
  mlir::Value laneId();
  mlir::Value warpId();
  /// All threads of the program around `op` meet.
  void barrier(mlir::Operation *op);
  /// An i1 that is true for thread 0 of the CTA.
  mlir::Value isFirstThread();

  //===--------------------------------------------------------------------===//
  // Layouts
  //===--------------------------------------------------------------------===//

  /// The part of coordinate `out` of `layout` that lane and warp contribute:
  /// an i32; null when it is zero.
  mlir::Value threadPart(const LinearLayout &layout, const std::string &out);
  /// The part that register `reg` contributes.
  static int32_t registerPart(const LinearLayout &layout,
                              const std::string &out, int64_t reg);
  /// The first registers of chunks of `width` registers, without those that hold
  /// copies of other registers.
  static llvm::SmallVector<int64_t> chunkRegisters(const LinearLayout &layout,
                                                   int64_t width);
  /// Whether registers and threads contribute different bits of `out`, so that
  /// their XOR is a sum.
  static bool isDisjoint(const LinearLayout &layout, const std::string &out);
  /// An i1 that is true for the first of the threads that hold copies of the
  /// same elements; null when no thread does.
  mlir::Value isFirstCopy(const LinearLayout &layout);

  //===--------------------------------------------------------------------===//
  // Vectors of registers
  //===--------------------------------------------------------------------===//

  /// A scalar as a vector of one register, a pointer as its address; vectors
  /// and null stay.
  mlir::Value asVector(mlir::Value value);
  /// `scalar` in each of `count` elements.
  mlir::Value splat(mlir::Value scalar, int64_t count);
  mlir::Value extract(mlir::Value vector, int64_t index);
  mlir::Value insert(mlir::Value vector, mlir::Value scalar, int64_t index);
  mlir::Value poison(mlir::Type type);
  /// Elements `indices` of `vector`.
  mlir::Value gather(mlir::Value vector, llvm::ArrayRef<int32_t> indices);
  /// `count` elements from `first` on.
  mlir::Value slice(mlir::Value vector, int64_t first, int64_t count);
  /// Vectors one after another.
  mlir::Value concat(llvm::ArrayRef<mlir::Value> vectors);
  /// The bits of a scalar or vector as words: vector<count x iN>.
  mlir::Value toWords(mlir::Value value, unsigned bits);
  /// The reverse, to `type`.
  mlir::Value fromWords(mlir::Value words, mlir::Type type);
  /// i1 elements as i8 0 or 1, and back: for memory.
  mlir::Value boolsToBytes(mlir::Value bools);
  mlir::Value bytesToBools(mlir::Value bytes);

  mlir::ImplicitLocOpBuilder b;
};

/// Elements of a vector type.
int64_t getCount(mlir::Value vector);
/// Bits of all elements of a vector type.
int64_t getBits(mlir::Type vector);

} // namespace tessera

#endif // TESSERA_LIB_CONVERSION_TILEGPUTONVVM_THREADCODE_H
