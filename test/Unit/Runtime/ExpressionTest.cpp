//===- ExpressionTest.cpp - values of expression graphs -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanOutcome.h"

using namespace tessera::runtime;

namespace {

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

} // namespace
