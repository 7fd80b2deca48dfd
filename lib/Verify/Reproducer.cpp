//===- Reproducer.cpp - a failure as a folder -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reproducer.h"

#include "tessera/Interpreter/NpyFile.h"
#include "tessera/Target/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Bytes in front of the first whole element, counted from the pointer.
static int64_t getFirstByte(const InputBuffer &buffer) {
  int64_t width = getByteWidth(buffer.kind);
  return ((buffer.before % width) + width) % width;
}

/// The whole elements of a buffer with these contents; an element is written
/// when each of its bytes is.
static HostArray makeArray(const InputBuffer &buffer, ArrayRef<uint8_t> bytes,
                           ArrayRef<uint8_t> initialized) {
  int64_t first = std::min<int64_t>(getFirstByte(buffer), bytes.size());
  int64_t width = getByteWidth(buffer.kind);
  int64_t count = (int64_t(bytes.size()) - first) / width;
  HostArray array(buffer.kind, {count});
  llvm::copy(bytes.slice(first, count * width), array.bytes.begin());
  if (!initialized.empty() && llvm::is_contained(initialized, 0))
    for (int64_t i = 0; i < count; ++i)
      array.written.push_back(
          llvm::all_of(initialized.slice(first + i * width, width),
                       [](uint8_t flag) { return flag != 0; }));
  return array;
}

namespace {
/// An array's files as tile-run takes them: "x.npy", or "x.npy,x-written.npy"
/// where only some elements are written.
struct ArrayFiles {
  ArrayFiles(const std::string &stem, const HostArray &array)
      : argument(stem + ".npy") {
    files.emplace_back(argument, writeNpy(array));
    if (array.written.empty())
      return;
    HostArray flags(ElementKind::I1, array.shape);
    flags.bytes = array.written;
    files.emplace_back(stem + "-written.npy", writeNpy(flags));
    argument += "," + files.back().first;
  }

  std::string argument;
  std::vector<std::pair<std::string, std::string>> files;
};
} // namespace

static std::string getStem(size_t index, const InputBuffer &buffer) {
  return std::to_string(index) + "-" + buffer.name;
}

static ArrayFiles getInputFiles(const Input &input, size_t index) {
  const InputBuffer &buffer = input.buffers[index];
  return {getStem(index, buffer),
          makeArray(buffer, buffer.bytes, buffer.initialized)};
}

/// What the buffer that differs held before the pass.
static ArrayFiles getExpectedFiles(const Reproducer &reproducer,
                                   const ElementDifference &difference) {
  const InputBuffer &buffer = reproducer.input.buffers[difference.buffer];
  return {getStem(difference.buffer, buffer) + "-before",
          makeArray(buffer, reproducer.expected.buffers[difference.buffer],
                    reproducer.expected.initialized[difference.buffer])};
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// A pointer's argument: its file, and where in it the pointer points.
static std::string describeTensor(const Input &input, size_t index) {
  const InputBuffer &buffer = input.buffers[index];
  std::string text = getInputFiles(input, index).argument;
  int64_t offset = buffer.before - getFirstByte(buffer);
  if (buffer.misalignment || offset)
    text += "@" + std::to_string(buffer.misalignment);
  return offset ? text + ":" + std::to_string(offset) : text;
}

/// So many digits that the same number is read.
static std::string printNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  return text;
}

std::string verify::buildReplayCommand(const Reproducer &reproducer) {
  const Input &input = reproducer.input;
  std::vector<uint64_t> pointers(input.buffers.size());
  EntryRequest request = buildRequest(reproducer.after, input, pointers);
  std::string text = "tile-run after.mlir --kernel='" + request.entry +
                     "' --num-sms=" + std::to_string(request.numSMs);
  if (request.grid)
    text += llvm::formatv(" --grid={0},{1},{2}", (*request.grid)[0],
                          (*request.grid)[1], (*request.grid)[2]);
  std::vector<int> owners(input.buffers.size(), -1);
  for (auto [i, argument] : llvm::enumerate(input.arguments)) {
    text += " ";
    if (argument.kind != ElementKind::Pointer) {
      text += isFloat(argument.kind) ? printNumber(argument.floating)
                                     : std::to_string(argument.integer);
      continue;
    }
    int &owner = owners[argument.buffer];
    text += owner < 0 ? describeTensor(input, argument.buffer)
                      : "same:" + std::to_string(owner);
    if (owner < 0)
      owner = i;
  }
  if (const auto &difference = reproducer.fault.difference)
    text += " --expect=" + std::to_string(owners[difference->buffer]) + ":" +
            getExpectedFiles(reproducer, *difference).argument +
            " --rtol=0 --atol=" + printNumber(difference->allowed);
  return text;
}

static std::string buildReadme(const Reproducer &reproducer) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const Input &input = reproducer.input;
  out << "# A pass changed what a program does\n\n"
      << reproducer.message << "\n\n"
      << "`before.mlir` is the program that the pass was given, `after.mlir` "
         "what it made.\nTo run the latter on the input again:\n\n```sh\n"
      << buildReplayCommand(reproducer)
      << "\n```\n\nTo run the pass again, on inputs made anew:\n\n```sh\n"
         "tile-opt before.mlir --pass-pipeline='"
      << reproducer.pipeline << "' --verify-passes=" << reproducer.numInputs
      << " --verify-seed=" << reproducer.seed << "\n```\n\n"
      << "The input: entry `" << input.entry << "` with " << input.describe()
      << "; grid, where the caller gives it, " << input.grid[0] << "x"
      << input.grid[1] << "x" << input.grid[2] << ".\n\n"
      << "| file | type | first element, from the pointer | pointer's "
         "alignment |\n| --- | --- | --- | --- |\n";
  for (auto [i, buffer] : llvm::enumerate(input.buffers)) {
    int64_t first = (getFirstByte(buffer) - buffer.before) /
                    int64_t(getByteWidth(buffer.kind));
    out << "| `" << getStem(i, buffer) << ".npy` | " << getName(buffer.kind)
        << " | " << first << " | "
        << (buffer.misalignment ? buffer.misalignment : 256) << " |\n";
  }
  return text;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out);
  out << "\n";
  return text;
}

llvm::Error verify::writeReproducer(StringRef folder,
                                    const Reproducer &reproducer) {
  if (std::error_code error =
          llvm::sys::fs::create_directory(folder, /*IgnoreExisting=*/false))
    return llvm::createStringError(
        error, "cannot make folder '" + folder.str() + "': " + error.message());
  std::vector<std::pair<std::string, std::string>> files = {
      {"before.mlir", print(reproducer.before)},
      {"after.mlir", print(reproducer.after)},
      {"README.md", buildReadme(reproducer)}};
  for (size_t i = 0; i < reproducer.input.buffers.size(); ++i)
    llvm::append_range(files, getInputFiles(reproducer.input, i).files);
  if (const auto &difference = reproducer.fault.difference)
    llvm::append_range(files, getExpectedFiles(reproducer, *difference).files);
  for (auto &[name, contents] : files) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (llvm::Error error = writeFile(path, contents))
      return error;
  }
  return llvm::Error::success();
}
