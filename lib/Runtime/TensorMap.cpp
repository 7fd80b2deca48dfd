//===- TensorMap.cpp - tensor maps of a launch ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA Driver API, cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/TensorMap.h"

namespace tessera::runtime {

namespace {

constexpr uint32_t kMaxBox = 256;
constexpr int64_t kMaxExtent = int64_t(1) << 32;
constexpr int64_t kMaxStrideBytes = (int64_t(1) << 40) - 1;
constexpr int64_t kAlignment = 16;

struct ElementName {
  const char *name;
  uint32_t bytes;
  int dataType;
  const char *dataTypeName;
};
// There are no data types for 8-bit floats and signed integers below 32 bits: a
// copy moves bits.
constexpr ElementName kElements[] = {
    {"i8", 1, 0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"},
    {"f8E4M3FN", 1, 0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"},
    {"f8E5M2", 1, 0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"},
    {"i16", 2, 1, "CU_TENSOR_MAP_DATA_TYPE_UINT16"},
    {"i32", 4, 3, "CU_TENSOR_MAP_DATA_TYPE_INT32"},
    {"i64", 8, 5, "CU_TENSOR_MAP_DATA_TYPE_INT64"},
    {"f16", 2, 6, "CU_TENSOR_MAP_DATA_TYPE_FLOAT16"},
    {"f32", 4, 7, "CU_TENSOR_MAP_DATA_TYPE_FLOAT32"},
    {"f64", 8, 8, "CU_TENSOR_MAP_DATA_TYPE_FLOAT64"},
    {"bf16", 2, 9, "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16"}};

/// Takes `prefix` off the front of `text`.
bool consume(std::string_view &text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix)
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Takes a number of at most 3 digits off the front.
std::optional<uint32_t> consumeNumber(std::string_view &text) {
  uint32_t number = 0;
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9';
       ++digits) {
    if (digits == 3)
      return std::nullopt;
    number = 10 * number + uint32_t(text[digits] - '0');
  }
  text.remove_prefix(digits);
  return digits ? std::optional<uint32_t>(number) : std::nullopt;
}

bool consumeBox(std::string_view &text, TensorMapType &type) {
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    std::optional<uint32_t> size = consumeNumber(text);
    if (!size || *size < 1 || *size > kMaxBox || type.rank == kMaxTensorRank ||
        !consume(text, "x"))
      return false;
    type.box[type.rank++] = *size;
  }
  return type.rank > 0;
}

bool consumeElement(std::string_view &text, TensorMapType &type) {
  for (const ElementName &element : kElements)
    if (consume(text, std::string(element.name) + ",")) {
      type.elementBytes = element.bytes;
      type.dataType = element.dataType;
      type.dataTypeName = element.dataTypeName;
      return true;
    }
  return false;
}

} // namespace

std::optional<TensorMapType> parseTensorMapType(std::string_view text) {
  TensorMapType type;
  if (!consume(text, "tensor_map<") || !consumeBox(text, type) ||
      !consumeElement(text, type) || !consume(text, " swizzle = "))
    return std::nullopt;
  std::optional<uint32_t> swizzle = consumeNumber(text);
  if (!swizzle || text != ">")
    return std::nullopt;
  type.swizzle = *swizzle;
  bool known = type.swizzle == 0 || type.swizzle == 32 || type.swizzle == 64 ||
               type.swizzle == 128;
  uint32_t rowBytes = type.box[type.rank - 1] * type.elementBytes;
  if (!known || rowBytes % kAlignment != 0 ||
      (type.swizzle != 0 && rowBytes > type.swizzle))
    return std::nullopt;
  return type;
}

bool isEmpty(const TensorMapType &type, const TensorSpan &tensor) {
  for (uint32_t i = 0; i < type.rank; ++i)
    if (tensor.extents[i] == 0)
      return true;
  return false;
}

std::string describeTensorFault(const TensorMapType &type,
                                const TensorSpan &tensor) {
  auto describe = [](const char *what, uint32_t index, int64_t value,
                     const std::string &wanted) {
    return "has the " + std::string(what) + " " + std::to_string(value) +
           " in dimension " + std::to_string(index) + ", which is " + wanted;
  };
  for (uint32_t i = 0; i < type.rank; ++i)
    if (int64_t(tensor.extents[i]) < 0 ||
        int64_t(tensor.extents[i]) > kMaxExtent)
      return describe("extent", i, int64_t(tensor.extents[i]),
                      "not from 0 to 2^32");
  if (isEmpty(type, tensor))
    return "";
  if (tensor.address % kAlignment != 0)
    return "has an address that is no multiple of 16 bytes";
  for (uint32_t i = 0; i + 1 < type.rank; ++i) {
    int64_t stride = int64_t(tensor.strides[i]), bytes = 0;
    if (__builtin_mul_overflow(stride, int64_t(type.elementBytes), &bytes) ||
        bytes <= 0 || bytes > kMaxStrideBytes || bytes % kAlignment != 0)
      return describe("stride", i, stride,
                      "no positive multiple of 16 bytes below 2^40");
  }
  if (tensor.strides[type.rank - 1] != 1)
    return describe("stride", type.rank - 1,
                    int64_t(tensor.strides[type.rank - 1]), "not 1");
  return "";
}

} // namespace tessera::runtime
