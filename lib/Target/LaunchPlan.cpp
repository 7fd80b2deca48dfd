//===- LaunchPlan.cpp - a launch plan as JSON -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes are collected first, for the format wants them before the actions that
// refer to them. PlanGraph numbers them; writeActions then asks it for numbers.
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/LaunchPlan.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir;
namespace json = llvm::json;

namespace tessera {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The type of an argument in the source, also after the conversion to LLVM.
static Type getSourceType(FunctionOpInterface function, unsigned index) {
  auto source =
      function.getArgAttrOfType<TypeAttr>(index, tile::TileDialect::kType);
  return source ? source.getValue() : function.getArgumentTypes()[index];
}

std::string spellType(Type type) {
  if (auto pointer = dyn_cast<tile::PointerType>(type))
    return "ptr<" + spellType(pointer.getPointee()) + ">";
  if (isa<LLVM::LLVMPointerType>(type))
    return "ptr<i8>"; // A kernel that was never at a higher level.
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto map = dyn_cast<tile::TensorMapType>(type)) {
    stream << "tensor_map<";
    for (int64_t size : map.getBox())
      stream << size << 'x';
    stream << map.getElementType() << ", swizzle = " << map.getSwizzle() << '>';
    return text;
  }
  type.print(stream);
  return text;
}

int64_t getManifestVersion(ModuleOp module) {
  bool usesMaps = false;
  module.walk([&](FunctionOpInterface function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      usesMaps |= isa<tile::TensorMapType>(getSourceType(function, i));
  });
  return usesMaps ? 2 : 1;
}

void writeArguments(json::OStream &out, FunctionOpInterface function) {
  out.attributeArray("arguments", [&] {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto name =
          function.getArgAttrOfType<StringAttr>(i, tile::TileDialect::kName);
      Type type = getSourceType(function, i);
      out.object([&] {
        out.attribute("name",
                      name ? name.getValue().str() : "arg" + std::to_string(i));
        out.attribute("type", spellType(type));
      });
    }
  });
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {
/// One node: the operation's name, its operands' numbers and its attributes.
struct PlanNode {
  StringRef op;
  SmallVector<unsigned, 2> operands;
  bool hasOperands = false;
  /// An attribute besides the operands: a number or a predicate.
  StringRef key;
  json::Value value = nullptr;

  bool operator==(const PlanNode &other) const {
    return op == other.op && operands == other.operands && key == other.key &&
           value == other.value;
  }
};

/// The expression graph of one launch plan.
class PlanGraph {
public:
  explicit PlanGraph(ResidentCTAs residentCTAs) : residentCTAs(residentCTAs) {}

  /// The number of the node for `value`, made with its operands at need.
  unsigned getNode(Value value);
  unsigned getConstant(int64_t value);
  void write(json::OStream &out) const;

private:
  /// Guards of several variants ask the same about the arguments: each question
  /// is one node.
  unsigned add(PlanNode node) {
    if (auto it = llvm::find(nodes, node); it != nodes.end())
      return it - nodes.begin();
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }
  PlanNode makeNode(Operation *op);
  template <typename OpTy>
  PlanNode makeBinary(StringRef name, OpTy op) {
    unsigned lhs = getNode(op.getLhs());
    unsigned rhs = op.getRhs() ? getNode(op.getRhs())
                               : getConstant(op.getConstantAttr().getInt());
    return {name, {lhs, rhs}, true, {}, nullptr};
  }
  PlanNode makeList(StringRef name, OperandRange operands) {
    PlanNode node{name, {}, true, {}, nullptr};
    for (Value operand : operands)
      node.operands.push_back(getNode(operand));
    return node;
  }

  ResidentCTAs residentCTAs;
  std::vector<PlanNode> nodes;
  llvm::DenseMap<Value, unsigned> numbers;
  // Not a DenseMap: that has two keys which cannot be looked up.
  std::map<int64_t, unsigned> constants;
};
} // namespace

unsigned PlanGraph::getConstant(int64_t value) {
  if (auto it = constants.find(value); it != constants.end())
    return it->second;
  unsigned number = add({"const", {}, false, "value", value});
  constants[value] = number;
  return number;
}

unsigned PlanGraph::getNode(Value value) {
  if (auto it = numbers.find(value); it != numbers.end())
    return it->second;
  unsigned number;
  if (auto argument = dyn_cast<BlockArgument>(value))
    number = add({"arg", {}, false, "index", int64_t(argument.getArgNumber())});
  else if (auto constant = value.getDefiningOp<tile::PlanConstantOp>())
    number = getConstant(constant.getValueAttr().getInt());
  else if (auto resident = value.getDefiningOp<tile::PlanResidentCTAsOp>())
    number = getConstant(residentCTAs(resident.getKernel()));
  else
    number = add(makeNode(value.getDefiningOp()));
  return numbers[value] = number;
}

PlanNode PlanGraph::makeNode(Operation *op) {
  using namespace tile;
  return llvm::TypeSwitch<Operation *, PlanNode>(op)
      .Case([&](PlanCallerGridOp grid) -> PlanNode {
        return {"caller_grid", {}, false, "dim", int64_t(grid.getAxis())};
      })
      .Case([&](PlanNumSMsOp) -> PlanNode {
        return {"num_sms", {}, false, {}, nullptr};
      })
      .Case([&](PlanAddOp o) { return makeBinary("add", o); })
      .Case([&](PlanSubOp o) { return makeBinary("sub", o); })
      .Case([&](PlanMulOp o) { return makeBinary("mul", o); })
      .Case([&](PlanDivOp o) { return makeBinary("div", o); })
      .Case([&](PlanCDivOp o) { return makeBinary("cdiv", o); })
      .Case([&](PlanRemOp o) { return makeBinary("rem", o); })
      .Case([&](PlanMinOp o) { return makeBinary("min", o); })
      .Case([&](PlanMaxOp o) { return makeBinary("max", o); })
      .Case([&](PlanNextPow2Op o) {
        return makeList("next_pow2", o->getOperands());
      })
      .Case([&](PlanCmpOp o) {
        PlanNode node = makeBinary("cmp", o);
        node.key = "predicate";
        node.value = stringifyPlanPredicate(o.getPredicate()).str();
        return node;
      })
      .Case([&](PlanAlignedOp o) -> PlanNode {
        return {"aligned",
                {getNode(o.getPointer())},
                true,
                "bytes",
                o.getBytesAttr().getInt()};
      })
      .Case([&](PlanDivisibleOp o) -> PlanNode {
        return {"divisible",
                {getNode(o.getValue())},
                true,
                "by",
                o.getByAttr().getInt()};
      })
      .Case([&](PlanAllOp o) { return makeList("all", o->getOperands()); })
      .Case([&](PlanAnyOp o) { return makeList("any", o->getOperands()); })
      .Case([&](PlanNotOp o) { return makeList("not", o->getOperands()); });
}

void PlanGraph::write(json::OStream &out) const {
  out.attributeArray("nodes", [&] {
    for (const PlanNode &node : nodes)
      out.object([&] {
        out.attribute("op", node.op);
        if (node.op == "cmp")
          out.attribute(node.key, node.value);
        if (node.hasOperands)
          out.attributeArray("args", [&] {
            for (unsigned operand : node.operands)
              out.value(int64_t(operand));
          });
        if (node.op != "cmp" && !node.key.empty())
          out.attribute(node.key, node.value);
      });
  });
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

namespace {
/// Writes the actions of a plan. With `out` null it only visits the nodes that
/// they use, so that the graph is complete before anything is written; both
/// visits ask for nodes in the same order.
class ActionWriter {
public:
  ActionWriter(PlanGraph &graph, json::OStream *out) : graph(graph), out(out) {}

  void writeBody(Block &block);

private:
  void writeVariants(ArrayRef<tile::PlanVariantOp> cases);
  void writeAction(Operation &op);
  void writeDispatch(tile::PlanDispatchOp dispatch);
  void writeFill(tile::PlanFillOp fill);
  void writeScratch(tile::PlanScratchOp scratch);
  /// {"arg": i}, {"node": n}, {"scratch": id} or {"tensor_map": {...}}.
  void writeOperand(Value value);
  void writeTensorMap(tile::PlanTensorMapOp map);

  PlanGraph &graph;
  json::OStream *out;
  llvm::DenseMap<Value, int64_t> scratchIds;
};
} // namespace

void ActionWriter::writeBody(Block &block) {
  // The verifier has made sure that each run of variants ends with its else.
  SmallVector<tile::PlanVariantOp> run;
  if (out)
    out->attributeBegin("body"), out->arrayBegin();
  for (Operation &op : block) {
    auto variant = dyn_cast<tile::PlanVariantOp>(op);
    if (!variant) {
      writeAction(op);
      continue;
    }
    run.push_back(variant);
    if (variant.getGuard())
      continue;
    writeVariants(run);
    run.clear();
  }
  if (out)
    out->arrayEnd(), out->attributeEnd();
}

void ActionWriter::writeVariants(ArrayRef<tile::PlanVariantOp> cases) {
  if (out) {
    out->objectBegin();
    out->attribute("do", "variants");
    out->attributeBegin("cases");
    out->arrayBegin();
  }
  for (tile::PlanVariantOp variant : cases) {
    json::Value guard = nullptr;
    if (variant.getGuard())
      guard = int64_t(graph.getNode(variant.getGuard()));
    if (out) {
      out->objectBegin();
      out->attribute("guard", guard);
    }
    writeBody(variant.getBody().front());
    if (out)
      out->objectEnd();
  }
  if (out)
    out->arrayEnd(), out->attributeEnd(), out->objectEnd();
}

void ActionWriter::writeAction(Operation &op) {
  llvm::TypeSwitch<Operation &>(op)
      .Case([&](tile::PlanDispatchOp dispatch) { writeDispatch(dispatch); })
      .Case([&](tile::PlanFillOp fill) { writeFill(fill); })
      .Case([&](tile::PlanScratchOp scratch) { writeScratch(scratch); })
      .Case([&](tile::PlanRefuseOp refuse) {
        if (out)
          out->object([&] {
            out->attribute("do", "refuse");
            out->attribute("text", refuse.getText());
          });
      });
}

void ActionWriter::writeDispatch(tile::PlanDispatchOp dispatch) {
  SmallVector<int64_t, 3> grid;
  for (Value extent : dispatch.getGrid())
    grid.push_back(graph.getNode(extent));
  while (grid.size() < 3)
    grid.push_back(graph.getConstant(1));
  if (!out) {
    llvm::for_each(dispatch.getArgs(), [&](Value arg) { writeOperand(arg); });
    return;
  }
  out->object([&] {
    out->attribute("do", "dispatch");
    out->attribute("kernel", dispatch.getKernel());
    out->attributeArray("grid", [&] {
      for (int64_t node : grid)
        out->value(node);
    });
    out->attributeArray("args", [&] {
      for (Value arg : dispatch.getArgs())
        writeOperand(arg);
    });
  });
}

void ActionWriter::writeFill(tile::PlanFillOp fill) {
  int64_t bytes = graph.getNode(fill.getBytes());
  if (!out)
    return;
  out->object([&] {
    out->attribute("do", "fill");
    out->attributeBegin("pointer");
    writeOperand(fill.getPointer());
    out->attributeEnd();
    out->attribute("bytes", bytes);
    out->attribute("value", fill.getValueAttr().getInt());
  });
}

void ActionWriter::writeScratch(tile::PlanScratchOp scratch) {
  int64_t bytes = graph.getNode(scratch.getBytes());
  int64_t id = scratchIds.size();
  scratchIds[scratch.getResult()] = id;
  if (!out)
    return;
  out->object([&] {
    out->attribute("do", "scratch");
    out->attribute("id", id);
    out->attribute("bytes", bytes);
    out->attribute("zero", bool(scratch.getZero()));
  });
}

void ActionWriter::writeTensorMap(tile::PlanTensorMapOp map) {
  SmallVector<int64_t> extents, strides;
  for (Value extent : map.getExtents())
    extents.push_back(graph.getNode(extent));
  for (Value stride : map.getStrides())
    strides.push_back(graph.getNode(stride));
  if (!out)
    return;
  out->object([&] {
    out->attributeObject("tensor_map", [&] {
      out->attributeBegin("pointer");
      writeOperand(map.getPointer());
      out->attributeEnd();
      for (auto [name, nodes] : {std::pair("extents", ArrayRef(extents)),
                                 std::pair("strides", ArrayRef(strides))})
        out->attributeArray(name, [&, nodes = nodes] {
          for (int64_t node : nodes)
            out->value(node);
        });
    });
  });
}

void ActionWriter::writeOperand(Value value) {
  if (auto map = value.getDefiningOp<tile::PlanTensorMapOp>())
    return writeTensorMap(map);
  StringRef key = "node";
  int64_t number;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    key = "arg";
    number = argument.getArgNumber();
  } else if (auto it = scratchIds.find(value); it != scratchIds.end()) {
    key = "scratch";
    number = it->second;
  } else {
    number = graph.getNode(value);
  }
  if (out)
    out->object([&] { out->attribute(key, number); });
}

void writeLaunchPlan(json::OStream &out, tile::LaunchOp launch,
                     ResidentCTAs residentCTAs) {
  PlanGraph graph(residentCTAs);
  Block &body = launch.getBody().front();
  ActionWriter(graph, nullptr).writeBody(body);
  out.object([&] {
    out.attribute("name", launch.getSymName());
    writeArguments(out, launch);
    graph.write(out);
    ActionWriter(graph, &out).writeBody(body);
  });
}

} // namespace tessera
