//===- ManifestTest.cpp - parsing, and refusing, manifests ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestManifests.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tessera::runtime;

namespace {

/// scale.json with one occurrence of `from` replaced.
std::string edited(const std::string &from, const std::string &to) {
  std::string text = readInput("scale.json");
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

TEST(Manifest, ReadsEverything) {
  Result<Manifest> manifest = parseManifest(readInput("scale.json"));
  ASSERT_TRUE(manifest) << manifest.failure().message;
  EXPECT_EQ(manifest->target, "sm_90a");
  EXPECT_EQ(manifest->output, "scale.fake");
  ASSERT_EQ(manifest->kernels.size(), 2u);
  const Kernel &fast = manifest->kernels[0];
  EXPECT_EQ(fast.symbol, "scale_kernel");
  EXPECT_EQ(fast.numWarps, 4);
  EXPECT_EQ(fast.dynamicSharedBytes, 65536);
  EXPECT_EQ(fast.registers, 32);
  EXPECT_FALSE(manifest->kernels[1].registers.has_value());
  ASSERT_EQ(fast.arguments.size(), 4u);
  EXPECT_EQ(fast.arguments[0].type, "ptr<f32>");
  EXPECT_EQ(fast.arguments[2].kind, TypeKind::F16);
  EXPECT_EQ(manifest->findEntry("plain"), 1u);
  EXPECT_EQ(manifest->findEntry("absent"), std::nullopt);
  EXPECT_FALSE(manifest->entries[0].usesCallerGrid);
  EXPECT_TRUE(manifest->entries[1].usesCallerGrid);
  // The costliest path: variant, fill, scratch, dispatch of 5 arguments.
  EXPECT_EQ(manifest->entries[0].maxSteps, 4u);
  EXPECT_EQ(manifest->entries[0].maxArgumentSlots, 5u);
  EXPECT_EQ(manifest->entries[0].numScratchSlots, 1u);
}

TEST(Manifest, ReadsTheDocumentedExample) {
  std::string text = readInput("../../../docs/Manifest.md");
  const std::string open = "```json\n";
  size_t begin = text.find(open);
  ASSERT_NE(begin, std::string::npos);
  begin += open.size();
  Result<Manifest> manifest =
      parseManifest(text.substr(begin, text.find("```", begin) - begin));
  ASSERT_TRUE(manifest) << manifest.failure().message;
  // The call whose evaluated plan the page shows.
  tessera_argument arguments[] = {tessera_pointer(65536),
                                  tessera_pointer(131072), tessera_integer(128),
                                  tessera_integer(1000)};
  PlanRequest request;
  request.arguments = arguments;
  request.numArguments = 4;
  Plan plan(*manifest, manifest->entries[0]);
  ASSERT_FALSE(plan.evaluate(request));
  size_t shown = text.find("    {\"entry\": \"softmax\"");
  ASSERT_NE(shown, std::string::npos);
  std::string documented = text.substr(shown, text.find("\n\n", shown) - shown);
  EXPECT_EQ(nlohmann::json::parse(documented),
            nlohmann::json::parse(toJson(plan)));
}

TEST(Manifest, IgnoresUnknownMembers) {
  EXPECT_EQ(refusal(edited("\"target\"", "\"note\": [1], \"target\"")), "");
}

TEST(Manifest, RefusesOtherVersions) {
  EXPECT_EQ(refusal(edited("\"version\": 1", "\"version\": 2")), "");
  EXPECT_EQ(refusal(edited("\"version\": 1", "\"version\": 0")),
            "the manifest has version 0, this runtime reads versions 1 to 2");
  Result<Manifest> manifest =
      parseManifest(edited("\"version\": 1", "\"version\": 3"));
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.failure().status, TESSERA_UNSUPPORTED_VERSION);
  EXPECT_EQ(manifest.failure().message,
            "the manifest has version 3, this runtime reads versions 1 to 2");
  // The version decides before anything else is looked at.
  EXPECT_EQ(refusal(R"({"format": "tessera-manifest", "version": 7})"),
            "the manifest has version 7, this runtime reads versions 1 to 2");
}

TEST(Manifest, RefusesOtherDocuments) {
  EXPECT_EQ(refusal(""), "the manifest is not valid JSON");
  EXPECT_EQ(refusal("[1, 2"), "the manifest is not valid JSON");
  EXPECT_EQ(refusal("7"), "expected an object");
  EXPECT_EQ(refusal("{}"), "missing \"format\"");
  EXPECT_EQ(refusal(R"({"format": "other", "version": 1})"),
            "format: expected \"tessera-manifest\"");
}

TEST(Manifest, RefusesOutputsElsewhere) {
  const std::string expected = "output: expected a file name without a folder";
  for (std::string name : {"../scale.fake", "/etc/passwd", "..", "a\\\\b"})
    EXPECT_EQ(refusal(edited("scale.fake", name)), expected);
  EXPECT_EQ(refusal(edited("scale.fake", "a\\u0000b")),
            "output: a NUL character in a string");
}

TEST(Manifest, RefusesWrongRecordsOfTheCompilation) {
  EXPECT_EQ(refusal(edited("\"13.0.88\"", "13")), "ptxas: expected a string");
  EXPECT_EQ(refusal(edited("\"13.0.88\"", "null")), "");
  EXPECT_EQ(refusal(edited("\"f32\"}", "1.5}")),
            "parameters.T: expected an integer");
  EXPECT_EQ(refusal(edited("\"parameters\"", "\"parameter\"")),
            "missing \"parameters\"");
}

TEST(Manifest, RefusesWrongKernels) {
  EXPECT_EQ(refusal(edited("\"num_warps\": 4", "\"num_warps\": 33")),
            "kernels[0].num_warps: expected an integer from 1 to 32, found 33");
  EXPECT_EQ(refusal(edited("\"num_warps\": 4", "\"num_warps\": 4.5")),
            "kernels[0].num_warps: expected an integer");
  EXPECT_EQ(refusal(edited("\"registers\": 32", "\"registers\": -1")),
            "kernels[0].registers: expected an integer from 0 to "
            "9223372036854775807, found -1");
  EXPECT_EQ(refusal(edited("\"ptr<f32>\"", "\"f31\"")),
            "kernels[0].arguments[0].type: unknown type \"f31\"");
  EXPECT_EQ(refusal(edited("{\"name\": \"scale_any\"",
                           "{\"name\": \"scale_kernel\"")),
            "kernels[1]: a second kernel \"scale_kernel\"");
  EXPECT_EQ(refusal(edited("\"name\": \"scale_any\", ", "")),
            "kernels[1]: missing \"name\"");
}

TEST(Manifest, RefusesWrongEntries) {
  EXPECT_EQ(refusal(edited("\"name\": \"plain\"", "\"name\": \"scale\"")),
            "entries[1]: a second entry \"scale\"");
  EXPECT_EQ(refusal(edited("\"name\": \"plain\"", "\"name\": \"\"")),
            "entries[1].name: an empty name");
}

TEST(Manifest, SurvivesDeepJson) {
  std::string brackets(1000000, '[');
  EXPECT_EQ(refusal(brackets), "the manifest is not valid JSON");
  EXPECT_EQ(refusal(brackets + std::string(1000000, ']')),
            "expected an object");
}

} // namespace
