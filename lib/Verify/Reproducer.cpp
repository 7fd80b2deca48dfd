//===- Reproducer.cpp - a failure as a folder -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reproducer.h"

#include "tessera/Target/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

/// NumPy's name of an element type; the bits as an integer where it has none.
static const char *getNumPyType(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return "|b1";
  case ElementKind::I8:
    return "|i1";
  case ElementKind::I16:
    return "<i2";
  case ElementKind::I32:
    return "<i4";
  case ElementKind::I64:
    return "<i8";
  case ElementKind::F16:
    return "<f2";
  case ElementKind::BF16:
    return "<u2";
  case ElementKind::F32:
    return "<f4";
  case ElementKind::F64:
    return "<f8";
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return "|u1";
  case ElementKind::Pointer:
    return "<u8";
  }
  return "|u1";
}

/// Bytes in front of the first whole element, counted from the pointer.
static int64_t getFirstByte(const InputBuffer &buffer) {
  int64_t width = getByteWidth(buffer.kind);
  return ((buffer.before % width) + width) % width;
}

/// The whole elements in NumPy's format, version 1.0.
static std::string buildNumPyFile(const InputBuffer &buffer) {
  size_t first = std::min<size_t>(getFirstByte(buffer), buffer.bytes.size());
  size_t width = getByteWidth(buffer.kind);
  size_t count = (buffer.bytes.size() - first) / width;
  std::string header = "{'descr': '" + std::string(getNumPyType(buffer.kind)) +
                       "', 'fortran_order': False, 'shape': (" +
                       std::to_string(count) + ",), }";
  // Magic, version and length take 10 bytes; the whole is a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header.push_back('\n');
  std::string file("\x93NUMPY\x01\x00", 8);
  file.push_back(char(header.size() & 0xff));
  file.push_back(char(header.size() >> 8));
  file += header;
  file.append(reinterpret_cast<const char *>(buffer.bytes.data()) + first,
              count * width);
  return file;
}

static std::string getFileName(size_t index, const InputBuffer &buffer) {
  return std::to_string(index) + "-" + buffer.name + ".npy";
}

static std::string buildReadme(const Reproducer &reproducer) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const Input &input = reproducer.input;
  out << "# A pass changed what a program does\n\n"
      << reproducer.message << "\n\n"
      << "`before.mlir` is the program that the pass was given, `after.mlir` "
         "what it made.\nTo see it again:\n\n```sh\ntile-opt before.mlir "
         "--pass-pipeline='"
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
    out << "| `" << getFileName(i, buffer) << "` | " << getName(buffer.kind)
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
  for (auto [i, buffer] : llvm::enumerate(reproducer.input.buffers))
    files.emplace_back(getFileName(i, buffer), buildNumPyFile(buffer));
  for (auto &[name, contents] : files) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (llvm::Error error = writeFile(path, contents))
      return error;
  }
  return llvm::Error::success();
}
