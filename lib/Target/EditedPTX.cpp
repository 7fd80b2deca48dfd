//===- EditedPTX.cpp - PTX that a person has changed ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of a module is read off its text: no part of it needs more than
// words. What ptxas can find wrong is left to ptxas.
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/EditedPTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace llvm;

namespace tessera {
namespace {
struct Entry {
  std::string name;
  /// Types of the parameters: the words between the parentheses, less names.
  std::string parameters;
  /// The numbers of .reqntid, or an empty string.
  std::string threads;
};

struct Interface {
  std::string target;
  std::vector<Entry> entries;
};
} // namespace

/// `ptx` without comments (PTX ISA, "Comments": as in C++).
static std::string removeComments(StringRef ptx) {
  std::string text;
  while (!ptx.empty()) {
    size_t at = std::min(ptx.find("//"), ptx.find("/*"));
    text += ptx.take_front(at);
    if (at == StringRef::npos)
      break;
    StringRef rest = ptx.drop_front(at);
    StringRef end = rest.starts_with("//") ? "\n" : "*/";
    size_t stop = rest.find(end, 2);
    text += rest.starts_with("//") ? "\n" : " ";
    ptx = stop == StringRef::npos ? StringRef()
                                  : rest.drop_front(stop + end.size());
  }
  return text;
}

/// The words of `text`, with one space between them; commas and brackets are
/// words of their own. Words that `drop` accepts are left out.
static std::string joinWords(StringRef text,
                             function_ref<bool(StringRef)> drop) {
  std::string spaced;
  for (char c : text)
    spaced += StringRef(",[]").contains(c) ? std::string{' ', c, ' '}
                                           : std::string(1, c);
  SmallVector<StringRef> words, kept;
  SplitString(spaced, words, " \t\r\n\v\f");
  copy_if(words, std::back_inserter(kept),
          [&](StringRef word) { return !drop(word); });
  return join(kept, " ");
}

static Entry parseEntry(StringRef head) {
  constexpr StringRef identifier =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";
  head = head.ltrim();
  Entry entry;
  entry.name = head.take_front(head.find_first_not_of(identifier)).str();
  StringRef directives = head.drop_front(entry.name.size()).ltrim();
  StringRef parameters;
  if (directives.consume_front("(")) // may be left out when there are none
    std::tie(parameters, directives) = directives.split(')');
  // A word that begins like an identifier is a name, which nothing outside
  // refers to.
  entry.parameters = joinWords(parameters, [](StringRef word) {
    return isAlpha(word.front()) || StringRef("_$%").contains(word.front());
  });
  StringRef bound = directives.split(".reqntid").second;
  entry.threads = joinWords(bound.take_front(bound.find_first_of(".{")),
                            [](StringRef) { return false; });
  return entry;
}

static Interface parseInterface(StringRef ptx) {
  std::string text = removeComments(ptx);
  Interface result;
  result.target = StringRef(text)
                      .split(".target")
                      .second.ltrim()
                      .take_until([](char c) { return isSpace(c) || c == ','; })
                      .str();
  StringRef rest(text);
  while (true) {
    rest = rest.split(".entry").second;
    if (rest.empty())
      return result;
    result.entries.push_back(parseEntry(rest.take_front(rest.find('{'))));
  }
}

Error checkEditedPTX(StringRef edited, StringRef generated) {
  Interface has = parseInterface(edited), needs = parseInterface(generated);
  if (has.target != needs.target)
    return createStringError(has.target.empty()
                                 ? "it has no .target"
                                 : "it is for " + has.target + ", not for " +
                                       needs.target);
  for (const Entry &kernel : needs.entries) {
    auto it = llvm::find_if(
        has.entries, [&](const Entry &e) { return e.name == kernel.name; });
    if (it == has.entries.end())
      return createStringError("it has no kernel '" + kernel.name + "'");
    if (it->parameters != kernel.parameters)
      return createStringError("kernel '" + kernel.name +
                               "' has other parameters than in the source");
    if (it->threads != kernel.threads)
      return createStringError("kernel '" + kernel.name +
                               "' has another .reqntid than in the source");
  }
  return Error::success();
}

} // namespace tessera
