//===- AffineAccess.cpp - the affine-access analysis ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dataflow analysis. A state is "not reached yet" or facts; states only
// descend: each update joins the new facts to the old ones, and a chain of
// joins is finite because facts are powers of two below a bound. When nothing
// changes any more, each state is below what its operation makes of its
// operands' states and below every value that control flow brings. By
// induction over the steps of a run, each value then satisfies its facts; in
// particular a loop's argument does at every iteration.
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AffineAccess.h"

#include "FactTransfer.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Facts, or nothing as long as no value has been seen.
struct FactState {
  std::optional<ValueFacts> facts;

  static FactState join(const FactState &a, const FactState &b) {
    if (!a.facts)
      return b;
    if (!b.facts)
      return a;
    return {ValueFacts::join(*a.facts, *b.facts)};
  }
  bool operator==(const FactState &other) const { return facts == other.facts; }
  void print(raw_ostream &os) const {
    if (facts)
      facts->print(os);
    else
      os << "not reached";
  }
};

class FactLattice : public dataflow::Lattice<FactState> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FactLattice)
  using Lattice::Lattice;
};

class FactAnalysis
    : public dataflow::SparseForwardDataFlowAnalysis<FactLattice> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FactAnalysis)
  FactAnalysis(DataFlowSolver &solver, tile::FuncOp function,
               FactOverrides overrides)
      : SparseForwardDataFlowAnalysis(solver), function(function),
        overrides(std::move(overrides)) {}

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const FactLattice *> operands,
                               ArrayRef<FactLattice *> results) override;
  void setToEntryState(FactLattice *lattice) override;
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<FactLattice *> arguments,
                                    unsigned firstIndex) override;

private:
  ValueFacts getEntryFacts(Value value);

  tile::FuncOp function;
  FactOverrides overrides;
};

} // namespace

LogicalResult
FactAnalysis::visitOperation(Operation *op,
                             ArrayRef<const FactLattice *> operands,
                             ArrayRef<FactLattice *> results) {
  if (op->getNumResults() != 1) {
    setAllToEntryStates(results);
    return success();
  }
  SmallVector<const ValueFacts *> facts;
  for (const FactLattice *operand : operands) {
    if (!operand->getValue().facts)
      return success(); // Visited again when all operands are known.
    facts.push_back(&*operand->getValue().facts);
  }
  propagateIfChanged(results[0],
                     results[0]->join(FactState{transferFacts(op, facts)}));
  return success();
}

/// What holds without looking at control flow: the facts of an argument of the
/// function, nothing for other values.
ValueFacts FactAnalysis::getEntryFacts(Value value) {
  ValueFacts facts = ValueFacts::unknown(value.getType());
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &function.getBody().front())
    return facts;
  ArgumentFacts stated = getArgumentFacts(function, argument.getArgNumber());
  auto it = overrides.find(argument.getArgNumber());
  if (it != overrides.end()) {
    stated.divisibleBy = std::max(stated.divisibleBy, it->second.divisibleBy);
    if (it->second.equals)
      stated.equals = it->second.equals;
  }
  if (stated.equals)
    return ValueFacts::ofConstant(value.getType(), *stated.equals);
  for (DimFacts &dim : facts.dims)
    dim.divisibility = std::max(dim.divisibility,
                                std::min(stated.divisibleBy, kMaxDivisibility));
  return facts;
}

void FactAnalysis::setToEntryState(FactLattice *lattice) {
  propagateIfChanged(
      lattice, lattice->join(FactState{getEntryFacts(lattice->getAnchor())}));
}

/// The counter of a loop is lb + k * step, below the upper bound. A counter
/// that would overflow is an error of the program, as it is for scf.
void FactAnalysis::visitNonControlFlowArguments(
    Operation *op, const RegionSuccessor &successor,
    ArrayRef<FactLattice *> arguments, unsigned firstIndex) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || successor.isParent() || arguments.empty() ||
      arguments[0]->getAnchor() != loop.getInductionVar()) {
    SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
        op, successor, arguments, firstIndex);
    return;
  }
  ProgramPoint *point = getProgramPointBefore(loop.getBody());
  SmallVector<const ValueFacts *> inputs;
  for (Value input :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
    const FactState &state = getLatticeElementFor(point, input)->getValue();
    if (!state.facts)
      return;
    inputs.push_back(&*state.facts);
  }
  ValueFacts facts = ValueFacts::unknown(loop.getInductionVar().getType());
  facts.dims[0].divisibility = std::min(inputs[0]->elementDivisibility(),
                                        inputs[2]->elementDivisibility());
  // Steps are positive, and the body runs for lb <= counter < ub only.
  if (!loop.getUnsignedCmp() && inputs[0]->isNonNegative())
    facts.rangeBits = std::min(
        inputs[1]->rangeBits,
        int32_t(getIntegerWidth(loop.getInductionVar().getType())) - 1);
  propagateIfChanged(arguments[0], arguments[0]->join(FactState{facts}));
}

//===----------------------------------------------------------------------===//
// AffineAccess
//===----------------------------------------------------------------------===//

ArgumentFacts tessera::getArgumentFacts(FunctionOpInterface function,
                                        unsigned index) {
  ArgumentFacts facts;
  if (auto attr = function.getArgAttrOfType<IntegerAttr>(
          index, tile::TileDialect::kDivisibleBy))
    facts.divisibleBy = attr.getValue().getSExtValue();
  if (auto attr = function.getArgAttrOfType<IntegerAttr>(
          index, tile::TileDialect::kEquals))
    facts.equals = attr.getValue().getSExtValue();
  return facts;
}

AffineAccess::AffineAccess(tile::FuncOp function, FactOverrides overrides)
    : solver(std::make_unique<DataFlowSolver>(
          DataFlowConfig().setInterprocedural(false))) {
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<FactAnalysis>(function, std::move(overrides));
  // Our visitors do not fail; if another one does, no fact may be used.
  if (failed(solver->initializeAndRun(function)))
    solver.reset();
}

AffineAccess::~AffineAccess() = default;

ValueFacts AffineAccess::getFacts(Value value) const {
  const FactLattice *lattice =
      solver ? solver->lookupState<FactLattice>(value) : nullptr;
  if (!lattice || !lattice->getValue().facts) // Code that never runs.
    return ValueFacts::unknown(value.getType());
  return *lattice->getValue().facts;
}

std::optional<AffineForm> AffineAccess::getAffineForm(Value tensor) const {
  return tessera::getAffineForm(
      tensor, [&](Value value) { return getFacts(value); });
}

std::optional<SmallVector<MaskBound>>
AffineAccess::getMaskBounds(Value mask) const {
  return tessera::getMaskBounds(
      mask, [&](Value value) { return getFacts(value); });
}

std::optional<ScalarSum>
AffineAccess::getCarriedStep(BlockArgument argument) const {
  return tessera::getCarriedStep(
      argument, [&](Value value) { return getFacts(value); });
}

bool AffineAccess::isNonNegative(const ScalarSum &sum, unsigned width) const {
  return tessera::isNonNegative(sum, width,
                                [&](Value value) { return getFacts(value); });
}
