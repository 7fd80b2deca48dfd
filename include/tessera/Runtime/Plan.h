//===- Plan.h - a launch plan evaluated for one call ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluation comes before execution: a Plan is the list of steps that one call
// takes, all numbers known, nothing done yet. Launching walks the steps with a
// driver; the dry run prints them; a failure leaves no half-done launch.
//
// Expressions are evaluated lazily and at most once. Only what the path taken
// asks for is computed, so that a division by zero in a variant that is not
// taken, or behind an `all` that is already false, is no error.
//
// A launch of ordinary size allocates nothing: the bounds in Entry size the
// storage, and InlineArray keeps small sizes inside the Plan itself.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_PLAN_H
#define TESSERA_RUNTIME_PLAN_H

#include "tessera/Runtime/Manifest.h"

#include <memory>

namespace tessera::runtime {

/// An array whose size is fixed at construction, within the object up to N
/// elements. Elements are uninitialised. Neither copied nor moved.
template <typename T, size_t N> class InlineArray {
  static_assert(std::is_trivial_v<T>, "elements are never constructed");

public:
  explicit InlineArray(size_t size)
      : heap(size > N ? new T[size] : nullptr),
        elements(heap ? heap.get() : inlineElements) {}
  InlineArray(const InlineArray &) = delete;
  InlineArray &operator=(const InlineArray &) = delete;

  T &operator[](size_t index) { return elements[index]; }
  const T &operator[](size_t index) const { return elements[index]; }
  T *data() { return elements; }

private:
  T inlineElements[N];
  std::unique_ptr<T[]> heap;
  T *elements;
};

/// The kind of value that a caller gives for an argument of type `type`.
tessera_argument_kind argumentKind(TypeKind type);

/// What a call gives.
struct PlanRequest {
  const tessera_argument *arguments = nullptr;
  size_t numArguments = 0;
  bool hasGrid = false;
  std::array<int64_t, 3> grid = {0, 0, 0};
  /// Multiprocessors of the device; 0 if not known.
  int32_t numSms = 0;
};

/// One thing that the call does. `action` says which; the rest is its numbers.
struct Step {
  const Action *action;
  /// Variants: the case taken.
  uint32_t takenCase;
  /// Dispatch: blocks in x, y and z; its arguments are
  /// Plan::slots[firstSlot, firstSlot + number of operands), followed by the
  /// numbers of its tensor maps. With `empty`, a dimension is 0 and the arguments
  /// have not been evaluated.
  uint32_t grid[3];
  uint32_t firstSlot;
  bool empty;
  /// Fill and scratch.
  int64_t bytes;
  /// Fill, when the pointer is an argument.
  uint64_t pointer;
};

/// The evaluated plan of one call to one entry.
class Plan {
public:
  /// Evaluates `entry` for `request`. Returns no failure, or
  ///   TESSERA_INVALID_ARGUMENT  the arguments do not fit the entry's types, or
  ///                             the grid is missing or not wanted;
  ///   TESSERA_PLAN_ERROR        the plan's arithmetic has no value;
  ///   TESSERA_REFUSED           the plan refuses the arguments.
  /// The steps are valid only if there is no failure. Call once.
  Failure evaluate(const PlanRequest &request);

  /// `manifest` and `entry` must outlive the plan.
  Plan(const Manifest &manifest, const Entry &entry);

  const Manifest &getManifest() const { return manifest; }
  const Entry &getEntry() const { return entry; }
  size_t getNumSteps() const { return numSteps; }
  const Step &getStep(size_t index) const { return steps[index]; }

  /// The kernel arguments, each in the low bytes of its own slot (CUDA hosts
  /// are little-endian) in the callee's type; that of a tensor map holds the
  /// tensor's address. Slots for scratch memory hold 0 until it is allocated.
  uint64_t *getSlots() { return slots.data(); }
  const uint64_t &getSlot(size_t index) const { return slots[index]; }
  /// The tensor of a map that `step`, a dispatch that is not empty, passes as
  /// operand number `operand`.
  TensorSpan getTensor(const Step &step, const DispatchAction &dispatch,
                       size_t operand) const;

private:
  friend class PlanEvaluator;

  const Manifest &manifest;
  const Entry &entry;
  size_t numSteps = 0;
  size_t numSlots = 0;
  InlineArray<Step, 16> steps;
  InlineArray<uint64_t, 64> slots;
};

/// The plan as a JSON document on one line (docs/Manifest.md, "The evaluated
/// plan").
std::string toJson(const Plan &plan);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_PLAN_H
