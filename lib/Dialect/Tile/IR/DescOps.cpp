//===- DescOps.cpp - descriptors of arrays in global memory -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Directives.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::tile;

//===----------------------------------------------------------------------===//
// DescType
//===----------------------------------------------------------------------===//

/// `128x64xf16`, or `[#BM, 64], f16`.
static ParseResult parseTile(AsmParser &parser, SmallVector<int64_t> &shape,
                             Type &elementType) {
  auto parseOne = [&] { return parseDimension(parser, shape.emplace_back()); };
  if (succeeded(parser.parseOptionalLSquare()))
    return failure(parser.parseCommaSeparatedList(parseOne) ||
                   parser.parseRSquare() || parser.parseComma() ||
                   parser.parseType(elementType));
  return failure(
      parser.parseDimensionList(shape, /*allowDynamic=*/false,
                                /*withTrailingX=*/true) ||
      parser.parseType(elementType));
}

Type DescType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() || parseTile(parser, shape, elementType) ||
      parser.parseGreater())
    return nullptr;
  return parser.getChecked<DescType>(loc, parser.getContext(),
                                     ArrayRef<int64_t>(shape), elementType);
}

void DescType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << '>';
}

LogicalResult DescType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType) {
  if (!isElementType(elementType) || isa<PointerType>(elementType))
    return emitError() << "a descriptor's elements are integers or floats, not "
                       << elementType;
  if (shape.empty() || int64_t(shape.size()) > kMaxRank)
    return emitError() << "a descriptor has 1 to " << kMaxRank
                       << " dimensions, not " << shape.size();
  // Sizes that no tensor type may have are refused before one is made.
  for (auto [index, size] : llvm::enumerate(shape))
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << "invalid tile: dimension " << index << " is "
                         << size << ", not a power of two";
  std::string fault =
      describeTensorFault(RankedTensorType::get(shape, elementType));
  if (!fault.empty())
    return emitError() << "invalid tile: " << fault;
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// One operand a dimension.
static LogicalResult verifyCount(Operation *op, StringRef what,
                                 ValueRange values, DescType desc) {
  if (int64_t(values.size()) == desc.getRank())
    return success();
  return op->emitOpError() << "has " << values.size() << " " << what << ", "
                           << desc << " needs " << desc.getRank();
}

/// A tile, with any layout, agrees with its descriptor.
static LogicalResult verifyTile(Operation *op, StringRef what, Value tile,
                                DescType desc) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getShape() == desc.getShape() &&
      type.getElementType() == desc.getElementType())
    return success();
  return op->emitOpError() << what << " has type " << type << ", " << desc
                           << " needs " << desc.getTileType();
}

LogicalResult MakeDescOp::verify() {
  Type pointee = cast<PointerType>(getBase().getType()).getPointee();
  DescType desc = getDescType();
  if (pointee != desc.getElementType())
    return emitOpError() << "base points to " << pointee << ", the elements of "
                         << desc << " are " << desc.getElementType();
  if (failed(verifyCount(*this, "extents", getExtents(), desc)) ||
      failed(verifyCount(*this, "strides", getStrides(), desc)))
    return failure();
  if (!getMap()) {
    if (!getOrigin().empty())
      return emitOpError("has an origin, and no map");
    return success();
  }
  if (failed(verifyCount(*this, "coordinates of the origin", getOrigin(), desc)))
    return failure();
  TensorMapType map = getMap().getType();
  if (desc.getRank() != 2 || map.getRank() != 2 || !getUnitDim())
    return emitOpError("with a map has two dimensions, and one of them the "
                       "constant stride 1");
  if (map.getElementType() != desc.getElementType())
    return emitOpError() << "a map of " << map.getElementType()
                         << " does not describe elements of type "
                         << desc.getElementType();
  return success();
}

std::optional<unsigned> MakeDescOp::getUnitDim() {
  std::optional<unsigned> unit;
  for (auto [dim, stride] : llvm::enumerate(getStrides()))
    if (matchPattern(stride, m_One())) {
      if (unit)
        return std::nullopt;
      unit = dim;
    }
  return unit;
}

LogicalResult DescLoadOp::verify() {
  DescType desc = getDescType();
  if (failed(verifyCount(*this, "offsets", getOffsets(), desc)) ||
      failed(verifyTile(*this, "result", getResult(), desc)))
    return failure();
  return verifyLoadCache(*this, getCache());
}

LogicalResult DescStoreOp::verify() {
  DescType desc = getDescType();
  if (failed(verifyCount(*this, "offsets", getOffsets(), desc)) ||
      failed(verifyTile(*this, "value", getValue(), desc)))
    return failure();
  return verifyStoreCache(*this, getCache());
}
