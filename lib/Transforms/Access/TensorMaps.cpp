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
// The launch knows the array without the shifts. Here those are taken out
// again: each summand of the base has to be the shift of one dimension, and
// each shift of an extent a summand of the base.
//
// An array that other accesses need an order with gets none (CopyHazards.h),
// nor one whose elements may be stored twice (StoreOrder.h).
//
//===----------------------------------------------------------------------===//

#include "../Launch/KernelArguments.h"
#include "CopyHazards.h"
#include "MappedArray.h"
#include "StoreOrder.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera {
#define GEN_PASS_DEF_TILETENSORMAPSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

/// Coordinates have 31 bits and a sign, strides less than 2^40 bytes (CUDA
/// Driver API, cuTensorMapEncodeTiled).
static constexpr int64_t kMaxExtent = (int64_t(1) << 31) - 1;
static constexpr int64_t kMaxStrideBytes = (int64_t(1) << 40) - 16;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Whether a value of the loop becomes an operand of a product, by way of other
/// forms of itself or of what is computed of its elements.
static bool feedsDot(Value value) {
  SmallVector<Value> work = {value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (isa<tile::DotOp>(user))
        return true;
      bool isForm = isa<tile::TransOp, tile::ConvertOp>(user) ||
                    user->hasTrait<OpTrait::Elementwise>();
      if (isForm && user->getNumResults() == 1 && seen.insert(user).second)
        work.push_back(user->getResult(0));
    }
  return false;
}

/// Whether copies of the load can run ahead of products.
static bool streamsToDot(tile::DescLoadOp load) {
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
      if (desc && streamsToDot(load))
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

/// Whether nothing happens but that a launch may be refused.
static bool onlyRefuses(Operation *op) {
  WalkResult walk = op->walk([](Operation *inner) {
    bool refuses = isa<tile::PlanVariantOp, tile::PlanRefuseOp>(inner);
    return refuses || isPure(inner) ? WalkResult::advance()
                                    : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

/// The variant's only action besides refusals and getting memory, if that is a
/// dispatch; else null.
static tile::PlanDispatchOp getOnlyDispatch(tile::PlanVariantOp variant) {
  tile::PlanDispatchOp dispatch;
  for (Operation &op : variant.getBody().front())
    if (!onlyRefuses(&op) && !isa<tile::PlanScratchOp>(op)) {
      if (dispatch || !isa<tile::PlanDispatchOp>(op))
        return nullptr;
      dispatch = cast<tile::PlanDispatchOp>(op);
    }
  return dispatch;
}

namespace {
/// What two variants have in common.
class Likeness {
public:
  /// Whether both compute the same, or get memory of their own that is alike,
  /// one piece for one.
  bool isAlike(Value value, Value other);
  /// Whether operations do the same.
  bool isAlike(Operation *op, Operation *other);

private:
  /// Scratch memory of each, and the other's. What stands before the variants
  /// is its own.
  DenseMap<Value, Value> forward, backward;
  /// Pairs that are alike: expressions may share parts.
  DenseSet<std::pair<Value, Value>> known;
};
} // namespace

bool Likeness::isAlike(Operation *op, Operation *other) {
  return OperationEquivalence::isEquivalentTo(
      op, other, [&](Value x, Value y) { return success(isAlike(x, y)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool Likeness::isAlike(Value value, Value other) {
  Operation *a = value.getDefiningOp(), *b = other.getDefiningOp();
  if (isa_and_nonnull<tile::PlanScratchOp>(a) &&
      (forward.try_emplace(value, other).first->second != other ||
       backward.try_emplace(other, value).first->second != value))
    return false;
  if (value == other || known.contains({value, other}))
    return true;
  if (!a || !b || !(isPure(a) || isa<tile::PlanScratchOp>(a)) || !isAlike(a, b))
    return false;
  known.insert({value, other});
  return true;
}

/// Operations by which the variant refuses launches.
static SmallVector<Operation *> getRefusals(tile::PlanVariantOp variant) {
  SmallVector<Operation *> refusals;
  for (Operation &op : variant.getBody().front())
    if (!isPure(&op) && onlyRefuses(&op))
      refusals.push_back(&op);
  return refusals;
}

/// Whether two forms of a kernel are passed the first `count` arguments alike
/// and refuse the same launches. Behind those are maps, which each form has of
/// its own.
static bool areLaunchedAlike(tile::PlanDispatchOp dispatch,
                             tile::PlanDispatchOp other, size_t count) {
  Likeness likeness;
  auto isAlike = [&](auto a, auto b) { return likeness.isAlike(a, b); };
  auto getArguments = [&](tile::PlanDispatchOp op) {
    return op.getArgs().take_front(count);
  };
  auto areMaps = [&](tile::PlanDispatchOp op) {
    return llvm::all_of(op.getArgs().drop_front(count).getTypes(),
                        llvm::IsaPred<tile::TensorMapType>);
  };
  auto getOwnRefusals = [](tile::PlanDispatchOp op) {
    return getRefusals(cast<tile::PlanVariantOp>(op->getParentOp()));
  };
  return dispatch.getArgs().size() >= count &&
         other.getArgs().size() >= count && areMaps(dispatch) &&
         areMaps(other) &&
         llvm::equal(getArguments(dispatch), getArguments(other), isAlike) &&
         llvm::equal(getOwnRefusals(dispatch), getOwnRefusals(other), isAlike);
}

/// Whether the same programs are there, or each form says how many stay.
static bool areGridsAlike(tile::PlanDispatchOp dispatch,
                          tile::PlanDispatchOp other) {
  return llvm::equal(dispatch.getGrid(), other.getGrid(),
                     [&](Value size, Value otherSize) {
                       return size == otherSize ||
                              size.getParentBlock() == dispatch->getBlock();
                     });
}

/// Whether the guard only chooses between forms of one kernel that
/// tile-specialize made, so that it may ask for more. All are passed the same;
/// how many programs stay may be each one's own.
static bool isChoiceOfForms(tile::PlanDispatchOp dispatch) {
  auto getSource = [](tile::PlanDispatchOp op) {
    return op.getKernel().split("$fast").first;
  };
  tile::PlanVariantOp variant = getGuarded(dispatch);
  if (getOnlyDispatch(variant) != dispatch)
    return false;
  SmallVector<tile::PlanDispatchOp> forms;
  for (auto next = variant; next;
       next = dyn_cast_or_null<tile::PlanVariantOp>(next->getNextNode())) {
    forms.push_back(getOnlyDispatch(next));
    if (!forms.back() || getSource(forms.back()) != getSource(dispatch))
      return false;
  }
  // The last form is the source, which gets no maps.
  tile::PlanDispatchOp last = forms.back();
  return last.getKernel() == getSource(dispatch) &&
         llvm::all_of(forms, [&](tile::PlanDispatchOp form) {
           return areGridsAlike(dispatch, form) &&
                  areLaunchedAlike(dispatch, form, last.getArgs().size());
         });
}

/// Why the launches of a kernel cannot make the map; empty when they can.
static std::string checkDispatches(ArrayRef<tile::PlanDispatchOp> dispatches) {
  if (dispatches.empty())
    return "no launch plan dispatches the kernel";
  for (tile::PlanDispatchOp dispatch : dispatches) {
    if (!getGuarded(dispatch))
      return "the kernel is launched without a guard, which would have to ask "
             "for what a map needs";
    if (!isChoiceOfForms(dispatch))
      return "the guard chooses between more than forms of the kernel";
  }
  return "";
}

namespace {
/// Adds guards and maps to one dispatch.
class DispatchRewriter {
public:
  explicit DispatchRewriter(tile::PlanDispatchOp dispatch)
      : dispatch(dispatch), variant(getGuarded(dispatch)), guards(dispatch),
        inside(dispatch) {
    // A choice is a run of adjacent variants.
    Operation *first = variant;
    while (isa_and_nonnull<tile::PlanVariantOp>(first->getPrevNode()))
      first = first->getPrevNode();
    guards.setInsertionPoint(first);
  }

  void add(const MappedArray &array);

private:
  /// The plan's value of a kernel's argument.
  Value getPassed(BlockArgument argument) {
    return dispatch.getArgs()[argument.getArgNumber()];
  }
  Value getBefore(Value value);
  Value get(OpBuilder &builder, const LaunchValue &value);
  Value compare(tile::PlanPredicate predicate, Value lhs, Value rhs,
                IntegerAttr constant);
  void demandLimits(const MappedArray &array,
                    SmallVectorImpl<Value> &conditions);

  tile::PlanDispatchOp dispatch;
  tile::PlanVariantOp variant;
  OpBuilder guards, inside;
  /// What the variant computes, in front of the choice.
  IRMapping before;
};
} // namespace

/// A value of the variant for its guard, which is asked before.
Value DispatchRewriter::getBefore(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !variant->isProperAncestor(op) || before.contains(value))
    return before.lookupOrDefault(value);
  for (Value operand : op->getOperands())
    before.map(operand, getBefore(operand));
  return guards.clone(*op, before)->getResult(0);
}

Value DispatchRewriter::get(OpBuilder &builder, const LaunchValue &value) {
  if (value.argument)
    return getPassed(value.argument);
  return tile::PlanConstantOp::create(
      builder, dispatch.getLoc(), builder.getI64Type(),
      builder.getI64IntegerAttr(value.constant));
}

Value DispatchRewriter::compare(tile::PlanPredicate predicate, Value lhs,
                                Value rhs, IntegerAttr constant) {
  return tile::PlanCmpOp::create(
      guards, dispatch.getLoc(), guards.getI1Type(),
      tile::PlanPredicateAttr::get(dispatch.getContext(), predicate),
      getBefore(lhs), rhs ? getBefore(rhs) : rhs, constant);
}

/// What 64 bits hold need be no extent or stride of a map.
void DispatchRewriter::demandLimits(const MappedArray &array,
                                    SmallVectorImpl<Value> &conditions) {
  auto demand = [&](const LaunchValue &value, int64_t limit) {
    if (value.argument && value.argument.getType().isInteger(64))
      conditions.push_back(compare(tile::PlanPredicate::LE, get(guards, value),
                                   Value(), guards.getI64IntegerAttr(limit)));
  };
  int64_t elementBytes = tile::getByteWidth(array.type.getElementType());
  for (const MappedDim &dim : array.dims) {
    demand(dim.extent, kMaxExtent);
    demand(dim.stride, kMaxStrideBytes / elementBytes);
  }
}

void DispatchRewriter::add(const MappedArray &array) {
  SmallVector<Value> conditions = {variant.getGuard()};
  IntegerAttr zero = guards.getI64IntegerAttr(0);
  for (BlockArgument argument : array.nonNegative)
    conditions.push_back(
        compare(tile::PlanPredicate::GE, getPassed(argument), Value(), zero));
  demandLimits(array, conditions);
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
  Value map =
      tile::PlanTensorMapOp::create(inside, dispatch.getLoc(), array.type,
                                    getPassed(array.pointer), extents, strides);
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
      reason = checkHazards(desc, kernel);
    if (array && reason.empty())
      reason = checkStoreOrder(desc, *array);
    if (array && reason.empty())
      reason = checkDispatches(dispatches);
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
