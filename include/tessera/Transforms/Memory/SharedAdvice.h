//===- SharedAdvice.h - what would fit into shared memory -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The changes nearest to a kernel whose buffers are too large: fewer stages, or
// a smaller tile. Both are tried on its IntervalProblem, in which a buffer
// never takes less than it would in the changed kernel.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_MEMORY_SHAREDADVICE_H
#define TESSERA_TRANSFORMS_MEMORY_SHAREDADVICE_H

#include "tessera/Transforms/Memory/Lifetimes.h"

#include <optional>
#include <string>

namespace tessera {

/// How many slots the longest rings have to give up for everything to fit into
/// `limit` bytes; nothing where even one slot is too much. A stage is a slot.
std::optional<int64_t> countSlotsTooMany(const Lifetimes &lifetimes,
                                         int64_t limit);

/// Which number of stages, else which tile, makes everything fit into `limit`
/// bytes: "num_stages = 3 fits", "a product of 128x128x64 fits in place of
/// 128x128x256". Empty where neither is known to.
std::string describeWhatFits(const Lifetimes &lifetimes, int64_t limit);

/// The same of tiles alone, with as many stages as there are.
std::string describeTileThatFits(const Lifetimes &lifetimes, int64_t limit);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_MEMORY_SHAREDADVICE_H
