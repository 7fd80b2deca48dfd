//===- Overrides.cpp - -D NAME=VALUE --------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/Overrides.h"

#include "mlir/IR/DialectRegistry.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Tool/OptionErrors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tessera {
namespace {

/// Fills the table of each TileDialect that is loaded.
class OverrideExtension
    : public mlir::DialectExtension<OverrideExtension, tile::TileDialect> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OverrideExtension)

  OverrideExtension(std::vector<std::pair<std::string, std::string>> values,
                    std::shared_ptr<std::vector<std::string>> declared)
      : values(std::move(values)), declared(std::move(declared)) {}

  void apply(mlir::MLIRContext *, tile::TileDialect *dialect) const final {
    std::string error; // Overrides::add has checked the values.
    for (auto &[name, value] : values)
      (void)dialect->getParameters().setOverride(name, value, error);
    dialect->getParameters().observeDeclarations(
        [declared = declared](StringRef name) {
          if (!llvm::is_contained(*declared, name))
            declared->push_back(name.str());
        });
  }

private:
  std::vector<std::pair<std::string, std::string>> values;
  std::shared_ptr<std::vector<std::string>> declared;
};

} // namespace

bool Overrides::add(StringRef text, std::string &error) {
  auto [name, value] = text.split('=');
  if (name.empty() || value.empty()) {
    error = describeBadValue("-D ", text, "NAME=VALUE");
    return false;
  }
  // A table of its own finds bad names and contradictions; the dialect's tables
  // are filled later, where errors can no longer be reported.
  tile::ParameterTable check;
  for (auto &[knownName, knownValue] : values)
    (void)check.setOverride(knownName, knownValue, error);
  if (!check.setOverride(name, value, error))
    return false;
  values.emplace_back(name, value);
  return true;
}

bool Overrides::extractFrom(SmallVectorImpl<const char *> &arguments,
                            std::string &error) {
  SmallVector<const char *> rest;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (i == 0 || !argument.consume_front("-D")) {
      rest.push_back(arguments[i]);
      continue;
    }
    if (argument.empty())
      argument = ++i < arguments.size() ? arguments[i] : "";
    if (!add(argument, error))
      return false;
  }
  arguments.assign(rest.begin(), rest.end());
  return true;
}

void Overrides::addTo(mlir::DialectRegistry &registry) const {
  if (!values.empty())
    registry.addExtension(
        mlir::TypeID::get<OverrideExtension>(),
        std::make_unique<OverrideExtension>(values, declared));
}

std::string Overrides::describeUnknown() const {
  for (auto &[name, value] : values)
    if (!llvm::is_contained(*declared, name))
      return describeBadValue(
          "-D ", name + "=" + value,
          (declared->empty()
               ? "a parameter of the source, which has none"
               : "a parameter of the source: " + llvm::join(*declared, ", ")) +
              suggestNearest(name, *declared));
  return {};
}

} // namespace tessera
