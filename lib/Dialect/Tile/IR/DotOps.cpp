//===- DotOps.cpp - matrix products, atomics and diagnostics of kernels ---===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera::tile;

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

/// Whether the language has this product (the table of tile.dot).
static bool isProduct(Type a, Type b, Type acc) {
  if (isFloat8(a) && isFloat8(b))
    return acc.isF32();
  if (a != b)
    return false;
  if (a.isF16())
    return acc.isF32() || acc.isF16();
  if (a.isBF16() || a.isF32())
    return acc.isF32();
  if (a.isF64())
    return acc.isF64();
  return a.isSignlessInteger(8) && acc.isSignlessInteger(32);
}

LogicalResult DotOp::verify() {
  auto a = getTensor(getA()), b = getTensor(getB()), acc = getTensor(getAcc());
  int64_t rank = acc.getRank();
  if (rank < 2 || rank > 3 || a.getRank() != rank || b.getRank() != rank)
    return emitOpError() << "needs operands of two dimensions, or of three "
                            "with a batch";
  ArrayRef<int64_t> sa = a.getShape(), sb = b.getShape(), sc = acc.getShape();
  bool fits = sa[rank - 1] == sb[rank - 2] && sc[rank - 2] == sa[rank - 2] &&
              sc[rank - 1] == sb[rank - 1] &&
              (rank == 2 || (sa[0] == sb[0] && sa[0] == sc[0]));
  if (!fits)
    return emitOpError() << "shapes do not agree: " << a << " times " << b
                         << " plus " << acc;
  if (!isProduct(a.getElementType(), b.getElementType(), acc.getElementType()))
    return emitOpError() << "there is no product of " << a.getElementType()
                         << " and " << b.getElementType() << " in "
                         << acc.getElementType();
  if (getPrecision() == InputPrecision::IEEE && !a.getElementType().isF32())
    return emitOpError() << "precision is for operands of f32";
  return success();
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// Values and result are what the pointers point to.
static LogicalResult verifyPointees(Operation *op, Type ptr, TypeRange types) {
  for (Type type : types)
    if (type != getPointeeLike(ptr))
      return op->emitOpError() << "has a value of type " << type
                               << ", the pointers need " << getPointeeLike(ptr);
  return success();
}

static bool isAtomicFloat(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

LogicalResult AtomicRMWOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyPointees(*this, ptr, {getValue().getType(), getType()})))
    return failure();
  Type mask = withElementType(ptr, IntegerType::get(getContext(), 1));
  if (getMask() && getMask().getType() != mask)
    return emitOpError() << "mask has type " << getMask().getType()
                         << ", the pointers need " << mask;
  Type element = getElementTypeOrSelf(getType());
  bool integer = element.isInteger(32) || element.isInteger(64);
  bool exchange = getKind() == AtomicKind::Xchg &&
                  (element.isF32() || element.isF64());
  bool sum = getKind() == AtomicKind::Add && isAtomicFloat(element);
  if (!integer && !exchange && !sum)
    return emitOpError() << "there is no atomic "
                         << stringifyAtomicKind(getKind()) << " of " << element;
  return success();
}

LogicalResult AtomicCASOp::verify() {
  if (failed(verifyPointees(*this, getPtr().getType(),
                            {getCompare().getType(), getValue().getType(),
                             getType()})))
    return failure();
  Type element = getElementTypeOrSelf(getType());
  if (!element.isInteger(32) && !element.isInteger(64))
    return emitOpError() << "there is no atomic compare and swap of "
                         << element;
  return success();
}

//===----------------------------------------------------------------------===//
// PrintOp, AssertOp, InlinePTXOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyText(Operation *op, StringRef text) {
  if (!llvm::all_of(text, llvm::isPrint))
    return op->emitOpError()
           << "the text has characters that cannot be printed";
  return success();
}

LogicalResult PrintOp::verify() { return verifyText(*this, getText()); }
LogicalResult AssertOp::verify() { return verifyText(*this, getText()); }

LogicalResult InlinePTXOp::verify() {
  SmallVector<Type> types(getOperandTypes());
  types.push_back(getType());
  for (Type type : types) {
    Type element = getElementTypeOrSelf(type);
    unsigned bits = isa<PointerType>(element)
                        ? 64
                        : element.getIntOrFloatBitWidth();
    if (bits != 16 && bits != 32 && bits != 64)
      return emitOpError() << "registers have 16, 32 or 64 bits, " << element
                           << " has " << bits;
  }
  // Every placeholder has to be an operand's: LLVM would stop at others.
  StringRef text = getText();
  for (size_t i = text.find('$'); i != StringRef::npos;
       i = text.find('$', i + 1)) {
    StringRef digits = text.substr(i + 1).take_while(llvm::isDigit);
    unsigned index;
    if (digits.getAsInteger(10, index) || index > getOperands().size())
      return emitOpError() << "'$" << digits << "' is no operand: $0 is the "
                           << "result, $1 to $" << getOperands().size()
                           << " are the operands";
  }
  return success();
}
