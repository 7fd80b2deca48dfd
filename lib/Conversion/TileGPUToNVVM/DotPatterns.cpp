//===- DotPatterns.cpp - matrix products -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma_sync: one instruction for each step, on slices of the registers (Mma.h
// numbers them). fma: one vector operation for each k.
//
//===----------------------------------------------------------------------===//

#include "PTXTable.h"
#include "Patterns.h"
#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"
#include "tessera/Transforms/Layout/DotLayouts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// The name of an operand's type in mma.sync.
static std::string getPTXType(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  if (isa<Float8E5M2Type>(type))
    return "e5m2";
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isF64())
    return "f64";
  return type.isInteger(8) ? "s8" : type.isInteger(32) ? "s32" : "f32";
}

namespace {

/// A dot by mma.sync, one batch at a time.
class MmaEmitter {
public:
  MmaEmitter(tile::DotOp op, ThreadCode &code, const MmaTiling &tiling)
      : code(code), shape(tiling.shape), dims(getDotShape(op)),
        steps(*countMmaSteps(dims.m, dims.n, dims.k, tiling)),
        type(getElementTypeOrSelf(op.getA().getType())) {
    ptxOp = {shape.m,
             shape.n,
             shape.k,
             type.isF32() ? "tf32" : getPTXType(type),
             type.isF32() ? "tf32"
                          : getPTXType(getElementTypeOrSelf(op.getB().getType())),
             getPTXType(getElementTypeOrSelf(op.getType()))};
  }

  Value run(Value a, Value b, Value acc) {
    SmallVector<Value> results;
    int64_t perBatch = getCount(acc) / dims.batch;
    for (int64_t batch = 0; batch < dims.batch; ++batch)
      results.push_back(runBatch(
          code.slice(a, batch * (getCount(a) / dims.batch),
                     getCount(a) / dims.batch),
          code.slice(b, batch * (getCount(b) / dims.batch),
                     getCount(b) / dims.batch),
          code.slice(acc, batch * perBatch, perBatch)));
    return code.concat(results);
  }

private:
  /// A fragment's registers as the instruction takes them.
  Value fragment(Value vector, MmaOperand operand, int32_t outer,
                 int32_t inner) {
    Value part =
        code.slice(vector, firstMmaRegister(shape, operand, steps, outer, inner),
                   mmaRegisters(shape, operand));
    if (type.isF64())
      return part;
    if (operand != MmaOperand::C)
      return type.isF32() ? roundWords(part) : code.toWords(part, 32);
    bool half = cast<VectorType>(part.getType()).getElementTypeBitWidth() == 16;
    return half ? code.toWords(part, 32) : part;
  }

  /// f32 operands as tf32.
  Value roundWords(Value part) {
    Value words = code.poison(
        VectorType::get({getCount(part)}, code.b.getI32Type()));
    for (int64_t i = 0; i < getCount(part); ++i)
      words = code.insert(words,
                          ptx::roundToTF32(code.b, code.extract(part, i)), i);
    return words;
  }

  Value runBatch(Value a, Value b, Value acc) {
    Type fragmentType = VectorType::get(
        {mmaRegisters(shape, MmaOperand::C)},
        cast<VectorType>(acc.getType()).getElementType());
    // k outermost: neighbouring instructions then do not wait for each other.
    SmallVector<Value> accs;
    for (int32_t m = 0; m < steps.m; ++m)
      for (int32_t n = 0; n < steps.n; ++n)
        accs.push_back(fragment(acc, MmaOperand::C, m, n));
    for (int32_t k = 0; k < steps.k; ++k) {
      SmallVector<Value> as, bs;
      for (int32_t m = 0; m < steps.m; ++m)
        as.push_back(fragment(a, MmaOperand::A, m, k));
      for (int32_t n = 0; n < steps.n; ++n)
        bs.push_back(fragment(b, MmaOperand::B, n, k));
      for (int32_t m = 0; m < steps.m; ++m)
        for (int32_t n = 0; n < steps.n; ++n) {
          Value &sum = accs[m * steps.n + n];
          sum = ptx::multiplyMatrices(code.b, ptxOp, as[m], bs[n], sum);
        }
    }
    for (Value &sum : accs)
      sum = code.fromWords(sum, fragmentType);
    return code.concat(accs);
  }

  ThreadCode &code;
  MmaShape shape;
  DotShape dims;
  MmaSteps steps;
  Type type;
  ptx::Mma ptxOp;
};

/// A dot by multiplications and additions, one batch at a time.
class FMAEmitter {
public:
  FMAEmitter(tile::DotOp op, ThreadCode &code)
      : op(op), code(code), dims(getDotShape(op)) {
    auto type = cast<RankedTensorType>(op.getType());
    LinearLayout layout = getLinearLayout(type);
    int64_t registers = layout.getInDimSize(kRegisterDim) / dims.batch;
    std::string row = tensorDimName(type.getRank() - 2);
    std::string column = tensorDimName(type.getRank() - 1);
    for (int64_t reg = 0; reg < registers; ++reg) {
      rows.push_back(compress(layout, row, reg));
      columns.push_back(compress(layout, column, reg));
    }
  }

  Value run(Value a, Value b, Value acc) {
    SmallVector<Value> results;
    int64_t count = rows.size();
    a = widen(a, op.getA().getType());
    b = widen(b, op.getB().getType());
    for (int64_t batch = 0; batch < dims.batch; ++batch) {
      Value sum = code.slice(acc, batch * count, count);
      for (int64_t k = 0; k < dims.k; ++k)
        sum = add(pick(a, rows, batch, k), pick(b, columns, batch, k), sum);
      results.push_back(sum);
    }
    return code.concat(results);
  }

private:
  /// The number of accumulator `reg`'s row (column) among the thread's.
  static int32_t compress(const LinearLayout &layout, const std::string &dim,
                          int64_t reg) {
    int32_t number = 0, place = 0;
    for (int bit = 0; bit < layout.getInDimSizeLog2(kRegisterDim); ++bit)
      if (layout.getBasis(kRegisterDim, bit, dim) != 0)
        number |= ((reg >> bit) & 1) << place++;
    return number;
  }

  /// An operand of type `tensor` in the accumulators' type, which contains it.
  Value widen(Value value, Type tensor) {
    Type to = getElementTypeOrSelf(op.getType());
    Type from = getElementTypeOrSelf(tensor);
    auto type = cast<VectorType>(value.getType()).clone(to);
    if (from == to)
      return value;
    if (tile::isFloat8(from))
      return convertFloat(code, op, value, from, to, tile::Rounding::RTNE);
    if (isa<IntegerType>(to))
      return LLVM::SExtOp::create(code.b, type, value);
    return LLVM::FPExtOp::create(code.b, type, value);
  }

  /// The operand's element k for each accumulator.
  Value pick(Value vector, ArrayRef<int32_t> numbers, int64_t batch, int64_t k) {
    int64_t perBatch = getCount(vector) / dims.batch;
    SmallVector<int32_t> indices;
    for (int32_t number : numbers)
      indices.push_back(batch * perBatch + k + dims.k * number);
    return code.gather(vector, indices);
  }

  Value add(Value a, Value b, Value sum) {
    if (cast<VectorType>(sum.getType()).getElementType().isInteger())
      return LLVM::AddOp::create(code.b, sum,
                                 LLVM::MulOp::create(code.b, a, b));
    return LLVM::FMAOp::create(code.b, a, b, sum);
  }

  tile::DotOp op;
  ThreadCode &code;
  DotShape dims;
  SmallVector<int32_t> rows, columns;
};

struct Dot : OpConversionPattern<tile::DotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int32_t warps = getNumWarps(op);
    FailureOr<DotLayouts> layouts = getDotLayouts(op, warps);
    if (failed(layouts))
      return failure();
    if (getLayout(op.getA().getType()) != layouts->a ||
        getLayout(op.getB().getType()) != layouts->b ||
        getLayout(op.getType()) != layouts->acc)
      return op.emitError("the layouts are not those of the instruction");
    ThreadCode code(rewriter, op.getLoc());
    bool mma = getInstruction(op).getKind() == DotKind::MmaSync;
    Value a = adaptor.getA(), b = adaptor.getB(), acc = adaptor.getAcc();
    rewriter.replaceOp(
        op, mma ? MmaEmitter(op, code, *getMmaTiling(op, warps)).run(a, b, acc)
                : FMAEmitter(op, code).run(a, b, acc));
    return success();
  }
};

} // namespace

void tessera::populateDotPatterns(const TileGPUTypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<Dot>(converter, patterns.getContext());
}
