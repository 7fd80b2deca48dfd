//===- SymbolNames.cpp - names that PTX accepts ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/SymbolNames.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using llvm::isAlnum;
using llvm::isAlpha;

namespace tessera {

/// ptxas takes identifiers of at least 1,000 characters; names in profilers and
/// file systems stop well before.
constexpr size_t maxPlainLength = 200;
constexpr size_t headLength = 64;
constexpr size_t hashDigits = 16;

static bool isIdentifierChar(char c) {
  return isAlnum(c) || c == '_' || c == '$';
}

/// True for "…$h" + 16 hexadecimal digits, the form of a mapped name.
static bool looksMapped(StringRef name) {
  if (name.size() < hashDigits + 2)
    return false;
  StringRef tail = name.take_back(hashDigits + 2);
  return tail.starts_with("$h") &&
         llvm::all_of(tail.drop_front(2), llvm::isHexDigit);
}

/// Names that mean something to PTX, LLVM, libdevice or the driver.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> names = {"WARP_SZ", "vprintf", "malloc",
                                          "free", "__assertfail"};
  return name.starts_with("__nv") || names.contains(name);
}

static bool isPlain(StringRef name) {
  return !name.empty() && name.size() <= maxPlainLength &&
         (isAlpha(name.front()) || name.front() == '_') && name != "_" &&
         llvm::all_of(name, isIdentifierChar) && !isReserved(name) &&
         !looksMapped(name);
}

std::string getPTXName(StringRef symbol) {
  if (isPlain(symbol))
    return symbol.str();
  std::string result;
  llvm::raw_string_ostream os(result);
  if (symbol.empty() || !(isAlpha(symbol.front()) || symbol.front() == '_') ||
      isReserved(symbol))
    os << "k_";
  for (char c : symbol.take_front(headLength))
    os << (isIdentifierChar(c) ? c : '_');
  os << "$h"
     << llvm::format_hex_no_prefix(llvm::xxh3_64bits(symbol), hashDigits);
  return result;
}

/// A declaration that names something outside of the module.
static bool isForeignFunction(Operation &op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function && function.isExternal();
}

FailureOr<SymbolNameMap> renameSymbolsForPTX(ModuleOp module) {
  SymbolNameMap names;
  llvm::StringSet<> taken;
  AttrTypeReplacer replacer;
  MLIRContext *context = module.getContext();
  llvm::DenseMap<StringAttr, StringAttr> renamed;

  for (Operation &op : *module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol || isForeignFunction(op))
      continue;
    StringAttr name = symbol.getNameAttr();
    std::string ptxName = getPTXName(name);
    if (!taken.insert(ptxName).second)
      return op.emitError("symbol '")
             << name.getValue() << "' and another one are both called '"
             << ptxName << "' in PTX; rename one of them";
    names[name.getValue()] = ptxName;
    if (name.getValue() != ptxName) {
      renamed[name] = StringAttr::get(context, ptxName);
      symbol.setName(ptxName);
    }
  }
  if (renamed.empty())
    return names;

  // One walk for all names: symbols are flat at this level, so that replacing
  // references by name is exact.
  replacer.addReplacement(
      [&](FlatSymbolRefAttr ref) -> std::optional<Attribute> {
        auto it = renamed.find(ref.getAttr());
        if (it == renamed.end())
          return std::nullopt;
        return FlatSymbolRefAttr::get(it->second);
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true);
  return names;
}

} // namespace tessera
