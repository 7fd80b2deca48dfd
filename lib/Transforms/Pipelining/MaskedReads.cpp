//===- MaskedReads.cpp - what stands where a mask is false ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskedReads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

bool tessera::hasNonzeroOther(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  // -0.0 has a bit that is set.
  return load && load.getMask() && load.getOther() &&
         !matchPattern(load.getOther(), m_Zero()) &&
         !matchPattern(load.getOther(), m_PosZeroFloat());
}

static std::string decline(const char *why) {
  return std::string("asynchronous copies fill with zeros, its 'other' is not "
                     "zero, and ") +
         why;
}

std::string tessera::checkMaskedReads(Operation *op, LocalStoreOp store) {
  if (!hasNonzeroOther(op))
    return "";
  auto load = cast<tile::LoadOp>(op);
  FreeValues free;
  for (Operation *reader : store.getBuffer().getUsers()) {
    if (isa<WgmmaOp>(reader))
      return decline("the product reads shared memory");
    auto read = dyn_cast<LocalLoadOp>(reader);
    if (!read)
      continue;
    if (read->isBeforeInBlock(store))
      return decline("its buffer is read before it is written");
    LayoutAttr layout = getLayout(read.getType());
    if (!free.canMakeIn(load.getMask(), layout))
      return decline("its mask cannot be made again where it is read");
    if (!free.canMakeIn(load.getOther(), layout))
      return decline("that cannot be made again where it is read");
  }
  return "";
}

void tessera::selectOther(Operation *op, LocalLoadOp read, FreeValues &free) {
  if (!hasNonzeroOther(op))
    return;
  auto load = cast<tile::LoadOp>(op);
  LayoutAttr layout = getLayout(read.getType());
  Value mask = free.makeIn(load.getMask(), layout);
  Value other = free.makeIn(load.getOther(), layout);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(read);
  auto select =
      arith::SelectOp::create(builder, load.getLoc(), mask, read, other);
  read.getResult().replaceAllUsesExcept(select, select);
}
