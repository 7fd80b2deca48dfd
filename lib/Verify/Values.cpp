//===- Values.cpp - values of arguments and buffers -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes lie around the sizes of blocks; loops run no, one, a few and many
// iterations; strides leave room for all that lies between two rows.
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

/// What "aligned" sizes and strides are multiples of, in elements: 16 bytes of
/// the smallest type.
static constexpr int64_t kAlignment = 16;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {

class ArgumentChooser {
public:
  ArgumentChooser(ArrayRef<ArgumentRole> roles, Flavor flavor, Random &random,
                  Input &input)
      : roles(roles), flavor(flavor), random(random), input(input) {}

  void run();

private:
  void chooseSize(unsigned index);
  int64_t chooseExtent(const ArgumentRole &role, bool isAligned);
  int64_t chooseTrips(const ArgumentRole &role, bool isAligned);
  void orderStrides(SmallVectorImpl<unsigned> &strides, bool isByColumns);
  void chooseStrides(unsigned pointer);
  bool isAligned(unsigned index) const {
    return flavor.isAligned(index, roles.size());
  }
  void set(unsigned index, int64_t value);

  ArrayRef<ArgumentRole> roles;
  Flavor flavor;
  Random &random;
  Input &input;
  int64_t largest = 1;
};

} // namespace

/// Sets an integer to what its facts and its type allow.
void ArgumentChooser::set(unsigned index, int64_t value) {
  const ArgumentRole &role = roles[index];
  value = llvm::divideCeil(value, role.divisor) * role.divisor;
  if (role.equals)
    value = *role.equals;
  unsigned bits = getBitWidth(input.arguments[index].kind);
  if (bits == 1)
    value &= 1;
  else if (bits < 32)
    value = std::min(value, (int64_t(1) << (bits - 1)) - 1);
  input.arguments[index].integer = value;
}

/// A bound of a loop: iterations times the step, the last one in part.
int64_t ArgumentChooser::chooseTrips(const ArgumentRole &role, bool isAligned) {
  int64_t stages = role.stages, step = role.step;
  if (role.stepArgument)
    step = std::max<int64_t>(1, input.arguments[*role.stepArgument].integer);
  int64_t trips[] = {stages, 2 * stages + 1, 0, 1, stages - 1, stages + 1};
  // The last: each slot of a pipeline is used, and one again.
  unsigned turn = flavor.columns == ColumnOrder::None
                      ? flavor.input + flavor.attempt / 2
                      : std::size(trips) - 1;
  int64_t count = trips[turn % std::size(trips)];
  if (count == 0)
    return 0;
  int64_t last = step;
  if (step > 1 && (!isAligned || flavor.attempt % 2))
    last = random.chance(1, 3) ? 1 : 1 + random.below(step);
  int64_t value = (count - 1) * step + last;
  return isAligned && step >= kAlignment
             ? int64_t(llvm::alignTo(value, kAlignment))
             : value;
}

/// Around a block: less than one, one, and more.
int64_t ArgumentChooser::chooseExtent(const ArgumentRole &role,
                                      bool isAligned) {
  if (role.countsPrograms && role.blocks.empty())
    return 1 + random.below(3);
  if (role.blocks.empty())
    return isAligned ? kAlignment * (1 + random.below(2)) : 1 + random.below(5);
  int64_t block = role.blocks[random.below(role.blocks.size())];
  if (isAligned) {
    int64_t sizes[] = {block, block + kAlignment, 2 * block, block / 2};
    return llvm::alignTo(sizes[random.below(4)], std::min(block, kAlignment));
  }
  int64_t sizes[] = {block - 1,     block + 1, block / 2 + 3,
                     2 * block + 5, 1,         block + 3};
  return sizes[random.below(std::size(sizes))];
}

void ArgumentChooser::chooseSize(unsigned index) {
  const ArgumentRole &role = roles[index];
  set(index, role.step ? chooseTrips(role, isAligned(index))
                       : chooseExtent(role, isAligned(index)));
  largest = std::max(largest, input.arguments[index].integer);
}

/// Innermost first: row-major in most cases, since fast variants of most
/// kernels know no other; what a fact says of a stride, it says of the
/// innermost one.
void ArgumentChooser::orderStrides(SmallVectorImpl<unsigned> &strides,
                                   bool isByColumns) {
  std::reverse(strides.begin(), strides.end());
  bool isRagged = flavor.input % 3 == 1;
  if (flavor.columns != ColumnOrder::None) {
    if (isByColumns)
      std::swap(strides[0], strides[1]);
  } else if (flavor.attempt % 3 == 2 || (isRagged && random.chance(1, 2))) {
    for (size_t i = strides.size() - 1; i > 0; --i)
      std::swap(strides[i], strides[random.below(i + 1)]);
  }
  std::stable_partition(strides.begin(), strides.end(), [&](unsigned stride) {
    return roles[stride].equals.has_value();
  });
}

/// The arguments that are strides of a pointer, in their order.
static SmallVector<unsigned> getStrides(ArrayRef<ArgumentRole> roles,
                                        unsigned pointer) {
  SmallVector<unsigned> strides;
  for (auto [i, role] : llvm::enumerate(roles))
    if (role.isStride && !role.isSize && !role.pointers.empty() &&
        role.pointers.front() == pointer)
      strides.push_back(i);
  return strides;
}

/// Whether `columns` is about the array of an argument.
static bool isByColumns(ArrayRef<ArgumentRole> roles, unsigned pointer,
                        ColumnOrder columns) {
  bool isMeant = (columns == ColumnOrder::SecondOperands &&
                  roles[pointer].isSecondOperand) ||
                 (columns == ColumnOrder::FirstOperands &&
                  roles[pointer].isFirstOperand);
  return isMeant && getStrides(roles, pointer).size() > 1;
}

bool verify::hasColumns(ArrayRef<ArgumentRole> roles, ColumnOrder columns) {
  return llvm::any_of(llvm::seq<unsigned>(0, roles.size()), [&](unsigned i) {
    return isByColumns(roles, i, columns);
  });
}

/// The strides of one pointer, each with room for the dimensions inside it.
void ArgumentChooser::chooseStrides(unsigned pointer) {
  SmallVector<unsigned> strides = getStrides(roles, pointer);
  if (strides.empty())
    return;
  orderStrides(strides, isByColumns(roles, pointer, flavor.columns));
  // One stride alone is that of rows, whose elements are adjacent.
  bool hasUnit =
      strides.size() > 1 ? flavor.attempt % 5 != 4 : flavor.attempt % 5 == 3;
  int64_t room = largest;
  if (hasUnit)
    room = isAligned(strides.front()) ? 1 : 1 + random.below(2);
  for (unsigned stride : strides) {
    bool isUnit = hasUnit && stride == strides.front();
    if (!isUnit)
      room = isAligned(stride) ? int64_t(llvm::alignTo(room, kAlignment))
                               : room + random.below(4);
    set(stride, room);
    room = std::max<int64_t>(1, input.arguments[stride].integer) * largest;
  }
}

void ArgumentChooser::run() {
  // Steps before the bounds of their loops.
  for (bool isBound : {false, true})
    for (auto [i, role] : llvm::enumerate(roles)) {
      InputArgument &argument = input.arguments[i];
      if (role.stepArgument.has_value() != isBound)
        continue;
      if (isFloat(argument.kind))
        argument.floating = double(1 + random.below(16)) / 8;
      else if (argument.kind != ElementKind::Pointer &&
               (role.isSize || !role.isStride || role.pointers.empty()))
        chooseSize(i);
    }
  for (auto [i, argument] : llvm::enumerate(input.arguments))
    if (argument.kind == ElementKind::Pointer)
      chooseStrides(i);
  input.grid = {1 + random.below(4), 1 + random.below(2), 1};
}

void verify::chooseArguments(ArrayRef<ArgumentRole> roles, Flavor flavor,
                             Random &random, Input &input) {
  ArgumentChooser(roles, flavor, random, input).run();
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

static double chooseFloat(DataKind data, Random &random) {
  switch (data) {
  case DataKind::Exact:
    return double(random.below(17) - 8) / 8;
  case DataKind::Small:
    return double(1 + random.below(8)) / 8;
  case DataKind::Wild:
    break;
  }
  // Rare, since one NaN of a row hides what else is in it.
  if (random.chance(1, 16384)) {
    double special[] = {0.0,
                        -0.0,
                        std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN(),
                        1e-40,
                        -60000};
    return special[random.below(std::size(special))];
  }
  return std::ldexp(double(random.next() >> 11), -52) - 1;
}

static uint64_t chooseInteger(DataKind data, Random &random) {
  switch (data) {
  case DataKind::Exact:
    return uint64_t(random.below(17) - 8);
  case DataKind::Small:
    return uint64_t(random.below(4));
  case DataKind::Wild:
    return random.next();
  }
  return 0;
}

void verify::writeData(ElementKind kind, DataKind data, uint64_t seed,
                       int64_t element, uint8_t *to) {
  Random random(seed ^ (uint64_t(element) * 0xd1342543de82ef95));
  random.next();
  if (isFloat(kind))
    writeFloat(kind, to, chooseFloat(data, random));
  else if (kind == ElementKind::I1)
    writeInteger(kind, to, random.next() >> 63);
  else
    writeInteger(kind, to, chooseInteger(data, random));
}
