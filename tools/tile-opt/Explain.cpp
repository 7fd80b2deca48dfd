//===- Explain.cpp - what became of each source line ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace json = llvm::json;

namespace tessera {

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

namespace {
struct SharedInstrumentation : PassInstrumentation {
  explicit SharedInstrumentation(std::vector<SharedBuffer> &buffers)
      : buffers(buffers) {}

  // Later passes turn the buffers into addresses.
  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() != "tile-gpu-allocate-shared")
      return;
    op->walk([&](tile_gpu::AllocOp alloc) {
      auto function = alloc->getParentOfType<tile::FuncOp>();
      if (alloc.getOffset())
        buffers.push_back({function ? function.getName().str() : "",
                           Place::get(alloc.getLoc()),
                           int64_t(*alloc.getOffset()),
                           alloc.getType().getBytes()});
    });
  }

  std::vector<SharedBuffer> &buffers;
};
} // namespace

void recordSharedBuffers(PassManager &manager,
                         std::vector<SharedBuffer> &buffers) {
  manager.addInstrumentation(std::make_unique<SharedInstrumentation>(buffers));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Elements in the order of their places, else as they came: passes in the
/// order of running. What has no place comes last.
template <typename T>
static std::vector<const T *> sortByPlace(const std::vector<T> &elements) {
  std::vector<const T *> sorted;
  for (const T &element : elements)
    sorted.push_back(&element);
  llvm::sort(sorted, [](const T *a, const T *b) {
    if ((a->place.line == 0) != (b->place.line == 0))
      return b->place.line == 0;
    if (!(a->place == b->place))
      return a->place < b->place;
    return a < b; // Elements of one vector: the order in which they came.
  });
  return sorted;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
class TextWriter {
public:
  TextWriter(llvm::raw_ostream &out, const SourceLines &source)
      : out(out), source(source) {}

  void write(const Explanation &explanation);

private:
  void writeHeading(const Place &place);
  void writeRemark(const CollectedRemark &remark);
  void writeBuffers(const std::vector<SharedBuffer> &buffers);
  void writeResources(const std::vector<KernelResources> &resources);

  llvm::raw_ostream &out;
  const SourceLines &source;
};
} // namespace

void TextWriter::writeHeading(const Place &place) {
  if (place.line == 0) {
    out << "(no place in the source)\n";
    return;
  }
  out << place.file << ":" << place.line << ":" << place.column << "\n";
  StringRef line = source.get(place.file, place.line);
  if (line.empty())
    return;
  out << "  " << line << "\n  ";
  // Tabs stay tabs, so that the caret stands below its column.
  for (char c : line.take_front(place.column ? place.column - 1 : 0))
    out << (c == '\t' ? '\t' : ' ');
  out << "^\n";
}

void TextWriter::writeRemark(const CollectedRemark &remark) {
  out << "  " << remark.kind << " " << remark.name << " by " << remark.pass;
  if (!remark.function.empty())
    out << ", in " << remark.function;
  out << "\n";
  if (!remark.values.empty()) {
    out << "    ";
    llvm::interleaveComma(remark.values, out, [&](const auto &value) {
      out << value.first << "=" << value.second;
    });
    out << "\n";
  }
  if (!remark.reason.empty())
    out << "    reason: " << remark.reason << "\n";
  if (!remark.suggestion.empty())
    out << "    suggestion: " << remark.suggestion << "\n";
}

void TextWriter::writeBuffers(const std::vector<SharedBuffer> &buffers) {
  if (buffers.empty())
    return;
  out << "Shared memory by source line\n";
  for (const SharedBuffer *buffer : sortByPlace(buffers))
    out << "  " << buffer->function << ": " << buffer->bytes
        << " bytes at offset " << buffer->offset << " for "
        << (buffer->place.line
                ? source.describe(buffer->place.file, buffer->place.line)
                : "an unknown line")
        << "\n";
  out << "\n";
}

void TextWriter::writeResources(const std::vector<KernelResources> &resources) {
  if (resources.empty())
    return;
  out << "Resources by ptxas\n";
  for (const KernelResources &kernel : resources)
    out << "  " << kernel.name << ": " << kernel.ptxas.registers
        << " registers, " << kernel.ptxas.spillStoreBytes
        << " bytes of spill stores, " << kernel.ptxas.spillLoadBytes
        << " bytes of spill loads, " << kernel.ptxas.stackBytes
        << " bytes of stack, "
        << kernel.dynamicSharedBytes + kernel.ptxas.staticSharedBytes
        << " bytes of shared memory\n";
}

void TextWriter::write(const Explanation &explanation) {
  const Place *last = nullptr;
  for (const CollectedRemark *remark : sortByPlace(explanation.remarks)) {
    if (!last || !(*last == remark->place)) {
      if (last)
        out << "\n";
      writeHeading(remark->place);
    }
    last = &remark->place;
    writeRemark(*remark);
  }
  out << (last ? "\n" : "No pass had anything to say.\n\n");
  writeBuffers(explanation.buffers);
  writeResources(explanation.resources);
}

std::string explainAsText(const Explanation &explanation,
                          const SourceLines &source) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  TextWriter(stream, source).write(explanation);
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// The members that say where something is.
static void writePlace(json::OStream &out, const Place &place,
                       const SourceLines &source) {
  auto text = [](StringRef bytes) { return json::fixUTF8(bytes); };
  if (place.line == 0)
    return;
  out.attribute("file", text(place.file));
  out.attribute("line", place.line);
  out.attribute("column", place.column);
  out.attribute("source", text(source.get(place.file, place.line)));
}

/// An integer where the whole text is one.
static json::Value toJSON(const std::string &text) {
  int64_t number = 0;
  if (!StringRef(text).getAsInteger(10, number))
    return number;
  return json::fixUTF8(text);
}

static void writeRemark(json::OStream &out, const CollectedRemark &remark,
                        const SourceLines &source) {
  out.object([&] {
    out.attribute("kind", remark.kind);
    out.attribute("name", json::fixUTF8(remark.name));
    out.attribute("pass", json::fixUTF8(remark.pass));
    out.attribute("function", json::fixUTF8(remark.function));
    writePlace(out, remark.place, source);
    out.attributeObject("values", [&] {
      for (const auto &[name, value] : remark.values)
        out.attribute(name, toJSON(value));
    });
    if (!remark.reason.empty())
      out.attribute("reason", json::fixUTF8(remark.reason));
    if (!remark.suggestion.empty())
      out.attribute("suggestion", json::fixUTF8(remark.suggestion));
  });
}

std::string explainAsJSON(const Explanation &explanation,
                          const SourceLines &source) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/2);
  out.array([&] {
    for (const CollectedRemark *remark : sortByPlace(explanation.remarks))
      writeRemark(out, *remark, source);
    for (const SharedBuffer *buffer : sortByPlace(explanation.buffers))
      out.object([&] {
        out.attribute("kind", "shared");
        out.attribute("function", json::fixUTF8(buffer->function));
        writePlace(out, buffer->place, source);
        out.attribute("offset", buffer->offset);
        out.attribute("bytes", buffer->bytes);
      });
    for (const KernelResources &kernel : explanation.resources)
      out.object([&] {
        out.attribute("kind", "resources");
        out.attribute("function", json::fixUTF8(kernel.name));
        out.attribute("registers", kernel.ptxas.registers);
        out.attribute("spill_store_bytes", kernel.ptxas.spillStoreBytes);
        out.attribute("spill_load_bytes", kernel.ptxas.spillLoadBytes);
        out.attribute("stack_bytes", kernel.ptxas.stackBytes);
        out.attribute("static_shared_bytes", kernel.ptxas.staticSharedBytes);
        out.attribute("dynamic_shared_bytes", kernel.dynamicSharedBytes);
      });
  });
  stream << "\n";
  return text;
}

} // namespace tessera
