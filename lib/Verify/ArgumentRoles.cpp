//===- ArgumentRoles.cpp - what a kernel does with its arguments ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two walks along uses: the copies of an argument, and the addresses that a
// multiplication reaches. Calls are entered, and their results followed.
//
//===----------------------------------------------------------------------===//

#include "ArgumentRoles.h"

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Analysis/OperandLoads.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;

/// Most elements along one dimension that a size is tried around.
static constexpr int64_t kMostBlock = 32768;

namespace {

/// Values still to be followed, each once.
class Worklist {
public:
  void add(Value value) {
    if (seen.insert(value).second)
      pending.push_back(value);
  }
  bool empty() const { return pending.empty(); }
  Value take() { return pending.pop_back_val(); }

private:
  llvm::DenseSet<Value> seen;
  SmallVector<Value> pending;
};

/// Uses of the arguments of one kernel.
class KernelRoles {
public:
  explicit KernelRoles(tile::FuncOp kernel)
      : kernel(kernel), module(kernel->getParentOfType<ModuleOp>()) {}

  void find(unsigned index, ArgumentRole &role);
  /// Marks arguments that operands of products are loaded from.
  void findOperands(MutableArrayRef<ArgumentRole> arguments);

private:
  void visitUse(OpOperand &use, ArgumentRole &role, Worklist &copies);
  void visitLoop(scf::ForOp loop, OpOperand &use, ArgumentRole &role,
                 Worklist &copies);
  /// Goes on behind a call, a return or a yield.
  void crossRegions(OpOperand &use, Worklist &values);
  void findAddresses(Value product, ArgumentRole &role);
  std::optional<unsigned> findPointer(Value pointer);
  /// The argument that a value is, in some width.
  std::optional<unsigned> findArgument(Value value);

  tile::FuncOp kernel;
  ModuleOp module;
};

} // namespace

/// Whether an operation hands its operand on, in another shape or width.
static bool isCopy(Operation *op) {
  return isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp,
             tile::ReshapeOp, tile::TransOp, tile_gpu::ConvertLayoutOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::IndexCastOp, arith::IndexCastUIOp>(op);
}

static std::optional<int64_t> getConstant(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// Dimensions larger than one, in which the value is compared with positions.
static void addBlocks(Type type, ArgumentRole &role) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (int64_t dim : tensor.getShape())
      if (dim > 1)
        role.blocks.insert(dim);
}

void KernelRoles::crossRegions(OpOperand &use, Worklist &values) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto call = dyn_cast<tile::CallOp>(op)) {
    auto callee = module.lookupSymbol<tile::FuncOp>(call.getCallee());
    if (callee && !callee.getBody().empty())
      values.add(callee.getBody().getArgument(number));
    return;
  }
  if (isa<tile::ReturnOp>(op)) {
    auto callee = op->getParentOfType<tile::FuncOp>();
    module.walk([&](tile::CallOp call) {
      if (call.getCallee() == callee.getName())
        values.add(call.getResult(number));
    });
    return;
  }
  if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp()))
    values.add(op->getParentOp()->getResult(number));
}

void KernelRoles::visitLoop(scf::ForOp loop, OpOperand &use, ArgumentRole &role,
                            Worklist &copies) {
  unsigned number = use.getOperandNumber();
  if (number >= 3) { // An initial value of what the loop carries.
    copies.add(loop.getRegionIterArgs()[number - 3]);
    return;
  }
  role.isSize = true;
  if (number != 1)
    return;
  role.step = getConstant(loop.getStep()).value_or(1);
  role.stepArgument = findArgument(loop.getStep());
  if (auto stages =
          loop->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumStages))
    role.stages = stages.getInt();
}

void KernelRoles::visitUse(OpOperand &use, ArgumentRole &role,
                           Worklist &copies) {
  Operation *op = use.getOwner();
  if (isCopy(op))
    return copies.add(op->getResult(0));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop, use, role, copies);
  if (isa<tile::CallOp, tile::ReturnOp>(op))
    return crossRegions(use, copies);
  if (isa<arith::CmpIOp>(op)) {
    role.isSize = true;
    return addBlocks(use.get().getType(), role);
  }
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::DivSIOp,
          arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    role.isSize = true;
    if (auto block = getConstant(op->getOperand(1)); block && *block > 1)
      role.blocks.insert(*block);
    return;
  }
  if (isa<arith::MulIOp>(op)) {
    role.isStride = true;
    return findAddresses(op->getResult(0), role);
  }
  if (isa<tile::AddPtrOp>(op))
    return findAddresses(use.get(), role);
}

void KernelRoles::find(unsigned index, ArgumentRole &role) {
  Worklist copies;
  copies.add(kernel.getBody().getArgument(index));
  while (!copies.empty())
    for (OpOperand &use : copies.take().getUses())
      visitUse(use, role, copies);
}

void KernelRoles::findAddresses(Value product, ArgumentRole &role) {
  Worklist values;
  values.add(product);
  while (!values.empty())
    for (OpOperand &use : values.take().getUses()) {
      Operation *op = use.getOwner();
      if (isCopy(op) || isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
        values.add(op->getResult(0));
      else if (auto address = dyn_cast<tile::AddPtrOp>(op)) {
        if (auto pointer = findPointer(address.getPtr()))
          role.pointers.insert(*pointer);
      } else
        crossRegions(use, values);
    }
}

void KernelRoles::findOperands(MutableArrayRef<ArgumentRole> arguments) {
  auto mark = [&](Value operand, bool ArgumentRole::*isOperand) {
    for (Operation *load : findOperandLoads(operand))
      if (Value pointer = getAccessPointer(load))
        if (std::optional<unsigned> argument = findPointer(pointer))
          arguments[*argument].*isOperand = true;
  };
  kernel.walk([&](tile::DotOp dot) {
    mark(dot.getA(), &ArgumentRole::isFirstOperand);
    mark(dot.getB(), &ArgumentRole::isSecondOperand);
  });
}

std::optional<unsigned> KernelRoles::findArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isCopy(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  return argument.getOwner()->getParentOp() == kernel
             ? std::optional(argument.getArgNumber())
             : std::nullopt;
}

/// The argument that pointers begin with.
std::optional<unsigned> KernelRoles::findPointer(Value pointer) {
  for (unsigned steps = 0; steps < 64; ++steps) {
    if (Operation *op = pointer.getDefiningOp()) {
      if (!isCopy(op) && !isa<tile::AddPtrOp>(op))
        return std::nullopt;
      pointer = op->getOperand(0);
      continue;
    }
    auto argument = cast<BlockArgument>(pointer);
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == kernel)
      return argument.getArgNumber();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      OpOperand *init = loop.getTiedLoopInit(argument);
      if (!init)
        return std::nullopt;
      pointer = init->get();
      continue;
    }
    // A helper: the first call of it.
    auto callee = dyn_cast<tile::FuncOp>(parent);
    Value operand;
    kernel.walk([&](tile::CallOp call) {
      if (callee && !operand && call.getCallee() == callee.getName())
        operand = call.getOperand(argument.getArgNumber());
    });
    if (!operand)
      return std::nullopt;
    pointer = operand;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Facts of a kernel's argument, as attributes.
static void addFacts(tile::FuncOp kernel, unsigned index, ArgumentRole &role) {
  auto number = [&](StringRef name) {
    return kernel.getArgAttrOfType<IntegerAttr>(index, name);
  };
  if (auto divisor = number(tile::TileDialect::kDivisibleBy))
    role.divisor = std::max<int64_t>(role.divisor, divisor.getInt());
  if (auto equals = number(tile::TileDialect::kEquals))
    role.equals = equals.getInt();
}

/// Uses of a launch argument inside the plan.
static void visitPlan(tile::LaunchOp launch, unsigned index,
                      ArgumentRole &role) {
  for (OpOperand &use : launch.getBody().getArgument(index).getUses()) {
    Operation *op = use.getOwner();
    if (auto dispatch = dyn_cast<tile::PlanDispatchOp>(op)) {
      bool isGrid = use.getOperandNumber() < dispatch.getGrid().size();
      role.countsPrograms |= isGrid;
      continue;
    }
    if (!isa<tile::PlanCDivOp, tile::PlanDivOp, tile::PlanCmpOp>(op))
      continue;
    role.isSize = true;
    // A larger one is a limit of the hardware, not of a block.
    if (auto constant = op->getAttrOfType<IntegerAttr>("constant"))
      if (constant.getInt() > 1 && constant.getInt() <= kMostBlock)
        role.blocks.insert(constant.getInt());
  }
}

static void visitDispatch(ModuleOp module, tile::PlanDispatchOp dispatch,
                          std::vector<ArgumentRole> &roles) {
  auto kernel = module.lookupSymbol<tile::FuncOp>(dispatch.getKernel());
  if (!kernel || kernel.getBody().empty())
    return;
  // The entry's argument that each argument of the kernel is.
  SmallVector<std::optional<unsigned>> outer;
  for (Value operand : dispatch.getArgs()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    outer.push_back(argument ? std::optional(argument.getArgNumber())
                             : std::nullopt);
  }
  std::vector<ArgumentRole> inner(outer.size());
  KernelRoles(kernel).findOperands(inner);
  for (auto [i, index] : llvm::enumerate(outer)) {
    if (!index)
      continue;
    ArgumentRole &found = inner[i];
    KernelRoles(kernel).find(i, found);
    ArgumentRole &role = roles[*index];
    role.isFirstOperand |= found.isFirstOperand;
    role.isSecondOperand |= found.isSecondOperand;
    role.isSize |= found.isSize;
    role.isStride |= found.isStride;
    role.blocks.insert(found.blocks.begin(), found.blocks.end());
    if (found.step) {
      std::tie(role.step, role.stages) = std::pair(found.step, found.stages);
      role.stepArgument =
          found.stepArgument ? outer[*found.stepArgument] : std::nullopt;
    }
    for (unsigned pointer : found.pointers)
      if (outer[pointer])
        role.pointers.insert(*outer[pointer]);
    addFacts(kernel, i, role);
  }
}

std::vector<ArgumentRole> verify::findRoles(ModuleOp module,
                                            FunctionOpInterface entry) {
  std::vector<ArgumentRole> roles(entry.getNumArguments());
  for (auto [i, role] : llvm::enumerate(roles)) {
    role.type = entry.getArgumentTypes()[i];
    auto name = entry.getArgAttrOfType<StringAttr>(i, tile::TileDialect::kName);
    role.name = name ? name.str() : "arg" + std::to_string(i);
  }
  if (auto kernel = dyn_cast<tile::FuncOp>(entry.getOperation())) {
    for (auto [i, role] : llvm::enumerate(roles)) {
      KernelRoles(kernel).find(i, role);
      addFacts(kernel, i, role);
    }
    KernelRoles(kernel).findOperands(roles);
    return roles;
  }
  auto launch = cast<tile::LaunchOp>(entry.getOperation());
  for (auto [i, role] : llvm::enumerate(roles))
    visitPlan(launch, i, role);
  launch.walk([&](tile::PlanDispatchOp dispatch) {
    // A clone under more facts: its guards choose between it and the kernel.
    if (!dispatch.getKernel().contains('$'))
      visitDispatch(module, dispatch, roles);
  });
  return roles;
}
