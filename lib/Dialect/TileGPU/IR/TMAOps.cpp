//===- TMAOps.cpp - copies of boxes and their barriers --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// PTX ISA, "Contents of the mbarrier object": counts of arrivals and bytes are
/// below 2^20.
static constexpr int64_t kMaxCount = (1 << 20) - 1;

LogicalResult MBarrierType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t slots) {
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << slots << " mbarriers; there are 1 to " << kMaxSlots;
  return success();
}

LogicalResult MBarrierInitOp::verify() {
  int64_t arrivals = int32_t(getArrivals());
  if (arrivals < 1 || arrivals > kMaxCount)
    return emitOpError() << "arrivals = " << arrivals << " is not in [1, "
                         << kMaxCount << "]";
  int32_t offset = getOffset().value_or(0);
  if (offset < 0 || offset % 16 != 0)
    return emitOpError() << "offset " << offset
                         << " is not a non-negative multiple of 16";
  return success();
}

LogicalResult MBarrierExpectOp::verify() {
  int64_t bytes = int32_t(getBytes());
  if (bytes < 1 || bytes > kMaxCount)
    return emitOpError() << "expects " << bytes << " bytes, which is not in [1, "
                         << kMaxCount << "]";
  return success();
}

LogicalResult TMAStoreWaitOp::verify() {
  if (int32_t(getPending()) < 0 || getPending() > kMaxSlots)
    return emitOpError() << "pending = " << int32_t(getPending())
                         << " is not in [0, " << kMaxSlots << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static std::nullopt_t fail(std::string *error, std::string text) {
  if (error)
    *error = std::move(text);
  return std::nullopt;
}

/// Rows and columns of a box, without its leading dimensions; nullopt unless
/// those are 1.
static std::optional<BoxSize> getBoxSize(tile::TensorMapType map, size_t rank) {
  ArrayRef<int64_t> box = map.getBox();
  if (box.size() < rank ||
      llvm::any_of(box.drop_back(rank), [](int64_t size) { return size != 1; }))
    return std::nullopt;
  return BoxSize{rank == 2 ? int32_t(box[box.size() - 2]) : 1,
                 int32_t(box.back())};
}

/// The layout of a buffer that `copy` fills.
static SharedAttr getExpectedLayout(BufferType buffer, const TensorCopy &copy,
                                    int rowAxis) {
  MLIRContext *context = buffer.getContext();
  return buffer.getShape().size() == 1
             ? SharedAttr::getRowMajor(context, buffer.getShape())
             : SharedAttr::fromLinear(context, copy.getBuffer(rowAxis));
}

std::optional<BufferCopy> tile_gpu::getBufferCopy(tile::TensorMapType map,
                                                  BufferType buffer,
                                                  std::string *error) {
  ArrayRef<int64_t> shape = buffer.getShape();
  int rank = shape.size();
  std::optional<BoxSize> box =
      rank > 2 ? std::nullopt : getBoxSize(map, shape.size());
  if (!box)
    return fail(error, "boxes of rank " + std::to_string(map.getRank()) +
                           " do not fill a buffer of rank " +
                           std::to_string(rank));
  int elementBytes = tile::getByteWidth(map.getElementType());
  bool fits = false;
  for (int rowAxis = rank - 1; rowAxis >= 0; --rowAxis) {
    BoxSize tile = {rank == 2 ? int32_t(shape[1 - rowAxis]) : 1,
                    int32_t(shape[rowAxis])};
    // The first reason is the one for the usual order of axes.
    auto copy = TensorCopy::create(tile, *box, elementBytes, map.getSwizzle(),
                                   rowAxis == rank - 1 ? error : nullptr);
    fits |= copy.has_value();
    if (copy && buffer.getLayout() == getExpectedLayout(buffer, *copy, rowAxis))
      return BufferCopy{*copy, rowAxis};
  }
  if (fits)
    return fail(error, "the buffer is not laid out as copies with a swizzle of " +
                           std::to_string(map.getSwizzle()) +
                           " bytes fill it");
  return std::nullopt;
}

/// Where the buffer begins, as far as that is known.
static LogicalResult verifyAlignment(Operation *op, Value buffer,
                                     int64_t alignment) {
  if (auto slot = buffer.getDefiningOp<SlotOp>()) {
    BufferType ring = slot.getBuffer().getType();
    if (ring.getSlots() != 1 && ring.getSlotBytes() % alignment != 0)
      return op->emitOpError() << "slots of " << ring.getSlotBytes()
                               << " bytes do not begin at multiples of "
                               << alignment;
    buffer = slot.getBuffer();
  }
  auto alloc = buffer.getDefiningOp<AllocOp>();
  if (alloc && alloc.getOffset().value_or(0) % alignment != 0)
    return op->emitOpError() << "the buffer begins at byte "
                             << *alloc.getOffset() << ", not at a multiple of "
                             << alignment;
  return success();
}

static LogicalResult verifyCopy(Operation *op, tile::TensorMapType map,
                                size_t numCoordinates,
                                TypedValue<BufferType> buffer) {
  if (numCoordinates != size_t(map.getRank()))
    return op->emitOpError() << "has " << numCoordinates
                             << " coordinates for a map of rank "
                             << map.getRank();
  BufferType type = buffer.getType();
  if (type.getSlots() != 1)
    return op->emitOpError("copies one slot of a buffer");
  if (type.getElementType() != map.getElementType())
    return op->emitOpError() << "a map of " << map.getElementType()
                             << " does not fit a buffer of "
                             << type.getElementType();
  std::string error;
  std::optional<BufferCopy> copy = getBufferCopy(map, type, &error);
  if (!copy)
    return op->emitOpError() << error;
  return verifyAlignment(op, buffer, copy->copy.getAlignment());
}

LogicalResult TMALoadOp::verify() {
  return verifyCopy(*this, getMap().getType(), getCoordinates().size(),
                    getBuffer());
}

LogicalResult TMAStoreOp::verify() {
  return verifyCopy(*this, getMap().getType(), getCoordinates().size(),
                    getBuffer());
}
