//===- Parameters.cpp - parameters of a source -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera::tile;

static bool isIdentifier(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

bool tessera::tile::fitsInto(IntegerType type, int64_t value) {
  return llvm::isIntN(type.getWidth(), value) ||
         (type.getWidth() == 1 && value == 1);
}

bool ParameterTable::setOverride(StringRef name, StringRef value,
                                 std::string &error) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!isIdentifier(name)) {
    error = ("'" + name + "' is not the name of a parameter").str();
    return false;
  }
  auto [it, inserted] = overrides.insert({name.str(), value.str()});
  if (!inserted && it->second != value) {
    error = ("parameter '" + name + "' is given twice: " + it->second +
             " and " + value)
                .str();
    return false;
  }
  return true;
}

Attribute ParameterTable::declare(
    StringRef name, Attribute defaultValue, ArrayRef<int64_t> choices,
    EmitError emitError, function_ref<Attribute(StringRef)> parseOverride,
    StringRef expected) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = declarations.find(name.str());
  if (found != declarations.end()) {
    if (found->second.defaultValue == defaultValue &&
        (choices.empty() || found->second.choices.empty() ||
         ArrayRef<int64_t>(found->second.choices) == choices))
      return found->second.value;
    if (found->second.defaultValue == defaultValue) {
      emitError() << "parameter '" << name
                  << "' is declared twice with different choices";
      return nullptr;
    }
    emitError() << "parameter '" << name << "' is declared twice with "
                << "different defaults: " << found->second.defaultValue
                << " and " << defaultValue;
    return nullptr;
  }
  if (observer)
    observer(name);
  Attribute value = defaultValue;
  auto overridden = overrides.find(name.str());
  if (overridden != overrides.end()) {
    value = parseOverride(overridden->second);
    if (!value) {
      emitError() << "parameter '" << name << "' needs " << expected
                  << ", not '" << overridden->second << "'";
      return nullptr;
    }
  }
  declarations.insert(
      {name.str(), Declaration{defaultValue, value, llvm::to_vector(choices)}});
  return value;
}

IntegerAttr ParameterTable::declareInteger(StringRef name,
                                           IntegerAttr defaultValue,
                                           ArrayRef<int64_t> choices,
                                           EmitError emitError) {
  auto type = cast<IntegerType>(defaultValue.getType());
  auto parse = [&](StringRef text) -> Attribute {
    int64_t value;
    if (text.getAsInteger(0, value) || !fitsInto(type, value))
      return nullptr;
    return IntegerAttr::get(type, value);
  };
  std::string expected = "an i" + std::to_string(type.getWidth());
  return dyn_cast_or_null<IntegerAttr>(
      declare(name, defaultValue, choices, emitError, parse, expected));
}

Type ParameterTable::declareType(StringRef name, Type defaultValue,
                                 EmitError emitError) {
  MLIRContext *context = defaultValue.getContext();
  auto parse = [&](StringRef text) -> Attribute {
    // The element types are keywords; anything else would let a command line
    // print a parser's diagnostic without a location.
    if (!llvm::all_of(text, llvm::isAlnum) || text.empty())
      return nullptr;
    ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
    Type type = parseType(text, context);
    if (!type || !type.isIntOrFloat() || !isElementType(type))
      return nullptr;
    return TypeAttr::get(type);
  };
  Attribute value = declare(name, TypeAttr::get(defaultValue), {}, emitError,
                            parse, "an element type");
  auto typeAttr = dyn_cast_or_null<TypeAttr>(value);
  return typeAttr ? typeAttr.getValue() : Type();
}

void ParameterTable::observeDeclarations(
    std::function<void(StringRef)> observer) {
  std::lock_guard<std::mutex> lock(mutex);
  this->observer = std::move(observer);
}

std::vector<ParameterTable::OpenParameter>
ParameterTable::getOpenParameters() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<OpenParameter> open;
  for (const auto &[name, declaration] : declarations) {
    auto value = dyn_cast<IntegerAttr>(declaration.defaultValue);
    if (value && !declaration.choices.empty() &&
        overrides.find(name) == overrides.end())
      open.push_back({name, value.getInt(), declaration.choices});
  }
  return open;
}

void ParameterTable::reset() {
  std::lock_guard<std::mutex> lock(mutex);
  overrides.clear();
  declarations.clear();
}

DictionaryAttr ParameterTable::used(MLIRContext *context) const {
  std::lock_guard<std::mutex> lock(mutex);
  NamedAttrList list;
  for (const auto &entry : declarations)
    list.append(entry.first, entry.second.value);
  return list.getDictionary(context);
}
