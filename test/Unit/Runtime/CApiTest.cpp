//===- CApiTest.cpp - modules, introspection and misuse of the C API ------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchFixture.h"

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

} // namespace
