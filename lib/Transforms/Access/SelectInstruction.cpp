//===- SelectInstruction.cpp - the instruction of a dot -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectInstruction.h"

#include "tessera/Layout/Mma.h"
#include "tessera/Layout/Wgmma.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {
/// Shapes of mma.sync for one operand type, the best first (PTX ISA, "mma").
struct MmaFamily {
  MmaType type;
  SmallVector<MmaShape> shapes;
};
} // namespace

static MmaFamily getFloat16Family() {
  return {MmaType::F16, {{16, 8, 16}, {16, 8, 8}}};
}

static std::optional<MmaFamily> getFamily(tile::DotOp dot) {
  Type type = getElementTypeOrSelf(dot.getA().getType());
  if (type.isF16())
    return getFloat16Family();
  if (type.isBF16())
    return MmaFamily{MmaType::BF16, {{16, 8, 16}, {16, 8, 8}}};
  if (type.isF32() && dot.getPrecision() == tile::InputPrecision::TF32)
    return MmaFamily{MmaType::TF32, {{16, 8, 8}, {16, 8, 4}}};
  if (type.isF64())
    return MmaFamily{MmaType::F64, {{8, 8, 4}}};
  if (type.isInteger(8))
    return MmaFamily{MmaType::I8, {{16, 8, 32}, {16, 8, 16}}};
  if (tile::isFloat8(type))
    return MmaFamily{MmaType::F8, {{16, 8, 32}}};
  return std::nullopt;
}

/// wgmma, or the reason why not; no instruction and no reason where the target
/// has none.
static InstructionChoice selectWgmma(tile::DotOp dot, const TargetInfo &target,
                                     int32_t numWarps) {
  InstructionChoice choice;
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto acc = cast<RankedTensorType>(dot.getType());
  Type type = a.getElementType();
  if (!target.hasWgmma() || a.getRank() != 2 || !(type.isF16() || type.isBF16()) ||
      !acc.getElementType().isF32())
    return choice;
  int32_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = a.getDimSize(1);
  // Fewest warps that a compiler would choose, where it may.
  auto tiling = chooseWgmmaTiling(m, n, numWarps ? numWarps : kWarpsPerGroup,
                                  &choice.reason);
  if (!tiling)
    return choice;
  if (k < 16 || n < 16) {
    choice.reason = "a tile this small has rows too short for wgmma";
    return choice;
  }
  choice.instruction = InstructionAttr::get(dot.getContext(), DotKind::Wgmma,
                                            kWgmmaM, tiling->n, 16);
  return choice;
}

/// The first of `shapes` that is no larger than the tile.
static std::optional<MmaShape> findShape(ArrayRef<MmaShape> shapes,
                                         MmaShape tile) {
  for (MmaShape shape : shapes)
    if (tile.m >= shape.m && tile.n >= shape.n && tile.k >= shape.k)
      return shape;
  return std::nullopt;
}

InstructionChoice tessera::selectInstruction(tile::DotOp dot,
                                             const TargetInfo &target,
                                             int32_t numWarps) {
  MLIRContext *context = dot.getContext();
  InstructionChoice wgmma = selectWgmma(dot, target, numWarps);
  if (wgmma.instruction)
    return wgmma;
  InstructionChoice fma;
  fma.instruction = InstructionAttr::get(context, DotKind::FMA, 1, 1, 1);
  std::optional<MmaFamily> family = getFamily(dot);
  if (!family) {
    fma.reason = "mma.sync has no f32 operands at full precision";
    fma.suggestion = "precision(tf32)";
    return fma;
  }
  ArrayRef<int64_t> a = cast<RankedTensorType>(dot.getA().getType()).getShape();
  MmaShape tile = {
      int32_t(a[a.size() - 2]),
      int32_t(cast<RankedTensorType>(dot.getB().getType()).getShape().back()),
      int32_t(a.back())};
  std::optional<MmaShape> shape;
  if (target.hasMmaSync(family->type))
    shape = findShape(family->shapes, tile);
  bool widens = !shape && family->type == MmaType::F8;
  if (widens) {
    family = getFloat16Family();
    shape = findShape(family->shapes, tile);
  }
  if (shape) {
    InstructionChoice choice;
    choice.instruction = InstructionAttr::get(context, DotKind::MmaSync,
                                              shape->m, shape->n, shape->k);
    choice.widens = widens;
    choice.reason = wgmma.reason;
    if (!choice.reason.empty())
      choice.suggestion = "blocks that are multiples of 64 along M, and 4 "
                          "warps or more";
    return choice;
  }
  MmaShape least = family->shapes.back();
  fma.reason = llvm::formatv("a tile of {0}x{1}x{2} is smaller than mma.sync's "
                             "m{3}n{4}k{5}",
                             tile.m, tile.n, tile.k, least.m, least.n, least.k);
  fma.suggestion = "larger block sizes";
  return fma;
}
