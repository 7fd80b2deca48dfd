//===- MappedArray.cpp - the array that a launch knows --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MappedArray.h"

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Analysis/Extension.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

/// Of addresses and strides, in bytes (CUDA Driver API,
/// cuTensorMapEncodeTiled).
static constexpr int64_t kAlignment = 16;
/// Most elements of a box along one dimension, and most bytes of a row.
static constexpr int64_t kMaxBoxRows = 256, kMaxRowBytes = 128;

SmallVector<Value> tessera::buildOrigin(OpBuilder &builder, Location loc,
                                        const MappedArray &array) {
  SmallVector<Value> origin;
  for (const MappedDim &dim : array.dims)
    origin.push_back(dim.origin
                         ? dim.origin
                         : arith::ConstantOp::create(
                               builder, loc, builder.getI32IntegerAttr(0))
                               .getResult());
  return origin;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether both are one sum or product but for the width it is computed in.
static bool isSameButForWidth(Value a, Value b, SearchBudget &budget) {
  if (!budget.spend())
    return false;
  a = stripExtension(a);
  b = stripExtension(b);
  if (a == b)
    return true;
  if (std::optional<int64_t> constant = getConstant(a))
    return constant == getConstant(b);
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  return x && y && x->getName() == y->getName() &&
         isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(x) &&
         isSameButForWidth(x->getOperand(0), y->getOperand(0), budget) &&
         isSameButForWidth(x->getOperand(1), y->getOperand(1), budget);
}

static std::optional<LaunchValue> getLaunchValue(Value value,
                                                 tile::FuncOp kernel) {
  if (std::optional<int64_t> constant = getConstant(value))
    return LaunchValue{nullptr, *constant};
  auto argument = dyn_cast<BlockArgument>(stripExtension(value));
  if (!argument || argument.getOwner() != &kernel.getBody().front())
    return std::nullopt;
  return LaunchValue{argument, 0};
}

/// What the value is known to be a multiple of.
static int64_t getDivisor(const LaunchValue &value, tile::FuncOp kernel) {
  if (!value.argument)
    return value.constant;
  ArgumentFacts facts = getArgumentFacts(kernel, value.argument.getArgNumber());
  return facts.equals ? *facts.equals : facts.divisibleBy;
}

//===----------------------------------------------------------------------===//
// The match
//===----------------------------------------------------------------------===//

namespace {
class Matcher {
public:
  Matcher(tile::MakeDescOp desc, tile::FuncOp kernel)
      : desc(desc), kernel(kernel),
        elementBytes(tile::getByteWidth(desc.getDescType().getElementType())) {}

  /// What is wrong; empty when `array` is filled.
  std::string match(bool isStored);
  MappedArray array;

private:
  std::string matchBase();
  std::string matchDim(unsigned dim);
  std::string checkAlignment(bool isStored);
  bool isStride(Value factor, Value stride);
  bool isProduct(Value summand, Value shift, Value stride);
  bool isCarriedProduct(Value summand, Value shift, Value stride);
  bool takeSummand(Value shift, Value stride);

  tile::MakeDescOp desc;
  tile::FuncOp kernel;
  int64_t elementBytes;
  /// Of the base, in elements, that no dimension has taken.
  SmallVector<Value> summands;
  SearchBudget budget;
};
} // namespace

std::string Matcher::matchBase() {
  Value pointer = desc.getBase();
  while (auto add = pointer.getDefiningOp<tile::AddPtrOp>()) {
    summands.push_back(add.getOffset());
    pointer = add.getPtr();
  }
  for (size_t i = 0; i < summands.size(); ++i)
    while (auto sum = summands[i].getDefiningOp<arith::AddIOp>()) {
      if (!budget.spend())
        return "its base is made of too many sums";
      summands[i] = sum.getLhs();
      summands.push_back(sum.getRhs());
    }
  array.pointer = dyn_cast<BlockArgument>(pointer);
  if (!array.pointer || array.pointer.getOwner() != &kernel.getBody().front())
    return "its pointer is not one of the kernel's arguments";
  return "";
}

/// Whether a factor is the stride, which may be a constant that the kernel knows
/// of an argument.
bool Matcher::isStride(Value factor, Value stride) {
  if (isSameButForWidth(factor, stride, budget))
    return true;
  std::optional<LaunchValue> known = getLaunchValue(factor, kernel);
  return known && known->argument && getConstant(stride) &&
         getArgumentFacts(kernel, known->argument.getArgNumber()).equals ==
             getConstant(stride);
}

/// Whether the summand is shift * stride.
bool Matcher::isProduct(Value summand, Value shift, Value stride) {
  if (getConstant(stride) == 1 && isSameButForWidth(summand, shift, budget))
    return true;
  auto product = summand.getDefiningOp<arith::MulIOp>();
  if (!product)
    return false;
  Value lhs = product.getLhs(), rhs = product.getRhs();
  auto areBoth = [&](Value x, Value y) {
    return isSameButForWidth(x, shift, budget) && isStride(y, stride);
  };
  return areBoth(lhs, rhs) || areBoth(rhs, lhs);
}

namespace {
/// A multiple of a loop's counter.
struct Count {
  scf::ForOp loop;
  int64_t factor;
};
} // namespace

static std::optional<Count> getCount(Value value) {
  value = stripExtension(value);
  int64_t factor = 1;
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    std::optional<int64_t> constant = getConstant(product.getRhs());
    if (!constant)
      return std::nullopt;
    factor = *constant;
    value = stripExtension(product.getLhs());
  }
  scf::ForOp loop = scf::getForInductionVarOwner(value);
  return loop ? std::optional(Count{loop, factor}) : std::nullopt;
}

/// The same of a sum that a loop carries: the counter begins at 0, as does the
/// sum, and what an iteration adds to the sum is `stride` times what it adds to
/// `shift`.
bool Matcher::isCarriedProduct(Value summand, Value shift, Value stride) {
  std::optional<Count> count = getCount(shift);
  auto carried = dyn_cast<BlockArgument>(stripExtension(summand));
  if (!count || !carried || carried.getOwner() != count->loop.getBody() ||
      carried.getArgNumber() == 0 ||
      getConstant(count->loop.getLowerBound()) != 0)
    return false;
  unsigned number = carried.getArgNumber() - 1;
  std::optional<int64_t> step = getConstant(count->loop.getStep());
  auto sum =
      count->loop.getYieldedValues()[number].getDefiningOp<arith::AddIOp>();
  int64_t moves;
  if (!step || llvm::MulOverflow(*step, count->factor, moves) || !sum ||
      getConstant(count->loop.getInitArgs()[number]) != 0 ||
      (sum.getLhs() != carried && sum.getRhs() != carried))
    return false;
  Value added = sum.getLhs() == carried ? sum.getRhs() : sum.getLhs();
  if (std::optional<int64_t> constant = getConstant(stride)) {
    int64_t product;
    return !llvm::MulOverflow(moves, *constant, product) &&
           getConstant(added) == product;
  }
  auto product = added.getDefiningOp<arith::MulIOp>();
  auto areBoth = [&](Value x, Value y) {
    return getConstant(x) == moves && isSameButForWidth(y, stride, budget);
  };
  return product && (areBoth(product.getLhs(), product.getRhs()) ||
                     areBoth(product.getRhs(), product.getLhs()));
}

/// Removes the summand shift * stride; false when there is none.
bool Matcher::takeSummand(Value shift, Value stride) {
  auto *it = llvm::find_if(summands, [&](Value summand) {
    return isProduct(summand, shift, stride) ||
           isCarriedProduct(summand, shift, stride);
  });
  if (it == summands.end())
    return false;
  summands.erase(it);
  return true;
}

std::string Matcher::matchDim(unsigned index) {
  MappedDim &dim = array.dims.emplace_back();
  Value extent = stripExtension(desc.getExtents()[index]);
  Value stride = desc.getStrides()[index];
  if (auto rest = extent.getDefiningOp<arith::SubIOp>()) {
    dim.origin = stripExtension(rest.getRhs());
    extent = rest.getLhs();
    if (!dim.origin.getType().isInteger(32))
      return "a coordinate has more than 32 bits";
    if (!takeSummand(dim.origin, stride))
      return "its base does not move along with the extents";
    if (!SignSearch(array.nonNegative, budget).isNonNegative(dim.origin))
      return "its part may begin before the array";
  }
  std::optional<LaunchValue> launchExtent = getLaunchValue(extent, kernel);
  std::optional<LaunchValue> launchStride = getLaunchValue(stride, kernel);
  if (!launchExtent || !launchStride)
    return "an extent or a stride is not one of the kernel's arguments";
  if (launchExtent->argument)
    array.nonNegative.insert(launchExtent->argument);
  dim.extent = *launchExtent;
  dim.stride = *launchStride;
  return "";
}

std::string Matcher::checkAlignment(bool isStored) {
  int64_t aligned =
      getArgumentFacts(kernel, array.pointer.getArgNumber()).divisibleBy;
  if (aligned % kAlignment != 0)
    return "its address is not known to be a multiple of 16 bytes";
  const MappedDim &rows = array.dims[1 - array.unitDim];
  const MappedDim &columns = array.dims[array.unitDim];
  if (getDivisor(rows.stride, kernel) * elementBytes % kAlignment != 0)
    return "its rows are not known to begin at multiples of 16 bytes";
  if (isStored &&
      getDivisor(columns.extent, kernel) * elementBytes % kAlignment)
    return "its rows are not known to end at a multiple of 16 bytes";
  if (!rows.stride.argument && !columns.extent.argument &&
      rows.stride.constant < std::max<int64_t>(columns.extent.constant, 1))
    return "its rows overlap";
  for (const MappedDim &dim : array.dims)
    if (!dim.extent.argument && dim.extent.constant < 0)
      return "it has no elements";
  return "";
}

std::string Matcher::match(bool isStored) {
  std::optional<unsigned> unit = desc.getUnitDim();
  ArrayRef<int64_t> shape = desc.getDescType().getShape();
  if (shape.size() != 2)
    return "it has other than two dimensions";
  if (desc.getDescType().getElementType().isInteger(1))
    return "a tensor map cannot have elements of one bit";
  if (!unit)
    return "it has not one dimension whose stride is known to be 1";
  array.unitDim = *unit;
  if (std::string fault = matchBase(); !fault.empty())
    return fault;
  for (unsigned dim : {0u, 1u})
    if (std::string fault = matchDim(dim); !fault.empty())
      return fault;
  if (!summands.empty())
    return "its base moves in a way that no dimension tells";
  if (std::string fault = checkAlignment(isStored); !fault.empty())
    return fault;
  int64_t columns = std::min(shape[*unit], kMaxRowBytes / elementBytes);
  int64_t rowBytes = columns * elementBytes;
  if (rowBytes < 2 * kAlignment)
    return "rows of a tile have less than 32 bytes";
  array.type = tile::TensorMapType::get(
      desc.getContext(), {std::min(shape[1 - *unit], kMaxBoxRows), columns},
      desc.getDescType().getElementType(), rowBytes);
  return "";
}

std::optional<MappedArray> tessera::matchMappedArray(tile::MakeDescOp desc,
                                                     tile::FuncOp kernel,
                                                     bool isStored,
                                                     std::string &reason) {
  Matcher matcher(desc, kernel);
  reason = matcher.match(isStored);
  if (!reason.empty())
    return std::nullopt;
  return matcher.array;
}
