//===- OptionErrors.cpp - what is wrong with an option, in one form -------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/OptionErrors.h"

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Target/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tessera {

StringRef findNearest(StringRef name, ArrayRef<StringRef> known) {
  // The one name that goes on.
  auto goesOn = [&](StringRef other) {
    return !name.empty() && other.starts_with(name);
  };
  if (count_if(known, goesOn) == 1)
    return *find_if(known, goesOn);
  StringRef nearest;
  unsigned distance = std::max<size_t>(1, name.size() / 3) + 1;
  for (StringRef other : known) {
    unsigned edits = name.edit_distance_insensitive(
        other, /*AllowReplacements=*/true, /*MaxEditDistance=*/distance);
    if (edits < distance || (edits == distance && other < nearest)) {
      nearest = other;
      distance = edits;
    }
  }
  return nearest;
}

std::string suggestNearest(StringRef name, ArrayRef<std::string> known) {
  StringRef nearest = findNearest(name, to_vector_of<StringRef>(known));
  return nearest.empty() ? "" : ("; did you mean " + nearest + "?").str();
}

std::string describeBadValue(const Twine &option, StringRef value,
                             const Twine &expected) {
  return (option + value + ": expects " + expected).str();
}

/// "a, b or c".
static std::string listNames(ArrayRef<std::string> names) {
  if (names.size() < 2)
    return join(names, "");
  return join(names.drop_back(), ", ") + " or " + names.back();
}

std::string describeBadName(const Twine &option, StringRef value,
                            ArrayRef<std::string> known) {
  return describeBadValue(option, value,
                          listNames(known) + suggestNearest(value, known));
}

//===----------------------------------------------------------------------===//
// LLVM's parser
//===----------------------------------------------------------------------===//

/// One command line a process is parsed: its first error is all that is kept.
static std::optional<std::string> firstBadValue;

bool noteBadValue(const std::string &description) {
  if (!firstBadValue)
    firstBadValue = description;
  return true;
}

std::optional<std::string> takeBadValue() {
  return std::exchange(firstBadValue, std::nullopt);
}

bool IntegerParser::parse(cl::Option &option, StringRef, StringRef text,
                          int &value) {
  if (!text.getAsInteger(0, value))
    return false;
  return noteBadValue(
      describeBadValue("--" + option.ArgStr + "=", text, "an integer"));
}

bool BoolParser::parse(cl::Option &option, StringRef, StringRef text,
                       bool &value) {
  if (text.empty() || text == "true" || text == "1") {
    value = true;
    return false;
  }
  if (text == "false" || text == "0") {
    value = false;
    return false;
  }
  return noteBadValue(
      describeBadName("--" + option.ArgStr + "=", text, {"true", "false"}));
}

/// "PROGRAM: Unknown command line argument '--x=1'.  Try: 'PROGRAM --help'" as
/// "--x=1: no such option", with the name that LLVM's next line suggests where
/// it is near enough to be a slip.
static std::string describeUnknown(StringRef argument, StringRef suggested) {
  auto getName = [](StringRef text) {
    return text.split('=').first.ltrim('-');
  };
  std::string text = (argument + ": no such option").str();
  StringRef name = getName(suggested);
  if (name.empty() || findNearest(getName(argument), name).empty())
    return text;
  return text + "; did you mean --" + name.str() + "?";
}

std::string describeParserErrors(StringRef text) {
  constexpr StringLiteral unknown = "Unknown command line argument '";
  constexpr StringLiteral suggestion = "Did you mean '";
  SmallVector<StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  // The first error is what the others follow from.
  StringRef line = lines.empty() ? StringRef() : lines.front();
  size_t at = line.find(unknown);
  if (at == StringRef::npos)
    return line.split(": ").second.str();
  StringRef argument =
      line.substr(at + unknown.size()).split("'.  Try").first;
  StringRef next = lines.size() > 1 ? lines[1] : StringRef();
  StringRef suggested = next.split(suggestion).second.split('\'').first;
  return describeUnknown(argument, suggested);
}

//===----------------------------------------------------------------------===//
// Values of several tools
//===----------------------------------------------------------------------===//

std::string checkRange(const IntegerOption &option, int least, int most,
                       const Twine &unit) {
  int value = option;
  if (!option.getNumOccurrences() || (value >= least && value <= most))
    return {};
  return describeBadValue("--" + option.ArgStr + "=", std::to_string(value),
                          Twine(least) + " to " + Twine(most) + ", " + unit);
}

std::string checkWarps(const IntegerOption &option) {
  int warps = option;
  if (!option.getNumOccurrences() ||
      (warps >= 1 && warps <= tile::kMaxWarps && isPowerOf2_32(warps)))
    return {};
  return describeBadValue("--" + option.ArgStr + "=", std::to_string(warps),
                          "1, 2, 4, 8, 16 or 32, the warps of a program");
}

std::string checkTarget(StringRef name) {
  if (TargetInfo::get(name))
    return {};
  return describeBadName("--target=", name, TargetInfo::names());
}

} // namespace tessera
