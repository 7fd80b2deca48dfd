//===- TileDialect.cpp - the tile dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration, the parsers that replace parameters by builtin entities, and
// the verification of the attributes that the dialect gives a meaning.
//
//===----------------------------------------------------------------------===//

#include "Directives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile;

#include "tessera/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "tessera/Dialect/Tile/IR/TileEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/Tile/IR/TileTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Tile/IR/TileAttrs.cpp.inc"

namespace {
/// Lets the upstream inliner inline calls of tile functions.
struct TileInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  void handleTerminator(Operation *op, ValueRange replacements) const final {
    for (auto [from, to] : llvm::zip(replacements, op->getOperands()))
      from.replaceAllUsesWith(to);
  }
};
} // namespace

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}

void TileDialect::initialize() {
  parameters = std::make_unique<ParameterTable>();
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
  addInterfaces<TileInliner>();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult tessera::tile::parseDimension(AsmParser &parser, int64_t &value) {
  OptionalParseResult literal = parser.parseOptionalInteger(value);
  if (literal.has_value())
    return *literal;
  SMLoc loc = parser.getCurrentLocation();
  Attribute attr;
  if (parser.parseAttribute(attr))
    return failure();
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || !integer.getType().isSignlessInteger() ||
      integer.getValue().getBitWidth() > 64)
    return parser.emitError(loc, "expected an integer of at most 64 bits");
  value = integer.getInt();
  return success();
}

/// `!tile.t<[dims], T>`: `tensor<dims x T>`.
static Type parseTensorShorthand(DialectAsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  auto parseOne = [&] { return parseDimension(parser, shape.emplace_back()); };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseComma() || parser.parseType(elementType) ||
      parser.parseGreater())
    return nullptr;
  for (auto [index, size] : llvm::enumerate(shape)) {
    if (size > 0 && llvm::isPowerOf2_64(size))
      continue;
    parser.emitError(loc) << "dimension " << index << " of a tensor is " << size
                          << ", not a power of two";
    return nullptr;
  }
  if (!isElementType(elementType)) {
    parser.emitError(loc) << "element type " << elementType
                          << " is not supported";
    return nullptr;
  }
  auto type = RankedTensorType::get(shape, elementType);
  std::string fault = describeTensorFault(type);
  if (!fault.empty()) {
    parser.emitError(loc) << "invalid tensor " << type << ": " << fault;
    return nullptr;
  }
  return type;
}

/// `!tile.type_param<NAME = T>`: T, or its override.
static Type parseTypeParameter(DialectAsmParser &parser,
                               ParameterTable &parameters) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name;
  Type type;
  if (parser.parseLess() || parser.parseKeywordOrString(&name) ||
      parser.parseEqual() || parser.parseType(type) || parser.parseGreater())
    return nullptr;
  if (!type.isIntOrFloat() || !isElementType(type)) {
    parser.emitError(loc) << "a type parameter needs an element type, not "
                          << type;
    return nullptr;
  }
  return parameters.declareType(name, type,
                                [&] { return parser.emitError(loc); });
}

Type TileDialect::parseType(DialectAsmParser &parser) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Type type;
  if (generatedTypeParser(parser, &mnemonic, type).has_value())
    return type;
  if (mnemonic == "t")
    return parseTensorShorthand(parser);
  if (mnemonic == "type_param")
    return parseTypeParameter(parser, *parameters);
  parser.emitError(loc) << "unknown type '" << mnemonic
                        << "' in the tile dialect";
  return nullptr;
}

void TileDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)generatedTypePrinter(type, printer);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// `#tile.param<NAME = value (: type)? (, [choices])?>`.
static Attribute parseParameter(DialectAsmParser &parser,
                                ParameterTable &parameters) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name;
  int64_t value;
  Type type = parser.getBuilder().getI32Type();
  SmallVector<int64_t> choices;
  if (parser.parseLess() || parser.parseKeywordOrString(&name) ||
      parser.parseEqual() || parser.parseInteger(value))
    return nullptr;
  if (succeeded(parser.parseOptionalColon()) && parser.parseType(type))
    return nullptr;
  auto parseChoice = [&] { return parser.parseInteger(choices.emplace_back()); };
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseChoice))
    return nullptr;
  if (parser.parseGreater())
    return nullptr;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || !isElementType(integer)) {
    parser.emitError(loc) << "a parameter cannot have type " << type;
    return nullptr;
  }
  choices.push_back(value);
  for (int64_t choice : choices) {
    if (fitsInto(integer, choice))
      continue;
    parser.emitError(loc) << choice << " does not fit into " << type;
    return nullptr;
  }
  choices.pop_back();
  return parameters.declareInteger(name, IntegerAttr::get(integer, value),
                                   choices,
                                   [&] { return parser.emitError(loc); });
}

/// The smallest power of two that is not less; nothing when it is no i64.
static std::optional<int64_t> nextPowerOf2(int64_t value) {
  if (value > int64_t(1) << 62)
    return std::nullopt;
  return value <= 1 ? 1 : int64_t(llvm::PowerOf2Ceil(value));
}

/// a op b in i64; nothing on overflow or division by zero.
static std::optional<int64_t> evaluate(StringRef op, int64_t a, int64_t b) {
  int64_t result;
  if (op == "add")
    return llvm::AddOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (op == "sub")
    return llvm::SubOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (op == "mul")
    return llvm::MulOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (op == "min")
    return std::min(a, b);
  if (op == "max")
    return std::max(a, b);
  if (b <= 0)
    return std::nullopt;
  return op == "div" ? llvm::divideFloorSigned(a, b)
                     : llvm::divideCeilSigned(a, b);
}

/// `#tile.eval<op a, b>`, in the type of the first attribute operand or i32.
static Attribute parseEval(DialectAsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef op;
  IntegerType type;
  int64_t operands[2] = {0, 0};
  auto parseOperand = [&](int64_t &value) -> ParseResult {
    OptionalParseResult literal = parser.parseOptionalInteger(value);
    if (literal.has_value())
      return *literal;
    SMLoc operandLoc = parser.getCurrentLocation();
    IntegerAttr attr;
    if (parser.parseAttribute(attr))
      return failure();
    auto attrType = dyn_cast<IntegerType>(attr.getType());
    if (!attrType || !attrType.isSignless() || attrType.getWidth() > 64)
      return parser.emitError(operandLoc,
                              "expected an integer of at most 64 bits");
    value = attr.getValue().getSExtValue();
    if (!type)
      type = attrType;
    return success();
  };
  if (parser.parseLess() || parser.parseKeyword(&op))
    return nullptr;
  bool unary = op == "next_pow2";
  if (!unary && !llvm::is_contained({"add", "sub", "mul", "div", "cdiv", "min",
                                     "max"},
                                    op)) {
    parser.emitError(loc) << "unknown operation '" << op << "' in #tile.eval";
    return nullptr;
  }
  if (parseOperand(operands[0]) ||
      (!unary && (parser.parseComma() || parseOperand(operands[1]))) ||
      parser.parseGreater())
    return nullptr;
  if (!type)
    type = parser.getBuilder().getI32Type();
  std::optional<int64_t> value =
      unary ? nextPowerOf2(operands[0])
            : evaluate(op, operands[0], operands[1]);
  if (!value || !fitsInto(type, *value)) {
    parser.emitError(loc) << "#tile.eval has no value in " << type;
    return nullptr;
  }
  return IntegerAttr::get(type, *value);
}

/// `#tile.inf<pos|neg> : T`, for a float type or a tensor of it.
static Attribute parseInfinity(DialectAsmParser &parser, Type type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef sign;
  if (parser.parseLess() || parser.parseKeyword(&sign) || parser.parseGreater())
    return nullptr;
  if (sign != "pos" && sign != "neg") {
    parser.emitError(loc) << "expected 'pos' or 'neg' in #tile.inf";
    return nullptr;
  }
  auto floatType =
      type ? dyn_cast<FloatType>(getElementTypeOrSelf(type)) : FloatType();
  if (!floatType || !llvm::APFloat::semanticsHasInf(
                        floatType.getFloatSemantics())) {
    auto diag = parser.emitError(loc);
    diag << "#tile.inf needs a float type that has infinities, as in "
            "'#tile.inf<neg> : f32'";
    return nullptr;
  }
  auto value =
      FloatAttr::get(floatType, APFloat::getInf(floatType.getFloatSemantics(),
                                                sign == "neg"));
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return DenseElementsAttr::get(tensor, value.getValue());
  return value;
}

/// `#tile.zero : T`.
static Attribute parseZero(DialectAsmParser &parser, Type type) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute zero =
      type ? parser.getBuilder().getZeroAttr(type) : TypedAttr();
  if (!zero)
    parser.emitError(loc) << "#tile.zero needs a type that has one, as in "
                             "'#tile.zero : f32'";
  return zero;
}

Attribute TileDialect::parseAttribute(DialectAsmParser &parser,
                                      Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attr;
  if (generatedAttributeParser(parser, &mnemonic, type, attr).has_value())
    return attr;
  if (mnemonic == "param")
    return parseParameter(parser, *parameters);
  if (mnemonic == "eval")
    return parseEval(parser);
  if (mnemonic == "zero")
    return parseZero(parser, type);
  if (mnemonic == "inf")
    return parseInfinity(parser, type);
  parser.emitError(loc) << "unknown attribute '" << mnemonic
                        << "' in the tile dialect";
  return nullptr;
}

void TileDialect::printAttribute(Attribute attr,
                                 DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

//===----------------------------------------------------------------------===//
// Attributes with a meaning
//===----------------------------------------------------------------------===//

/// An integer attribute of any width as i64; nothing when it is none.
static std::optional<int64_t> getInteger(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || !integer.getType().isSignlessInteger() ||
      integer.getValue().getBitWidth() > 64)
    return std::nullopt;
  return integer.getValue().getSExtValue();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  std::optional<int64_t> value = getInteger(attribute.getValue());
  if (name == kNumWarps) {
    if (!value || *value < 1 || *value > kMaxWarps ||
        !llvm::isPowerOf2_64(*value))
      return op->emitError() << "'" << name << "' has to be a power of two "
                             << "from 1 to " << kMaxWarps << ", not "
                             << attribute.getValue();
  } else if (name == kNumStages) {
    if (!value || *value < 1 || *value > 64)
      return op->emitError() << "'" << name << "' has to be an integer from 1 "
                             << "to 64, not " << attribute.getValue();
    if (op->getName().getStringRef() != "scf.for")
      return op->emitError() << "'" << name << "' has to be on an scf.for: "
                             << "loads run ahead in no other loop";
  } else if (name == kPrecise) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError() << "'" << name << "' takes no value";
  } else if (name == kTileLoop) {
    if (!isa<TileLoopAttr>(attribute.getValue()) ||
        !llvm::is_contained({"scf.for", "scf.while"},
                            op->getName().getStringRef()))
      return op->emitError() << "'" << name << "' has to be a #tile.tile_loop "
                             << "on an scf.for or scf.while";
  } else if (name == kParameters || name == kAssumed) {
    if (!isa<DictionaryAttr>(attribute.getValue()))
      return op->emitError() << "'" << name << "' has to be a dictionary";
  } else {
    return op->emitError() << "unknown attribute '" << name << "'";
  }
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto fail = [&]() -> InFlightDiagnostic {
    return op->emitError() << "argument #" << argIndex << ": '" << name << "' ";
  };
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return fail() << "belongs to the arguments of functions";
  Type type = function.getArgumentTypes()[argIndex];
  std::optional<int64_t> value = getInteger(attribute.getValue());
  // After the conversion to LLVM.
  bool lowered = !isElementType(type) && !isa<TensorMapType>(type);
  bool pointer = lowered || isa<PointerType>(type);
  bool integer = lowered || isa<IntegerType>(type);
  if (name == kDivisibleBy) {
    if (!value || *value < 1 || !llvm::isPowerOf2_64(*value))
      return fail() << "has to be a positive power of two, not "
                    << attribute.getValue();
    if (!pointer && !integer)
      return fail() << "needs a pointer or an integer";
  } else if (name == kEquals) {
    if (!value)
      return fail() << "has to be an integer, not " << attribute.getValue();
    if (!integer)
      return fail() << "needs an integer argument";
    if (!lowered && !llvm::isIntN(type.getIntOrFloatBitWidth(), *value))
      return fail() << "does not fit into " << type;
  } else if (name == kNoAlias || name == kReadOnly) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return fail() << "takes no value";
    if (!pointer)
      return fail() << "needs a pointer";
  } else if (name == kName) {
    auto text = dyn_cast<StringAttr>(attribute.getValue());
    if (!text || text.empty())
      return fail() << "has to be a string that is not empty";
  } else if (name == kType) {
    if (!isa<TypeAttr>(attribute.getValue()))
      return fail() << "has to be a type";
  } else {
    return fail() << "is not known";
  }
  return success();
}
