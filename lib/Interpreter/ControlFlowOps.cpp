//===- ControlFlowOps.cpp - loops, branches, calls and messages -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured control flow, and what a kernel tells its author.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

//===----------------------------------------------------------------------===//
// Values that cross a region
//===----------------------------------------------------------------------===//

/// Chains of address arithmetic end where control flow merges values.
static void dropExact(Slot &slot) {
  if (!slot.tensor || !slot.tensor->getExact())
    return;
  auto copy = std::make_shared<Tensor>(slot.tensor->getKind(),
                                       slot.tensor->getShape());
  std::memcpy(copy->at(0), slot.tensor->at(0),
              copy->size() * copy->getByteWidth());
  slot.tensor = std::move(copy);
}

/// Copies slots at once: a destination may be a source.
static void assign(Program &program, ArrayRef<unsigned> to,
                   ArrayRef<unsigned> from) {
  SmallVector<Slot, 4> values;
  for (unsigned slot : from)
    values.push_back(program.slot(slot));
  for (auto [slot, value] : llvm::zip(to, values)) {
    dropExact(value);
    program.slot(slot) = std::move(value);
  }
}

//===----------------------------------------------------------------------===//
// scf
//===----------------------------------------------------------------------===//

static Flow runFor(Program &program, const Instruction &instruction) {
  const Code &body = instruction.regions[0];
  auto loop = cast<scf::ForOp>(instruction.op);
  ElementKind kind = program.get(instruction, 0)->getKind();
  bool isUnsigned = loop.getUnsignedCmp();
  auto read = [&](unsigned operand) {
    const uint8_t *data = program.get(instruction, operand)->at(0);
    return isUnsigned ? __int128(readUnsigned(kind, data))
                      : __int128(readSigned(kind, data));
  };
  __int128 lower = read(0), upper = read(1), step = read(2);
  ArrayRef<unsigned> inits = ArrayRef(instruction.operands).drop_front(3);
  ArrayRef<unsigned> carried = ArrayRef(body.arguments).drop_front(1);
  if (step <= 0 && lower < upper) {
    program.report(FindingKind::EndlessLoop, instruction, 2, 0, {},
                   [] { return "the step is not positive"; });
    return Flow::Stop;
  }
  if (lower < upper)
    program.tellOfLoop(loop, (upper - lower + step - 1) / step);
  assign(program, carried, inits);
  __int128 i = lower;
  for (; i < upper; i += step) {
    program.slot(body.arguments[0]).tensor = makeScalar(kind, uint64_t(i));
    if (program.execute(body) == Flow::Stop)
      return Flow::Stop;
    checkRegistersInFlight(program, instruction);
    assign(program, carried, body.yields);
  }
  // A machine's counter begins again.
  TensorRef last = makeScalar(kind, uint64_t(i));
  if (i != (isUnsigned ? __int128(readUnsigned(kind, last->at(0)))
                       : __int128(readSigned(kind, last->at(0)))))
    program.report(FindingKind::EndlessLoop, instruction, 1, 0, {}, [&] {
      std::string type;
      llvm::raw_string_ostream(type) << loop.getInductionVar().getType();
      return type + " does not hold the counter after the last iteration";
    });
  assign(program, instruction.results, carried);
  return Flow::Next;
}

static Flow runIf(Program &program, const Instruction &instruction) {
  bool condition = *program.get(instruction, 0)->at(0);
  const Code &branch = instruction.regions[condition ? 0 : 1];
  if (program.execute(branch) == Flow::Stop)
    return Flow::Stop;
  assign(program, instruction.results, branch.yields);
  return Flow::Next;
}

static Flow runExecuteRegion(Program &program, const Instruction &instruction) {
  const Code &body = instruction.regions[0];
  if (program.execute(body) == Flow::Stop)
    return Flow::Stop;
  assign(program, instruction.results, body.yields);
  return Flow::Next;
}

/// The regions are the default's and those of the cases, in their order.
static Flow runSwitch(Program &program, const Instruction &instruction) {
  const Tensor &flag = *program.get(instruction, 0);
  int64_t value = readSigned(flag.getKind(), flag.at(0));
  ArrayRef<int64_t> cases = cast<scf::IndexSwitchOp>(instruction.op).getCases();
  const int64_t *found = llvm::find(cases, value);
  size_t region = found == cases.end() ? 0 : found - cases.begin() + 1;
  const Code &branch = instruction.regions[region];
  if (program.execute(branch) == Flow::Stop)
    return Flow::Stop;
  assign(program, instruction.results, branch.yields);
  return Flow::Next;
}

static Flow runWhile(Program &program, const Instruction &instruction) {
  const Code &before = instruction.regions[0], &after = instruction.regions[1];
  // The condition, then the values that are handed on.
  ArrayRef<unsigned> forwarded = ArrayRef(before.yields).drop_front(1);
  assign(program, before.arguments, instruction.operands);
  for (int64_t i = 0;; ++i) {
    if (i == program.launch.options.maxWhileIterations) {
      program.report(FindingKind::EndlessLoop, instruction, -1, 0, {}, [&] {
        return "given up after " + std::to_string(i) + " iterations";
      });
      return Flow::Stop;
    }
    if (program.execute(before) == Flow::Stop)
      return Flow::Stop;
    if (!*program.slot(before.yields[0]).tensor->at(0))
      break;
    assign(program, after.arguments, forwarded);
    if (program.execute(after) == Flow::Stop)
      return Flow::Stop;
    checkRegistersInFlight(program, instruction);
    assign(program, before.arguments, after.yields);
  }
  assign(program, instruction.results, forwarded);
  return Flow::Next;
}

static Flow runCall(Program &program, const Instruction &instruction) {
  const Code &callee = instruction.regions.back();
  assign(program, callee.arguments, instruction.operands);
  if (program.execute(callee) == Flow::Stop)
    return Flow::Stop;
  assign(program, instruction.results, callee.yields);
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// The lines that the device prints.
static Flow runPrint(Program &program, const Instruction &instruction) {
  auto op = cast<tile::PrintOp>(instruction.op);
  if (!program.launch.options.printStream)
    return Flow::Next;
  const Tensor &value = *program.get(instruction, 0);
  std::string text;
  llvm::raw_string_ostream out(text);
  for (int64_t i = 0; i < value.size(); ++i) {
    out << "(program " << program.id[0] << ", " << program.id[1] << ", "
        << program.id[2] << ") " << op.getText();
    if (!value.getShape().empty()) {
      out << "[";
      llvm::interleaveComma(delinearize(i, value.getShape()), out);
      out << "]";
    }
    out << " = " << printElement(value.getKind(), value.at(i)) << "\n";
  }
  std::lock_guard<std::mutex> lock(program.launch.printMutex);
  *program.launch.options.printStream << text;
  return Flow::Next;
}

static Flow runAssert(Program &program, const Instruction &instruction) {
  const Tensor &condition = *program.get(instruction, 0);
  for (int64_t i = 0; i < condition.size(); ++i) {
    if (*condition.at(i))
      continue;
    program.report(FindingKind::AssertionFailed, instruction, 0, i,
                   condition.getShape(), [&] {
                     return cast<tile::AssertOp>(instruction.op).getText().str();
                   });
    return Flow::Stop;
  }
  return Flow::Next;
}

void interpreter::registerControlFlowOps(Registry &registry) {
  registry.add<scf::ForOp>(runFor);
  registry.add<scf::ExecuteRegionOp>(runExecuteRegion);
  registry.add<scf::IfOp>(runIf);
  registry.add<scf::IndexSwitchOp>(runSwitch);
  registry.add<scf::WhileOp>(runWhile);
  registry.add<tile::CallOp>(runCall);
  registry.add<tile::PrintOp>(runPrint);
  registry.add<tile::AssertOp>(runAssert);
}
