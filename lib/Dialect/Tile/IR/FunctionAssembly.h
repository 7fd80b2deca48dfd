//===- FunctionAssembly.h - assembly shared by tile.func and tile.launch -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both parse like upstream functions and record argument names, which MLIR's
// SSA names do not keep. A name that the printed SSA name shows is not printed
// a second time.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_DIALECT_TILE_IR_FUNCTIONASSEMBLY_H
#define TESSERA_LIB_DIALECT_TILE_IR_FUNCTIONASSEMBLY_H

#include "tessera/Dialect/Tile/IR/Tile.h"

namespace tessera::tile {

mlir::ParseResult parseFunctionLike(mlir::OpAsmParser &parser,
                                    mlir::OperationState &result,
                                    mlir::StringAttr typeName,
                                    mlir::StringAttr argAttrsName,
                                    mlir::StringAttr resAttrsName,
                                    bool withResults);
void printFunctionLike(mlir::OpAsmPrinter &printer,
                       mlir::FunctionOpInterface op,
                       mlir::StringAttr typeName,
                       mlir::StringAttr argAttrsName,
                       mlir::StringAttr resAttrsName);

/// Gives the entry block's arguments the names of `tile.name`.
void nameArguments(mlir::FunctionOpInterface op, mlir::Region &region,
                   mlir::OpAsmSetValueNameFn setName);

/// Checks that argument names differ.
mlir::LogicalResult verifyArgumentNames(mlir::FunctionOpInterface op);

} // namespace tessera::tile

#endif // TESSERA_LIB_DIALECT_TILE_IR_FUNCTIONASSEMBLY_H
