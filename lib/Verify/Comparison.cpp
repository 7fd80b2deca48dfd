//===- Comparison.cpp - two outcomes of one input -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Verify/Comparison.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

//===----------------------------------------------------------------------===//
// Tolerances
//===----------------------------------------------------------------------===//

/// Unit roundoff: half the distance from 1 to the next number.
static double getRoundoff(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return std::ldexp(1, -53);
  case ElementKind::F32:
    return std::ldexp(1, -24);
  case ElementKind::F16:
    return std::ldexp(1, -11);
  case ElementKind::BF16:
    return std::ldexp(1, -8);
  case ElementKind::F8E4M3FN:
    return std::ldexp(1, -4);
  case ElementKind::F8E5M2:
    return std::ldexp(1, -3);
  default:
    return 0;
  }
}

/// Whether the combine region rounds, so that its result depends on the order:
/// comparisons and selections do not.
static bool rounds(tile::ReduceOp reduce) {
  WalkResult walk = reduce.getCombine().walk([](Operation *op) {
    bool isFloat = llvm::any_of(op->getResultTypes(),
                                [](Type type) { return isa<FloatType>(type); });
    bool isExact = isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                       arith::MinNumFOp, arith::SelectOp, arith::NegFOp,
                       arith::ConstantOp>(op);
    return isFloat && !isExact ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// Two orders of a sum of L terms, each within (L - 1) u of the exact sum
/// relative to the sum of magnitudes (Higham, "Accuracy and Stability of
/// Numerical Algorithms", 4.2), differ by at most twice that; 8 is what the
/// rest of the kernel may make of it.
static double boundReordering(ModuleOp module) {
  double bound = 0;
  module.walk([&](tile::ReduceOp reduce) {
    if (!rounds(reduce))
      return;
    auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
    int64_t length = type.getDimSize(reduce.getAxis());
    for (Value source : reduce.getSrcs())
      if (auto kind = getElementKind(source.getType()))
        bound = std::max(bound, 8 * 2 * (length - 1) * getRoundoff(*kind));
  });
  return bound;
}

/// The same for what programs add to one address, each once: inputs launch few.
static double boundAtomics(ModuleOp module) {
  double bound = 0;
  module.walk([&](tile::AtomicRMWOp atomic) {
    auto kind = getElementKind(atomic.getResult().getType());
    if (kind && atomic.getKind() == tile::AtomicKind::Add)
      bound = std::max(bound, 8 * 2 * (SynthesisOptions().maxPrograms - 1) *
                                  getRoundoff(*kind));
  });
  return bound;
}

Tolerance verify::getTolerance(StringRef pass, ModuleOp before) {
  // Passes that reorder, with the reason. All others keep every bit.
  //   tile-gpu-split-reductions: reduces within warps first, then across.
  //   tile-cta-swizzle, tile-persistent-schedule: programs come in another
  //   order, and with them their atomic additions.
  if (pass == "tile-gpu-split-reductions")
    return {boundReordering(before)};
  if (pass == "tile-cta-swizzle" || pass == "tile-persistent-schedule")
    return {boundAtomics(before)};
  return {};
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {

/// Compares elements of one buffer.
class ElementComparer {
public:
  ElementComparer(ElementKind kind, ArrayRef<uint8_t> before,
                  Tolerance tolerance)
      : kind(kind), tolerance(tolerance) {
    if (!isFloat(kind) || tolerance.relative == 0)
      return;
    unsigned width = getByteWidth(kind);
    for (size_t i = 0; i + width <= before.size(); i += width)
      if (double value = std::abs(readFloat(kind, before.data() + i));
          std::isfinite(value))
        scale = std::max(scale, value);
  }

  bool areEqual(const uint8_t *a, const uint8_t *b) const {
    if (std::memcmp(a, b, getByteWidth(kind)) == 0)
      return true;
    if (!isFloat(kind))
      return false;
    double x = readFloat(kind, a), y = readFloat(kind, b);
    if (std::isnan(x) || std::isnan(y))
      return std::isnan(x) && std::isnan(y);
    if (tolerance.relative == 0 || !std::isfinite(x) || !std::isfinite(y))
      return false;
    return std::abs(x - y) <= getAllowed();
  }

  double getAllowed() const {
    return scale * (tolerance.relative + 2 * getRoundoff(kind));
  }

private:
  ElementKind kind;
  Tolerance tolerance;
  double scale = 0;
};

} // namespace

std::optional<ElementDifference> verify::compareBuffers(const Input &input,
                                                        const Outcome &before,
                                                        const Outcome &after,
                                                        Tolerance tolerance) {
  for (auto [index, buffer] : llvm::enumerate(input.buffers)) {
    const std::vector<uint8_t> &old = before.buffers[index];
    const std::vector<uint8_t> &now = after.buffers[index];
    unsigned width = getByteWidth(buffer.kind);
    // Elements count from the pointer.
    int64_t first = ((buffer.before % width) + width) % width;
    ElementComparer comparer(
        buffer.kind,
        ArrayRef(old).drop_front(std::min<size_t>(first, old.size())),
        tolerance);
    bool isOpen = !before.unspecified.empty();
    for (int64_t i = first; i + width <= int64_t(old.size()); i += width) {
      if (comparer.areEqual(&old[i], &now[i]) ||
          (isOpen && before.unspecified[index][i]))
        continue;
      int64_t offset = i - buffer.before;
      return ElementDifference{unsigned(index), offset / int64_t(width), offset,
                               printElement(buffer.kind, &old[i]),
                               printElement(buffer.kind, &now[i]),
                               comparer.getAllowed()};
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

namespace {

/// Remembers the last store to an element.
class StoreFinder : public InputObserver {
public:
  StoreFinder(const ElementDifference &difference, int64_t width)
      : difference(difference), width(width) {}

  void access(unsigned buffer, int64_t offset,
              const AccessEvent &event) override {
    if (event.writes && buffer == difference.buffer &&
        offset < difference.offset + width &&
        difference.offset < offset + event.bytes)
      last = event;
  }

  std::optional<AccessEvent> last;

private:
  const ElementDifference &difference;
  int64_t width;
};

} // namespace

std::optional<AccessEvent>
verify::findStore(ModuleOp module, const Input &input,
          const ElementDifference &difference) {
  StoreFinder finder(difference,
                     getByteWidth(input.buffers[difference.buffer].kind));
  execute(module, input, &finder);
  return finder.last;
}

static std::string describeStore(const AccessEvent &store) {
  std::string text = store.op->getName().getStringRef().str() + " of " +
                     describeLocation(store.op);
  if (store.program < 0)
    return text;
  text += ", program " + std::to_string(store.program);
  // The pointers of a store, the value of one through a descriptor.
  RankedTensorType type;
  for (Value operand : store.op->getOperands())
    if (!type)
      type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type)
    return text;
  text += ", its element [";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(delinearize(store.element, type.getShape()), out);
  return text + "]";
}

static Fault describeDifference(ModuleOp before, ModuleOp after,
                                const Input &input,
                                const ElementDifference &difference) {
  Fault fault{Fault::Kind::Difference};
  fault.difference = difference;
  const InputBuffer &buffer = input.buffers[difference.buffer];
  fault.message = "element " + std::to_string(difference.element) + " of '" +
                  buffer.name + "' is " + difference.after + ", and was " +
                  difference.before + " before";
  auto now = findStore(after, input, difference);
  auto old = findStore(before, input, difference);
  if (now) {
    fault.op = now->op;
    fault.message += "; stored by " + describeStore(*now);
  } else if (old) {
    fault.op = old->op;
    fault.inOld = true;
  }
  if (now && !old)
    fault.message += "; nothing stored it before";
  if (old && !now)
    fault.message +=
        "; nothing stores it now, " + describeStore(*old) + " did before";
  return fault;
}

static Fault describeFinding(const Finding &finding) {
  Fault fault{Fault::Kind::Finding};
  fault.op = finding.op;
  llvm::raw_string_ostream out(fault.message);
  out << "'" << finding.op->getName() << "' has a fault that was not there "
      << "before: " << getTitle(finding.kind);
  if (!finding.detail.empty())
    out << ": " << finding.detail;
  out << "; program " << finding.linearProgram;
  if (!finding.element.empty()) {
    out << ", element [";
    llvm::interleaveComma(finding.element, out);
    out << "]";
  }
  return fault;
}

std::optional<Fault> verify::checkAgainst(ModuleOp before,
                                          const Outcome &expected,
                                          ModuleOp after, const Input &input,
                                          Tolerance tolerance,
                                          Outcome &outcome) {
  outcome = execute(after, input);
  if (!outcome.ran)
    return Fault{Fault::Kind::CannotRun, nullptr, false,
                 "the program cannot be run any more: " + outcome.error};
  for (const Finding &finding : outcome.findings)
    if (!expected.has(finding.kind))
      return describeFinding(finding);
  if (auto difference = compareBuffers(input, expected, outcome, tolerance))
    return describeDifference(before, after, input, *difference);
  return std::nullopt;
}
