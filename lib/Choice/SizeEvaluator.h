//===- SizeEvaluator.h - integers from assumed sizes ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What integers of a launch plan and of a kernel are for known arguments: as
// far as constants, the arith dialect's folders and the plan's arithmetic go.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CHOICE_SIZEEVALUATOR_H
#define TESSERA_LIB_CHOICE_SIZEEVALUATOR_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tessera {

class SizeEvaluator {
public:
  /// `numSMs` is what `tile.plan.num_sms` stands for.
  explicit SizeEvaluator(int64_t numSMs) : numSMs(numSMs) {}

  void set(mlir::Value value, int64_t number) { numbers[value] = number; }

  /// Nothing where `value` depends on what is not known, or has no value.
  std::optional<int64_t> get(mlir::Value value);

private:
  std::optional<int64_t> compute(mlir::Operation *op);
  std::optional<int64_t> fold(mlir::Operation *op);
  std::optional<int64_t> computePlan(mlir::Operation *op);

  int64_t numSMs;
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> numbers;
};

} // namespace tessera

#endif // TESSERA_LIB_CHOICE_SIZEEVALUATOR_H
