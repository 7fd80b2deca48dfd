//===- Launcher.cpp - a launch plan as C source ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry becomes two functions of the same shape: `check` evaluates what the
// path taken asks for and can fail, `run` walks the path again, with all values
// known, and launches. As in the runtime, a failure leaves nothing half done.
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/Launcher.h"

#include "LauncherText.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace tessera::runtime {

namespace {

/// CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability": the largest grid.
constexpr int64_t kMaxGrid[3] = {2147483647, 65535, 65535};
/// Shared memory of a block that needs no opting in.
constexpr int64_t kDefaultSharedBytes = 48 * 1024;

std::string indent(size_t depth) { return std::string(2 * depth, ' '); }

/// A condition that is true where `value`, known to be in `known`, is outside
/// of `allowed`; empty if it cannot be. Compilers warn of comparisons that a
/// type decides.
std::string isOutside(const std::string &value, IntegerRange known,
                      IntegerRange allowed) {
  std::string text;
  if (known.lowest < allowed.lowest)
    text += value + " < " + literal(allowed.lowest);
  if (known.highest > allowed.highest)
    text +=
        (text.empty() ? "" : " || ") + value + " > " + literal(allowed.highest);
  return text;
}

/// Prints what belongs to one entry.
class EntryPrinter {
public:
  /// `name` is the module's, `function` that of the launching function.
  EntryPrinter(const Manifest &manifest, size_t index, const std::string &name,
               const std::string &function)
      : manifest(manifest), entry(manifest.entries[index]), name(name),
        function(function), prefix("e" + std::to_string(index)),
        expressions(entry, prefix) {
    useNodes(entry.body);
  }

  /// The launching function's declaration, without what ends it.
  std::string prototype() const;
  /// All functions; `helpers` as of ExpressionPrinter.
  std::string print(std::set<std::string> &helpers) const;

private:
  void useNodes(const std::vector<Action> &body);
  std::vector<std::string> argumentNames() const;
  std::string printPlanType() const;
  std::string printLaunch() const;

  std::string check(const std::vector<Action> &body, size_t depth) const;
  std::string check(const VariantsAction &variants, size_t first,
                    size_t depth) const;
  std::string check(const DispatchAction &dispatch, size_t depth) const;
  std::string checkArguments(const DispatchAction &dispatch,
                             size_t depth) const;
  std::string checkTensorMap(const TensorMapOperand &map,
                             const Kernel &kernel, const Argument &formal,
                             size_t depth) const;
  std::string checkBytes(uint32_t node, const char *what, size_t depth) const;

  std::string run(const std::vector<Action> &body, size_t depth) const;
  std::string run(const VariantsAction &variants, size_t first,
                  size_t depth) const;
  std::string run(const DispatchAction &dispatch, size_t depth) const;
  /// The map `name`, made of the tensor.
  std::string makeTensorMap(const TensorMapOperand &map,
                            const TensorMapType &type, const std::string &name,
                            size_t depth) const;
  std::string run(const FillAction &fill, size_t depth) const;
  std::string run(const ScratchAction &scratch, size_t depth) const;

  /// `if (!evaluate) return 0;`, or nothing for what needs no evaluation.
  std::string evaluate(uint32_t node, size_t depth) const {
    if (!expressions.isComputed(node))
      return "";
    return indent(depth) + "if (!" + expressions.call(node) + ")\n" +
           indent(depth + 1) + "return 0;\n";
  }
  std::string fail(const std::string &text, size_t depth) const {
    return indent(depth) + "return " + prefix + "_fail(p, " + quoteC(text) +
           ");\n";
  }
  /// What is known of a node's value before it is computed.
  IntegerRange rangeOf(uint32_t node) const {
    const Node &found = entry.nodes[node];
    if (found.op == NodeOp::Constant)
      return {found.immediate, found.immediate};
    if (found.op == NodeOp::Argument &&
        isInteger(entry.arguments[size_t(found.immediate)].kind))
      return integerRange(entry.arguments[size_t(found.immediate)].kind);
    return integerRange(TypeKind::I64);
  }
  /// "const int64_t NAME[] = {values};"
  std::string array(const std::string &name,
                    const std::vector<uint32_t> &nodes) const {
    std::string text = "const int64_t " + name + "[] = {";
    for (size_t i = 0; i < nodes.size(); ++i)
      text += (i ? ", " : "") + expressions.value(nodes[i]);
    return text + "};\n";
  }
  /// "x != 0 && y != 0", of the dimensions that may be 0; empty if none may.
  std::string notEmpty(const DispatchAction &dispatch) const;
  /// Of an argument or scratch memory.
  std::string pointer(const Operand &operand) const {
    return operand.source == Operand::Source::Scratch
               ? "scratch[" + std::to_string(operand.index) + "]"
               : "p->a" + std::to_string(operand.index);
  }

  const Manifest &manifest;
  const Entry &entry;
  const std::string name, function, prefix;
  ExpressionPrinter expressions;
  bool usesMaps = false;
};

void EntryPrinter::useNodes(const std::vector<Action> &body) {
  for (const Action &action : body) {
    if (auto *variants = std::get_if<VariantsAction>(&action.value)) {
      for (const VariantsAction::Case &item : variants->cases) {
        if (item.guard)
          expressions.use(*item.guard);
        useNodes(item.body);
      }
    } else if (auto *dispatch = std::get_if<DispatchAction>(&action.value)) {
      for (uint32_t size : dispatch->grid)
        expressions.use(size);
      for (const Operand &operand : dispatch->operands)
        if (operand.source == Operand::Source::Node)
          expressions.use(operand.index);
      for (const TensorMapOperand &map : dispatch->tensorMaps) {
        usesMaps = true;
        for (uint32_t extent : map.extents)
          expressions.use(extent);
        for (uint32_t stride : map.strides)
          expressions.use(stride);
      }
    } else if (auto *fill = std::get_if<FillAction>(&action.value)) {
      expressions.use(fill->bytes);
    } else if (auto *scratch = std::get_if<ScratchAction>(&action.value)) {
      expressions.use(scratch->bytes);
    }
  }
}

//===----------------------------------------------------------------------===//
// Before the first action
//===----------------------------------------------------------------------===//

std::string EntryPrinter::check(const std::vector<Action> &body,
                                size_t depth) const {
  std::string text;
  for (const Action &action : body) {
    if (auto *variants = std::get_if<VariantsAction>(&action.value))
      text += check(*variants, 0, depth);
    else if (auto *dispatch = std::get_if<DispatchAction>(&action.value))
      text += check(*dispatch, depth);
    else if (auto *fill = std::get_if<FillAction>(&action.value))
      text += checkBytes(fill->bytes, "a fill of less than no bytes", depth);
    else if (auto *scratch = std::get_if<ScratchAction>(&action.value))
      text += checkBytes(scratch->bytes, "scratch memory of less than no bytes",
                         depth);
    else
      // Nothing after it is reached.
      return text + fail(std::get_if<RefuseAction>(&action.value)->text, depth);
  }
  return text;
}

std::string EntryPrinter::check(const VariantsAction &variants, size_t first,
                                size_t depth) const {
  const VariantsAction::Case &item = variants.cases[first];
  // The last case has no guard.
  if (!item.guard)
    return check(item.body, depth);
  return evaluate(*item.guard, depth) + indent(depth) + "if (" +
         expressions.value(*item.guard) + ") {\n" +
         check(item.body, depth + 1) + indent(depth) + "} else {\n" +
         check(variants, first + 1, depth + 1) + indent(depth) + "}\n";
}

std::string EntryPrinter::check(const DispatchAction &dispatch,
                                size_t depth) const {
  const Kernel &kernel = manifest.kernels[dispatch.kernel];
  std::string text;
  for (size_t i = 0; i < 3; ++i) {
    uint32_t size = dispatch.grid[i];
    text += evaluate(size, depth);
    std::string wrong =
        isOutside(expressions.value(size), rangeOf(size), {0, kMaxGrid[i]});
    if (!wrong.empty())
      text += indent(depth) + "if (" + wrong + ")\n" +
              fail("kernel \"" + kernel.name + "\": grid " + "xyz"[i] +
                       " is not from 0 to " + std::to_string(kMaxGrid[i]),
                   depth + 1);
  }
  std::string condition = notEmpty(dispatch);
  std::string arguments =
      checkArguments(dispatch, depth + (condition.empty() ? 0 : 1));
  if (arguments.empty() || condition.empty())
    return text + arguments;
  return text + indent(depth) + "if (" + condition + ") {\n" + arguments +
         indent(depth) + "}\n";
}

std::string EntryPrinter::checkArguments(const DispatchAction &dispatch,
                                         size_t depth) const {
  const Kernel &kernel = manifest.kernels[dispatch.kernel];
  std::string text;
  for (size_t i = 0; i < dispatch.operands.size(); ++i) {
    const Operand &operand = dispatch.operands[i];
    const Argument &formal = kernel.arguments[i];
    if (operand.source == Operand::Source::TensorMap) {
      text += checkTensorMap(dispatch.tensorMaps[operand.index], kernel, formal,
                             depth);
      continue;
    }
    bool isNode = operand.source == Operand::Source::Node;
    if (isNode)
      text += evaluate(operand.index, depth);
    if (!isInteger(formal.kind))
      continue;
    std::string wrong =
        isOutside(isNode ? expressions.value(operand.index) : pointer(operand),
                  isNode ? rangeOf(operand.index)
                         : integerRange(entry.arguments[operand.index].kind),
                  integerRange(formal.kind));
    if (!wrong.empty())
      text += indent(depth) + "if (" + wrong + ")\n" +
              fail("kernel \"" + kernel.name + "\": argument \"" + formal.name +
                       "\" does not fit its type, " + formal.type,
                   depth + 1);
  }
  return text;
}

std::string EntryPrinter::checkTensorMap(const TensorMapOperand &map,
                                         const Kernel &kernel,
                                         const Argument &formal,
                                         size_t depth) const {
  std::string text, in = indent(depth + 1);
  for (uint32_t extent : map.extents)
    text += evaluate(extent, depth);
  for (uint32_t stride : map.strides)
    text += evaluate(stride, depth);
  // Memory of the driver is aligned.
  std::string base = map.pointer.source == Operand::Source::Scratch
                         ? "0"
                         : pointer(map.pointer);
  return text + indent(depth) + "{\n" + in + array("extents", map.extents) + in +
         array("strides", map.strides) + in + "if (!map_fits(" + base + ", " +
         std::to_string(formal.tensorMap.rank) + ", " +
         std::to_string(formal.tensorMap.elementBytes) +
         ", extents, strides))\n" +
         fail("kernel \"" + kernel.name + "\": the tensor of argument \"" +
                  formal.name +
                  "\" has an address or strides that are no multiples of 16 "
                  "bytes, a last stride other than 1, or is too large",
              depth + 2) +
         indent(depth) + "}\n";
}

std::string EntryPrinter::checkBytes(uint32_t node, const char *what,
                                     size_t depth) const {
  std::string wrong = isOutside(expressions.value(node), rangeOf(node),
                                {0, std::numeric_limits<int64_t>::max()});
  std::string text = evaluate(node, depth);
  if (!wrong.empty())
    text += indent(depth) + "if (" + wrong + ")\n" + fail(what, depth + 1);
  return text;
}

std::string EntryPrinter::notEmpty(const DispatchAction &dispatch) const {
  std::string text;
  for (size_t i = 0; i < 3; ++i)
    if (rangeOf(dispatch.grid[i]).lowest < 1)
      text += (text.empty() ? "" : " && ") +
              expressions.value(dispatch.grid[i]) + " != 0";
  return text;
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

std::string EntryPrinter::run(const std::vector<Action> &body,
                              size_t depth) const {
  std::string text;
  for (const Action &action : body) {
    if (auto *variants = std::get_if<VariantsAction>(&action.value))
      text += run(*variants, 0, depth);
    else if (auto *dispatch = std::get_if<DispatchAction>(&action.value))
      text += run(*dispatch, depth);
    else if (auto *fill = std::get_if<FillAction>(&action.value))
      text += run(*fill, depth);
    else if (auto *scratch = std::get_if<ScratchAction>(&action.value))
      text += run(*scratch, depth);
    else
      break; // A refusal has been reported; nothing after it is reached.
  }
  return text;
}

std::string EntryPrinter::run(const VariantsAction &variants, size_t first,
                              size_t depth) const {
  const VariantsAction::Case &item = variants.cases[first];
  if (!item.guard)
    return run(item.body, depth);
  return indent(depth) + "if (" + expressions.value(*item.guard) + ") {\n" +
         run(item.body, depth + 1) + indent(depth) + "} else {\n" +
         run(variants, first + 1, depth + 1) + indent(depth) + "}\n";
}

std::string EntryPrinter::run(const DispatchAction &dispatch,
                              size_t depth) const {
  const Kernel &kernel = manifest.kernels[dispatch.kernel];
  std::string condition = notEmpty(dispatch), locals, addresses;
  std::string in = indent(depth + 1);
  for (size_t i = 0; i < dispatch.operands.size(); ++i) {
    const Operand &operand = dispatch.operands[i];
    TypeKind formal = kernel.arguments[i].kind;
    std::string address;
    if (operand.source == Operand::Source::TensorMap) {
      address = "k" + std::to_string(i);
      locals += makeTensorMap(dispatch.tensorMaps[operand.index],
                              kernel.arguments[i].tensorMap, address, depth + 1);
    } else if (!isInteger(formal)) {
      address = pointer(operand);
    } else {
      // Converted: an entry's integer may be wider or narrower.
      address = "k" + std::to_string(i);
      locals += in + typeName(formal) + " " + address + " = (" +
                typeName(formal) + ")" +
                (operand.source == Operand::Source::Node
                     ? expressions.value(operand.index)
                     : pointer(operand)) +
                ";\n";
    }
    addresses += (i ? ", &" : "&") + address;
  }
  std::string arguments = "NULL";
  if (!addresses.empty()) {
    arguments = "arguments";
    locals += in + "void *arguments[] = {" + addresses + "};\n";
  }
  std::string grid;
  for (uint32_t size : dispatch.grid)
    grid += "(unsigned)" + expressions.value(size) + ", ";
  // Of tensor maps, which the driver may refuse.
  std::string guard = dispatch.tensorMaps.empty()
                          ? in
                          : in + "if (!status)\n" + indent(depth + 2);
  return indent(depth) + "if (!status" +
         (condition.empty() ? "" : " && " + condition) + ") {\n" + locals +
         guard + "status = cuLaunchKernel(module->functions[" +
         std::to_string(dispatch.kernel) + "], " + grid +
         std::to_string(32 * kernel.numWarps) + ", 1, 1, " +
         std::to_string(kernel.dynamicSharedBytes) + ", stream, " + arguments +
         ", NULL);\n" + indent(depth) + "}\n";
}

std::string EntryPrinter::makeTensorMap(const TensorMapOperand &map,
                                        const TensorMapType &type,
                                        const std::string &name,
                                        size_t depth) const {
  std::string in = indent(depth), box;
  for (uint32_t i = 0; i < type.rank; ++i)
    box += (i ? ", " : "") + std::to_string(type.box[i]);
  std::string swizzle =
      type.swizzle == 0 ? "NONE" : std::to_string(type.swizzle) + "B";
  return in + array(name + "_extents", map.extents) + in +
         array(name + "_strides", map.strides) + in + "const cuuint32_t " + name +
         "_box[] = {" + box + "};\n" + in + "CUtensorMap " + name + " = {{0}};\n" +
         in + "if (!status)\n" + indent(depth + 1) + "status = map_encode(&" + name +
         ", " + type.dataTypeName + ", " + std::to_string(type.rank) + ", " +
         std::to_string(type.elementBytes) + ",\n" + indent(depth + 3) +
         pointer(map.pointer) + ", " + name + "_extents, " + name +
         "_strides, " + name + "_box, CU_TENSOR_MAP_SWIZZLE_" + swizzle +
         ");\n";
}

std::string EntryPrinter::run(const FillAction &fill, size_t depth) const {
  std::string bytes = expressions.value(fill.bytes);
  return indent(depth) + "if (!status && " + bytes + " != 0)\n" +
         indent(depth + 1) + "status = cuMemsetD8Async(" +
         pointer(fill.pointer) + ", " + std::to_string(fill.value) +
         ", (size_t)" + bytes + ", stream);\n";
}

std::string EntryPrinter::run(const ScratchAction &scratch,
                              size_t depth) const {
  std::string bytes = expressions.value(scratch.bytes);
  std::string slot = "scratch[" + std::to_string(scratch.slot) + "]";
  std::string text = indent(depth) + "if (!status && " + bytes + " != 0)\n" +
                     indent(depth + 1) + "status = cuMemAllocAsync(&" + slot +
                     ", (size_t)" + bytes + ", stream);\n";
  if (scratch.zero)
    text += indent(depth) + "if (!status && " + bytes + " != 0)\n" +
            indent(depth + 1) + "status = cuMemsetD8Async(" + slot +
            ", 0, (size_t)" + bytes + ", stream);\n";
  return text;
}

//===----------------------------------------------------------------------===//
// The functions of an entry
//===----------------------------------------------------------------------===//

std::vector<std::string> EntryPrinter::argumentNames() const {
  std::set<std::string> taken = {"module", "stream", "error", "grid",
                                 "plan",   "status", "image"};
  std::vector<std::string> names;
  for (const Argument &argument : entry.arguments)
    names.push_back(uniqueIdentifier(argument.name, taken));
  return names;
}

std::string EntryPrinter::prototype() const {
  std::string text = "CUresult " + function + "(const " + name +
                     "_module *module, CUstream stream,\n    const char "
                     "**error";
  if (entry.usesCallerGrid)
    text += ", const int64_t grid[3]";
  std::vector<std::string> names = argumentNames();
  for (size_t i = 0; i < names.size(); ++i) {
    text += std::string(",\n    ") + typeName(entry.arguments[i].kind) + " " +
            names[i];
    // What the C type does not say.
    TypeKind kind = entry.arguments[i].kind;
    if (kind == TypeKind::I1 || kind == TypeKind::F16 || kind == TypeKind::BF16)
      text += " /* " + entry.arguments[i].type + " */";
  }
  return text + ")";
}

std::string EntryPrinter::printPlanType() const {
  std::string text = "typedef struct {\n";
  for (size_t i = 0; i < entry.arguments.size(); ++i)
    text += std::string("  ") + typeName(entry.arguments[i].kind) + " a" +
            std::to_string(i) + ";\n";
  std::string count = std::to_string(std::max<size_t>(1, entry.nodes.size()));
  return text + "  const int64_t *grid;\n  int64_t num_sms;\n" +
         "  const char *error;\n  int64_t v[" + count +
         "];\n  unsigned char known[" + count + "];\n} " + prefix +
         "_plan;\n\n";
}

std::string EntryPrinter::printLaunch() const {
  std::string text = prototype() + " {\n  " + prefix +
                     "_plan plan = {0};\n  CUresult status = "
                     "CUDA_ERROR_INVALID_VALUE;\n";
  std::vector<std::string> names = argumentNames();
  for (size_t i = 0; i < names.size(); ++i)
    text += "  plan.a" + std::to_string(i) + " = " + names[i] + ";\n";
  if (entry.usesCallerGrid)
    text += "  plan.grid = grid;\n";
  text += "  plan.num_sms = module->num_sms;\n  if (" + prefix +
          "_check(&plan))\n    status = " + prefix +
          "_run(module, stream, &plan);\n  if (error)\n    *error = "
          "plan.error;\n  return status;\n}\n\n";
  return text;
}

std::string EntryPrinter::print(std::set<std::string> &helpers) const {
  std::string text = expressions.print(helpers);
  if (usesMaps)
    helpers.insert({"map_encode", "map_fits"});
  text += "static int " + prefix + "_check(" + prefix + "_plan *p) {\n";
  for (size_t i = 0; i < entry.arguments.size(); ++i)
    if (entry.arguments[i].kind == TypeKind::I1)
      text += "  if (p->a" + std::to_string(i) + " > 1)\n" +
              fail("argument \"" + entry.arguments[i].name + "\" is 0 or 1", 2);
  if (entry.usesCallerGrid)
    text += "  if (!p->grid)\n" + fail("a grid is needed", 2);
  text += check(entry.body, 1) + "  return !p->error;\n}\n\n";
  // Compilers warn of static functions that nobody calls.
  if (text.find(prefix + "_fail(") != std::string::npos)
    text.insert(0, "static int " + prefix + "_fail(" + prefix +
                       "_plan *p, const char *text) {\n  p->error = text;\n  "
                       "return 0;\n}\n\n");
  text.insert(0, printPlanType());
  text += "static CUresult " + prefix + "_run(const " + name +
          "_module *module, CUstream stream,\n    " + prefix +
          "_plan *p) {\n  CUresult status = CUDA_SUCCESS;\n";
  std::string slots = std::to_string(entry.numScratchSlots);
  if (entry.numScratchSlots)
    text += "  CUdeviceptr scratch[" + slots + "] = {0};\n";
  text += "  (void)module;\n  (void)stream;\n  (void)p;\n" + run(entry.body, 1);
  if (entry.numScratchSlots)
    text += "  for (int i = 0; i < " + slots +
            "; ++i)\n    if (scratch[i]) {\n      CUresult freed = "
            "cuMemFreeAsync(scratch[i], stream);\n      if (!status)\n        "
            "status = freed;\n    }\n";
  return text + "  return status;\n}\n\n" + printLaunch();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

std::string printBytes(std::string_view image) {
  // The driver reads PTX up to a zero byte, and a cubin as 8-byte words.
  std::string text = "static const union {\n  uint64_t alignment;\n  unsigned "
                     "char bytes[" +
                     std::to_string(image.size() + 1) +
                     "];\n} image = {.bytes = {";
  for (size_t i = 0; i < image.size(); ++i) {
    char number[8];
    std::snprintf(number, sizeof(number), "%u,",
                  unsigned(static_cast<unsigned char>(image[i])));
    text += (i % 20 ? "" : "\n    ") + std::string(number);
  }
  return text + "\n    0}};\n\n";
}

std::string printLoading(const Manifest &manifest, const std::string &name) {
  std::string count = std::to_string(manifest.kernels.size()), symbols, shared;
  for (const Kernel &kernel : manifest.kernels) {
    symbols += "      " + quoteC(kernel.symbol) + ",\n";
    int64_t both =
        int64_t(kernel.dynamicSharedBytes) + kernel.staticSharedBytes;
    bool optsIn = kernel.dynamicSharedBytes && both > kDefaultSharedBytes;
    shared += std::to_string(optsIn ? kernel.dynamicSharedBytes : 0) + ", ";
  }
  return "CUresult " + name + "_load(" + name +
         "_module *module) {\n"
         "  static const char *const symbols[] = {\n" +
         symbols +
         "  };\n"
         "  /* Dynamic shared memory that has to be asked for. */\n"
         "  static const int shared[] = {" +
         shared.substr(0, shared.size() - 2) +
         "};\n"
         "  CUdevice device;\n"
         "  CUresult status = cuCtxGetDevice(&device);\n"
         "  if (!status)\n"
         "    status = cuDeviceGetAttribute(&module->num_sms,\n"
         "        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);\n"
         "  if (!status)\n"
         "    status = cuModuleLoadData(&module->code, image.bytes);\n"
         "  if (status)\n"
         "    return status;\n"
         "  for (int i = 0; i < " +
         count +
         " && !status; ++i) {\n"
         "    status = cuModuleGetFunction(&module->functions[i], "
         "module->code,\n"
         "                                 symbols[i]);\n"
         "    if (!status && shared[i])\n"
         "      status = cuFuncSetAttribute(module->functions[i],\n"
         "          CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "
         "shared[i]);\n"
         "  }\n"
         "  if (status)\n"
         "    cuModuleUnload(module->code);\n"
         "  return status;\n"
         "}\n\n"
         "CUresult " +
         name + "_unload(" + name +
         "_module *module) {\n"
         "  return cuModuleUnload(module->code);\n"
         "}\n\n";
}

std::string printHeader(const Manifest &manifest, const std::string &name,
                        const std::vector<std::string> &prototypes) {
  std::string guard = "TESSERA_LAUNCHER_" + name + "_H";
  std::string text =
      "/* Launches kernels that were compiled for " + manifest.target +
      ". Made by tile-opt. */\n\n#ifndef " + guard + "\n#define " + guard +
      "\n\n#include <cuda.h>\n#include <stdint.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      "/* The kernels, loaded into one context. */\n"
      "typedef struct " +
      name + "_module {\n  CUmodule code;\n  CUfunction functions[" +
      std::to_string(manifest.kernels.size()) + "];\n  int num_sms;\n} " +
      name +
      "_module;\n\n"
      "/* Loads the kernels into the current context. */\nCUresult " +
      name + "_load(" + name +
      "_module *module);\n\n"
      "/* Their launches must have finished. */\nCUresult " +
      name + "_unload(" + name +
      "_module *module);\n\n"
      "/* Launch without waiting. CUDA_ERROR_INVALID_VALUE with a text in "
      "*error (unless\n * that is null): the arguments are refused, and "
      "nothing "
      "has been launched.\n * Otherwise *error is null, and what is returned "
      "is "
      "the driver's. f16 and bf16 are\n * passed as their bits. */\n";
  for (const std::string &prototype : prototypes)
    text += prototype + ";\n\n";
  return text + "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " + guard + " */\n";
}

} // namespace

LauncherSources printLauncher(const Manifest &manifest, std::string_view image,
                              const std::string &stem) {
  std::string name = toIdentifier(stem);
  std::vector<std::string> prototypes;
  std::set<std::string> helpers, taken;
  std::string entries;
  for (size_t i = 0; i < manifest.entries.size(); ++i) {
    // NAME_launch for an entry of the module's own name.
    std::string entry = toIdentifier(manifest.entries[i].name);
    EntryPrinter printer(
        manifest, i, name,
        uniqueIdentifier(name + "_launch" + (entry == name ? "" : "_" + entry),
                         taken));
    prototypes.push_back(printer.prototype());
    entries += printer.print(helpers);
  }
  LauncherSources sources;
  sources.header = printHeader(manifest, name, prototypes);
  sources.source =
      "/* Launches kernels that were compiled for " + manifest.target +
      ". Made by tile-opt. C99. */\n\n#include " + "\"" + stem + ".h\"" +
      "\n\n#include <stddef.h>\n\n" + printBytes(image) +
      printHelpers(helpers) + printLoading(manifest, name) + entries;
  while (sources.source.size() > 1 &&
         sources.source[sources.source.size() - 2] == '\n')
    sources.source.pop_back();
  return sources;
}

} // namespace tessera::runtime
