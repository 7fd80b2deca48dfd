//===- ManifestFuzzTest.cpp - damaged manifests ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A damaged manifest is refused, or is another valid one: then it must be safe
// to evaluate.
//
//===----------------------------------------------------------------------===//

#include "TestManifests.h"

#include <gtest/gtest.h>
#include <random>

using namespace tessera::runtime;

namespace {

/// Parses, and evaluates every entry of what was accepted. True if accepted.
bool exercise(const std::string &text) {
  Result<Manifest> manifest = parseManifest(text);
  if (!manifest) {
    EXPECT_FALSE(manifest.failure().message.empty());
    return false;
  }
  for (const Entry &entry : manifest->entries) {
    std::vector<tessera_argument> arguments;
    for (const Argument &argument : entry.arguments)
      arguments.push_back(argument.kind == TypeKind::Pointer
                              ? tessera_pointer(64)
                          : isFloat(argument.kind) ? tessera_float(1)
                                                   : tessera_integer(1));
    PlanRequest request;
    request.arguments = arguments.data();
    request.numArguments = arguments.size();
    request.hasGrid = entry.usesCallerGrid;
    request.grid = {3, 1, 1};
    request.numSms = 4;
    Plan plan(*manifest, entry);
    if (!plan.evaluate(request)) {
      EXPECT_FALSE(toJson(plan).empty());
    }
  }
  return true;
}

class ManifestFuzz : public testing::TestWithParam<const char *> {};

TEST_P(ManifestFuzz, Truncations) {
  std::string text = readInput(GetParam());
  size_t end = text.find_last_of('}');
  for (size_t length = 0; length <= end; ++length)
    ASSERT_FALSE(exercise(text.substr(0, length))) << length;
  EXPECT_TRUE(exercise(text.substr(0, end + 1)));
}

TEST_P(ManifestFuzz, ByteFlips) {
  std::string text = readInput(GetParam());
  std::mt19937 random(2);
  size_t accepted = 0;
  for (size_t place = 0; place < text.size(); ++place)
    for (int round = 0; round < 3; ++round) {
      std::string damaged = text;
      // A flipped bit, any byte, or a digit, which changes indices.
      damaged[place] = round == 0   ? char(damaged[place] ^ (1 << random() % 8))
                       : round == 1 ? char(random())
                                    : char('0' + random() % 10);
      accepted += exercise(damaged);
    }
  // White space and numbers may change without harm, so some are accepted.
  EXPECT_GT(accepted, 0u);
}

TEST_P(ManifestFuzz, SplicedPieces) {
  std::string text = readInput(GetParam());
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    size_t from = random() % text.size(), to = random() % text.size();
    damaged.insert(to, text.substr(from, random() % 60));
    damaged.erase(random() % damaged.size(), random() % 30);
    exercise(damaged);
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, ManifestFuzz,
                         testing::Values("scale.json", "maps.json"));

} // namespace
