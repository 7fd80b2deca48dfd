//===- TileTypes.cpp - type predicates of the tile dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::tile {

bool isElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isFloat8(type) || isa<Float16Type, BFloat16Type, Float32Type,
                               Float64Type, PointerType>(type);
}

bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

std::string describeTensorFault(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!isElementType(type.getElementType())) {
    os << "element type " << type.getElementType() << " is not supported";
    return text;
  }
  if (type.getRank() == 0)
    return "a tensor needs at least one dimension";
  // The product is bounded at each step, so that it cannot overflow.
  int64_t elements = 1;
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(size) || !llvm::isPowerOf2_64(size)) {
      os << "dimension " << index << " is ";
      if (ShapedType::isDynamic(size))
        os << "dynamic";
      else
        os << size;
      os << ", not a static power of two";
      return text;
    }
    if (size > kMaxTensorElements || (elements *= size) > kMaxTensorElements) {
      os << "it has more than " << kMaxTensorElements << " elements";
      return text;
    }
  }
  return text;
}

bool isTileTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && describeTensorFault(tensor).empty();
}

Type withElementType(Type type, Type elementType) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(elementType);
  return elementType;
}

Type getPointeeLike(Type type) {
  return withElementType(
      type, cast<PointerType>(getElementTypeOrSelf(type)).getPointee());
}

int64_t getByteWidth(Type elementType) {
  if (isa<PointerType>(elementType))
    return 8;
  return std::max<int64_t>(1, elementType.getIntOrFloatBitWidth() / 8);
}

bool isPointerOrTensorOf(Type type) {
  return isa<PointerType>(getElementTypeOrSelf(type)) &&
         (isElementType(type) || isTileTensor(type));
}

bool isIntegerOrTensorOf(Type type) {
  return isa<IntegerType>(getElementTypeOrSelf(type)) &&
         (isElementType(type) || isTileTensor(type));
}

bool isFloatOrTensorOf(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type)) &&
         (isElementType(type) || isTileTensor(type));
}

bool isMaskOrTensorOf(Type type) {
  return getElementTypeOrSelf(type).isSignlessInteger(1) &&
         (isElementType(type) || isTileTensor(type));
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type pointee) {
  if (!isElementType(pointee))
    return emitError() << "a pointer cannot point to " << pointee;
  return success();
}

//===----------------------------------------------------------------------===//
// TensorMapType
//===----------------------------------------------------------------------===//

Type TensorMapType::parse(AsmParser &parser) {
  SmallVector<int64_t> box;
  Type elementType;
  int64_t swizzle = 0;
  if (parser.parseLess() ||
      parser.parseDimensionList(box, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return nullptr;
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("swizzle") || parser.parseEqual() ||
       parser.parseInteger(swizzle)))
    return nullptr;
  if (parser.parseGreater())
    return nullptr;
  return parser.getChecked<TensorMapType>(
      parser.getContext(), ArrayRef<int64_t>(box), elementType, swizzle);
}

void TensorMapType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getBox())
    printer << size << 'x';
  printer << getElementType();
  if (getSwizzle() != 0)
    printer << ", swizzle = " << getSwizzle();
  printer << '>';
}

// CUDA Driver API, cuTensorMapEncodeTiled.
LogicalResult
TensorMapType::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> box, Type elementType,
                      int64_t swizzle) {
  if (box.empty() || box.size() > 5)
    return emitError() << "a tensor map of " << box.size()
                       << " dimensions; it has 1 to 5";
  for (auto [index, size] : llvm::enumerate(box))
    if (size < 1 || size > 256)
      return emitError() << "dimension " << index << " of a tensor map's box is "
                         << size << ", not from 1 to 256";
  if (!isElementType(elementType) || isa<PointerType>(elementType) ||
      elementType.isInteger(1))
    return emitError() << "a tensor map cannot have elements of "
                       << elementType;
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "a swizzle of " << swizzle
                       << " bytes; known are 0, 32, 64 and 128";
  int64_t bytes = box.back() * getByteWidth(elementType);
  if (bytes % 16 != 0)
    return emitError() << "a row of a tensor map's box has " << bytes
                       << " bytes, which is no multiple of 16";
  if (swizzle != 0 && bytes > swizzle)
    return emitError() << "a row of a tensor map's box has " << bytes
                       << " bytes, more than its swizzle of " << swizzle;
  return success();
}

int64_t TensorMapType::getRowBytes() const {
  return getBox().back() * getByteWidth(getElementType());
}

} // namespace tessera::tile
