//===- LinearLayoutAnalysis.cpp - rank, replication, contiguity -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"
#include "tessera/Layout/F2.h"
#include "tessera/Layout/LinearLayout.h"

#include <algorithm>

using namespace tessera;

int LinearLayout::rank() const { return echelon().rank(); }

std::map<std::string, int32_t> LinearLayout::freeVariableMasks() const {
  EchelonBasis basis;
  std::map<std::string, int32_t> masks;
  int index = 0;
  for (const LayoutDim &dim : ins) {
    int32_t mask = 0;
    for (int bit = 0; bit < log2Floor(dim.size); ++bit, ++index)
      if (!basis.insert(columns[index], index))
        mask |= int32_t(1) << bit;
    masks[dim.name] = mask;
  }
  return masks;
}

int32_t LinearLayout::contiguity(std::string_view in,
                                 std::string_view outDim) const {
  int inIndex = packing::find(ins, in);
  int outIndex = packing::find(outs, outDim);
  if (inIndex < 0 || outIndex < 0)
    return 1;
  size_t inStart = packing::fieldOffset(ins, inIndex);
  int outStart = packing::fieldOffset(outs, outIndex);
  int limit =
      std::min(log2Floor(ins[inIndex].size), log2Floor(outs[outIndex].size));

  // L(x + j) = L(x) ^ L(j) for aligned x and j < n = 2^k. This is L(x) + j in
  // outDim for all x and j exactly if (1) L(j) = j, and (2) the low k bits of
  // every L(x) are zero there: x ranges over the span of all other columns.
  // Both conditions for k imply those for k - 1, so the first failure decides.
  auto holds = [&](int k) {
    uint64_t lowBits = ((uint64_t(1) << k) - 1) << outStart;
    for (size_t i = 0; i < columns.size(); ++i) {
      bool inRun = i >= inStart && i < inStart + k;
      if (inRun ? columns[i] != uint64_t(1) << (outStart + i - inStart)
                : (columns[i] & lowBits) != 0)
        return false;
    }
    return true;
  };
  int k = 0;
  while (k < limit && holds(k + 1))
    ++k;
  return int32_t(1) << k;
}

bool LinearLayout::preserves(std::string_view dim) const {
  // Enough to look at the bases: the coordinate is 2^bit for bit `bit` of `dim`
  // and 0 for all other bits. 2^bit may lie outside the output dim, then no
  // base has it.
  for (const LayoutDim &in : ins)
    for (int bit = 0; bit < log2Floor(in.size); ++bit)
      if (getBasis(in.name, bit, dim) != (in.name == dim ? 1 << bit : 0))
        return false;
  return true;
}
