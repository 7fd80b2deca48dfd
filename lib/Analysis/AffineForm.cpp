//===- AffineForm.cpp - values as affine functions of coordinates ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forms are read off the chain of operations from the value upwards, to the
// splats, aranges and constants where it begins, through the arguments of loops.
// Scalars are not taken apart.
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AffineForm.h"

#include "tessera/Analysis/ValueFacts.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

using MaybeForm = std::optional<AffineForm>;

bool AffineForm::isUniform() const {
  return llvm::all_of(
      strides, [](const ScalarSum &stride) { return stride.isConstant(0); });
}

std::optional<unsigned> AffineForm::getUnitDim() const {
  std::optional<unsigned> found;
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    if (stride.isConstant(0))
      continue;
    if (found || !stride.isConstant(1))
      return std::nullopt;
    found = dim;
  }
  return found;
}

namespace {

/// Whether loop-carried tensors have forms.
enum class Loops { Followed, Opaque };

/// One query. Values may have many users in a chain: each is built once.
class FormBuilder {
public:
  explicit FormBuilder(FactsOf factsOf, Loops loops = Loops::Followed)
      : factsOf(factsOf), loops(loops) {}

  MaybeForm build(Value value);
  /// The form of what is added to a pointer, in 64 bits.
  MaybeForm buildOffset(Value offset);

private:
  MaybeForm compute(Value value);
  MaybeForm ofScalar(Value scalar, size_t rank);
  MaybeForm ofConstant(Value value);
  MaybeForm ofSum(Value lhs, Value rhs, int64_t factor);
  MaybeForm ofProduct(Value lhs, Value rhs);
  MaybeForm ofShift(Value lhs, Value rhs);
  MaybeForm ofExtension(Value source);
  MaybeForm ofAddPtr(tile::AddPtrOp op);
  MaybeForm ofExpandDims(tile::ExpandDimsOp op);
  MaybeForm ofBroadcast(tile::BroadcastOp op);
  MaybeForm ofReshape(tile::ReshapeOp op);
  MaybeForm ofTrans(tile::TransOp op);
  MaybeForm ofCarried(BlockArgument argument);

  FactsOf factsOf;
  Loops loops;
  llvm::DenseMap<Value, MaybeForm> forms;
};

} // namespace

/// No value is computed from itself: the arguments of loops begin with values
/// from before the loop.
MaybeForm FormBuilder::build(Value value) {
  auto known = forms.find(value);
  if (known != forms.end())
    return known->second;
  MaybeForm form = compute(value);
  forms[value] = form;
  return form;
}

MaybeForm FormBuilder::compute(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op)
    return ofCarried(cast<BlockArgument>(value));
  return llvm::TypeSwitch<Operation *, MaybeForm>(op)
      .Case<arith::ConstantOp>([&](auto) { return ofConstant(value); })
      .Case<tile::ArangeOp>([&](auto arange) {
        bool single = getFactShape(value.getType())[0] == 1;
        return AffineForm{{},
                          ScalarSum::ofConstant(int32_t(arange.getStart())),
                          {ScalarSum::ofConstant(single ? 0 : 1)}};
      })
      .Case<tile::SplatOp>([&](auto splat) {
        return ofScalar(splat.getSrc(), getFactShape(value.getType()).size());
      })
      .Case<arith::AddIOp>(
          [&](auto add) { return ofSum(add.getLhs(), add.getRhs(), 1); })
      .Case<arith::SubIOp>(
          [&](auto sub) { return ofSum(sub.getLhs(), sub.getRhs(), -1); })
      .Case<arith::MulIOp>(
          [&](auto mul) { return ofProduct(mul.getLhs(), mul.getRhs()); })
      .Case<arith::ShLIOp>(
          [&](auto shift) { return ofShift(shift.getLhs(), shift.getRhs()); })
      .Case<arith::ExtSIOp>([&](auto ext) { return ofExtension(ext.getIn()); })
      .Case<tile::AddPtrOp>([&](auto add) { return ofAddPtr(add); })
      .Case<tile::ExpandDimsOp>(
          [&](auto expand) { return ofExpandDims(expand); })
      .Case<tile::BroadcastOp>(
          [&](auto broadcast) { return ofBroadcast(broadcast); })
      .Case<tile::ReshapeOp>([&](auto reshape) { return ofReshape(reshape); })
      .Case<tile::TransOp>([&](auto trans) { return ofTrans(trans); })
      .Case<tile_gpu::ConvertLayoutOp>(
          [&](auto convert) { return build(convert.getSrc()); })
      .Default(MaybeForm());
}

//===----------------------------------------------------------------------===//
// Where forms begin
//===----------------------------------------------------------------------===//

/// What a sign extension extends: sums sign-extend their values anyway.
static Value getNarrowest(Value scalar) {
  while (auto extension = scalar.getDefiningOp<arith::ExtSIOp>())
    scalar = extension.getIn();
  return scalar;
}

MaybeForm FormBuilder::ofScalar(Value scalar, size_t rank) {
  AffineForm form;
  form.strides.resize(rank);
  if (isa<tile::PointerType>(scalar.getType()))
    form.pointer = scalar;
  else if (!scalar.getType().isInteger())
    return std::nullopt;
  else if (std::optional<int64_t> constant = factsOf(scalar).constant)
    form.base = ScalarSum::ofConstant(*constant);
  else
    form.base = ScalarSum::ofValue(getNarrowest(scalar));
  return form;
}

MaybeForm FormBuilder::ofConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getBitWidth() > 64)
    return std::nullopt;
  AffineForm form;
  form.base = ScalarSum::ofConstant(constant.getSExtValue());
  form.strides.resize(getFactShape(value.getType()).size());
  return form;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// a + factor * b, dimension by dimension.
static MaybeForm addForms(AffineForm a, const AffineForm &b, int64_t factor) {
  std::optional<ScalarSum> base = a.base.plus(b.base, factor);
  if (!base)
    return std::nullopt;
  a.base = *base;
  for (auto [stride, other] : llvm::zip(a.strides, b.strides)) {
    std::optional<ScalarSum> sum = stride.plus(other, factor);
    if (!sum)
      return std::nullopt;
    stride = *sum;
  }
  return a;
}

static MaybeForm scaleForm(AffineForm form, const ScalarSum &factor) {
  std::optional<ScalarSum> base = form.base.times(factor);
  if (!base)
    return std::nullopt;
  form.base = *base;
  for (ScalarSum &stride : form.strides) {
    std::optional<ScalarSum> product = stride.times(factor);
    if (!product)
      return std::nullopt;
    stride = *product;
  }
  return form;
}

MaybeForm FormBuilder::ofSum(Value lhs, Value rhs, int64_t factor) {
  MaybeForm left = build(lhs), right = build(rhs);
  if (!left || !right)
    return std::nullopt;
  return addForms(*left, *right, factor);
}

MaybeForm FormBuilder::ofProduct(Value lhs, Value rhs) {
  MaybeForm left = build(lhs), right = build(rhs);
  if (!left || !right)
    return std::nullopt;
  if (right->isUniform())
    return scaleForm(*left, right->base);
  if (left->isUniform())
    return scaleForm(*right, left->base);
  return std::nullopt; // Quadratic.
}

MaybeForm FormBuilder::ofShift(Value lhs, Value rhs) {
  MaybeForm left = build(lhs), right = build(rhs);
  int64_t width = getIntegerWidth(lhs.getType());
  if (!left || !right || !right->isUniform() || !right->base.isConstant() ||
      right->base.constant < 0 || right->base.constant >= width ||
      right->base.constant > 62)
    return std::nullopt;
  return scaleForm(*left,
                   ScalarSum::ofConstant(int64_t(1) << right->base.constant));
}

/// Whether all elements of a form without unknowns are integers of `width`
/// bits, so that none of them has wrapped.
static bool fits(const AffineForm &form, ArrayRef<int64_t> shape,
                 unsigned width) {
  int64_t low = form.base.constant, high = low;
  for (auto [stride, size] : llvm::zip(form.strides, shape)) {
    int64_t last;
    if (llvm::MulOverflow(stride.constant, size - 1, last) ||
        llvm::AddOverflow(low, std::min<int64_t>(last, 0), low) ||
        llvm::AddOverflow(high, std::max<int64_t>(last, 0), high))
      return false;
  }
  return llvm::isIntN(width, low) && llvm::isIntN(width, high);
}

/// A form holds modulo 2^w, so that its extension may only be taken where no
/// element wraps: for constants in range; for one scalar alone, which is then
/// read as sign-extended; and for a scalar plus a coordinate, if the elements
/// are one aligned group (ValueFacts.h) or none is negative, so that x[c] =
/// x[0] + c. `tile-widen-offsets` rebuilds longer chains.
MaybeForm FormBuilder::ofExtension(Value source) {
  MaybeForm form = build(source);
  if (!form)
    return std::nullopt;
  unsigned width = getIntegerWidth(source.getType());
  bool constant = form->base.isConstant() &&
                  llvm::all_of(form->strides, [](const ScalarSum &stride) {
                    return stride.isConstant();
                  });
  if (constant)
    return fits(*form, getFactShape(source.getType()), width) ? form
                                                              : MaybeForm();
  bool baseFits = form->base.isConstant() || form->base.getSingleValue() ||
                  isNonNegative(form->base, width, factsOf);
  if (!baseFits)
    return std::nullopt;
  if (form->isUniform())
    return form;
  std::optional<unsigned> dim = form->getUnitDim();
  ValueFacts facts = factsOf(source);
  bool apart = dim && (facts.isNonNegative() ||
                       facts.alignedContiguity(*dim) >=
                           getFactShape(source.getType())[*dim]);
  return apart ? form : MaybeForm();
}

MaybeForm FormBuilder::buildOffset(Value offset) {
  return getIntegerWidth(offset.getType()) < 64 ? ofExtension(offset)
                                                : build(offset);
}

MaybeForm FormBuilder::ofAddPtr(tile::AddPtrOp op) {
  MaybeForm pointer = build(op.getPtr());
  MaybeForm offset = buildOffset(op.getOffset());
  if (!pointer || !offset)
    return std::nullopt;
  return addForms(*pointer, *offset, 1);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

MaybeForm FormBuilder::ofExpandDims(tile::ExpandDimsOp op) {
  MaybeForm form = build(op.getSrc());
  if (form)
    form->strides.insert(form->strides.begin() + op.getAxis(), ScalarSum());
  return form;
}

/// The coordinate of a repeated dimension is 0 in the source.
MaybeForm FormBuilder::ofBroadcast(tile::BroadcastOp op) {
  MaybeForm form = build(op.getSrc());
  if (!form)
    return std::nullopt;
  for (auto [stride, size] :
       llvm::zip(form->strides, getFactShape(op.getSrc().getType())))
    if (size == 1)
      stride = ScalarSum();
  return form;
}

/// Reshapes that only insert or remove dimensions of size 1, or that reshape
/// a splat.
MaybeForm FormBuilder::ofReshape(tile::ReshapeOp op) {
  MaybeForm form = build(op.getSrc());
  if (!form)
    return std::nullopt;
  SmallVector<int64_t> from = getFactShape(op.getSrc().getType());
  SmallVector<int64_t> to = getFactShape(op.getType());
  SmallVector<ScalarSum, 2> strides(to.size());
  if (!form->isUniform()) {
    size_t dst = 0;
    for (auto [stride, size] : llvm::zip(form->strides, from)) {
      if (size == 1)
        continue;
      while (dst < to.size() && to[dst] == 1)
        ++dst;
      if (dst == to.size() || to[dst] != size)
        return std::nullopt;
      strides[dst++] = stride;
    }
  }
  form->strides = strides;
  return form;
}

MaybeForm FormBuilder::ofTrans(tile::TransOp op) {
  MaybeForm form = build(op.getSrc());
  if (!form)
    return std::nullopt;
  SmallVector<ScalarSum, 2> strides;
  for (int32_t from : op.getOrder())
    strides.push_back(form->strides[from]);
  form->strides = strides;
  return form;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The first value plus the advance.
MaybeForm FormBuilder::ofCarried(BlockArgument argument) {
  if (loops == Loops::Opaque || !getCarriedStep(argument, factsOf))
    return std::nullopt;
  auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
  MaybeForm form = build(loop.getTiedLoopInit(argument)->get());
  if (!form)
    return std::nullopt;
  std::optional<ScalarSum> base =
      form->base.plus(ScalarSum::ofValue(argument), 1);
  if (!base)
    return std::nullopt;
  form->base = *base;
  return form;
}

namespace {
/// What is added to a loop's argument on the way to values of the loop's body.
class AdvanceBuilder {
public:
  AdvanceBuilder(BlockArgument argument, FactsOf factsOf)
      : argument(argument), addends(factsOf, Loops::Opaque) {}

  /// Nothing unless all that is added is uniform, and the argument itself is
  /// met, once.
  std::optional<ScalarSum> build(Value value);

private:
  std::optional<ScalarSum> compute(Value value);
  std::optional<ScalarSum> add(Value rest, Value addend, int64_t factor);

  BlockArgument argument;
  /// An advance is no value to add, and looking for one could go in circles.
  FormBuilder addends;
  llvm::DenseMap<Value, std::optional<ScalarSum>> advances;
};
} // namespace

std::optional<ScalarSum> AdvanceBuilder::build(Value value) {
  auto known = advances.find(value);
  if (known != advances.end())
    return known->second;
  std::optional<ScalarSum> advance = compute(value);
  advances[value] = advance;
  return advance;
}

std::optional<ScalarSum> AdvanceBuilder::add(Value rest, Value addend,
                                             int64_t factor) {
  std::optional<ScalarSum> sum = build(rest);
  MaybeForm form = sum ? addends.buildOffset(addend) : MaybeForm();
  if (!form || form->pointer || !form->isUniform())
    return std::nullopt;
  return sum->plus(form->base, factor);
}

std::optional<ScalarSum> AdvanceBuilder::compute(Value value) {
  if (value == argument)
    return ScalarSum();
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<ScalarSum>>(op)
      .Case<tile::AddPtrOp>(
          [&](auto sum) { return add(sum.getPtr(), sum.getOffset(), 1); })
      .Case<arith::AddIOp>([&](auto sum) {
        std::optional<ScalarSum> left = add(sum.getLhs(), sum.getRhs(), 1);
        return left ? left : add(sum.getRhs(), sum.getLhs(), 1);
      })
      .Case<arith::SubIOp>([&](auto difference) {
        return add(difference.getLhs(), difference.getRhs(), -1);
      })
      .Default(std::nullopt);
}

std::optional<ScalarSum> tessera::getCarriedStep(BlockArgument argument,
                                                 FactsOf factsOf) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar() ||
      !isa<RankedTensorType>(argument.getType()) ||
      !isa<IntegerType, tile::PointerType>(
          getElementTypeOrSelf(argument.getType())))
    return std::nullopt;
  return AdvanceBuilder(argument, factsOf)
      .build(loop.getTiedLoopYieldedValue(argument)->get());
}

MaybeForm tessera::getAffineForm(Value tensor, FactsOf factsOf) {
  return FormBuilder(factsOf).build(tensor);
}
