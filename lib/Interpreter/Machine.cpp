//===- Machine.cpp - a kernel made ready, and a program that runs it ------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers the values of a function, finds the handler of each operation, and
// runs the result for one program.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "WorkEstimate.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

const std::pair<Handler, Preparer> *Registry::find(Operation *op) const {
  auto it = entries.find(op->getName().getTypeID());
  return it == entries.end() ? nullptr : &it->second;
}

const Registry &interpreter::getRegistry() {
  static const Registry registry = [] {
    Registry all;
    registerIntegerOps(all);
    registerFloatOps(all);
    registerConversionOps(all);
    registerShapeOps(all);
    registerReduceOps(all);
    registerDotOps(all);
    registerMemoryOps(all);
    registerDescOps(all);
    registerAtomicOps(all);
    registerControlFlowOps(all);
    registerSharedOps(all);
    registerAsyncOps(all);
    registerTMAOps(all);
    return all;
  }();
  return registry;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

std::optional<ElementKind> interpreter::getElementKind(Type type) {
  type = getElementTypeOrSelf(type);
  if (isa<tile::PointerType>(type))
    return ElementKind::Pointer;
  if (type.isIndex())
    return ElementKind::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return ElementKind::I1;
    case 8:
      return ElementKind::I8;
    case 16:
      return ElementKind::I16;
    case 32:
      return ElementKind::I32;
    case 64:
      return ElementKind::I64;
    default:
      return std::nullopt;
    }
  }
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (type.isF32())
    return ElementKind::F32;
  if (type.isF64())
    return ElementKind::F64;
  if (isa<Float8E4M3FNType>(type))
    return ElementKind::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return ElementKind::F8E5M2;
  return std::nullopt;
}

static Shape getShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Shape(tensor.getShape()) : Shape();
}

namespace {

/// Builds the Code of one function.
class Compiler {
public:
  explicit Compiler(CompiledFunction &result) : result(result) {}

  LogicalResult compileRegion(Region &region, Code &code);

private:
  unsigned getSlot(Value value);
  LogicalResult compileOp(Operation &op, Code &code);
  LogicalResult compileConstant(arith::ConstantOp op);
  LogicalResult compileCall(tile::CallOp call, Instruction &instruction);

  CompiledFunction &result;
  llvm::DenseMap<Value, unsigned> slots;
  /// Functions being called, outermost first.
  SmallVector<Operation *> callers;
};

} // namespace

unsigned Compiler::getSlot(Value value) {
  auto [it, inserted] = slots.try_emplace(value, result.numSlots);
  if (inserted)
    ++result.numSlots;
  return it->second;
}

LogicalResult Compiler::compileRegion(Region &region, Code &code) {
  if (region.empty())
    return success();
  if (!region.hasOneBlock())
    return region.getParentOp()->emitError(
        "the interpreter runs regions of one block; control flow is 'scf'");
  Block &block = region.front();
  for (BlockArgument argument : block.getArguments())
    code.arguments.push_back(getSlot(argument));
  bool isOpen = !block.empty() && block.back().hasTrait<OpTrait::IsTerminator>();
  for (Operation &op : block)
    if (!(isOpen && &op == &block.back()) && failed(compileOp(op, code)))
      return failure();
  if (isOpen)
    for (Value operand : block.back().getOperands())
      code.yields.push_back(getSlot(operand));
  return success();
}

LogicalResult Compiler::compileConstant(arith::ConstantOp op) {
  auto kind = getElementKind(op.getType());
  if (!kind)
    return op.emitError() << "the interpreter does not run constants of "
                          << op.getType();
  auto tensor = std::make_shared<Tensor>(*kind, getShape(op.getType()));
  auto bitsOf = [](Attribute value) {
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().bitcastToAPInt().getZExtValue();
    return uint64_t(cast<IntegerAttr>(value).getValue().getSExtValue());
  };
  if (auto elements = dyn_cast<DenseElementsAttr>(op.getValue())) {
    int64_t i = 0;
    for (Attribute value : elements.getValues<Attribute>())
      writeInteger(*kind, tensor->at(i++), bitsOf(value));
  } else if (isa<FloatAttr, IntegerAttr>(op.getValue())) {
    writeInteger(*kind, tensor->at(0), bitsOf(op.getValue()));
  } else {
    return op.emitError("the interpreter does not run this constant");
  }
  result.constants.emplace_back(getSlot(op.getResult()), std::move(tensor));
  return success();
}

/// The callee's body becomes a region of the call, with slots of its own.
LogicalResult Compiler::compileCall(tile::CallOp call,
                                    Instruction &instruction) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<tile::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.getBody().empty())
    return call.emitError() << "calls '" << call.getCallee()
                            << "', which has no body";
  if (llvm::is_contained(callers, callee.getOperation()))
    return call.emitError() << "calls '" << call.getCallee()
                            << "' recursively";
  callers.push_back(callee);
  llvm::DenseMap<Value, unsigned> outer;
  std::swap(outer, slots);
  LogicalResult done =
      compileRegion(callee.getBody(), instruction.regions.emplace_back());
  std::swap(outer, slots);
  callers.pop_back();
  return done;
}

LogicalResult Compiler::compileOp(Operation &op, Code &code) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return compileConstant(constant);
  if (isa<tile::InlinePTXOp>(op))
    return op.emitError() << "the interpreter does not run '" << op.getName()
                          << "': PTX is text to it, which only a GPU runs";
  const auto *entry = getRegistry().find(&op);
  if (!entry)
    return op.emitError() << "the interpreter does not run '" << op.getName()
                          << "'";
  Instruction instruction;
  instruction.op = &op;
  instruction.handler = entry->first;
  for (Value operand : op.getOperands())
    instruction.operands.push_back(getSlot(operand));
  for (Value value : op.getResults()) {
    instruction.results.push_back(getSlot(value));
    ValueType &type = instruction.resultTypes.emplace_back();
    type.shape = getShape(value.getType());
    if (auto kind = getElementKind(value.getType()))
      type.kind = *kind;
    else if (isa<TensorType, IntegerType, FloatType>(value.getType()))
      return op.emitError() << "the interpreter does not know "
                            << value.getType();
  }
  for (Region &region : op.getRegions())
    if (failed(compileRegion(region, instruction.regions.emplace_back())))
      return failure();
  if (auto call = dyn_cast<tile::CallOp>(op))
    if (failed(compileCall(call, instruction)))
      return failure();
  if (entry->second && failed(entry->second(instruction)))
    return failure();
  result.usesAtomics |= isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op);
  code.instructions.push_back(std::move(instruction));
  return success();
}

FailureOr<CompiledFunction> interpreter::compileFunction(tile::FuncOp function) {
  CompiledFunction compiled;
  compiled.checksBarriers =
      function->hasAttr(tile_gpu::TileGPUDialect::kSynchronized);
  Compiler compiler(compiled);
  if (failed(compiler.compileRegion(function.getBody(), compiled.body)))
    return failure();
  return compiled;
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

Program::Program(const Launch &launch, Findings &findings)
    : launch(launch), slots(launch.code.numSlots), findings(findings) {
  for (auto &[slot, value] : launch.code.constants)
    slots[slot].tensor = value;
}

void Program::tellOfLoop(Operation *loop, __int128 iterations) {
  const RunOptions &options = launch.options;
  if (linear != 0 || !options.longLoop || iterations <= 0)
    return;
  for (Operation *op = loop; op; op = op->getParentOp())
    if (longLoops.contains(op))
      return;
  auto [elements, isNew] = loopElements.try_emplace(loop, 0);
  if (isNew)
    elements->second = countElements(loop);
  int64_t programs = launch.grid[0] * launch.grid[1] * launch.grid[2];
  __int128 all = iterations * elements->second;
  __int128 most = std::numeric_limits<int64_t>::max();
  all = std::min(all, most) * programs;
  if (all < options.longLoopElements)
    return;
  longLoops.insert(loop);
  options.longLoop({loop, int64_t(std::min(iterations, most)),
                    elements->second, int64_t(std::min(all, most)), programs});
}

void Program::run(std::array<int64_t, 3> programId, int64_t linearId,
                  ArrayRef<TensorRef> arguments) {
  id = programId;
  linear = linearId;
  shared = SharedMemory();
  shared.setChecksBarriers(launch.code.checksBarriers);
  async = AsyncState();
  barriers.clear();
  for (auto [slot, value] : llvm::zip(launch.code.body.arguments, arguments))
    slots[slot].tensor = value;
  if (execute(launch.code.body) == Flow::Stop)
    return;
  finishAsynchronous(*this);
  finishTensorCopies(*this);
}

Flow Program::execute(const Code &code) {
  for (const Instruction &instruction : code.instructions) {
    if (async.hasIssuedProducts())
      checkAccumulators(*this, instruction);
    if (instruction.handler(*this, instruction) == Flow::Stop)
      return Flow::Stop;
  }
  return Flow::Next;
}

void Program::report(FindingKind kind, const Instruction &instruction,
                     int operand, int64_t index, ArrayRef<int64_t> shape,
                     llvm::function_ref<std::string()> detail) {
  if (findings.countIfKnown(kind, instruction.op))
    return;
  Finding finding;
  finding.kind = kind;
  finding.op = instruction.op;
  finding.program = id;
  finding.linearProgram = linear;
  finding.element = delinearize(index, shape);
  finding.operand = operand;
  finding.detail = detail();
  findings.add(std::move(finding));
}
