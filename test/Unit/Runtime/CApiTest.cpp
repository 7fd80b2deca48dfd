//===- CApiTest.cpp - modules, introspection and misuse of the C API ------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchFixture.h"

#include <cstring>

using namespace tessera::runtime;
using nlohmann::json;

namespace {

TEST_F(Launch, Introspection) {
  EXPECT_STREQ(tessera_target(module), "sm_90a");
  ASSERT_EQ(tessera_entry_count(module), 2u);
  EXPECT_STREQ(tessera_entry_name(module, 1), "plain");
  EXPECT_EQ(tessera_entry_name(module, 2), nullptr);
  EXPECT_EQ(tessera_entry_argument_count(module, 0), 4u);
  EXPECT_STREQ(tessera_entry_argument_name(module, 0, 2), "factor");
  EXPECT_STREQ(tessera_entry_argument_type(module, 0, 2), "f16");
  EXPECT_EQ(tessera_entry_argument_type(module, 0, 4), nullptr);
  EXPECT_EQ(tessera_entry_uses_caller_grid(module, 0), 0);
  EXPECT_EQ(tessera_entry_uses_caller_grid(module, 1), 1);
  tessera_kernel_resources needs;
  ASSERT_EQ(tessera_kernel_get_resources(module, 1, &needs), TESSERA_SUCCESS);
  EXPECT_STREQ(needs.symbol, "scale_any");
  EXPECT_EQ(needs.num_warps, 8);
  EXPECT_EQ(needs.static_shared_bytes, 512);
  EXPECT_EQ(needs.registers, -1);
  EXPECT_EQ(tessera_kernel_get_resources(module, 2, &needs),
            TESSERA_INVALID_ARGUMENT);
}

TEST_F(Launch, PlanNeedsABufferOfItsSize) {
  tessera_argument arguments[] = {tessera_pointer(0x10000),
                                  tessera_pointer(0x20000), tessera_float(0.5),
                                  tessera_integer(2001)};
  size_t length = 0;
  EXPECT_EQ(tessera_plan_json(module, "scale", arguments, 4, nullptr, nullptr,
                              0, &length),
            TESSERA_BUFFER_TOO_SMALL);
  std::string buffer(length + 1, '?');
  EXPECT_EQ(tessera_plan_json(module, "scale", arguments, 4, nullptr,
                              buffer.data(), length, nullptr),
            TESSERA_BUFFER_TOO_SMALL);
  EXPECT_EQ(buffer, std::string(length + 1, '?'));
  ASSERT_EQ(tessera_plan_json(module, "scale", arguments, 4, nullptr,
                              buffer.data(), length + 1, nullptr),
            TESSERA_SUCCESS);
  EXPECT_EQ(buffer[length], '\0');
  EXPECT_EQ(json::parse(buffer.c_str())["entry"], "scale");
  // Nobody needed a driver.
  EXPECT_TRUE(calls().empty());
}

TEST_F(Launch, MisuseIsAnError) {
  tessera_module *out = nullptr;
  EXPECT_EQ(tessera_load(nullptr, &out), TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_load("absent.json", nullptr), TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_load("/absent/x.json", &out), TESSERA_IO_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "cannot read /absent/x.json: No such file or directory");
  // A folder opens but does not read.
  EXPECT_EQ(tessera_load(kInputs.c_str(), &out), TESSERA_IO_ERROR);
  EXPECT_EQ(tessera_launch(nullptr, "scale", nullptr, 0, nullptr),
            TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_launch(module, "scale", nullptr, 4, nullptr),
            TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_launch(module, nullptr, nullptr, 0, nullptr),
            TESSERA_INVALID_ARGUMENT);
  EXPECT_STREQ(tessera_last_error(), "the module has 2 entries; name one");
  EXPECT_EQ(tessera_launch(module, "skale", nullptr, 0, nullptr),
            TESSERA_NOT_FOUND);
  EXPECT_STREQ(tessera_last_error(), "the module has no entry \"skale\"; it "
                                     "has scale, plain");
  EXPECT_EQ(out, nullptr);
  tessera_unload(nullptr);
}

TEST_F(Launch, FromMemory) {
  std::string text = readInput("scale.json"), image = readInput("scale.fake");
  tessera_unload(module);
  module = nullptr;
  ASSERT_EQ(tessera_load_from_memory(text.data(), text.size(), image.data(),
                                     image.size(), &module),
            TESSERA_SUCCESS);
  image.assign(image.size(), 'x');
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS) << tessera_last_error();
  EXPECT_EQ(calls("cuLaunchKernel").size(), 1u);
}

TEST_F(Launch, ModulesWithoutUsableCode) {
  std::string text = readInput("scale.json");
  tessera_unload(module);
  ASSERT_EQ(
      tessera_load_from_memory(text.data(), text.size(), nullptr, 0, &module),
      TESSERA_SUCCESS);
  EXPECT_EQ(scale(2000), TESSERA_IO_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "the module has no cubin or PTX to launch");
  tessera_unload(module);
  ASSERT_EQ(
      tessera_load_from_memory(text.data(), text.size(), "junk", 4, &module),
      TESSERA_SUCCESS);
  EXPECT_EQ(scale(2000), TESSERA_DRIVER_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "loading the image, compiled for sm_90a, on a device of sm_90: "
               "CUDA error 200; fake ptxas: no FAKE line");
  tessera_unload(module);
  // A symbol that the code lacks.
  ASSERT_EQ(tessera_load_from_memory(text.data(), text.size(), "FAKE\nk 4\n", 9,
                                     &module),
            TESSERA_SUCCESS);
  EXPECT_EQ(scale(2000), TESSERA_DRIVER_ERROR);
  EXPECT_STREQ(tessera_last_error(), "kernel \"scale_kernel\" (symbol "
                                     "scale_kernel): CUDA_ERROR_NOT_FOUND");
}

TEST_F(Launch, ValuesAloneLaunchAsArgumentsDo) {
  double factor = 0.5;
  uint64_t values[] = {0x10000, 0x20000, 0, 2000};
  std::memcpy(&values[2], &factor, sizeof(factor));
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  ASSERT_EQ(tessera_launch_values(module, 0, values, 4, nullptr),
            TESSERA_SUCCESS);
  auto launches = calls("cuLaunchKernel");
  ASSERT_EQ(launches.size(), 2u);
  // 0.5 as f16 is 0x3800, 2000 is 0x7d0.
  EXPECT_EQ(launches[1]["args"],
            json({"0000010000000000", "0000020000000000", "0038", "d0070000"}));
  EXPECT_EQ(launches[0], launches[1]);
  // An integer below zero, and one that i32 cannot hold: 2^31.
  values[3] = uint64_t(-1);
  EXPECT_EQ(tessera_launch_values(module, 0, values, 4, nullptr),
            TESSERA_PLAN_ERROR);
  values[3] = uint64_t(1) << 31;
  EXPECT_EQ(tessera_launch_values(module, 0, values, 4, nullptr),
            TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(calls("cuLaunchKernel").size(), 2u);
}

TEST_F(Launch, ValuesThatDoNotFitAreErrors) {
  uint64_t values[5] = {};
  EXPECT_EQ(tessera_launch_values(nullptr, 0, values, 4, nullptr),
            TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_launch_values(module, 0, nullptr, 4, nullptr),
            TESSERA_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_launch_values(module, 2, values, 4, nullptr),
            TESSERA_NOT_FOUND);
  for (size_t count : {3, 5}) {
    EXPECT_EQ(tessera_launch_values(module, 0, values, count, nullptr),
              TESSERA_INVALID_ARGUMENT);
    EXPECT_STREQ(
        tessera_last_error(),
        ("scale: takes 4 argument(s), not " + std::to_string(count)).c_str());
  }
  EXPECT_TRUE(calls("cuLaunchKernel").empty());
}

TEST_F(Launch, TheDevicesCapability) {
  int major = -1, minor = -1;
  // With and without a context; none is made.
  for (void *context : {createContext(), static_cast<void *>(nullptr)}) {
    setCurrent(context);
    clearLog();
    ASSERT_EQ(tessera_device_capability(&major, &minor), TESSERA_SUCCESS);
    EXPECT_EQ(major, 9);
    EXPECT_EQ(minor, 0);
    EXPECT_TRUE(calls("cuDevicePrimaryCtxRetain").empty());
  }
  EXPECT_EQ(tessera_device_capability(nullptr, &minor),
            TESSERA_INVALID_ARGUMENT);
  setenv(kFailVariable, "cuDeviceGet=100", 1);
  EXPECT_EQ(tessera_device_capability(&major, &minor), TESSERA_DRIVER_ERROR);
}

} // namespace
