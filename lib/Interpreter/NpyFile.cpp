//===- NpyFile.cpp - NumPy's .npy files -----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file is "\x93NUMPY", a version, the header's length, a header that is the
// text of a Python dictionary, and the elements:
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (512, 384), }
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/NpyFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::interpreter;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr StringRef kMagic("\x93NUMPY", 6);
/// More dimensions than NumPy has.
static constexpr size_t kMaxDimensions = 64;

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {

/// Reads the dictionary, of which it accepts what NumPy writes.
class HeaderReader {
public:
  explicit HeaderReader(StringRef text) : rest(text) {}

  /// Type and shape; `isFortran` says that the first dimension is the fastest.
  Error read(NpyArray &array, bool &isFortran);

private:
  bool consume(StringRef token) {
    rest = rest.ltrim(" \t\n");
    return rest.consume_front(token);
  }
  Error expect(StringRef token) {
    return consume(token) ? Error::success()
                          : makeError("the header lacks '" + token + "'");
  }
  /// A string in quotes of either kind, without escapes.
  Expected<StringRef> readString();
  Error readType(NpyArray &array);
  Error readOrder(bool &isFortran);
  Error readShape(NpyArray &array);

  StringRef rest;
};

} // namespace

Expected<StringRef> HeaderReader::readString() {
  StringRef quote = consume("'") ? "'" : consume("\"") ? "\"" : "";
  size_t end = quote.empty() ? StringRef::npos : rest.find(quote);
  if (end == StringRef::npos)
    return makeError("the header lacks a string");
  StringRef text = rest.take_front(end);
  rest = rest.drop_front(end + 1);
  return text;
}

Error HeaderReader::readType(NpyArray &array) {
  if (consume("["))
    return makeError("records are not supported");
  Expected<StringRef> text = readString();
  if (!text)
    return text.takeError();
  StringRef type = *text;
  char order = type.empty() ? '\0' : type.front();
  if (!StringRef("<>|=").contains(order) || type.size() < 3 ||
      type.drop_front(2).getAsInteger(10, array.width))
    return makeError("'" + *text + "' is no type of elements");
  array.type = type[1];
  bool known = (array.type == 'b' && array.width == 1) ||
               (StringRef("iu").contains(array.type) &&
                llvm::is_contained({1u, 2u, 4u, 8u}, array.width)) ||
               (array.type == 'f' &&
                llvm::is_contained({2u, 4u, 8u}, array.width)) ||
               (array.type == 'V' && (array.width == 1 || array.width == 2));
  if (!known)
    return makeError("elements of type '" + *text + "' are not supported");
  if (order == '>' && array.width > 1)
    return makeError("elements are big-endian ('" + *text + "')");
  return Error::success();
}

Error HeaderReader::readOrder(bool &isFortran) {
  isFortran = consume("True");
  if (!isFortran && !consume("False"))
    return makeError("fortran_order is neither True nor False");
  return Error::success();
}

Error HeaderReader::readShape(NpyArray &array) {
  if (Error error = expect("("))
    return error;
  while (!consume(")")) {
    int64_t extent = 0;
    rest = rest.ltrim(" \t\n");
    if (rest.consumeInteger(10, extent) || extent < 0 ||
        array.shape.size() == kMaxDimensions)
      return makeError("the shape is not a tuple of extents");
    (void)rest.consume_front("L"); // Written by Python 2.
    array.shape.push_back(extent);
    if (consume(","))
      continue;
    if (Error error = expect(")"))
      return error;
    break;
  }
  return Error::success();
}

Error HeaderReader::read(NpyArray &array, bool &isFortran) {
  if (Error error = expect("{"))
    return error;
  bool hasType = false, hasOrder = false, hasShape = false;
  while (!consume("}")) {
    Expected<StringRef> key = readString();
    if (!key)
      return key.takeError();
    if (Error error = expect(":"))
      return error;
    bool *seen = *key == "descr"           ? &hasType
                 : *key == "fortran_order" ? &hasOrder
                 : *key == "shape"         ? &hasShape
                                           : nullptr;
    if (!seen || std::exchange(*seen, true))
      return makeError("the header has a wrong key, '" + *key + "'");
    Error error = seen == &hasType    ? readType(array)
                  : seen == &hasOrder ? readOrder(isFortran)
                                      : readShape(array);
    if (error)
      return error;
    if (consume(","))
      continue;
    if (Error missing = expect("}"))
      return missing;
    break;
  }
  if (!hasType || !hasOrder || !hasShape)
    return makeError("the header lacks one of descr, fortran_order and shape");
  return rest.trim(" \t\n").empty()
             ? Error::success()
             : makeError("the header goes on behind its end");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Splits off the header's text.
static Expected<StringRef> takeHeader(StringRef &contents) {
  if (!contents.consume_front(kMagic))
    return makeError("it is no .npy file");
  if (contents.size() < 2)
    return makeError("it is cut short");
  unsigned version = uint8_t(contents[0]);
  if (version < 1 || version > 3 || contents[1] != 0)
    return makeError("version " + llvm::Twine(version) + "." +
                     llvm::Twine(unsigned(uint8_t(contents[1]))) +
                     " of the format is not known");
  contents = contents.drop_front(2);
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (contents.size() < lengthBytes)
    return makeError("it is cut short");
  size_t length = version == 1
                      ? llvm::support::endian::read16le(contents.data())
                      : llvm::support::endian::read32le(contents.data());
  contents = contents.drop_front(lengthBytes);
  if (contents.size() < length)
    return makeError("it is cut short");
  StringRef header = contents.take_front(length);
  contents = contents.drop_front(length);
  return header;
}

/// Copies elements, the first dimension fastest, into row-major order.
static std::vector<uint8_t> transpose(StringRef data, const NpyArray &array) {
  std::vector<uint8_t> bytes(data.size());
  Shape reversed(llvm::reverse(array.shape));
  Shape strides = getRowMajorStrides(array.shape);
  for (int64_t i = 0, e = data.size() / array.width; i < e; ++i) {
    Shape coordinates = delinearize(i, reversed);
    int64_t target = 0;
    for (auto [coordinate, stride] :
         llvm::zip(llvm::reverse(coordinates), strides))
      target += coordinate * stride;
    std::copy_n(data.data() + i * array.width, array.width,
                bytes.data() + target * array.width);
  }
  return bytes;
}

Expected<NpyArray> interpreter::parseNpy(StringRef contents) {
  Expected<StringRef> header = takeHeader(contents);
  if (!header)
    return header.takeError();
  NpyArray array;
  bool isFortran = false;
  if (Error error = HeaderReader(*header).read(array, isFortran))
    return error;
  std::optional<int64_t> elements = countBytes(ElementKind::I8, array.shape);
  int64_t bytes = elements.value_or(0) * array.width;
  if (!elements || bytes > int64_t(contents.size()))
    return makeError("it is cut short: the header tells of " +
                     printShape(array.shape) + " elements of " +
                     llvm::Twine(array.width) + " bytes, but " +
                     llvm::Twine(contents.size()) + " bytes follow");
  if (bytes < int64_t(contents.size()))
    return makeError("it has " + llvm::Twine(contents.size() - bytes) +
                     " bytes behind the last element");
  if (isFortran)
    array.bytes = transpose(contents, array);
  else
    array.bytes.assign(contents.bytes_begin(), contents.bytes_end());
  return array;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<ElementKind> interpreter::getNaturalKind(const NpyArray &array) {
  if (array.type == 'V')
    return std::nullopt;
  if (array.type == 'b')
    return ElementKind::I1;
  bool isFloat = array.type == 'f';
  switch (array.width) {
  case 1:
    return ElementKind::I8;
  case 2:
    return isFloat ? ElementKind::F16 : ElementKind::I16;
  case 4:
    return isFloat ? ElementKind::F32 : ElementKind::I32;
  default:
    return isFloat ? ElementKind::F64 : ElementKind::I64;
  }
}

/// Kinds that NumPy has no type for.
static bool isRaw(ElementKind kind) {
  return kind == ElementKind::BF16 || kind == ElementKind::F8E4M3FN ||
         kind == ElementKind::F8E5M2;
}

Expected<HostArray> interpreter::toHostArray(NpyArray array, ElementKind kind) {
  bool fits = isRaw(kind) ? StringRef("uV").contains(array.type) &&
                                array.width == getByteWidth(kind)
                          : getNaturalKind(array) == kind;
  if (!fits)
    return makeError("it holds " + array.getTypeName() + ", not " +
                     getName(kind));
  // The only bytes of an i1 are 0 and 1.
  if (kind == ElementKind::I1)
    for (uint8_t &byte : array.bytes)
      byte = byte != 0;
  HostArray result;
  result.kind = kind;
  result.shape = std::move(array.shape);
  result.bytes = std::move(array.bytes);
  return result;
}

static std::string getDescription(ElementKind kind) {
  if (isRaw(kind))
    return "|V" + std::to_string(getByteWidth(kind));
  if (kind == ElementKind::I1)
    return "|b1";
  std::string width = std::to_string(getByteWidth(kind));
  return (width == "1" ? "|" : "<") + std::string(isFloat(kind) ? "f" : "i") +
         width;
}

std::string interpreter::writeNpy(const HostArray &array) {
  std::string header = "{'descr': '" + getDescription(array.kind) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  // The elements begin at a multiple of 64 bytes; the header ends its line.
  size_t start = kMagic.size() + 4;
  header.resize(llvm::alignTo(start + header.size() + 1, 64) - start - 1, ' ');
  header += '\n';
  std::string file = kMagic.str();
  file += {'\x01', '\x00', char(header.size() & 0xFF), char(header.size() >> 8)};
  file += header;
  file.append(array.bytes.begin(), array.bytes.end());
  return file;
}
