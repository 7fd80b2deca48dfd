//===- DescAddressing.cpp - addresses and bounds of a descriptor's tile -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescAddressing.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (!value || !matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

/// The descriptor as the kernel makes it; null when control flow passed it on.
static tile::MakeDescOp getMakeDesc(Operation *op) {
  return op->getOperand(0).getDefiningOp<tile::MakeDescOp>();
}

Value DescAddressing::wide(Value value) {
  Type i64 = code.b.getI64Type();
  return value.getType() == i64
             ? value
             : LLVM::SExtOp::create(code.b, i64, value).getResult();
}

DescAddressing::DescAddressing(ThreadCode &code, Operation *op,
                               RankedTensorType type, Value desc,
                               ValueRange offsets)
    : code(code), layout(tile_gpu::getLinearLayout(type)),
      bytes(tile::getByteWidth(type.getElementType())) {
  int64_t rank = type.getRank();
  auto extract = [&](int64_t index) {
    return LLVM::ExtractValueOp::create(code.b, desc, index);
  };
  base = extract(0);
  tile::MakeDescOp make = getMakeDesc(op);
  // The operands behind the descriptor are the offsets.
  ValueRange original = op->getOperands().slice(1, rank);
  for (int64_t d = 0; d < rank; ++d) {
    std::string name = tensorDimName(d);
    Dim dim;
    dim.offset = wide(offsets[d]);
    dim.extent = extract(1 + d);
    dim.stride = extract(1 + rank + d);
    dim.size = type.getDimSize(d);
    dim.thread = code.threadPart(layout, name);
    dim.knownOffset = getConstant(original[d]);
    std::optional<int64_t> extent;
    if (make) {
      dim.knownStride = getConstant(make.getStrides()[d]);
      extent = getConstant(make.getExtents()[d]);
    }
    dim.inside = dim.knownOffset && extent && *dim.knownOffset >= 0 &&
                 *extent >= dim.size &&
                 *dim.knownOffset <= *extent - dim.size;
    disjoint &= ThreadCode::isDisjoint(layout, name);
    dims.push_back(dim);
  }
  first = getFirstAddress();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Differences saturate: offsets and extents may be any 64-bit numbers.
void DescAddressing::buildInterval(Dim &dim) {
  auto cut = [&](Value value) -> Value {
    value = LLVM::SMaxOp::create(code.b, value, code.i64(0));
    value = LLVM::SMinOp::create(code.b, value, code.i64(dim.size));
    return LLVM::TruncOp::create(code.b, code.b.getI32Type(), value);
  };
  if (dim.knownOffset == 0) {
    dim.high = cut(dim.extent);
    return;
  }
  dim.high = cut(LLVM::SSubSat::create(code.b, dim.extent, dim.offset));
  if (dim.knownOffset && *dim.knownOffset >= 0)
    return;
  dim.low = cut(LLVM::SSubSat::create(code.b, code.i64(0), dim.offset));
  dim.high = LLVM::SMaxOp::create(code.b, dim.high, dim.low);
}

Value DescAddressing::isWhole() {
  Value whole;
  for (Dim &dim : dims) {
    if (dim.inside)
      continue;
    buildInterval(dim);
    Value count = dim.low ? LLVM::SubOp::create(code.b, dim.high, dim.low)
                                .getResult()
                          : dim.high;
    Value all = LLVM::ICmpOp::create(code.b, LLVM::ICmpPredicate::eq, count,
                                     code.i32(dim.size));
    whole = whole ? LLVM::AndOp::create(code.b, whole, all).getResult() : all;
  }
  return whole;
}

void DescAddressing::branch(llvm::function_ref<void(bool)> body) {
  Value whole = isWhole();
  if (!whole)
    return body(/*checked=*/false);
  auto branch = scf::IfOp::create(code.b, whole, /*withElseRegion=*/true);
  for (bool checked : {false, true}) {
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPointToStart(checked ? branch.elseBlock()
                                            : branch.thenBlock());
    body(checked);
  }
}

/// low <= c < high. Without a lower bound, c >= 0 is known; else c - low is at
/// least 2^31 as an unsigned integer where c < low.
Value DescAddressing::getExists(const Dim &dim, Value thread, int32_t part) {
  Value c = code.i32(part);
  if (thread && !disjoint)
    c = LLVM::XOrOp::create(code.b, thread, c);
  else if (thread)
    c = part == 0 ? thread
                  : LLVM::AddOp::create(code.b, thread, c).getResult();
  if (!dim.low)
    return LLVM::ICmpOp::create(code.b, LLVM::ICmpPredicate::slt, c, dim.high);
  return LLVM::ICmpOp::create(
      code.b, LLVM::ICmpPredicate::ult,
      LLVM::SubOp::create(code.b, c, dim.low),
      LLVM::SubOp::create(code.b, dim.high, dim.low));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

SmallVector<int32_t, 4> DescAddressing::getParts(int64_t reg) const {
  SmallVector<int32_t, 4> parts;
  for (size_t d = 0; d < dims.size(); ++d)
    parts.push_back(ThreadCode::registerPart(layout, tensorDimName(d), reg));
  return parts;
}

Value DescAddressing::getStep(const Dim &dim, int64_t elements) {
  if (dim.knownStride)
    return code.i64(
        int64_t(uint64_t(*dim.knownStride) * uint64_t(elements * bytes)));
  return LLVM::MulOp::create(code.b, dim.stride, code.i64(elements * bytes));
}

/// What is the same for all threads first, so that it is computed once a
/// program; the thread's part does not change in a loop.
Value DescAddressing::getFirstAddress() {
  auto multiply = [&](Value elements, const Dim &dim) -> Value {
    Value product =
        dim.knownStride == 1
            ? elements
            : LLVM::MulOp::create(code.b, elements, dim.stride).getResult();
    return LLVM::MulOp::create(code.b, product, code.i64(bytes));
  };
  Value address = base;
  for (const Dim &dim : dims)
    if (dim.knownOffset != 0)
      address =
          LLVM::AddOp::create(code.b, address, multiply(dim.offset, dim));
  if (!disjoint)
    return address;
  Value own;
  for (const Dim &dim : dims) {
    if (!dim.thread)
      continue;
    Value part = multiply(
        LLVM::ZExtOp::create(code.b, code.b.getI64Type(), dim.thread), dim);
    own = own ? LLVM::AddOp::create(code.b, own, part).getResult() : part;
  }
  return own ? LLVM::AddOp::create(code.b, address, own).getResult() : address;
}

/// The address of an element whose coordinates are no sums.
Value DescAddressing::getOwnAddress(ArrayRef<int32_t> parts) {
  Value address = first;
  for (auto [dim, part] : llvm::zip(dims, parts)) {
    Value c = code.i32(part);
    if (dim.thread)
      c = LLVM::XOrOp::create(code.b, dim.thread, c);
    Value wideC = LLVM::ZExtOp::create(code.b, code.b.getI64Type(), c);
    Value step = LLVM::MulOp::create(code.b, wideC, getStep(dim, 1));
    address = LLVM::AddOp::create(code.b, address, step);
  }
  return address;
}

/// Registers in the order of their steps along dimensions of unknown stride:
/// each address is one step from the one before, so that few are alive at a
/// time.
void DescAddressing::forEach(
    ArrayRef<int64_t> registers, bool checked,
    llvm::function_ref<void(int64_t, Value, Value)> visit) {
  using Parts = SmallVector<int32_t, 4>;
  std::vector<std::pair<Parts, int64_t>> order;
  for (int64_t reg : registers) {
    Parts parts = getParts(reg);
    for (auto [dim, part] : llvm::zip(dims, parts))
      if (dim.knownStride)
        part = 0;
    order.emplace_back(parts, reg);
  }
  llvm::sort(order);
  Parts at(dims.size(), 0);
  Value row = first;
  SmallVector<Value, 4> threads;
  for (const Dim &dim : dims)
    threads.push_back(checked && !dim.inside && dim.thread
                          ? ptx::pinHere(code.b, dim.thread)
                          : dim.thread);
  std::map<std::pair<size_t, int32_t>, Value> known;
  for (auto &[key, reg] : order) {
    Parts parts = getParts(reg);
    Value address = row;
    if (disjoint) {
      int64_t offset = 0;
      for (auto [d, dim] : llvm::enumerate(dims)) {
        if (dim.knownStride)
          offset += *dim.knownStride * parts[d] * bytes;
        else if (key[d] != at[d])
          row = LLVM::AddOp::create(code.b, row, getStep(dim, key[d] - at[d]));
      }
      at = key;
      address = offset == 0 ? row
                            : LLVM::AddOp::create(code.b, row, code.i64(offset))
                                  .getResult();
    } else {
      address = getOwnAddress(parts);
    }
    Value exists;
    for (auto [d, dim] : llvm::enumerate(dims)) {
      if (!checked || dim.inside)
        continue;
      Value &inDim = known[{d, parts[d]}];
      if (!inDim)
        inDim = getExists(dim, threads[d], parts[d]);
      exists = exists ? LLVM::AndOp::create(code.b, exists, inDim).getResult()
                      : inDim;
    }
    visit(reg, address, exists);
  }
}
