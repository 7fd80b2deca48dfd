//===- DefaultLaunch.cpp - tile-default-launch ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that no plan launches gets one of its own, so that later passes and
// the runtime know launches through plans only. Facts that the author states
// about the kernel's arguments are checked by the plan, since passes rely on
// them: a launch that breaks one is refused.
//
//===----------------------------------------------------------------------===//

#include "PlanGuards.h"

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILEDEFAULTLAUNCHPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

/// NAME for NAME_kernel; NAME_launch for any other name.
static std::string getPlanName(StringRef kernel) {
  StringRef name = kernel;
  if (name.consume_back("_kernel") && !name.empty())
    return name.str();
  return (kernel + "_launch").str();
}

/// Refuses the launch unless the facts that `kernel` states hold for `args`.
static void buildFactChecks(OpBuilder &builder, tile::FuncOp kernel,
                            ValueRange args) {
  for (unsigned index = 0; index < args.size(); ++index) {
    Value arg = args[index];
    ArgumentFacts facts = getArgumentFacts(kernel, index);
    std::optional<Value> guard =
        buildFactGuard(builder, kernel.getLoc(), arg, facts);
    if (!guard || !*guard)
      continue; // Without facts, the guard is known to hold.
    buildVariant(builder, kernel.getLoc(), *guard, [](OpBuilder &) {});
    buildVariant(builder, kernel.getLoc(), Value(), [&](OpBuilder &inner) {
      tile::PlanRefuseOp::create(inner, kernel.getLoc(),
                                 "argument " + getArgumentName(kernel, index) +
                                     " is not " +
                                     describeFacts(facts, arg.getType()));
    });
  }
}

/// Builds the plan of `kernel` behind it. Of the arguments' attributes
/// it takes the names.
static void buildPlan(tile::FuncOp kernel, StringRef name) {
  OpBuilder builder(kernel);
  builder.setInsertionPointAfter(kernel);
  Location loc = kernel.getLoc();
  SmallVector<Attribute> argAttrs;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    NamedAttrList attrs;
    if (Attribute argName = kernel.getArgAttr(i, tile::TileDialect::kName))
      attrs.append(tile::TileDialect::kName, argName);
    argAttrs.push_back(attrs.getDictionary(builder.getContext()));
  }
  auto type = builder.getFunctionType(kernel.getArgumentTypes(), TypeRange());
  auto plan = tile::LaunchOp::create(
      builder, loc, builder.getStringAttr(name), TypeAttr::get(type),
      /*sym_visibility=*/StringAttr(),
      argAttrs.empty() ? ArrayAttr() : builder.getArrayAttr(argAttrs),
      /*res_attrs=*/ArrayAttr());
  Block *body = builder.createBlock(&plan.getBody());
  for (BlockArgument arg : kernel.getBody().getArguments())
    body->addArgument(arg.getType(), arg.getLoc());
  SmallVector<Value> grid;
  for (tile::Axis axis : {tile::Axis::X, tile::Axis::Y, tile::Axis::Z})
    grid.push_back(tile::PlanCallerGridOp::create(
        builder, loc, builder.getI64Type(),
        tile::AxisAttr::get(builder.getContext(), axis)));
  buildFactChecks(builder, kernel, body->getArguments());
  tile::PlanDispatchOp::create(builder, loc, kernel.getName(), grid,
                               body->getArguments());
}

namespace {
/// A plan that is to be made.
struct NewPlan {
  tile::FuncOp kernel;
  std::string name;
};
} // namespace

/// A plan for each kernel that no plan launches; fails, with a diagnostic, when
/// a name is taken.
static FailureOr<SmallVector<NewPlan>> choosePlans(ModuleOp module) {
  llvm::StringSet<> dispatched;
  module.walk(
      [&](tile::PlanDispatchOp op) { dispatched.insert(op.getKernel()); });
  SymbolTable symbols(module);
  llvm::StringMap<Operation *> chosen;
  SmallVector<NewPlan> plans;
  for (auto kernel : module.getOps<tile::FuncOp>()) {
    if (!kernel.isKernel() || dispatched.contains(kernel.getName()))
      continue;
    for (Type type : kernel.getArgumentTypes())
      if (isa<tile::TensorMapType>(type))
        return kernel.emitError()
               << "no plan launches this kernel, and a default plan has no "
                  "tensor map";
    std::string name = getPlanName(kernel.getName());
    Operation *taken = symbols.lookup(name);
    if (!taken) // By the plan of an earlier kernel: `k` and `k_launch_kernel`.
      taken = chosen.lookup(name);
    if (taken) {
      InFlightDiagnostic diag = kernel.emitError()
                                << "no plan launches this kernel, and '" << name
                                << "', the name of a default plan, is taken";
      diag.attachNote(taken->getLoc()) << "'" << name << "' is here";
      return diag;
    }
    chosen[name] = kernel;
    plans.push_back({kernel, name});
  }
  return plans;
}

namespace {
struct TileDefaultLaunch
    : tessera::impl::TileDefaultLaunchPassBase<TileDefaultLaunch> {
  void runOnOperation() override {
    FailureOr<SmallVector<NewPlan>> plans = choosePlans(getOperation());
    if (failed(plans))
      return signalPassFailure();
    for (auto &[kernel, name] : *plans) {
      buildPlan(kernel, name);
      remark::passed(kernel.getLoc(), remark::RemarkOpts::name("default-launch")
                                          .category("tile-default-launch")
                                          .function(kernel.getName()))
          << remark::metric("Plan", name);
    }
  }
};
} // namespace
