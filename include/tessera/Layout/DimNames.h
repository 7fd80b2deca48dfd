//===- DimNames.h - the names of layout dimensions --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algebra takes any names. These are the ones that the compiler's layouts
// agree on, so that no name is spelled out twice.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_DIMNAMES_H
#define TESSERA_LAYOUT_DIMNAMES_H

#include <string>

namespace tessera {

/// Which of the elements that one thread holds.
inline constexpr const char *kRegisterDim = "register";
/// Which thread of the warp.
inline constexpr const char *kLaneDim = "lane";
/// Which warp of the thread block.
inline constexpr const char *kWarpDim = "warp";
/// Which thread block of the cluster.
inline constexpr const char *kBlockDim = "block";
/// Which element of a shared-memory buffer.
inline constexpr const char *kOffsetDim = "offset";

/// The name of a tensor's axis: "dim0", "dim1", ...
inline std::string tensorDimName(int axis) {
  return "dim" + std::to_string(axis);
}

} // namespace tessera

#endif // TESSERA_LAYOUT_DIMNAMES_H
