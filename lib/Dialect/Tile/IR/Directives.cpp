//===- Directives.cpp - parts of the tile dialect's assembly -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Directives.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::tile {

OptionalParseResult parseOptionalInteger(OpAsmParser &parser, IntegerAttr &attr,
                                         Type type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t value;
  // A literal is read first: the attribute parser would take a following
  // `: type` for the literal's own.
  OptionalParseResult literal = parser.parseOptionalInteger(value);
  if (literal.has_value()) {
    if (failed(*literal))
      return ParseResult(failure());
  } else {
    Attribute any;
    OptionalParseResult parsed = parser.parseOptionalAttribute(any, Type());
    if (!parsed.has_value())
      return std::nullopt;
    if (failed(*parsed))
      return ParseResult(failure());
    auto integer = dyn_cast<IntegerAttr>(any);
    if (!integer || integer.getValue().getBitWidth() > 64)
      return ParseResult(parser.emitError(loc, "expected an integer"));
    value = integer.getValue().getSExtValue();
  }
  if (!llvm::isIntN(type.getIntOrFloatBitWidth(), value))
    return ParseResult(parser.emitError(loc)
                       << value << " does not fit into " << type);
  attr = IntegerAttr::get(type, value);
  return ParseResult(success());
}

static ParseResult parseInteger(OpAsmParser &parser, IntegerAttr &attr,
                                Type type) {
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parseOptionalInteger(parser, attr, type);
  if (parsed.has_value())
    return *parsed;
  return parser.emitError(loc, "expected an integer");
}

OptionalParseResult parseStart(OpAsmParser &parser, IntegerAttr &start) {
  return parseOptionalInteger(parser, start, parser.getBuilder().getI32Type());
}
void printStart(OpAsmPrinter &printer, Operation *, IntegerAttr start) {
  printer << start.getInt();
}

ParseResult parseI32(OpAsmParser &parser, IntegerAttr &value) {
  return parseInteger(parser, value, parser.getBuilder().getI32Type());
}
void printI32(OpAsmPrinter &printer, Operation *, IntegerAttr value) {
  printer << value.getInt();
}

OptionalParseResult parseRounding(OpAsmParser &parser, RoundingAttr &rounding) {
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword, {"rtne", "rtz"})))
    return std::nullopt;
  rounding =
      RoundingAttr::get(parser.getContext(), *symbolizeRounding(keyword));
  return ParseResult(success());
}
void printRounding(OpAsmPrinter &printer, Operation *, RoundingAttr rounding) {
  printer << stringifyRounding(rounding.getValue());
}

/// Parses the type of pointers.
static ParseResult parsePointerType(OpAsmParser &parser, Type &pointer) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(pointer))
    return failure();
  if (!isPointerOrTensorOf(pointer))
    return parser.emitError(loc)
           << "expected a pointer or a tensor of pointers, not " << pointer;
  return success();
}

ParseResult parsePointerAndFriends(OpAsmParser &parser, Type &pointer,
                                   OptionalOperand mask, Type &maskType,
                                   OptionalOperand other, Type &otherType) {
  if (parsePointerType(parser, pointer))
    return failure();
  if (mask)
    maskType = withElementType(pointer, parser.getBuilder().getI1Type());
  if (other)
    otherType = getPointeeLike(pointer);
  return success();
}
void printPointerAndFriends(OpAsmPrinter &printer, Operation *, Type pointer,
                            Value, Type, Value, Type) {
  printer << pointer;
}

ParseResult parseStoreTypes(OpAsmParser &parser, Type &pointer, Type &value,
                            OptionalOperand mask, Type &maskType) {
  if (parsePointerType(parser, pointer))
    return failure();
  value = getPointeeLike(pointer);
  if (mask)
    maskType = withElementType(pointer, parser.getBuilder().getI1Type());
  return success();
}
void printStoreTypes(OpAsmPrinter &printer, Operation *, Type pointer, Type,
                     Value, Type) {
  printer << pointer;
}

ParseResult parseAtomicTypes(OpAsmParser &parser, Type &pointer, Type &value,
                             OptionalOperand mask, Type &maskType,
                             Type &result) {
  if (parseStoreTypes(parser, pointer, value, mask, maskType))
    return failure();
  result = value;
  return success();
}
void printAtomicTypes(OpAsmPrinter &printer, Operation *, Type pointer, Type,
                      Value, Type, Type) {
  printer << pointer;
}

ParseResult parseCompareTypes(OpAsmParser &parser, Type &pointer, Type &compare,
                              Type &value, Type &result) {
  if (parsePointerType(parser, pointer))
    return failure();
  compare = value = result = getPointeeLike(pointer);
  return success();
}
void printCompareTypes(OpAsmPrinter &printer, Operation *, Type pointer, Type,
                       Type, Type) {
  printer << pointer;
}

ParseResult parsePlanConstant(OpAsmParser &parser, IntegerAttr &value) {
  return parseInteger(parser, value, parser.getBuilder().getI64Type());
}
void printPlanConstant(OpAsmPrinter &printer, Operation *, IntegerAttr value) {
  printer << value.getInt();
}

ParseResult parseValueOrConstant(OpAsmParser &parser, OptionalOperand &value,
                                 IntegerAttr &constant) {
  UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (!parsed.has_value())
    return parsePlanConstant(parser, constant);
  if (succeeded(*parsed))
    value = operand;
  return *parsed;
}
void printValueOrConstant(OpAsmPrinter &printer, Operation *, Value value,
                          IntegerAttr constant) {
  if (value)
    printer << value;
  else
    printer << constant.getInt();
}

ParseResult parsePlanTypes(OpAsmParser &parser, Type &lhs, OptionalOperand rhs,
                           Type &rhsType) {
  if (parser.parseType(lhs))
    return failure();
  if (!rhs)
    return success();
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalComma()))
    return parser.emitError(loc, "two values need two types, as in 'i32, i32'");
  return parser.parseType(rhsType);
}
void printPlanTypes(OpAsmPrinter &printer, Operation *, Type lhs, Value rhs,
                    Type rhsType) {
  printer << lhs;
  if (rhs)
    printer << ", " << rhsType;
}

ParseResult parseGuard(OpAsmParser &parser, OptionalOperand &guard) {
  if (succeeded(parser.parseOptionalKeyword("else")))
    return success();
  return parser.parseOperand(guard.emplace());
}
void printGuard(OpAsmPrinter &printer, Operation *, Value guard) {
  if (guard)
    printer << guard;
  else
    printer << "else";
}

ParseResult parseGrid(OpAsmParser &parser,
                      SmallVectorImpl<UnresolvedOperand> &grid,
                      SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    Type type = parser.getBuilder().getI64Type();
    if (parser.parseOperand(grid.emplace_back()))
      return failure();
    if (succeeded(parser.parseOptionalColon()) && parser.parseType(type))
      return failure();
    types.push_back(type);
    return success();
  });
}
void printGrid(OpAsmPrinter &printer, Operation *, OperandRange grid,
               TypeRange) {
  llvm::interleaveComma(grid, printer, [&](Value extent) {
    printer << extent;
    if (!extent.getType().isSignlessInteger(64))
      printer << " : " << extent.getType();
  });
}

} // namespace tessera::tile
