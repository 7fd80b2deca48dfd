//===- LauncherText.cpp - pieces of C source ------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LauncherText.h"

#include <cctype>
#include <cstdio>
#include <limits>
#include <map>

namespace tessera::runtime {

//===----------------------------------------------------------------------===//
// Names and literals
//===----------------------------------------------------------------------===//

std::string toIdentifier(const std::string &text) {
  std::string name;
  for (unsigned char c : text)
    name += c < 128 && std::isalnum(c) ? char(c) : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])))
    name.insert(0, "_");
  return name;
}

std::string uniqueIdentifier(const std::string &text,
                             std::set<std::string> &taken) {
  // Keywords of C and C++: the header serves both.
  static const std::set<std::string> keywords = {
      "alignas",  "alignof",       "and",        "and_eq",
      "asm",      "auto",          "bitand",     "bitor",
      "bool",     "break",         "case",       "catch",
      "char",     "class",         "compl",      "concept",
      "const",    "constexpr",     "const_cast", "continue",
      "decltype", "default",       "delete",     "do",
      "double",   "dynamic_cast",  "else",       "enum",
      "explicit", "export",        "extern",     "false",
      "float",    "for",           "friend",     "goto",
      "if",       "inline",        "int",        "long",
      "mutable",  "namespace",     "new",        "noexcept",
      "not",      "not_eq",        "nullptr",    "operator",
      "or",       "or_eq",         "private",    "protected",
      "public",   "register",      "requires",   "restrict",
      "return",   "short",         "signed",     "sizeof",
      "static",   "static_assert", "struct",     "switch",
      "template", "this",          "throw",      "true",
      "try",      "typedef",       "typeid",     "typename",
      "union",    "unsigned",      "using",      "virtual",
      "void",     "volatile",      "wchar_t",    "while",
      "xor",      "xor_eq"};
  std::string name = toIdentifier(text);
  while (keywords.count(name) || !taken.insert(name).second)
    name += '_';
  return name;
}

std::string quoteC(const std::string &text) {
  std::string quoted = "\"";
  for (unsigned char c : text) {
    // Octal digits are at most three: what follows is never a part of them. A
    // question mark may begin a trigraph.
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += char(c);
    } else if (c < 32 || c > 126 || c == '?') {
      char octal[8];
      std::snprintf(octal, sizeof(octal), "\\%03o", unsigned(c));
      quoted += octal;
    } else {
      quoted += char(c);
    }
  }
  return quoted + '"';
}

std::string literal(int64_t value) {
  // The magnitude of the lowest value is no int64_t.
  if (value == std::numeric_limits<int64_t>::min())
    return "INT64_MIN";
  std::string text = "INT64_C(" + std::to_string(value < 0 ? -value : value);
  return (value < 0 ? "-" : "") + text + ")";
}

const char *typeName(TypeKind kind) {
  switch (kind) {
  case TypeKind::Pointer:
    return "CUdeviceptr";
  case TypeKind::I1:
    return "uint8_t";
  case TypeKind::I8:
    return "int8_t";
  case TypeKind::I16:
    return "int16_t";
  case TypeKind::I32:
    return "int32_t";
  case TypeKind::I64:
    return "int64_t";
  case TypeKind::F16:
  case TypeKind::BF16:
    return "uint16_t";
  case TypeKind::F32:
    return "float";
  case TypeKind::F64:
    return "double";
  case TypeKind::TensorMap:
    return "CUtensorMap";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Helpers of the generated source. Each returns 0 where there is no value.
//===----------------------------------------------------------------------===//

static const std::map<std::string, const char *> &helperTexts() {
  static const std::map<std::string, const char *> texts = {
      {"add", R"(static int add(int64_t a, int64_t b, int64_t *out) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
    return 0;
  *out = a + b;
  return 1;
}
)"},
      {"sub", R"(static int sub(int64_t a, int64_t b, int64_t *out) {
  if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b)
    return 0;
  *out = a - b;
  return 1;
}
)"},
      {"mul", R"(static int mul(int64_t a, int64_t b, int64_t *out) {
  if (a != 0 && b != 0) {
    if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a)
              : (b > 0 ? a < INT64_MIN / b : b < INT64_MAX / a))
      return 0;
  }
  *out = a * b;
  return 1;
}
)"},
      {"floor_div",
       R"(static int floor_div(int64_t a, int64_t b, int64_t *out) {
  if (b <= 0)
    return 0;
  *out = a / b - (a % b < 0);
  return 1;
}
)"},
      {"ceil_div", R"(static int ceil_div(int64_t a, int64_t b, int64_t *out) {
  if (b <= 0)
    return 0;
  *out = a / b + (a % b > 0);
  return 1;
}
)"},
      {"floor_rem",
       R"(static int floor_rem(int64_t a, int64_t b, int64_t *out) {
  if (b <= 0)
    return 0;
  *out = a % b + (a % b < 0 ? b : 0);
  return 1;
}
)"},
      {"next_pow2", R"(static int next_pow2(int64_t a, int64_t *out) {
  if (a > INT64_C(1) << 62)
    return 0;
  for (*out = 1; *out < a;)
    *out *= 2;
  return 1;
}
)"},
      {"map_fits",
       R"(/* Whether the driver takes a tensor, or it has no element. */
static int map_fits(CUdeviceptr base, int rank, int64_t bytes,
                    const int64_t *extents, const int64_t *strides) {
  int empty = 0;
  for (int i = 0; i < rank; ++i) {
    if (extents[i] < 0 || extents[i] > INT64_C(1) << 32)
      return 0;
    empty |= extents[i] == 0;
  }
  if (empty)
    return 1;
  for (int i = 0; i < rank - 1; ++i)
    if (strides[i] < 1 || strides[i] > ((INT64_C(1) << 40) - 1) / bytes ||
        strides[i] * bytes % 16 != 0)
      return 0;
  return base % 16 == 0 && strides[rank - 1] == 1;
}
)"},
      {"map_encode",
       R"(/* The driver counts dimensions from the last one. A tensor without an element
 * has no map. */
static CUresult map_encode(CUtensorMap *map, CUtensorMapDataType type, int rank,
                           int64_t bytes, CUdeviceptr base,
                           const int64_t *extents, const int64_t *strides,
                           const cuuint32_t *box, CUtensorMapSwizzle swizzle) {
  cuuint64_t dims[5], pitches[5];
  cuuint32_t sizes[5], steps[5];
  for (int i = 0; i < rank; ++i) {
    int from = rank - 1 - i;
    if (extents[i] == 0)
      return CUDA_SUCCESS;
    dims[i] = (cuuint64_t)extents[from];
    pitches[i] = (cuuint64_t)(strides[from] * bytes);
    sizes[i] = box[from];
    steps[i] = 1;
  }
  return cuTensorMapEncodeTiled(map, type, (cuuint32_t)rank,
      (void *)(uintptr_t)base, dims, pitches + 1, sizes, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}
)"}};
  return texts;
}

std::string printHelpers(const std::set<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += helperTexts().at(name) + std::string("\n");
  return text;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool ExpressionPrinter::isComputed(uint32_t node) const {
  NodeOp op = entry.nodes[node].op;
  return op != NodeOp::Argument && op != NodeOp::Constant &&
         op != NodeOp::CallerGrid && op != NodeOp::NumSms;
}

void ExpressionPrinter::use(uint32_t node) {
  if (isUsed[node])
    return;
  isUsed[node] = true;
  for (uint32_t i = 0; i < entry.nodes[node].numOperands; ++i)
    use(operand(node, i));
}

std::string ExpressionPrinter::call(uint32_t node) const {
  return prefix + "_n" + std::to_string(node) + "(p)";
}

std::string ExpressionPrinter::value(uint32_t node) const {
  const Node &found = entry.nodes[node];
  switch (found.op) {
  case NodeOp::Argument:
    return "(int64_t)p->a" + std::to_string(found.immediate);
  case NodeOp::Constant:
    return literal(found.immediate);
  case NodeOp::CallerGrid:
    return "p->grid[" + std::to_string(found.immediate) + "]";
  case NodeOp::NumSms:
    return "p->num_sms";
  default:
    return "p->v[" + std::to_string(node) + "]";
  }
}

std::string ExpressionPrinter::print(std::set<std::string> &helpers) const {
  std::string text;
  for (uint32_t node = 0; node < entry.nodes.size(); ++node)
    if (isUsed[node] && isComputed(node))
      text += printFunction(node, helpers);
  return text;
}

namespace {
/// How an operation is written: by a helper, or as an operator between
/// operands.
struct Form {
  const char *helper = nullptr;
  const char *infix = nullptr;
  const char *failure = nullptr;
};
} // namespace

static Form formOf(NodeOp op) {
  constexpr const char *overflow = "a result does not fit in 64 bits";
  constexpr const char *divisor = "a divisor must be positive";
  switch (op) {
  case NodeOp::Add:
    return {"add", nullptr, overflow};
  case NodeOp::Sub:
    return {"sub", nullptr, overflow};
  case NodeOp::Mul:
    return {"mul", nullptr, overflow};
  case NodeOp::Div:
    return {"floor_div", nullptr, divisor};
  case NodeOp::CeilDiv:
    return {"ceil_div", nullptr, divisor};
  case NodeOp::Rem:
    return {"floor_rem", nullptr, divisor};
  case NodeOp::NextPow2:
    return {"next_pow2", nullptr, "no power of two in 64 bits is large enough"};
  case NodeOp::Min:
  case NodeOp::Lt:
    return {nullptr, "<", nullptr};
  case NodeOp::Max:
  case NodeOp::Gt:
    return {nullptr, ">", nullptr};
  case NodeOp::Eq:
    return {nullptr, "==", nullptr};
  case NodeOp::Ne:
    return {nullptr, "!=", nullptr};
  case NodeOp::Le:
    return {nullptr, "<=", nullptr};
  case NodeOp::Ge:
    return {nullptr, ">=", nullptr};
  default:
    return {};
  }
}

std::string ExpressionPrinter::printList(uint32_t node) const {
  bool isAny = entry.nodes[node].op == NodeOp::Any;
  std::string result = value(node);
  std::string text = "  " + result + " = " + (isAny ? "0" : "1") + ";\n";
  // The first operand that decides is the last that is evaluated.
  for (uint32_t i = 0; i < entry.nodes[node].numOperands; ++i) {
    uint32_t each = operand(node, i);
    text += std::string("  if (") + (isAny ? "!" : "") + result + ") {\n";
    if (isComputed(each))
      text += "    if (!" + call(each) + ")\n      return 0;\n";
    text += "    " + result + " = " + value(each) + " != 0;\n  }\n";
  }
  return text;
}

std::string
ExpressionPrinter::printFunction(uint32_t node,
                                 std::set<std::string> &helpers) const {
  const Node &found = entry.nodes[node];
  std::string index = std::to_string(node), result = value(node);
  std::string text = "static int " + prefix + "_n" + index + "(" + prefix +
                     "_plan *p) {\n  if (p->known[" + index +
                     "])\n    return 1;\n";
  if (found.op == NodeOp::All || found.op == NodeOp::Any) {
    text += printList(node);
    return text + "  p->known[" + index + "] = 1;\n  return 1;\n}\n\n";
  }
  for (uint32_t i = 0; i < found.numOperands; ++i)
    if (isComputed(operand(node, i)))
      text += "  if (!" + call(operand(node, i)) + ")\n    return 0;\n";
  std::string a = value(operand(node, 0));
  std::string b = found.numOperands > 1 ? value(operand(node, 1)) : "";
  Form form = formOf(found.op);
  if (form.helper) {
    helpers.insert(form.helper);
    text += std::string("  if (!") + form.helper + "(" + a + ", " +
            (b.empty() ? "" : b + ", ") + "&" + result + "))\n    return " +
            prefix + "_fail(p, " +
            quoteC("node " + index + " of the plan: " + form.failure) + ");\n";
  } else if (found.op == NodeOp::Min || found.op == NodeOp::Max) {
    text += "  " + result + " = " + a + " " + form.infix + " " + b + " ? " + a +
            " : " + b + ";\n";
  } else if (form.infix) {
    text += "  " + result + " = " + a + " " + form.infix + " " + b + ";\n";
  } else if (found.op == NodeOp::Not) {
    text += "  " + result + " = " + a + " == 0;\n";
  } else {
    // An address is unsigned.
    std::string cast = found.op == NodeOp::Aligned ? "(uint64_t)" : "";
    text += "  " + result + " = " + cast + a + " % " + cast +
            literal(found.immediate) + " == 0;\n";
  }
  return text + "  p->known[" + index + "] = 1;\n  return 1;\n}\n\n";
}

} // namespace tessera::runtime
