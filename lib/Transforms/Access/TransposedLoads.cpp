//===- TransposedLoads.cpp - tiles that products need transposed ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposedLoads.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tessera;

namespace {
/// A load, and what becomes of its tile.
struct TransposedLoad {
  tile::DescLoadOp load;
  /// All users of the tile; they agree in their order.
  SmallVector<tile::TransOp> users;

  ArrayRef<int32_t> getOrder() { return users.front().getOrder(); }
  void fold();
};
} // namespace

/// Whether a product reads rows of either direction alike. Wider elements are
/// read from shared memory one by one, into registers that copies' addresses
/// then compete for.
static bool takesRowsOfEither(Operation *op) {
  auto dot = dyn_cast<tile::DotOp>(op);
  return dot &&
         tile::getByteWidth(getElementTypeOrSelf(dot.getA().getType())) <= 2;
}

/// Why the array is not read transposed; empty when it can be.
static std::string match(tile::DescLoadOp load, TransposedLoad &result) {
  auto desc = load.getDesc().getDefiningOp<tile::MakeDescOp>();
  if (!desc || desc.getMap())
    return "its descriptor is not made from an array in the kernel";
  // The tile as it was written says along which dimension elements are adjacent
  // when no stride does.
  if (!desc.getUnitDim())
    return "it has not one dimension whose stride is known to be 1";
  result.load = load;
  for (Operation *user : load->getUsers()) {
    auto trans = dyn_cast<tile::TransOp>(user);
    if (!trans)
      return "its tile is also used as it is";
    if (!result.users.empty() && trans.getOrder() != result.getOrder())
      return "its tile is transposed in several ways";
    if (!llvm::all_of(trans->getUsers(), takesRowsOfEither))
      return "not only products of 8- or 16-bit elements use the transposed "
             "tile";
    result.users.push_back(trans);
  }
  return "";
}

template <typename Range>
static auto permute(Range &&values, ArrayRef<int32_t> order) {
  SmallVector<std::decay_t<decltype(*values.begin())>> result;
  for (int32_t from : order)
    result.push_back(values[from]);
  return result;
}

void TransposedLoad::fold() {
  ArrayRef<int32_t> order = getOrder();
  auto desc = load.getDesc().getDefiningOp<tile::MakeDescOp>();
  OpBuilder builder(desc);
  auto type = tile::DescType::get(builder.getContext(),
                                  permute(desc.getDescType().getShape(), order),
                                  desc.getDescType().getElementType());
  Value transposed = tile::MakeDescOp::create(
      builder, desc.getLoc(), type, desc.getBase(),
      permute(desc.getExtents(), order), permute(desc.getStrides(), order));
  builder.setInsertionPoint(load);
  Value tile =
      tile::DescLoadOp::create(builder, load.getLoc(), users[0].getType(),
                               transposed, permute(load.getOffsets(), order),
                               load.getCacheAttr(), load.getEvictAttr());
  for (tile::TransOp user : users) {
    user.getResult().replaceAllUsesWith(tile);
    user.erase();
  }
  load.erase();
}

bool tessera::foldTransposes(tile::FuncOp function) {
  auto options = remark::RemarkOpts::name("transposed-load")
                     .category("tile-raise-accesses")
                     .function(function.getName());
  SmallVector<TransposedLoad> loads;
  function.walk([&](tile::DescLoadOp load) {
    auto feedsProduct = [](Operation *user) {
      return isa<tile::TransOp>(user) &&
             llvm::any_of(user->getUsers(), llvm::IsaPred<tile::DotOp>);
    };
    if (llvm::none_of(load->getUsers(), feedsProduct))
      return;
    TransposedLoad candidate;
    std::string reason = match(load, candidate);
    if (reason.empty())
      loads.push_back(std::move(candidate));
    else
      remark::missed(load.getLoc(), options)
          << remark::reason("the array is not read transposed: {0}", reason);
  });
  for (TransposedLoad &load : loads) {
    remark::passed(load.load.getLoc(), options)
        << remark::metric("Uses", int64_t(load.users.size()));
    load.fold();
  }
  return !loads.empty();
}
