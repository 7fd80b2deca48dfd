//===- Parameters.h - parameters of a source -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of `#tile.param` and `!tile.type_param`: defaults from the source,
// overrides from the command line. The dialect owns one table a context.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_PARAMETERS_H
#define TESSERA_DIALECT_TILE_IR_PARAMETERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tessera::tile {

/// Whether an attribute of `type` can hold `value`: a signed number of its
/// width, or 1 for an i1.
bool fitsInto(mlir::IntegerType type, int64_t value);

/// Parameters by name. A parameter exists once a source has declared it; an
/// override may be set before, as text, and is parsed against the declaration.
class ParameterTable {
public:
  using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

  /// Sets the override NAME=VALUE. False, with a one-line `error`, when the
  /// name is no identifier or is overridden twice with different values.
  bool setOverride(llvm::StringRef name, llvm::StringRef value,
                   std::string &error);

  /// Declares an integer parameter and returns its value: the override, or
  /// `defaultValue`. Null after an error: another default or kind under this
  /// name, or an override that is no integer of the default's type.
  mlir::IntegerAttr declareInteger(llvm::StringRef name,
                                   mlir::IntegerAttr defaultValue,
                                   llvm::ArrayRef<int64_t> choices,
                                   EmitError emitError);

  /// The same for an element type.
  mlir::Type declareType(llvm::StringRef name, mlir::Type defaultValue,
                         EmitError emitError);

  /// Has `observer` called with the name of each parameter that a source
  /// declares from now on, in the order of the source.
  void observeDeclarations(std::function<void(llvm::StringRef)> observer);

  /// An integer parameter that may take several values.
  struct OpenParameter {
    std::string name;
    /// The default, and the others that the source lists, in its order.
    int64_t defaultValue;
    llvm::SmallVector<int64_t> choices;
  };
  /// The declared integer parameters that have choices and no override, in the
  /// order of the source.
  std::vector<OpenParameter> getOpenParameters() const;

  /// Forgets declarations and overrides, before a source is parsed once more.
  void reset();

  /// The values in force of the declared parameters, for the manifest.
  mlir::DictionaryAttr used(mlir::MLIRContext *context) const;

private:
  struct Declaration {
    mlir::Attribute defaultValue;
    mlir::Attribute value;
    llvm::SmallVector<int64_t> choices;
  };
  /// Finds the declaration, or makes one with a value that `parseOverride`
  /// reads from the override's text.
  mlir::Attribute
  declare(llvm::StringRef name, mlir::Attribute defaultValue,
          llvm::ArrayRef<int64_t> choices, EmitError emitError,
          llvm::function_ref<mlir::Attribute(llvm::StringRef)> parseOverride,
          llvm::StringRef expected);

  /// Keeps the order of insertion, which is the order of the source.
  template <typename T>
  using Table = llvm::MapVector<std::string, T, std::map<std::string, unsigned>>;

  mutable std::mutex mutex;
  std::function<void(llvm::StringRef)> observer;
  Table<std::string> overrides;
  Table<Declaration> declarations;
};

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_IR_PARAMETERS_H
