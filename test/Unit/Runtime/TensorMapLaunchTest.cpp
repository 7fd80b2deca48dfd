//===- TensorMapLaunchTest.cpp - launching with tensor maps ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fake driver's maps begin with the address.
//
//===----------------------------------------------------------------------===//

#include "LaunchFixture.h"

using namespace tessera::runtime;
using nlohmann::json;

namespace {

class TensorMapLaunch : public Launch {
protected:
  void SetUp() override {
    Launch::SetUp();
    ASSERT_EQ(tessera_load((kInputs + "/maps.json").c_str(), &maps),
              TESSERA_SUCCESS)
        << tessera_last_error();
    clearLog();
  }
  void TearDown() override {
    tessera_unload(maps);
    Launch::TearDown();
  }

  tessera_status copy(uint64_t p, uint64_t q, int64_t m, int64_t n,
                      int64_t stride) {
    tessera_argument arguments[] = {tessera_pointer(p), tessera_pointer(q),
                                    tessera_integer(m), tessera_integer(n),
                                    tessera_integer(stride)};
    return tessera_launch(maps, "copy", arguments, 5, nullptr);
  }
  std::vector<json> encoded() { return calls("cuTensorMapEncodeTiled"); }

  tessera_module *maps = nullptr;
};

TEST_F(TensorMapLaunch, EncodesWhatThePlanSays) {
  ASSERT_EQ(copy(0x10000, 0x20000, 300, 70, 72), TESSERA_SUCCESS)
      << tessera_last_error();
  std::vector<json> made = encoded();
  ASSERT_EQ(made.size(), 2u);
  // From the last dimension on; strides in bytes: 72 f16 are 144, 72 f32 288 and
  // 300 rows of them 86400. cuda.h: FLOAT16 is 6, FLOAT32 7, SWIZZLE_128B 3,
  // SWIZZLE_32B 1, L2_PROMOTION_L2_128B 2.
  EXPECT_EQ(made[0], json::parse(R"({"call": "cuTensorMapEncodeTiled",
    "type": 6, "address": 65536, "extents": [70, 300], "strides": [144],
    "box": [64, 128], "element_strides": [1, 1], "interleave": 0, "swizzle": 3,
    "promotion": 2, "fill": 0})"));
  EXPECT_EQ(made[1], json::parse(R"({"call": "cuTensorMapEncodeTiled",
    "type": 7, "address": 131072, "extents": [70, 300, 3],
    "strides": [288, 86400], "box": [8, 32, 1], "element_strides": [1, 1, 1],
    "interleave": 0, "swizzle": 1, "promotion": 2, "fill": 0})"));
  json launch = calls("cuLaunchKernel").at(0);
  EXPECT_EQ(launch["grid"], json({3, 1, 1}));
  EXPECT_EQ(launch["args"][1], "46000000");
  std::string first = launch["args"][0], second = launch["args"][2];
  EXPECT_EQ(first.size(), 256u);
  EXPECT_EQ(first.substr(0, 16), "0000010000000000");
  EXPECT_EQ(second.substr(0, 16), "0000020000000000");
}

TEST_F(TensorMapLaunch, RepeatedLaunchesEncodeOnce) {
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(copy(0x10000, 0x20000, 300, 70, 72), TESSERA_SUCCESS);
  EXPECT_EQ(encoded().size(), 2u);
  std::vector<json> launches = calls("cuLaunchKernel");
  ASSERT_EQ(launches.size(), 5u);
  EXPECT_EQ(launches[0]["args"], launches[4]["args"]);
  // Each number counts.
  ASSERT_EQ(copy(0x10010, 0x20000, 300, 70, 72), TESSERA_SUCCESS);
  EXPECT_EQ(encoded().size(), 3u);
  ASSERT_EQ(copy(0x10000, 0x20000, 300, 71, 72), TESSERA_SUCCESS);
  EXPECT_EQ(encoded().size(), 5u);
  ASSERT_EQ(copy(0x10000, 0x20000, 300, 70, 80), TESSERA_SUCCESS);
  EXPECT_EQ(encoded().size(), 7u);
}

TEST_F(TensorMapLaunch, ManyTensorsStayRight) {
  // More than the cache holds, in two rounds.
  for (int round = 0; round < 2; ++round)
    for (uint64_t i = 0; i < 100; ++i)
      ASSERT_EQ(copy(0x10000 + 16 * i, 0x20000, 300, 70, 72), TESSERA_SUCCESS);
  std::vector<json> launches = calls("cuLaunchKernel");
  ASSERT_EQ(launches.size(), 200u);
  for (uint64_t i = 0; i < 200; ++i) {
    char hex[17];
    uint64_t address = 0x10000 + 16 * (i % 100);
    for (int byte = 0; byte < 8; ++byte)
      std::snprintf(hex + 2 * byte, 3, "%02x",
                    unsigned(address >> (8 * byte)) & 255);
    EXPECT_EQ(std::string(launches[i]["args"][0]).substr(0, 16), hex) << i;
  }
}

TEST_F(TensorMapLaunch, NothingIsEncodedForNothing) {
  // No rows, no blocks.
  ASSERT_EQ(copy(0x10001, 0, 0, 70, 3), TESSERA_SUCCESS) << tessera_last_error();
  EXPECT_TRUE(encoded().empty());
  EXPECT_TRUE(calls("cuLaunchKernel").empty());
  // No columns: a launch whose maps are zeros.
  ASSERT_EQ(copy(0x10001, 0, 300, 0, 3), TESSERA_SUCCESS) << tessera_last_error();
  EXPECT_TRUE(encoded().empty());
  json launch = calls("cuLaunchKernel").at(0);
  EXPECT_EQ(launch["args"][0], std::string(256, '0'));
}

TEST_F(TensorMapLaunch, WhatHasNoMapIsAnErrorOfThePlan) {
  EXPECT_EQ(copy(0x10008, 0x20000, 300, 70, 72), TESSERA_PLAN_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "copy: kernel \"copy_kernel\": the tensor of argument \"a\" has "
               "an address that is no multiple of 16 bytes");
  EXPECT_EQ(copy(0x10000, 0x20000, 300, 70, 70), TESSERA_PLAN_ERROR);
  EXPECT_EQ(copy(0x10000, 0x20000, 300, -1, 72), TESSERA_PLAN_ERROR);
  EXPECT_TRUE(encoded().empty());
  EXPECT_TRUE(calls("cuLaunchKernel").empty());
}

TEST_F(TensorMapLaunch, ErrorsOfTheDriver) {
  setenv(kFailVariable, "cuTensorMapEncodeTiled=719", 1);
  EXPECT_EQ(copy(0x10000, 0x20000, 300, 70, 72), TESSERA_DRIVER_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "copy: kernel \"copy_kernel\": the tensor map of argument \"a\": "
               "cuTensorMapEncodeTiled: CUDA_ERROR_LAUNCH_FAILED (unspecified "
               "launch failure)");
  EXPECT_TRUE(calls("cuLaunchKernel").empty());
  // A failure is not remembered.
  unsetenv(kFailVariable);
  EXPECT_EQ(copy(0x10000, 0x20000, 300, 70, 72), TESSERA_SUCCESS);
}

TEST_F(TensorMapLaunch, ScratchMemory) {
  tessera_argument argument = tessera_integer(4096);
  ASSERT_EQ(tessera_launch(maps, "scratch", &argument, 1, nullptr),
            TESSERA_SUCCESS)
      << tessera_last_error();
  uint64_t address = calls("cuMemAllocAsync").at(0)["pointer"];
  // Both dispatches take the same map.
  ASSERT_EQ(encoded().size(), 1u);
  EXPECT_EQ(encoded()[0]["address"], address);
  EXPECT_EQ(encoded()[0]["type"], 0);
  EXPECT_EQ(encoded()[0]["extents"], json({4096}));
  EXPECT_EQ(encoded()[0]["strides"], json::array());
  EXPECT_EQ(calls("cuLaunchKernel").size(), 2u);
  // What was allocated is freed when a map cannot be made.
  setenv(kFailVariable, "cuTensorMapEncodeTiled=1", 1);
  argument = tessera_integer(8192);
  EXPECT_EQ(tessera_launch(maps, "scratch", &argument, 1, nullptr),
            TESSERA_DRIVER_ERROR);
  EXPECT_EQ(calls("cuMemFreeAsync").size(), 2u);
}

TEST_F(TensorMapLaunch, TheEvaluatedPlan) {
  Result<Manifest> manifest = parseManifest(readInput("maps.json"));
  ASSERT_TRUE(manifest);
  tessera_argument arguments[] = {
      tessera_pointer(0x10000), tessera_pointer(0x20000), tessera_integer(300),
      tessera_integer(70), tessera_integer(72)};
  PlanRequest request;
  request.arguments = arguments;
  request.numArguments = 5;
  Plan plan(*manifest, manifest->entries[0]);
  ASSERT_FALSE(plan.evaluate(request));
  json args = json::parse(toJson(plan))["actions"][0]["args"];
  EXPECT_EQ(args, json::parse(R"([
    {"name": "a", "type": "tensor_map<128x64xf16, swizzle = 128>",
     "value": 65536, "extents": [300, 70], "strides": [72, 1]},
    {"name": "n", "type": "i32", "value": 70},
    {"name": "b", "type": "tensor_map<1x32x8xf32, swizzle = 32>",
     "value": 131072, "extents": [3, 300, 70], "strides": [21600, 72, 1]}])"));
}

} // namespace
