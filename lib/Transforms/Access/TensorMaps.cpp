//===- TensorMaps.cpp - tile-tensor-maps ----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile-raise-accesses describes the part of an array that begins at a program's
// tile: base, extents and strides are
//
//     argument + sum_d shift[d] * stride[d]        extent[d] - shift[d]
//
// The launch knows the array without the shifts. Here those are taken out again:
// each summand of the base has to be the shift of one dimension, and each shift
// of an extent a summand of the base.
//
//===----------------------------------------------------------------------===//

#include "../Launch/KernelArguments.h"
#include "MappedArray.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace tessera {
#define GEN_PASS_DEF_TILETENSORMAPSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Whether a value of the loop becomes an operand of a product, by way of other
/// forms of itself.
static bool feedsDot(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<tile::DotOp>(user))
      return true;
    return isa<tile::TransOp, tile::ConvertOp>(user) &&
           feedsDot(user->getResult(0));
  });
}

/// Whether copies of the load can run ahead of products.
static bool isStreamed(tile::DescLoadOp load) {
  auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
  return loop && loop->hasAttr(tile::TileDialect::kNumStages) &&
         feedsDot(load.getResult());
}

namespace {
/// The descriptors of a kernel that maps are wanted for.
struct Candidates {
  llvm::SetVector<Operation *> loads, stores;

  explicit Candidates(tile::FuncOp kernel) {
    kernel.walk([&](tile::DescLoadOp load) {
      auto desc = load.getDesc().getDefiningOp<tile::MakeDescOp>();
      if (desc && isStreamed(load))
        loads.insert(desc);
    });
    if (loads.empty())
      return;
    kernel.walk([&](tile::DescStoreOp store) {
      if (auto desc = store.getDesc().getDefiningOp<tile::MakeDescOp>())
        stores.insert(desc);
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Launch plans
//===----------------------------------------------------------------------===//

/// The variant under a guard that launches; null without one.
static tile::PlanVariantOp getGuarded(tile::PlanDispatchOp dispatch) {
  auto variant = dyn_cast<tile::PlanVariantOp>(dispatch->getParentOp());
  return variant && variant.getGuard() ? variant : tile::PlanVariantOp();
}

/// The plan's value of a kernel's argument, if it is known before the variants.
static Value getPassed(tile::PlanDispatchOp dispatch, BlockArgument argument) {
  Value passed = dispatch.getArgs()[argument.getArgNumber()];
  auto variant = getGuarded(dispatch);
  return variant->isAncestor(passed.getParentBlock()->getParentOp()) ? Value()
                                                                     : passed;
}

/// Why the launches of a kernel cannot make the map; empty when they can.
static std::string checkDispatches(ArrayRef<tile::PlanDispatchOp> dispatches,
                                   const MappedArray &array) {
  if (dispatches.empty())
    return "no launch plan dispatches the kernel";
  for (tile::PlanDispatchOp dispatch : dispatches) {
    if (!getGuarded(dispatch))
      return "the kernel is launched without a guard, which would have to ask "
             "for what a map needs";
    for (BlockArgument argument : array.getArguments())
      if (!getPassed(dispatch, argument))
        return "the launch computes an argument for this variant only";
  }
  return "";
}

namespace {
/// Adds guards and maps to one dispatch.
class DispatchRewriter {
public:
  explicit DispatchRewriter(tile::PlanDispatchOp dispatch)
      : dispatch(dispatch), variant(getGuarded(dispatch)),
        guards(dispatch), inside(dispatch) {
    // A choice is a run of adjacent variants.
    Operation *first = variant;
    while (isa_and_nonnull<tile::PlanVariantOp>(first->getPrevNode()))
      first = first->getPrevNode();
    guards.setInsertionPoint(first);
  }

  void add(const MappedArray &array);

private:
  Value get(OpBuilder &builder, const LaunchValue &value);
  Value compare(tile::PlanPredicate predicate, Value lhs, Value rhs,
                IntegerAttr constant);

  tile::PlanDispatchOp dispatch;
  tile::PlanVariantOp variant;
  OpBuilder guards, inside;
};
} // namespace

Value DispatchRewriter::get(OpBuilder &builder, const LaunchValue &value) {
  if (value.argument)
    return getPassed(dispatch, value.argument);
  return tile::PlanConstantOp::create(builder, dispatch.getLoc(),
                                      builder.getI64Type(),
                                      builder.getI64IntegerAttr(value.constant));
}

Value DispatchRewriter::compare(tile::PlanPredicate predicate, Value lhs,
                                Value rhs, IntegerAttr constant) {
  return tile::PlanCmpOp::create(
      guards, dispatch.getLoc(), guards.getI1Type(),
      tile::PlanPredicateAttr::get(dispatch.getContext(), predicate), lhs, rhs,
      constant);
}

void DispatchRewriter::add(const MappedArray &array) {
  SmallVector<Value> conditions = {variant.getGuard()};
  IntegerAttr zero = guards.getI64IntegerAttr(0);
  for (const MappedDim &dim : array.dims)
    if (dim.extent.argument)
      conditions.push_back(compare(tile::PlanPredicate::GE,
                                   get(guards, dim.extent), Value(), zero));
  // Rows may not overlap.
  const MappedDim &rows = array.dims[1 - array.unitDim];
  const MappedDim &columns = array.dims[array.unitDim];
  if (rows.stride.argument || columns.extent.argument) {
    Value stride = get(guards, rows.stride);
    conditions.push_back(compare(tile::PlanPredicate::GE, stride,
                                 get(guards, columns.extent), IntegerAttr()));
    conditions.push_back(
        compare(tile::PlanPredicate::GT, stride, Value(), zero));
  }
  Value guard = tile::PlanAllOp::create(guards, dispatch.getLoc(),
                                        guards.getI1Type(), conditions);
  variant.getGuardMutable().assign(guard);

  SmallVector<Value> extents = {get(inside, rows.extent),
                                get(inside, columns.extent)};
  SmallVector<Value> strides = {get(inside, rows.stride),
                                get(inside, columns.stride)};
  Value map = tile::PlanTensorMapOp::create(
      inside, dispatch.getLoc(), array.type,
      getPassed(dispatch, array.pointer), extents, strides);
  dispatch.getArgsMutable().append(map);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
struct TensorMaps : tessera::impl::TileTensorMapsPassBase<TensorMaps> {
  void runOnOperation() override {
    FailureOr<TargetInfo> target = tile_gpu::getTargetInfo(getOperation());
    if (failed(target))
      return signalPassFailure();
    // Where products read registers, threads' copies do as well.
    if (!target->hasTensorCopies() || !target->hasWgmma())
      return;
    auto dispatches = collectDispatches(getOperation());
    for (auto kernel : getOperation().getOps<tile::FuncOp>())
      if (kernel.isKernel())
        visit(kernel, dispatches.lookup(kernel.getName()));
  }

private:
  void visit(tile::FuncOp kernel, ArrayRef<tile::PlanDispatchOp> dispatches);
};
} // namespace

/// Gives the descriptor its map, in the kernel and in its launches.
static void addMap(tile::MakeDescOp desc, const MappedArray &array,
                   tile::FuncOp kernel,
                   ArrayRef<tile::PlanDispatchOp> dispatches) {
  auto name = kernel.getArgAttrOfType<StringAttr>(array.pointer.getArgNumber(),
                                                  tile::TileDialect::kName);
  Value map = addKernelArgument(
      kernel, name ? (name.getValue() + "_map").str() : "map", array.type);
  OpBuilder builder(desc);
  SmallVector<Value> origin = buildOrigin(builder, desc.getLoc(), array);
  desc.getMapMutable().assign(map);
  desc.getOriginMutable().assign(origin);
  for (tile::PlanDispatchOp dispatch : dispatches)
    DispatchRewriter(dispatch).add(array);
}

void TensorMaps::visit(tile::FuncOp kernel,
                       ArrayRef<tile::PlanDispatchOp> dispatches) {
  Candidates candidates(kernel);
  auto options = remark::RemarkOpts::name("tensor-map")
                     .category("tile-tensor-maps")
                     .function(kernel.getName());
  auto consider = [&](Operation *op, bool isStored) {
    auto desc = cast<tile::MakeDescOp>(op);
    std::string reason;
    std::optional<MappedArray> array =
        matchMappedArray(desc, kernel, isStored, reason);
    if (array)
      reason = checkDispatches(dispatches, *array);
    if (!reason.empty()) {
      remark::missed(desc.getLoc(), options)
          << remark::reason("the array gets no tensor map: {0}", reason);
      return;
    }
    remark::passed(desc.getLoc(), options)
        << remark::metric("BoxRows", array->type.getBox()[0])
        << remark::metric("BoxColumns", array->type.getBox()[1])
        << remark::metric("Swizzle", array->type.getSwizzle());
    addMap(desc, *array, kernel, dispatches);
  };
  for (Operation *desc : candidates.loads)
    consider(desc, candidates.stores.contains(desc));
  for (Operation *desc : candidates.stores)
    if (!candidates.loads.contains(desc))
      consider(desc, /*isStored=*/true);
}
