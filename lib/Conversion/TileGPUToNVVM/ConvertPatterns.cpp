//===- ConvertPatterns.cpp - conversions between float types -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.convert rounds once, from any type to any type. Where a conversion takes
// two steps, the first one is exact or rounds to odd.
//
//   f16 <-> bf16         through f32, which contains both
//   f8 -> f16 -> any     f16 contains both 8-bit types, zeros and NaN included
//   any -> f32 -> f8     f64 rounds to odd
//
// Targets with cvt.rn.satfinite.{e4m3x2,e5m2x2} convert 8-bit floats in pairs;
// on the others the same results come from integer arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ThreadCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;

static unsigned getBitWidth(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

static Type withElement(Value like, Type element) {
  auto vector = dyn_cast<VectorType>(like.getType());
  return vector ? Type(vector.clone(element)) : element;
}

static Value call(ThreadCode &code, const Twine &name, Type type,
                  ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(code.b, type, code.b.getStringAttr(name),
                                       operands)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// 16, 32 and 64 bits
//===----------------------------------------------------------------------===//

static Value truncateOne(ThreadCode &code, Value value, Type to) {
  if (value.getType().isF64())
    value = call(code, "llvm.nvvm.d2f.rz", code.b.getF32Type(), value);
  if (to.isF32())
    return value;
  Value zero = code.zero(code.b.getF32Type());
  Value pair = call(
      code, to.isF16() ? "llvm.nvvm.ff2f16x2.rz" : "llvm.nvvm.ff2bf16x2.rz",
      VectorType::get({2}, to), {zero, value});
  return code.extract(pair, 0); // The second operand is the lower half.
}

/// Element by element, with the intrinsics of cvt.rz. Narrowing towards zero in
/// two steps is exact.
static Value truncateTowardZero(ThreadCode &code, Value value, Type to) {
  bool scalar = !isa<VectorType>(value.getType());
  Value vector = scalar ? code.splat(value, 1) : value;
  int64_t count = getCount(vector);
  Value result = code.poison(VectorType::get({count}, to));
  for (int64_t i = 0; i < count; ++i)
    result =
        code.insert(result, truncateOne(code, code.extract(vector, i), to), i);
  return scalar ? code.extract(result, 0) : result;
}

/// Between types of different width.
static Value resize(ThreadCode &code, Value value, Type to,
                    tile::Rounding rounding) {
  Type type = withElement(value, to);
  if (value.getType() == type)
    return value;
  if (getBitWidth(value) < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(code.b, type, value);
  if (rounding == tile::Rounding::RTNE)
    return arith::TruncFOp::create(code.b, type, value);
  return truncateTowardZero(code, value, to);
}

/// Both directions through f32 where neither type contains the other.
static Value convertWide(ThreadCode &code, Value value, Type to,
                         tile::Rounding rounding) {
  if (getBitWidth(value) == 16 && to.getIntOrFloatBitWidth() == 16 &&
      getElementTypeOrSelf(value.getType()) != to)
    value = resize(code, value, code.b.getF32Type(), tile::Rounding::RTNE);
  return resize(code, value, to, rounding);
}

//===----------------------------------------------------------------------===//
// 8 bits
//===----------------------------------------------------------------------===//

namespace {
/// A sign, an exponent and `fractionBits` bits; NaN has all bits but the sign's
/// set in both formats (e5m2 has others, too).
struct Float8 {
  /// PTX's name of a pair.
  StringRef pair;
  unsigned fractionBits;
  /// Exponent field in f32 of the smallest normal number.
  uint32_t smallestExponent;
  /// The largest finite number as f32 bits.
  uint32_t largest;
};
} // namespace

static constexpr uint32_t kNaN = 0x7F;

static std::optional<Float8> getFloat8(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return Float8{"e4m3x2", 3, 127 - 6, 0x43E00000 /* 448 */};
  if (isa<Float8E5M2Type>(type))
    return Float8{"e5m2x2", 2, 127 - 14, 0x47600000 /* 57344 */};
  return std::nullopt;
}

/// f64 to f32, to odd: of the two neighbours of a number that f32 lacks, the
/// one whose last bit is set. A second rounding, to a type with at least two
/// bits less, then sees that the number was no tie and on which side it was.
/// An infinity stays one, a NaN stays a NaN.
static Value roundToOdd(ThreadCode &code, Value vector) {
  ImplicitLocOpBuilder &b = code.b;
  int64_t count = getCount(vector);
  Value result = code.poison(VectorType::get({count}, b.getF32Type()));
  for (int64_t i = 0; i < count; ++i) {
    Value exact = code.extract(vector, i);
    Value down = call(code, "llvm.nvvm.d2f.rz", b.getF32Type(), exact);
    Value back = LLVM::FPExtOp::create(b, b.getF64Type(), down);
    Value inexact =
        LLVM::FCmpOp::create(b, LLVM::FCmpPredicate::une, back, exact);
    Value last = LLVM::ZExtOp::create(b, b.getI32Type(), inexact);
    Value bits = LLVM::BitcastOp::create(b, b.getI32Type(), down);
    bits = LLVM::OrOp::create(b, bits, last);
    result = code.insert(result,
                         LLVM::BitcastOp::create(b, b.getF32Type(), bits), i);
  }
  return result;
}

namespace {
/// Arithmetic on vectors of integers. Without comparisons: NVPTX would pack
/// vectors of i1 into integers.
class Lanes {
public:
  Lanes(ThreadCode &code, int64_t count, unsigned bits)
      : b(code.b), type(VectorType::get({count}, b.getIntegerType(bits))) {}

  Value constant(uint32_t value) {
    APInt bits(type.getElementTypeBitWidth(), value);
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, bits));
  }
  Value bitcast(Value value) { return LLVM::BitcastOp::create(b, type, value); }
  Value extend(Value value) { return LLVM::ZExtOp::create(b, type, value); }
  Value add(Value x, Value y) { return LLVM::AddOp::create(b, x, y); }
  Value sub(Value x, Value y) { return LLVM::SubOp::create(b, x, y); }
  Value bitOr(Value x, Value y) { return LLVM::OrOp::create(b, x, y); }
  Value bitAnd(Value x, uint32_t y) {
    return LLVM::AndOp::create(b, x, constant(y));
  }
  Value min(Value x, uint32_t y) {
    return LLVM::UMinOp::create(b, x, constant(y));
  }
  Value max(Value x, uint32_t y) {
    return LLVM::UMaxOp::create(b, x, constant(y));
  }
  Value left(Value x, Value y) { return LLVM::ShlOp::create(b, x, y); }
  Value right(Value x, Value y) { return LLVM::LShrOp::create(b, x, y); }
  /// All ones where x > y, else zero; both are below half of the range.
  Value isGreater(Value x, uint32_t y) {
    return LLVM::AShrOp::create(b, sub(constant(y), x),
                                constant(type.getElementTypeBitWidth() - 1));
  }

private:
  ImplicitLocOpBuilder &b;
  VectorType type;
};
} // namespace

/// f32 to 8 bits, to nearest even, saturating; vector<N x f32> to vector<N x
/// i8>.
///
/// A number of exponent field e and significand s (24 bits, of which the top
/// one is set) loses its d lowest bits: d = 23 - fractionBits where the result
/// is normal, and one more for each binade below. With E the larger of e and
/// the smallest normal one's field,
///
///   code = (E - smallest) << fractionBits
///        + (s + 2^(d-1) - 1 + bit d of s) >> d.
///
/// The leading bit of s >> d makes the exponent of normal numbers right, and so
/// does a carry of the rounding. From d = 25 on the result is zero, so that d
/// may stop at 31; that also covers zero and f32's denormals, whose leading bit
/// is not set in truth.
static Value narrowInSoftware(ThreadCode &code, Value value,
                              const Float8 &format) {
  int64_t count = getCount(value);
  Lanes lanes(code, count, 32);
  Value bits = lanes.bitcast(value);
  Value magnitude = lanes.bitAnd(bits, 0x7FFFFFFF);
  Value isNaN = lanes.isGreater(magnitude, 0x7F800000);

  Value finite = lanes.min(magnitude, format.largest);
  Value exponent = lanes.right(finite, lanes.constant(23));
  Value significand =
      lanes.bitOr(lanes.bitAnd(finite, 0x7FFFFF), lanes.constant(0x800000));
  Value top = lanes.max(exponent, format.smallestExponent);
  Value below = lanes.sub(top, exponent);
  Value dropped =
      lanes.min(lanes.add(below, lanes.constant(23 - format.fractionBits)), 31);

  Value odd = lanes.bitAnd(lanes.right(significand, dropped), 1);
  // 2^(d-1) - 1
  Value half = lanes.right(lanes.constant(0x7FFFFFFF),
                           lanes.sub(lanes.constant(32), dropped));
  Value rounded = lanes.add(significand, lanes.add(half, odd));
  Value result = lanes.add(
      lanes.left(lanes.sub(top, lanes.constant(format.smallestExponent)),
                 lanes.constant(format.fractionBits)),
      lanes.right(rounded, dropped));

  result = lanes.bitOr(result, lanes.bitAnd(isNaN, kNaN));
  Value sign = lanes.bitAnd(lanes.right(bits, lanes.constant(24)), 0x80);
  return LLVM::TruncOp::create(code.b,
                               VectorType::get({count}, code.b.getI8Type()),
                               lanes.bitOr(result, sign));
}

/// 8 bits to f16; vector<N x i8> to vector<N x f16>.
///
/// e5m2 is the upper half of an f16. The exponent and the fraction of e4m3,
/// moved to those of f16, read as a number 2^8 times too small, as the biases
/// are 7 and 15; denormals as well, and the multiplication is exact.
static Value widenInSoftware(ThreadCode &code, Value value,
                             const Float8 &format) {
  int64_t count = getCount(value);
  Lanes lanes(code, count, 16);
  auto type = VectorType::get({count}, code.b.getF16Type());
  Value wide = lanes.extend(value);
  if (format.fractionBits == 2)
    return LLVM::BitcastOp::create(code.b, type,
                                   lanes.left(wide, lanes.constant(8)));
  Value magnitude = lanes.bitAnd(wide, 0x7F);
  Value isNaN = lanes.isGreater(magnitude, kNaN - 1);
  Value sign = lanes.left(lanes.bitAnd(wide, 0x80), lanes.constant(8));
  Value bits = lanes.bitOr(lanes.left(magnitude, lanes.constant(7)), sign);
  bits = lanes.bitOr(bits, lanes.bitAnd(isNaN, 0x7FFF));
  Value scale = arith::ConstantOp::create(
      code.b,
      DenseElementsAttr::get(type, code.b.getF16FloatAttr(256.0f).getValue()));
  return LLVM::FMulOp::create(
      code.b, LLVM::BitcastOp::create(code.b, type, bits), scale);
}

/// A single element twice: the instructions take pairs.
static Value makePairs(ThreadCode &code, Value vector) {
  return getCount(vector) == 1 ? code.gather(vector, {0, 0}) : vector;
}

/// f16 or f32 to 8 bits. PTX ISA, "cvt": the first operand, and the upper half
/// of a pair, become the upper byte.
static Value narrowPairs(ThreadCode &code, Value value, const Float8 &format) {
  int64_t count = getCount(value);
  value = makePairs(code, value);
  int64_t words = getCount(value) / 2;
  Type word = code.b.getI16Type();
  bool isHalf = getBitWidth(value) == 16;
  std::string name = (Twine("llvm.nvvm.") + (isHalf ? "f16x2" : "ff") + ".to." +
                      format.pair + ".rn")
                         .str();
  Value result = code.poison(VectorType::get({words}, word));
  for (int64_t i = 0; i < words; ++i) {
    SmallVector<Value> operands;
    if (isHalf)
      operands = {code.slice(value, 2 * i, 2)};
    else
      operands = {code.extract(value, 2 * i + 1), code.extract(value, 2 * i)};
    result = code.insert(result, call(code, name, word, operands), i);
  }
  Value bytes =
      code.fromWords(result, VectorType::get({2 * words}, code.b.getI8Type()));
  return code.slice(bytes, 0, count);
}

/// 8 bits to f16. PTX ISA, "cvt".
static Value widenPairs(ThreadCode &code, Value value, const Float8 &format) {
  int64_t count = getCount(value);
  Value words = code.toWords(makePairs(code, value), 16);
  auto pair = VectorType::get({2}, code.b.getF16Type());
  SmallVector<Value> pairs;
  for (int64_t i = 0; i < getCount(words); ++i)
    pairs.push_back(call(code, "llvm.nvvm." + format.pair + ".to.f16x2.rn",
                         pair, code.extract(words, i)));
  return code.slice(code.concat(pairs), 0, count);
}

static Value narrowFloat8(ThreadCode &code, Value value, const Float8 &format,
                          bool hasInstructions) {
  Type element = getElementTypeOrSelf(value.getType());
  if (element.isF64())
    value = roundToOdd(code, value);
  else if (!element.isF16() || !hasInstructions)
    value = resize(code, value, code.b.getF32Type(), tile::Rounding::RTNE);
  return hasInstructions ? narrowPairs(code, value, format)
                         : narrowInSoftware(code, value, format);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Value tessera::convertFloat(ThreadCode &code, Operation *op, Value value,
                            Type from, Type to, tile::Rounding rounding) {
  if (from == to)
    return value;
  std::optional<Float8> source = getFloat8(from), target = getFloat8(to);
  if (!source && !target)
    return convertWide(code, value, to, rounding);

  // The pass has checked the target's name.
  bool hasInstructions = tile_gpu::getTargetInfo(op)->hasFp8Conversions();
  bool scalar = !isa<VectorType>(value.getType());
  if (scalar)
    value = code.splat(value, 1);
  if (source)
    value = hasInstructions ? widenPairs(code, value, *source)
                            : widenInSoftware(code, value, *source);
  value = target ? narrowFloat8(code, value, *target, hasInstructions)
                 : convertWide(code, value, to, rounding);
  return scalar ? code.extract(value, 0) : value;
}

Value tessera::convertFloat(ThreadCode &code, tile::ConvertOp op, Value value) {
  return convertFloat(code, op, value, getElementTypeOrSelf(op.getSrc()),
                      getElementTypeOrSelf(op.getType()), op.getRounding());
}

namespace {
struct Convert : OpConversionPattern<tile::ConvertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::ConvertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    rewriter.replaceOp(op, convertFloat(code, op, adaptor.getSrc()));
    return success();
  }
};
} // namespace

void tessera::populateConvertPatterns(const TileGPUTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<Convert>(converter, patterns.getContext());
}
