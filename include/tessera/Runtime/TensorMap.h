//===- TensorMap.h - tensor maps of a launch --------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor map is a kernel argument of 128 bytes that the driver makes of a
// tensor's address, extents and strides and of what the argument's type says
// (CUDA Driver API, cuTensorMapEncodeTiled). Here are the type, and the checks
// of a tensor against the limits of that function.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_TENSORMAP_H
#define TESSERA_RUNTIME_TENSORMAP_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::runtime {

constexpr uint32_t kMaxTensorRank = 5;

/// Box, elements and swizzle of a tensor map. Dimensions are numbered as in the
/// kernel: elements of the last one are neighbours in memory.
struct TensorMapType {
  uint32_t rank = 0;
  std::array<uint32_t, kMaxTensorRank> box = {};
  uint32_t elementBytes = 0;
  /// The driver's number of the element type, CUtensorMapDataType, and its name
  /// in C.
  int dataType = 0;
  const char *dataTypeName = "";
  /// 0, 32, 64 or 128 bytes.
  uint32_t swizzle = 0;
};

/// Reads "tensor_map<128x64xf16, swizzle = 128>"; nothing for another text or a
/// box beyond the driver's limits.
std::optional<TensorMapType> parseTensorMapType(std::string_view text);

/// A tensor in memory: `rank` extents and strides, in elements.
struct TensorSpan {
  uint64_t address;
  const uint64_t *extents;
  const uint64_t *strides;
};

/// What makes a map of the tensor impossible, as the end of a sentence that
/// begins with the map; empty if nothing does.
std::string describeTensorFault(const TensorMapType &type,
                                const TensorSpan &tensor);

/// Whether an extent is 0. Such a tensor has no map.
bool isEmpty(const TensorMapType &type, const TensorSpan &tensor);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_TENSORMAP_H
