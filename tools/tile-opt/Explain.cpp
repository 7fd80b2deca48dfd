//===- Explain.cpp - what became of each source line ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

using namespace mlir;
namespace json = llvm::json;

namespace tessera {

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The accesses of a buffer, or of one of its slots.
static SmallVector<Operation *> getAccesses(tile_gpu::AllocOp alloc) {
  SmallVector<Operation *> accesses;
  for (Operation *user : alloc->getUsers()) {
    if (isa<tile_gpu::SlotOp>(user))
      llvm::append_range(accesses, user->getUsers());
    else
      accesses.push_back(user);
  }
  return accesses;
}

/// The use of a value, or, where its loop hands it on to the next iteration, a
/// use there.
static OpOperand &getReader(OpOperand &use) {
  auto loop = dyn_cast<scf::ForOp>(use.getOwner()->getParentOp());
  if (!loop || !isa<scf::YieldOp>(use.getOwner()))
    return use;
  BlockArgument next = loop.getRegionIterArg(use.getOperandNumber());
  return next.use_empty() ? use : *next.use_begin();
}

/// "a of tile.dot"; nothing for an operation that is no product.
static std::optional<std::string> describeFactor(Operation *reader,
                                                 unsigned operand) {
  static constexpr StringRef operands[] = {"a", "b", "accumulator"};
  if (!isa<tile::DotOp, tile_gpu::WgmmaOp>(reader) || operand > 2)
    return std::nullopt;
  return (operands[operand] + " of " + reader->getName().getStringRef()).str();
}

/// What goes through a buffer: the operand that is read from it or, of an
/// atomic, the result that is written.
static std::string describeUse(tile_gpu::AllocOp alloc) {
  auto name = [](Operation *op) { return op->getName().getStringRef(); };
  SmallVector<Operation *> accesses = getAccesses(alloc);
  for (Operation *user : accesses) {
    auto store = dyn_cast<tile_gpu::LocalStoreOp>(user);
    Operation *def = store ? store.getValue().getDefiningOp() : nullptr;
    if (isa_and_nonnull<tile::AtomicRMWOp, tile::AtomicCASOp>(def))
      return ("result of " + name(def)).str();
  }
  for (Operation *user : accesses) {
    // The product reads the buffer itself.
    if (auto product = dyn_cast<tile_gpu::WgmmaOp>(user)) {
      Operation *a = product.getA().getDefiningOp();
      bool isA = a == alloc || (a && isa<tile_gpu::SlotOp>(a) &&
                                a->getOperand(0) == alloc.getResult());
      return *describeFactor(product, isA ? 0 : 1);
    }
    auto load = dyn_cast<tile_gpu::LocalLoadOp>(user);
    if (!load || load->use_empty())
      continue;
    OpOperand &use = getReader(*load->use_begin());
    Operation *reader = use.getOwner();
    if (auto factor = describeFactor(reader, use.getOperandNumber()))
      return *factor;
    if (isa<tile::ReduceOp>(reader))
      return ("partial results of " + name(reader)).str();
    return ("operand of " + name(reader)).str();
  }
  if (llvm::any_of(accesses, llvm::IsaPred<tile_gpu::TMAStoreOp>))
    return "a tile on its way to a tensor map";
  return "a conversion";
}

namespace {
struct SharedInstrumentation : PassInstrumentation {
  explicit SharedInstrumentation(std::vector<SharedBuffer> &buffers)
      : buffers(buffers) {}

  // Later passes turn the buffers into addresses.
  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() != "tile-gpu-allocate-shared")
      return;
    auto add = [&](Operation *inner, std::optional<int32_t> offset,
                   std::string use, int64_t slotBytes, int64_t slots) {
      auto function = inner->getParentOfType<tile::FuncOp>();
      if (offset)
        buffers.push_back({function ? function.getName().str() : "",
                           Place::get(inner->getLoc()), std::move(use),
                           int64_t(*offset), slotBytes * slots, slotBytes,
                           slots, isa<tile_gpu::MBarrierInitOp>(inner)});
    };
    op->walk([&](Operation *inner) {
      if (auto alloc = dyn_cast<tile_gpu::AllocOp>(inner))
        add(inner, alloc.getOffset(), describeUse(alloc),
            alloc.getType().getSlotBytes(), alloc.getType().getSlots());
      else if (auto barriers = dyn_cast<tile_gpu::MBarrierInitOp>(inner))
        add(inner, barriers.getOffset(), "mbarriers of the copies",
            barriers.getType().getBytes() / barriers.getType().getSlots(),
            barriers.getType().getSlots());
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
// The configuration
//===----------------------------------------------------------------------===//

static std::string describeOrigin(const ConfiguredValue &value) {
  switch (value.origin) {
  case ValueOrigin::Source:
    return "the source";
  case ValueOrigin::Define:
    return "-D";
  case ValueOrigin::Option: {
    std::string option = "--" + value.name;
    llvm::replace(option, '_', '-');
    return option;
  }
  case ValueOrigin::Model:
    return "the model of --assume";
  }
  llvm_unreachable("all origins are above");
}

std::vector<ExplainedValue>
explainValues(const std::vector<ConfiguredValue> &values) {
  std::vector<ExplainedValue> explained;
  for (const ConfiguredValue &value : values)
    explained.push_back({value.name, value.value, describeOrigin(value),
                         value.op ? Place::get(value.op->getLoc()) : Place()});
  return explained;
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

namespace {
struct SharedTotal {
  /// Where the last buffer ends, and what buffers and mbarriers are together.
  int64_t end = 0, bufferBytes = 0, mbarrierBytes = 0;
};
} // namespace

/// Of each kernel, in the order of the kernels.
static llvm::MapVector<StringRef, SharedTotal>
getSharedTotals(const std::vector<SharedBuffer> &buffers) {
  llvm::MapVector<StringRef, SharedTotal> totals;
  for (const SharedBuffer &buffer : buffers) {
    SharedTotal &total = totals[buffer.function];
    total.end = std::max(total.end, buffer.offset + buffer.bytes);
    (buffer.isMBarrier ? total.mbarrierBytes : total.bufferBytes) +=
        buffer.bytes;
  }
  return totals;
}

/// Whether two clones of a kernel, KERNEL$..., say the same of one place.
static bool agree(const CollectedRemark &a, const CollectedRemark &b) {
  auto [kernelA, cloneA] = StringRef(a.function).split('$');
  auto [kernelB, cloneB] = StringRef(b.function).split('$');
  return !cloneA.empty() && !cloneB.empty() && kernelA == kernelB &&
         std::tie(a.kind, a.name, a.pass, a.values, a.reason, a.suggestion) ==
             std::tie(b.kind, b.name, b.pass, b.values, b.reason,
                      b.suggestion) &&
         a.place == b.place;
}

/// Joins to each remark the later ones that agree with it: its functions.
static llvm::MapVector<const CollectedRemark *, llvm::SetVector<StringRef>>
joinClones(ArrayRef<const CollectedRemark *> remarks) {
  llvm::MapVector<const CollectedRemark *, llvm::SetVector<StringRef>> joined;
  SmallVector<const CollectedRemark *> ofPlace;
  for (const CollectedRemark *remark : remarks) {
    if (!ofPlace.empty() && !(ofPlace.back()->place == remark->place))
      ofPlace.clear();
    auto same = llvm::find_if(ofPlace, [&](const CollectedRemark *earlier) {
      return agree(*earlier, *remark);
    });
    const CollectedRemark *first = same == ofPlace.end() ? remark : *same;
    if (first == remark)
      ofPlace.push_back(remark);
    joined[first].insert(remark->function);
  }
  return joined;
}

/// How many choices the entry of one has before it.
static int64_t countEarlier(ArrayRef<VariantChoice> choices, size_t number) {
  return llvm::count_if(choices.take_front(number), [&](auto &choice) {
    return choice.entry == choices[number].entry;
  });
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
  void writeRemark(const CollectedRemark &remark,
                   ArrayRef<StringRef> functions);
  void writeValues(const std::vector<ExplainedValue> &values);
  void writeVariant(const Variant &variant);
  void writeVariants(const std::vector<VariantChoice> &choices);
  void writeBuffer(const SharedBuffer &buffer);
  void writeBuffers(const std::vector<SharedBuffer> &buffers);
  void writeResources(const std::vector<KernelResources> &resources);
  void writeSpills(const Explanation &explanation);

  std::string describe(const std::string &file, unsigned line) {
    return line ? source.describe(file, line) : "an unknown line";
  }

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

void TextWriter::writeRemark(const CollectedRemark &remark,
                             ArrayRef<StringRef> functions) {
  out << "  " << remark.kind << " " << remark.name << " by " << remark.pass;
  if (!remark.function.empty())
    out << ", in " << llvm::join(functions, ", ");
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

void TextWriter::writeValues(const std::vector<ExplainedValue> &values) {
  if (values.empty())
    return;
  out << "Configuration\n";
  for (const ExplainedValue &value : values) {
    out << "  " << value.name << " = " << value.value << ", from "
        << value.origin;
    if (value.place.line)
      out << ": " << describe(value.place.file, value.place.line);
    out << "\n";
  }
  out << "\n";
}

void TextWriter::writeVariant(const Variant &variant) {
  if (!variant.refusal.empty())
    out << "an error, '" << variant.refusal << "'";
  else if (variant.kernels.empty())
    out << (variant.choosesAgain ? "the choices below" : "nothing");
  llvm::interleave(variant.kernels, out, ", then ");
  out << (variant.isGeneral ? ", the general one" : "")
      << (variant.conditions.empty() ? ", for all others\n" : ", if\n");
  for (const std::string &condition : variant.conditions)
    out << "       " << condition << "\n";
}

void TextWriter::writeVariants(const std::vector<VariantChoice> &choices) {
  for (auto [number, choice] : llvm::enumerate(choices)) {
    out << "Variants of " << choice.entry;
    int64_t all = llvm::count_if(choices, [&, &entry = choice.entry](auto &c) {
      return c.entry == entry;
    });
    if (all > 1)
      out << ", choice " << countEarlier(choices, number) + 1 << " of " << all;
    out << ", in the order in which a launch tries them\n";
    for (auto [index, variant] : llvm::enumerate(choice.variants)) {
      out << "  " << index + 1 << ". ";
      writeVariant(variant);
    }
    out << "\n";
  }
}

void TextWriter::writeBuffer(const SharedBuffer &buffer) {
  out << "    ";
  if (buffer.slots > 1)
    out << buffer.slotBytes << " bytes x " << buffer.slots << " slots = ";
  out << buffer.bytes << " bytes at offset " << buffer.offset << ", "
      << buffer.use << ": " << describe(buffer.place.file, buffer.place.line)
      << "\n";
}

void TextWriter::writeBuffers(const std::vector<SharedBuffer> &buffers) {
  if (buffers.empty())
    return;
  out << "Shared memory by source line\n";
  std::vector<const SharedBuffer *> sorted = sortByPlace(buffers);
  for (const auto &[function, total] : getSharedTotals(buffers)) {
    out << "  " << function << ": " << total.end << " bytes";
    bool takesTurns = total.bufferBytes + total.mbarrierBytes > total.end;
    if (takesTurns || total.mbarrierBytes)
      out << ": " << total.bufferBytes << " of buffers"
          << (takesTurns ? ", which take turns" : "");
    if (total.mbarrierBytes)
      out << (takesTurns ? ", and " : " and ") << total.mbarrierBytes
          << " of mbarriers";
    out << "\n";
    for (const SharedBuffer *buffer : sorted)
      if (buffer->function == function)
        writeBuffer(*buffer);
  }
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

void TextWriter::writeSpills(const Explanation &explanation) {
  if (!explanation.spillsUnknown.empty())
    out << "\nSpills by source line: " << explanation.spillsUnknown << "\n";
  bool first = true;
  for (const KernelResources &kernel : explanation.resources) {
    if (kernel.localAccesses.empty())
      continue;
    out << (first ? "\nSpills by source line\n" : "") << "  " << kernel.name
        << "\n";
    first = false;
    for (const LocalAccesses &line : kernel.localAccesses) {
      SmallVector<std::string, 2> parts;
      if (line.stores)
        parts.push_back(llvm::formatv("stores {0} bytes by {1} STL",
                                      line.storeBytes, line.stores));
      if (line.loads)
        parts.push_back(llvm::formatv("loads {0} bytes by {1} LDL",
                                      line.loadBytes, line.loads));
      out << "    " << llvm::join(parts, ", ") << ": "
          << describe(line.file, line.line) << "\n";
    }
  }
}

void TextWriter::write(const Explanation &explanation) {
  const Place *last = nullptr;
  for (const auto &[remark, functions] :
       joinClones(sortByPlace(explanation.remarks))) {
    if (!last || !(*last == remark->place)) {
      if (last)
        out << "\n";
      writeHeading(remark->place);
    }
    last = &remark->place;
    writeRemark(*remark, functions.getArrayRef());
  }
  out << (last ? "\n" : "No pass had anything to say.\n\n");
  writeValues(explanation.values);
  writeVariants(explanation.choices);
  writeBuffers(explanation.buffers);
  writeResources(explanation.resources);
  writeSpills(explanation);
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
  if (place.column)
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

static void writeSpills(json::OStream &out, const Explanation &explanation,
                        const SourceLines &source) {
  if (!explanation.spillsUnknown.empty())
    out.object([&] {
      out.attribute("kind", "spills-unknown");
      out.attribute("reason", json::fixUTF8(explanation.spillsUnknown));
    });
  for (const KernelResources &kernel : explanation.resources)
    for (const LocalAccesses &line : kernel.localAccesses)
      out.object([&] {
        out.attribute("kind", "spills");
        out.attribute("function", json::fixUTF8(kernel.name));
        writePlace(out, {line.file, line.line, /*column=*/0}, source);
        out.attribute("stores", line.stores);
        out.attribute("store_bytes", line.storeBytes);
        out.attribute("loads", line.loads);
        out.attribute("load_bytes", line.loadBytes);
      });
}

static void writeValues(json::OStream &out,
                        const std::vector<ExplainedValue> &values,
                        const SourceLines &source) {
  for (const ExplainedValue &value : values)
    out.object([&] {
      out.attribute("kind", "value");
      out.attribute("name", value.name);
      out.attribute("value", toJSON(value.value));
      out.attribute("from", value.origin);
      writePlace(out, value.place, source);
    });
}

static void writeVariants(json::OStream &out,
                          const std::vector<VariantChoice> &choices) {
  auto writeList = [&](StringRef name, const std::vector<std::string> &texts) {
    out.attributeArray(name, [&] {
      for (const std::string &text : texts)
        out.value(json::fixUTF8(text));
    });
  };
  for (auto [number, choice] : llvm::enumerate(choices))
    for (auto [index, variant] : llvm::enumerate(choice.variants))
      out.object([&, number = countEarlier(choices, number),
                  &entry = choice.entry, index = index, &variant = variant] {
        out.attribute("kind", "variant");
        out.attribute("entry", json::fixUTF8(entry));
        out.attribute("choice", number + 1);
        out.attribute("order", int64_t(index + 1));
        writeList("kernels", variant.kernels);
        if (!variant.refusal.empty())
          out.attribute("refusal", json::fixUTF8(variant.refusal));
        if (variant.isGeneral)
          out.attribute("general", true);
        writeList("conditions", variant.conditions);
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
    writeValues(out, explanation.values, source);
    writeVariants(out, explanation.choices);
    for (const SharedBuffer *buffer : sortByPlace(explanation.buffers))
      out.object([&] {
        out.attribute("kind", "shared");
        out.attribute("function", json::fixUTF8(buffer->function));
        writePlace(out, buffer->place, source);
        out.attribute("use", json::fixUTF8(buffer->use));
        out.attribute("offset", buffer->offset);
        out.attribute("bytes", buffer->bytes);
        out.attribute("slot_bytes", buffer->slotBytes);
        out.attribute("slots", buffer->slots);
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
    writeSpills(out, explanation, source);
  });
  stream << "\n";
  return text;
}

} // namespace tessera
