//===- TileGPUAttrs.cpp - layout attributes -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Layout/DimNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/TileGPU/IR/TileGPUAttrs.cpp.inc"

/// Bits of the largest tensor's elements.
static const unsigned kMaxElementBits =
    llvm::Log2_64(tile::kMaxTensorElements);

bool tessera::tile_gpu::liesInside(ArrayRef<int32_t> flat, ArrayRef<int64_t> shape) {
  for (auto [index, coordinate] : llvm::enumerate(flat))
    if (coordinate >= shape[index % shape.size()])
      return false;
  return true;
}

namespace {
/// Lets the type parser refuse a tensor whose layout does not fit its shape.
struct LayoutEncoding
    : VerifiableTensorEncoding::ExternalModel<LayoutEncoding, LayoutAttr> {
  LogicalResult
  verifyEncoding(Attribute attr, ArrayRef<int64_t> shape, Type elementType,
                 function_ref<InFlightDiagnostic()> emitError) const {
    auto layout = cast<LayoutAttr>(attr);
    if (layout.getRank() != shape.size())
      return emitError() << "the layout has rank " << layout.getRank()
                         << ", the tensor " << shape.size();
    for (ArrayRef<int32_t> flat :
         {layout.getRegisters(), layout.getLanes(), layout.getWarps()})
      if (!liesInside(flat, shape))
        return emitError() << "a basis vector lies outside the tensor";
    std::string fault = tile::describeTensorFault(
        RankedTensorType::get(shape, elementType));
    if (!fault.empty())
      return emitError() << "a tensor with a layout is invalid: " << fault;
    if (!layout.toLinear(shape).isSurjective())
      return emitError() << "the layout leaves elements without a thread";
    return success();
  }
};

/// The order of a buffer is no layout of a tensor.
struct SharedEncoding
    : VerifiableTensorEncoding::ExternalModel<SharedEncoding, SharedAttr> {
  LogicalResult
  verifyEncoding(Attribute, ArrayRef<int64_t>, Type,
                 function_ref<InFlightDiagnostic()> emitError) const {
    return emitError() << "#tile_gpu.shared is the layout of a buffer";
  }
};
} // namespace

void TileGPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/TileGPU/IR/TileGPUAttrs.cpp.inc"
      >();
  LayoutAttr::attachInterface<LayoutEncoding>(*getContext());
  SharedAttr::attachInterface<SharedEncoding>(*getContext());
}

//===----------------------------------------------------------------------===//
// Lists of basis vectors
//===----------------------------------------------------------------------===//

using Bases = std::vector<std::vector<int32_t>>;

/// `[[1, 0], [0, 1]]`, appended to `flat`. The first vector fixes the rank.
static ParseResult parseBases(AsmParser &parser, SmallVectorImpl<int32_t> &flat,
                              unsigned &rank) {
  SMLoc loc = parser.getCurrentLocation();
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        size_t before = flat.size();
        auto parseOne = [&] {
          return parser.parseInteger(flat.emplace_back());
        };
        if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                           parseOne))
          return failure();
        size_t length = flat.size() - before;
        if (rank == 0)
          rank = length;
        if (length == 0 || length != rank)
          return parser.emitError(loc, "basis vectors differ in length");
        return success();
      });
}

static void printBases(AsmPrinter &printer, ArrayRef<int32_t> flat,
                       unsigned rank) {
  printer << '[';
  for (size_t i = 0; i < flat.size(); i += rank) {
    printer << (i == 0 ? "[" : ", [");
    llvm::interleaveComma(flat.slice(i, rank), printer);
    printer << ']';
  }
  printer << ']';
}

static Bases unflatten(ArrayRef<int32_t> flat, unsigned rank) {
  Bases bases;
  for (size_t i = 0; i < flat.size(); i += rank) {
    ArrayRef<int32_t> vector = flat.slice(i, rank);
    bases.emplace_back(vector.begin(), vector.end());
  }
  return bases;
}

static void flatten(const LinearLayout &layout, const char *dim,
                    SmallVectorImpl<int32_t> &flat) {
  for (int bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit)
    llvm::append_range(flat, layout.getBasis(dim, bit));
}

/// The map with these bases. A coordinate outside the shape is dropped; the
/// verifiers of tensor and buffer types refuse it.
static LinearLayout buildLayout(std::vector<LinearLayout::NamedBases> bases,
                                ArrayRef<int64_t> shape) {
  std::vector<LayoutDim> outs;
  for (auto [index, size] : llvm::enumerate(shape))
    outs.push_back({tensorDimName(index), int32_t(size)});
  for (auto &[name, vectors] : bases)
    for (std::vector<int32_t> &vector : vectors)
      for (auto [coordinate, size] : llvm::zip(vector, shape))
        coordinate &= size - 1;
  std::optional<LinearLayout> layout = LinearLayout::create(bases, outs);
  return layout.value_or(LinearLayout());
}

static LogicalResult verifyBases(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned rank, ArrayRef<int32_t> flat) {
  if (rank == 0 || flat.size() % rank != 0)
    return emitError() << "basis vectors differ in length";
  if (llvm::any_of(flat, [](int32_t value) { return value < 0; }))
    return emitError() << "a basis vector has a negative coordinate";
  return success();
}

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int32_t> registers, lanes, warps;
  unsigned rank = 0;
  if (parser.parseLess() || parser.parseKeyword("register") ||
      parser.parseEqual() || parseBases(parser, registers, rank) ||
      parser.parseComma() || parser.parseKeyword("lane") ||
      parser.parseEqual() || parseBases(parser, lanes, rank) ||
      parser.parseComma() || parser.parseKeyword("warp") ||
      parser.parseEqual() || parseBases(parser, warps, rank) ||
      parser.parseGreater())
    return nullptr;
  return parser.getChecked<LayoutAttr>(parser.getContext(), rank, registers,
                                       lanes, warps);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<register = ";
  printBases(printer, getRegisters(), getRank());
  printer << ", lane = ";
  printBases(printer, getLanes(), getRank());
  printer << ", warp = ";
  printBases(printer, getWarps(), getRank());
  printer << '>';
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned rank, ArrayRef<int32_t> registers,
                                 ArrayRef<int32_t> lanes,
                                 ArrayRef<int32_t> warps) {
  for (ArrayRef<int32_t> flat : {registers, lanes, warps})
    if (failed(verifyBases(emitError, rank, flat)))
      return failure();
  if (lanes.size() / rank != llvm::Log2_32(kWarpSize))
    return emitError() << "a layout needs 5 basis vectors for the lanes, not "
                       << lanes.size() / rank;
  if (registers.size() / rank > kMaxElementBits || warps.size() / rank > 5)
    return emitError() << "a layout has at most " << kMaxElementBits
                       << " register and 5 warp bits";
  return success();
}

LinearLayout LayoutAttr::toLinear(ArrayRef<int64_t> shape) const {
  return buildLayout({{kRegisterDim, unflatten(getRegisters(), getRank())},
                      {kLaneDim, unflatten(getLanes(), getRank())},
                      {kWarpDim, unflatten(getWarps(), getRank())}},
                     shape);
}

LayoutAttr LayoutAttr::fromLinear(MLIRContext *context,
                                  const LinearLayout &layout) {
  SmallVector<int32_t> registers, lanes, warps;
  flatten(layout, kRegisterDim, registers);
  flatten(layout, kLaneDim, lanes);
  flatten(layout, kWarpDim, warps);
  return get(context, layout.outDims().size(), registers, lanes, warps);
}

//===----------------------------------------------------------------------===//
// SharedAttr
//===----------------------------------------------------------------------===//

Attribute SharedAttr::parse(AsmParser &parser, Type) {
  SmallVector<int32_t> offsets;
  unsigned rank = 0;
  if (parser.parseLess() || parseBases(parser, offsets, rank))
    return nullptr;
  // A buffer of one element has no offset bits; its rank then stands alone.
  if (offsets.empty()) {
    SMLoc loc;
    int32_t alone;
    if (parser.parseComma() || parser.getCurrentLocation(&loc) ||
        parser.parseInteger(alone))
      return nullptr;
    if (alone < 1) {
      parser.emitError(loc, "the rank of a buffer is positive");
      return nullptr;
    }
    rank = alone;
  }
  if (parser.parseGreater())
    return nullptr;
  return parser.getChecked<SharedAttr>(parser.getContext(), rank, offsets);
}

void SharedAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBases(printer, getOffsets(), getRank());
  if (getOffsets().empty())
    printer << ", " << getRank();
  printer << '>';
}

LogicalResult SharedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned rank, ArrayRef<int32_t> offsets) {
  if (failed(verifyBases(emitError, rank, offsets)))
    return failure();
  if (offsets.size() / rank > kMaxElementBits)
    return emitError() << "a buffer has at most " << kMaxElementBits
                       << " offset bits";
  return success();
}

LinearLayout SharedAttr::toLinear(ArrayRef<int64_t> shape) const {
  return buildLayout({{kOffsetDim, unflatten(getOffsets(), getRank())}}, shape);
}

SharedAttr SharedAttr::fromLinear(MLIRContext *context,
                                  const LinearLayout &layout) {
  SmallVector<int32_t> offsets;
  flatten(layout, kOffsetDim, offsets);
  return get(context, layout.outDims().size(), offsets);
}

SharedAttr SharedAttr::getRowMajor(MLIRContext *context,
                                   ArrayRef<int64_t> shape) {
  SmallVector<int32_t> offsets;
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim)
    for (int64_t size = 1; size < shape[dim]; size *= 2) {
      SmallVector<int32_t> vector(shape.size(), 0);
      vector[dim] = size;
      llvm::append_range(offsets, vector);
    }
  return get(context, shape.size(), offsets);
}

//===----------------------------------------------------------------------===//
// AccessAttr
//===----------------------------------------------------------------------===//

LogicalResult AccessAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 AccessPath, int64_t width, int64_t axis) {
  if (width < 1 || width > 16 || !llvm::isPowerOf2_64(width))
    return emitError() << "the width of an access is a power of two from 1 to "
                          "16, not "
                       << width;
  if (axis < 0)
    return emitError() << "the axis of an access is negative";
  return success();
}

//===----------------------------------------------------------------------===//
// InstructionAttr
//===----------------------------------------------------------------------===//

LogicalResult
InstructionAttr::verify(function_ref<InFlightDiagnostic()> emitError, DotKind,
                        int32_t m, int32_t n, int32_t k) {
  for (int32_t size : {m, n, k})
    if (size < 1 || size > 256 || !llvm::isPowerOf2_32(size))
      return emitError() << "an instruction's shape consists of powers of two "
                            "up to 256, not "
                         << size;
  return success();
}
