//===- DescAccess.cpp - the elements of a tile of an array ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DescAccess.h.
//
//===----------------------------------------------------------------------===//

#include "DescAccess.h"

using namespace tessera::interpreter;

DescTile tessera::interpreter::expandTile(Program &program,
                                          const Instruction &instruction,
                                          llvm::ArrayRef<int64_t> shape,
                                          unsigned width) {
  const Descriptor &descriptor =
      *program.slot(instruction.operands[0]).descriptor;
  Shape offsets;
  for (size_t d = 0; d < shape.size(); ++d)
    offsets.push_back(program.get(instruction, 1 + d)->getExactAt(0));
  DescTile tile{Tensor(ElementKind::Pointer, shape),
                Tensor(ElementKind::I1, shape)};
  for (int64_t i = 0; i < tile.mask.size(); ++i) {
    Shape coordinates = delinearize(i, shape);
    bool exists = true;
    uint64_t elements = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      // The sum does not wrap.
      __int128 place = __int128(offsets[d]) + coordinates[d];
      exists &= place >= 0 && place < descriptor.extents[d];
      elements += uint64_t(place) * uint64_t(descriptor.strides[d]);
    }
    *tile.mask.at(i) = exists;
    writeInteger(ElementKind::Pointer, tile.pointers.at(i),
                 descriptor.base + elements * width);
  }
  return tile;
}
