//===- ManifestPlanTest.cpp - refusing wrong nodes and actions ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestManifests.h"

#include <gtest/gtest.h>

using namespace tessera::runtime;

namespace {

const std::string kConstants = R"({"op": "const", "value": 1},
  {"op": "const", "value": 2})";

TEST(ManifestPlan, RefusesWrongNodes) {
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

TEST(ManifestPlan, RefusesWrongOperands) {
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

TEST(ManifestPlan, RefusesDeepExpressions) {
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

TEST(ManifestPlan, RefusesDeepBodies) {
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

TEST(ManifestPlan, RefusesWrongActions) {
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

TEST(ManifestPlan, RefusesWrongDispatches) {
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

TEST(ManifestPlan, ScratchIsVisibleToTheEndOfItsBody) {
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

} // namespace
