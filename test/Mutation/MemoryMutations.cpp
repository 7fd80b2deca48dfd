//===- MemoryMutations.cpp - faults of accesses, plans and facts ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;

static bool dropLoadMask(ModuleOp module) {
  auto load = find<tile::LoadOp>(module);
  if (!load || !load.getMask())
    return false;
  load.getOtherMutable().clear();
  load.getMaskMutable().clear();
  return true;
}

static bool dropOther(ModuleOp module) {
  auto load = find<tile::LoadOp>(module);
  if (!load || !load.getOther())
    return false;
  load.getOtherMutable().clear();
  return true;
}

static bool zeroOther(ModuleOp module) {
  auto load = find<tile::LoadOp>(module);
  if (!load || !load.getOther())
    return false;
  OpBuilder builder(load);
  Value zero = arith::ConstantOp::create(
      builder, load.getLoc(),
      cast<TypedAttr>(builder.getZeroAttr(load.getType())));
  load.getOtherMutable().assign(zero);
  return true;
}

static bool dropStoreMask(ModuleOp module) {
  auto store = find<tile::StoreOp>(module);
  if (!store || !store.getMask())
    return false;
  store.getMaskMutable().clear();
  return true;
}

static bool widenMask(ModuleOp module) {
  auto compare = find<arith::CmpIOp>(module);
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  compare.setPredicate(arith::CmpIPredicate::sle);
  return true;
}

static bool dropStore(ModuleOp module) {
  return erase(find<tile::StoreOp>(module));
}

/// The store goes where the first load came from.
static bool storeToInput(ModuleOp module) {
  auto store = find<tile::StoreOp>(module);
  auto load = find<tile::LoadOp>(module);
  if (!store || !load || load.getPtr().getType() != store.getPtr().getType())
    return false;
  store.getPtrMutable().assign(load.getPtr());
  return true;
}

/// Each program stores a number of its own to one address.
static bool addRacingStore(ModuleOp module) {
  auto id = find<tile::ProgramIdOp>(module);
  auto kernel = id ? id->getParentOfType<tile::FuncOp>() : nullptr;
  if (!kernel)
    return false;
  OpBuilder builder(kernel.getBody().front().getTerminator());
  Value number =
      arith::SIToFPOp::create(builder, id.getLoc(), builder.getF32Type(), id);
  Value pointer = kernel.getBody().getArgument(2);
  tile::StoreOp::create(builder, id.getLoc(), pointer, number, Value(),
                        tile::CacheHintAttr(), tile::EvictionHintAttr());
  return true;
}

/// Offsets are cut to 32 bits on their way to addptr.
static bool narrowOffsets(ModuleOp module) {
  auto address = findIf<tile::AddPtrOp>(module, [](tile::AddPtrOp op) {
    return getElementTypeOrSelf(op.getOffset().getType()).isInteger(64);
  });
  if (!address)
    return false;
  OpBuilder builder(address);
  Type narrow = tile::withElementType(address.getOffset().getType(),
                                      builder.getI32Type());
  Value cut = arith::TruncIOp::create(builder, address.getLoc(), narrow,
                                      address.getOffset());
  address.getOffsetMutable().assign(cut);
  return true;
}

static bool claimWiderAccess(ModuleOp module) {
  auto load = find<tile::LoadOp>(module);
  auto access = load ? load->getAttrOfType<tile_gpu::AccessAttr>(
                           tile_gpu::TileGPUDialect::kAccess)
                     : nullptr;
  if (!access)
    return false;
  load->setAttr(tile_gpu::TileGPUDialect::kAccess,
                tile_gpu::AccessAttr::get(module.getContext(), access.getPath(),
                                          4 * access.getWidth(),
                                          access.getAxis()));
  return true;
}

static bool exchangeForAdd(ModuleOp module) {
  auto atomic = find<tile::AtomicRMWOp>(module);
  if (atomic)
    atomic.setKind(tile::AtomicKind::Xchg);
  return bool(atomic);
}

static bool dropFill(ModuleOp module) {
  return erase(find<tile::PlanFillOp>(module));
}

/// The guard of the fast variant asks for the first fact only.
static bool weakenGuard(ModuleOp module) {
  auto all = find<tile::PlanAllOp>(module);
  if (!all || all->getNumOperands() < 2)
    return false;
  all.replaceAllUsesWith(all->getOperand(0));
  return true;
}

static bool inventFact(ModuleOp module) {
  auto kernel = find<tile::FuncOp>(module);
  if (!kernel)
    return false;
  kernel.setArgAttr(0, tile::TileDialect::kDivisibleBy,
                    Builder(module.getContext()).getI32IntegerAttr(16));
  return true;
}

static bool shrinkGrid(ModuleOp module) {
  return replaceBinary<arith::DivSIOp>(find<arith::CeilDivSIOp>(module));
}

/// Adds one to an operand of a descriptor or of an access through one.
static bool addOne(Operation *op, unsigned operand) {
  if (!op)
    return false;
  OpBuilder builder(op);
  Value old = op->getOperand(operand);
  Value one = arith::ConstantOp::create(
      builder, op->getLoc(), builder.getIntegerAttr(old.getType(), 1));
  op->setOperand(operand,
                 arith::AddIOp::create(builder, op->getLoc(), old, one));
  return true;
}

/// Operand 0 is the pointer or the descriptor.
static bool growExtent(ModuleOp module) {
  return addOne(find<tile::MakeDescOp>(module), 1);
}

static bool shiftTile(ModuleOp module) {
  return addOne(find<tile::DescLoadOp>(module), 1);
}

static bool swapStrides(ModuleOp module) {
  auto desc = find<tile::MakeDescOp>(module);
  if (!desc || desc.getStrides().size() != 2 ||
      desc.getStrides()[0].getType() != desc.getStrides()[1].getType())
    return false;
  Value first = desc.getStrides()[0], second = desc.getStrides()[1];
  desc.getStridesMutable().slice(0, 1).assign(second);
  desc.getStridesMutable().slice(1, 1).assign(first);
  return true;
}

/// The offset that moves with the loop stands still.
static bool freezeOffset(ModuleOp module) {
  auto load = findIf<tile::DescLoadOp>(module, [](tile::DescLoadOp op) {
    return bool(op->getParentOfType<scf::ForOp>());
  });
  auto loop = load ? load->getParentOfType<scf::ForOp>() : scf::ForOp();
  if (!loop)
    return false;
  loop.getInductionVar().replaceUsesWithIf(
      loop.getLowerBound(),
      [&](OpOperand &use) { return use.getOwner() == load; });
  return true;
}

std::vector<Mutation> mutation::getMemoryMutations() {
  return {
      {"load without its mask", "rmsnorm", Level::TileGPU, dropLoadMask},
      {"load without its padding", "layernorm", Level::TileGPU, dropOther},
      {"zero for another padding", "softmax", Level::Tile, zeroOther},
      {"store without its mask", "softmax", Level::TileGPU, dropStoreMask},
      {"mask one too wide", "vector_add", Level::Tile, widenMask},
      {"missing store", "rmsnorm", Level::TileGPU, dropStore},
      {"store to an input", "vector_add", Level::Tile, storeToInput},
      {"store that races", "vector_add", Level::Tile, addRacingStore},
      {"offsets of 32 bits", "far", Level::Tile, narrowOffsets},
      {"claim of a wider access", "vector_add", Level::TileGPU,
       claimWiderAccess},
      {"exchange for an atomic sum", "column_sum", Level::TileGPU,
       exchangeForAdd},
      {"memory not filled", "column_sum", Level::Tile, dropFill},
      {"guard that asks for less", "vector_add", Level::TileGPU, weakenGuard},
      {"fact that does not hold", "vector_add", Level::Tile, inventFact},
      {"extent one too large", "matmul", Level::Tile, growExtent},
      {"tile one row further", "matmul", Level::TileGPU, shiftTile},
      {"swapped strides", "matmul", Level::Tile, swapStrides},
      {"offset that stands still", "matmul", Level::TileGPU, freezeOffset},
      {"tiles rounded down", "matmul", Level::Tile, shrinkGrid},
  };
}
