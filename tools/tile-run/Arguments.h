//===- Arguments.h - what an entry is called with ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts of the command line become scalars and tensors of the types that the
// entry declares.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILERUN_ARGUMENTS_H
#define TESSERA_TOOLS_TILERUN_ARGUMENTS_H

#include "tessera/Interpreter/HostArray.h"
#include "tessera/Interpreter/NpyFile.h"
#include "tessera/Runtime/tessera_runtime.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tessera {

/// What an entry declares.
struct Parameter {
  std::string name;
  /// As manifests spell it: "i32", "ptr<f16>".
  std::string type;
  bool isPointer = false;
  /// The type, or what the pointer points to.
  interpreter::ElementKind kind = interpreter::ElementKind::I32;
};

/// An error for a type that cannot be given on a command line.
llvm::Expected<Parameter> makeParameter(std::string name, std::string type);

struct Argument {
  Parameter parameter;
  /// A scalar's value; of a tensor, its address, which is set when there is one.
  tessera_argument value = tessera_integer(0);
  bool isTensor = false;
  /// A tensor's contents, before the run and after it.
  interpreter::HostArray array;
  /// Of the address that is passed, in bytes: behind a multiple of 256, and
  /// behind the tensor's first byte (negative: in front of it).
  int64_t misalignment = 0, offset = 0;
  /// The argument whose tensor this is, or -1 for one of its own.
  int sameAs = -1;

  /// Bytes behind a multiple of 256 at which the tensor begins.
  int64_t getStart() const { return ((misalignment - offset) % 256 + 256) % 256; }
  bool ownsTensor() const { return isTensor && sameAs < 0; }
};

/// One argument for each parameter, or an error that says which is wrong.
llvm::Expected<std::vector<Argument>>
makeArguments(const std::vector<Parameter> &parameters,
              const std::vector<std::string> &texts);

/// The array of a .npy file; the message names the file.
llvm::Expected<interpreter::NpyArray> readNpy(llvm::StringRef path);

/// Splits "FILE.npy,WRITTEN.npy"; the second is empty without one.
std::pair<llvm::StringRef, llvm::StringRef> splitWritten(llvm::StringRef text);
/// Reads which elements of `array` count as written: a bool for each, or all
/// where `path` is empty.
llvm::Error readWritten(llvm::StringRef path, interpreter::HostArray &array);

} // namespace tessera

#endif // TESSERA_TOOLS_TILERUN_ARGUMENTS_H
