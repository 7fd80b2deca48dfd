//===- Result.h - a value or a failure, without exceptions ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime does not depend on LLVM, so it has a small counterpart of
// llvm::Expected: a value, or a status code of the C API with its message.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_RESULT_H
#define TESSERA_RUNTIME_RESULT_H

#include "tessera/Runtime/tessera_runtime.h"

#include <string>
#include <utility>
#include <variant>

namespace tessera::runtime {

/// Why something failed. A default-constructed one is success.
struct Failure {
  tessera_status status = TESSERA_SUCCESS;
  std::string message;

  /// True if this is a failure.
  explicit operator bool() const { return status != TESSERA_SUCCESS; }
};

/// A T or the Failure that kept it from being made.
template <typename T> class Result {
public:
  Result(T value) : state(std::move(value)) {}
  Result(Failure failure) : state(std::move(failure)) {}

  /// True if there is a value.
  explicit operator bool() const { return std::holds_alternative<T>(state); }

  T &operator*() { return *std::get_if<T>(&state); }
  const T &operator*() const { return *std::get_if<T>(&state); }
  T *operator->() { return std::get_if<T>(&state); }
  const Failure &failure() const { return *std::get_if<Failure>(&state); }

private:
  std::variant<T, Failure> state;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_RESULT_H
