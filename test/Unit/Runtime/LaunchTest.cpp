//===- LaunchTest.cpp - which driver calls come of a launch ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchFixture.h"

#include <atomic>
#include <thread>

using namespace tessera::runtime;
using nlohmann::json;

namespace {

/// Names the driver before the first test needs it.
class FakeDriverEnvironment : public testing::Environment {
  void SetUp() override {
    setenv("TESSERA_CUDA_DRIVER", TESSERA_FAKE_DRIVER, 1);
    setenv("TESSERA_FAKE_DRIVER_LOG", logPath().c_str(), 1);
  }
  void TearDown() override { std::remove(logPath().c_str()); }
};
[[maybe_unused]] testing::Environment *const environment =
    testing::AddGlobalTestEnvironment(new FakeDriverEnvironment);

TEST_F(Launch, PassesGridBlockSharedAndArguments) {
  ASSERT_EQ(scale(2000, (void *)0x77), TESSERA_SUCCESS) << tessera_last_error();
  std::vector<json> launches = calls("cuLaunchKernel");
  ASSERT_EQ(launches.size(), 1u);
  // ceil(2000 / 1024) = 2 blocks; 0.5 in f16 is 0x3800; 2000 = 0x7d0.
  EXPECT_EQ(launches[0], json::parse(R"({"call": "cuLaunchKernel",
    "function": "scale_kernel", "grid": [2, 1, 1], "block": [128, 1, 1],
    "shared": 65536, "stream": 119, "args": ["0000010000000000",
    "0000020000000000", "0038", "d0070000"]})"));
}

TEST_F(Launch, OptsIntoLargeSharedMemoryOnce) {
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  // 65536 bytes are more than 48 KiB; CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_
  // SIZE_BYTES is 8.
  std::vector<json> settings = calls("cuFuncSetAttribute");
  ASSERT_EQ(settings.size(), 1u);
  EXPECT_EQ(settings[0], json::parse(R"({"call": "cuFuncSetAttribute",
    "function": "scale_kernel", "attribute": 8, "value": 65536})"));
  EXPECT_EQ(calls("cuModuleLoadDataEx").size(), 1u);
  EXPECT_EQ(calls("cuModuleGetFunction").size(), 1u);
  EXPECT_EQ(calls("cuLaunchKernel").size(), 2u);
}

TEST_F(Launch, FillsAllocatesLaunchesAndFreesInOrder) {
  ASSERT_EQ(scale(2001, (void *)0x5), TESSERA_SUCCESS) << tessera_last_error();
  std::vector<json> log = calls();
  std::vector<std::string> names;
  for (const json &call : log)
    names.push_back(call["call"]);
  ASSERT_EQ(names, (std::vector<std::string>{
                       "cuModuleLoadDataEx", "cuModuleGetFunction",
                       "cuMemsetD8Async", "cuMemAllocAsync", "cuMemsetD8Async",
                       "cuLaunchKernel", "cuMemFreeAsync"}));
  // 2001 floats are 8004 bytes.
  uint64_t scratch = log[3]["pointer"];
  EXPECT_EQ(log[2], json({{"call", "cuMemsetD8Async"},
                          {"pointer", 0x10000},
                          {"value", 255},
                          {"bytes", 8004},
                          {"stream", 5}}));
  EXPECT_EQ(log[3]["bytes"], 8004);
  EXPECT_EQ(log[4], json({{"call", "cuMemsetD8Async"},
                          {"pointer", scratch},
                          {"value", 0},
                          {"bytes", 8004},
                          {"stream", 5}}));
  EXPECT_EQ(
      log[6],
      json({{"call", "cuMemFreeAsync"}, {"pointer", scratch}, {"stream", 5}}));
  char hex[17];
  for (int i = 0; i < 8; ++i)
    std::snprintf(hex + 2 * i, 3, "%02x", unsigned(scratch >> (8 * i)) & 255);
  EXPECT_EQ(log[5]["args"], json({"0000010000000000", "0000020000000000", hex,
                                  "d107000000000000", "01"}));
  EXPECT_EQ(log[5]["block"], json({256, 1, 1}));
}

TEST_F(Launch, AnEmptyGridLaunchesNothing) {
  ASSERT_EQ(scale(0), TESSERA_SUCCESS) << tessera_last_error();
  EXPECT_TRUE(calls("cuLaunchKernel").empty());
  // Nor is code loaded for it.
  EXPECT_TRUE(calls("cuModuleLoadDataEx").empty());
}

TEST_F(Launch, FailedPlansTouchNothing) {
  EXPECT_EQ(scale(4097), TESSERA_REFUSED);
  EXPECT_STREQ(tessera_last_error(),
               "scale: a row longer than the block (y=0x10000, x=0x20000, "
               "factor=0.5, n=4097)");
  EXPECT_EQ(scale(int64_t(1) << 31), TESSERA_INVALID_ARGUMENT);
  EXPECT_TRUE(calls("cuMemsetD8Async").empty());
  EXPECT_TRUE(calls("cuLaunchKernel").empty());
}

TEST_F(Launch, TheCallersGrid) {
  tessera_argument arguments[] = {tessera_pointer(0x10000),
                                  tessera_integer(int64_t(1) << 40)};
  tessera_launch_options options = {};
  options.has_grid = 1;
  options.grid[0] = 7;
  options.grid[1] = 8;
  options.grid[2] = 9;
  ASSERT_EQ(tessera_launch(module, "plain", arguments, 2, &options),
            TESSERA_SUCCESS);
  json launch = calls("cuLaunchKernel").at(0);
  EXPECT_EQ(launch["grid"], json({7, 8, 9}));
  EXPECT_EQ(launch["args"][3], "0000000000010000");
  EXPECT_EQ(tessera_launch(module, "plain", arguments, 2, nullptr),
            TESSERA_INVALID_ARGUMENT);
}

TEST_F(Launch, ErrorsOfTheDriverAreReported) {
  setenv(kFailVariable, "cuLaunchKernel=719", 1);
  EXPECT_EQ(scale(2000), TESSERA_DRIVER_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "scale: launching kernel \"scale_kernel\" with grid 2x1x1, 128 "
               "threads, 65536 bytes of dynamic shared memory: "
               "CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)");
  // What had been allocated is freed.
  EXPECT_EQ(scale(2001), TESSERA_DRIVER_ERROR);
  EXPECT_EQ(calls("cuMemFreeAsync").size(), 1u);
  setenv(kFailVariable, "cuMemAllocAsync=2", 1);
  EXPECT_EQ(scale(2001), TESSERA_DRIVER_ERROR);
  EXPECT_STREQ(tessera_last_error(), "scale: 8004 bytes of scratch memory: "
                                     "CUDA_ERROR_OUT_OF_MEMORY");
  // Errors without a name show their number.
  setenv(kFailVariable, "cuMemsetD8Async=4242", 1);
  EXPECT_EQ(scale(2001), TESSERA_DRIVER_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "scale: filling 8004 bytes: CUDA error 4242");
  unsetenv(kFailVariable);
  EXPECT_EQ(scale(2001), TESSERA_SUCCESS);
}

TEST_F(Launch, CodeThatCannotBeLoaded) {
  setenv(kFailVariable, "cuModuleLoadDataEx=209", 1);
  EXPECT_EQ(scale(2001), TESSERA_DRIVER_ERROR);
  EXPECT_EQ(std::string(tessera_last_error()),
            "loading " + kInputs +
                "/scale.fake, compiled for sm_90a, on a device of sm_90: "
                "CUDA_ERROR_NO_BINARY_FOR_GPU");
  setenv(kFailVariable, "cuFuncSetAttribute=1", 1);
  EXPECT_EQ(scale(2000), TESSERA_DRIVER_ERROR);
  EXPECT_STREQ(tessera_last_error(),
               "kernel \"scale_kernel\" with 65536 bytes of dynamic shared "
               "memory: CUDA error 1");
  // Nothing was filled before it was known that nothing can be launched.
  EXPECT_TRUE(calls("cuMemsetD8Async").empty());
  // A failure is not remembered.
  unsetenv(kFailVariable);
  EXPECT_EQ(scale(2000), TESSERA_SUCCESS);
}

TEST_F(Launch, EachContextLoadsItsOwnCode) {
  void *first = createContext(), *second = createContext();
  setCurrent(first);
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  setCurrent(second);
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  setCurrent(first);
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  EXPECT_EQ(calls("cuModuleLoadDataEx").size(), 2u);
  EXPECT_EQ(calls("cuLaunchKernel").size(), 3u);
  // A new context at an old address does not know the old one's code.
  symbol<void (*)(void *)>("fakeRecreateContext")(first);
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  EXPECT_EQ(calls("cuModuleLoadDataEx").size(), 3u);
}

TEST_F(Launch, AThreadWithoutAContextGetsOne) {
  std::thread([&] {
    ASSERT_EQ(scale(2000), TESSERA_SUCCESS) << tessera_last_error();
    ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  }).join();
  std::vector<json> made = calls("cuCtxSetCurrent");
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0]["primary"], true);
  // With a stream, the stream's; fake streams are at their context's address.
  clearLog();
  void *context = createContext();
  std::thread([&] {
    ASSERT_EQ(scale(2000, context), TESSERA_SUCCESS) << tessera_last_error();
  }).join();
  ASSERT_EQ(calls("cuCtxSetCurrent").size(), 1u);
  EXPECT_EQ(calls("cuCtxSetCurrent")[0]["primary"], false);
}

TEST_F(Launch, UnloadingUnloadsFromEveryContext) {
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  setCurrent(createContext());
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  tessera_unload(module);
  module = nullptr;
  std::vector<json> unloads = calls("cuModuleUnload");
  ASSERT_EQ(unloads.size(), 2u);
  EXPECT_NE(unloads[0]["context"], unloads[1]["context"]);
}

TEST_F(Launch, ThreadsShareAModule) {
  constexpr int kThreads = 8, kLaunches = 50;
  void *context = createContext();
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      setCurrent(context);
      for (int j = 0; j < kLaunches; ++j)
        failures += scale(j % 2 ? 2000 : 2001) != TESSERA_SUCCESS;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(calls("cuLaunchKernel").size(), size_t(kThreads * kLaunches));
  EXPECT_EQ(calls("cuModuleLoadDataEx").size(), 1u);
}

TEST_F(Launch, Occupancy) {
  int blocks = 0;
  ASSERT_EQ(tessera_kernel_occupancy(module, "scale_any", &blocks),
            TESSERA_SUCCESS);
  // The fake driver divides 2048 threads by 8 warps of 32.
  EXPECT_EQ(blocks, 8);
  json call = calls("cuOccupancyMaxActiveBlocksPerMultiprocessor").at(0);
  EXPECT_EQ(call["shared"], 1024);
  EXPECT_EQ(tessera_kernel_occupancy(module, "absent", &blocks),
            TESSERA_NOT_FOUND);
}

TEST_F(Launch, MultiprocessorsAreCountedOncePerDevice) {
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  clearLog();
  setCurrent(createContext());
  ASSERT_EQ(scale(2000), TESSERA_SUCCESS);
  EXPECT_TRUE(calls("cuDeviceGetAttribute").empty());
}

} // namespace
