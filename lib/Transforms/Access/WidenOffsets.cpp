//===- WidenOffsets.cpp - tile-widen-offsets ------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language evaluates chains of add, sub, mul, extension and shape
// operations that reach an addptr or a descriptor in 64 bits. This pass says so in the IR: it
// rebuilds them on the sign-extended values where they begin. The original
// chain stays for its other users (a mask, say), whose arithmetic wraps.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILEWIDENOFFSETSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

namespace {

/// Builds 64-bit twins of values; one a value.
class Widener {
public:
  explicit Widener(MLIRContext *context) : builder(context) {}

  /// A value of i64, or of a tensor of it, that holds what `value` would if
  /// its chain were evaluated in 64 bits; `value` itself where it does.
  Value widen(Value value);

  /// Erases the operations of chains that have no user left.
  void eraseDeadChains();

private:
  Value build(Value value);
  Value extend(Value value);
  Value extendConstant(arith::ConstantOp op);
  Value rebuild(Operation *op, ValueRange operands);

  OpBuilder builder;
  /// In post-order: operands come before their users.
  llvm::MapVector<Value, Value> twins;
};

} // namespace

/// Whether the twin of `op`'s result is made from twins of its operands.
static bool isChainOp(Operation *op) {
  return op && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp,
                   arith::ExtUIOp, tile::SplatOp, tile::ExpandDimsOp,
                   tile::BroadcastOp, tile::ReshapeOp, tile::TransOp>(op);
}

static Type getWideType(Type type) {
  return tile::withElementType(type, IntegerType::get(type.getContext(), 64));
}

Value Widener::widen(Value value) {
  auto it = twins.find(value);
  if (it != twins.end())
    return it->second;
  Value twin = build(value);
  twins[value] = twin;
  return twin;
}

/// The end of a chain: a sign extension next to the value, where it dominates
/// all users of the value.
Value Widener::extend(Value value) {
  Type wide = getWideType(value.getType());
  if (value.getType() == wide)
    return value;
  builder.setInsertionPointAfterValue(value);
  return arith::ExtSIOp::create(builder, value.getLoc(), wide, value);
}

/// `op` on the twins of its operands, without overflow flags: they speak of
/// fewer bits.
Value Widener::rebuild(Operation *op, ValueRange operands) {
  Type wide = getWideType(op->getResult(0).getType());
  if (op->getResult(0).getType() == wide &&
      llvm::equal(op->getOperands(), operands))
    return op->getResult(0);
  builder.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(wide);
  if (!isa<arith::ArithDialect>(op->getDialect()))
    state.addAttributes(op->getAttrs());
  return builder.create(state)->getResult(0);
}

Value Widener::extendConstant(arith::ConstantOp op) {
  Type wide = getWideType(op.getType());
  if (op.getType() == wide)
    return op;
  auto signExtend = [](const APInt &value) { return value.sext(64); };
  TypedAttr twin;
  if (auto elements = dyn_cast<DenseIntElementsAttr>(op.getValue()))
    twin = elements.mapValues(getElementTypeOrSelf(wide), signExtend);
  else if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
    twin = IntegerAttr::get(wide, signExtend(integer.getValue()));
  else
    return extend(op);
  builder.setInsertionPoint(op);
  return arith::ConstantOp::create(builder, op.getLoc(), twin);
}

void Widener::eraseDeadChains() {
  for (auto &[value, twin] : llvm::reverse(twins)) {
    Operation *op = value.getDefiningOp();
    if (op && value != twin && isOpTriviallyDead(op))
      op->erase();
  }
}

Value Widener::build(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return extend(value);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>([&](auto) {
        Value lhs = widen(op->getOperand(0));
        return rebuild(op, {lhs, widen(op->getOperand(1))});
      })
      .Case<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp,
            tile::ReshapeOp, tile::TransOp>(
          [&](auto) { return rebuild(op, widen(op->getOperand(0))); })
      .Case<arith::ExtSIOp>([&](arith::ExtSIOp ext) -> Value {
        bool whole = ext.getType() == getWideType(ext.getType());
        if (whole && !isChainOp(ext.getIn().getDefiningOp()))
          return ext; // Nothing to rebuild below it.
        return widen(ext.getIn());
      })
      // What is below a zero extension is evaluated in its own width.
      .Case<arith::ExtUIOp>([&](arith::ExtUIOp ext) -> Value {
        Type wide = getWideType(ext.getType());
        if (ext.getType() == wide)
          return ext;
        builder.setInsertionPoint(ext);
        return arith::ExtUIOp::create(builder, ext.getLoc(), wide, ext.getIn());
      })
      .Case<arith::ConstantOp>(
          [&](arith::ConstantOp constant) { return extendConstant(constant); })
      .Default([&](Operation *) { return extend(value); });
}

/// The operands of `op` that chains reach, as values of 64 bits: the offset of
/// an addptr; of descriptors, what an operation of a chain produces. (They
/// extend other values themselves.)
static SmallVector<OpOperand *> getOffsets(Operation *op) {
  SmallVector<OpOperand *> offsets;
  if (auto add = dyn_cast<tile::AddPtrOp>(op))
    offsets.push_back(&add.getOffsetMutable());
  else if (isa<tile::MakeDescOp, tile::DescLoadOp, tile::DescStoreOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isInteger(32) &&
          isChainOp(operand.get().getDefiningOp()))
        offsets.push_back(&operand);
  return offsets;
}

/// Widens all offsets of the function; returns how many changed.
static int64_t widenOffsets(tile::FuncOp function) {
  SmallVector<OpOperand *> offsets;
  function.walk(
      [&](Operation *op) { llvm::append_range(offsets, getOffsets(op)); });
  Widener widener(function.getContext());
  int64_t changed = 0;
  for (OpOperand *offset : offsets) {
    Value wide = widener.widen(offset->get());
    if (wide == offset->get())
      continue;
    offset->set(wide);
    ++changed;
  }
  widener.eraseDeadChains();
  return changed;
}

namespace {
struct TileWidenOffsets
    : tessera::impl::TileWidenOffsetsPassBase<TileWidenOffsets> {
  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    int64_t changed = widenOffsets(function);
    if (changed == 0)
      return;
    remark::passed(function.getLoc(), remark::RemarkOpts::name("widen-offsets")
                                          .category("tile-widen-offsets")
                                          .function(function.getName()))
        << remark::metric("Offsets", changed);
  }
};
} // namespace
