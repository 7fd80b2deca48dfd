//===- TensorMapCache.h - tensor maps that were made before -----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map is a function of numbers alone, so that a launch with the tensors of an
// earlier one need not ask the driver again. The cache has a fixed size: a map
// has kWays places, and a new one takes the first when all are in use.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_RUNTIME_TENSORMAPCACHE_H
#define TESSERA_LIB_RUNTIME_TENSORMAPCACHE_H

#include "Driver.h"
#include "tessera/Runtime/TensorMap.h"

#include <memory>
#include <mutex>

namespace tessera::runtime {

class TensorMapCache {
public:
  /// Makes the map of a tensor that describeTensorFault() finds nothing wrong
  /// with; zeros for one without elements.
  Failure make(const DriverApi &driver, const TensorMapType &type,
               const TensorSpan &tensor, CuTensorMap &map);

private:
  /// All numbers of a map: type, address, extents, strides.
  struct Key {
    std::array<uint64_t, 2 + 3 * kMaxTensorRank> numbers = {};
    bool operator==(const Key &other) const { return numbers == other.numbers; }
  };
  struct Entry {
    Key key;
    CuTensorMap map;
    bool isUsed = false;
  };
  static constexpr size_t kEntries = 64, kWays = 4;

  static Key makeKey(const TensorMapType &type, const TensorSpan &tensor);
  Entry &findPlace(const Key &key);

  std::mutex mutex;
  /// kEntries of them; null until the first map.
  std::unique_ptr<Entry[]> entries;
};

} // namespace tessera::runtime

#endif // TESSERA_LIB_RUNTIME_TENSORMAPCACHE_H
