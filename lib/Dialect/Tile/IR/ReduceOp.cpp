//===- ReduceOp.cpp - tile.reduce -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tessera::tile;

void ReduceReturnOp::build(OpBuilder &, OperationState &) {}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// The only operation of a combine region of the form
/// `^bb0(%a, %b): %r = op %a, %b; return %r`, without attributes.
static Operation *getNamedCombine(ReduceOp op) {
  Block &block = op.getCombine().front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return nullptr;
  Operation &combine = block.front();
  Operation *ret = block.getTerminator();
  bool plain = combine.getNumOperands() == 2 && combine.getNumResults() == 1 &&
               combine.getNumRegions() == 0 &&
               combine.getOperand(0) == block.getArgument(0) &&
               combine.getOperand(1) == block.getArgument(1) &&
               ret->getNumOperands() == 1 &&
               ret->getOperand(0) == combine.getResult(0) &&
               combine.getResult(0).getType() == block.getArgument(0).getType();
  if (!plain)
    return nullptr;
  // The named form builds the operation with default properties.
  OperationState state(combine.getLoc(), combine.getName(),
                       combine.getOperands(), combine.getResultTypes(), {});
  Operation *fresh = Operation::create(state);
  bool same = fresh->getAttrDictionary() == combine.getAttrDictionary();
  fresh->destroy();
  return same ? &combine : nullptr;
}

/// Builds the region of `with opname`.
static ParseResult buildNamedCombine(OpAsmParser &parser, StringRef name,
                                     SMLoc nameLoc, ArrayRef<Type> sources,
                                     Region &region) {
  // An operation is known once its dialect is loaded.
  parser.getContext()->getOrLoadDialect(name.split('.').first);
  auto info = RegisteredOperationName::lookup(name, parser.getContext());
  if (!info)
    return parser.emitError(nameLoc) << "unknown operation '" << name << "'";
  if (sources.size() != 1)
    return parser.emitError(nameLoc)
           << "a named combine function takes one source";
  Location loc = parser.getEncodedSourceLoc(nameLoc);
  Type type = getElementTypeOrSelf(sources[0]);
  OpBuilder builder(parser.getContext());
  Block *block = builder.createBlock(&region, {}, {type, type}, {loc, loc});
  OperationState state(loc, *info, ValueRange(block->getArguments()),
                       TypeRange(type), {});
  Operation *combine = builder.create(state);
  ReduceReturnOp::create(builder, loc, combine->getResults());
  return success();
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> sources;
  SMLoc loc = parser.getCurrentLocation(), nameLoc;
  int32_t axis;
  StringRef name;
  FunctionType type;
  if (parser.parseOperandList(sources) || parser.parseKeyword("axis") ||
      parser.parseInteger(axis))
    return failure();
  bool named = succeeded(parser.parseOptionalKeyword("with"));
  if (named) {
    nameLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
  }
  Region *region = result.addRegion();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(sources, type.getInputs(), loc, result.operands))
    return failure();
  result.addAttribute("axis", parser.getBuilder().getI32IntegerAttr(axis));
  result.addTypes(type.getResults());
  if (named)
    return buildNamedCombine(parser, name, nameLoc, type.getInputs(), *region);
  return parser.parseRegion(*region);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSrcs() << " axis " << int32_t(getAxis());
  Operation *combine = getNamedCombine(*this);
  if (combine)
    printer << " with " << combine->getName();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"axis"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (!combine) {
    printer << ' ';
    printer.printRegion(getCombine());
  }
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  if (getSrcs().empty())
    return emitOpError() << "needs a source";
  auto first = cast<RankedTensorType>(getSrcs()[0].getType());
  int32_t axis = getAxis();
  if (axis < 0 || axis >= first.getRank())
    return emitOpError() << "axis " << axis << " is not in [0, "
                         << first.getRank() - 1 << "]";
  SmallVector<int64_t> shape(first.getShape());
  shape.erase(shape.begin() + axis);
  if (getResults().size() != getSrcs().size())
    return emitOpError() << "has " << getSrcs().size() << " sources and "
                         << getResults().size() << " results";
  for (auto [src, result] : llvm::zip(getSrcs(), getResults())) {
    auto type = cast<RankedTensorType>(src.getType());
    if (type.getShape() != first.getShape())
      return emitOpError() << "sources differ in shape: " << first << " and "
                           << type;
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    bool shaped = tensor ? tensor.getShape() == ArrayRef<int64_t>(shape)
                         : shape.empty();
    if (!shaped || getElementTypeOrSelf(result.getType()) !=
                       type.getElementType())
      return emitOpError() << "result " << result.getType() << " is not "
                           << type << " without axis " << axis;
  }
  return success();
}

/// Combine functions that are certainly not associative: one operation of this
/// kind. (Of a longer region nothing is known; the author answers for it.)
static bool isKnownNonAssociative(ReduceOp op) {
  Operation *combine = getNamedCombine(op);
  return combine &&
         isa<arith::SubFOp, arith::SubIOp, arith::DivFOp, arith::DivSIOp,
             arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp,
             arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(combine);
}

LogicalResult ReduceOp::verifyRegions() {
  Block &block = getCombine().front();
  size_t count = getSrcs().size();
  auto elementOf = [&](size_t i) {
    return getElementTypeOrSelf(getSrcs()[i].getType());
  };
  if (block.getNumArguments() != 2 * count)
    return emitOpError() << "the combine region needs " << 2 * count
                         << " arguments, not " << block.getNumArguments();
  for (size_t i = 0; i < 2 * count; ++i)
    if (block.getArgument(i).getType() != elementOf(i % count))
      return emitOpError() << "argument #" << i << " of the combine region is "
                           << block.getArgument(i).getType() << ", not "
                           << elementOf(i % count);
  Operation *ret = block.getTerminator();
  if (ret->getNumOperands() != count)
    return emitOpError() << "the combine region returns "
                         << ret->getNumOperands() << " values, not " << count;
  for (size_t i = 0; i < count; ++i)
    if (ret->getOperand(i).getType() != elementOf(i))
      return emitOpError() << "the combine region returns "
                           << ret->getOperand(i).getType() << ", not "
                           << elementOf(i);
  if (isKnownNonAssociative(*this))
    return emitOpError() << "'" << block.front().getName()
                         << "' is not associative; the order of a reduction is "
                            "unspecified";
  for (Operation &op : block.without_terminator())
    if (!isMemoryEffectFree(&op) || op.getNumRegions() != 0)
      return op.emitOpError() << "is not allowed in a combine region: it has "
                                 "side effects or regions";
  auto isScalar = [](Type type) {
    return isElementType(type) || type.isIndex();
  };
  for (Operation &op : block.without_terminator())
    if (!llvm::all_of(op.getOperandTypes(), isScalar) ||
        !llvm::all_of(op.getResultTypes(), isScalar))
      return op.emitOpError() << "is not allowed in a combine region: it works "
                                 "on more than scalars";
  return success();
}

/// Nothing to combine along a dimension of size 1.
LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  auto first = cast<RankedTensorType>(op.getSrcs()[0].getType());
  if (first.getDimSize(op.getAxis()) != 1 || first.getRank() == 1 ||
      first.getEncoding())
    return failure();
  SmallVector<Value> results;
  for (auto [src, result] : llvm::zip(op.getSrcs(), op.getResults()))
    results.push_back(
        ReshapeOp::create(rewriter, op.getLoc(), result.getType(), src));
  rewriter.replaceOp(op, results);
  return success();
}
