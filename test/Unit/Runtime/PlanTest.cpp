//===- PlanTest.cpp - the actions of a call, and its arguments ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanOutcome.h"

using namespace tessera::runtime;
using nlohmann::json;

namespace {

TEST(Plan, TheFirstTrueGuardWins) {
  const std::string nodes = kAB + R"(, {"op": "const", "value": 1},
    {"op": "cmp", "predicate": "gt", "args": [0, 2]},
    {"op": "cmp", "predicate": "gt", "args": [1, 2]},
    {"op": "div", "args": [2, 0]})";
  const std::string body = R"({"do": "variants", "cases": [
    {"guard": 3, "body": [)" +
                           dispatch("narrow", "[0, 2, 2]", R"([{"node": 5}])") +
                           R"(]}, {"guard": 4, "body": [)" +
                           dispatch("narrow", "[1, 2, 2]", R"([{"node": 1}])") +
                           R"(]}, {"guard": null, "body": []}]})";
  auto run = [&](int64_t a, int64_t b) {
    return callF(nodes, body, a, b).plan;
  };
  EXPECT_EQ(run(9, 5)["actions"][0], json({{"do", "variant"}, {"case", 0}}));
  EXPECT_EQ(run(9, 5)["actions"][1]["grid"], json({9, 1, 1}));
  // Not taken, case 0 computes 1 / 0 and a grid of 0 to no harm.
  EXPECT_EQ(run(0, 5)["actions"][0]["case"], 1);
  EXPECT_EQ(run(0, 5)["actions"][1]["args"][0]["value"], 5);
  EXPECT_EQ(run(0, 0)["actions"], json::parse(R"([{"do": "variant",
                                                  "case": 2}])"));
}

TEST(Plan, RefusalsNameTheArguments) {
  Outcome outcome =
      callF("", R"({"do": "refuse", "text": "row too long"})", 5000, -1);
  EXPECT_EQ(outcome.status, TESSERA_REFUSED);
  EXPECT_EQ(outcome.message, "f: row too long (p=0x1000, a=5000, b=-1, h=0.1)");
}

TEST(Plan, IntegersAreNarrowedWithACheck) {
  const std::string nodes = kAB + R"(, {"op": "const", "value": 1})";
  auto run = [&](const char *kernel, int64_t value, const char *arg) {
    return callF(nodes, dispatch(kernel, "[2, 2, 2]", arg), value);
  };
  const char *node = R"([{"node": 0}])", *arg = R"([{"arg": 1}])";
  EXPECT_EQ(run("narrow", -2147483648LL, node).plan["actions"][0]["args"][0],
            json({{"name", "n"}, {"type", "i32"}, {"value", -2147483648LL}}));
  EXPECT_EQ(run("byte", -128, arg).message, "");
  EXPECT_EQ(run("bit", 1, node).message, "");
  for (const char *operand : {node, arg}) {
    Outcome outcome = run("narrow", 2147483648LL, operand);
    EXPECT_EQ(outcome.status, TESSERA_PLAN_ERROR);
    EXPECT_EQ(outcome.message, "f: kernel \"narrow\": argument \"n\" is i32, "
                               "which cannot hold 2147483648");
  }
  EXPECT_EQ(run("byte", 128, node).status, TESSERA_PLAN_ERROR);
  EXPECT_EQ(run("bit", 2, node).status, TESSERA_PLAN_ERROR);
  EXPECT_EQ(run("bit", -1, arg).status, TESSERA_PLAN_ERROR);
}

TEST(Plan, GridsThatCannotBeLaunched) {
  const std::string nodes = kAB + R"(, {"op": "const", "value": 1})";
  auto run = [&](const char *grid, int64_t size) {
    return callF(nodes, dispatch("narrow", grid, R"([{"node": 2}])"), size, 0);
  };
  EXPECT_EQ(run("[0, 2, 2]", 2147483647).message, "");
  EXPECT_EQ(run("[0, 2, 2]", 2147483648).message,
            "f: kernel \"narrow\": grid x is 2147483648, allowed are 0 to "
            "2147483647");
  EXPECT_EQ(run("[2, 0, 2]", 65535).message, "");
  EXPECT_EQ(run("[2, 0, 2]", 65536).message,
            "f: kernel \"narrow\": grid y is 65536, allowed are 0 to 65535");
  EXPECT_EQ(run("[2, 2, 0]", 65536).message,
            "f: kernel \"narrow\": grid z is 65536, allowed are 0 to 65535");
  EXPECT_EQ(run("[0, 2, 2]", -1).message,
            "f: kernel \"narrow\": grid x is -1, allowed are 0 to 2147483647");
  // A negative dimension is wrong even beside an empty one (node 1 = b = 0).
  EXPECT_EQ(run("[1, 2, 0]", -1).status, TESSERA_PLAN_ERROR);
}

TEST(Plan, AnEmptyGridEvaluatesNoArguments) {
  const std::string nodes = kAB + R"(, {"op": "const", "value": 1},
    {"op": "div", "args": [2, 0]})";
  Outcome outcome =
      callF(nodes, dispatch("narrow", "[0, 2, 2]", R"([{"node": 3}])"), 0);
  EXPECT_EQ(outcome.plan["actions"], json::parse(R"([{"do": "dispatch",
    "kernel": "narrow", "grid": [0, 1, 1], "empty": true}])"));
}

TEST(Plan, SizesOfMemory) {
  const std::string body =
      R"({"do": "fill", "pointer": {"arg": 0}, "bytes": 0, "value": 171},
         {"do": "scratch", "id": 3, "bytes": 0, "zero": true},
         {"do": "fill", "pointer": {"scratch": 3}, "bytes": 1, "value": 0})";
  EXPECT_EQ(callF(kAB, body, k2To40, 8).plan["actions"], json::parse(R"([
    {"do": "fill", "pointer": {"arg": "p", "value": 4096},
     "bytes": 1099511627776, "value": 171},
    {"do": "scratch", "id": 3, "bytes": 1099511627776, "zero": true},
    {"do": "fill", "pointer": {"scratch": 3}, "bytes": 8, "value": 0}])"));
  EXPECT_EQ(callF(kAB, body, -1, 8).message, "f: a fill of -1 bytes");
  EXPECT_EQ(
      callF(kAB, R"({"do": "scratch", "id": 3, "bytes": 0, "zero": true})", -2)
          .message,
      "f: scratch memory of -2 bytes");
}

TEST(Plan, FloatsArePassedInTheirOwnType) {
  const std::string nodes = R"({"op": "const", "value": 1})";
  Outcome outcome = callF(
      nodes, dispatch("memory", "[0, 0, 0]", R"([{"arg": 0}, {"arg": 3}])"));
  // 0.1 in f16 is 0x2e66 = 1638 * 2^-14.
  EXPECT_EQ(outcome.plan["actions"][0]["args"], json::parse(R"([
    {"name": "q", "type": "ptr<f32>", "value": 4096},
    {"name": "h", "type": "f16", "value": 0.0999755859375, "bits": 11878}])"));
}

//===----------------------------------------------------------------------===//
// The call's own arguments
//===----------------------------------------------------------------------===//

Outcome callScale(std::vector<tessera_argument> arguments, int32_t numSms) {
  PlanRequest request;
  request.arguments = arguments.data();
  request.numArguments = arguments.size();
  request.numSms = numSms;
  return evaluate(readInput("scale.json"), 0, request);
}

TEST(PlanCall, ArgumentsAreChecked) {
  tessera_argument pointer = tessera_pointer(4096), half = tessera_float(0.5);
  EXPECT_EQ(callScale({pointer, pointer, half}, 0).message,
            "scale: takes 4 argument(s), not 3");
  EXPECT_EQ(callScale({pointer, pointer, half, half}, 0).message,
            "scale: argument \"n\" is i32, the value given is a floating-point "
            "number");
  EXPECT_EQ(callScale({tessera_integer(1), pointer, half, half}, 0).message,
            "scale: argument \"y\" is ptr<f32>, the value given is an integer");
  EXPECT_EQ(
      callScale({pointer, pointer, half, tessera_integer(k2To40)}, 0).message,
      "scale: argument \"n\" is i32, which cannot hold 1099511627776");
  tessera_argument broken = pointer;
  broken.kind = 77;
  EXPECT_EQ(callScale({broken, pointer, half, pointer}, 0).status,
            TESSERA_INVALID_ARGUMENT);
}

TEST(PlanCall, TheNumberOfMultiprocessorsIsAskedForOnlyWhenNeeded) {
  tessera_argument pointer = tessera_pointer(4096), half = tessera_float(0.5);
  // n = 2000 is divisible by 8: the persistent variant, min(2, num_sms) blocks.
  std::vector<tessera_argument> arguments = {pointer, pointer, half,
                                             tessera_integer(2000)};
  EXPECT_EQ(callScale(arguments, 0).message,
            "scale: the plan needs the number of multiprocessors; give "
            "num_sms");
  EXPECT_EQ(callScale(arguments, 1).plan["actions"][1]["grid"],
            json({1, 1, 1}));
  // n = 2001 is not, and the other variant does not ask.
  arguments[3] = tessera_integer(2001);
  EXPECT_EQ(callScale(arguments, 0).plan["actions"].size(), 4u);
  arguments[3] = tessera_integer(4097);
  EXPECT_EQ(callScale(arguments, 0).status, TESSERA_REFUSED);
}

TEST(PlanCall, GridOfTheCaller) {
  std::vector<tessera_argument> arguments = {tessera_pointer(4096),
                                             tessera_integer(k2To40)};
  PlanRequest request;
  request.arguments = arguments.data();
  request.numArguments = 2;
  EXPECT_EQ(evaluate(readInput("scale.json"), 1, request).message,
            "plain: has no grid of its own; give one");
  request.hasGrid = true;
  request.grid = {4, 5, 6};
  Outcome outcome = evaluate(readInput("scale.json"), 1, request);
  EXPECT_EQ(outcome.plan["actions"][0]["grid"], json({4, 5, 6}));
  EXPECT_EQ(outcome.plan["actions"][0]["block"], json({256, 1, 1}));
  EXPECT_EQ(outcome.plan["actions"][0]["args"][3]["value"], k2To40);

  arguments = {tessera_pointer(0), tessera_pointer(0), tessera_float(0),
               tessera_integer(0)};
  request.arguments = arguments.data();
  request.numArguments = 4;
  EXPECT_EQ(evaluate(readInput("scale.json"), 0, request).message,
            "scale: computes its own grid; a grid cannot be given");
}

} // namespace
