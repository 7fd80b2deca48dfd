//===- TileTypes.cpp - type predicates of the tile dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/IR/Tile.h"

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

} // namespace tessera::tile
