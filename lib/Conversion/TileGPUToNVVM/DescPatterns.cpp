//===- DescPatterns.cpp - accesses of arrays in global memory -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A descriptor is a struct of 64-bit integers. An access is a branch: where the
// whole tile is inside the array, no element is checked; else each instruction
// has a predicate. DescAddressing.h says what is computed.
//
//===----------------------------------------------------------------------===//

#include "DescAddressing.h"
#include "Patterns.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {

struct MakeDesc : OpConversionPattern<tile::MakeDescOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::MakeDescOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Type i64 = rewriter.getI64Type();
    SmallVector<Value> fields{
        LLVM::PtrToIntOp::create(code.b, i64, adaptor.getBase())};
    for (ValueRange values : {adaptor.getExtents(), adaptor.getStrides()})
      for (Value value : values)
        fields.push_back(value.getType() == i64
                             ? value
                             : LLVM::SExtOp::create(code.b, i64, value)
                                   .getResult());
    Value desc =
        code.poison(getTypeConverter()->convertType(op.getType()));
    for (auto [index, field] : llvm::enumerate(fields))
      desc = LLVM::InsertValueOp::create(code.b, desc, field, index);
    rewriter.replaceOp(op, desc);
    return success();
  }
};

struct DescLoad : OpConversionPattern<tile::DescLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::DescLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    auto &converter = *getTypeConverter<TileGPUTypeConverter>();
    auto type = cast<RankedTensorType>(op.getType());
    LinearLayout layout = getLinearLayout(type);
    int32_t copies = layout.freeVariableMasks()[kRegisterDim];
    Chunk chunk(converter.convertElement(type.getElementType()),
                getChunkWidth(op, type, layout));
    SmallVector<int64_t> registers =
        ThreadCode::chunkRegisters(layout, chunk.width);
    DescAddressing addressing(code, op, type, adaptor.getDesc(),
                              adaptor.getOffsets());
    // The words of the chunks, in the order of `registers`.
    auto load = [&](bool checked) {
      std::map<int64_t, Value> words;
      addressing.forEach(registers, checked,
                         [&](int64_t reg, Value address, Value exists) {
                           words[reg] = loadWords(
                               code, chunk, {op.getCache(), op.getEvict()},
                               address, exists, Value());
                         });
      return llvm::to_vector(llvm::make_second_range(words));
    };
    SmallVector<Value> words = branch(code, addressing.isWhole(), load,
                                      chunk.getWordsType(), registers.size());
    SmallVector<Value> parts;
    for (int64_t reg = 0; reg < layout.getInDimSize(kRegisterDim);
         reg += chunk.width) {
      auto source = llvm::find(registers, reg & ~int64_t(copies));
      parts.push_back(
          fromMemory(code, words[source - registers.begin()], chunk));
    }
    rewriter.replaceOp(op, code.concat(parts));
    return success();
  }

private:
  /// What `load` yields, unchecked where `whole` holds.
  static SmallVector<Value>
  branch(ThreadCode &code, Value whole,
         llvm::function_ref<SmallVector<Value>(bool)> load, Type type,
         size_t count) {
    if (!whole)
      return load(/*checked=*/false);
    auto branch = scf::IfOp::create(code.b, SmallVector<Type>(count, type),
                                    whole, /*withElseRegion=*/true);
    for (bool checked : {false, true}) {
      OpBuilder::InsertionGuard guard(code.b);
      code.b.setInsertionPointToStart(checked ? branch.elseBlock()
                                              : branch.thenBlock());
      scf::YieldOp::create(code.b, load(checked));
    }
    return SmallVector<Value>(branch.getResults());
  }
};

/// Of the threads that hold copies of an element, the first one stores it.
struct DescStore : OpConversionPattern<tile::DescStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::DescStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    auto type = cast<RankedTensorType>(op.getValue().getType());
    LinearLayout layout = getLinearLayout(type);
    Value values = adaptor.getValue();
    Chunk chunk(getElementTypeOrSelf(values.getType()),
                getChunkWidth(op, type, layout));
    SmallVector<int64_t> registers =
        ThreadCode::chunkRegisters(layout, chunk.width);
    Value first = code.isFirstCopy(layout);
    DescAddressing addressing(code, op, type, adaptor.getDesc(),
                              adaptor.getOffsets());
    addressing.branch([&](bool checked) {
      addressing.forEach(
          registers, checked, [&](int64_t reg, Value address, Value exists) {
            if (exists && first)
              exists = LLVM::AndOp::create(code.b, exists, first);
            storeWords(code, chunk, {op.getCache(), op.getEvict()}, address,
                       exists ? exists : first,
                       toMemory(code, code.slice(values, reg, chunk.width),
                                chunk));
          });
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tessera::populateDescPatterns(const TileGPUTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<MakeDesc, DescLoad, DescStore>(converter,
                                              patterns.getContext());
}
