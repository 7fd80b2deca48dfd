//===- ExpressionReader.cpp - reading an entry's expression graph ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands must be earlier nodes, which makes the graph acyclic, and the
// longest chain of operands is bounded, which makes recursive evaluation safe.
//
//===----------------------------------------------------------------------===//

#include "ManifestReader.h"

#include <algorithm>
#include <limits>

namespace tessera::runtime {

namespace {

constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

/// What an op has besides its name.
enum class Shape : uint8_t { Leaf, Unary, Binary, List };
struct OpInfo {
  const char *name;
  NodeOp op;
  Shape shape;
  /// The member that gives the immediate, with its range; null if none.
  const char *immediate = nullptr;
  int64_t lowest = 0;
  int64_t highest = 0;
};

constexpr OpInfo kOps[] = {
    {"arg", NodeOp::Argument, Shape::Leaf, "index", 0, limits::kArguments},
    {"const", NodeOp::Constant, Shape::Leaf, "value", kInt64Min, kInt64Max},
    {"caller_grid", NodeOp::CallerGrid, Shape::Leaf, "dim", 0, 2},
    {"num_sms", NodeOp::NumSms, Shape::Leaf},
    {"add", NodeOp::Add, Shape::Binary},
    {"sub", NodeOp::Sub, Shape::Binary},
    {"mul", NodeOp::Mul, Shape::Binary},
    {"div", NodeOp::Div, Shape::Binary},
    {"cdiv", NodeOp::CeilDiv, Shape::Binary},
    {"rem", NodeOp::Rem, Shape::Binary},
    {"min", NodeOp::Min, Shape::Binary},
    {"max", NodeOp::Max, Shape::Binary},
    {"next_pow2", NodeOp::NextPow2, Shape::Unary},
    {"aligned", NodeOp::Aligned, Shape::Unary, "bytes", 1, kInt64Max},
    {"divisible", NodeOp::Divisible, Shape::Unary, "by", 1, kInt64Max},
    {"all", NodeOp::All, Shape::List},
    {"any", NodeOp::Any, Shape::List},
    {"not", NodeOp::Not, Shape::Unary},
};

/// "cmp" is one op of the format with a predicate; here it is six.
constexpr OpInfo kComparisons[] = {
    {"eq", NodeOp::Eq, Shape::Binary}, {"ne", NodeOp::Ne, Shape::Binary},
    {"lt", NodeOp::Lt, Shape::Binary}, {"le", NodeOp::Le, Shape::Binary},
    {"gt", NodeOp::Gt, Shape::Binary}, {"ge", NodeOp::Ge, Shape::Binary},
};

class ExpressionReader {
public:
  explicit ExpressionReader(Entry &entry) : entry(entry) {}

  bool read(const JsonCursor &list) {
    std::optional<size_t> size = list.arraySize(limits::kNodes);
    if (!size)
      return false;
    for (size_t i = 0; i < *size; ++i)
      if (!readNode(list.element(i)))
        return false;
    return true;
  }

private:
  bool readNode(const JsonCursor &object) {
    const OpInfo *info = readOp(object);
    if (!info)
      return false;
    Node node;
    node.op = info->op;
    return readImmediate(object, *info, node) &&
           readOperands(object, *info, node);
  }

  /// The entry of `table` that the string member `name` names.
  template <size_t N>
  const OpInfo *lookUp(const JsonCursor &object, const char *name,
                       const OpInfo (&table)[N]) {
    std::optional<JsonCursor> cursor = object.member(name);
    std::optional<std::string> text = cursor ? cursor->string() : std::nullopt;
    if (!text)
      return nullptr;
    for (const OpInfo &info : table)
      if (*text == info.name)
        return &info;
    cursor->complain("unknown \"" + *text + "\"");
    return nullptr;
  }

  const OpInfo *readOp(const JsonCursor &object) {
    std::optional<JsonCursor> cursor = object.member("op");
    std::optional<std::string> name = cursor ? cursor->string() : std::nullopt;
    if (!name)
      return nullptr;
    return *name == "cmp" ? lookUp(object, "predicate", kComparisons)
                          : lookUp(object, "op", kOps);
  }

  bool readImmediate(const JsonCursor &object, const OpInfo &info, Node &node) {
    if (!info.immediate)
      return true;
    std::optional<JsonCursor> cursor = object.member(info.immediate);
    std::optional<int64_t> number =
        cursor ? cursor->integer(info.lowest, info.highest) : std::nullopt;
    if (!number)
      return false;
    node.immediate = *number;
    if (info.op == NodeOp::CallerGrid)
      entry.usesCallerGrid = true;
    return info.op != NodeOp::Argument || checkArgument(*cursor, *number);
  }

  bool checkArgument(const JsonCursor &cursor, int64_t index) {
    if (size_t(index) >= entry.arguments.size()) {
      cursor.complain("there is no argument " + std::to_string(index));
      return false;
    }
    const Argument &argument = entry.arguments[index];
    if (isFloat(argument.kind)) {
      cursor.complain("argument \"" + argument.name + "\" is " + argument.type +
                      "; a plan computes with integers and pointers");
      return false;
    }
    return true;
  }

  bool readOperands(const JsonCursor &object, const OpInfo &info, Node &node) {
    size_t depth = 0;
    node.firstOperand = uint32_t(entry.operands.size());
    if (info.shape != Shape::Leaf && !readOperandList(object, info, depth))
      return false;
    node.numOperands = uint32_t(entry.operands.size()) - node.firstOperand;
    depths.push_back(depth + 1);
    if (depth + 1 > limits::kExpressionDepth) {
      object.complain("an expression nested deeper than " +
                      std::to_string(limits::kExpressionDepth));
      return false;
    }
    entry.nodes.push_back(node);
    return true;
  }

  /// Appends the operands and raises `depth` to the deepest one's.
  bool readOperandList(const JsonCursor &object, const OpInfo &info,
                       size_t &depth) {
    std::optional<JsonCursor> list = object.member("args");
    std::optional<size_t> size =
        list ? list->arraySize(limits::kOperands - entry.operands.size())
             : std::nullopt;
    if (!size)
      return false;
    size_t expected = info.shape == Shape::Unary ? 1 : 2;
    if (info.shape != Shape::List && *size != expected) {
      list->complain("\"" + std::string(info.name) + "\" takes " +
                     std::to_string(expected) + " operand(s), not " +
                     std::to_string(*size));
      return false;
    }
    for (size_t i = 0; i < *size; ++i) {
      JsonCursor cursor = list->element(i);
      std::optional<int64_t> index = cursor.integer(0, limits::kNodes);
      if (!index)
        return false;
      if (size_t(*index) >= entry.nodes.size()) {
        cursor.complain("node " + std::to_string(*index) +
                        " does not come before node " +
                        std::to_string(entry.nodes.size()));
        return false;
      }
      entry.operands.push_back(uint32_t(*index));
      depth = std::max(depth, depths[*index]);
    }
    return true;
  }

  Entry &entry;
  /// Per node, the length of its longest chain of operands, itself included.
  std::vector<size_t> depths;
};

} // namespace

bool readExpressions(const JsonCursor &nodes, Entry &entry) {
  return ExpressionReader(entry).read(nodes);
}

} // namespace tessera::runtime
