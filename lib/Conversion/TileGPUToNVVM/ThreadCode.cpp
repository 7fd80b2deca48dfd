//===- ThreadCode.cpp - code of one thread -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using tessera::tile_gpu::kWarpSize;

int64_t tessera::getCount(Value vector) {
  return cast<VectorType>(vector.getType()).getNumElements();
}

int64_t tessera::getBits(Type type) {
  auto vector = cast<VectorType>(type);
  return vector.getNumElements() *
         vector.getElementType().getIntOrFloatBitWidth();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value ThreadCode::i32(int64_t value) {
  return LLVM::ConstantOp::create(b, b.getI32Type(),
                                  b.getI32IntegerAttr(int32_t(value)));
}

Value ThreadCode::i64(int64_t value) {
  return LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(value));
}

Value ThreadCode::zero(Type type) { return LLVM::ZeroOp::create(b, type); }

Value ThreadCode::threadId() {
  return NVVM::ThreadIdXOp::create(b, b.getI32Type());
}

Value ThreadCode::laneId() {
  return LLVM::AndOp::create(b, threadId(), i32(kWarpSize - 1));
}

Value ThreadCode::warpId() {
  return LLVM::LShrOp::create(b, threadId(),
                              i32(llvm::Log2_32(kWarpSize)));
}

Value ThreadCode::isFirstThread() {
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, threadId(), i32(0));
}

void ThreadCode::barrier(Operation *op) {
  // The function may be lowered already: both forms carry the attribute.
  if (tile_gpu::getNumWarps(op) == 1)
    NVVM::SyncWarpOp::create(b, i32(-1));
  else
    NVVM::Barrier0Op::create(b);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

namespace {
/// `count` input bits from `bit` on that contribute output bits in a row:
/// ((in >> bit) & (2^count - 1)) * factor.
struct BitRun {
  int bit, count;
  int32_t factor;
};
} // namespace

/// Runs of the bits of `dim` that contribute to `out`.
static SmallVector<BitRun> getRuns(const LinearLayout &layout, const char *dim,
                                   const std::string &out) {
  SmallVector<BitRun> runs;
  for (int bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit) {
    int32_t basis = layout.getBasis(dim, bit, out);
    if (basis == 0)
      continue;
    bool extends = !runs.empty() && runs.back().bit + runs.back().count == bit &&
                   llvm::isPowerOf2_32(runs.back().factor) &&
                   basis == runs.back().factor << runs.back().count;
    if (extends)
      ++runs.back().count;
    else
      runs.push_back({bit, 1, basis});
  }
  return runs;
}

Value ThreadCode::threadPart(const LinearLayout &layout,
                             const std::string &out) {
  Value result;
  for (const char *dim : {kLaneDim, kWarpDim})
    for (const BitRun &run : getRuns(layout, dim, out)) {
      Value part = dim == StringRef(kLaneDim) ? laneId() : warpId();
      if (run.bit != 0)
        part = LLVM::LShrOp::create(b, part, i32(run.bit));
      part = LLVM::AndOp::create(b, part, i32((1 << run.count) - 1));
      part = LLVM::MulOp::create(b, part, i32(run.factor));
      result = result ? LLVM::XOrOp::create(b, result, part).getResult() : part;
    }
  return result;
}

SmallVector<int64_t> ThreadCode::chunkRegisters(const LinearLayout &layout,
                                                int64_t width) {
  int64_t copies = layout.freeVariableMasks()[kRegisterDim];
  SmallVector<int64_t> registers;
  for (int64_t reg = 0; reg < layout.getInDimSize(kRegisterDim); reg += width)
    if ((reg & copies) == 0)
      registers.push_back(reg);
  return registers;
}

int32_t ThreadCode::registerPart(const LinearLayout &layout,
                                 const std::string &out, int64_t reg) {
  int32_t result = 0;
  for (int bit = 0; bit < layout.getInDimSizeLog2(kRegisterDim); ++bit)
    if ((reg >> bit) & 1)
      result ^= layout.getBasis(kRegisterDim, bit, out);
  return result;
}

bool ThreadCode::isDisjoint(const LinearLayout &layout,
                            const std::string &out) {
  auto bits = [&](const char *dim) {
    int32_t all = 0;
    for (int bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit)
      all |= layout.getBasis(dim, bit, out);
    return all;
  };
  return (bits(kRegisterDim) & (bits(kLaneDim) | bits(kWarpDim))) == 0;
}

Value ThreadCode::isFirstCopy(const LinearLayout &layout) {
  std::map<std::string, int32_t> free = layout.freeVariableMasks();
  int32_t mask =
      free[kLaneDim] | free[kWarpDim] << llvm::Log2_32(kWarpSize);
  if (mask == 0)
    return nullptr;
  Value bits = LLVM::AndOp::create(b, threadId(), i32(mask));
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, bits, i32(0));
}

//===----------------------------------------------------------------------===//
// Vectors of registers
//===----------------------------------------------------------------------===//

Value ThreadCode::poison(Type type) { return LLVM::PoisonOp::create(b, type); }

Value ThreadCode::asVector(Value value) {
  if (!value || isa<VectorType>(value.getType()))
    return value;
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    value = LLVM::PtrToIntOp::create(b, b.getI64Type(), value);
  return splat(value, 1);
}

Value ThreadCode::splat(Value scalar, int64_t count) {
  auto type = VectorType::get({count}, scalar.getType());
  Value vector =
      LLVM::InsertElementOp::create(b, poison(type), scalar, i32(0));
  return count == 1 ? vector
                    : gather(vector, SmallVector<int32_t>(count, 0));
}

Value ThreadCode::extract(Value vector, int64_t index) {
  return LLVM::ExtractElementOp::create(b, vector, i32(index));
}

Value ThreadCode::insert(Value vector, Value scalar, int64_t index) {
  return LLVM::InsertElementOp::create(b, vector, scalar, i32(index));
}

Value ThreadCode::gather(Value vector, ArrayRef<int32_t> indices) {
  bool identity = int64_t(indices.size()) == getCount(vector) &&
                  llvm::all_of(llvm::enumerate(indices), [](auto entry) {
                    return int32_t(entry.index()) == entry.value();
                  });
  if (identity)
    return vector;
  return LLVM::ShuffleVectorOp::create(b, vector, poison(vector.getType()),
                                       indices);
}

Value ThreadCode::slice(Value vector, int64_t first, int64_t count) {
  return gather(vector,
                llvm::to_vector(llvm::seq<int32_t>(first, first + count)));
}

Value ThreadCode::concat(ArrayRef<Value> vectors) {
  // Pairwise, so that the number of shuffles is linear in the vectors.
  SmallVector<Value> level(vectors);
  while (level.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(LLVM::ShuffleVectorOp::create(
          b, level[i], level[i + 1],
          llvm::to_vector(llvm::seq<int32_t>(0, 2 * getCount(level[i])))));
    level = std::move(next);
  }
  return level.front();
}

Value ThreadCode::toWords(Value value, unsigned bits) {
  int64_t total = isa<VectorType>(value.getType())
                      ? getBits(value.getType())
                      : value.getType().getIntOrFloatBitWidth();
  auto type = VectorType::get({total / bits}, b.getIntegerType(bits));
  return value.getType() == type
             ? value
             : LLVM::BitcastOp::create(b, type, value).getResult();
}

Value ThreadCode::fromWords(Value words, Type type) {
  return words.getType() == type
             ? words
             : LLVM::BitcastOp::create(b, type, words).getResult();
}

Value ThreadCode::boolsToBytes(Value bools) {
  auto type = VectorType::get({getCount(bools)}, b.getI8Type());
  return LLVM::ZExtOp::create(b, type, bools);
}

Value ThreadCode::bytesToBools(Value bytes) {
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, bytes,
                              zero(bytes.getType()));
}
