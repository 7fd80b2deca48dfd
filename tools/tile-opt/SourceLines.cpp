//===- SourceLines.cpp - lines of the file being compiled -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tessera {

void SourceLines::set(StringRef path, StringRef text) {
  name = sys::path::filename(path).str();
  lines.clear();
  text.split(lines, '\n');
}

StringRef SourceLines::get(StringRef file, unsigned line) const {
  if (line == 0 || line > lines.size() || sys::path::filename(file) != name)
    return {};
  return lines[line - 1].rtrim();
}

std::string SourceLines::describe(StringRef file, unsigned line) const {
  std::string text = (sys::path::filename(file) + ":" + Twine(line)).str();
  StringRef source = get(file, line).ltrim();
  return source.empty() ? text : text + "  " + source.str();
}

/// Replaces each line of `text` by what `edit` makes of it.
static std::string mapLines(StringRef text,
                            function_ref<std::string(StringRef)> edit) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    result += edit(line);
    if (line.size() < text.size())
      result += '\n';
    text = rest;
  }
  return result;
}

std::string annotatePTX(StringRef ptx, const SourceLines &source) {
  // `.file` directives stand at the end, their uses before.
  DenseMap<unsigned, StringRef> files;
  for (StringRef line : llvm::split(ptx, '\n')) {
    unsigned index = 0;
    line = line.ltrim();
    if (!line.consume_front(".file"))
      continue;
    line = line.ltrim();
    if (!line.consumeInteger(10, index))
      files[index] = line.split('"').second.split('"').first;
  }
  return mapLines(ptx, [&](StringRef line) {
    StringRef rest = line.ltrim();
    unsigned file = 0, number = 0;
    if (!rest.consume_front(".loc") || rest.ltrim().empty())
      return line.str();
    rest = rest.ltrim();
    if (rest.consumeInteger(10, file))
      return line.str();
    rest = rest.ltrim();
    if (rest.consumeInteger(10, number) || !files.count(file))
      return line.str();
    return line.str() + "\t// " + source.describe(files[file], number);
  });
}

std::string annotateSASS(StringRef sass, const SourceLines &source) {
  // `//## File "softmax.mlir", line 28 inlined at "softmax.mlir", line 40`
  return mapLines(sass, [&](StringRef line) {
    StringRef rest = line.ltrim();
    if (!rest.consume_front("//## File \""))
      return line.str();
    auto [file, tail] = rest.split('"');
    unsigned number = 0;
    if (!tail.consume_front(", line ") || tail.consumeInteger(10, number))
      return line.str();
    std::string text = "\t// " + source.describe(file, number);
    if (tail.ltrim().consume_front("inlined at ")) {
      StringRef caller = tail.split('"').second;
      auto [callerFile, callerTail] = caller.split('"');
      unsigned callerNumber = 0;
      if (callerTail.consume_front(", line ") &&
          !callerTail.consumeInteger(10, callerNumber))
        text += ("  (inlined at " + sys::path::filename(callerFile) + ":" +
                 Twine(callerNumber) + ")")
                    .str();
    }
    return text;
  });
}

} // namespace tessera
