//===- ProductFacts.cpp - the product that a kernel computes --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductFacts.h"

#include "../Transforms/Access/SelectInstruction.h"
#include "../Transforms/Grid/TileSplit.h"
#include "SizeEvaluator.h"

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Transforms/Layout/MapCoordinates.h"

#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir;
using namespace tessera;

static auto tie(const ProductTile &t) {
  return std::tie(t.m, t.n, t.k, t.elementBytes, t.rowStepBytes,
                  t.columnStepBytes, t.accumulatorBytes, t.storedBytes, t.unit,
                  t.instructionN, t.tensorCopies);
}

bool ProductFacts::operator==(const ProductFacts &other) const {
  auto same = [](const WarpTile &a, const WarpTile &b) {
    return a.warps == b.warps && tie(a.tile) == tie(b.tile);
  };
  auto tieGrid = [](const ProductGrid &g) {
    return std::tie(g.rows, g.columns, g.batches, g.steps, g.programs);
  };
  return reason == other.reason && takesOrder == other.takesOrder &&
         takesPersistence == other.takesPersistence &&
         tieGrid(grid) == tieGrid(other.grid) &&
         tiles.size() == other.tiles.size() &&
         std::equal(tiles.begin(), tiles.end(), other.tiles.begin(), same);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

static tile::DotOp findDot(tile::FuncOp kernel, std::string &reason) {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  if (dots.size() == 1)
    return dots.front();
  reason = dots.empty() ? "the kernel has no tile.dot, and the model is one of "
                          "products"
                        : "the kernel has " + std::to_string(dots.size()) +
                              " products, and the model is one of single ones";
  return {};
}

scf::ForOp tessera::findProductLoop(tile::FuncOp kernel, std::string &reason) {
  tile::DotOp dot = findDot(kernel, reason);
  auto loop = dot ? dyn_cast<scf::ForOp>(dot->getParentOp()) : scf::ForOp();
  if (dot && !loop)
    reason = "the product is not directly in an scf.for";
  return loop;
}

/// The load in `loop` whose value, perhaps transposed or converted, is
/// `operand`.
static Operation *findLoad(Value operand, scf::ForOp loop) {
  Operation *op = operand.getDefiningOp();
  while (op && !isa<tile::LoadOp, tile::DescLoadOp>(op)) {
    bool moves = op->getNumOperands() == 1 && op->getNumRegions() == 0;
    op = moves ? op->getOperand(0).getDefiningOp() : nullptr;
  }
  return op && op->getParentOp() == loop ? op : nullptr;
}

static int64_t getBytes(RankedTensorType type) {
  return type.getNumElements() * tile::getByteWidth(type.getElementType());
}

/// Bytes that the kernel stores outside of `loop`.
static int64_t getStoredBytes(tile::FuncOp kernel, scf::ForOp loop) {
  int64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    if (!isa<tile::StoreOp, tile::DescStoreOp>(op) || loop->isAncestor(op))
      return;
    if (RankedTensorType type = tile::getMovedTensor(op))
      bytes += getBytes(type);
  });
  return bytes;
}

/// The tile without its instruction, or a reason why it is none of the model's.
static std::string readTile(tile::FuncOp kernel, scf::ForOp loop,
                            tile::DotOp dot, ProductTile &tile) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto b = cast<RankedTensorType>(dot.getB().getType());
  auto result = cast<RankedTensorType>(dot.getType());
  if (result.getRank() != 2)
    return "the product has " + std::to_string(result.getRank()) +
           " dimensions, and the model is one of two";
  Operation *loadA = findLoad(dot.getA(), loop);
  Operation *loadB = findLoad(dot.getB(), loop);
  if (!loadA || !loadB)
    return "an operand of the product is not a tile as its loop loads it";
  tile.m = result.getDimSize(0);
  tile.n = result.getDimSize(1);
  tile.k = a.getDimSize(1);
  tile.elementBytes = tile::getByteWidth(b.getElementType());
  tile.rowStepBytes = getBytes(tile::getMovedTensor(loadA));
  tile.columnStepBytes = getBytes(tile::getMovedTensor(loadB));
  tile.accumulatorBytes = getBytes(result);
  tile.storedBytes = getStoredBytes(kernel, loop);
  return {};
}

/// Fills in the instruction for `warps`; false for one that is none of the
/// tensor cores'.
static bool selectUnit(tile::DotOp dot, const TargetInfo &target, int32_t warps,
                       ProductTile &tile) {
  InstructionChoice choice = selectInstruction(dot, target, warps);
  tile_gpu::InstructionAttr instruction = choice.instruction;
  if (choice.widens)
    tile.elementBytes = 2;
  tile.instructionN = instruction.getN();
  tile.unit = instruction.getKind() == tile_gpu::DotKind::Wgmma
                  ? ProductUnit::Wgmma
                  : ProductUnit::MmaSync;
  // f64 has a rate of its own.
  return instruction.getKind() != tile_gpu::DotKind::FMA &&
         tile.elementBytes <= 4;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// Of a grid's dimension, of a matrix, and of matrices.
static constexpr int64_t kMostTiles = std::numeric_limits<int32_t>::max();
/// Of the operands.
static constexpr double kMostBytes = 1e15;

/// Calls `visit` with the dispatches that `block` may reach, as far as guards
/// have values.
static void
visitDispatches(Block &block, SizeEvaluator &sizes,
                llvm::function_ref<void(tile::PlanDispatchOp)> visit) {
  bool taken = false;
  for (Operation &op : block) {
    if (auto dispatch = dyn_cast<tile::PlanDispatchOp>(op))
      visit(dispatch);
    auto variant = dyn_cast<tile::PlanVariantOp>(op);
    if (!variant)
      continue;
    std::optional<int64_t> guard =
        variant.getGuard() ? sizes.get(variant.getGuard()) : std::nullopt;
    if (!taken && guard != 0)
      visitDispatches(variant.getBody().front(), sizes, visit);
    // The first true guard of a run wins; its else ends the run.
    taken = variant.getGuard() && (taken || guard.value_or(0) != 0);
  }
}

/// Gives `sizes` what `dispatch` passes to `kernel`.
static void enter(tile::FuncOp kernel, tile::PlanDispatchOp dispatch,
                  ArrayRef<int64_t> extents, SizeEvaluator &sizes) {
  for (auto [argument, value] :
       llvm::zip(kernel.getArguments(), dispatch.getArgs()))
    if (argument.getType().isSignlessInteger())
      if (std::optional<int64_t> number = sizes.get(value))
        sizes.set(argument, *number);
  kernel.walk([&](tile::NumProgramsOp op) {
    sizes.set(op, extents[unsigned(op.getAxis())]);
  });
}

/// What the sizes assumed make of a plan's values.
static SizeEvaluator assume(tile::LaunchOp plan, const Assumptions &assumptions,
                            const TargetInfo &target) {
  SizeEvaluator sizes(target.referenceSMs);
  for (BlockArgument argument : plan.getBody().getArguments())
    if (auto name = plan.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      tile::TileDialect::kName))
      if (std::optional<int64_t> value = assumptions.lookup(name))
        sizes.set(argument, *value);
  return sizes;
}

/// Whether `name` is `kernel`, or a variant of it: KERNEL$FACTS.
static bool isVariantOf(StringRef name, StringRef kernel) {
  return name.consume_front(kernel) && (name.empty() || name.front() == '$');
}

namespace {
/// The loads of a product's operands.
struct OperandLoads {
  scf::ForOp loop;
  Operation *a = nullptr, *b = nullptr;
};
} // namespace

/// Those of a variant; none where its product is none of the model's.
static std::optional<OperandLoads> findOperandLoads(tile::FuncOp variant) {
  std::string reason;
  scf::ForOp loop = findProductLoop(variant, reason);
  if (!loop)
    return std::nullopt;
  auto dot = *loop.getBody()->getOps<tile::DotOp>().begin();
  OperandLoads loads{loop, findLoad(dot.getA(), loop),
                     findLoad(dot.getB(), loop)};
  return loads.a && loads.b ? std::optional(loads) : std::nullopt;
}

static bool isMapped(Operation *load) {
  auto access = dyn_cast<tile::DescLoadOp>(load);
  return access && getMappedDesc(access.getDesc());
}

/// Whether an address or a mask of the load is made of what the loop loads.
static bool waitsForData(Operation *load, scf::ForOp loop) {
  SmallVector<Value> work(load->getOperands());
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !loop->isProperAncestor(op) || !seen.insert(op).second)
      continue;
    if (isa<tile::LoadOp, tile::DescLoadOp>(op))
      return true;
    llvm::append_range(work, op->getOperands());
  }
  return false;
}

/// What does the copies: by what is known of addresses and masks.
static CopyPath findPath(tile::FuncOp variant, const OperandLoads &loads) {
  if (isMapped(loads.a) && isMapped(loads.b))
    return CopyPath::TensorMaps;
  constexpr int64_t least = 4; // PTX ISA, "cp.async"
  AffineAccess analysis(variant);
  auto moves = [&](Operation *load) {
    Type element = tile::getMovedTensor(load).getElementType();
    return analysis.getAccessFacts(load).width * tile::getByteWidth(element);
  };
  return moves(loads.a) < least || moves(loads.b) < least ? CopyPath::Elements
                                                          : CopyPath::Chunks;
}

/// Whether the launch is known to want `variant` in place of `first`: what the
/// one takes to be 1 and the other does not is so. Strides that are not assumed
/// are those of the first variant.
static bool isOrderKnown(tile::PlanDispatchOp dispatch, tile::FuncOp variant,
                         tile::FuncOp first, SizeEvaluator &sizes) {
  auto isUnit = [](tile::FuncOp function, unsigned argument) {
    return function && argument < function.getNumArguments() &&
           function.getArgAttr(argument, tile::TileDialect::kEquals);
  };
  for (unsigned i = 0; i < variant.getNumArguments(); ++i)
    if (first && isUnit(variant, i) && !isUnit(first, i) &&
        !sizes.get(dispatch.getArgs()[i]))
      return false;
  return true;
}

/// The grid's extents along all axes.
static SmallVector<int64_t, 3> getExtents(tile::PlanDispatchOp dispatch,
                                          SizeEvaluator &sizes,
                                          int64_t unknown) {
  SmallVector<int64_t, 3> extents;
  for (Value extent : dispatch.getGrid())
    extents.push_back(sizes.get(extent).value_or(unknown));
  extents.resize(3, 1);
  return extents;
}

/// What the first program knows in its first iterations.
static void enterFirst(tile::FuncOp variant, tile::PlanDispatchOp dispatch,
                       SizeEvaluator &sizes) {
  enter(variant, dispatch, getExtents(dispatch, sizes, /*unknown=*/1), sizes);
  variant.walk([&](tile::ProgramIdOp id) { sizes.set(id, 0); });
  variant.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (std::optional<int64_t> first = sizes.get(loop.getLowerBound()))
      sizes.set(loop.getInductionVar(), *first);
    for (auto [carried, init] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      if (init.getType().isSignlessIntOrIndex())
        if (std::optional<int64_t> first = sizes.get(init))
          sizes.set(carried, *first);
  });
}

/// Rows whose distance is not known are taken to follow each other. `depth` is
/// the operand's dimension that the product sums over.
static OperandRows findRows(Value operand, Operation *load, int64_t depth,
                            SizeEvaluator &sizes) {
  constexpr int64_t sectorBytes = 32;
  auto access = dyn_cast<tile::DescLoadOp>(load);
  auto desc = access ? access.getDesc().getDefiningOp<tile::MakeDescOp>()
                     : tile::MakeDescOp();
  std::optional<unsigned> unit = desc ? desc.getUnitDim() : std::nullopt;
  if (!unit || desc.getStrides().size() != 2)
    return {};
  std::optional<int64_t> distance = sizes.get(desc.getStrides()[1 - *unit]);
  if (!distance)
    distance = sizes.get(desc.getExtents()[*unit]);
  for (Operation *op = operand.getDefiningOp(); op != load;
       op = op->getOperand(0).getDefiningOp())
    if (isa<tile::TransOp>(op))
      depth = 1 - depth;
  int64_t width = tile::getByteWidth(desc.getDescType().getElementType());
  return {distance && *distance % (sectorBytes / width) != 0,
          int64_t(*unit) == depth};
}

ProductCopies tessera::findCopies(ModuleOp module, StringRef kernel,
                                  const Assumptions &assumptions,
                                  const TargetInfo &target) {
  tile::FuncOp taken;
  std::optional<SizeEvaluator> known;
  auto first = module.lookupSymbol<tile::FuncOp>((kernel + "$fast").str());
  for (auto plan : module.getOps<tile::LaunchOp>()) {
    SizeEvaluator sizes = assume(plan, assumptions, target);
    visitDispatches(
        plan.getBody().front(), sizes, [&](tile::PlanDispatchOp dispatch) {
          if (taken || !isVariantOf(dispatch.getKernel(), kernel))
            return;
          auto variant =
              module.lookupSymbol<tile::FuncOp>(dispatch.getKernel());
          if (!isOrderKnown(dispatch, variant, first, sizes))
            return;
          taken = variant;
          known = sizes;
          if (taken)
            enterFirst(taken, dispatch, *known);
        });
  }
  std::optional<OperandLoads> loads =
      taken ? findOperandLoads(taken) : std::nullopt;
  if (!loads)
    return {};
  auto dot = *loads->loop.getBody()->getOps<tile::DotOp>().begin();
  return {findPath(taken, *loads), waitsForData(loads->a, loads->loop),
          waitsForData(loads->b, loads->loop),
          findRows(dot.getA(), loads->a, /*depth=*/1, *known),
          findRows(dot.getB(), loads->b, /*depth=*/0, *known)};
}

namespace {
/// How a kernel is launched.
struct Launch {
  SizeEvaluator sizes;
  SmallVector<int64_t, 3> extents;
};
} // namespace

/// The first dispatch of the kernel whose grid has a value.
static std::optional<Launch> findLaunch(tile::FuncOp kernel,
                                        const Assumptions &assumptions,
                                        const TargetInfo &target) {
  std::optional<Launch> found;
  auto module = kernel->getParentOfType<ModuleOp>();
  for (auto plan : module.getOps<tile::LaunchOp>()) {
    SizeEvaluator sizes = assume(plan, assumptions, target);
    visitDispatches(
        plan.getBody().front(), sizes, [&](tile::PlanDispatchOp dispatch) {
          if (found || dispatch.getKernel() != kernel.getName())
            return;
          Launch launch{sizes, getExtents(dispatch, sizes, /*unknown=*/0)};
          if (llvm::any_of(launch.extents, [](int64_t x) { return x < 1; }) ||
              launch.extents[1] > kMostTiles || launch.extents[2] > kMostTiles)
            return;
          enter(kernel, dispatch, launch.extents, launch.sizes);
          found = std::move(launch);
        });
  }
  return found;
}

/// The tiles that programs of a loop "from the program's id, by the number of
/// programs" share; nothing for any other loop.
static std::optional<int64_t> countLoopTiles(scf::ForOp loop,
                                             SizeEvaluator &sizes) {
  auto first = loop.getLowerBound().getDefiningOp<tile::ProgramIdOp>();
  auto step = loop.getStep().getDefiningOp<tile::NumProgramsOp>();
  if (!first || !step || first.getAxis() != step.getAxis())
    return std::nullopt;
  return sizes.get(loop.getUpperBound());
}

/// Splits the grid into rows, columns and matrices where the kernel does so in
/// a way that tile-cta-swizzle knows.
static void splitGrid(tile::FuncOp kernel, Launch &launch,
                      ProductFacts &facts) {
  ProductGrid &grid = facts.grid;
  ArrayRef<int64_t> extents = launch.extents;
  grid.rows = 0;
  grid.columns = extents[0];
  grid.batches = extents[1] * extents[2];
  facts.takesPersistence = !findGridObstacle(kernel).op;
  TileSplitResult found = findTileSplit(kernel);
  if (!facts.takesPersistence || !found.reason.empty())
    return;
  if (found.split.kind == TileSplit::Kind::Plane) {
    grid = {extents[1], extents[0], extents[2], grid.steps};
  } else {
    int64_t columns = launch.sizes.get(found.split.columns).value_or(0);
    if (columns < 1)
      return;
    grid = {llvm::divideCeilSigned(extents[0], columns),
            std::min(columns, extents[0]), extents[1] * extents[2], grid.steps};
  }
  facts.takesOrder = true;
}

/// Fills in the grid; returns a reason against it.
static std::string readGrid(tile::FuncOp kernel, scf::ForOp loop,
                            Launch &launch, ProductFacts &facts) {
  auto lower = launch.sizes.get(loop.getLowerBound());
  auto upper = launch.sizes.get(loop.getUpperBound());
  auto step = launch.sizes.get(loop.getStep());
  if (!lower || !upper || !step || *step < 1)
    return "the sizes assumed do not say how often the loop of the product "
           "runs";
  int64_t distance;
  if (llvm::SubOverflow(*upper, *lower, distance))
    return "the sizes assumed are beyond any memory";
  facts.grid.steps =
      std::max<int64_t>(llvm::divideCeilSigned(distance, *step), 1);
  if (auto outer = loop->getParentOfType<LoopLikeOpInterface>()) {
    auto tileLoop = dyn_cast<scf::ForOp>(outer.getOperation());
    auto tiles =
        tileLoop ? countLoopTiles(tileLoop, launch.sizes) : std::nullopt;
    if (!tiles || *tiles < 1)
      return "the loop of the product is inside another one, which is no loop "
             "over the tiles of a grid";
    facts.grid = {0, *tiles, 1, facts.grid.steps, launch.extents[0]};
  } else {
    splitGrid(kernel, launch, facts);
  }
  const ProductGrid &grid = facts.grid;
  if (grid.columns > kMostTiles || grid.batches > kMostTiles ||
      grid.rows > kMostTiles / grid.columns)
    return "the sizes assumed give more than 2^31 - 1 tiles";
  const ProductTile &tile = facts.tiles.front().tile;
  double panels =
      double(grid.steps) * (double(grid.rows) * tile.rowStepBytes +
                            double(grid.columns) * tile.columnStepBytes);
  if (panels > kMostBytes)
    return "the sizes assumed are beyond any memory";
  return {};
}

ProductFacts tessera::findProduct(tile::FuncOp kernel,
                                  const Assumptions &assumptions,
                                  const TargetInfo &target,
                                  ArrayRef<int32_t> warps) {
  ProductFacts facts;
  scf::ForOp loop = findProductLoop(kernel, facts.reason);
  if (!loop)
    return facts;
  auto dot = *loop.getBody()->getOps<tile::DotOp>().begin();
  ProductTile tile;
  facts.reason = readTile(kernel, loop, dot, tile);
  if (!facts.reason.empty())
    return facts;
  for (int32_t count : warps)
    if (selectUnit(dot, target, count, tile))
      facts.tiles.push_back({count, tile});
  if (facts.tiles.empty()) {
    facts.reason = "no instruction of the tensor cores that the model knows "
                   "fits the product";
    return facts;
  }
  std::optional<Launch> launch = findLaunch(kernel, assumptions, target);
  facts.reason = launch ? readGrid(kernel, loop, *launch, facts)
                        : "no launch plan says, for the sizes assumed alone, "
                          "how many programs run";
  return facts;
}
