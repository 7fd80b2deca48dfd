//===- OptionErrors.h - what is wrong with an option ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every wrong value of an option is told in one line of one form:
//
//   --OPTION=VALUE: expects WHAT[; did you mean NEAR?]
//
// LLVM's parsers of command lines print errors of their own as soon as they
// meet a value. Those below note them instead, for the tool to report as it
// reports all others.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_OPTIONERRORS_H
#define TESSERA_TOOL_OPTIONERRORS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace tessera {

/// The name of `known` that `name` is the beginning of, or that a slip of the
/// keys makes `name` of; empty for none.
llvm::StringRef findNearest(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> known);

/// "; did you mean NEAR?", or an empty string where nothing is near.
std::string suggestNearest(llvm::StringRef name,
                           llvm::ArrayRef<std::string> known);

/// The line for `option`, which is written with its dashes, with an "=" where
/// it has one.
std::string describeBadValue(const llvm::Twine &option, llvm::StringRef value,
                             const llvm::Twine &expected);
/// The same for a value that is one of `known`.
std::string describeBadName(const llvm::Twine &option, llvm::StringRef value,
                            llvm::ArrayRef<std::string> known);

/// Notes what is wrong with a value; returns true, as parsers do on an error.
bool noteBadValue(const std::string &description);
/// Takes the first error that was noted; nothing when there was none.
std::optional<std::string> takeBadValue();

/// What LLVM's parser has printed of unknown options and the like, without the
/// program's name, in the form above where it is about an unknown option.
std::string describeParserErrors(llvm::StringRef text);

/// One of the names that an option has for its values.
template <typename T> class NameParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             T &value) {
    llvm::SmallVector<std::string> names;
    for (auto &entry : this->Values) {
      if (entry.Name == text) {
        value = entry.V.getValue();
        return false;
      }
      // The empty name stands for the option without a value.
      if (!entry.Name.empty())
        names.push_back(entry.Name.str());
    }
    return noteBadValue(
        describeBadName("--" + option.ArgStr + "=", text, names));
  }
};

class IntegerParser : public llvm::cl::parser<int> {
public:
  using llvm::cl::parser<int>::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, int &value);
};

class BoolParser : public llvm::cl::parser<bool> {
public:
  using llvm::cl::parser<bool>::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, bool &value);
};

template <typename T>
using NameOption = llvm::cl::opt<T, false, NameParser<T>>;
using IntegerOption = llvm::cl::opt<int, false, IntegerParser>;
using BoolOption = llvm::cl::opt<bool, false, BoolParser>;

/// An empty string, or what is wrong with a number that is given and is not
/// from `least` to `most`, the `unit`.
std::string checkRange(const IntegerOption &option, int least, int most,
                       const llvm::Twine &unit);
/// The same of the warps of a program.
std::string checkWarps(const IntegerOption &option);
/// The same of an architecture's name.
std::string checkTarget(llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_TOOL_OPTIONERRORS_H
