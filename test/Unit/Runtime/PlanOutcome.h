//===- PlanOutcome.h - evaluating plans in tests ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_PLANOUTCOME_H
#define TESSERA_TEST_UNIT_RUNTIME_PLANOUTCOME_H

#include "TestManifests.h"

#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace tessera::runtime {

inline constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
inline constexpr int64_t k2To40 = int64_t(1) << 40;

/// What a call comes to: its plan, or why there is none.
struct Outcome {
  nlohmann::json plan;
  tessera_status status = TESSERA_SUCCESS;
  std::string message;
};

inline Outcome evaluate(const std::string &manifestText, size_t entry,
                        const PlanRequest &request) {
  Result<Manifest> manifest = parseManifest(manifestText);
  if (!manifest)
    return {{}, manifest.failure().status, manifest.failure().message};
  Plan plan(*manifest, manifest->entries[entry]);
  if (Failure failure = plan.evaluate(request))
    return {{}, failure.status, failure.message};
  return {nlohmann::json::parse(toJson(plan)), TESSERA_SUCCESS, ""};
}

/// Calls makeManifest's f(p, a, b, 0.1) on a device of 132 multiprocessors.
inline Outcome callF(const std::string &nodes, const std::string &body,
                     int64_t a = 0, int64_t b = 0, uint64_t p = 0x1000) {
  tessera_argument arguments[] = {tessera_pointer(p), tessera_integer(a),
                                  tessera_integer(b), tessera_float(0.1)};
  PlanRequest request;
  request.arguments = arguments;
  request.numArguments = 4;
  request.numSms = 132;
  return evaluate(makeManifest(nodes, body), 0, request);
}

inline const std::string kAB =
    R"({"op": "arg", "index": 1}, {"op": "arg", "index": 2})";

inline std::string dispatch(const std::string &kernel, const std::string &grid,
                            const std::string &args) {
  return R"({"do": "dispatch", "kernel": ")" + kernel + R"(", "grid": )" +
         grid + R"(, "args": )" + args + "}";
}

} // namespace tessera::runtime

#endif // TESSERA_TEST_UNIT_RUNTIME_PLANOUTCOME_H
