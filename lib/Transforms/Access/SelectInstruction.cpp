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

/// Why wgmma does not multiply the operands whatever their shape is, and what
/// would help; no reason where it may.
static InstructionChoice checkWgmmaTypes(tile::DotOp dot) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  Type acc = getElementTypeOrSelf(dot.getType());
  if (a.getRank() != 2)
    return {nullptr, "wgmma takes no batches", "a program for each product"};
  if (!a.getElementType().isF16() && !a.getElementType().isBF16())
    return {nullptr, "wgmma is used for operands of f16 and bf16", ""};
  if (!acc.isF32())
    return {nullptr, "wgmma is used with accumulators of f32",
            "accumulators of f32"};
  return {};
}

/// The same for the shape of a program's tile, m x n x k, and its warps.
static InstructionChoice checkWgmmaShape(int32_t m, int32_t n, int32_t k,
                                         int32_t numWarps) {
  InstructionChoice choice;
  constexpr int32_t kLeast = 16;
  auto isShort = [&](int32_t extent, StringRef dim) {
    if (extent >= kLeast)
      return false;
    choice.reason =
        llvm::formatv("a tile of {0} along {1} is less than wgmma's "
                      "{2}",
                      extent, dim, kLeast);
    choice.suggestion = llvm::formatv("blocks of {0} or more along {1}", kLeast,
                                      dim);
    return true;
  };
  if (isShort(n, "N") || isShort(k, "K") ||
      chooseWgmmaTiling(m, n, numWarps, &choice.reason))
    return choice;
  if (numWarps % kWarpsPerGroup != 0)
    choice.suggestion = "4 warps or more";
  else if (m % kWgmmaM != 0)
    choice.suggestion = "blocks that are multiples of 64 along M";
  else
    choice.suggestion = "fewer warps, or larger blocks";
  return choice;
}

/// wgmma, or the reason why not; no instruction and no reason where the target
/// has none.
static InstructionChoice selectWgmma(tile::DotOp dot, const TargetInfo &target,
                                     int32_t numWarps) {
  if (!target.hasWgmma())
    return {};
  InstructionChoice choice = checkWgmmaTypes(dot);
  if (!choice.reason.empty())
    return choice;
  auto acc = cast<RankedTensorType>(dot.getType());
  int32_t m = acc.getDimSize(0), n = acc.getDimSize(1);
  int32_t k = cast<RankedTensorType>(dot.getA().getType()).getDimSize(1);
  // Fewest warps that a compiler would choose, where it may.
  int32_t warps = numWarps ? numWarps : kWarpsPerGroup;
  choice = checkWgmmaShape(m, n, k, warps);
  if (choice.reason.empty())
    choice.instruction =
        InstructionAttr::get(dot.getContext(), DotKind::Wgmma, kWgmmaM,
                             chooseWgmmaTiling(m, n, warps)->n, 16);
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
    choice.suggestion = wgmma.suggestion;
    return choice;
  }
  MmaShape least = family->shapes.back();
  fma.reason = llvm::formatv("a tile of {0}x{1}x{2} is smaller than mma.sync's "
                             "m{3}n{4}k{5}",
                             tile.m, tile.n, tile.k, least.m, least.n, least.k);
  fma.suggestion = "larger block sizes";
  return fma;
}
