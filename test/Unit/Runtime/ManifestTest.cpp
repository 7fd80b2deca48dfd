//===- ManifestTest.cpp - parsing, and refusing, manifests ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestManifests.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace tessera::runtime;

namespace {

/// The message for a manifest that must be refused; "" if it is accepted.
std::string refusal(const std::string &json) {
  Result<Manifest> manifest = parseManifest(json);
  return manifest ? "" : manifest.failure().message;
}

std::string refusal(const std::string &nodes, const std::string &body) {
  return refusal(makeManifest(nodes, body));
}

/// scale.json with one occurrence of `from` replaced.
std::string edited(const std::string &from, const std::string &to) {
  std::string text = readInput("scale.json");
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

const std::string kConstants = R"({"op": "const", "value": 1},
  {"op": "const", "value": 2})";

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
  Result<Manifest> manifest =
      parseManifest(edited("\"version\": 1", "\"version\": 2"));
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.failure().status, TESSERA_UNSUPPORTED_VERSION);
  EXPECT_EQ(manifest.failure().message,
            "the manifest has version 2, this runtime reads version 1");
  // The version decides before anything else is looked at.
  EXPECT_EQ(refusal(R"({"format": "tessera-manifest", "version": 7})"),
            "the manifest has version 7, this runtime reads version 1");
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

TEST(Manifest, RefusesWrongNodes) {
  const std::string at = "entries[0].nodes[0]";
  EXPECT_EQ(refusal(R"({"op": "shl", "args": []})", ""),
            at + ".op: unknown \"shl\"");
  EXPECT_EQ(refusal(R"({"op": "cmp", "predicate": "ult", "args": []})", ""),
            at + ".predicate: unknown \"ult\"");
  EXPECT_EQ(refusal(R"({"op": "arg", "index": 4})", ""),
            at + ".index: there is no argument 4");
  EXPECT_EQ(refusal(R"({"op": "arg", "index": 3})", ""),
            at + ".index: argument \"h\" is f16; a plan computes with integers "
                 "and pointers");
  EXPECT_EQ(refusal(R"({"op": "const", "value": 9223372036854775808})", ""),
            at + ".value: expected an integer from -9223372036854775808 to "
                 "9223372036854775807, found 9223372036854775808");
  EXPECT_EQ(refusal(R"({"op": "const", "value": true})", ""),
            at + ".value: expected an integer");
  EXPECT_EQ(refusal(R"({"op": "caller_grid", "dim": 3})", ""),
            at + ".dim: expected an integer from 0 to 2, found 3");
  EXPECT_EQ(refusal(R"({"op": "not", "args": [0]})", ""),
            at + ".args[0]: node 0 does not come before node 0");
}

TEST(Manifest, RefusesWrongOperands) {
  const std::string at = "entries[0].nodes[2]";
  EXPECT_EQ(refusal(kConstants + R"(, {"op": "add", "args": [0, 1, 1]})", ""),
            at + ".args: \"add\" takes 2 operand(s), not 3");
  EXPECT_EQ(refusal(kConstants + R"(, {"op": "aligned", "args": [0],
                                       "bytes": 0})",
                    ""),
            at + ".bytes: expected an integer from 1 to 9223372036854775807, "
                 "found 0");
  EXPECT_EQ(refusal(kConstants + R"(, {"op": "divisible", "args": [0]})", ""),
            at + ": missing \"by\"");
  EXPECT_EQ(refusal(kConstants + R"(, {"op": "not", "args": [-1]})", ""),
            at + ".args[0]: expected an integer from 0 to 100000, found -1");
}

TEST(Manifest, RefusesDeepExpressions) {
  auto chain = [](int length) {
    std::string nodes = R"({"op": "const", "value": 1})";
    for (int i = 1; i < length; ++i)
      nodes += R"(, {"op": "not", "args": [)" + std::to_string(i - 1) + "]}";
    return nodes;
  };
  EXPECT_EQ(refusal(chain(256), ""), "");
  EXPECT_EQ(refusal(chain(257), ""),
            "entries[0].nodes[256]: an expression nested deeper than 256");
}

TEST(Manifest, RefusesDeepBodies) {
  auto nest = [](int depth) {
    std::string body = R"({"do": "refuse", "text": "no"})";
    for (int i = 0; i < depth; ++i)
      body = R"({"do": "variants", "cases": [{"guard": null, "body": [)" +
             body + "]}]}";
    return body;
  };
  EXPECT_EQ(refusal("", nest(32)), "");
  EXPECT_NE(refusal("", nest(33)).find("variants nested deeper than 32"),
            std::string::npos);
}

TEST(Manifest, SurvivesDeepJson) {
  std::string brackets(1000000, '[');
  EXPECT_EQ(refusal(brackets), "the manifest is not valid JSON");
  EXPECT_EQ(refusal(brackets + std::string(1000000, ']')),
            "expected an object");
}

TEST(Manifest, RefusesWrongActions) {
  const std::string at = "entries[0].body[0]";
  EXPECT_EQ(refusal("", R"({"do": "loop"})"),
            at + ".do: unknown action \"loop\"");
  EXPECT_EQ(refusal("", R"({"do": "variants", "cases": []})"),
            at + ".cases: no case");
  EXPECT_EQ(refusal(kConstants, R"({"do": "variants", "cases": [
              {"guard": 0, "body": []}]})"),
            at + ".cases[0].guard: the last case must have a null guard");
  EXPECT_EQ(refusal(kConstants, R"({"do": "variants", "cases": [
              {"guard": null, "body": []}, {"guard": null, "body": []}]})"),
            at + ".cases[0].guard: only the last case has a null guard");
  EXPECT_EQ(refusal(kConstants, R"({"do": "fill", "pointer": {"arg": 1},
              "bytes": 0, "value": 0})"),
            at + ".pointer: expected a pointer argument or scratch memory");
  EXPECT_EQ(refusal(kConstants, R"({"do": "fill", "pointer": {"arg": 0},
              "bytes": 0, "value": 256})"),
            at + ".value: expected an integer from 0 to 255, found 256");
  EXPECT_EQ(refusal(kConstants, R"({"do": "fill", "pointer": {"arg": 0},
              "bytes": 2, "value": 0})"),
            at + ".bytes: there is no node 2");
}

TEST(Manifest, RefusesWrongDispatches) {
  const std::string at = "entries[0].body[0]";
  auto dispatch = [](const std::string &kernel, const std::string &grid,
                     const std::string &args) {
    return refusal(kConstants, R"({"do": "dispatch", "kernel": ")" + kernel +
                                   R"(", "grid": )" + grid + R"(, "args": )" +
                                   args + "}");
  };
  EXPECT_EQ(dispatch("narrow", "[0, 0, 0]", R"([{"node": 1}])"), "");
  EXPECT_EQ(dispatch("other", "[0, 0, 0]", "[]"),
            at + ".kernel: there is no kernel \"other\"");
  EXPECT_EQ(dispatch("narrow", "[0, 0]", "[]"),
            at + ".grid: a grid has 3 dimensions");
  EXPECT_EQ(dispatch("narrow", "[0, 0, 2]", "[]"),
            at + ".grid[2]: there is no node 2");
  EXPECT_EQ(dispatch("narrow", "[0, 0, 0]", "[]"),
            at + ".args: kernel \"narrow\" takes 1 argument(s), not 0");
  EXPECT_EQ(dispatch("narrow", "[0, 0, 0]", R"([{"arg": 0}])"),
            at + ".args[0]: argument \"p\" of type ptr<f32> cannot be the "
                 "kernel's \"n\" of type i32");
  EXPECT_EQ(dispatch("memory", "[0, 0, 0]", R"([{"node": 0}, {"arg": 3}])"),
            at + ".args[0]: an integer cannot be the kernel's \"q\" of type "
                 "ptr<f32>");
  EXPECT_EQ(dispatch("narrow", "[0, 0, 0]", R"([{"value": 0}])"),
            at + ".args[0]: expected \"arg\", \"node\" or \"scratch\"");
}

TEST(Manifest, ScratchIsVisibleToTheEndOfItsBody) {
  const std::string scratch =
      R"({"do": "scratch", "id": 1, "bytes": 0, "zero": false})";
  const std::string use = R"({"do": "fill", "pointer": {"scratch": 1},
                              "bytes": 0, "value": 0})";
  auto inCase = [](const std::string &body) {
    return R"({"do": "variants", "cases": [{"guard": null, "body": [)" + body +
           "]}]}";
  };
  EXPECT_EQ(refusal(kConstants, scratch + "," + use), "");
  EXPECT_EQ(refusal(kConstants, scratch + "," + inCase(use)), "");
  EXPECT_EQ(refusal(kConstants, inCase(scratch) + "," + inCase(scratch)), "");
  EXPECT_EQ(refusal(kConstants, use + "," + scratch),
            "entries[0].body[0].pointer.scratch: no scratch memory 1 at this "
            "point");
  EXPECT_EQ(refusal(kConstants, inCase(scratch) + "," + use),
            "entries[0].body[1].pointer.scratch: no scratch memory 1 at this "
            "point");
  EXPECT_EQ(refusal(kConstants, scratch + "," + scratch),
            "entries[0].body[1].id: a second scratch memory 1");
}

//===----------------------------------------------------------------------===//
// Damaged files. What is accepted must also be safe to evaluate.
//===----------------------------------------------------------------------===//

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

TEST(ManifestFuzz, Truncations) {
  std::string text = readInput("scale.json");
  size_t end = text.find_last_of('}');
  for (size_t length = 0; length <= end; ++length)
    ASSERT_FALSE(exercise(text.substr(0, length))) << length;
  EXPECT_TRUE(exercise(text.substr(0, end + 1)));
}

TEST(ManifestFuzz, ByteFlips) {
  std::string text = readInput("scale.json");
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

TEST(ManifestFuzz, SplicedPieces) {
  std::string text = readInput("scale.json");
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    size_t from = random() % text.size(), to = random() % text.size();
    damaged.insert(to, text.substr(from, random() % 60));
    damaged.erase(random() % damaged.size(), random() % 30);
    exercise(damaged);
  }
}

} // namespace
