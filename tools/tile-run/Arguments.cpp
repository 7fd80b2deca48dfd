//===- Arguments.cpp - what an entry is called with -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "tessera/Interpreter/NpyFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <unistd.h>

using namespace llvm;

namespace tessera {

using namespace interpreter;

static Error makeError(const Twine &message) {
  return createStringError(message);
}

Expected<Parameter> makeParameter(std::string name, std::string type) {
  Parameter parameter{std::move(name), std::move(type)};
  StringRef element = parameter.type;
  parameter.isPointer = element.consume_front("ptr<");
  if (parameter.isPointer)
    (void)element.consume_back(">");
  std::optional<ElementKind> kind = parseElementKind(element);
  if (!kind)
    return makeError("argument '" + parameter.name + "' is " + parameter.type +
                     ", which cannot be given here");
  parameter.kind = *kind;
  return parameter;
}

/// The whole file; the message names it.
static Expected<std::string> readWholeFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// The number that `text` is in a type; floats are not rounded yet.
static Expected<tessera_argument> parseScalar(StringRef text,
                                              ElementKind kind) {
  if (isFloat(kind)) {
    double value = 0;
    if (text.getAsDouble(value))
      return makeError("'" + text + "' is no number");
    return tessera_float(value);
  }
  if (kind == ElementKind::I1 && (text == "true" || text == "false"))
    return tessera_integer(text == "true");
  int64_t value = 0;
  if (text.getAsInteger(0, value))
    return makeError("'" + text + "' is no " + getName(kind));
  bool fits = kind == ElementKind::I1 ? value == 0 || value == 1
                                      : isIntN(getBitWidth(kind), value);
  if (!fits)
    return makeError(text + " does not fit " + getName(kind));
  return tessera_integer(value);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Expected<NpyArray> readNpy(StringRef path) {
  Expected<std::string> contents = readWholeFile(path);
  if (!contents)
    return contents.takeError();
  Expected<NpyArray> file = parseNpy(*contents);
  if (!file)
    return makeError("'" + path + "': " + toString(file.takeError()));
  return file;
}

std::pair<StringRef, StringRef> splitWritten(StringRef text) {
  auto [file, written] = text.split(".npy,");
  if (file.size() == text.size())
    return {text, StringRef()};
  return {text.take_front(file.size() + 4), written};
}

Error readWritten(StringRef path, HostArray &array) {
  if (path.empty())
    return Error::success();
  Expected<NpyArray> file = readNpy(path);
  if (!file)
    return file.takeError();
  if (file->type != 'b')
    return makeError("'" + path + "': which elements are written is told by "
                     "bools, not by " + file->getTypeName());
  if (file->shape != array.shape)
    return makeError("'" + path + "' is " + printShape(file->shape) +
                     ", but the tensor is " + printShape(array.shape));
  array.written = std::move(file->bytes);
  return Error::success();
}

static Expected<HostArray> readArray(StringRef text, ElementKind kind) {
  auto [path, written] = splitWritten(text);
  Expected<NpyArray> file = readNpy(path);
  if (!file)
    return file.takeError();
  Expected<HostArray> array = toHostArray(std::move(*file), kind);
  if (!array)
    return makeError("'" + path + "': " + toString(array.takeError()));
  if (Error error = readWritten(written, *array))
    return error;
  return array;
}

/// Bytes of memory that the machine has.
static int64_t getPhysicalBytes() {
  return int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
}

/// An array of "TYPE:SHAPE", with room for everything.
static Expected<HostArray> makeEmpty(StringRef type, StringRef shape,
                                     ElementKind declared) {
  std::optional<ElementKind> kind = parseElementKind(type);
  if (!kind)
    return makeError("'" + type + "' is no type of elements");
  if (*kind != declared)
    return makeError("it holds " + type + ", not " + getName(declared));
  Shape extents;
  for (StringRef part : split(shape, 'x')) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 0)
      return makeError("'" + shape + "' is no shape such as 512x384");
    extents.push_back(extent);
  }
  std::optional<int64_t> bytes = countBytes(*kind, extents);
  // What the machine lacks must not be tried: allocation would end the program.
  // The interpreter keeps up to eight bytes for one, for writers and copies.
  if (!bytes || *bytes > getPhysicalBytes() / 8)
    return makeError("a tensor of " + shape + " is too large");
  return HostArray(*kind, extents);
}

/// Fills `array` as "full:" and its relatives say; `rest` is what follows the
/// shape.
static Error fillArray(StringRef recipe, StringRef rest, unsigned index,
                       HostArray &array) {
  if (recipe == "rand") {
    uint64_t seed = index;
    if (!rest.empty() && rest.getAsInteger(0, seed))
      return makeError("'" + rest + "' is no seed");
    fillRandom(array, seed);
    return Error::success();
  }
  if (recipe == "full") {
    Expected<tessera_argument> value = parseScalar(rest, array.kind);
    if (!value)
      return value.takeError();
    uint8_t element[8];
    if (isFloat(array.kind))
      writeFloat(array.kind, element, value->value.floating);
    else
      writeInteger(array.kind, element, value->value.integer);
    fillElement(array, ArrayRef(element, getByteWidth(array.kind)));
    return Error::success();
  }
  if (!rest.empty())
    return makeError("'" + rest + "' is too much");
  if (recipe == "iota")
    fillIota(array);
  else if (recipe == "empty")
    array.written.assign(array.size(), 0);
  return Error::success();
}

static Expected<HostArray> makeArray(StringRef text, ElementKind kind,
                                     unsigned index) {
  if (text.ends_with(".npy"))
    return readArray(text, kind);
  auto [recipe, rest] = text.split(':');
  if (!is_contained({"rand", "zeros", "full", "iota", "empty"}, recipe))
    return makeError("'" + text +
                     "' is no tensor: FILE.npy, or one of rand, zeros, full, "
                     "iota and empty, as in rand:f16:512x384");
  auto [type, afterType] = rest.split(':');
  auto [shape, afterShape] = afterType.split(':');
  Expected<HostArray> array = makeEmpty(type, shape, kind);
  if (!array)
    return array.takeError();
  if (Error error = fillArray(recipe, afterShape, index, *array))
    return error;
  return array;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// "same:N" of an earlier argument with a tensor of the same type.
static Error shareTensor(StringRef text, ArrayRef<Argument> earlier,
                         Argument &argument) {
  unsigned other = 0;
  if (text.getAsInteger(10, other) || other >= earlier.size() ||
      !earlier[other].isTensor)
    return makeError("'same:" + text + "' names no earlier tensor");
  argument.sameAs = earlier[other].sameAs < 0 ? int(other)
                                              : earlier[other].sameAs;
  if (earlier[other].parameter.kind != argument.parameter.kind)
    return makeError("argument " + Twine(other) + " is " +
                     earlier[other].parameter.type);
  return Error::success();
}

/// Takes "@BYTES" or "@BYTES:OFFSET" off the end of `text`.
static Error takePlace(StringRef &text, Argument &argument) {
  auto [recipe, place] = text.rsplit('@');
  auto [misalignment, offset] = place.split(':');
  if (misalignment.empty() ||
      misalignment.getAsInteger(10, argument.misalignment))
    return Error::success();
  if (argument.misalignment < 0 || argument.misalignment > 255)
    return makeError("'@" + misalignment + "' is not from 0 to 255");
  constexpr int64_t limit = int64_t(1) << 38; // tensors are 2^40 apart
  if (place.contains(':') && (offset.getAsInteger(10, argument.offset) ||
                              std::abs(argument.offset) > limit))
    return makeError("'@" + place + "': '" + offset +
                     "' is no number of bytes");
  text = recipe;
  return Error::success();
}

static Error fillArgument(StringRef text, unsigned index,
                          ArrayRef<Argument> earlier, Argument &argument) {
  const Parameter &parameter = argument.parameter;
  if (!parameter.isPointer) {
    if (text.contains(':') || text.ends_with(".npy"))
      return makeError("takes a number, not the tensor '" + text + "'");
    Expected<tessera_argument> value = parseScalar(text, parameter.kind);
    if (!value)
      return value.takeError();
    argument.value = *value;
    return Error::success();
  }
  argument.value = tessera_pointer(0);
  if (text == "null")
    return Error::success();
  argument.isTensor = true;
  if (text.consume_front("same:"))
    return shareTensor(text, earlier, argument);
  if (Error error = takePlace(text, argument))
    return error;
  Expected<HostArray> array = makeArray(text, parameter.kind, index);
  if (!array)
    return array.takeError();
  argument.array = std::move(*array);
  return Error::success();
}

Expected<std::vector<Argument>>
makeArguments(const std::vector<Parameter> &parameters,
              const std::vector<std::string> &texts) {
  if (texts.size() != parameters.size()) {
    std::string signature;
    for (const Parameter &parameter : parameters)
      signature += (signature.empty() ? "" : ", ") + parameter.name + ": " +
                   parameter.type;
    return makeError("the entry takes " + Twine(parameters.size()) +
                     " arguments, not " + Twine(texts.size()) + ": " +
                     signature);
  }
  std::vector<Argument> arguments;
  for (auto [index, parameter] : enumerate(parameters)) {
    Argument argument;
    argument.parameter = parameter;
    if (Error error = fillArgument(texts[index], index, arguments, argument))
      return makeError("argument " + Twine(index) + " (" + parameter.name +
                       ": " + parameter.type +
                       "): " + toString(std::move(error)));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

} // namespace tessera
