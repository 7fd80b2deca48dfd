//===- FuncOps.cpp - functions of the tile dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionAssembly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera::tile;

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Name of argument number `index` when the source gives none.
static std::string getDefaultName(unsigned index) {
  return "arg" + std::to_string(index);
}

/// Adds `tile.name` to argument number `index` when it has none: its SSA name,
/// unless that is a number or the name that it has without an attribute.
static void recordName(OpAsmParser &parser, OpAsmParser::Argument &arg,
                       unsigned index) {
  StringRef name = arg.ssaName.name.drop_front();
  NamedAttrList attrs(arg.attrs);
  if (llvm::isDigit(name[0]) || name == getDefaultName(index) ||
      attrs.get(TileDialect::kName))
    return;
  attrs.append(TileDialect::kName, parser.getBuilder().getStringAttr(name));
  arg.attrs = attrs.getDictionary(parser.getContext());
}

ParseResult tessera::tile::parseFunctionLike(
    OpAsmParser &parser, OperationState &result, StringAttr typeName,
    StringAttr argAttrsName, StringAttr resAttrsName, bool withResults) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<DictionaryAttr> resultAttrs;
  SmallVector<Type> resultTypes;
  Builder &builder = parser.getBuilder();
  StringAttr name;
  std::string visibility;
  bool isVariadic = false;
  if (succeeded(parser.parseOptionalKeyword("private")))
    result.addAttribute(SymbolTable::getVisibilityAttrName(),
                        builder.getStringAttr("private"));
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes))
    return failure();
  SMLoc signatureLoc = parser.getCurrentLocation();
  if (function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs))
    return failure();
  if (!withResults && !resultTypes.empty())
    return parser.emitError(signatureLoc, "a launch plan has no results");
  SmallVector<Type> argTypes;
  for (auto [index, arg] : llvm::enumerate(arguments)) {
    if (arg.ssaName.name.empty())
      return parser.emitError(signatureLoc, "arguments need names");
    recordName(parser, arg, index);
    argTypes.push_back(arg.type);
  }
  result.addAttribute(
      typeName,
      TypeAttr::get(builder.getFunctionType(argTypes, resultTypes)));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, resultAttrs, argAttrsName, resAttrsName);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments, /*enableNameShadowing=*/false))
    return failure();
  if (body->empty()) // `{}` without arguments.
    body->emplaceBlock();
  return success();
}

/// Prints one argument with its attributes.
static void printArgument(OpAsmPrinter &printer, FunctionOpInterface op,
                          BlockArgument arg) {
  SmallVector<NamedAttribute> attrs(
      op.getArgAttrDict(arg.getArgNumber()) ?
          op.getArgAttrDict(arg.getArgNumber()).getValue()
          : ArrayRef<NamedAttribute>());
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printer.printOperand(arg, os);
  llvm::erase_if(attrs, [&](NamedAttribute attr) {
    auto name = dyn_cast<StringAttr>(attr.getValue());
    return attr.getName() == TileDialect::kName && name &&
           ("%" + name.getValue()).str() == printed;
  });
  printer.printRegionArgument(arg, attrs);
}

void tessera::tile::printFunctionLike(OpAsmPrinter &printer,
                                      FunctionOpInterface op,
                                      StringAttr typeName,
                                      StringAttr argAttrsName,
                                      StringAttr resAttrsName) {
  StringAttr visibility =
      op->getAttrOfType<StringAttr>(SymbolTable::getVisibilityAttrName());
  printer << ' ';
  if (visibility && visibility.getValue() == "private")
    printer << "private ";
  printer.printSymbolName(op.getName());
  printer << '(';
  llvm::interleaveComma(
      op.getFunctionBody().getArguments(), printer,
      [&](BlockArgument arg) { printArgument(printer, op, arg); });
  printer << ')';
  if (op.getNumResults() != 0)
    printer << " -> (" << op.getResultTypes() << ')';
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(), {SymbolTable::getSymbolAttrName(),
                       SymbolTable::getVisibilityAttrName(), typeName,
                       argAttrsName, resAttrsName});
  printer << ' ';
  printer.printRegion(op.getFunctionBody(), /*printEntryBlockArgs=*/false);
}

static std::string getArgumentName(FunctionOpInterface op, unsigned index) {
  auto name = op.getArgAttrOfType<StringAttr>(index, TileDialect::kName);
  return name ? name.str() : getDefaultName(index);
}

void tessera::tile::nameArguments(FunctionOpInterface op, Region &region,
                                  OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  for (BlockArgument arg : region.getArguments())
    setName(arg, getArgumentName(op, arg.getArgNumber()));
}

LogicalResult tessera::tile::verifyArgumentNames(FunctionOpInterface op) {
  llvm::StringSet<> names;
  for (unsigned i = 0; i < op.getNumArguments(); ++i) {
    std::string name = getArgumentName(op, i);
    if (!names.insert(name).second)
      return op.emitOpError() << "has two arguments named '" << name << "'";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunctionLike(parser, result, getFunctionTypeAttrName(result.name),
                           getArgAttrsAttrName(result.name),
                           getResAttrsAttrName(result.name),
                           /*withResults=*/true);
}

void FuncOp::print(OpAsmPrinter &printer) {
  printFunctionLike(printer, *this, getFunctionTypeAttrName(),
                    getArgAttrsAttrName(), getResAttrsAttrName());
}

void FuncOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
}

LogicalResult FuncOp::verify() {
  if (isNested())
    return emitOpError() << "is either public or private";
  if (getResAttrs())
    return emitOpError() << "cannot have attributes on results";
  if (isKernel() && getNumResults() != 0)
    return emitOpError() << "is public, and so a kernel, which has no results";
  for (Type type : getArgumentTypes())
    if (isKernel() && !isElementType(type) && !isa<TensorMapType>(type))
      return emitOpError() << "a kernel cannot take an argument of type "
                           << type;
  return verifyArgumentNames(*this);
}

/// Types of other dialects' operations are checked here, since their own
/// verifiers accept integers of any width and tensors of any shape.
LogicalResult FuncOp::verifyRegions() {
  auto check = [](Value value, Operation *op) -> LogicalResult {
    Type type = value.getType();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      if (!isa<BuiltinDialect>(type.getDialect()) || type.isIndex() ||
          isElementType(type))
        return success();
      return mlir::emitError(value.getLoc())
             << "'" << op->getName() << "' type " << type
             << " is not supported";
    }
    std::string fault = describeTensorFault(tensor);
    if (fault.empty())
      return success();
    return mlir::emitError(value.getLoc())
           << "'" << op->getName() << "' invalid tensor " << tensor << ": "
           << fault;
  };
  WalkResult walk = (*this)->walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (failed(check(result, op)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument arg : block.getArguments())
          if (failed(check(arg, op)))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (TypeRange(getOperands()) != TypeRange(function.getResultTypes()))
    return emitOpError() << "returns (" << getOperands().getTypes()
                         << "), the function's results are ("
                         << TypeRange(function.getResultTypes()) << ")";
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "'" << getCallee() << "' is not a tile.func";
  if (callee.isKernel())
    return emitOpError() << "cannot call the kernel '" << getCallee()
                         << "'; make it private";
  if (TypeRange(getOperands()) != TypeRange(callee.getArgumentTypes()) ||
      TypeRange(getResults()) != TypeRange(callee.getResultTypes()))
    return emitOpError() << "the types do not agree with '" << getCallee()
                         << "', of type " << callee.getFunctionType();
  return success();
}
