//===- AsyncOps.cpp - copies and products beside the program --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An asynchronous operation may take effect at any time between its issue and
// its wait. The interpreter takes the extremes that show mistakes: what a copy
// brings arrives at its wait, and what a product reads it reads at once, while
// its operands count as in use until its wait.
//
//===----------------------------------------------------------------------===//

#include "AccessClaim.h"
#include "DescAccess.h"
#include "DotProduct.h"
#include "GlobalAccess.h"
#include "SharedAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

template <typename OpTy>
static LogicalResult prepareCopy(Instruction &instruction) {
  instruction.payload = computeByteOffsets(
      cast<OpTy>(instruction.op).getBuffer().getType());
  return success();
}

/// Starts copies of the elements behind `pointers` where `mask`, which may be
/// null, is true, and of zeros elsewhere, into operand number `operand`.
static void startCopies(Program &program, const Instruction &instruction,
                        const Tensor &pointers, const Tensor *mask,
                        unsigned operand, unsigned width) {
  Operation *op = instruction.op;
  BufferValue buffer = program.slot(instruction.operands[operand]).buffer;
  const auto &offsets = *std::any_cast<const ByteOffsets &>(instruction.payload);
  checkAccessClaim(program, instruction, pointers, mask, width);

  // All of the buffer: offsets are a permutation of its elements.
  AsyncState::Copy copy{buffer.offset,
                        std::vector<uint8_t>(offsets.size() * width, 0),
                        buffer.owner, op};
  GlobalAccess access(program, instruction, 0, width, pointers.getShape());
  for (int64_t i = 0; i < pointers.size(); ++i) {
    if (!mask || *mask->at(i))
      access.load(pointers.data<uint64_t>()[i], i, &copy.data[offsets[i]]);
    SharedOutcome outcome = program.shared.beginAsync(
        buffer.offset + offsets[i], width, /*writes=*/true, buffer.owner, op);
    reportShared(program, instruction, operand, outcome, i,
                 pointers.getShape());
  }
  program.async.open.push_back(std::move(copy));
}

static Flow runAsyncCopy(Program &program, const Instruction &instruction) {
  auto op = cast<AsyncCopyOp>(instruction.op);
  startCopies(program, instruction, *program.get(instruction, 0),
              op.getMask() ? program.get(instruction, 2).get() : nullptr,
              /*operand=*/1,
              tile::getByteWidth(op.getBuffer().getType().getElementType()));
  return Flow::Next;
}

static Flow runDescCopy(Program &program, const Instruction &instruction) {
  auto op = cast<DescCopyOp>(instruction.op);
  BufferType type = op.getBuffer().getType();
  unsigned width = tile::getByteWidth(type.getElementType());
  DescTile tile = expandTile(program, instruction, type.getShape(), width);
  startCopies(program, instruction, tile.pointers, &tile.mask,
              /*operand=*/1 + type.getShape().size(), width);
  return Flow::Next;
}

static Flow runAsyncCommit(Program &program, const Instruction &instruction) {
  AsyncState &async = program.async;
  program.slot(instruction.results[0]).number =
      async.firstGroup + async.groups.size();
  async.groups.push_back(std::move(async.open));
  async.open.clear();
  return Flow::Next;
}

static Flow runAsyncWait(Program &program, const Instruction &instruction) {
  AsyncState &async = program.async;
  uint32_t pending = cast<AsyncWaitOp>(instruction.op).getPending();
  for (; async.groups.size() > pending; ++async.firstGroup) {
    for (const AsyncState::Copy &copy : async.groups.front())
      program.shared.endAsyncWrite(copy.offset, copy.data, copy.owner,
                                   /*visible=*/false, copy.op);
    async.groups.pop_front();
  }
  if (instruction.operands.empty())
    return Flow::Next;
  uint32_t token = program.slot(instruction.operands[0]).number;
  if (token >= async.firstGroup)
    program.report(FindingKind::ReadBeforeWait, instruction, 0, 0, {}, [&] {
      return "the wait leaves the group of its token under way";
    });
  return Flow::Next;
}

static Flow runFenceAsync(Program &program, const Instruction &) {
  program.shared.fenceAsync();
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// Where the elements of both operands lie; of A nothing where it is in
/// registers.
struct ProductPayload {
  ByteOffsets a, b;
};
} // namespace

static LogicalResult prepareWgmma(Instruction &instruction) {
  auto op = cast<WgmmaOp>(instruction.op);
  ProductPayload payload;
  if (auto buffer = dyn_cast<BufferType>(op.getA().getType()))
    payload.a = computeByteOffsets(buffer);
  payload.b = computeByteOffsets(op.getB().getType());
  instruction.payload = std::move(payload);
  return success();
}

/// The operand's elements as the product finds them, in use from now on.
static Tensor readOperand(Program &program, const Instruction &instruction,
                          unsigned operand, BufferType type,
                          const std::vector<int64_t> &offsets,
                          AsyncState::Ranges &ranges) {
  BufferValue buffer = program.slot(instruction.operands[operand]).buffer;
  Tensor tensor(*getElementKind(type.getElementType()), type.getShape());
  unsigned width = tensor.getByteWidth();
  for (int64_t i = 0; i < tensor.size(); ++i) {
    int64_t offset = buffer.offset + offsets[i];
    SharedOutcome outcome = program.shared.beginAsync(
        offset, width, /*writes=*/false, buffer.owner, instruction.op);
    reportShared(program, instruction, operand, outcome, i, type.getShape());
    program.shared.peek(offset, MutableArrayRef(tensor.at(i), width));
  }
  ranges.emplace_back(buffer.offset, type.getSlotBytes());
  return tensor;
}

/// Reports elements of an operand's row-major `tensor` that are not zero where
/// the product says so: at `depth` and behind along `axis`.
static void checkDepth(Program &program, const Instruction &instruction,
                       unsigned operand, const Tensor &tensor, unsigned axis,
                       int64_t depth) {
  int64_t columns = tensor.getShape()[1];
  for (int64_t i = 0; i < tensor.size(); ++i) {
    int64_t k = axis == 0 ? i / columns : i % columns;
    // f16 or bf16, without the sign.
    if (k < depth || (tensor.data<uint16_t>()[i] & 0x7FFF) == 0)
      continue;
    program.report(FindingKind::FalseDepth, instruction, operand, i,
                   tensor.getShape(),
                   [&] { return "depth is " + std::to_string(depth); });
  }
}

/// The first rows and columns of a matrix.
static Tensor takeCorner(const Tensor &matrix, int64_t rows, int64_t columns) {
  Tensor corner(matrix.getKind(), {rows, columns});
  for (int64_t row = 0; row < rows; ++row)
    std::memcpy(corner.at(row * columns), matrix.at(row * matrix.getShape()[1]),
                columns * matrix.getByteWidth());
  return corner;
}

/// Leaves the steps out that the instruction does not make.
static void takeSteps(Program &program, const Instruction &instruction,
                      TensorRef &a, Tensor &b) {
  auto op = cast<WgmmaOp>(instruction.op);
  if (!op.getDepth())
    return;
  int64_t depth = program.get(instruction, 3)->data<int32_t>()[0];
  checkDepth(program, instruction, 0, *a, /*axis=*/1, depth);
  checkDepth(program, instruction, 1, b, /*axis=*/0, depth);
  int64_t step = op.getStep(), k = b.getShape()[0];
  int64_t end =
      std::min<int64_t>(k, llvm::alignTo(std::max<int64_t>(depth, 1), step));
  a = std::make_shared<Tensor>(takeCorner(*a, a->getShape()[0], end));
  b = takeCorner(b, end, b.getShape()[1]);
}

static Flow runWgmma(Program &program, const Instruction &instruction) {
  auto op = cast<WgmmaOp>(instruction.op);
  const auto &payload =
      std::any_cast<const ProductPayload &>(instruction.payload);
  AsyncState &async = program.async;
  AsyncState::Ranges ranges;
  TensorRef a;
  if (auto buffer = dyn_cast<BufferType>(op.getA().getType()))
    a = std::make_shared<Tensor>(
        readOperand(program, instruction, 0, buffer, *payload.a, ranges));
  else
    a = program.get(instruction, 0);
  Tensor b = readOperand(program, instruction, 1, op.getB().getType(),
                         *payload.b, ranges);
  takeSteps(program, instruction, a, b);
  auto result =
      computeDot(*a, b, *program.get(instruction, 2), /*toTF32=*/true);
  async.products.emplace_back(std::move(ranges), op);
  result->product = async.firstProduct + async.products.size() - 1;
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static Flow runWgmmaWait(Program &program, const Instruction &instruction) {
  AsyncState &async = program.async;
  uint32_t pending = cast<WgmmaWaitOp>(instruction.op).getPending();
  for (; async.products.size() > pending; ++async.firstProduct) {
    for (auto [offset, count] : async.products.front().first)
      program.shared.endAsyncRead(offset, count);
    async.products.pop_front();
  }
  TensorRef acc = program.get(instruction, 0);
  if (acc->product != 0 && acc->product < async.firstProduct) {
    auto ended = std::make_shared<Tensor>(acc->getKind(), acc->getShape());
    std::memcpy(ended->at(0), acc->at(0), acc->size() * acc->getByteWidth());
    acc = std::move(ended);
  }
  program.set(instruction, std::move(acc));
  return Flow::Next;
}

void interpreter::checkAccumulators(Program &program,
                                    const Instruction &instruction) {
  // These hand accumulators on, or add to them in order.
  if (isa<WgmmaWaitOp, scf::ForOp, scf::IfOp, scf::WhileOp>(instruction.op))
    return;
  auto product = dyn_cast<WgmmaOp>(instruction.op);
  for (auto [i, slot] : llvm::enumerate(instruction.operands)) {
    const TensorRef &tensor = program.slot(slot).tensor;
    if (product && i == product.getAccMutable().getOperandNumber())
      continue;
    if (tensor && tensor->product != 0)
      program.report(FindingKind::UseBeforeWait, instruction, i, 0, {},
                     [] { return std::string(); });
  }
}

void interpreter::checkRegistersInFlight(Program &program,
                                         const Instruction &loop) {
  for (const auto &product : program.async.products)
    if (cast<WgmmaOp>(product.second).readsRegisters() &&
        loop.op->isProperAncestor(product.second))
      program.report(FindingKind::RegistersInFlight, loop, -1, 0, {},
                     [] { return std::string(); });
}

void interpreter::finishAsynchronous(Program &program) {
  AsyncState &async = program.async;
  for (const AsyncState::Copy &copy : async.open)
    reportNeverWaited(program, copy.op);
  for (const auto &group : async.groups)
    for (const AsyncState::Copy &copy : group)
      reportNeverWaited(program, copy.op);
  for (const auto &product : async.products)
    reportNeverWaited(program, product.second);
}

void interpreter::registerAsyncOps(Registry &registry) {
  registry.add<AsyncCopyOp>(runAsyncCopy, prepareCopy<AsyncCopyOp>);
  registry.add<DescCopyOp>(runDescCopy, prepareCopy<DescCopyOp>);
  registry.add<AsyncCommitOp>(runAsyncCommit);
  registry.add<AsyncWaitOp>(runAsyncWait);
  registry.add<FenceAsyncOp>(runFenceAsync);
  registry.add<WgmmaOp>(runWgmma, prepareWgmma);
  registry.add<WgmmaWaitOp>(runWgmmaWait);
}
