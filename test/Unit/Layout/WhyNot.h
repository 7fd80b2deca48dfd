//===- WhyNot.h - the reason of a refusal -----------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_WHYNOT_H
#define TESSERA_TEST_UNIT_LAYOUT_WHYNOT_H

#include "tessera/Layout/LinearLayout.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace tessera::test {

/// The error of a call that has to give no layout.
inline std::string whyNot(const std::optional<LinearLayout> &layout,
                          const std::string &error) {
  EXPECT_FALSE(layout);
  return error;
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_LAYOUT_WHYNOT_H
