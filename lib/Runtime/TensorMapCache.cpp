//===- TensorMapCache.cpp - tensor maps that were made before -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMapCache.h"

namespace tessera::runtime {

namespace {

/// CUtensorMapSwizzle: none, 32, 64, 128 bytes.
int getSwizzleNumber(uint32_t bytes) {
  return bytes == 0 ? 0 : bytes == 32 ? 1 : bytes == 64 ? 2 : 3;
}

/// Asks the driver.
Failure encode(const DriverApi &driver, const TensorMapType &type,
               const TensorSpan &tensor, CuTensorMap &map) {
  if (!driver.tensorMapEncodeTiled)
    return {TESSERA_DRIVER_ERROR,
            "the CUDA driver lacks cuTensorMapEncodeTiled"};
  uint64_t extents[kMaxTensorRank], strides[kMaxTensorRank];
  uint32_t box[kMaxTensorRank], elementStrides[kMaxTensorRank];
  // The driver counts dimensions from the last one.
  for (uint32_t i = 0; i < type.rank; ++i) {
    uint32_t from = type.rank - 1 - i;
    extents[i] = tensor.extents[from];
    strides[i] = tensor.strides[from] * type.elementBytes;
    box[i] = type.box[from];
    elementStrides[i] = 1;
  }
  CuResult error = driver.tensorMapEncodeTiled(
      &map, type.dataType, type.rank,
      reinterpret_cast<void *>(uintptr_t(tensor.address)), extents, strides + 1,
      box, elementStrides, kTensorMapInterleaveNone,
      getSwizzleNumber(type.swizzle), kTensorMapL2Promotion128B,
      kTensorMapFillZeros);
  return error ? driverFailure(driver, error, "cuTensorMapEncodeTiled")
               : Failure();
}

} // namespace

TensorMapCache::Key TensorMapCache::makeKey(const TensorMapType &type,
                                            const TensorSpan &tensor) {
  Key key;
  key.numbers[0] = uint64_t(type.rank) << 32 | uint64_t(type.dataType) << 16 |
                   type.swizzle;
  key.numbers[1] = tensor.address;
  for (uint32_t i = 0; i < type.rank; ++i) {
    key.numbers[2 + 3 * i] = type.box[i];
    key.numbers[3 + 3 * i] = tensor.extents[i];
    key.numbers[4 + 3 * i] = tensor.strides[i];
  }
  return key;
}

/// The place of a map that was made before, else the one for a new map.
TensorMapCache::Entry &TensorMapCache::findPlace(const Key &key) {
  // FNV-1a over words.
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t number : key.numbers)
    hash = (hash ^ number) * 0x100000001b3u;
  size_t first = (hash >> 32) % kEntries;
  for (size_t i = 0; i < kWays; ++i) {
    Entry &entry = entries[(first + i) % kEntries];
    if (!entry.isUsed || entry.key == key)
      return entry;
  }
  return entries[first];
}

Failure TensorMapCache::make(const DriverApi &driver, const TensorMapType &type,
                             const TensorSpan &tensor, CuTensorMap &map) {
  if (isEmpty(type, tensor)) {
    map = {};
    return {};
  }
  Key key = makeKey(type, tensor);
  std::lock_guard<std::mutex> lock(mutex);
  if (!entries)
    entries = std::make_unique<Entry[]>(kEntries);
  Entry &entry = findPlace(key);
  if (!entry.isUsed || !(entry.key == key)) {
    // A failure leaves the old map.
    CuTensorMap made = {};
    if (Failure failure = encode(driver, type, tensor, made))
      return failure;
    entry = {key, made, true};
  }
  map = entry.map;
  return {};
}

} // namespace tessera::runtime
