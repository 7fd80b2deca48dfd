//===- Manifest.h - a manifest as plain structs -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a manifest says, in the form that a launch evaluates: no JSON, no names
// to look up, every reference an index. docs/Manifest.md defines the format.
//
// parseManifest checks everything that does not depend on the arguments of a
// call, so that evaluation can trust the structs. What holds of every Manifest:
//   - a node's operands are nodes with smaller indices, and no chain of
//     operands is longer than limits::kExpressionDepth;
//   - every index (node, argument, kernel, scratch slot) is in range;
//   - an `arg` node names an integer or a pointer argument, never a float;
//   - a dispatch passes as many operands as its kernel takes: pointers to
//     pointers, integers and nodes to integers, floats to the same float type,
//     tensor maps to tensor maps of the same rank;
//   - only kernels take tensor maps;
//   - a scratch operand stands after its scratch action, in the same body or in
//     a case nested in it;
//   - the last case of a `variants`, and no other, is without a guard.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_MANIFEST_H
#define TESSERA_RUNTIME_MANIFEST_H

#include "tessera/Runtime/Result.h"
#include "tessera/Runtime/TensorMap.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tessera::runtime {

/// The versions of the format that this runtime reads.
constexpr int64_t kOldestManifestVersion = 1;
constexpr int64_t kManifestVersion = 2;

/// Bounds on what a manifest may hold. They are far above what a compiler
/// writes and keep the recursion and the memory of a hostile file small.
namespace limits {
constexpr size_t kManifestBytes = size_t(64) << 20;
constexpr size_t kKernels = 10000;
constexpr size_t kEntries = 10000;
constexpr size_t kArguments = 4000;
constexpr size_t kNodes = 100000;
constexpr size_t kOperands = 100000;
constexpr size_t kActions = 10000;
constexpr size_t kScratch = 64;
constexpr size_t kExpressionDepth = 256;
constexpr size_t kBodyDepth = 32;
} // namespace limits

/// The type of an argument of an entry or a kernel.
enum class TypeKind : uint8_t {
  Pointer,
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  TensorMap
};

inline bool isInteger(TypeKind kind) {
  return kind >= TypeKind::I1 && kind <= TypeKind::I64;
}
inline bool isFloat(TypeKind kind) {
  return kind >= TypeKind::F16 && kind <= TypeKind::F64;
}

/// The values that an integer type holds: 0 and 1 for i1, otherwise the signed
/// range of its width.
struct IntegerRange {
  int64_t lowest;
  int64_t highest;
};
IntegerRange integerRange(TypeKind kind);

struct Argument {
  std::string name;
  TypeKind kind = TypeKind::I64;
  /// The type as the manifest spells it; "ptr<f32>" keeps its element type.
  std::string type;
  /// What the type of a tensor map says.
  TensorMapType tensorMap = {};
};

/// One device kernel and what it needs.
struct Kernel {
  std::string name;
  std::string symbol;
  std::vector<Argument> arguments;
  int32_t numWarps = 0;
  int32_t dynamicSharedBytes = 0;
  int32_t staticSharedBytes = 0;
  /// Absent when the module was compiled without ptxas.
  std::optional<int64_t> registers, spillStoreBytes, spillLoadBytes, stackBytes;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

enum class NodeOp : uint8_t {
  Argument,   // immediate: index of the argument
  Constant,   // immediate: the value
  CallerGrid, // immediate: the dimension
  NumSms,
  Add,
  Sub,
  Mul,
  Div,     // floor
  CeilDiv, // ceiling
  Rem,     // of the floor division: 0 <= rem < divisor
  Min,
  Max,
  NextPow2, // the smallest power of two >= max(operand, 1)
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Aligned,   // immediate: bytes; the operand is an unsigned address
  Divisible, // immediate: the divisor
  All,
  Any,
  Not
};

/// One value of the expression graph, an i64. Truth values are 0 and 1, and
/// where one is asked for, anything but 0 is true.
struct Node {
  NodeOp op;
  /// Operands are Entry::operands[firstOperand, firstOperand + numOperands).
  uint32_t firstOperand = 0;
  uint32_t numOperands = 0;
  int64_t immediate = 0;
};

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

/// Where a kernel's argument, or a fill's pointer, comes from.
struct Operand {
  enum class Source : uint8_t { Argument, Node, Scratch, TensorMap };
  Source source;
  /// An argument's, a node's or a scratch slot's index, or one into
  /// DispatchAction::tensorMaps.
  uint32_t index;
  /// For scratch, the id that the manifest gave it.
  int64_t scratchId = 0;
};

/// The tensor of a map; extents and strides, in elements, are nodes.
struct TensorMapOperand {
  /// An argument or scratch memory.
  Operand pointer;
  std::vector<uint32_t> extents, strides;
  /// Where the numbers are, counted from the dispatch's first slot: all extents,
  /// then all strides.
  uint32_t firstNumber = 0;
};

struct Action;

/// Runs the body of the first case whose guard holds.
struct VariantsAction {
  struct Case {
    /// A node; absent for the final `else`.
    std::optional<uint32_t> guard;
    std::vector<Action> body;
  };
  std::vector<Case> cases;
};

/// Launches one kernel; the grid's dimensions are nodes.
struct DispatchAction {
  uint32_t kernel;
  std::array<uint32_t, 3> grid;
  std::vector<Operand> operands;
  std::vector<TensorMapOperand> tensorMaps;
};

/// Sets bytes of memory to one value; the number of bytes is a node.
struct FillAction {
  Operand pointer;
  uint32_t bytes;
  uint8_t value;
};

/// Memory for the duration of the launch. Each scratch action of an entry has a
/// slot of its own, in [0, Entry::numScratchSlots).
struct ScratchAction {
  uint32_t slot;
  int64_t id;
  uint32_t bytes;
  bool zero;
};

/// Ends the launch with the author's words as the error.
struct RefuseAction {
  std::string text;
};

struct Action {
  std::variant<VariantsAction, DispatchAction, FillAction, ScratchAction,
               RefuseAction>
      value;
};

/// What a caller launches: arguments, an expression graph, actions over it.
struct Entry {
  std::string name;
  std::vector<Argument> arguments;
  std::vector<Node> nodes;
  std::vector<uint32_t> operands;
  std::vector<Action> body;

  /// True if some node is the caller's grid.
  bool usesCallerGrid = false;
  uint32_t numScratchSlots = 0;
  /// Bounds over all paths through the body, to size a launch's storage: the
  /// steps taken, the kernel arguments of all dispatches together with the
  /// numbers of their tensor maps, those maps, and the arguments of one dispatch.
  uint32_t maxSteps = 0;
  uint32_t maxArgumentSlots = 0;
  uint32_t maxTensorMaps = 0;
  uint32_t maxKernelArguments = 0;
};

struct Manifest {
  std::string target;
  /// The file beside the manifest; empty if there is none.
  std::string output;
  std::vector<Kernel> kernels;
  std::vector<Entry> entries;

  /// The index of the entry or kernel of that name.
  std::optional<size_t> findEntry(std::string_view name) const;
  std::optional<size_t> findKernel(std::string_view name) const;
};

/// Parses and checks a manifest of a version that is known. The failure is
/// TESSERA_INVALID_MANIFEST, with the place in the JSON document
/// ("entries[0].nodes[3].args[1]: ..."), or TESSERA_UNSUPPORTED_VERSION.
Result<Manifest> parseManifest(std::string_view json);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_MANIFEST_H
