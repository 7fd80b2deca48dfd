//===- DiagnosticPatterns.cpp - print, assert and inline PTX -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXTable.h"
#include "Patterns.h"
#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// vprintf
//===----------------------------------------------------------------------===//

/// The device's `int vprintf(const char *format, void *arguments)`.
static LLVM::LLVMFuncOp declarePrintf(OpBuilder builder, ModuleOp module) {
  if (auto found = module.lookupSymbol<LLVM::LLVMFuncOp>("vprintf"))
    return found;
  builder.setInsertionPointToStart(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer, pointer});
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), "vprintf", type);
}

/// A constant string, one symbol for each text.
static Value getString(ThreadCode &code, ModuleOp module, StringRef text) {
  std::string bytes = text.str() + '\0';
  LLVM::GlobalOp global;
  int number = 0;
  for (auto op : module.getOps<LLVM::GlobalOp>()) {
    if (!op.getName().starts_with("__tessera_text"))
      continue;
    ++number;
    auto value = dyn_cast_or_null<StringAttr>(op.getValueOrNull());
    if (value && value.getValue() == bytes)
      global = op;
  }
  if (!global) {
    OpBuilder builder(module.getContext());
    builder.setInsertionPointToStart(module.getBody());
    global = LLVM::GlobalOp::create(
        builder, module.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        "__tessera_text" + std::to_string(number),
        builder.getStringAttr(bytes), /*alignment=*/0, kGlobalSpace);
  }
  Value address = LLVM::AddressOfOp::create(code.b, global);
  return LLVM::AddrSpaceCastOp::create(
      code.b, LLVM::LLVMPointerType::get(code.b.getContext()), address);
}

/// printf(format, arguments); floats are f64, integers i32 or i64.
static void emitPrintf(ThreadCode &code, ModuleOp module, StringRef format,
                       ValueRange arguments) {
  LLVM::LLVMFuncOp function = declarePrintf(code.b, module);
  auto pointer = LLVM::LLVMPointerType::get(code.b.getContext());
  Value buffer = LLVM::ZeroOp::create(code.b, pointer);
  if (!arguments.empty()) {
    SmallVector<Type> types(arguments.getTypes());
    auto type = LLVM::LLVMStructType::getLiteral(code.b.getContext(), types);
    buffer = LLVM::AllocaOp::create(code.b, pointer, type, code.i32(1));
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      Value field = LLVM::GEPOp::create(
          code.b, pointer, type, buffer,
          ArrayRef<LLVM::GEPArg>{0, int32_t(index)});
      LLVM::StoreOp::create(code.b, argument, field);
    }
  }
  LLVM::CallOp::create(code.b, function,
                       ValueRange{getString(code, module, format), buffer});
}

/// Text with the format's own character doubled.
static std::string escape(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '%' ? "%%" : std::string(1, c);
  return result;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// A value as an argument of printf, and its conversion.
static std::pair<Value, std::string> promote(ThreadCode &code, Value value,
                                             Type type) {
  ImplicitLocOpBuilder &b = code.b;
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return {LLVM::PtrToIntOp::create(b, b.getI64Type(), value), "0x%llx"};
  if (isa<tile::PointerType>(type))
    return {value, "0x%llx"};
  if (isa<FloatType>(value.getType())) {
    if (!value.getType().isF64())
      value = LLVM::FPExtOp::create(b, b.getF64Type(), value);
    return {value, "%g"};
  }
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (bits == 64)
    return {value, "%lld"};
  if (bits == 1)
    return {LLVM::ZExtOp::create(b, b.getI32Type(), value), "%d"};
  if (bits < 32) // The codes of 8-bit floats have no sign of their own.
    value = isa<FloatType>(type)
                ? LLVM::ZExtOp::create(b, b.getI32Type(), value).getResult()
                : LLVM::SExtOp::create(b, b.getI32Type(), value).getResult();
  return {value, isa<FloatType>(type) ? "0x%x" : "%d"};
}

/// `(program x, y, z)`.
static void addProgram(ThreadCode &code, std::string &format,
                       SmallVectorImpl<Value> &arguments) {
  Type i32 = code.b.getI32Type();
  arguments.push_back(NVVM::BlockIdXOp::create(code.b, i32));
  arguments.push_back(NVVM::BlockIdYOp::create(code.b, i32));
  arguments.push_back(NVVM::BlockIdZOp::create(code.b, i32));
  format += "(program %d, %d, %d) ";
}

namespace {

struct Print : OpConversionPattern<tile::PrintOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    auto tensor = dyn_cast<RankedTensorType>(op.getValue().getType());
    Value first;
    if (tensor)
      first = code.isFirstCopy(getLinearLayout(tensor));
    else
      first = code.isFirstThread();
    OpBuilder::InsertionGuard guard(rewriter);
    if (first) {
      auto branch = scf::IfOp::create(code.b, first, /*withElseRegion=*/false);
      rewriter.setInsertionPointToStart(branch.thenBlock());
    }
    ThreadCode inner(rewriter, op.getLoc());
    if (tensor)
      printTensor(inner, op, tensor, adaptor.getValue());
    else
      printElement(inner, op, adaptor.getValue(), {});
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void printTensor(ThreadCode &code, tile::PrintOp op,
                          RankedTensorType type, Value values) {
    LinearLayout layout = getLinearLayout(type);
    int32_t copies = layout.freeVariableMasks()[kRegisterDim];
    for (int64_t reg = 0; reg < getCount(values); ++reg) {
      if (reg & copies)
        continue;
      SmallVector<Value> index;
      for (int64_t d = 0; d < type.getRank(); ++d) {
        std::string dim = tensorDimName(d);
        Value own = code.i32(ThreadCode::registerPart(layout, dim, reg));
        if (Value thread = code.threadPart(layout, dim))
          own = LLVM::XOrOp::create(code.b, thread, own);
        index.push_back(own);
      }
      printElement(code, op, code.extract(values, reg), index);
    }
  }

  static void printElement(ThreadCode &code, tile::PrintOp op, Value value,
                           ArrayRef<Value> index) {
    std::string format;
    SmallVector<Value> arguments;
    addProgram(code, format, arguments);
    format += escape(op.getText());
    for (auto [d, coordinate] : llvm::enumerate(index)) {
      format += d == 0 ? "[%d" : ", %d";
      arguments.push_back(coordinate);
    }
    auto [argument, conversion] =
        promote(code, value, getElementTypeOrSelf(op.getValue().getType()));
    arguments.push_back(argument);
    format += (index.empty() ? " = " : "] = ") + conversion + "\n";
    emitPrintf(code, op->getParentOfType<ModuleOp>(), format, arguments);
  }
};

struct Assert : OpConversionPattern<tile::AssertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Value condition = adaptor.getCondition();
    if (isa<VectorType>(condition.getType())) {
      Value all = code.extract(condition, 0);
      for (int64_t reg = 1; reg < getCount(condition); ++reg)
        all = LLVM::AndOp::create(code.b, all, code.extract(condition, reg));
      condition = all;
    }
    Value broken = LLVM::XOrOp::create(
        code.b, condition,
        LLVM::ConstantOp::create(code.b, code.b.getI1Type(),
                                 code.b.getBoolAttr(true)));
    auto branch = scf::IfOp::create(code.b, broken, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    ThreadCode inner(rewriter, op.getLoc());
    std::string format;
    SmallVector<Value> arguments;
    addProgram(inner, format, arguments);
    format += getPlace(op.getLoc()) + "assertion failed: " +
              escape(op.getText()) + "\n";
    emitPrintf(inner, op->getParentOfType<ModuleOp>(), format, arguments);
    LLVM::Trap::create(inner.b);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// `file.mlir:12: `, without the folder.
  static std::string getPlace(Location loc) {
    auto file = loc->findInstanceOf<FileLineColLoc>();
    if (!file)
      return "";
    StringRef name = file.getFilename().getValue();
    return escape(name.substr(name.rfind('/') + 1)) + ":" +
           std::to_string(file.getLine()) + ": ";
  }
};

/// Element by element.
struct InlinePTX : OpConversionPattern<tile::InlinePTXOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::InlinePTXOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Type type = typeConverter->convertType(op.getType());
    auto vector = dyn_cast<VectorType>(type);
    if (!vector) {
      rewriter.replaceOp(op, apply(code, op, adaptor.getOperands(), type));
      return success();
    }
    Value result = code.poison(type);
    for (int64_t reg = 0; reg < vector.getNumElements(); ++reg) {
      SmallVector<Value> operands;
      for (Value operand : adaptor.getOperands())
        operands.push_back(code.extract(operand, reg));
      result = code.insert(
          result, apply(code, op, operands, vector.getElementType()), reg);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// 16-bit floats and pointers travel as integers.
  static Type getRegisterType(ThreadCode &code, Type type) {
    if (isa<LLVM::LLVMPointerType>(type))
      return code.b.getI64Type();
    return type.isF16() || type.isBF16() ? code.b.getI16Type() : type;
  }
  static Value cast(ThreadCode &code, Value value, Type type) {
    if (value.getType() == type)
      return value;
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      return LLVM::PtrToIntOp::create(code.b, type, value);
    if (isa<LLVM::LLVMPointerType>(type))
      return LLVM::IntToPtrOp::create(code.b, type, value);
    return LLVM::BitcastOp::create(code.b, type, value);
  }
  static Value apply(ThreadCode &code, tile::InlinePTXOp op,
                     ValueRange operands, Type type) {
    SmallVector<Value> registers;
    for (Value operand : operands)
      registers.push_back(
          cast(code, operand, getRegisterType(code, operand.getType())));
    Value result = ptx::applyText(code.b, op.getText(),
                                  getRegisterType(code, type), registers);
    return cast(code, result, type);
  }
};

} // namespace

void tessera::populateDiagnosticPatterns(const TileGPUTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<Print, Assert, InlinePTX>(converter, patterns.getContext());
}
