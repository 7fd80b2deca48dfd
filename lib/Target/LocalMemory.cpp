//===- LocalMemory.cpp - accesses of local memory by source line ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/LocalMemory.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace tessera {
namespace {
using Place = std::pair<std::string, unsigned>;
using Lines = std::map<Place, LocalAccesses>;

/// Reads the text line by line:
///
///     .section .text.kernel,"ax",@progbits
///     .sectioninfo @"SHI_REGISTERS=64"
///     //## File "softmax.mlir", line 28 inlined at "softmax.mlir", line 40
///         /*04b0*/                   @!P0 STL.64 [R1+0x1f8], R8 ;
class Reader {
public:
  void read(StringRef line) {
    line = line.trim();
    // `.sectioninfo` and `.sectionflags`, inside a section, are not its end.
    auto [directive, operands] = getToken(line);
    if (directive == ".section") {
      line = operands.ltrim().take_until([](char c) { return c == ','; });
      symbol = line.consume_front(".text.") ? line.str() : std::string();
      place = Place();
    } else if (line.consume_front("//## File \"")) {
      readPlace(line);
    } else if (line.starts_with("/*") && !symbol.empty()) {
      readInstruction(line.split("*/").second);
    }
  }

  StringMap<Lines> found;

private:
  void readPlace(StringRef text) {
    auto [file, tail] = text.split('"');
    unsigned line = 0;
    if (tail.consume_front(", line ") && !tail.consumeInteger(10, line))
      place = {sys::path::filename(file).str(), line};
  }

  void readInstruction(StringRef text) {
    StringRef opcode;
    do
      std::tie(opcode, text) = getToken(text);
    while (opcode.starts_with("@") || opcode == "{"); // predicate, dual issue
    SmallVector<StringRef> parts;
    opcode.split(parts, '.');
    if (parts.front() != "STL" && parts.front() != "LDL")
      return;
    int64_t bytes = 4;
    for (StringRef modifier : drop_begin(parts))
      bytes = StringSwitch<int64_t>(modifier)
                  .Cases({"U8", "S8"}, 1)
                  .Cases({"U16", "S16"}, 2)
                  .Case("64", 8)
                  .Case("128", 16)
                  .Default(bytes); // cache hints such as LU
    LocalAccesses &accesses = found[symbol][place];
    (parts.front() == "STL" ? accesses.stores : accesses.loads) += 1;
    (parts.front() == "STL" ? accesses.storeBytes : accesses.loadBytes) +=
        bytes;
  }

  std::string symbol;
  Place place;
};
} // namespace

StringMap<std::vector<LocalAccesses>> findLocalAccesses(StringRef sass) {
  Reader reader;
  for (StringRef line : split(sass, '\n'))
    reader.read(line);
  StringMap<std::vector<LocalAccesses>> result;
  for (auto &entry : reader.found)
    for (auto &[place, accesses] : entry.second) {
      std::tie(accesses.file, accesses.line) = place;
      result[entry.first()].push_back(std::move(accesses));
    }
  return result;
}

} // namespace tessera
