//===- Variants.cpp - which kernel a launch takes -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Choices inside of a variant become variants of the same choice, which ask for
// both: the last of the inner ones asks for nothing of its own, so that none
// after them is reached where the outer guard holds.
//
//===----------------------------------------------------------------------===//

#include "Variants.h"

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;

namespace tessera {

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// What is deeper is left out: a text that has each value where it is used may
/// double with every operation.
static constexpr unsigned kMostNested = 8;

static std::string describe(Value value, unsigned nested);

/// Of a binary operation or a comparison.
template <typename Op>
static std::string describeRight(Op op, unsigned nested) {
  return op.getRhs() ? describe(op.getRhs(), nested)
                     : std::to_string(*op.getConstant());
}

/// An operand of an infix operator: in parentheses, if it has one itself.
static std::string group(const std::string &text) {
  int depth = 0;
  for (char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ' ' && depth == 0)
      return "(" + text + ")";
  }
  return text;
}

template <typename Op>
static std::string infix(Op op, StringRef symbol, unsigned nested) {
  return (group(describe(op.getLhs(), nested)) + " " + symbol + " " +
          group(describeRight(op, nested)))
      .str();
}

template <typename Op>
static std::string call(Op op, StringRef name, unsigned nested) {
  return (name + "(" + describe(op.getLhs(), nested) + ", " +
          describeRight(op, nested) + ")")
      .str();
}

/// A computed value inside of `nested` others; the name of an argument.
static std::string describe(Value value, unsigned nested) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto launch = cast<tile::LaunchOp>(argument.getOwner()->getParentOp());
    auto name = launch.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    tile::TileDialect::kName);
    return name ? name.str() : llvm::formatv("#{0}", argument.getArgNumber());
  }
  if (++nested > kMostNested)
    return "...";
  using namespace tile;
  return llvm::TypeSwitch<Operation *, std::string>(value.getDefiningOp())
      .Case([](PlanConstantOp op) { return std::to_string(op.getValue()); })
      .Case([](PlanCallerGridOp op) {
        return ("grid." + stringifyAxis(op.getAxis())).str();
      })
      .Case([](PlanNumSMsOp) { return "num_sms"; })
      .Case([](PlanResidentCTAsOp op) {
        return ("resident_ctas(" + op.getKernel() + ")").str();
      })
      .Case([&](PlanAddOp op) { return infix(op, "+", nested); })
      .Case([&](PlanSubOp op) { return infix(op, "-", nested); })
      .Case([&](PlanMulOp op) { return infix(op, "*", nested); })
      .Case([&](PlanDivOp op) { return infix(op, "/", nested); })
      .Case([&](PlanRemOp op) { return infix(op, "%", nested); })
      .Case([&](PlanCDivOp op) { return call(op, "cdiv", nested); })
      .Case([&](PlanMinOp op) { return call(op, "min", nested); })
      .Case([&](PlanMaxOp op) { return call(op, "max", nested); })
      .Case([&](PlanNextPow2Op op) {
        return "next_pow2(" + describe(op.getValue(), nested) + ")";
      })
      .Case([](PlanScratchOp) { return "scratch memory"; })
      .Default(
          [](Operation *op) { return op->getName().getStringRef().str(); });
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

static StringRef getSymbol(tile::PlanPredicate predicate) {
  switch (predicate) {
  case tile::PlanPredicate::EQ:
    return "==";
  case tile::PlanPredicate::NE:
    return "!=";
  case tile::PlanPredicate::LT:
    return "<";
  case tile::PlanPredicate::LE:
    return "<=";
  case tile::PlanPredicate::GT:
    return ">";
  case tile::PlanPredicate::GE:
    return ">=";
  }
  llvm_unreachable("all predicates are above");
}

namespace {
/// What is asked, and of which values, in the order of the guards.
class Conditions {
public:
  explicit Conditions(unsigned nested = 0) : nested(nested) {}

  void add(Value guard);
  std::vector<std::string> print() const;

private:
  void add(const std::string &subject, const std::string &predicate) {
    std::vector<std::string> &subjects = asked[predicate];
    if (!llvm::is_contained(subjects, subject))
      subjects.push_back(subject);
  }

  /// Guards of guards around these.
  unsigned nested;
  llvm::DenseSet<Value> added;
  llvm::MapVector<std::string, std::vector<std::string>,
                  std::map<std::string, unsigned>>
      asked;
};
} // namespace

/// One guard in a line: "n divisible by 8".
static std::string describeGuard(Value guard, unsigned nested) {
  if (nested > kMostNested)
    return "...";
  Conditions conditions(nested);
  conditions.add(guard);
  return llvm::join(conditions.print(), " and ");
}

void Conditions::add(Value guard) {
  if (!added.insert(guard).second)
    return;
  using namespace tile;
  llvm::TypeSwitch<Operation *>(guard.getDefiningOp())
      .Case([&](PlanAllOp op) {
        for (Value operand : op.getOperands())
          add(operand);
      })
      .Case([&](PlanAlignedOp op) {
        add(describe(op.getPointer(), nested),
            llvm::formatv(" aligned to {0} bytes", op.getBytes()));
      })
      .Case([&](PlanDivisibleOp op) {
        add(describe(op.getValue(), nested),
            llvm::formatv(" divisible by {0}", op.getBy()));
      })
      .Case([&](PlanCmpOp op) {
        add(describe(op.getLhs(), nested),
            llvm::formatv(" {0} {1}", getSymbol(op.getPredicate()),
                          describeRight(op, nested)));
      })
      .Case([&](PlanAnyOp op) {
        auto describeOne = [&](Value operand) {
          return describeGuard(operand, nested + 1);
        };
        add("", "(" +
                    llvm::join(llvm::map_range(op.getOperands(), describeOne),
                               ") or (") +
                    ")");
      })
      .Case([&](PlanNotOp op) {
        add("", "not (" + describeGuard(op.getOperand(), nested + 1) + ")");
      });
}

std::vector<std::string> Conditions::print() const {
  std::vector<std::string> lines;
  for (const auto &[predicate, subjects] : asked)
    lines.push_back(llvm::join(subjects, ", ") + predicate);
  return lines;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
class Lister {
public:
  Lister(std::string entry, std::vector<VariantChoice> &choices)
      : entry(std::move(entry)), choices(choices) {}

  void list(Block &block, const Conditions &outer);

private:
  using Run = SmallVector<tile::PlanVariantOp>;
  void list(const Run &run, const Conditions &outer,
            std::vector<Variant> &variants);

  std::string entry;
  std::vector<VariantChoice> &choices;
};
} // namespace

/// Adjacent variants are one choice, up to an `else`.
static SmallVector<SmallVector<tile::PlanVariantOp>> findRuns(Block &block) {
  SmallVector<SmallVector<tile::PlanVariantOp>> runs;
  for (Operation &op : block)
    if (auto variant = dyn_cast<tile::PlanVariantOp>(op)) {
      if (runs.empty() || runs.back().back() != op.getPrevNode() ||
          !runs.back().back().getGuard())
        runs.emplace_back();
      runs.back().push_back(variant);
    }
  return runs;
}

static bool launches(tile::PlanVariantOp variant) {
  return variant
      .walk([](tile::PlanDispatchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void Lister::list(Block &block, const Conditions &outer) {
  for (const Run &run : findRuns(block)) {
    if (llvm::none_of(run, launches))
      continue;
    // Before those inside of its variants.
    size_t index = choices.size();
    choices.push_back({entry, {}});
    std::vector<Variant> variants;
    list(run, outer, variants);
    choices[index].variants = std::move(variants);
  }
}

void Lister::list(const Run &run, const Conditions &outer,
                  std::vector<Variant> &variants) {
  for (tile::PlanVariantOp variant : run) {
    Conditions conditions = outer;
    if (variant.getGuard())
      conditions.add(variant.getGuard());
    Block &body = variant.getBody().front();
    Variant leaf;
    for (auto dispatch : body.getOps<tile::PlanDispatchOp>())
      leaf.kernels.push_back(dispatch.getKernel().str());
    for (auto refuse : body.getOps<tile::PlanRefuseOp>())
      leaf.refusal = refuse.getText().str();
    SmallVector<Run> inner = findRuns(body);
    llvm::erase_if(inner,
                   [](const Run &run) { return llvm::none_of(run, launches); });
    if (leaf.kernels.empty() && leaf.refusal.empty() && inner.size() == 1) {
      list(inner.front(), conditions, variants);
      continue;
    }
    leaf.conditions = conditions.print();
    leaf.isGeneral = !variant.getGuard() && !leaf.kernels.empty();
    leaf.choosesAgain = !inner.empty();
    variants.push_back(std::move(leaf));
    list(body, conditions);
  }
}

std::vector<VariantChoice> listVariants(ModuleOp module) {
  std::vector<VariantChoice> choices;
  for (auto launch : module.getOps<tile::LaunchOp>())
    Lister(launch.getName().str(), choices)
        .list(launch.getBody().front(), Conditions());
  return choices;
}

} // namespace tessera
