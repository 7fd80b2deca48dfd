//===- StorePieces.cpp - results stored in pieces -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorePieces.h"

#include "tessera/Transforms/Layout/MapCoordinates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// The only operation of the kind in the block or in regions there; null for
/// none or several.
template <typename OpTy> static OpTy findOnly(Block *block) {
  OpTy found;
  bool several = false;
  block->walk([&](OpTy op) {
    several |= bool(found);
    found = op;
  });
  return several ? OpTy() : found;
}

std::optional<StorePieces> StorePieces::get(Block *body) {
  StorePieces pieces;
  pieces.store = findOnly<TMAStoreOp>(body);
  pieces.commit = findOnly<TMAStoreCommitOp>(body);
  pieces.wait = findOnly<TMAStoreWaitOp>(body);
  if (!pieces.store || !pieces.commit || !pieces.wait)
    return std::nullopt;

  // As tile-gpu-tensor-stores leaves them.
  auto before = [&](Operation *op) { return op ? op->getPrevNode() : nullptr; };
  pieces.fence = dyn_cast_or_null<FenceAsyncOp>(before(pieces.store));
  pieces.write = dyn_cast_or_null<LocalStoreOp>(before(pieces.fence));
  pieces.whole = pieces.store.getBuffer().getDefiningOp<AllocOp>();
  if (!pieces.write || !pieces.whole || pieces.store->getBlock() != body ||
      pieces.commit->getPrevNode() != pieces.store ||
      pieces.wait->getPrevNode() != pieces.commit ||
      pieces.wait.getPending() != 0 ||
      pieces.write.getBuffer() != pieces.whole ||
      !llvm::hasNItems(pieces.whole->getUsers(), 2))
    return std::nullopt;

  tile::TensorMapType map = pieces.store.getMap().getType();
  std::optional<BufferCopy> copy =
      getBufferCopy(map, pieces.whole.getType());
  auto tensor = cast<RankedTensorType>(pieces.write.getValue().getType());
  if (!copy || tensor.getRank() != 2)
    return std::nullopt;
  pieces.axis = copy->rowAxis;
  SmallVector<int64_t> shape(tensor.getShape());
  shape[pieces.axis] = map.getBox().back();
  pieces.pieceBuffer = getMapBuffer(map, shape, pieces.axis);
  auto slice = RegisterSlice::get(tensor, shape);
  if (!pieces.pieceBuffer || !slice || pieces.getNumPieces() <= kNumBuffers)
    return std::nullopt;
  pieces.piece = slice->getType();
  return pieces;
}

int64_t StorePieces::getNumPieces() {
  return whole.getType().getShape()[axis] / pieceBuffer.getShape()[axis];
}

void StorePieces::buildWrite(OpBuilder &builder, int64_t index) {
  SmallVector<int64_t> offsets(piece.getRank(), 0);
  offsets[axis] = index * piece.getDimSize(axis);
  Value value = ExtractSliceOp::create(builder, write.getLoc(), piece,
                                       write.getValue(), offsets);
  LocalStoreOp::create(builder, write.getLoc(), value, getBuffer(index));
}

void StorePieces::buildStore(OpBuilder &builder, int64_t index) {
  Location loc = store.getLoc();
  SmallVector<Value> coordinates(store.getCoordinates());
  if (int64_t first = index * piece.getDimSize(axis))
    coordinates.back() = arith::AddIOp::create(
        builder, loc, coordinates.back(),
        arith::ConstantOp::create(builder, loc,
                                  builder.getI32IntegerAttr(first)));
  TMAStoreOp::create(builder, loc, getBuffer(index), store.getMap(),
                     coordinates);
  TMAStoreCommitOp::create(builder, loc);
}

void StorePieces::build(Operation *loop) {
  OpBuilder builder(loop);
  for (int64_t i = 0; i < kNumBuffers; ++i)
    buffers.push_back(AllocOp::create(builder, whole.getLoc(), pieceBuffer,
                                      /*offset=*/IntegerAttr()));
  builder.setInsertionPoint(store);
  Location loc = store.getLoc();
  // The first pieces find all buffers free, and threads meet for them once.
  TMAStoreWaitOp::create(builder, loc, /*pending=*/0);
  for (int64_t i = 0; i < kNumBuffers; ++i)
    buildWrite(builder, i);
  FenceAsyncOp::create(builder, loc);
  for (int64_t i = 0; i < kNumBuffers; ++i)
    buildStore(builder, i);
  for (int64_t i = kNumBuffers; i < getNumPieces(); ++i) {
    TMAStoreWaitOp::create(builder, loc, /*pending=*/kNumBuffers - 1);
    buildWrite(builder, i);
    FenceAsyncOp::create(builder, loc);
    buildStore(builder, i);
  }
  builder.setInsertionPointAfter(loop);
  builder.clone(*wait);
  for (Operation *op : {wait.getOperation(), commit.getOperation(),
                        store.getOperation(), fence.getOperation(),
                        write.getOperation(), whole.getOperation()})
    op->erase();
}
