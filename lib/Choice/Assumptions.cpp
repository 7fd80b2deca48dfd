//===- Assumptions.cpp - --assume NAME=INTEGER ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Choice/Assumptions.h"

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Tool/OptionErrors.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;

bool Assumptions::add(StringRef text, std::string &error) {
  auto [name, number] = text.split('=');
  int64_t value;
  if (name.empty() || number.getAsInteger(0, value)) {
    error = describeBadValue("--assume=", text, "NAME=INTEGER");
    return false;
  }
  if (value < 1) {
    error = describeBadValue("--assume=", text, "a size of 1 or more");
    return false;
  }
  auto place = llvm::lower_bound(
      values, name, [](const auto &entry, StringRef key) {
        return entry.first < key;
      });
  if (place != values.end() && place->first == name) {
    if (place->second == value)
      return true;
    error = describeBadValue("--assume=", text,
                             "one size for '" + name + "', which is " +
                                 Twine(place->second) + " as well");
    return false;
  }
  values.insert(place, {name.str(), value});
  return true;
}

std::optional<int64_t> Assumptions::lookup(StringRef name) const {
  for (auto &[known, value] : values)
    if (known == name)
      return value;
  return std::nullopt;
}

/// Calls `visit` with the name and type of each argument of a public entry.
static void
visitArguments(ModuleOp module,
               llvm::function_ref<void(StringRef, Type)> visit) {
  llvm::StringSet<> dispatched;
  module.walk([&](tile::PlanDispatchOp dispatch) {
    dispatched.insert(dispatch.getKernel());
  });
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto kernel = dyn_cast<tile::FuncOp>(function.getOperation());
    if (kernel && (!kernel.isKernel() || dispatched.contains(kernel.getName())))
      continue;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto name = function.getArgAttrOfType<StringAttr>(
              i, tile::TileDialect::kName))
        visit(name.getValue(), function.getArgumentTypes()[i]);
  }
}

std::string Assumptions::check(ModuleOp module) const {
  llvm::SmallVector<std::string> integers;
  visitArguments(module, [&](StringRef name, Type type) {
    if (type.isSignlessInteger() && !llvm::is_contained(integers, name))
      integers.push_back(name.str());
  });
  for (auto &[name, value] : values) {
    if (!llvm::is_contained(integers, name))
      return describeBadValue(
          "--assume=", name + "=" + std::to_string(value),
          (integers.empty()
               ? "an integer argument of an entry, of which there is none"
               : "an integer argument of an entry: " +
                     llvm::join(integers, ", ")) +
              suggestNearest(name, integers));
    std::string fault;
    visitArguments(module, [&, &name = name, &value = value](StringRef other,
                                                             Type type) {
      auto integer = dyn_cast<IntegerType>(type);
      if (other != name || !integer || tile::fitsInto(integer, value))
        return;
      std::string spelled;
      llvm::raw_string_ostream(spelled) << type;
      fault = describeBadValue("--assume=", name + "=" + std::to_string(value),
                               "a value that fits into " + spelled);
    });
    if (!fault.empty())
      return fault;
  }
  return {};
}

DictionaryAttr Assumptions::getAttribute(MLIRContext *context) const {
  NamedAttrList list;
  for (auto &[name, value] : values)
    list.append(name, IntegerAttr::get(IntegerType::get(context, 64), value));
  return list.getDictionary(context);
}

std::string Assumptions::describe() const {
  std::string text;
  for (auto &[name, value] : values)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text;
}
