//===- Input.h - random inputs for an entry ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an entry is run with: a value for each argument, and behind each pointer
// exactly the bytes that the program touches. Nobody says what the arguments
// mean; sizes and strides are told apart by what the kernel does with them, and
// candidates are tried until one runs without findings (docs/Verification.md).
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_VERIFY_INPUT_H
#define TESSERA_VERIFY_INPUT_H

#include "tessera/Interpreter/Launch.h"

namespace tessera::verify {

/// The memory behind a pointer argument.
struct InputBuffer {
  std::string name;
  interpreter::ElementKind kind;
  /// Bytes past a multiple of 256 at which the pointer points.
  int64_t misalignment = 0;
  /// Bytes of the buffer in front of the pointer; negative when the buffer
  /// begins behind it.
  int64_t before = 0;
  std::vector<uint8_t> bytes;
  /// A flag for each byte: those that the program reads before it writes them.
  std::vector<uint8_t> initialized;
};

struct InputArgument {
  std::string name;
  interpreter::ElementKind kind;
  int64_t integer = 0;
  double floating = 0;
  /// Index into Input::buffers of a pointer.
  unsigned buffer = 0;
};

struct Input {
  /// A `tile.launch`, or a kernel that has none: the plan that launches it by
  /// then is run, if a pass has made one.
  std::string entry;
  std::vector<InputArgument> arguments;
  std::vector<InputBuffer> buffers;
  /// For plans that take the caller's grid.
  interpreter::Grid grid = {1, 1, 1};

  /// "m = 129, n = 64": the integers and floats.
  std::string describe() const;
};

struct SynthesisOptions {
  /// Products have one more for each side of their operands: stored by columns.
  unsigned numInputs = 3;
  uint64_t seed = 1;
  /// Only multiples of 1/8 from -1 to 1, and small integers: sums of what is
  /// loaded are then the same in any order.
  bool exactData = false;
  /// Limits of one run: programs, element accesses, bytes of one buffer.
  int64_t maxPrograms = 24;
  int64_t maxAccesses = 600'000;
  int64_t maxBufferBytes = int64_t(8) << 20;
};

struct Synthesis {
  std::vector<Input> inputs;
  /// Why there are none, or fewer than asked for.
  std::string problem;
  /// Every candidate had findings; `inputs` holds those with the fewest kinds.
  bool haveFindings = false;
};

/// The entries of a module: its launch plans, then the kernels that no plan
/// launches.
std::vector<std::string> collectEntries(mlir::ModuleOp module);

/// Makes inputs for an entry by running `module`, which no pass has changed
/// yet. The same module, options and seed give the same inputs.
Synthesis synthesizeInputs(mlir::ModuleOp module, llvm::StringRef entry,
                           const SynthesisOptions &options);

} // namespace tessera::verify

#endif // TESSERA_VERIFY_INPUT_H
