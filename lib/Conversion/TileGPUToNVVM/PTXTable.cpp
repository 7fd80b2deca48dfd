//===- PTXTable.cpp - instructions without an operation of the nvvm dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXTable.h"

#include "ThreadCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ptx;

namespace {
/// Collects the operands of one instruction. Outputs are $0, …, then inputs.
class Instruction {
public:
  explicit Instruction(ImplicitLocOpBuilder &b) : b(b) {}

  /// Adds an output and returns its placeholder.
  std::string output(Type type) {
    outputs.push_back(type);
    addConstraint("=" + getRegister(type));
    return placeholder();
  }
  /// Adds an input and returns its placeholder.
  std::string input(Value value) {
    inputs.push_back(value);
    addConstraint(getRegister(value.getType()));
    return placeholder();
  }
  /// Adds an input in the register of output `index`: its initial value.
  void initialize(unsigned index, Value value) {
    inputs.push_back(value);
    addConstraint(std::to_string(index));
    ++operands;
  }
  /// Emits the instruction and returns its outputs.
  SmallVector<Value> emit(const std::string &text, bool hasEffects = true);

private:
  /// PTX register classes of NVPTX's inline assembly.
  static std::string getRegister(Type type) {
    if (type.isF32())
      return "f";
    if (type.isF64())
      return "d";
    // Addresses of all state spaces have 64 bits.
    if (isa<LLVM::LLVMPointerType>(type))
      return "l";
    switch (type.getIntOrFloatBitWidth()) {
    case 1:
      return "b";
    case 16:
      return "h";
    case 32:
      return "r";
    default:
      return "l";
    }
  }
  void addConstraint(const std::string &constraint) {
    constraints += (constraints.empty() ? "" : ",") + constraint;
  }
  std::string placeholder() { return "$" + std::to_string(operands++); }

  ImplicitLocOpBuilder &b;
  SmallVector<Type> outputs;
  SmallVector<Value> inputs;
  std::string constraints;
  unsigned operands = 0;
};
} // namespace

SmallVector<Value> Instruction::emit(const std::string &text, bool hasEffects) {
  Type type;
  if (outputs.size() == 1)
    type = outputs[0];
  else if (outputs.size() > 1)
    type = LLVM::LLVMStructType::getLiteral(b.getContext(), outputs);
  auto op = LLVM::InlineAsmOp::create(
      b, type ? TypeRange(type) : TypeRange(), inputs, text, constraints,
      hasEffects, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  if (outputs.size() < 2)
    return SmallVector<Value>(op->getResults());
  SmallVector<Value> results;
  for (size_t i = 0; i < outputs.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(b, op.getRes(), i));
  return results;
}

/// `.cop` or `.level::eviction_priority`: PTX allows one of them, and none on a
/// volatile access.
static std::string getHints(const GlobalAccess &access) {
  if (access.isVolatile)
    return "";
  if (access.cache)
    return "." + stringifyCacheHint(*access.cache).str();
  if (access.evict)
    return ".L1::" + stringifyEvictionHint(*access.evict).str();
  return "";
}

static std::string getShape(unsigned words, unsigned bits) {
  std::string shape = words == 1 ? "" : ".v" + std::to_string(words);
  return shape + ".b" + std::to_string(bits);
}

/// `{$0, $1}` or `$0`.
static std::string getList(ArrayRef<std::string> operands) {
  if (operands.size() == 1)
    return operands[0];
  std::string text = "{";
  for (auto [index, operand] : llvm::enumerate(operands))
    text += (index == 0 ? "" : ", ") + operand;
  return text + "}";
}

static std::string getGuard(Instruction &instruction, Value predicate) {
  return predicate ? "@" + instruction.input(predicate) + " " : "";
}

/// Registers hold at least 16 bits.
static Type getRegisterType(ImplicitLocOpBuilder &b, unsigned wordBits) {
  return b.getIntegerType(std::max(16u, wordBits));
}

static Value getWord(ImplicitLocOpBuilder &b, Value words, int64_t index) {
  Value position =
      LLVM::ConstantOp::create(b, b.getI32Type(), b.getI32IntegerAttr(index));
  Value word = LLVM::ExtractElementOp::create(b, words, position);
  Type type = getRegisterType(b, word.getType().getIntOrFloatBitWidth());
  return word.getType() == type ? word
                                : LLVM::ZExtOp::create(b, type, word);
}

Value ptx::loadGlobal(ImplicitLocOpBuilder &b, const GlobalAccess &access,
                      Value address, Value predicate, Value other) {
  Instruction instruction(b);
  SmallVector<std::string> outputs;
  for (unsigned i = 0; i < access.words; ++i)
    outputs.push_back(instruction.output(getRegisterType(b, access.wordBits)));
  std::string text = getGuard(instruction, predicate) + "ld" +
                     (access.isVolatile ? ".volatile" : "") + ".global" +
                     getHints(access) + getShape(access.words, access.wordBits) +
                     " " + getList(outputs) + ", [" +
                     instruction.input(address) + "];";
  if (predicate)
    for (unsigned i = 0; i < access.words; ++i)
      instruction.initialize(i, getWord(b, other, i));
  Type wordType = b.getIntegerType(access.wordBits);
  Value words = LLVM::PoisonOp::create(
      b, VectorType::get({int64_t(access.words)}, wordType));
  for (auto [index, word] : llvm::enumerate(instruction.emit(text))) {
    if (word.getType() != wordType)
      word = LLVM::TruncOp::create(b, wordType, word);
    Value position =
        LLVM::ConstantOp::create(b, b.getI32Type(), b.getI32IntegerAttr(index));
    words = LLVM::InsertElementOp::create(b, words, word, position);
  }
  return words;
}

/// A store to the state space `space`.
static void store(ImplicitLocOpBuilder &b, const std::string &space,
                  unsigned words, unsigned wordBits, Value address, Value value,
                  Value predicate) {
  Instruction instruction(b);
  std::string guard = getGuard(instruction, predicate);
  std::string target = instruction.input(address);
  SmallVector<std::string> operands;
  for (unsigned i = 0; i < words; ++i)
    operands.push_back(instruction.input(getWord(b, value, i)));
  instruction.emit(guard + "st" + space + getShape(words, wordBits) + " [" +
                   target + "], " + getList(operands) + ";");
}

void ptx::storeGlobal(ImplicitLocOpBuilder &b, const GlobalAccess &access,
                      Value address, Value value, Value predicate) {
  store(b, ".global" + getHints(access), access.words, access.wordBits, address,
        value, predicate);
}

void ptx::storeShared(ImplicitLocOpBuilder &b, unsigned wordBits, Value address,
                      Value value, Value predicate) {
  store(b, ".shared", getCount(value), wordBits, address, value, predicate);
}

/// Puts scalars into a vector.
static Value makeVector(ImplicitLocOpBuilder &b, ValueRange scalars) {
  ThreadCode code(b, b.getLoc());
  Value result = code.poison(
      VectorType::get({int64_t(scalars.size())}, scalars[0].getType()));
  for (auto [index, scalar] : llvm::enumerate(scalars))
    result = code.insert(result, scalar, index);
  return result;
}

Value ptx::loadMatrix(ImplicitLocOpBuilder &b, unsigned count, bool transposed,
                      Value address) {
  Instruction instruction(b);
  SmallVector<std::string> outputs;
  for (unsigned i = 0; i < count; ++i)
    outputs.push_back(instruction.output(b.getI32Type()));
  std::string list;
  for (auto [index, output] : llvm::enumerate(outputs))
    list += (index == 0 ? "" : ", ") + output;
  // Braces also around a single register.
  return makeVector(
      b, instruction.emit("ldmatrix.sync.aligned.m8n8.x" +
                          std::to_string(count) + (transposed ? ".trans" : "") +
                          ".shared.b16 {" + list + "}, [" +
                          instruction.input(address) + "];"));
}

void ptx::storeMatrix(ImplicitLocOpBuilder &b, bool transposed, Value address,
                      Value words) {
  ThreadCode code(b, b.getLoc());
  Instruction instruction(b);
  std::string target = instruction.input(address);
  SmallVector<std::string> inputs;
  for (int64_t i = 0; i < getCount(words); ++i)
    inputs.push_back(instruction.input(code.extract(words, i)));
  instruction.emit("stmatrix.sync.aligned.m8n8.x" +
                   std::to_string(inputs.size()) + (transposed ? ".trans" : "") +
                   ".shared.b16 [" + target + "], {" + llvm::join(inputs, ", ") +
                   "};");
}

Value ptx::multiplyMatrices(ImplicitLocOpBuilder &builder, const Mma &mma,
                            Value a, Value b, Value acc) {
  ThreadCode code(builder, builder.getLoc());
  Instruction instruction(builder);
  Type accType = cast<VectorType>(acc.getType()).getElementType();
  SmallVector<std::string> d, operands[3];
  for (int64_t i = 0; i < getCount(acc); ++i)
    d.push_back(instruction.output(accType));
  Value vectors[] = {a, b, acc};
  for (auto [index, vector] : llvm::enumerate(vectors))
    for (int64_t i = 0; i < getCount(vector); ++i)
      operands[index].push_back(instruction.input(code.extract(vector, i)));
  auto braces = [](ArrayRef<std::string> list) {
    return "{" + llvm::join(list, ", ") + "}";
  };
  std::string shape = "m" + std::to_string(mma.m) + "n" +
                      std::to_string(mma.n) + "k" + std::to_string(mma.k);
  return makeVector(
      builder,
      instruction.emit("mma.sync.aligned." + shape + ".row.col." + mma.acc +
                           "." + mma.a + "." + mma.b + "." + mma.acc + " " +
                           braces(d) + ", " + braces(operands[0]) + ", " +
                           braces(operands[1]) + ", " + braces(operands[2]) +
                           ";",
                       /*hasEffects=*/false));
}

SmallVector<Value> ptx::multiplyAsync(ImplicitLocOpBuilder &b,
                                      const Wgmma &wgmma, ValueRange a,
                                      Value descriptorB, ValueRange acc) {
  Instruction instruction(b);
  SmallVector<std::string> d, as;
  // Four bytes an accumulator, half a row of them a thread.
  for (int i = 0; i < wgmma.n / 2; ++i)
    d.push_back(instruction.output(b.getF32Type()));
  for (Value value : a)
    as.push_back(instruction.input(value));
  std::string bs = instruction.input(descriptorB);
  for (auto [index, value] : llvm::enumerate(acc))
    instruction.initialize(index, value);
  auto flag = [](bool value) { return std::string(value ? ", 1" : ", 0"); };
  // scale-d is a predicate: true, acc counts.
  std::string counts = acc.empty() ? "ne" : "eq";
  return instruction.emit("{ .reg .pred p; setp." + counts +
                          ".u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n" +
                          std::to_string(wgmma.n) + "k" +
                          std::to_string(wgmma.k) + ".f32." + wgmma.type + "." +
                          wgmma.type + " {" + llvm::join(d, ", ") + "}, " +
                          getList(as) + ", " + bs + ", p, 1, 1" +
                          (as.size() == 1 ? flag(wgmma.transposeA) : "") +
                          flag(wgmma.transposeB) + "; }");
}

/// The registers of vectors behind an instruction that has nothing to do with
/// them: they are defined before it, and used after it.
static SmallVector<Value> passThrough(ImplicitLocOpBuilder &b,
                                      ValueRange vectors,
                                      const std::string &text) {
  ThreadCode code(b, b.getLoc());
  Instruction instruction(b);
  SmallVector<Value> scalars;
  for (Value vector : vectors)
    for (int64_t i = 0; i < getCount(vector); ++i)
      scalars.push_back(code.extract(vector, i));
  for (Value scalar : scalars)
    instruction.output(scalar.getType());
  for (auto [index, scalar] : llvm::enumerate(scalars))
    instruction.initialize(index, scalar);
  SmallVector<Value> outputs = instruction.emit(text), results;
  ArrayRef<Value> rest = outputs;
  for (Value vector : vectors) {
    results.push_back(makeVector(b, rest.take_front(getCount(vector))));
    rest = rest.drop_front(getCount(vector));
  }
  return results;
}

SmallVector<Value> ptx::fenceRegisters(ImplicitLocOpBuilder &b,
                                       ValueRange vectors) {
  return passThrough(b, vectors, "wgmma.fence.sync.aligned;");
}

Value ptx::waitForProducts(ImplicitLocOpBuilder &b, Value acc,
                           uint32_t pending) {
  return passThrough(b, acc,
                     "wgmma.wait_group.sync.aligned " +
                         std::to_string(pending) + ";")[0];
}

Value ptx::roundToTF32(ImplicitLocOpBuilder &b, Value value) {
  Instruction instruction(b);
  std::string output = instruction.output(b.getI32Type());
  std::string input = instruction.input(value);
  return instruction.emit("cvt.rna.tf32.f32 " + output + ", " + input + ";",
                          /*hasEffects=*/false)[0];
}

Value ptx::pinHere(ImplicitLocOpBuilder &b, Value value) {
  Instruction instruction(b);
  Type type = value.getType();
  std::string output = instruction.output(type);
  std::string input = instruction.input(value);
  unsigned bits =
      isa<LLVM::LLVMPointerType>(type) ? 64 : type.getIntOrFloatBitWidth();
  return instruction.emit("mov.b" + std::to_string(bits) + " " + output + ", " +
                          input + ";")[0];
}

Value ptx::applyText(ImplicitLocOpBuilder &b, StringRef text, Type type,
                     ValueRange operands) {
  Instruction instruction(b);
  instruction.output(type);
  for (Value operand : operands)
    instruction.input(operand);
  return instruction.emit(text.str(), /*hasEffects=*/false)[0];
}

Value ptx::atomic(ImplicitLocOpBuilder &b, StringRef suffix, Value address,
                  ValueRange values, Value predicate) {
  Instruction instruction(b);
  std::string output = instruction.output(values[0].getType());
  std::string guard = getGuard(instruction, predicate);
  std::string text = guard + "atom" + suffix.str() + " " + output + ", [" +
                     instruction.input(address) + "]";
  for (Value value : values)
    text += ", " + instruction.input(value);
  // Without the update, the old value is unspecified: any register will do.
  if (predicate)
    instruction.initialize(0, values[0]);
  return instruction.emit(text + ";")[0];
}
