//===- Remarks.cpp - what the passes say, kept ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace tessera {

Place Place::get(Location location) {
  Place place;
  location->walk([&](Location at) {
    auto file = dyn_cast<FileLineColRange>(at);
    if (!file)
      return WalkResult::advance();
    place.file = llvm::sys::path::filename(file.getFilename().getValue()).str();
    place.line = file.getStartLine();
    place.column = file.getStartColumn();
    return WalkResult::interrupt();
  });
  return place;
}

static StringRef getKindName(llvm::remarks::Type type) {
  switch (type) {
  case llvm::remarks::Type::Passed:
    return "passed";
  case llvm::remarks::Type::Missed:
    return "missed";
  case llvm::remarks::Type::Failure:
    return "failed";
  default:
    return "analysis";
  }
}

namespace {
class Collector : public remark::detail::MLIRRemarkStreamerBase {
public:
  Collector(RemarkList &list, const std::optional<std::string> &printed)
      : list(list) {
    if (printed)
      filter = llvm::Regex("^(" + *printed + ")$");
  }

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    CollectedRemark copy;
    copy.kind = getKindName(remark.getRemarkType());
    copy.name = remark.getRemarkName();
    copy.pass = remark.getCategoryName();
    if (remark.getFunction() != "<unknown function>")
      copy.function = remark.getFunction();
    copy.place = Place::get(remark.getLocation());
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      if (arg.key == "Reason")
        copy.reason = arg.val;
      else if (arg.key == "Suggestion")
        copy.suggestion = arg.val;
      else
        copy.values.emplace_back(arg.key, arg.val);
    }
    list.push_back(std::move(copy));
    if (filter && filter->match(remark.getCategoryName()))
      emitRemark(remark.getLocation(), remark.getMsg());
  }

private:
  RemarkList &list;
  std::optional<llvm::Regex> filter;
};
} // namespace

LogicalResult collectRemarks(MLIRContext &context, RemarkList &list,
                             const std::optional<std::string> &printed) {
  remark::RemarkCategories all;
  // Not `all`, which MLIR 22 ignores unless a kind has a filter of its own.
  all.passed = all.missed = all.analysis = all.failed = ".*";
  return remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(list, printed),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
}

} // namespace tessera
