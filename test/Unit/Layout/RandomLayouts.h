//===- RandomLayouts.h - layouts for property tests -------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random layouts from a seed, small enough to be enumerated, and an evaluation
// that goes back to the definition (a sum of bases) and does not use the
// library. The generator is used without std:: distributions, so that a seed
// gives the same layouts with every standard library.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
#define TESSERA_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H

#include "tessera/Layout/LinearLayout.h"

#include <random>
#include <set>

namespace tessera::test {

using Values = std::vector<int32_t>;
using Bases = std::vector<LinearLayout::NamedBases>;
using Dims = std::vector<LayoutDim>;

/// All value lists of the dims, the first dim varying fastest.
inline std::vector<Values> allValues(const Dims &dims) {
  std::vector<Values> result = {Values(dims.size(), 0)};
  int64_t count = 1;
  for (const LayoutDim &dim : dims)
    count *= dim.size;
  while (static_cast<int64_t>(result.size()) < count) {
    Values next = result.back();
    size_t i = 0;
    while (++next[i] == dims[i].size)
      next[i++] = 0;
    result.push_back(next);
  }
  return result;
}

/// The definition: the xor of the bases whose index bit is set.
inline Values evaluate(const Bases &bases, size_t numOuts, const Values &in) {
  Values result(numOuts, 0);
  for (size_t dim = 0; dim < bases.size(); ++dim)
    for (size_t bit = 0; bit < bases[dim].second.size(); ++bit)
      if (in[dim] >> bit & 1)
        for (size_t out = 0; out < numOuts; ++out)
          result[out] ^= bases[dim].second[bit][out];
  return result;
}

/// The values that the layout takes.
inline std::set<Values> imageOf(const LinearLayout &layout) {
  std::set<Values> image;
  for (const Values &in : allValues(layout.inDims()))
    image.insert(layout.applyValues(in));
  return image;
}

class RandomLayouts {
public:
  explicit RandomLayouts(uint32_t seed) : engine(seed) {}

  /// 0 .. bound-1.
  int32_t below(int32_t bound) {
    return static_cast<int32_t>(engine() % static_cast<uint32_t>(bound));
  }

  /// Sizes of 2^0 .. 2^maxBits.
  Dims dims(const std::vector<std::string> &names, int maxBits) {
    Dims result;
    for (const std::string &name : names)
      result.push_back({name, int32_t(1) << below(maxBits + 1)});
    return result;
  }

  /// Any bases; about one in five is zero, to have replication often.
  Bases bases(const Dims &ins, const Dims &outs) {
    Bases result;
    for (const LayoutDim &in : ins) {
      std::vector<std::vector<int32_t>> list;
      for (int32_t bit = 1; bit < in.size; bit *= 2) {
        bool zero = below(5) == 0;
        Values base;
        for (const LayoutDim &out : outs)
          base.push_back(zero ? 0 : below(out.size));
        list.push_back(base);
      }
      result.emplace_back(in.name, list);
    }
    return result;
  }

  LinearLayout layout(const Dims &ins, const Dims &outs) {
    return *LinearLayout::create(bases(ins, outs), outs);
  }

  /// Register, lane, warp to two axes; rank as it comes.
  LinearLayout layout() {
    return layout(dims({"register", "lane", "warp"}, 3),
                  dims({"dim0", "dim1"}, 3));
  }

  /// Random layouts until one is surjective.
  LinearLayout surjective() {
    while (true) {
      LinearLayout candidate = layout();
      if (candidate.isSurjective())
        return candidate;
    }
  }

private:
  std::mt19937 engine;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
