//===- Mma.h - register layouts of tensor-core operands ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync computes D = A * B + C on small matrices that the 32 lanes of a warp
// hold in their registers. Which lane has to hold which element is laid down by
// the PTX ISA, sections "Matrix Fragments for mma.m8n8k4 / m16n8k4 / m16n8k8 /
// m16n8k16 / m16n8k32". The tables for all shapes and types offered here are
// instances of one rule. With e = elements in a 32-bit register (4, 2, 1 for
// 8-, 16-, 32-bit types; 1 for f64, which takes a register pair), from the
// lowest bit of the index upwards:
//
//              register                              lane
//     A (MxK)  k: 1 .. e/2   m: 8   k: 4e .. K/2     k: e, 2e   m: 1, 2, 4
//     B (KxN)  k: 1 .. e/2   k: 4e .. K/2            k: e, 2e   n: 1, 2, 4
//     C (MxN)  n: 1          m: 8                    n: 2, 4    m: 1, 2, 4
//
// ("m: 8" only for M = 16.) "register" counts elements in the order of the
// instruction's operands: a0, a1, ...; in a packed 32-bit register the low part
// comes first.
//
// Whole tiles
// -----------
// A tile is dealt out to the warps in contiguous boxes of instruction tiles:
// warp w of warpsPerCTA = [WM, WN] stands at (w % WM, w / WM), so warps next to
// each other are stacked along M, as the warps of a wgmma group are. Contiguous
// boxes keep neighbouring n8 tiles in one warp wherever its share of N is 16 or
// more, and ldmatrix.x4 loads B for two of them. Where a tile has fewer
// instruction tiles along an axis than there are warps, the lowest warps along
// this axis share them and the others hold copies (zero bases).
//
// A is the same for all warps along N, B for all warps along M: zero bases too.
//
// The registers of one instruction are contiguous. In front of them stand the
// numbers of the instruction within the warp's box (see firstMmaRegister):
//
//     A   ((mi * kSteps) + ki) * registers of one instruction
//     B   ((ni * kSteps) + ki) * registers of one instruction
//     C   ((mi * nSteps) + ni) * registers of one instruction
//
// So a code generator slices registers and needs no layout to find the operands
// of instruction (mi, ni, ki). As a consequence of these orders, a 16-bit C of
// shape MxN has the layout of A for a following product with K = N, m16n8k16,
// as long as all warps are along M: chained products need no data movement.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_MMA_H
#define TESSERA_LAYOUT_MMA_H

#include "tessera/Layout/LinearLayout.h"

namespace tessera {

/// A is MxK, B is KxN; C stands for the accumulators C and D, MxN.
enum class MmaOperand { A, B, C };

/// The shape of one instruction, e.g. m16n8k16.
struct MmaShape {
  int m, n, k;

  bool operator==(const MmaShape &other) const {
    return m == other.m && n == other.n && k == other.k;
  }
};

/// How many elements of `operand` each lane holds for one instruction of a
/// shape that makeMmaFragment accepts.
int32_t mmaRegisters(MmaShape shape, MmaOperand operand);

/// Registers of a thread, of 32 bits, that one instruction takes at once: its
/// fragments, and 18 that ptxas keeps beside them (measured with 13.0, whose
/// C7602 names the number).
int32_t countMmaRegisters(MmaShape shape, int operandBits, int accumulatorBits);

/// One instruction's fragment, (register, lane) -> (dim0, dim1); a bijection.
///
/// Shapes by the width of A's and B's elements: 8 bits (s8, u8, e4m3, e5m2)
/// m16n8k16, m16n8k32; 16 bits (f16, bf16) m16n8k8, m16n8k16; 32 bits (tf32)
/// m16n8k4, m16n8k8; 64 bits (f64) m8n8k4, m16n8k4, m16n8k8, m16n8k16.
/// Accumulators have 64 bits for f64, 32 bits for all others, and may have 16
/// for 8- and 16-bit operands. nullopt, with the reason in `error` if given,
/// for anything else.
std::optional<LinearLayout> makeMmaFragment(MmaShape shape, MmaOperand operand,
                                            int elementBits,
                                            std::string *error = nullptr);

/// How a product is cut up: the grid of warps, along M and N (powers of two),
/// and the instruction.
struct MmaTiling {
  std::vector<int32_t> warpsPerCTA;
  MmaShape shape;
};

/// How many instructions one warp executes along each axis of a product.
struct MmaSteps {
  int32_t m, n, k;
};

/// The steps of an M x N x K product. nullopt, with the reason in `error` if
/// given, if a size is no power of two, `warpsPerCTA` has not two entries, or
/// the tile is smaller than one instruction.
std::optional<MmaSteps> countMmaSteps(int32_t M, int32_t N, int32_t K,
                                      const MmaTiling &tiling,
                                      std::string *error = nullptr);

/// The register with which an instruction's fragment of `operand` begins:
/// (outer, inner) is (mi, ki) for A, (ni, ki) for B, (mi, ni) for C. The
/// fragment takes mmaRegisters(shape, operand) registers.
int32_t firstMmaRegister(MmaShape shape, MmaOperand operand,
                         const MmaSteps &steps, int32_t outer, int32_t inner);

/// The accumulators of an M x N tile: (register, lane, warp) -> (dim0, dim1).
/// Surjective. nullopt as for countMmaSteps, or if no instruction has this
/// shape.
std::optional<LinearLayout> makeMmaAccumulator(int32_t M, int32_t N,
                                               const MmaTiling &tiling,
                                               std::string *error = nullptr);

/// The M x K operand A to go with these accumulators: (register, lane, warp) ->
/// (dim0, dim1). Surjective. nullopt as for countMmaSteps, or if there is no
/// such instruction for elements of this width.
std::optional<LinearLayout> makeMmaOperandA(int32_t M, int32_t K,
                                            const MmaTiling &tiling,
                                            int elementBits,
                                            std::string *error = nullptr);

/// The K x N operand B; otherwise as makeMmaOperandA.
std::optional<LinearLayout> makeMmaOperandB(int32_t K, int32_t N,
                                            const MmaTiling &tiling,
                                            int elementBits,
                                            std::string *error = nullptr);

/// The grid [WM, WN] of `numWarps` warps for an M x N tile under which a warp's
/// operand traffic, its rows of A plus its columns of B for each k, is least;
/// among equals the one with most warps along M (rows stay in one warp: cheap
/// row reductions, chained products). An axis gets no more warps than it has
/// instruction tiles, so that some hold copies, unless the other axis is full.
/// nullopt, with the reason in `error` if given, if a number is no power of two
/// or the tile is smaller than one instruction.
std::optional<std::vector<int32_t>> chooseWarps(int32_t M, int32_t N,
                                                int32_t numWarps,
                                                MmaShape shape,
                                                std::string *error = nullptr);

} // namespace tessera

#endif // TESSERA_LAYOUT_MMA_H
