//===- Touched.cpp - memory that accesses touch ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

/// By the definition of `tile.desc_load`.
static Touched getTouched(tile::DescLoadOp load, const Environment &values) {
  const Elements desc = values.lookup(load.getDesc());
  Shape shape = getShape(load.getType());
  size_t rank = shape.sizes.size();
  Touched touched;
  for (int64_t index = 0; index < shape.count(); ++index) {
    llvm::SmallVector<int64_t> at = shape.coordinates(index);
    uint64_t address = desc[0];
    bool exists = true;
    for (size_t d = 0; d < rank; ++d) {
      __int128 i = __int128(values.lookup(load.getOffsets()[d])[0]) + at[d];
      exists &= i >= 0 && i < desc[1 + d];
      address += uint64_t(i) * uint64_t(desc[1 + rank + d]);
    }
    touched.push_back(exists ? std::optional<int64_t>(address) : std::nullopt);
  }
  return touched;
}

/// By the definition of `tile.load`.
static Touched getTouched(tile::LoadOp load, const Environment &values) {
  const Elements pointers = values.lookup(load.getPtr());
  const Elements mask = load.getMask() ? values.lookup(load.getMask())
                                       : Elements(pointers.size(), 1);
  Touched touched;
  for (auto [pointer, on] : llvm::zip(pointers, mask))
    touched.push_back(on ? std::optional<int64_t>(pointer) : std::nullopt);
  return touched;
}

Touched tessera::test::getTouched(Operation *access,
                                  const Environment &values) {
  if (auto load = dyn_cast<tile::DescLoadOp>(access))
    return ::getTouched(load, values);
  return ::getTouched(cast<tile::LoadOp>(access), values);
}
