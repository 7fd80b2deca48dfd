//===- Plan.cpp - evaluating a launch plan --------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions first (PlanEvaluator's lower half), then the actions over them.
// Everything is i64 and checked: a plan that overflows says so.
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/Plan.h"

#include "tessera/Runtime/FloatEncoding.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace tessera::runtime {

namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability": maximum x-dimension, and maximum y- or z-dimension, of a grid.
constexpr int64_t kMaxGrid[3] = {2147483647, 65535, 65535};
constexpr char kDimensionNames[] = "xyz";

const char *kindName(int32_t kind) {
  switch (kind) {
  case TESSERA_ARGUMENT_POINTER:
    return "a pointer";
  case TESSERA_ARGUMENT_INTEGER:
    return "an integer";
  case TESSERA_ARGUMENT_FLOAT:
    return "a floating-point number";
  }
  return "something unknown";
}

std::string quoted(const std::string &name) { return "\"" + name + "\""; }

bool inRange(int64_t value, TypeKind type) {
  IntegerRange range = integerRange(type);
  return value >= range.lowest && value <= range.highest;
}

/// "x=0x7f0000000000, n=5000, eps=1e-05"
std::string describeArguments(const Entry &entry, const PlanRequest &request) {
  std::string text;
  for (size_t i = 0; i < request.numArguments; ++i) {
    const tessera_argument &argument = request.arguments[i];
    char value[40] = "";
    if (argument.kind == TESSERA_ARGUMENT_POINTER)
      std::snprintf(value, sizeof(value), "0x%llx",
                    (unsigned long long)argument.value.pointer);
    else if (argument.kind == TESSERA_ARGUMENT_INTEGER)
      std::snprintf(value, sizeof(value), "%lld",
                    (long long)argument.value.integer);
    else
      std::snprintf(value, sizeof(value), "%g", argument.value.floating);
    text += (i ? ", " : "") + entry.arguments[i].name + "=" + value;
  }
  return text;
}

} // namespace

tessera_argument_kind argumentKind(TypeKind type) {
  if (type == TypeKind::Pointer)
    return TESSERA_ARGUMENT_POINTER;
  return isFloat(type) ? TESSERA_ARGUMENT_FLOAT : TESSERA_ARGUMENT_INTEGER;
}

/// One evaluation of a plan. Members that can fail return false, or nothing,
/// once `failure` is set.
class PlanEvaluator {
public:
  PlanEvaluator(Plan &plan, const PlanRequest &request)
      : plan(plan), entry(plan.entry), request(request),
        arguments(entry.arguments.size()), values(entry.nodes.size()),
        known(entry.nodes.size()) {
    std::fill_n(known.data(), entry.nodes.size(), false);
  }

  Failure run() {
    if (readArguments() && checkGridOption())
      runBody(entry.body);
    return std::move(failure);
  }

private:
  bool fail(tessera_status status, const std::string &text) {
    failure = {status, entry.name + ": " + text};
    return false;
  }
  bool failNode(uint32_t index, const std::string &text) {
    return fail(TESSERA_PLAN_ERROR,
                "node " + std::to_string(index) + " of the plan: " + text);
  }

  bool readArguments();
  bool readArgument(size_t index);
  bool checkGridOption();

  bool runBody(const std::vector<Action> &body);
  bool runAction(const Action &action);
  bool runVariants(const Action &action, const VariantsAction &variants);
  bool runDispatch(const Action &action, const DispatchAction &dispatch);
  bool packOperand(const Kernel &kernel, const Argument &formal,
                   const Operand &operand, uint64_t &slot);
  bool packTensorMaps(const Kernel &kernel, const DispatchAction &dispatch,
                      const Step &step);
  bool packNumbers(const std::vector<uint32_t> &nodes);
  bool runFill(const Action &action, const FillAction &fill);
  bool runScratch(const Action &action, const ScratchAction &scratch);
  bool evaluateBytes(const char *what, uint32_t node, int64_t &bytes);
  Step &addStep(const Action &action);

  std::optional<int64_t> evaluate(uint32_t index);
  std::optional<int64_t> compute(uint32_t index);
  std::optional<int64_t> computeLeaf(uint32_t index);
  std::optional<int64_t> computeUnary(uint32_t index);
  std::optional<int64_t> computeBinary(uint32_t index);
  std::optional<int64_t> computeChecked(uint32_t index, int64_t a, int64_t b);
  std::optional<int64_t> computeDivision(uint32_t index, int64_t a, int64_t b);
  std::optional<int64_t> computeList(uint32_t index);

  Plan &plan;
  const Entry &entry;
  const PlanRequest &request;
  Failure failure;
  /// An integer's value, an address, or the bits of a float in its type.
  InlineArray<int64_t, 32> arguments;
  /// What has been computed so far.
  InlineArray<int64_t, 128> values;
  InlineArray<bool, 128> known;
};

//===----------------------------------------------------------------------===//
// Arguments of the call
//===----------------------------------------------------------------------===//

bool PlanEvaluator::readArguments() {
  if (request.numArguments != entry.arguments.size())
    return fail(TESSERA_INVALID_ARGUMENT,
                "takes " + std::to_string(entry.arguments.size()) +
                    " argument(s), not " +
                    std::to_string(request.numArguments));
  for (size_t i = 0; i < request.numArguments; ++i)
    if (!readArgument(i))
      return false;
  return true;
}

bool PlanEvaluator::readArgument(size_t index) {
  const Argument &formal = entry.arguments[index];
  const tessera_argument &actual = request.arguments[index];
  if (actual.kind != argumentKind(formal.kind))
    return fail(TESSERA_INVALID_ARGUMENT,
                "argument " + quoted(formal.name) + " is " + formal.type +
                    ", the value given is " + kindName(actual.kind));
  switch (actual.kind) {
  case TESSERA_ARGUMENT_POINTER:
    arguments[index] = int64_t(actual.value.pointer);
    break;
  case TESSERA_ARGUMENT_INTEGER:
    if (!inRange(actual.value.integer, formal.kind))
      return fail(TESSERA_INVALID_ARGUMENT,
                  "argument " + quoted(formal.name) + " is " + formal.type +
                      ", which cannot hold " +
                      std::to_string(actual.value.integer));
    arguments[index] = actual.value.integer;
    break;
  case TESSERA_ARGUMENT_FLOAT:
    arguments[index] = int64_t(encodeFloat(formal.kind, actual.value.floating));
    break;
  }
  return true;
}

bool PlanEvaluator::checkGridOption() {
  // A grid that would be ignored is a misunderstanding worth telling.
  if (request.hasGrid && !entry.usesCallerGrid)
    return fail(TESSERA_INVALID_ARGUMENT,
                "computes its own grid; a grid cannot be given");
  return true;
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

bool PlanEvaluator::runBody(const std::vector<Action> &body) {
  for (const Action &action : body)
    if (!runAction(action))
      return false;
  return true;
}

bool PlanEvaluator::runAction(const Action &action) {
  if (auto *variants = std::get_if<VariantsAction>(&action.value))
    return runVariants(action, *variants);
  if (auto *dispatch = std::get_if<DispatchAction>(&action.value))
    return runDispatch(action, *dispatch);
  if (auto *fill = std::get_if<FillAction>(&action.value))
    return runFill(action, *fill);
  if (auto *scratch = std::get_if<ScratchAction>(&action.value))
    return runScratch(action, *scratch);
  return fail(TESSERA_REFUSED, std::get_if<RefuseAction>(&action.value)->text +
                                   " (" + describeArguments(entry, request) +
                                   ")");
}

Step &PlanEvaluator::addStep(const Action &action) {
  // Entry::maxSteps bounds the steps of every path.
  Step &step = plan.steps[plan.numSteps++];
  step = Step();
  step.action = &action;
  return step;
}

bool PlanEvaluator::runVariants(const Action &action,
                                const VariantsAction &variants) {
  for (size_t i = 0; i < variants.cases.size(); ++i) {
    const VariantsAction::Case &item = variants.cases[i];
    std::optional<int64_t> holds =
        item.guard ? evaluate(*item.guard) : std::optional<int64_t>(1);
    if (!holds)
      return false;
    if (*holds) {
      addStep(action).takenCase = uint32_t(i);
      return runBody(item.body);
    }
  }
  return true;
}

bool PlanEvaluator::runDispatch(const Action &action,
                                const DispatchAction &dispatch) {
  const Kernel &kernel = plan.manifest.kernels[dispatch.kernel];
  Step &step = addStep(action);
  step.firstSlot = uint32_t(plan.numSlots);
  for (size_t i = 0; i < 3; ++i) {
    std::optional<int64_t> size = evaluate(dispatch.grid[i]);
    if (!size)
      return false;
    if (*size < 0 || *size > kMaxGrid[i])
      return fail(TESSERA_PLAN_ERROR,
                  "kernel " + quoted(kernel.name) + ": grid " +
                      kDimensionNames[i] + " is " + std::to_string(*size) +
                      ", allowed are 0 to " + std::to_string(kMaxGrid[i]));
    step.grid[i] = uint32_t(*size);
    step.empty |= *size == 0;
  }
  // Arguments of a launch that does not happen need no value: with nothing to
  // do, a size per block may well be a division by zero.
  if (step.empty)
    return true;
  for (size_t i = 0; i < dispatch.operands.size(); ++i)
    if (!packOperand(kernel, kernel.arguments[i], dispatch.operands[i],
                     plan.slots[plan.numSlots++]))
      return false;
  return dispatch.tensorMaps.empty() || packTensorMaps(kernel, dispatch, step);
}

bool PlanEvaluator::packTensorMaps(const Kernel &kernel,
                                   const DispatchAction &dispatch,
                                   const Step &step) {
  for (const TensorMapOperand &map : dispatch.tensorMaps)
    if (!packNumbers(map.extents) || !packNumbers(map.strides))
      return false;
  for (size_t i = 0; i < dispatch.operands.size(); ++i) {
    const Operand &operand = dispatch.operands[i];
    if (operand.source != Operand::Source::TensorMap)
      continue;
    const Operand &pointer = dispatch.tensorMaps[operand.index].pointer;
    if (pointer.source == Operand::Source::Argument)
      plan.slots[step.firstSlot + i] = uint64_t(arguments[pointer.index]);
    const Argument &formal = kernel.arguments[i];
    std::string fault = describeTensorFault(formal.tensorMap,
                                            plan.getTensor(step, dispatch, i));
    if (!fault.empty())
      return fail(TESSERA_PLAN_ERROR,
                  "kernel " + quoted(kernel.name) + ": the tensor of argument " +
                      quoted(formal.name) + " " + fault);
  }
  return true;
}

bool PlanEvaluator::packNumbers(const std::vector<uint32_t> &nodes) {
  for (uint32_t node : nodes) {
    std::optional<int64_t> value = evaluate(node);
    if (!value)
      return false;
    plan.slots[plan.numSlots++] = uint64_t(*value);
  }
  return true;
}

bool PlanEvaluator::packOperand(const Kernel &kernel, const Argument &formal,
                                const Operand &operand, uint64_t &slot) {
  slot = 0;
  if (operand.source == Operand::Source::Scratch ||
      operand.source == Operand::Source::TensorMap)
    return true;
  std::optional<int64_t> value = operand.source == Operand::Source::Argument
                                     ? arguments[operand.index]
                                     : evaluate(operand.index);
  if (!value)
    return false;
  if (isInteger(formal.kind) && !inRange(*value, formal.kind))
    return fail(TESSERA_PLAN_ERROR,
                "kernel " + quoted(kernel.name) + ": argument " +
                    quoted(formal.name) + " is " + formal.type +
                    ", which cannot hold " + std::to_string(*value));
  slot = uint64_t(*value);
  return true;
}

bool PlanEvaluator::evaluateBytes(const char *what, uint32_t node,
                                  int64_t &bytes) {
  std::optional<int64_t> value = evaluate(node);
  if (!value)
    return false;
  if (*value < 0)
    return fail(TESSERA_PLAN_ERROR,
                std::string(what) + " of " + std::to_string(*value) + " bytes");
  bytes = *value;
  return true;
}

bool PlanEvaluator::runFill(const Action &action, const FillAction &fill) {
  Step &step = addStep(action);
  if (fill.pointer.source == Operand::Source::Argument)
    step.pointer = uint64_t(arguments[fill.pointer.index]);
  return evaluateBytes("a fill", fill.bytes, step.bytes);
}

bool PlanEvaluator::runScratch(const Action &action,
                               const ScratchAction &scratch) {
  return evaluateBytes("scratch memory", scratch.bytes, addStep(action).bytes);
}

//===----------------------------------------------------------------------===//
// Expressions. The recursion is at most limits::kExpressionDepth deep.
//===----------------------------------------------------------------------===//

std::optional<int64_t> PlanEvaluator::evaluate(uint32_t index) {
  if (known[index])
    return values[index];
  std::optional<int64_t> value = compute(index);
  if (value) {
    values[index] = *value;
    known[index] = true;
  }
  return value;
}

std::optional<int64_t> PlanEvaluator::compute(uint32_t index) {
  switch (entry.nodes[index].op) {
  case NodeOp::Argument:
  case NodeOp::Constant:
  case NodeOp::CallerGrid:
  case NodeOp::NumSms:
    return computeLeaf(index);
  case NodeOp::NextPow2:
  case NodeOp::Aligned:
  case NodeOp::Divisible:
  case NodeOp::Not:
    return computeUnary(index);
  case NodeOp::All:
  case NodeOp::Any:
    return computeList(index);
  default:
    return computeBinary(index);
  }
}

std::optional<int64_t> PlanEvaluator::computeLeaf(uint32_t index) {
  const Node &node = entry.nodes[index];
  switch (node.op) {
  case NodeOp::Argument:
    return arguments[node.immediate];
  case NodeOp::CallerGrid:
    if (request.hasGrid)
      return request.grid[node.immediate];
    fail(TESSERA_INVALID_ARGUMENT, "has no grid of its own; give one");
    return std::nullopt;
  case NodeOp::NumSms:
    if (request.numSms > 0)
      return request.numSms;
    fail(TESSERA_INVALID_ARGUMENT,
         "the plan needs the number of multiprocessors; give num_sms");
    return std::nullopt;
  default:
    return node.immediate;
  }
}

std::optional<int64_t> PlanEvaluator::computeUnary(uint32_t index) {
  const Node &node = entry.nodes[index];
  std::optional<int64_t> operand = evaluate(entry.operands[node.firstOperand]);
  if (!operand)
    return std::nullopt;
  switch (node.op) {
  case NodeOp::Aligned:
    return uint64_t(*operand) % uint64_t(node.immediate) == 0;
  case NodeOp::Divisible:
    return *operand % node.immediate == 0;
  case NodeOp::Not:
    return *operand == 0;
  default:
    break;
  }
  constexpr int64_t kLargest = int64_t(1) << 62;
  if (*operand > kLargest) {
    failNode(index, "no power of two in 64 bits is at least " +
                        std::to_string(*operand));
    return std::nullopt;
  }
  int64_t power = 1;
  while (power < *operand)
    power *= 2;
  return power;
}

std::optional<int64_t> PlanEvaluator::computeBinary(uint32_t index) {
  const Node &node = entry.nodes[index];
  std::optional<int64_t> a = evaluate(entry.operands[node.firstOperand]);
  if (!a)
    return std::nullopt;
  std::optional<int64_t> b = evaluate(entry.operands[node.firstOperand + 1]);
  if (!b)
    return std::nullopt;
  switch (node.op) {
  case NodeOp::Min:
    return std::min(*a, *b);
  case NodeOp::Max:
    return std::max(*a, *b);
  case NodeOp::Eq:
    return *a == *b;
  case NodeOp::Ne:
    return *a != *b;
  case NodeOp::Lt:
    return *a < *b;
  case NodeOp::Le:
    return *a <= *b;
  case NodeOp::Gt:
    return *a > *b;
  case NodeOp::Ge:
    return *a >= *b;
  case NodeOp::Div:
  case NodeOp::CeilDiv:
  case NodeOp::Rem:
    return computeDivision(index, *a, *b);
  default:
    return computeChecked(index, *a, *b);
  }
}

std::optional<int64_t> PlanEvaluator::computeChecked(uint32_t index, int64_t a,
                                                     int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  char sign = '?';
  switch (entry.nodes[index].op) {
  case NodeOp::Add:
    sign = '+';
    overflow = __builtin_add_overflow(a, b, &result);
    break;
  case NodeOp::Sub:
    sign = '-';
    overflow = __builtin_sub_overflow(a, b, &result);
    break;
  default:
    sign = '*';
    overflow = __builtin_mul_overflow(a, b, &result);
    break;
  }
  if (!overflow)
    return result;
  failNode(index, std::to_string(a) + " " + sign + " " + std::to_string(b) +
                      " does not fit in 64 bits");
  return std::nullopt;
}

std::optional<int64_t> PlanEvaluator::computeDivision(uint32_t index, int64_t a,
                                                      int64_t b) {
  if (b <= 0) {
    failNode(index, std::to_string(a) + " divided by " + std::to_string(b) +
                        "; a divisor must be positive");
    return std::nullopt;
  }
  // C++ truncates: for b > 0 the remainder has the sign of a. No result can
  // leave 64 bits.
  int64_t quotient = a / b, remainder = a % b;
  switch (entry.nodes[index].op) {
  case NodeOp::Div:
    return remainder < 0 ? quotient - 1 : quotient;
  case NodeOp::CeilDiv:
    return remainder > 0 ? quotient + 1 : quotient;
  default:
    return remainder < 0 ? remainder + b : remainder;
  }
}

std::optional<int64_t> PlanEvaluator::computeList(uint32_t index) {
  const Node &node = entry.nodes[index];
  bool isAny = node.op == NodeOp::Any;
  for (uint32_t i = 0; i < node.numOperands; ++i) {
    std::optional<int64_t> operand =
        evaluate(entry.operands[node.firstOperand + i]);
    if (!operand)
      return std::nullopt;
    // The first true operand decides `any`, the first false one `all`.
    if ((*operand != 0) == isAny)
      return isAny;
  }
  return !isAny;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

Plan::Plan(const Manifest &manifest, const Entry &entry)
    : manifest(manifest), entry(entry), steps(entry.maxSteps),
      slots(entry.maxArgumentSlots) {}

TensorSpan Plan::getTensor(const Step &step, const DispatchAction &dispatch,
                           size_t operand) const {
  const TensorMapOperand &map =
      dispatch.tensorMaps[dispatch.operands[operand].index];
  const uint64_t *extents = &slots[step.firstSlot + map.firstNumber];
  return {slots[step.firstSlot + operand], extents,
          extents + map.extents.size()};
}

Failure Plan::evaluate(const PlanRequest &request) {
  return PlanEvaluator(*this, request).run();
}

} // namespace tessera::runtime
