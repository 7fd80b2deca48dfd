//===- AsyncDepthTest.cpp - products that stop at the end of k ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left out, and what is said where that is not zero.
//
//===----------------------------------------------------------------------===//

#include "AsyncFixture.h"

using namespace tessera;
using namespace tessera::interpreter;
using namespace tessera::interpreter::async;

namespace {

const std::vector<std::string> kNothing;
const std::string kTitle =
    "element behind the depth of a product that is not zero: ";

/// 64x32 times 32x16 with `depth`, both operands `a` and `b` everywhere, and
/// accumulators of 1, asserted to be `wanted` then.
std::string multiply(const std::string &a, const std::string &b, int32_t depth,
                     const std::string &wanted) {
  return R"(
    %va = arith.constant dense<)" +
         a + R"(> : tensor<64x32xf16, #wide>
    %vb = arith.constant dense<)" +
         b + R"(> : tensor<32x16xf16, #tall>
    %acc = arith.constant dense<1.0> : !acc
    %wanted = arith.constant dense<)" +
         wanted + R"(> : !acc
    %depth = arith.constant )" +
         std::to_string(depth) + R"( : i32
    %a = tile_gpu.alloc : !a32
    %bb = tile_gpu.alloc : !b32
    tile_gpu.local_store %va, %a : tensor<64x32xf16, #wide>, !a32
    tile_gpu.local_store %vb, %bb : tensor<32x16xf16, #tall>, !b32
    tile_gpu.fence_async
    tile_gpu.barrier
    %d = tile_gpu.wgmma %a, %bb, %acc depth %depth : !a32, !b32 -> !acc
    %f = tile_gpu.wgmma_wait %d pending = 0 : !acc
    %same = arith.cmpf oeq, %f, %wanted : !acc
    tile.assert %same, "the product" : tensor<64x16xi1, #acc>
  )";
}

class AsyncDepth : public Async {
protected:
  /// Findings of the product above.
  std::vector<std::string> product(const std::string &a, const std::string &b,
                                   int32_t depth, const std::string &wanted) {
    std::string body = multiply(a, b, depth, wanted);
    // Rows of 64 and of 32 bytes; chunk c of row r lies at c ^ (r / 2 % 4) and
    // at c ^ (r / 4 % 2).
    replace(body, "!a32",
            "!tile_gpu.buffer<64x32xf16, #tile_gpu.shared<[[0, 1], [0, 2], "
            "[0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], "
            "[16, 0], [32, 0]]>>");
    replace(body, "!b32",
            "!tile_gpu.buffer<32x16xf16, #tile_gpu.shared<[[0, 1], [0, 2], "
            "[0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>>");
    replace(body, "#wide",
            "#tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], "
            "lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], "
            "warp = [[8, 0], [16, 0]]>");
    replace(body, "#tall",
            "#tile_gpu.layout<register = [[0, 1], [0, 2]], "
            "lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], "
            "warp = [[8, 0], [16, 0]]>");
    return run(body);
  }

private:
  static void replace(std::string &text, const std::string &from,
                      const std::string &to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
  }
};

} // namespace

TEST_F(AsyncDepth, BehindTheEndNothingIsLeftOut) {
  // 1 + 32 * 2 * 3
  EXPECT_EQ(product("2.0", "3.0", 32, "193.0"), kNothing);
  EXPECT_EQ(product("2.0", "3.0", 33, "193.0"), kNothing);
  EXPECT_EQ(product("2.0", "3.0", 1 << 30, "193.0"), kNothing);
}

TEST_F(AsyncDepth, WhatIsNotZeroIsNamed) {
  // Both steps are made where the depth is in the second.
  for (int32_t depth : {31, 17}) {
    std::string detail = kTitle + "depth is " + std::to_string(depth);
    EXPECT_EQ(product("2.0", "3.0", depth, "193.0"),
              std::vector<std::string>{detail});
  }
}

TEST_F(AsyncDepth, StepsAreLeftOut) {
  // 1 + 16 * 2 * 3. The first step is made with any depth.
  for (int32_t depth : {16, 1, 0, -1, -(1 << 30)}) {
    std::string detail = kTitle + "depth is " + std::to_string(depth);
    EXPECT_EQ(product("2.0", "3.0", depth, "97.0"),
              std::vector<std::string>{detail});
  }
}

TEST_F(AsyncDepth, OneOperandOfZerosIsNotEnough) {
  std::vector<std::string> found{kTitle + "depth is 16"};
  EXPECT_EQ(product("0.0", "3.0", 16, "1.0"), found);
  EXPECT_EQ(product("2.0", "0.0", 16, "1.0"), found);
  EXPECT_EQ(product("0.0", "0.0", 16, "1.0"), kNothing);
  EXPECT_EQ(product("0.0", "-0.0", 0, "1.0"), kNothing);
}
