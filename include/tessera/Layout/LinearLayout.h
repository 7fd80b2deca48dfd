//===- LinearLayout.h - layouts as linear maps over F2 ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where does each element of a tensor live? A layout answers with a function
// from places in the hardware to coordinates of the tensor:
//
//     (register, lane, warp)  ->  (dim0, dim1)        values held in registers
//     (offset)                ->  (dim0, dim1)        a shared-memory buffer
//
// (From place to coordinate, not back: one element may live in several places,
// but one place holds one element.)
//
// All sizes are powers of two, so an index is a string of bits. The layouts
// that GPUs use (blocked, matrix-multiply fragments, swizzled buffers) share
// one property: each bit of the index contributes a fixed coordinate, and the
// contributions combine by xor. That is to say, they are LINEAR MAPS OVER F2,
// the field {0, 1} whose addition is xor:
//
//     L(a ^ b) = L(a) ^ L(b)
//
// A linear map is known once it is known on the powers of two. Those values,
// one coordinate vector for each index bit, are the layout's BASES; they are
// the columns of its matrix, and they are all that this class stores.
//
// Example 1: registers
// --------------------
// A 4x4 tensor held by 2 registers x 4 lanes x 2 warps:
//
//     register = [[0, 1]]           register 1: one column to the right
//     lane     = [[0, 2], [1, 0]]   lane 1: two columns right, lane 2: one down
//     warp     = [[2, 0]]           warp 1: two rows down
//
//     L(register = 1, lane = 3, warp = 0) = [0,1] ^ [0,2] ^ [1,0] = [1,3]
//
// The same as a matrix (a dot is 0). It is invertible, as each element is held
// exactly once:
//
//                      register   lane     warp
//                        b0      b0  b1     b0
//          dim0 bit 0     .       .   1      .
//          dim0 bit 1     .       .   .      1
//          dim1 bit 0     1       .   .      .
//          dim1 bit 1     .       1   .      .
//
// Example 2: a swizzled buffer
// ----------------------------
// A 4x4 buffer in which row r is stored with its columns xor-ed by r, so that
// reading down a column touches every bank:
//
//     offset = [[0, 1], [0, 2], [1, 1], [2, 2]]     col = (offset % 4) ^ row
//
// The last two bases move one row on and, at the same time, the column: an xor
// is as linear as a shift. This is why swizzles need no special treatment.
//
// Example 3: replication
// ----------------------
// A base of zero says that a bit changes nothing: all lanes that differ in this
// bit only hold the same element. In general a bit is FREE if its base is a sum
// of bases of earlier bits. Each free bit adds a dimension to the null space of
// L and doubles the number of places of each element:
//
//     every element of the image is held 2^(input bits - rank) times
//
// From questions to algebra
// -------------------------
//   Is every element held at all?            isSurjective: rank = output bits
//   Is none held twice?                      isInjective:  rank = input bits
//   Who holds element y?                     pseudoInvert()(y)
//   In which register and lane of S do I     D.invertAndCompose(S): the X with
//   find what layout D wants here?           S(X(i)) = D(i)
//   Is it in my own warp? my own lane?       X.preserves("warp"), ("lane")
//   How wide may a vector access be?         contiguity("register", "dim1")
//   How does a layout repeat a small tile?   tile * repetition (direct sum)
//   Is this layout made of that tile?        divideLeft(tile)
//   reduce along an axis                     removeOutDim
//   trans, reshape                           transposeOuts, reshapeOuts
//   broadcast of 1xN (operand's layout)      resizeOut(axis, 1)
//
// Two orders that are easily mixed up
// -----------------------------------
// Packed in one word, the FIRST dim has the lowest bits (the register varies
// fastest, then the lane). Tensors are row-major: the LAST axis varies fastest.
// Functions that glue dims together take a `Fastest` and default to the first
// reading for input dims and to the second one for output dims.
//
// Conventions
// -----------
// * Dims are named and ordered; names are unique on each side. A dim of size 1
//   has no bits; a dim that a layout does not have is treated like one of size
//   1 by queries (getInDimSize, apply, sublayout, contiguity, ...).
// * Limits: a dim has at most 2^30 values, each side at most 64 bits in all.
// * Operations that may be refused return std::optional; nothing throws.
//   The few that return a plain layout state their precondition; breaking it is
//   an error in the caller's program, not in a user's input, and aborts.
//
// Reading: "Linear Layouts: Robust Code Generation of Efficient Tensor
// Computation Using F2", arXiv 2505.23819.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_LINEARLAYOUT_H
#define TESSERA_LAYOUT_LINEARLAYOUT_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

class EchelonBasis;

/// A named dimension with values 0 .. size-1; size is a power of two <= 2^30.
struct LayoutDim {
  std::string name;
  int32_t size;

  bool operator==(const LayoutDim &other) const {
    return name == other.name && size == other.size;
  }
  bool operator!=(const LayoutDim &other) const { return !(*this == other); }
};

/// Which end of a list of dims varies fastest when they are read as one index.
enum class Fastest {
  FirstDim, ///< Column-major: the packing order, natural for hardware indices.
  LastDim,  ///< Row-major: natural for tensors.
};

/// A linear map over F2 from named input dims to named output dims. A value
/// type: no operation changes a layout in place.
class LinearLayout {
public:
  /// An input dim's name with its bases: one coordinate vector for each bit of
  /// the dim, lowest bit first; one coordinate for each output dim, in order.
  using NamedBases = std::pair<std::string, std::vector<std::vector<int32_t>>>;
  using NamedValue = std::pair<std::string, int32_t>;
  using Names = std::vector<std::string>;

  //===--------------------------------------------------------------------===//
  // Construction
  //===--------------------------------------------------------------------===//

  /// The layout without dims: the unit of the product. (Also what the default
  /// constructor gives.)
  static LinearLayout empty() { return LinearLayout(); }
  LinearLayout() = default;

  /// A layout from its bases. Refused, with the reason in `error` if given,
  /// when a size is not a power of two, a base has the wrong number of
  /// coordinates or one outside [0, size), a name is empty or occurs twice on
  /// one side, or a limit is exceeded. Need not be surjective.
  static std::optional<LinearLayout> create(std::vector<NamedBases> bases,
                                            std::vector<LayoutDim> outDims,
                                            std::string *error = nullptr);

  /// x -> x, for 0 <= x < size. Precondition: size is a power of two <= 2^30.
  static LinearLayout identity1D(int32_t size, std::string in, std::string out);

  /// x -> 0: `size` places that hold the same element. The output dim has
  /// `outSize` values. Precondition: both are powers of two <= 2^30.
  static LinearLayout zeros1D(int32_t size, std::string in, std::string out,
                              int32_t outSize = 1);

  /// x -> stride * x; the output dim has size * stride values. Precondition:
  /// size, stride and their product are powers of two <= 2^30.
  static LinearLayout strided1D(int32_t size, int32_t stride, std::string in,
                                std::string out);

  //===--------------------------------------------------------------------===//
  // Queries
  //===--------------------------------------------------------------------===//

  const std::vector<LayoutDim> &inDims() const { return ins; }
  const std::vector<LayoutDim> &outDims() const { return outs; }
  Names inDimNames() const;
  Names outDimNames() const;
  bool hasInDim(std::string_view name) const;
  bool hasOutDim(std::string_view name) const;

  /// Size of a dim; 1 if there is no such dim.
  int32_t getInDimSize(std::string_view name) const;
  int32_t getOutDimSize(std::string_view name) const;
  int getInDimSizeLog2(std::string_view name) const;
  int getOutDimSizeLog2(std::string_view name) const;

  /// Bits of all input (output) dims together: columns (rows) of the matrix.
  int totalInBits() const { return static_cast<int>(columns.size()); }
  int totalOutBits() const;

  /// L(in = 2^bit, all else 0): one coordinate for each output dim. Zero for a
  /// bit that the dim does not have.
  std::vector<int32_t> getBasis(std::string_view in, int bit) const;
  /// The same, coordinate `out` only.
  int32_t getBasis(std::string_view in, int bit, std::string_view out) const;

  /// Evaluates the map. Values may come in any order; a dim not listed is 0,
  /// names that are no input dims are ignored, and so are bits of a value above
  /// the dim's size. Gives one value for each output dim, in order.
  std::vector<NamedValue> apply(const std::vector<NamedValue> &values) const;

  /// The same by position: values in the order of inDims() (missing ones are
  /// 0), result in the order of outDims().
  std::vector<int32_t>
  applyValues(const std::vector<int32_t> &inValuesInOrder) const;

  /// The same on packed words (the first dim in the lowest bits): the xor of
  /// the columns that `packedIn` selects. The form for inner loops.
  uint64_t applyPacked(uint64_t packedIn) const;

  /// One line, stable, e.g.
  /// `{register = [[0, 1]], lane = [[0, 2], [1, 0]]} -> {dim0 = 2, dim1 = 4}`.
  std::string str() const;

  /// Same dims in the same order, same bases.
  bool operator==(const LinearLayout &other) const;
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }

  //===--------------------------------------------------------------------===//
  // Algebra
  //===--------------------------------------------------------------------===//

  /// First this, then `outer`: x -> outer(this(x)). `outer` has to take exactly
  /// the output dims of this (in any order), each at least as large; else
  /// nullopt.
  std::optional<LinearLayout> compose(const LinearLayout &outer) const;

  /// The inverse of a bijective layout, else nullopt.
  std::optional<LinearLayout> invert() const;

  /// A right inverse R of a surjective layout, this(R(y)) = y, else nullopt.
  /// Of all places that hold y, R(y) is the one in which every free bit (see
  /// freeVariableMasks) is zero: low input bits are used before high ones, so
  /// with dims (register, lane, warp) other warps only when needed.
  std::optional<LinearLayout> pseudoInvert() const;

  /// A map X from the input dims of this to those of `dst` with
  /// dst(X(x)) = this(x): where `dst` holds what this holds at x. nullopt if
  /// the output dims have different names or `dst` does not hold some element
  /// of this's image. (The sizes of output dims may differ.)
  ///
  /// Where `dst` holds elements several times there is a choice, made bit by
  /// bit: a bit whose base is the same in both layouts stays where it is (no
  /// data moves along it), any other one gets the solution whose free bits are
  /// zero.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &dst) const;

  /// The direct sum this * other: the map of both side by side,
  ///     (x, y) -> (this(x), other(y)).
  /// A dim that both have is concatenated: this's bits are the lower ones (on
  /// either side). Think of `this` as a tile and of `other` as the pattern in
  /// which the tile is repeated. Dims: this's, then those only other has.
  /// Associative, not commutative; empty() is its unit. nullopt if a limit is
  /// exceeded.
  std::optional<LinearLayout> product(const LinearLayout &other) const;

  /// product() with the precondition that no limit is exceeded.
  LinearLayout operator*(const LinearLayout &other) const;

  /// The layout Q with `left * Q == this`, up to the order of dims; nullopt if
  /// there is none or `left` has a dim that this lacks. Q keeps all dims of
  /// this, in this's order, those used up with size 1.
  std::optional<LinearLayout> divideLeft(const LinearLayout &left) const;

  /// The layout Q with `Q * right == this`; otherwise as divideLeft.
  std::optional<LinearLayout> divideRight(const LinearLayout &right) const;

  /// The block of the matrix with the given input and output dims, in this
  /// layout's order. Names that do not occur are ignored.
  LinearLayout sublayout(const Names &inNames, const Names &outNames) const;

  /// Whether that block is zero: the inputs do not influence the outputs.
  bool sublayoutIsZero(const Names &inNames, const Names &outNames) const;

  //===--------------------------------------------------------------------===//
  // Shape
  //===--------------------------------------------------------------------===//

  /// The same map with its dims listed in another order (it has to be a
  /// permutation). For the tensor op `trans`, rename afterwards:
  /// transposeOuts({"dim1", "dim0"}), then renameOuts({"dim0", "dim1"}).
  std::optional<LinearLayout> transposeOuts(const Names &newOrder) const;
  std::optional<LinearLayout> transposeIns(const Names &newOrder) const;

  /// Gives the dims new names, in order. nullopt if the number is wrong or the
  /// names are empty or not unique.
  std::optional<LinearLayout> renameOuts(const Names &newNames) const;
  std::optional<LinearLayout> renameIns(const Names &newNames) const;

  /// Reads the output (input) dims as one index, whose fastest dim `fastest`
  /// names, and cuts it anew into `newDims`, read the same way. nullopt if the
  /// number of bits differs or the dims are not valid.
  std::optional<LinearLayout>
  reshapeOuts(std::vector<LayoutDim> newDims,
              Fastest fastest = Fastest::LastDim) const;
  std::optional<LinearLayout>
  reshapeIns(std::vector<LayoutDim> newDims,
             Fastest fastest = Fastest::FirstDim) const;

  /// Reshapes to the one dim `name`. nullopt beyond 2^30 values.
  std::optional<LinearLayout>
  flattenOuts(std::string name, Fastest fastest = Fastest::LastDim) const;
  std::optional<LinearLayout>
  flattenIns(std::string name, Fastest fastest = Fastest::FirstDim) const;

  /// Projects a coordinate away: the layout of a reduction's result. Bits that
  /// moved along this dim only become zero bases. nullopt if it is absent.
  std::optional<LinearLayout> removeOutDim(std::string_view name) const;

  /// Takes a coordinate modulo `newSize`, or widens its range without using the
  /// new part. nullopt if the dim is absent, or newSize is invalid.
  std::optional<LinearLayout> resizeOut(std::string_view name,
                                        int32_t newSize) const;

  /// resizeOut(name, 1): a reduction that keeps its axis, with extent 1.
  std::optional<LinearLayout> zeroOutDim(std::string_view name) const;

  /// Inserts an output dim, whose coordinate is always 0, before position
  /// `position` (0 .. number of dims). nullopt if the name exists already, the
  /// size is invalid or the position lies outside.
  std::optional<LinearLayout> appendOutDim(std::string name, int32_t size,
                                           int position) const;

  /// Drops the bits of input dim `in` whose base is zero; the others move
  /// together. For registers: keep one copy of each value of a thread.
  LinearLayout removeZeroBases(std::string_view in) const;

  //===--------------------------------------------------------------------===//
  // Analysis
  //===--------------------------------------------------------------------===//

  /// The dimension of the image: it has 2^rank elements.
  int rank() const;
  bool isSurjective() const { return rank() == totalOutBits(); }
  bool isInjective() const { return rank() == totalInBits(); }
  bool isBijective() const { return isSurjective() && isInjective(); }

  /// For each input dim the bits that reach no new element, given those before
  /// them (lower bits of the dim, and all bits of earlier dims): their bases
  /// are sums of earlier bases. A place is the first holder of its element
  /// exactly if all its free bits are zero, e.g. `(lane & masks["lane"]) == 0`
  /// and so on: the condition under which a thread stores.
  std::map<std::string, int32_t> freeVariableMasks() const;

  /// The largest power of two n for which every aligned run x .. x+n-1 of input
  /// dim `in`, whatever the other inputs are, has consecutive ascending
  /// coordinates c .. c+n-1 in `outDim` and all other coordinates fixed. Then c
  /// is a multiple of n too. At least 1.
  int32_t contiguity(std::string_view in, std::string_view outDim) const;

  /// Whether output `dim` always has the value of the input dim of that name,
  /// whatever the other inputs are: for a map between places, whether nothing
  /// moves between the values of `dim`.
  bool preserves(std::string_view dim) const;

private:
  LinearLayout(std::vector<LayoutDim> ins, std::vector<LayoutDim> outs,
               std::vector<uint64_t> columns)
      : ins(std::move(ins)), outs(std::move(outs)),
        columns(std::move(columns)) {}

  /// All columns, inserted in order.
  EchelonBasis echelon() const;

  std::vector<LayoutDim> ins;
  std::vector<LayoutDim> outs;
  /// One column for each input bit, the bits of the first input dim first;
  /// within a column the first output dim has the lowest bits.
  std::vector<uint64_t> columns;
};

} // namespace tessera

#endif // TESSERA_LAYOUT_LINEARLAYOUT_H
