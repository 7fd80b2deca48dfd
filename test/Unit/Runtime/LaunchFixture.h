//===- LaunchFixture.h - launching with a fake driver ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Runtime/FakeDriver.c stands in for CUDA. Each test empties its log,
// calls the C API and reads which driver calls came of it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_LAUNCHFIXTURE_H
#define TESSERA_TEST_UNIT_RUNTIME_LAUNCHFIXTURE_H

#include "TestManifests.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tessera::runtime {

inline constexpr const char *kFailVariable = "TESSERA_FAKE_DRIVER_FAIL";
inline const std::string kInputs = TESSERA_TEST_INPUTS;

/// Where the fake driver writes.
inline const std::string &logPath() {
  static const std::string path =
      testing::TempDir() + "tessera-fake-driver-" + std::to_string(getpid());
  return path;
}

class Launch : public testing::Test {
protected:
  void SetUp() override {
    driver = dlopen(TESSERA_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(driver, nullptr) << dlerror();
    unsetenv(kFailVariable);
    setCurrent(createContext());
    ASSERT_EQ(tessera_load((kInputs + "/scale.json").c_str(), &module),
              TESSERA_SUCCESS)
        << tessera_last_error();
    clearLog();
  }
  void TearDown() override {
    unsetenv(kFailVariable);
    tessera_unload(module);
  }

  template <typename Function> Function symbol(const char *name) {
    return reinterpret_cast<Function>(dlsym(driver, name));
  }
  void *createContext() { return symbol<void *(*)()>("fakeCreateContext")(); }
  void setCurrent(void *context) {
    symbol<int (*)(void *)>("cuCtxSetCurrent")(context);
  }

  void clearLog() { std::remove(logPath().c_str()); }

  /// The calls since clearLog(), or those of one function.
  std::vector<nlohmann::json> calls(const std::string &name = "") {
    std::ifstream file(logPath());
    std::vector<nlohmann::json> found;
    for (std::string line; std::getline(file, line);) {
      nlohmann::json call = nlohmann::json::parse(line);
      if (name.empty() || call["call"] == name)
        found.push_back(call);
    }
    return found;
  }

  /// scale(y = 0x10000, x = 0x20000, factor = 0.5, n).
  tessera_status scale(int64_t n, void *stream = nullptr) {
    tessera_argument arguments[] = {tessera_pointer(0x10000),
                                    tessera_pointer(0x20000),
                                    tessera_float(0.5), tessera_integer(n)};
    tessera_launch_options options = {};
    options.stream = stream;
    return tessera_launch(module, "scale", arguments, 4, &options);
  }

  void *driver = nullptr;
  tessera_module *module = nullptr;
};

} // namespace tessera::runtime

#endif // TESSERA_TEST_UNIT_RUNTIME_LAUNCHFIXTURE_H
