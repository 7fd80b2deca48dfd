//===- InlineCalls.cpp - tile-inline-calls --------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything after this pass sees kernels without calls. The upstream inliner
// does the work; what it would decline or trip over is refused before.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILEINLINECALLSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

namespace {

/// Depth-first search through calls; the path is the call stack.
class CallChecker {
public:
  explicit CallChecker(ModuleOp module) : symbols(module) {}

  /// Fails, with a diagnostic at the call, when a function that `function`
  /// reaches calls itself, or cannot be inlined.
  LogicalResult check(tile::FuncOp function);

private:
  LogicalResult checkCall(tile::CallOp call);

  SymbolTable symbols;
  llvm::SetVector<Operation *> path;
  DenseSet<Operation *> done;
};

} // namespace

LogicalResult CallChecker::checkCall(tile::CallOp call) {
  auto callee = symbols.lookup<tile::FuncOp>(call.getCallee());
  if (path.contains(callee)) {
    InFlightDiagnostic diag = call.emitError()
                              << "recursive call of '" << call.getCallee()
                              << "': calls are inlined";
    diag.attachNote(callee.getLoc()) << "'" << call.getCallee() << "' is here";
    return failure();
  }
  if (!callee.getBody().hasOneBlock())
    return call.emitError() << "'" << call.getCallee()
                            << "' has branches between blocks and cannot be "
                               "inlined; use scf operations";
  return check(callee);
}

LogicalResult CallChecker::check(tile::FuncOp function) {
  if (!done.insert(function).second)
    return success();
  path.insert(function);
  WalkResult walk = function.walk([&](tile::CallOp call) {
    return failed(checkCall(call)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  path.pop_back();
  return failure(walk.wasInterrupted());
}

/// Refuses calls that cannot be inlined; returns the number of calls.
static FailureOr<int64_t> checkCalls(ModuleOp module) {
  CallChecker checker(module);
  int64_t calls = 0;
  for (auto function : module.getOps<tile::FuncOp>()) {
    if (failed(checker.check(function)))
      return failure();
    function.walk([&](tile::CallOp) { ++calls; });
  }
  return calls;
}

/// Establishes the postcondition: private functions go, as nothing calls them.
static LogicalResult erasePrivateFunctions(ModuleOp module) {
  WalkResult left = module.walk([&](tile::CallOp call) {
    call.emitError() << "the call of '" << call.getCallee()
                     << "' could not be inlined";
    return WalkResult::interrupt();
  });
  if (left.wasInterrupted())
    return failure();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<tile::FuncOp>()))
    if (!function.isKernel())
      function.erase();
  return success();
}

namespace {
struct TileInlineCalls
    : tessera::impl::TileInlineCallsPassBase<TileInlineCalls> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<int64_t> calls = checkCalls(module);
    if (failed(calls))
      return signalPassFailure();
    if (*calls != 0) {
      // No pipeline on the callees: simplification is the pipeline's matter.
      OpPassManager inliner(ModuleOp::getOperationName());
      inliner.addPass(createInlinerPass({}, [](OpPassManager &) {}));
      if (failed(runPipeline(inliner, module)))
        return signalPassFailure();
      remark::passed(module.getLoc(), remark::RemarkOpts::name("inline-calls")
                                          .category("tile-inline-calls"))
          << remark::metric("Calls", *calls);
    }
    if (failed(erasePrivateFunctions(module)))
      signalPassFailure();
  }
};
} // namespace
