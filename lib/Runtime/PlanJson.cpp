//===- PlanJson.cpp - an evaluated plan as JSON ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/FloatEncoding.h"
#include "tessera/Runtime/Plan.h"

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

namespace tessera::runtime {

namespace {

/// A tensor map as its tensor.
Json tensorMapToJson(const Argument &formal, const TensorMapOperand &map,
                     const TensorSpan &tensor) {
  Json object = {{"name", formal.name}, {"type", formal.type}};
  if (map.pointer.source == Operand::Source::Scratch)
    object["scratch"] = map.pointer.scratchId;
  else
    object["value"] = tensor.address;
  Json extents = Json::array(), strides = Json::array();
  for (size_t i = 0; i < map.extents.size(); ++i) {
    extents.push_back(tensor.extents[i]);
    strides.push_back(int64_t(tensor.strides[i]));
  }
  object["extents"] = std::move(extents);
  object["strides"] = std::move(strides);
  return object;
}

/// One argument of a kernel with its value in the kernel's own type. A float
/// also has its bits, since JSON writes neither infinities nor NaN.
Json argumentToJson(const Argument &formal, const Operand &operand,
                    uint64_t slot) {
  Json object = {{"name", formal.name}, {"type", formal.type}};
  if (operand.source == Operand::Source::Scratch) {
    object["scratch"] = operand.scratchId;
  } else if (formal.kind == TypeKind::Pointer) {
    object["value"] = slot;
  } else if (isInteger(formal.kind)) {
    object["value"] = int64_t(slot);
  } else {
    object["value"] = decodeFloat(formal.kind, slot);
    object["bits"] = slot;
  }
  return object;
}

Json dispatchToJson(const Plan &plan, const Step &step,
                    const DispatchAction &dispatch) {
  const Kernel &kernel = plan.getManifest().kernels[dispatch.kernel];
  Json object = {{"do", "dispatch"},
                 {"kernel", kernel.name},
                 {"grid", {step.grid[0], step.grid[1], step.grid[2]}}};
  if (step.empty) {
    object["empty"] = true;
    return object;
  }
  object["block"] = {32 * kernel.numWarps, 1, 1};
  object["dynamic_shared_bytes"] = kernel.dynamicSharedBytes;
  Json arguments = Json::array();
  for (size_t i = 0; i < dispatch.operands.size(); ++i) {
    const Operand &operand = dispatch.operands[i];
    const Argument &formal = kernel.arguments[i];
    arguments.push_back(
        operand.source == Operand::Source::TensorMap
            ? tensorMapToJson(formal, dispatch.tensorMaps[operand.index],
                              plan.getTensor(step, dispatch, i))
            : argumentToJson(formal, operand,
                             plan.getSlot(step.firstSlot + i)));
  }
  object["args"] = std::move(arguments);
  return object;
}

Json stepToJson(const Plan &plan, const Step &step) {
  const auto &action = step.action->value;
  if (auto *dispatch = std::get_if<DispatchAction>(&action))
    return dispatchToJson(plan, step, *dispatch);
  if (auto *fill = std::get_if<FillAction>(&action)) {
    Json object = {{"do", "fill"}};
    if (fill->pointer.source == Operand::Source::Scratch)
      object["pointer"] = {{"scratch", fill->pointer.scratchId}};
    else
      object["pointer"] = {
          {"arg", plan.getEntry().arguments[fill->pointer.index].name},
          {"value", step.pointer}};
    object["bytes"] = step.bytes;
    object["value"] = fill->value;
    return object;
  }
  if (auto *scratch = std::get_if<ScratchAction>(&action))
    return {{"do", "scratch"},
            {"id", scratch->id},
            {"bytes", step.bytes},
            {"zero", scratch->zero}};
  return {{"do", "variant"}, {"case", step.takenCase}};
}

} // namespace

std::string toJson(const Plan &plan) {
  Json actions = Json::array();
  for (size_t i = 0; i < plan.getNumSteps(); ++i)
    actions.push_back(stepToJson(plan, plan.getStep(i)));
  Json document = {{"entry", plan.getEntry().name},
                   {"actions", std::move(actions)}};
  return document.dump(-1, ' ', /*ensure_ascii=*/false,
                       Json::error_handler_t::replace);
}

} // namespace tessera::runtime
