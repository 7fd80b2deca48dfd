//===- Directives.h - parts of the tile dialect's assembly -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `custom<...>` directives of the operations' assembly formats, and what the
// parsers and verifiers of several families share.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_DIALECT_TILE_IR_DIRECTIVES_H
#define TESSERA_LIB_DIALECT_TILE_IR_DIRECTIVES_H

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::tile {

using UnresolvedOperand = mlir::OpAsmParser::UnresolvedOperand;
using OptionalOperand = std::optional<UnresolvedOperand>;

/// A dimension of a tile: an integer literal or an integer attribute.
mlir::ParseResult parseDimension(mlir::AsmParser &parser, int64_t &value);

/// Whether a cache operator is one of loads, or of stores.
llvm::LogicalResult verifyLoadCache(mlir::Operation *op,
                                    std::optional<CacheHint> cache);
llvm::LogicalResult verifyStoreCache(mlir::Operation *op,
                                     std::optional<CacheHint> cache);

/// An integer literal or an alias of an integer attribute, as `type`.
mlir::OptionalParseResult parseOptionalInteger(mlir::OpAsmParser &parser,
                                               mlir::IntegerAttr &attr,
                                               mlir::Type type);

mlir::OptionalParseResult parseStart(mlir::OpAsmParser &parser,
                                     mlir::IntegerAttr &start);
void printStart(mlir::OpAsmPrinter &printer, mlir::Operation *,
                mlir::IntegerAttr start);

mlir::ParseResult parseI32(mlir::OpAsmParser &parser, mlir::IntegerAttr &value);
void printI32(mlir::OpAsmPrinter &printer, mlir::Operation *,
              mlir::IntegerAttr value);

mlir::OptionalParseResult parseRounding(mlir::OpAsmParser &parser,
                                        RoundingAttr &rounding);
void printRounding(mlir::OpAsmPrinter &printer, mlir::Operation *,
                   RoundingAttr rounding);

/// The type of the pointers; the mask's and `other`'s follow from it.
mlir::ParseResult parsePointerAndFriends(mlir::OpAsmParser &parser,
                                         mlir::Type &pointer,
                                         OptionalOperand mask,
                                         mlir::Type &maskType,
                                         OptionalOperand other,
                                         mlir::Type &otherType);
void printPointerAndFriends(mlir::OpAsmPrinter &printer, mlir::Operation *,
                            mlir::Type pointer, mlir::Value, mlir::Type,
                            mlir::Value, mlir::Type);

/// The same for a store.
mlir::ParseResult parseStoreTypes(mlir::OpAsmParser &parser,
                                  mlir::Type &pointer, mlir::Type &value,
                                  OptionalOperand mask, mlir::Type &maskType);
void printStoreTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     mlir::Type pointer, mlir::Type, mlir::Value, mlir::Type);

mlir::ParseResult parsePlanConstant(mlir::OpAsmParser &parser,
                                    mlir::IntegerAttr &value);
void printPlanConstant(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::IntegerAttr value);

/// `%value`, or a constant.
mlir::ParseResult parseValueOrConstant(mlir::OpAsmParser &parser,
                                       OptionalOperand &value,
                                       mlir::IntegerAttr &constant);
void printValueOrConstant(mlir::OpAsmPrinter &printer, mlir::Operation *,
                          mlir::Value value, mlir::IntegerAttr constant);

/// One type, or two when the right-hand side is a value.
mlir::ParseResult parsePlanTypes(mlir::OpAsmParser &parser, mlir::Type &lhs,
                                 OptionalOperand rhs, mlir::Type &rhsType);
void printPlanTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                    mlir::Type lhs, mlir::Value rhs, mlir::Type rhsType);

/// A keyword of an enumeration whose cases are 0, 1, …. (The assembly that
/// TableGen makes for an enumeration prints a space of its own.)
template <typename EnumAttrT>
mlir::ParseResult parseKeywordOf(mlir::OpAsmParser &parser, EnumAttrT &attr) {
  using Enum = decltype(attr.getValue());
  llvm::SmallVector<llvm::StringRef> keywords;
  while (!stringifyEnum(Enum(keywords.size())).empty())
    keywords.push_back(stringifyEnum(Enum(keywords.size())));
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword, keywords)))
    return parser.emitError(loc)
           << "expected one of: " << llvm::join(keywords, ", ");
  auto index = llvm::find(keywords, keyword) - keywords.begin();
  attr = EnumAttrT::get(parser.getContext(), Enum(index));
  return mlir::success();
}
template <typename EnumAttrT>
void printKeywordOf(mlir::OpAsmPrinter &printer, mlir::Operation *,
                    EnumAttrT attr) {
  printer << stringifyEnum(attr.getValue());
}

/// The type of the pointers; those of values, mask and result follow from it.
mlir::ParseResult parseAtomicTypes(mlir::OpAsmParser &parser,
                                   mlir::Type &pointer, mlir::Type &value,
                                   OptionalOperand mask, mlir::Type &maskType,
                                   mlir::Type &result);
void printAtomicTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::Type pointer, mlir::Type, mlir::Value, mlir::Type,
                      mlir::Type);
mlir::ParseResult parseCompareTypes(mlir::OpAsmParser &parser,
                                    mlir::Type &pointer, mlir::Type &compare,
                                    mlir::Type &value, mlir::Type &result);
void printCompareTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::Type pointer, mlir::Type, mlir::Type, mlir::Type);

/// `%guard` or `else`.
mlir::ParseResult parseGuard(mlir::OpAsmParser &parser, OptionalOperand &guard);
void printGuard(mlir::OpAsmPrinter &printer, mlir::Operation *,
                mlir::Value guard);

/// Extents, each with its type unless that is i64.
mlir::ParseResult parseGrid(mlir::OpAsmParser &parser,
                            llvm::SmallVectorImpl<UnresolvedOperand> &grid,
                            llvm::SmallVectorImpl<mlir::Type> &types);
void printGrid(mlir::OpAsmPrinter &printer, mlir::Operation *,
               mlir::OperandRange grid, mlir::TypeRange types);

} // namespace tessera::tile

#endif // TESSERA_LIB_DIALECT_TILE_IR_DIRECTIVES_H
