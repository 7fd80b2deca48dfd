//===- ReducePatterns.cpp - reductions inside a warp -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Halves the vector of registers along each register bit of the axis, then
// combines lanes by butterfly shuffles, after which each of them has the
// result. The combine region is built on vectors, so that one operation serves
// all registers.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {

/// What an input bit of a layout means for a reduction.
enum class BitRole { Copy, Axis, Other, Mixed };

/// Lowers one reduction.
class Reducer {
public:
  Reducer(tile::ReduceOp op, ThreadCode &code, SmallVector<Value> values,
          ConversionPatternRewriter &rewriter)
      : op(op), code(code), values(std::move(values)), rewriter(rewriter),
        layout(getLinearLayout(
            cast<RankedTensorType>(op.getSrcs()[0].getType()))) {}

  LogicalResult run();
  ArrayRef<Value> getResults() const { return values; }

private:
  BitRole getRole(const char *dim, int bit);
  FailureOr<SmallVector<Value>> combine(ArrayRef<Value> a, ArrayRef<Value> b);
  Value lookup(Value value, IRMapping &mapping, int64_t count);
  FailureOr<Value> cloneOnVectors(Operation *inner, IRMapping &mapping,
                                  int64_t count);
  LogicalResult reduceRegisterBit(int bit, bool isAxis);
  LogicalResult reduceLaneBit(int bit);
  Value shuffle(Value vector, int32_t laneMask);

  tile::ReduceOp op;
  ThreadCode &code;
  SmallVector<Value> values;
  ConversionPatternRewriter &rewriter;
  LinearLayout layout;
};

} // namespace

BitRole Reducer::getRole(const char *dim, int bit) {
  bool axis = false, other = false;
  for (auto [d, coordinate] : llvm::enumerate(layout.getBasis(dim, bit)))
    (int64_t(d) == int64_t(op.getAxis()) ? axis : other) |= coordinate != 0;
  if (axis && other)
    return BitRole::Mixed;
  return axis ? BitRole::Axis : other ? BitRole::Other : BitRole::Copy;
}

/// What stands for a value in the combine region. One from outside the region
/// is a scalar of the program.
Value Reducer::lookup(Value value, IRMapping &mapping, int64_t count) {
  if (Value vector = mapping.lookupOrNull(value))
    return vector;
  Value scalar = rewriter.getRemappedValue(value);
  if (isa<LLVM::LLVMPointerType>(scalar.getType()))
    scalar = LLVM::PtrToIntOp::create(code.b, code.b.getI64Type(), scalar);
  return code.splat(scalar, count);
}

/// Builds one operation of the combine region on vectors of `count` elements.
FailureOr<Value> Reducer::cloneOnVectors(Operation *inner, IRMapping &mapping,
                                         int64_t count) {
  ImplicitLocOpBuilder &b = code.b;
  if (inner->getNumResults() != 1)
    return inner->emitError("is not supported in a combine region");
  Type element = inner->getResult(0).getType();
  // 8-bit floats are integers in registers.
  bool isFloat8 = tile::isFloat8(element);
  // ... and pointers are addresses.
  Type held = isFloat8                        ? b.getI8Type()
              : isa<tile::PointerType>(element) ? b.getI64Type()
                                                : element;
  auto type = VectorType::get({count}, held);
  if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
    Attribute value = constant.getValue();
    if (isFloat8)
      value = IntegerAttr::get(
          b.getI8Type(), cast<FloatAttr>(value).getValue().bitcastToAPInt());
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, value))
        .getResult();
  }
  SmallVector<Value> operands;
  for (Value operand : inner->getOperands())
    operands.push_back(lookup(operand, mapping, count));
  if (auto convert = dyn_cast<tile::ConvertOp>(inner))
    return convertFloat(code, convert, operands[0]);
  if (!inner->hasTrait<OpTrait::Elementwise>())
    return inner->emitError("is not supported in a combine region");
  OperationState state(inner->getLoc(), inner->getName(), operands, type,
                       inner->getAttrs());
  return b.create(state)->getResult(0);
}

FailureOr<SmallVector<Value>> Reducer::combine(ArrayRef<Value> a,
                                               ArrayRef<Value> b) {
  Block &block = op.getCombine().front();
  IRMapping mapping;
  mapping.map(block.getArguments().take_front(a.size()), ValueRange(a));
  mapping.map(block.getArguments().drop_front(a.size()), ValueRange(b));
  int64_t count = getCount(a[0]);
  for (Operation &inner : block.without_terminator()) {
    FailureOr<Value> result = cloneOnVectors(&inner, mapping, count);
    if (failed(result))
      return failure();
    mapping.map(inner.getResult(0), *result);
  }
  SmallVector<Value> results;
  for (Value operand : block.getTerminator()->getOperands())
    results.push_back(lookup(operand, mapping, count));
  return results;
}

/// Combines the registers whose number differs in `bit`; of copies, keeps the
/// first.
LogicalResult Reducer::reduceRegisterBit(int bit, bool isAxis) {
  SmallVector<int32_t> low, high;
  for (int32_t reg = 0; reg < getCount(values[0]); ++reg)
    ((reg >> bit) & 1 ? high : low).push_back(reg);
  SmallVector<Value> lows, highs;
  for (Value value : values) {
    lows.push_back(code.gather(value, low));
    if (isAxis)
      highs.push_back(code.gather(value, high));
  }
  if (!isAxis) {
    values = lows;
    return success();
  }
  FailureOr<SmallVector<Value>> combined = combine(lows, highs);
  if (failed(combined))
    return failure();
  values = *combined;
  return success();
}

/// Each element of `vector` from the lane whose number differs by `laneMask`.
/// Elements travel in 32-bit words.
Value Reducer::shuffle(Value vector, int32_t laneMask) {
  ImplicitLocOpBuilder &b = code.b;
  auto type = cast<VectorType>(vector.getType());
  bool bools = type.getElementType().isInteger(1);
  Value bytes = bools ? code.boolsToBytes(vector) : vector;
  Type byteType = bytes.getType();
  int64_t bits = getBits(byteType);
  // Fewer than 32 bits are widened to one word.
  Value words;
  if (bits >= 32) {
    words = code.toWords(bytes, 32);
  } else {
    Value narrow = code.extract(code.toWords(bytes, bits), 0);
    words = code.splat(LLVM::ZExtOp::create(b, b.getI32Type(), narrow), 1);
  }
  Value mask = code.i32(-1), offset = code.i32(laneMask), clamp = code.i32(31);
  Value moved = words;
  for (int64_t i = 0; i < getCount(words); ++i) {
    Value word = NVVM::ShflOp::create(b, b.getI32Type(), mask,
                                      code.extract(words, i), offset, clamp,
                                      NVVM::ShflKind::bfly, UnitAttr());
    moved = code.insert(moved, word, i);
  }
  if (bits >= 32) {
    moved = code.fromWords(moved, byteType);
  } else {
    Value narrow = LLVM::TruncOp::create(b, b.getIntegerType(bits),
                                         code.extract(moved, 0));
    moved = LLVM::BitcastOp::create(b, byteType, narrow);
  }
  return bools ? code.bytesToBools(moved) : moved;
}

LogicalResult Reducer::reduceLaneBit(int bit) {
  SmallVector<Value> others;
  for (Value value : values)
    others.push_back(shuffle(value, 1 << bit));
  FailureOr<SmallVector<Value>> combined = combine(values, others);
  if (failed(combined))
    return failure();
  values = *combined;
  return success();
}

LogicalResult Reducer::run() {
  for (const char *dim : {kRegisterDim, kLaneDim, kWarpDim})
    for (int bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit) {
      BitRole role = getRole(dim, bit);
      bool warp = dim == StringRef(kWarpDim);
      if (role == BitRole::Mixed || (role == BitRole::Axis && warp))
        return op.emitError("a reduction crosses warps, or mixes dimensions");
    }
  // From the highest bit, so that the numbers of lower bits stay.
  for (int bit = layout.getInDimSizeLog2(kRegisterDim) - 1; bit >= 0; --bit) {
    BitRole role = getRole(kRegisterDim, bit);
    if (role != BitRole::Other &&
        failed(reduceRegisterBit(bit, role == BitRole::Axis)))
      return failure();
  }
  for (int bit = 0; bit < layout.getInDimSizeLog2(kLaneDim); ++bit)
    if (getRole(kLaneDim, bit) == BitRole::Axis && failed(reduceLaneBit(bit)))
      return failure();
  return success();
}

namespace {
struct Reduce : OpConversionPattern<tile::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Reducer reducer(op, code, llvm::to_vector(adaptor.getSrcs()), rewriter);
    if (failed(reducer.run()))
      return failure();
    SmallVector<Value> results;
    for (auto [result, value] :
         llvm::zip(op.getResults(), reducer.getResults())) {
      results.push_back(isa<RankedTensorType>(result.getType())
                            ? value
                            : code.extract(value, 0));
      // Tensors hold addresses.
      if (isa<tile::PointerType>(result.getType()))
        results.back() = LLVM::IntToPtrOp::create(
            code.b, getTypeConverter()->convertType(result.getType()),
            results.back());
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void tessera::populateReducePatterns(const TileGPUTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<Reduce>(converter, patterns.getContext());
}
