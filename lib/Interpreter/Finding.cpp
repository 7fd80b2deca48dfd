//===- Finding.cpp - what the interpreter catches -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Findings of programs that ran on different threads become one list that does
// not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Finding.h"

#include "mlir/IR/Location.h"

using namespace tessera::interpreter;

const char *tessera::interpreter::getTitle(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::Misaligned:
    return "misaligned address";
  case FindingKind::UninitializedRead:
    return "read of memory that was never written";
  case FindingKind::StoreRace:
    return "two programs store different values to one address";
  case FindingKind::ReadOfOtherProgram:
    return "read of what another program stored";
  case FindingKind::ReadAfterOwnStore:
    return "read of what the program itself stored";
  case FindingKind::StoreToReadOnly:
    return "store to memory that is said to be only read";
  case FindingKind::FalseFact:
    return "argument is not what its attributes say";
  case FindingKind::FalseAccess:
    return "access is not what its attribute says";
  case FindingKind::FalseDepth:
    return "element behind the depth of a product that is not zero";
  case FindingKind::UninitializedShared:
    return "read of shared memory that was never written";
  case FindingKind::OverwrittenShared:
    return "read of a buffer that another one has overwritten";
  case FindingKind::MissingBarrier:
    return "no barrier between two accesses to shared memory";
  case FindingKind::MissingFence:
    return "no fence between a write and an asynchronous access";
  case FindingKind::UseBeforeWait:
    return "use of accumulators before the wait for their product";
  case FindingKind::RegistersInFlight:
    return "iteration that ends before the wait for a product of its registers";
  case FindingKind::ReadBeforeWait:
    return "read of an asynchronous copy before its wait";
  case FindingKind::WriteInFlight:
    return "write to shared memory in use by an asynchronous operation";
  case FindingKind::NeverWaited:
    return "asynchronous operation that nothing waits for";
  case FindingKind::Deadlock:
    return "wait that never ends";
  case FindingKind::RearmedInFlight:
    return "arrival at an mbarrier that still waits for copies";
  case FindingKind::SlotOutOfRange:
    return "slot outside its buffer";
  case FindingKind::DivisionByZero:
    return "division by zero";
  case FindingKind::AssertionFailed:
    return "assertion failed";
  case FindingKind::EndlessLoop:
    return "loop that does not end";
  case FindingKind::WouldHaveWrapped:
    return "32-bit index arithmetic would have wrapped";
  }
  return "";
}

bool Findings::countIfKnown(FindingKind kind, mlir::Operation *op) {
  auto it = entries.find({op, unsigned(kind)});
  if (it == entries.end())
    return false;
  ++it->second.count;
  return true;
}

void Findings::add(Finding finding) {
  Key key(finding.op, unsigned(finding.kind));
  entries.insert({key, std::move(finding)});
}

void Findings::merge(Findings &&other) {
  for (auto &[key, finding] : other.entries) {
    auto [it, inserted] = entries.insert({key, finding});
    if (inserted)
      continue;
    int64_t count = it->second.count + finding.count;
    if (finding.linearProgram < it->second.linearProgram)
      it->second = std::move(finding);
    it->second.count = count;
  }
  other.entries.clear();
}

/// Where the operation stands in the source: file, line, column.
static std::tuple<llvm::StringRef, unsigned, unsigned>
getPosition(const Finding &finding) {
  std::tuple<llvm::StringRef, unsigned, unsigned> position;
  finding.op->getLoc()->walk([&](mlir::Location loc) {
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(loc);
    if (!file)
      return mlir::WalkResult::advance();
    position = {file.getFilename().getValue(), file.getLine(),
                file.getColumn()};
    return mlir::WalkResult::interrupt();
  });
  return position;
}

std::vector<Finding> Findings::takeSorted() {
  std::vector<Finding> sorted;
  for (auto &entry : entries)
    sorted.push_back(std::move(entry.second));
  entries.clear();
  // Operations of one position in the order of the programs that met them.
  llvm::sort(sorted, [](const Finding &a, const Finding &b) {
    auto key = [](const Finding &finding) {
      return std::make_tuple(getPosition(finding), finding.kind,
                             finding.linearProgram,
                             finding.op->getName().getStringRef());
    };
    return key(a) < key(b);
  });
  return sorted;
}

bool Findings::contains(FindingKind kind) const {
  return llvm::any_of(
      entries, [&](const auto &entry) { return entry.second.kind == kind; });
}
