//===- ListConfiguration.cpp - where a configuration's values come from ---===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An option is asked first, as the passes ask it; a model sets what no option,
// and no author, has.
//
//===----------------------------------------------------------------------===//

#include "tessera/Choice/Configuration.h"

#include "ProductFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;

/// An integer, or an element type.
static std::string print(Attribute value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (auto integer = dyn_cast<IntegerAttr>(value))
    // An i1 is 0 or 1.
    out << (integer.getType().isInteger(1)
                ? int64_t(integer.getValue().getZExtValue())
                : integer.getValue().getSExtValue());
  else if (auto type = dyn_cast<TypeAttr>(value))
    out << type.getValue();
  else
    out << value;
  return text;
}

/// Whether one of these pairs of a name and a value has the name.
template <typename Values>
static bool names(const Values &values, StringRef name) {
  return llvm::any_of(values,
                      [&](const auto &value) { return value.first == name; });
}

static ValueOrigin findOrigin(StringRef parameter,
                              const Configuration &configuration,
                              const ConfigurationRequest &request) {
  if (names(request.overrides.getValues(), parameter))
    return ValueOrigin::Define;
  return names(configuration.parameters, parameter) ? ValueOrigin::Model
                                                    : ValueOrigin::Source;
}

namespace {
/// Lists the warps of a kernel and the stages of its loops.
struct KernelLister {
  std::vector<ConfiguredValue> &values;
  const ConfigurationRequest &request;

  /// `option` is 0 where it is not given.
  void add(StringRef name, Operation *op, Attribute value, int32_t option,
           bool isModels) {
    if (option)
      values.push_back(
          {name.str(), std::to_string(option), ValueOrigin::Option, op});
    else if (value)
      values.push_back({name.str(), print(value),
                        isModels ? ValueOrigin::Model : ValueOrigin::Source,
                        op});
  }

  void add(tile::FuncOp kernel, const KernelChoice *choice) {
    add("num_warps", kernel, kernel->getAttr(tile::TileDialect::kNumWarps),
        request.warps, choice && choice->choosesWarps);
    std::string reason;
    scf::ForOp product = findProductLoop(kernel, reason);
    kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (Attribute stages = loop->getAttr(tile::TileDialect::kNumStages))
        add("num_stages", loop, stages, request.stages,
            choice && choice->choosesStages && loop == product);
    });
  }
};
} // namespace

std::vector<ConfiguredValue>
tessera::listConfiguration(ModuleOp module, const Configuration &configuration,
                           const ConfigurationRequest &request) {
  std::vector<ConfiguredValue> values;
  if (auto parameters =
          module->getAttrOfType<DictionaryAttr>(tile::TileDialect::kParameters))
    for (NamedAttribute parameter : parameters)
      values.push_back(
          {parameter.getName().str(), print(parameter.getValue()),
           findOrigin(parameter.getName(), configuration, request)});
  KernelLister lister{values, request};
  for (auto kernel : module.getOps<tile::FuncOp>()) {
    if (!kernel.isKernel())
      continue;
    auto choice = llvm::find_if(configuration.kernels, [&](const auto &chosen) {
      return chosen.kernel == kernel.getName();
    });
    lister.add(kernel,
               choice == configuration.kernels.end() ? nullptr : &*choice);
  }
  return values;
}
