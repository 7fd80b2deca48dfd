//===- SelectInstruction.h - the instruction of a dot -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_SELECTINSTRUCTION_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_SELECTINSTRUCTION_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Target/TargetInfo.h"

#include <string>

namespace tessera {

/// An instruction, and why it is no better one.
struct InstructionChoice {
  tile_gpu::InstructionAttr instruction;
  /// Empty for the best instruction that there is.
  std::string reason;
  /// What an author can do about it; empty for nothing.
  std::string suggestion;
  /// Whether the instruction is one of f16, and takes operands of 8 bits when
  /// they are converted to it: f16 contains both 8-bit types.
  bool widens = false;
};

/// wgmma where the target has it and operand types, shape and warps allow, else
/// mma.sync, else fma. `numWarps` is 0 where the compiler is to choose.
InstructionChoice selectInstruction(tile::DotOp dot, const TargetInfo &target,
                                    int32_t numWarps);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_SELECTINSTRUCTION_H
