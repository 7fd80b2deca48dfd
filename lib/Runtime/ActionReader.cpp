//===- ActionReader.cpp - reading an entry's actions ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resolves names to indices, checks operands against the kernels' types, and
// computes how much storage a launch can need (PathCost).
//
//===----------------------------------------------------------------------===//

#include "ManifestReader.h"

#include <algorithm>

namespace tessera::runtime {

namespace {

/// Storage that the costliest path through some actions needs.
struct PathCost {
  uint32_t steps = 0;
  uint32_t argumentSlots = 0;
  uint32_t tensorMaps = 0;

  void operator+=(const PathCost &other) {
    steps += other.steps;
    argumentSlots += other.argumentSlots;
    tensorMaps += other.tensorMaps;
  }
  void raiseTo(const PathCost &other) {
    steps = std::max(steps, other.steps);
    argumentSlots = std::max(argumentSlots, other.argumentSlots);
    tensorMaps = std::max(tensorMaps, other.tensorMaps);
  }
};

class ActionReader {
public:
  ActionReader(const Manifest &manifest, Entry &entry)
      : manifest(manifest), entry(entry) {}

  bool read(const JsonCursor &list) {
    std::optional<PathCost> cost = readBody(list, entry.body, /*depth=*/0);
    if (!cost)
      return false;
    entry.maxSteps = cost->steps;
    entry.maxArgumentSlots = cost->argumentSlots;
    entry.maxTensorMaps = cost->tensorMaps;
    return true;
  }

private:
  struct ScratchName {
    int64_t id;
    uint32_t slot;
  };

  std::optional<PathCost> readBody(const JsonCursor &list,
                                   std::vector<Action> &body, size_t depth) {
    if (depth > limits::kBodyDepth)
      return list.complain("variants nested deeper than " +
                           std::to_string(limits::kBodyDepth));
    std::optional<size_t> size = list.arraySize(limits::kActions - numActions);
    if (!size)
      return std::nullopt;
    numActions += *size;
    // Names of scratch memory are visible to the end of their body.
    size_t outerNames = visible.size();
    PathCost total;
    for (size_t i = 0; i < *size; ++i) {
      Action action{RefuseAction{}};
      std::optional<PathCost> cost = readAction(list.element(i), action, depth);
      if (!cost)
        return std::nullopt;
      total += *cost;
      body.push_back(std::move(action));
    }
    visible.resize(outerNames);
    return total;
  }

  std::optional<PathCost> readAction(const JsonCursor &object, Action &action,
                                     size_t depth) {
    std::optional<JsonCursor> cursor = object.member("do");
    std::optional<std::string> name = cursor ? cursor->string() : std::nullopt;
    if (!name)
      return std::nullopt;
    if (*name == "variants")
      return readVariants(object, action, depth);
    if (*name == "dispatch")
      return readDispatch(object, action);
    if (*name == "fill")
      return readFill(object, action);
    if (*name == "scratch")
      return readScratch(object, action);
    if (*name == "refuse")
      return readRefuse(object, action);
    return cursor->complain("unknown action \"" + *name + "\"");
  }

  std::optional<PathCost> readVariants(const JsonCursor &object, Action &action,
                                       size_t depth) {
    std::optional<JsonCursor> list = object.member("cases");
    std::optional<size_t> size =
        list ? list->arraySize(limits::kActions) : std::nullopt;
    if (!size)
      return std::nullopt;
    if (*size == 0)
      return list->complain("no case");
    VariantsAction variants;
    PathCost costliest;
    for (size_t i = 0; i < *size; ++i) {
      VariantsAction::Case item;
      std::optional<PathCost> cost =
          readCase(list->element(i), item, /*isLast=*/i + 1 == *size, depth);
      if (!cost)
        return std::nullopt;
      costliest.raiseTo(*cost);
      variants.cases.push_back(std::move(item));
    }
    action.value = std::move(variants);
    costliest += {/*steps=*/1, 0, 0};
    return costliest;
  }

  std::optional<PathCost> readCase(const JsonCursor &object,
                                   VariantsAction::Case &item, bool isLast,
                                   size_t depth) {
    std::optional<JsonCursor> guard = object.member("guard");
    std::optional<JsonCursor> body = object.member("body");
    if (!guard || !body)
      return std::nullopt;
    if (guard->isNull() != isLast)
      return guard->complain(isLast ? "the last case must have a null guard"
                                    : "only the last case has a null guard");
    if (!isLast && !(item.guard = readNodeIndex(*guard)))
      return std::nullopt;
    return readBody(*body, item.body, depth + 1);
  }

  std::optional<PathCost> readDispatch(const JsonCursor &object,
                                       Action &action) {
    std::optional<JsonCursor> kernelCursor = object.member("kernel");
    std::optional<std::string> name =
        kernelCursor ? kernelCursor->string() : std::nullopt;
    if (!name)
      return std::nullopt;
    std::optional<size_t> kernel = manifest.findKernel(*name);
    if (!kernel)
      return kernelCursor->complain("there is no kernel \"" + *name + "\"");
    DispatchAction dispatch;
    dispatch.kernel = uint32_t(*kernel);
    if (!readGrid(object, dispatch) ||
        !readKernelOperands(object, manifest.kernels[*kernel], dispatch))
      return std::nullopt;
    uint32_t numOperands = uint32_t(dispatch.operands.size());
    uint32_t numMaps = uint32_t(dispatch.tensorMaps.size());
    uint32_t numSlots = numOperands;
    for (TensorMapOperand &map : dispatch.tensorMaps) {
      map.firstNumber = numSlots;
      numSlots += uint32_t(map.extents.size() + map.strides.size());
    }
    entry.maxKernelArguments = std::max(entry.maxKernelArguments, numOperands);
    action.value = std::move(dispatch);
    return PathCost{1, numSlots, numMaps};
  }

  bool readGrid(const JsonCursor &object, DispatchAction &dispatch) {
    std::optional<JsonCursor> list = object.member("grid");
    std::optional<size_t> size = list ? list->arraySize(3) : std::nullopt;
    if (!size)
      return false;
    if (*size != 3) {
      list->complain("a grid has 3 dimensions");
      return false;
    }
    for (size_t i = 0; i < 3; ++i) {
      std::optional<uint32_t> node = readNodeIndex(list->element(i));
      if (!node)
        return false;
      dispatch.grid[i] = *node;
    }
    return true;
  }

  bool readKernelOperands(const JsonCursor &object, const Kernel &kernel,
                          DispatchAction &dispatch) {
    std::optional<JsonCursor> list = object.member("args");
    std::optional<size_t> size =
        list ? list->arraySize(limits::kOperands - numOperands) : std::nullopt;
    if (!size)
      return false;
    numOperands += *size;
    if (*size != kernel.arguments.size()) {
      list->complain("kernel \"" + kernel.name + "\" takes " +
                     std::to_string(kernel.arguments.size()) +
                     " argument(s), not " + std::to_string(*size));
      return false;
    }
    for (size_t i = 0; i < *size; ++i) {
      JsonCursor cursor = list->element(i);
      std::optional<Operand> operand = cursor.hasMember("tensor_map")
                                           ? readTensorMap(cursor, dispatch)
                                           : readOperand(cursor);
      if (!operand || !checkOperand(cursor, *operand, kernel.arguments[i], dispatch))
        return false;
      dispatch.operands.push_back(*operand);
    }
    return true;
  }

  /// {"tensor_map": {"pointer": operand, "extents": [nodes], "strides": [nodes]}}.
  std::optional<Operand> readTensorMap(const JsonCursor &object,
                                       DispatchAction &dispatch) {
    JsonCursor cursor = *object.member("tensor_map");
    std::optional<JsonCursor> pointer = cursor.member("pointer");
    std::optional<JsonCursor> extents = cursor.member("extents");
    std::optional<JsonCursor> strides = cursor.member("strides");
    if (!pointer || !extents || !strides)
      return std::nullopt;
    std::optional<Operand> operand = readPointer(*pointer);
    TensorMapOperand map;
    if (!operand || !readNumbers(*extents, map.extents) ||
        !readNumbers(*strides, map.strides))
      return std::nullopt;
    if (map.extents.size() != map.strides.size())
      return cursor.complain("as many strides as extents are needed");
    map.pointer = *operand;
    dispatch.tensorMaps.push_back(std::move(map));
    return Operand{Operand::Source::TensorMap,
                   uint32_t(dispatch.tensorMaps.size() - 1)};
  }

  bool readNumbers(const JsonCursor &list, std::vector<uint32_t> &nodes) {
    std::optional<size_t> size = list.arraySize(kMaxTensorRank);
    if (!size || *size > limits::kOperands - numOperands) {
      list.complain("too many operands");
      return false;
    }
    numOperands += *size;
    for (size_t i = 0; i < *size; ++i) {
      std::optional<uint32_t> node = readNodeIndex(list.element(i));
      if (!node)
        return false;
      nodes.push_back(*node);
    }
    return true;
  }

  /// Pointers go to pointers, integers to integers of any width (the value is
  /// range-checked at the launch), floats to the same type.
  bool checkOperand(const JsonCursor &cursor, const Operand &operand,
                    const Argument &formal, const DispatchAction &dispatch) {
    bool fits = false;
    std::string what;
    switch (operand.source) {
    case Operand::Source::TensorMap: {
      size_t rank = dispatch.tensorMaps[operand.index].extents.size();
      fits = formal.kind == TypeKind::TensorMap && formal.tensorMap.rank == rank;
      what = "a tensor map of rank " + std::to_string(rank);
      break;
    }
    case Operand::Source::Argument: {
      const Argument &actual = entry.arguments[operand.index];
      fits = actual.kind == formal.kind ||
             (isInteger(actual.kind) && isInteger(formal.kind));
      what = "argument \"" + actual.name + "\" of type " + actual.type;
      break;
    }
    case Operand::Source::Node:
      fits = isInteger(formal.kind);
      what = "an integer";
      break;
    case Operand::Source::Scratch:
      fits = formal.kind == TypeKind::Pointer;
      what = "scratch memory";
      break;
    }
    if (!fits)
      cursor.complain(what + " cannot be the kernel's \"" + formal.name +
                      "\" of type " + formal.type);
    return fits;
  }

  std::optional<PathCost> readFill(const JsonCursor &object, Action &action) {
    std::optional<JsonCursor> pointer = object.member("pointer");
    std::optional<JsonCursor> bytes = object.member("bytes");
    std::optional<JsonCursor> value = object.member("value");
    if (!pointer || !bytes || !value)
      return std::nullopt;
    std::optional<Operand> operand = readPointer(*pointer);
    std::optional<uint32_t> bytesNode = readNodeIndex(*bytes);
    std::optional<int64_t> byte = value->integer(0, 255);
    if (!operand || !bytesNode || !byte)
      return std::nullopt;
    action.value = FillAction{*operand, *bytesNode, uint8_t(*byte)};
    return PathCost{1, 0, 0};
  }

  std::optional<PathCost> readScratch(const JsonCursor &object,
                                      Action &action) {
    std::optional<JsonCursor> idCursor = object.member("id");
    std::optional<JsonCursor> bytes = object.member("bytes");
    std::optional<JsonCursor> zero = object.member("zero");
    if (!idCursor || !bytes || !zero)
      return std::nullopt;
    std::optional<int64_t> id = idCursor->integer(0, INT32_MAX);
    std::optional<uint32_t> bytesNode = readNodeIndex(*bytes);
    std::optional<bool> isZero = zero->boolean();
    if (!id || !bytesNode || !isZero)
      return std::nullopt;
    if (findScratch(*id))
      return idCursor->complain("a second scratch memory " +
                                std::to_string(*id));
    if (entry.numScratchSlots == limits::kScratch)
      return object.complain("more than " + std::to_string(limits::kScratch) +
                             " scratch actions");
    uint32_t slot = entry.numScratchSlots++;
    visible.push_back({*id, slot});
    action.value = ScratchAction{slot, *id, *bytesNode, *isZero};
    return PathCost{1, 0, 0};
  }

  std::optional<PathCost> readRefuse(const JsonCursor &object, Action &action) {
    std::optional<JsonCursor> cursor = object.member("text");
    std::optional<std::string> text = cursor ? cursor->string() : std::nullopt;
    if (!text)
      return std::nullopt;
    action.value = RefuseAction{std::move(*text)};
    return PathCost{};
  }

  /// An operand that is an address.
  std::optional<Operand> readPointer(const JsonCursor &cursor) {
    std::optional<Operand> operand = readOperand(cursor);
    if (!operand)
      return std::nullopt;
    bool isPointer =
        operand->source == Operand::Source::Scratch ||
        (operand->source == Operand::Source::Argument &&
         entry.arguments[operand->index].kind == TypeKind::Pointer);
    if (!isPointer)
      return cursor.complain("expected a pointer argument or scratch memory");
    return operand;
  }

  /// {"arg": i}, {"node": n} or {"scratch": id}.
  std::optional<Operand> readOperand(const JsonCursor &object) {
    if (object.hasMember("arg")) {
      std::optional<JsonCursor> cursor = object.member("arg");
      std::optional<int64_t> index = cursor->integer(0, limits::kArguments);
      if (!index)
        return std::nullopt;
      if (size_t(*index) >= entry.arguments.size())
        return cursor->complain("there is no argument " +
                                std::to_string(*index));
      return Operand{Operand::Source::Argument, uint32_t(*index)};
    }
    if (object.hasMember("node")) {
      std::optional<uint32_t> node = readNodeIndex(*object.member("node"));
      if (!node)
        return std::nullopt;
      // A node that is just an argument says the same as {"arg": i}, and may
      // then be a pointer.
      if (entry.nodes[*node].op == NodeOp::Argument)
        return Operand{Operand::Source::Argument,
                       uint32_t(entry.nodes[*node].immediate)};
      return Operand{Operand::Source::Node, *node};
    }
    if (object.hasMember("scratch")) {
      std::optional<JsonCursor> cursor = object.member("scratch");
      std::optional<int64_t> id = cursor->integer(0, INT32_MAX);
      if (!id)
        return std::nullopt;
      std::optional<uint32_t> slot = findScratch(*id);
      if (!slot)
        return cursor->complain("no scratch memory " + std::to_string(*id) +
                                " at this point");
      return Operand{Operand::Source::Scratch, *slot, *id};
    }
    return object.complain("expected \"arg\", \"node\" or \"scratch\"");
  }

  std::optional<uint32_t> findScratch(int64_t id) const {
    for (const ScratchName &name : visible)
      if (name.id == id)
        return name.slot;
    return std::nullopt;
  }

  std::optional<uint32_t> readNodeIndex(const JsonCursor &cursor) {
    std::optional<int64_t> index = cursor.integer(0, limits::kNodes);
    if (!index)
      return std::nullopt;
    if (size_t(*index) >= entry.nodes.size())
      return cursor.complain("there is no node " + std::to_string(*index));
    return uint32_t(*index);
  }

  const Manifest &manifest;
  Entry &entry;
  size_t numActions = 0;
  size_t numOperands = 0;
  /// The scratch memory that an operand may name here.
  std::vector<ScratchName> visible;
};

} // namespace

bool readActions(const JsonCursor &body, const Manifest &manifest,
                 Entry &entry) {
  return ActionReader(manifest, entry).read(body);
}

} // namespace tessera::runtime
