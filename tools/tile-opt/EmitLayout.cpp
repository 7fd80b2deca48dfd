//===- EmitLayout.cpp - pictures of the layouts of values -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitLayout.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Layout/Render.h"
#include "tessera/Tool/NamedSource.h"
#include "tessera/Tool/OptionErrors.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tessera {

//===----------------------------------------------------------------------===//
// Which values are meant
//===----------------------------------------------------------------------===//

/// `12` or `12:5`; the column is 0 where there is none.
static std::optional<std::pair<unsigned, unsigned>> parsePlace(StringRef text) {
  unsigned line = 0, column = 0;
  if (text.consumeInteger(10, line) || line == 0)
    return std::nullopt;
  if (text.empty())
    return std::pair(line, column);
  if (!text.consume_front(":") || text.getAsInteger(10, column) || column == 0)
    return std::nullopt;
  return std::pair(line, column);
}

static StringRef dropPercent(StringRef name) {
  name.consume_front("%");
  return name;
}

std::string checkLayoutOptions(const LayoutOptions &options) {
  StringRef value = options.value;
  if (value.empty())
    return "--emit=layout needs --value=NAME, or --value=LINE[:COLUMN]";
  if (parsePlace(value))
    return {};
  StringRef name = dropPercent(value);
  if (name.contains('#'))
    return "--value=" + options.value +
           ": results of one operation are drawn together; give the name "
           "without #";
  if (name.empty() || !llvm::all_of(name, isIdentifierChar) ||
      (name == value && llvm::isDigit(name.front())))
    return "--value=" + options.value +
           " is no name of a value and no LINE[:COLUMN]";
  return {};
}

bool LayoutEmitter::isName() const { return !parsePlace(options.value); }

/// Calls `visit` for the places in a file that a location comes from. Code that
/// was inlined comes from the callee, not from the line of the call.
static void visitPlaces(Location location,
                        function_ref<void(FileLineColRange)> visit) {
  if (auto place = dyn_cast<FileLineColRange>(location))
    visit(place);
  else if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      visitPlaces(part, visit);
  else if (auto name = dyn_cast<NameLoc>(location))
    visitPlaces(name.getChildLoc(), visit);
  else if (auto call = dyn_cast<CallSiteLoc>(location))
    visitPlaces(call.getCallee(), visit);
}

bool LayoutEmitter::matches(Location location) const {
  bool found = false;
  if (auto wanted = parsePlace(options.value)) {
    auto [line, column] = *wanted;
    visitPlaces(location,
                [&, line = line, column = column](FileLineColRange p) {
                  found |= p.getStartLine() == line &&
                           (column == 0 || p.getStartColumn() == column);
                });
    return found;
  }
  auto entry = names.find(dropPercent(options.value));
  if (entry != names.end())
    visitPlaces(location, [&](FileLineColRange place) {
      found |= entry->second.contains(place);
    });
  return found;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> LayoutEmitter::parse(llvm::SourceMgr &sources,
                                           MLIRContext *context) {
  return parseNamed(sources, context, [&](StringRef name, ValueRange values) {
    visitPlaces(values.front().getLoc(),
                [&](FileLineColRange place) { names[name].insert(place); });
  });
}

llvm::Error LayoutEmitter::checkName() const {
  StringRef name = dropPercent(options.value);
  if (!isName() || names.contains(name))
    return llvm::Error::success();
  StringRef closest = findNearest(name, llvm::to_vector(names.keys()));
  return llvm::createStringError(
      "--value=" + options.value + ": the source has no value of this name" +
      (names.empty()     ? "; bytecode has no names, give LINE[:COLUMN]"
       : closest.empty() ? ""
                         : "; did you mean %" + closest.str() + "?"));
}

//===----------------------------------------------------------------------===//
// Values of level 2
//===----------------------------------------------------------------------===//

namespace {
/// A layout in a kernel, and everything at the place that has it.
struct Found {
  Value value;
  /// What defines the values, each text once.
  SmallVector<std::string> origins;
};

/// Values that look the same in a picture: type and, for buffers, offset.
using FoundKey = std::pair<Type, Attribute>;
using FoundMap = llvm::MapVector<FoundKey, Found>;
} // namespace

static bool isDrawn(Type type) {
  return isa<tile_gpu::BufferType>(type) || tile_gpu::hasLayout(type);
}

/// `tile.load at 12:8`, `argument of scf.for at 20:5`.
static std::string describeOrigin(Value value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (Operation *op = value.getDefiningOp())
    stream << op->getName();
  else
    stream << "argument of "
           << cast<BlockArgument>(value).getOwner()->getParentOp()->getName();
  StringRef separator = " at ";
  visitPlaces(value.getLoc(), [&](FileLineColRange place) {
    stream << std::exchange(separator, ", ") << place.getStartLine() << ":"
           << place.getStartColumn();
  });
  return text;
}

/// Where in shared memory a buffer begins, in bytes; null before it is known.
static IntegerAttr getStart(Value value) {
  auto alloc = value.getDefiningOp<tile_gpu::AllocOp>();
  return alloc ? alloc.getOffsetAttr() : IntegerAttr();
}

/// Adds the values of `kernel` whose location `matches`.
static FoundMap collect(Operation *kernel,
                        function_ref<bool(Location)> matches) {
  FoundMap found;
  auto add = [&](Value value) {
    if (!isDrawn(value.getType()) || !matches(value.getLoc()))
      return;
    Found &entry = found[{value.getType(), getStart(value)}];
    if (!entry.value)
      entry.value = value;
    std::string origin = describeOrigin(value);
    if (!llvm::is_contained(entry.origins, origin))
      entry.origins.push_back(std::move(origin));
  };
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
  return found;
}

/// The picture of a value, with a title.
static LayoutPicture makePicture(StringRef kernel, const Found &found) {
  LayoutPicture picture;
  picture.title.push_back("@" + kernel.str() + ": " +
                          llvm::join(found.origins, ", "));
  std::string type;
  llvm::raw_string_ostream stream(type);
  if (auto buffer = dyn_cast<tile_gpu::BufferType>(found.value.getType())) {
    stream << "buffer<";
    llvm::interleave(buffer.getShape(), stream, "x");
    stream << "x" << buffer.getElementType() << "> in shared memory";
    picture.layout = buffer.getLayout().toLinear(buffer.getShape());
    picture.elementBytes =
        static_cast<int>(buffer.getBytes() / buffer.getNumElements());
    if (IntegerAttr start = getStart(found.value))
      picture.startByte = start.getInt();
  } else {
    auto tensor = cast<RankedTensorType>(found.value.getType());
    stream << tensor.cloneWithEncoding(Attribute());
    picture.layout = tile_gpu::getLinearLayout(tensor);
  }
  picture.title.push_back(type);
  return picture;
}

/// The kernels to look at, or an error that lists those there are.
static llvm::Expected<SmallVector<tile::FuncOp>>
selectKernels(ModuleOp module, StringRef wanted) {
  SmallVector<tile::FuncOp> kernels;
  SmallVector<StringRef> known;
  module.walk([&](tile::FuncOp function) {
    known.push_back(function.getSymName());
    if (wanted.empty() || function.getSymName() == wanted)
      kernels.push_back(function);
  });
  if (kernels.empty() && !wanted.empty())
    return llvm::createStringError(
        "--kernel=" + wanted + ": there is no such kernel; " +
        (known.empty() ? "there is none"
                       : "there are " + llvm::join(known, ", ")));
  return kernels;
}

llvm::Expected<std::string> LayoutEmitter::render(ModuleOp module) const {
  StringRef wanted = options.kernel;
  wanted.consume_front("@");
  auto kernels = selectKernels(module, wanted);
  if (!kernels)
    return kernels.takeError();

  std::vector<LayoutPicture> pictures;
  std::string objection;
  for (tile::FuncOp kernel : *kernels)
    for (auto &[key, found] :
         collect(kernel, [&](Location at) { return matches(at); })) {
      LayoutPicture picture = makePicture(kernel.getSymName(), found);
      std::string wrong = checkPicture(picture);
      if (wrong.empty())
        pictures.push_back(std::move(picture));
      else
        objection = picture.title.back() + ": " + wrong;
    }
  if (pictures.empty())
    return llvm::createStringError(
        "--value=" + options.value + ": " +
        (objection.empty() ? "no tensor or buffer of level 2 comes from there; "
                             "it is a scalar, or the passes removed it"
                           : objection));

  if (pictures.size() > 1)
    for (auto [index, picture] : llvm::enumerate(pictures))
      picture.title.front().insert(0, std::to_string(index + 1) + ". ");
  if (options.format == LayoutFormat::Svg)
    return renderSvg(pictures);
  std::string text;
  for (const LayoutPicture &picture : pictures)
    text += (text.empty() ? "" : "\n") + renderText(picture);
  return text;
}

} // namespace tessera
