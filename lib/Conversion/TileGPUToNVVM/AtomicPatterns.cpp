//===- AtomicPatterns.cpp - atomic updates of global memory -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction for each element, by the first of the threads that hold
// copies of it. Where others need the result, tile-gpu-stage-conversions has
// put a way through shared memory behind it.
//
//===----------------------------------------------------------------------===//

#include "PTXTable.h"
#include "Patterns.h"
#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// `.relaxed.gpu.global`.
static std::string getOrdering(tile::MemorySemantic semantic,
                               tile::MemoryScope scope) {
  return "." + stringifyMemorySemantic(semantic).str() + "." +
         stringifyMemoryScope(scope).str() + ".global";
}

/// `.add.f32`: the operation with its type (PTX ISA, "atom").
static std::string getOperation(tile::AtomicKind kind, Type type) {
  std::string bits = std::to_string(type.getIntOrFloatBitWidth());
  switch (kind) {
  case tile::AtomicKind::Add:
    if (type.isF16() || type.isBF16())
      return std::string(".add.noftz.") + (type.isF16() ? "f16" : "bf16");
    return (isa<FloatType>(type) ? ".add.f" : ".add.u") + bits;
  case tile::AtomicKind::Max:
    return ".max.s" + bits;
  case tile::AtomicKind::Min:
    return ".min.s" + bits;
  case tile::AtomicKind::UMax:
    return ".max.u" + bits;
  case tile::AtomicKind::UMin:
    return ".min.u" + bits;
  case tile::AtomicKind::And:
    return ".and.b" + bits;
  case tile::AtomicKind::Or:
    return ".or.b" + bits;
  case tile::AtomicKind::Xor:
    return ".xor.b" + bits;
  case tile::AtomicKind::Xchg:
    return ".exch.b" + bits;
  }
  llvm_unreachable("all kinds are covered");
}

namespace {
/// The elements that this thread updates.
struct Elements {
  Value addresses, first;
  int64_t count, copies;
};
} // namespace

static Elements getElements(ThreadCode &code, Type pointers, Value addresses) {
  Elements elements;
  elements.addresses = code.asVector(addresses);
  elements.count = getCount(elements.addresses);
  elements.copies = 0;
  if (auto tensor = dyn_cast<RankedTensorType>(pointers)) {
    LinearLayout layout = getLinearLayout(tensor);
    elements.first = code.isFirstCopy(layout);
    elements.copies = layout.freeVariableMasks()[kRegisterDim];
  } else {
    elements.first = code.isFirstThread();
  }
  return elements;
}

/// Updates all elements. `values` are vectors; 16-bit floats travel as i16.
static Value update(ThreadCode &code, const Elements &elements,
                    StringRef suffix, ValueRange values, Value mask) {
  auto type = cast<VectorType>(values[0].getType());
  unsigned bits = type.getElementTypeBitWidth();
  auto words = VectorType::get(type.getShape(), code.b.getIntegerType(bits));
  Value result = code.poison(words);
  for (int64_t reg = 0; reg < elements.count; ++reg) {
    if (reg & elements.copies) {
      // A copy inside the thread: the lowest register has the result.
      Value old = code.extract(result, reg & ~elements.copies);
      result = code.insert(result, old, reg);
      continue;
    }
    SmallVector<Value> operands;
    for (Value value : values)
      operands.push_back(code.extract(code.toWords(value, bits), reg));
    Value predicate = mask ? code.extract(mask, reg) : Value();
    if (elements.first)
      predicate = predicate ? LLVM::AndOp::create(code.b, predicate,
                                                  elements.first)
                                  .getResult()
                            : elements.first;
    Value old =
        ptx::atomic(code.b, suffix, code.extract(elements.addresses, reg),
                    operands, predicate);
    result = code.insert(result, old, reg);
  }
  return code.fromWords(result, type);
}

/// One thread performs an atomic for all: what the others wrote comes before a
/// release, and what they read after an acquire (PTX ISA, "Memory Consistency
/// Model": a barrier synchronises the CTA's threads, and causality order is
/// transitive).
static void releaseAll(ThreadCode &code, Operation *op,
                       tile::MemorySemantic semantic) {
  if (semantic == tile::MemorySemantic::Release ||
      semantic == tile::MemorySemantic::AcqRel)
    code.barrier(op);
}
static void acquireAll(ThreadCode &code, Operation *op,
                       tile::MemorySemantic semantic) {
  if (semantic == tile::MemorySemantic::Acquire ||
      semantic == tile::MemorySemantic::AcqRel)
    code.barrier(op);
}

namespace {

struct AtomicRMW : OpConversionPattern<tile::AtomicRMWOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Type element = getElementTypeOrSelf(op.getType());
    Elements elements =
        getElements(code, op.getPtr().getType(), adaptor.getPtr());
    releaseAll(code, op, op.getSemantic());
    Value result = update(code, elements,
                          getOrdering(op.getSemantic(), op.getScope()) +
                              getOperation(op.getKind(), element),
                          code.asVector(adaptor.getValue()),
                          code.asVector(adaptor.getMask()));
    acquireAll(code, op, op.getSemantic());
    rewriter.replaceOp(op, isa<RankedTensorType>(op.getType())
                               ? result
                               : code.extract(result, 0));
    return success();
  }
};

struct AtomicCAS : OpConversionPattern<tile::AtomicCASOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::AtomicCASOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Type element = getElementTypeOrSelf(op.getType());
    Elements elements =
        getElements(code, op.getPtr().getType(), adaptor.getPtr());
    releaseAll(code, op, op.getSemantic());
    Value result =
        update(code, elements,
               getOrdering(op.getSemantic(), op.getScope()) + ".cas.b" +
                   std::to_string(element.getIntOrFloatBitWidth()),
               {code.asVector(adaptor.getCompare()),
                code.asVector(adaptor.getValue())},
               Value());
    acquireAll(code, op, op.getSemantic());
    rewriter.replaceOp(op, isa<RankedTensorType>(op.getType())
                               ? result
                               : code.extract(result, 0));
    return success();
  }
};

} // namespace

void tessera::populateAtomicPatterns(const TileGPUTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<AtomicRMW, AtomicCAS>(converter, patterns.getContext());
}
