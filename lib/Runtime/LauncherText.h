//===- LauncherText.h - pieces of C source ----------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_RUNTIME_LAUNCHERTEXT_H
#define TESSERA_LIB_RUNTIME_LAUNCHERTEXT_H

#include "tessera/Runtime/Manifest.h"

#include <set>

namespace tessera::runtime {

/// `text` with `_` for what an identifier cannot hold, and in front of a digit.
std::string toIdentifier(const std::string &text);

/// An identifier for `text` that is not in `taken`, to which it is added.
std::string uniqueIdentifier(const std::string &text,
                             std::set<std::string> &taken);

/// A string literal.
std::string quoteC(const std::string &text);

/// The value of an int64_t.
std::string literal(int64_t value);

/// The C type of an argument. f16 and bf16 have none and are passed as bits.
const char *typeName(TypeKind kind);

/// Prints the functions that evaluate the expressions of one entry.
///
/// A node that is neither an argument nor a constant is a function
/// `PREFIX_nINDEX(PREFIX_plan *p)`, which returns 0 after a failure. It keeps
/// its value in the plan, so that each is computed at most once, and only if it
/// is asked for.
class ExpressionPrinter {
public:
  ExpressionPrinter(const Entry &entry, std::string prefix)
      : entry(entry), prefix(std::move(prefix)),
        isUsed(entry.nodes.size(), false) {}

  /// Has `node` and what it needs printed.
  void use(uint32_t node);

  /// The functions of all nodes used; adds to `helpers` the names of those of
  /// printHelpers() that they call.
  std::string print(std::set<std::string> &helpers) const;

  /// True if a node has a function.
  bool isComputed(uint32_t node) const;

  /// "PREFIX_nINDEX(p)".
  std::string call(uint32_t node) const;

  /// An expression for the value of a node that has been computed.
  std::string value(uint32_t node) const;

private:
  std::string printFunction(uint32_t node,
                            std::set<std::string> &helpers) const;
  std::string printList(uint32_t node) const;
  uint32_t operand(uint32_t node, uint32_t index) const {
    return entry.operands[entry.nodes[node].firstOperand + index];
  }

  const Entry &entry;
  const std::string prefix;
  std::vector<bool> isUsed;
};

/// The helper functions of these names.
std::string printHelpers(const std::set<std::string> &names);

} // namespace tessera::runtime

#endif // TESSERA_LIB_RUNTIME_LAUNCHERTEXT_H
