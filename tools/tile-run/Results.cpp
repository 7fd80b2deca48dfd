//===- Results.cpp - what becomes of tensors after a run ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

#include "tessera/Interpreter/NpyFile.h"
#include "tessera/Tool/OutputFiles.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

using namespace interpreter;

static Error makeError(const Twine &message) {
  return createStringError(message);
}

/// The argument whose tensor an argument has.
static const Argument &getOwner(ArrayRef<Argument> arguments, size_t index) {
  int owner = arguments[index].sameAs;
  return arguments[owner < 0 ? index : size_t(owner)];
}

Expected<size_t> Results::find(StringRef option, const ArgumentFile &file,
                               ArrayRef<Argument> arguments) const {
  size_t index = 0;
  if (StringRef(file.argument).getAsInteger(10, index))
    index = llvm::find_if(arguments,
                          [&](const Argument &argument) {
                            return argument.parameter.name == file.argument;
                          }) -
            arguments.begin();
  if (index >= arguments.size())
    return makeError("--" + option + "=" + file.argument + ":" + file.path +
                     ": there is no argument '" + file.argument + "'");
  if (!arguments[index].isTensor)
    return makeError("--" + option + "=" + file.argument + ":" + file.path +
                     ": the argument is no tensor");
  return index;
}

/// What is expected may be of any float type where the argument is a float.
static Expected<HostArray> readExpected(StringRef text, const Argument &owner) {
  auto [path, written] = splitWritten(text);
  Expected<NpyArray> file = readNpy(path);
  if (!file)
    return file.takeError();
  ElementKind kind = owner.parameter.kind;
  if (isFloat(kind) && file->type == 'f')
    kind = *getNaturalKind(*file);
  Expected<HostArray> array = toHostArray(std::move(*file), kind);
  if (!array)
    return makeError("'" + path + "': " + toString(array.takeError()));
  if (array->shape != owner.array.shape)
    return makeError("'" + path + "' is " + printShape(array->shape) +
                     ", but the argument is " + printShape(owner.array.shape));
  if (Error error = readWritten(written, *array))
    return error;
  return array;
}

Error Results::prepare(ArrayRef<Argument> arguments) {
  StringSet<> destinations;
  for (const ArgumentFile &file : settings.saves) {
    if (!destinations.insert(file.path).second)
      return makeError("--save=" + file.argument + ":" + file.path +
                       ": another --save writes this file");
    Expected<size_t> index = find("save", file, arguments);
    if (!index)
      return index.takeError();
    if (Error error = checkDestination(file.path))
      return error;
    saved.push_back(*index);
  }
  for (const ArgumentFile &file : settings.expects) {
    Expected<size_t> index = find("expect", file, arguments);
    if (!index)
      return index.takeError();
    Expected<HostArray> array =
        readExpected(file.path, getOwner(arguments, *index));
    if (!array)
      return makeError("--expect: " + toString(array.takeError()));
    expectations.push_back({*index, std::move(*array)});
  }
  return Error::success();
}

/// An element as text, or that there is none.
static std::string printValue(const HostArray &array, int64_t index) {
  return array.isWritten(index) ? printElement(array.kind, array.at(index))
                                : "never written";
}

bool Results::compareOne(const Argument &argument, const HostArray &value,
                         const HostArray &expected) const {
  Tolerance tolerance = getDefaultTolerance(value.kind);
  if (settings.relativeTolerance || settings.absoluteTolerance)
    tolerance = {settings.relativeTolerance.value_or(0),
                 settings.absoluteTolerance.value_or(0)};
  Comparison errors = compare(value, expected, tolerance);
  auto place = [&](int64_t index) {
    return printCoordinates(index, value.shape);
  };
  std::string summary;
  raw_string_ostream stream(summary);
  stream << "largest absolute error " << format("%.4g", errors.absolute.size);
  if (errors.absolute.size > 0)
    stream << " at " << place(errors.absolute.index);
  stream << ", relative " << format("%.4g", errors.relative.size);
  if (errors.relative.size > 0)
    stream << " at " << place(errors.relative.index);
  stream << " (rtol " << format("%.4g", tolerance.relative) << ", atol "
         << format("%.4g", tolerance.absolute) << ")";
  const std::string &name = argument.parameter.name;
  if (errors.numWrong == 0) {
    outs() << name << ": " << errors.count << " elements, " << summary << "\n";
    return true;
  }
  WithColor::error(errs(), "tile-run")
      << name << ": " << errors.numWrong << " of " << errors.count
      << " elements are wrong, the first at " << place(errors.firstWrong)
      << ": " << printValue(value, errors.firstWrong) << ", expected "
      << printValue(expected, errors.firstWrong) << "; " << summary << "\n";
  return false;
}

bool Results::compareExpected(ArrayRef<Argument> arguments) const {
  bool good = true;
  for (const Expectation &expectation : expectations)
    good &= compareOne(arguments[expectation.index],
                       getOwner(arguments, expectation.index).array,
                       expectation.array);
  return good;
}

bool Results::compareRuns(ArrayRef<Argument> arguments,
                          ArrayRef<Argument> reference) const {
  bool good = true;
  for (auto [argument, other] : zip(arguments, reference)) {
    if (!argument.ownsTensor())
      continue;
    // What the CPU saw was never written holds nothing to compare.
    HostArray value = argument.array, expected = other.array;
    for (int64_t i = 0, e = expected.size(); i < e; ++i)
      if (!expected.isWritten(i))
        std::copy_n(expected.at(i), getByteWidth(value.kind), value.at(i));
    expected.written.clear();
    value.written.clear();
    good &= compareOne(argument, value, expected);
  }
  return good;
}

Error Results::save(ArrayRef<Argument> arguments) const {
  OutputFiles files;
  for (auto [index, file] : zip(saved, settings.saves)) {
    const HostArray &array = getOwner(arguments, index).array;
    int64_t missing = llvm::count(array.written, 0);
    if (missing > 0)
      WithColor::warning(errs(), "tile-run")
          << file.path << ": " << missing << " of " << array.size()
          << " elements were never written and are saved as zeros\n";
    files.add(file.path, writeNpy(array));
  }
  return files.commit();
}

} // namespace tessera
