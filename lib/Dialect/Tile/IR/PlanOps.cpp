//===- PlanOps.cpp - the launch plan -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionAssembly.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::tile;

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

ParseResult LaunchOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunctionLike(parser, result, getFunctionTypeAttrName(result.name),
                           getArgAttrsAttrName(result.name),
                           getResAttrsAttrName(result.name),
                           /*withResults=*/false);
}

void LaunchOp::print(OpAsmPrinter &printer) {
  printFunctionLike(printer, *this, getFunctionTypeAttrName(),
                    getArgAttrsAttrName(), getResAttrsAttrName());
}

void LaunchOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
}

LogicalResult LaunchOp::verify() {
  if (isPrivate())
    return emitOpError() << "cannot be private";
  if (getNumResults() != 0)
    return emitOpError() << "is a launch plan, which has no results";
  for (Type type : getArgumentTypes())
    if (!isElementType(type))
      return emitOpError() << "cannot take an argument of type " << type;
  return verifyArgumentNames(*this);
}

/// Whether an operation may stand in a launch plan.
static bool isPlanOp(Operation *op) {
  return op->getName().getStringRef().starts_with("tile.plan.");
}

/// Checks the operations of one plan block: only plan operations, and every
/// run of variants ends with its else.
static LogicalResult verifyPlanBlock(Block &block) {
  PlanVariantOp open;
  auto closed = [&]() -> LogicalResult {
    if (open)
      return open.emitOpError()
             << "is the last of its run and no 'else'; say what happens when "
                "no guard holds, with tile.plan.refuse at least";
    return success();
  };
  for (Operation &op : block) {
    if (!isPlanOp(&op))
      return op.emitOpError() << "is not allowed in a launch plan";
    auto variant = dyn_cast<PlanVariantOp>(op);
    if (!variant) {
      if (failed(closed()))
        return failure();
      continue;
    }
    if (!variant.getGuard() && !open)
      return variant.emitOpError() << "is an 'else' without a variant before";
    if (variant.getBody().getNumArguments() != 0)
      return variant.emitOpError() << "takes no block arguments";
    open = variant.getGuard() ? variant : PlanVariantOp();
    if (failed(verifyPlanBlock(variant.getBody().front())))
      return failure();
  }
  return closed();
}

LogicalResult LaunchOp::verifyRegions() {
  return verifyPlanBlock(getBody().front());
}

//===----------------------------------------------------------------------===//
// Integers and guards
//===----------------------------------------------------------------------===//

/// The right-hand side is either a value or a constant.
template <typename OpTy> static LogicalResult verifyRhs(OpTy op) {
  if (bool(op.getRhs()) == bool(op.getConstantAttr()))
    return op.emitOpError() << "needs a value or a constant on the right";
  return success();
}

/// The same, for a divisor.
template <typename OpTy> static LogicalResult verifyDivisor(OpTy op) {
  if (failed(verifyRhs(op)))
    return failure();
  if (op.getConstant() && int64_t(*op.getConstant()) <= 0)
    return op.emitOpError() << "the divisor " << int64_t(*op.getConstant())
                            << " is not positive";
  return success();
}

LogicalResult PlanAddOp::verify() { return verifyRhs(*this); }
LogicalResult PlanSubOp::verify() { return verifyRhs(*this); }
LogicalResult PlanMulOp::verify() { return verifyRhs(*this); }
LogicalResult PlanDivOp::verify() { return verifyDivisor(*this); }
LogicalResult PlanCDivOp::verify() { return verifyDivisor(*this); }
LogicalResult PlanRemOp::verify() { return verifyDivisor(*this); }
LogicalResult PlanMinOp::verify() { return verifyRhs(*this); }
LogicalResult PlanMaxOp::verify() { return verifyRhs(*this); }
LogicalResult PlanCmpOp::verify() { return verifyRhs(*this); }

LogicalResult PlanAlignedOp::verify() {
  int64_t bytes = getBytes();
  if (bytes < 1 || !llvm::isPowerOf2_64(bytes))
    return emitOpError() << "alignment " << bytes
                         << " is not a positive power of two";
  return success();
}

LogicalResult PlanDivisibleOp::verify() {
  if (int64_t(getBy()) < 1)
    return emitOpError() << "the divisor " << int64_t(getBy())
                         << " is not positive";
  return success();
}

template <typename OpTy> static LogicalResult verifyGuards(OpTy op) {
  if (op->getNumOperands() == 0)
    return op.emitOpError() << "needs a guard";
  return success();
}

LogicalResult PlanAllOp::verify() { return verifyGuards(*this); }
LogicalResult PlanAnyOp::verify() { return verifyGuards(*this); }

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

LogicalResult PlanFillOp::verify() {
  if (int64_t(getValue()) < 0 || int64_t(getValue()) > 255)
    return emitOpError() << "value " << int64_t(getValue())
                         << " is not in [0, 255]";
  return success();
}

LogicalResult PlanTensorMapOp::verify() {
  TensorMapType map = getType();
  size_t rank = map.getRank();
  if (getExtents().size() != rank || getStrides().size() != rank)
    return emitOpError() << "has " << getExtents().size() << " extents and "
                         << getStrides().size() << " strides for a map of rank "
                         << rank;
  Type pointee = cast<PointerType>(getPointer().getType()).getPointee();
  if (pointee != map.getElementType())
    return emitOpError() << "a pointer to " << pointee << " has no elements of "
                         << map.getElementType();
  return success();
}

LogicalResult PlanDispatchOp::verify() {
  if (getGrid().empty() || getGrid().size() > 3)
    return emitOpError() << "the grid has " << getGrid().size()
                         << " extents, not 1 to 3";
  return success();
}

/// The kernel that `op` names, lowered or not; fails with a diagnostic.
template <typename OpTy>
static FailureOr<FunctionOpInterface>
lookUpKernel(OpTy op, SymbolTableCollection &symbols) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(op, op.getKernelAttr()));
  if (!function || isa<LaunchOp>(function.getOperation()))
    return op.emitOpError() << "'" << op.getKernel() << "' is not a kernel";
  auto kernel = dyn_cast<FuncOp>(function.getOperation());
  if (kernel && !kernel.isKernel())
    return op.emitOpError() << "'" << op.getKernel() << "' is private";
  return function;
}

LogicalResult
PlanResidentCTAsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return lookUpKernel(*this, symbols);
}

LogicalResult
PlanDispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FunctionOpInterface> found = lookUpKernel(*this, symbols);
  if (failed(found))
    return failure();
  FunctionOpInterface function = *found;
  auto kernel = dyn_cast<FuncOp>(function.getOperation());
  if (function.getNumArguments() != getArgs().size())
    return emitOpError() << "'" << getKernel() << "' takes "
                         << function.getNumArguments() << " arguments, not "
                         << getArgs().size();
  if (!kernel) // Lowered to the llvm dialect: checked before.
    return success();
  for (auto [index, arg, expected] :
       llvm::enumerate(getArgs(), kernel.getArgumentTypes())) {
    bool integers = isa<IntegerType>(arg.getType()) && isa<IntegerType>(expected);
    if (arg.getType() != expected && !integers)
      return emitOpError() << "argument #" << index << " has type "
                           << arg.getType() << ", '" << getKernel()
                           << "' takes " << expected;
  }
  return success();
}
