//===- PlanTest.cpp - evaluating launch plans -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestManifests.h"

#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

using namespace tessera::runtime;
using nlohmann::json;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t k2To40 = int64_t(1) << 40;

/// What a call comes to: its plan, or why there is none.
struct Outcome {
  json plan;
  tessera_status status = TESSERA_SUCCESS;
  std::string message;
};

Outcome evaluate(const std::string &manifestText, size_t entry,
                 const PlanRequest &request) {
  Result<Manifest> manifest = parseManifest(manifestText);
  if (!manifest)
    return {{}, manifest.failure().status, manifest.failure().message};
  Plan plan(*manifest, manifest->entries[entry]);
  if (Failure failure = plan.evaluate(request))
    return {{}, failure.status, failure.message};
  return {json::parse(toJson(plan)), TESSERA_SUCCESS, ""};
}

/// Calls makeManifest's f(p, a, b, 0.1) on a device of 132 multiprocessors.
Outcome callF(const std::string &nodes, const std::string &body, int64_t a = 0,
              int64_t b = 0, uint64_t p = 0x1000) {
  tessera_argument arguments[] = {tessera_pointer(p), tessera_integer(a),
                                  tessera_integer(b), tessera_float(0.1)};
  PlanRequest request;
  request.arguments = arguments;
  request.numArguments = 4;
  request.numSms = 132;
  return evaluate(makeManifest(nodes, body), 0, request);
}

const std::string kAB =
    R"({"op": "arg", "index": 1}, {"op": "arg", "index": 2})";

/// Evaluates `node` as node 2, over nodes 0 = a and 1 = b. Node 4 adds 2^62 to
/// it and is the size of a scratch memory, where number() reads it: so negative
/// values can be seen too.
Outcome valueOf(const std::string &node, int64_t a, int64_t b = 0,
                uint64_t p = 0x1000) {
  return callF(kAB + "," + node +
                   R"(, {"op": "const", "value": 4611686018427387904},
                      {"op": "add", "args": [2, 3]})",
               R"({"do": "scratch", "id": 0, "bytes": 4, "zero": false})", a, b,
               p);
}

int64_t number(const Outcome &outcome) {
  EXPECT_EQ(outcome.message, "");
  if (outcome.status)
    return kMin;
  return outcome.plan["actions"][0]["bytes"].get<int64_t>() -
         (int64_t(1) << 62);
}

std::string binary(const std::string &op) {
  return R"({"op": ")" + op + R"(", "args": [0, 1]})";
}

std::string dispatch(const std::string &kernel, const std::string &grid,
                     const std::string &args) {
  return R"({"do": "dispatch", "kernel": ")" + kernel + R"(", "grid": )" +
         grid + R"(, "args": )" + args + "}";
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

TEST(PlanExpression, Arithmetic) {
  EXPECT_EQ(number(valueOf(binary("add"), 5, -7)), -2);
  EXPECT_EQ(number(valueOf(binary("sub"), 5, -7)), 12);
  EXPECT_EQ(number(valueOf(binary("mul"), k2To40, 1024)), int64_t(1) << 50);
  EXPECT_EQ(number(valueOf(binary("min"), 5, -7)), -7);
  EXPECT_EQ(number(valueOf(binary("max"), 5, -7)), 5);
  EXPECT_EQ(number(valueOf(R"({"op": "num_sms"})", 0)), 132);
}

TEST(PlanExpression, DivisionRoundsToTheFloor) {
  EXPECT_EQ(number(valueOf(binary("div"), 7, 2)), 3);
  EXPECT_EQ(number(valueOf(binary("div"), -7, 2)), -4);
  EXPECT_EQ(number(valueOf(binary("div"), -8, 2)), -4);
  EXPECT_EQ(number(valueOf(binary("cdiv"), 7, 2)), 4);
  EXPECT_EQ(number(valueOf(binary("cdiv"), 8, 2)), 4);
  EXPECT_EQ(number(valueOf(binary("cdiv"), -7, 2)), -3);
  EXPECT_EQ(number(valueOf(binary("rem"), 7, 4)), 3);
  EXPECT_EQ(number(valueOf(binary("rem"), -7, 4)), 1);
  EXPECT_EQ(number(valueOf(binary("rem"), -8, 4)), 0);
  // ceil((2^63 - 1) / 3) = 3074457345618258603, where (a + b - 1) / b
  // overflows.
  EXPECT_EQ(number(valueOf(binary("cdiv"), kMax, 3)), 3074457345618258603);
}

TEST(PlanExpression, DivisorsMustBePositive) {
  for (const char *op : {"div", "cdiv", "rem"})
    for (int64_t divisor : {int64_t(0), int64_t(-1)}) {
      Outcome outcome = valueOf(binary(op), 7, divisor);
      EXPECT_EQ(outcome.status, TESSERA_PLAN_ERROR);
      EXPECT_EQ(outcome.message, "f: node 2 of the plan: 7 divided by " +
                                     std::to_string(divisor) +
                                     "; a divisor must be positive");
    }
}

TEST(PlanExpression, OverflowIsAnError) {
  EXPECT_EQ(valueOf(binary("add"), kMax, 1).message,
            "f: node 2 of the plan: 9223372036854775807 + 1 does not fit in 64 "
            "bits");
  EXPECT_EQ(valueOf(binary("sub"), kMin, 1).message,
            "f: node 2 of the plan: -9223372036854775808 - 1 does not fit in "
            "64 bits");
  EXPECT_EQ(valueOf(binary("mul"), k2To40, int64_t(1) << 23).message,
            "f: node 2 of the plan: 1099511627776 * 8388608 does not fit in 64 "
            "bits");
  EXPECT_EQ(valueOf(binary("mul"), kMin, -1).status, TESSERA_PLAN_ERROR);
}

TEST(PlanExpression, NextPowerOfTwo) {
  const std::string node = R"({"op": "next_pow2", "args": [0]})";
  EXPECT_EQ(number(valueOf(node, -5)), 1);
  EXPECT_EQ(number(valueOf(node, 0)), 1);
  EXPECT_EQ(number(valueOf(node, 1)), 1);
  EXPECT_EQ(number(valueOf(node, 3)), 4);
  EXPECT_EQ(number(valueOf(node, 1024)), 1024);
  EXPECT_EQ(number(valueOf(node, k2To40 + 1)), 2 * k2To40);
  EXPECT_EQ(valueOf(node, (int64_t(1) << 62) + 1).message,
            "f: node 2 of the plan: no power of two in 64 bits is at least "
            "4611686018427387905");
}

TEST(PlanExpression, Comparisons) {
  struct {
    const char *predicate;
    int64_t less, equal, greater;
  } cases[] = {{"eq", 0, 1, 0}, {"ne", 1, 0, 1}, {"lt", 1, 0, 0},
               {"le", 1, 1, 0}, {"gt", 0, 0, 1}, {"ge", 0, 1, 1}};
  for (auto &item : cases) {
    std::string node = R"({"op": "cmp", "predicate": ")" +
                       std::string(item.predicate) + R"(", "args": [0, 1]})";
    EXPECT_EQ(number(valueOf(node, -1, 1)), item.less) << item.predicate;
    EXPECT_EQ(number(valueOf(node, 1, 1)), item.equal) << item.predicate;
    EXPECT_EQ(number(valueOf(node, k2To40, 1)), item.greater) << item.predicate;
  }
}

TEST(PlanExpression, AlignmentOfAddresses) {
  // Bit 63 is part of an address, not a sign.
  uint64_t high = (uint64_t(1) << 63) + 24;
  auto aligned = [&](int bytes, uint64_t address) {
    return number(callF(R"({"op": "arg", "index": 0}, {"op": "aligned",
                          "args": [0], "bytes": )" +
                            std::to_string(bytes) +
                            R"(}, {"op": "const", "value": 4611686018427387904},
                          {"op": "add", "args": [1, 2]})",
                        R"({"do": "scratch", "id": 0, "bytes": 3,
                            "zero": false})",
                        0, 0, address));
  };
  EXPECT_EQ(aligned(16, 0x1000), 1);
  EXPECT_EQ(aligned(16, 0x1008), 0);
  EXPECT_EQ(aligned(8, high), 1);
  EXPECT_EQ(aligned(16, high), 0);
  // 2^63 = 8^21 = 1 and 24 = 3 modulo 7, so that 4 below their sum divides.
  EXPECT_EQ(aligned(7, high - 4), 1);
}

TEST(PlanExpression, Divisibility) {
  const std::string node = R"({"op": "divisible", "args": [0], "by": 8})";
  EXPECT_EQ(number(valueOf(node, 4104)), 1);
  EXPECT_EQ(number(valueOf(node, 4100)), 0);
  EXPECT_EQ(number(valueOf(node, -16)), 1);
  EXPECT_EQ(number(valueOf(node, 0)), 1);
}

TEST(PlanExpression, Logic) {
  EXPECT_EQ(number(valueOf(R"({"op": "all", "args": []})", 0)), 1);
  EXPECT_EQ(number(valueOf(R"({"op": "any", "args": []})", 0)), 0);
  EXPECT_EQ(number(valueOf(binary("all"), 1, 0)), 0);
  EXPECT_EQ(number(valueOf(binary("all"), 3, -2)), 1);
  EXPECT_EQ(number(valueOf(binary("any"), 0, -2)), 1);
  EXPECT_EQ(number(valueOf(binary("any"), 0, 0)), 0);
  EXPECT_EQ(number(valueOf(R"({"op": "not", "args": [0]})", 0)), 1);
  EXPECT_EQ(number(valueOf(R"({"op": "not", "args": [0]})", 9)), 0);
}

TEST(PlanExpression, LogicStopsAtTheFirstThatDecides) {
  // Node 2 = a / b has no value for b = 0; node 3 looks at b first.
  auto guarded = [](const std::string &op, const std::string &predicate) {
    return kAB + R"(, {"op": "div", "args": [0, 1]}, {"op": "cmp",
           "predicate": ")" +
           predicate + R"(", "args": [1, 1]}, {"op": ")" + op +
           R"(", "args": [3, 2]})";
  };
  const std::string body =
      R"({"do": "scratch", "id": 0, "bytes": 4, "zero": false})";
  EXPECT_EQ(callF(guarded("all", "ne"), body, 7, 0).plan["actions"][0]["bytes"],
            0);
  EXPECT_EQ(callF(guarded("any", "eq"), body, 7, 0).plan["actions"][0]["bytes"],
            1);
  // The other way round, the division is reached.
  EXPECT_EQ(callF(guarded("all", "eq"), body, 7, 0).status, TESSERA_PLAN_ERROR);
  EXPECT_EQ(callF(guarded("any", "ne"), body, 7, 0).status, TESSERA_PLAN_ERROR);
}

TEST(PlanExpression, SharedNodesAreComputedOnce) {
  // 200 doublings of one value: 2^200 visits without memory, 200 with it.
  std::string nodes = R"({"op": "const", "value": 0})";
  for (int i = 0; i < 200; ++i)
    nodes += R"(, {"op": "add", "args": [)" + std::to_string(i) + "," +
             std::to_string(i) + "]}";
  Outcome outcome =
      callF(nodes, R"({"do": "scratch", "id": 0, "bytes": 200, "zero": true})");
  EXPECT_EQ(outcome.plan["actions"][0]["bytes"], 0);
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

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
