//===- StageIndex.cpp - the table of contents of --dump-dir ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageIndex.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

OpCounts countOps(mlir::Operation *op) {
  OpCounts counts;
  op->walk([&](mlir::Operation *nested) {
    if (nested != op)
      ++counts[nested->getName().getStringRef().str()];
  });
  return counts;
}

/// `text` for a cell of a table.
static std::string escape(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '|')
      result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// "+2 `a.b`, -1 `c.d`", in the order of the names.
static std::string describeChanges(const StageRow &row) {
  OpCounts change = row.after;
  for (const auto &[name, count] : row.before)
    change[name] -= count;
  SmallVector<std::string> parts;
  for (const auto &[name, count] : change)
    if (count)
      parts.push_back((count > 0 ? "+" : "") + std::to_string(count) + " `" +
                      name + "`");
  if (parts.empty())
    return row.isPass ? "the same operations" : "";
  return join(parts, ", ");
}

/// "missed `load` at 12:8 in k: the reason", one a line of the cell.
static std::string describeRemarks(const RemarkList &remarks) {
  SmallVector<std::string> parts;
  for (const CollectedRemark &remark : remarks) {
    std::string text = remark.kind + " `" + remark.name + "`";
    if (remark.place.line)
      text += " at " + std::to_string(remark.place.line) + ":" +
              std::to_string(remark.place.column);
    if (!remark.function.empty())
      text += " in `" + remark.function + "`";
    if (!remark.reason.empty())
      text += ": " + remark.reason;
    parts.push_back(escape(text));
  }
  return join(parts, "<br>");
}

bool isStageName(StringRef file) {
  StringRef name = file.drop_while([](char c) { return isDigit(c); });
  return file.size() - name.size() >= 2 && name.starts_with("-") &&
         !name.contains('/');
}

constexpr StringLiteral indexTitle = "# Stages of the compilation\n";

std::vector<std::string> listIndexedFiles(StringRef text) {
  std::vector<std::string> files;
  if (!text.consume_front(indexTitle))
    return files;
  for (StringRef line : split(text, '\n')) {
    // `| [00-input.mlir](00-input.mlir) | ...`
    if (!line.consume_front("| ["))
      continue;
    StringRef name = line.split("](").first;
    if (isStageName(name) &&
        line.starts_with((name + "](" + name + ") |").str()))
      files.push_back(name.str());
  }
  return files;
}

std::string renderIndex(ArrayRef<StageRow> rows,
                        ArrayRef<KernelResources> resources, bool timed) {
  std::string text;
  raw_string_ostream out(text);
  out << indexTitle << "\n"
      << "| file | stage | operations | remarks |" << (timed ? " ms |" : "")
      << "\n| --- | --- | --- | --- |" << (timed ? " ---: |" : "") << "\n";
  for (const StageRow &row : rows) {
    out << "| [" << row.file << "](" << row.file << ") | " << row.stage << " | "
        << describeChanges(row) << " | " << describeRemarks(row.remarks)
        << " |";
    if (timed)
      out << (row.isPass ? formatv(" {0:f3} |", row.seconds * 1e3).str()
                         : " |");
    out << "\n";
  }
  if (resources.empty())
    return text;
  out << "\n## Resources\n\n"
      << "| kernel | registers | spill stores, bytes | spill loads, bytes | "
         "stack, bytes | shared memory, bytes |\n"
      << "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  for (const KernelResources &kernel : resources)
    out << "| `" << escape(kernel.name) << "` | " << kernel.ptxas.registers
        << " | " << kernel.ptxas.spillStoreBytes << " | "
        << kernel.ptxas.spillLoadBytes << " | " << kernel.ptxas.stackBytes
        << " | " << kernel.dynamicSharedBytes + kernel.ptxas.staticSharedBytes
        << " |\n";
  return text;
}

} // namespace tessera
