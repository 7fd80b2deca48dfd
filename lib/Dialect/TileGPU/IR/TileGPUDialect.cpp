//===- TileGPUDialect.cpp - the tile_gpu dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

#include "tessera/Dialect/TileGPU/IR/TileGPUDialect.cpp.inc"
#include "tessera/Dialect/TileGPU/IR/TileGPUEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/TileGPU/IR/TileGPUTypes.cpp.inc"

void TileGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera/Dialect/TileGPU/IR/TileGPUTypes.cpp.inc"
      >();
}

void TileGPUDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/TileGPU/IR/TileGPUOps.cpp.inc"
      >();
}

namespace tessera::tile_gpu {

bool hasLayout(Type type) { return getLayout(type) != nullptr; }

LayoutAttr getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

LinearLayout getLinearLayout(RankedTensorType type) {
  return getLayout(type).toLinear(type.getShape());
}

std::optional<WgmmaOperand> getWgmmaOperand(BufferType buffer, int axisMN) {
  ArrayRef<int64_t> shape = buffer.getShape();
  if (shape.size() != 2)
    return std::nullopt;
  for (auto major : {WgmmaOperand::Major::K, WgmmaOperand::Major::MN}) {
    auto operand =
        WgmmaOperand::create(shape[axisMN], shape[1 - axisMN], major,
                             tile::getByteWidth(buffer.getElementType()));
    if (operand && buffer.getLayout() ==
                       SharedAttr::fromLinear(buffer.getContext(),
                                              operand->getBuffer(axisMN)))
      return operand;
  }
  return std::nullopt;
}

LayoutAttr getWgmmaRegisters(RankedTensorType type, const WgmmaTiling &tiling) {
  auto layout =
      makeWgmmaOperandA(type.getDimSize(0), type.getDimSize(1), tiling,
                        tile::getByteWidth(type.getElementType()));
  return layout ? LayoutAttr::fromLinear(type.getContext(), *layout)
                : LayoutAttr();
}

std::optional<RegisterSlice> RegisterSlice::get(RankedTensorType tensor,
                                                ArrayRef<int64_t> shape) {
  LinearLayout layout = getLinearLayout(tensor);
  // The bits of a coordinate that say which part it lies in.
  auto getPartBits = [&](const std::vector<int32_t> &basis) {
    std::vector<int32_t> bits;
    for (auto [coordinate, size] : llvm::zip(basis, shape))
      bits.push_back(coordinate & ~int32_t(size - 1));
    return bits;
  };
  auto isZero = [](const std::vector<int32_t> &bits) {
    return llvm::all_of(bits, [](int32_t bit) { return bit == 0; });
  };
  RegisterSlice slice;
  std::vector<LinearLayout::NamedBases> bases;
  for (const LayoutDim &dim : layout.inDims()) {
    std::vector<std::vector<int32_t>> kept;
    for (int bit = 0; bit < layout.getInDimSizeLog2(dim.name); ++bit) {
      std::vector<int32_t> basis = layout.getBasis(dim.name, bit);
      std::vector<int32_t> part = getPartBits(basis);
      bool isRegister = dim.name == kRegisterDim;
      if (isZero(part)) {
        kept.push_back(basis);
        if (isRegister)
          slice.keptBits.push_back(bit);
      } else if (isRegister && part == basis &&
                 llvm::none_of(slice.partBits, [&](const auto &other) {
                   return other.second == basis;
                 })) {
        slice.partBits.push_back({bit, basis});
      } else {
        return std::nullopt;
      }
    }
    bases.push_back({dim.name, std::move(kept)});
  }
  std::vector<LayoutDim> outs = layout.outDims();
  for (auto [dim, size] : llvm::zip(outs, shape))
    dim.size = size;
  auto part = LinearLayout::create(std::move(bases), std::move(outs));
  if (!part)
    return std::nullopt;
  slice.type =
      RankedTensorType::get(shape, tensor.getElementType(),
                            LayoutAttr::fromLinear(tensor.getContext(), *part));
  return slice;
}

SmallVector<int32_t>
RegisterSlice::getRegisters(ArrayRef<int64_t> offsets) const {
  int32_t part = 0;
  for (const auto &[bit, basis] : partBits)
    for (auto [coordinate, offset] : llvm::zip(basis, offsets))
      if (coordinate & offset)
        part |= 1 << bit;
  SmallVector<int32_t> registers;
  for (int32_t number = 0; number < 1 << keptBits.size(); ++number) {
    int32_t source = part;
    for (auto [index, bit] : llvm::enumerate(keptBits))
      source |= ((number >> index) & 1) << bit;
    registers.push_back(source);
  }
  return registers;
}

int32_t getNumWarps(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto warps =
            op->getAttrOfType<IntegerAttr>(TileGPUDialect::kNumWarps)) {
      const APInt &value = warps.getValue();
      return value.isPowerOf2() && value.ule(tile::kMaxWarps)
                 ? value.getZExtValue()
                 : 0;
    }
  return 0;
}

FailureOr<TargetInfo> getTargetInfo(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  std::string name = "sm_90a";
  if (Attribute attr = module->getAttr(TileGPUDialect::kTarget)) {
    auto string = dyn_cast<StringAttr>(attr);
    if (!string)
      return module.emitError() << "'" << TileGPUDialect::kTarget
                                << "' has to be a string, not " << attr;
    name = string.str();
  }
  if (std::optional<TargetInfo> target = TargetInfo::get(name))
    return *target;
  return module.emitError() << "unknown target '" << name << "'; known are "
                            << llvm::join(TargetInfo::names(), ", ");
}

} // namespace tessera::tile_gpu

//===----------------------------------------------------------------------===//
// BufferType
//===----------------------------------------------------------------------===//

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SharedAttr layout;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseAttribute(layout))
    return nullptr;
  int64_t slots = 1;
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("slots") || parser.parseEqual() ||
       parser.parseInteger(slots)))
    return nullptr;
  if (parser.parseGreater())
    return nullptr;
  return parser.getChecked<BufferType>(parser.getContext(), shape, elementType,
                                       layout, slots);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType() << ", " << getLayout();
  if (getSlots() != 1)
    printer << ", slots = " << getSlots();
  printer << '>';
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 SharedAttr layout, int64_t slots) {
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << "a buffer of " << slots
                       << " slots; it has 1 to " << kMaxSlots;
  if (!tile::isElementType(elementType))
    return emitError() << "element type " << elementType
                       << " is not supported in a buffer";
  std::string fault =
      tile::describeTensorFault(RankedTensorType::get(shape, elementType));
  if (!fault.empty())
    return emitError() << "invalid buffer: " << fault;
  if (layout.getRank() != shape.size())
    return emitError() << "the layout has rank " << layout.getRank()
                       << ", the buffer " << shape.size();
  if (!liesInside(layout.getOffsets(), shape) ||
      !layout.toLinear(shape).isBijective())
    return emitError() << "the layout of a buffer has to be a bijection "
                          "between offsets and coordinates";
  return success();
}

int64_t BufferType::getNumElements() const {
  return ShapedType::getNumElements(getShape());
}

int64_t BufferType::getSlotBytes() const {
  return getNumElements() * tile::getByteWidth(getElementType());
}

int64_t BufferType::getBytes() const { return getSlots() * getSlotBytes(); }

BufferType BufferType::getSlotType() const {
  return get(getContext(), getShape(), getElementType(), getLayout());
}
