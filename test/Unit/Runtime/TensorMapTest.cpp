//===- TensorMapTest.cpp - types and tensors of maps ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestManifests.h"

#include <gtest/gtest.h>

using namespace tessera::runtime;

namespace {

/// What is wrong with a tensor for a map of boxes of 16x8 f16.
std::string fault(uint64_t address, std::array<int64_t, 2> extents,
                  std::array<int64_t, 2> strides) {
  auto type = parseTensorMapType("tensor_map<16x8xf16, swizzle = 0>");
  uint64_t numbers[] = {uint64_t(extents[0]), uint64_t(extents[1]),
                        uint64_t(strides[0]), uint64_t(strides[1])};
  return describeTensorFault(*type, {address, numbers, numbers + 2});
}

TEST(TensorMapType, IsParsed) {
  auto type = parseTensorMapType("tensor_map<128x64xbf16, swizzle = 128>");
  ASSERT_TRUE(type);
  EXPECT_EQ(type->rank, 2u);
  EXPECT_EQ(type->box[0], 128u);
  EXPECT_EQ(type->box[1], 64u);
  EXPECT_EQ(type->elementBytes, 2u);
  EXPECT_EQ(type->swizzle, 128u);
  // cuda.h: CU_TENSOR_MAP_DATA_TYPE_BFLOAT16.
  EXPECT_EQ(type->dataType, 9);
  struct {
    const char *name;
    int dataType;
    uint32_t bytes;
  } elements[] = {{"i8", 0, 1},   {"f8E4M3FN", 0, 1}, {"f8E5M2", 0, 1},
                  {"i16", 1, 2},  {"i32", 3, 4},      {"i64", 5, 8},
                  {"f16", 6, 2},  {"f32", 7, 4},      {"f64", 8, 8}};
  for (auto &element : elements) {
    auto found = parseTensorMapType("tensor_map<1x2x3x16x" +
                                    std::string(element.name) +
                                    ", swizzle = 0>");
    ASSERT_TRUE(found) << element.name;
    EXPECT_EQ(found->rank, 4u);
    EXPECT_EQ(found->dataType, element.dataType);
    EXPECT_EQ(found->elementBytes, element.bytes);
  }
}

TEST(TensorMapType, RefusesOthers) {
  for (const char *text :
       {"", "tensor_map", "tensor_map<>", "tensor_map<f16, swizzle = 0>",
        "tensor_map<64xf16>", "tensor_map<64xf16, swizzle = 16>",
        "tensor_map<64xf16, swizzle = 128> ", "tensor_map<64xf16, swizzle = >",
        "tensor_map<64xf16, swizzle = 00128>", "tensor_map<0x64xf16, swizzle = 0>",
        "tensor_map<257x64xf16, swizzle = 0>", "tensor_map<-1xf16, swizzle = 0>",
        "tensor_map<99999999999x64xf16, swizzle = 0>",
        "tensor_map<64xi1, swizzle = 0>", "tensor_map<64xptr<f16>, swizzle = 0>",
        "tensor_map<4xf16, swizzle = 0>", "tensor_map<65xf16, swizzle = 0>",
        "tensor_map<128xf16, swizzle = 128>", "tensor_map<32xf16, swizzle = 32>",
        "tensor_map<1x1x1x1x1x64xf16, swizzle = 0>"})
    EXPECT_FALSE(parseTensorMapType(text)) << text;
}

TEST(TensorMapType, TheDriversLimits) {
  EXPECT_EQ(fault(0x1000, {100, 70}, {72, 1}), "");
  EXPECT_EQ(fault(0x1000, {int64_t(1) << 32, 1}, {8, 1}), "");
  EXPECT_EQ(fault(0x1000, {(int64_t(1) << 32) + 1, 1}, {8, 1}),
            "has the extent 4294967297 in dimension 0, which is not from 0 to "
            "2^32");
  EXPECT_EQ(fault(0x1000, {1, -1}, {8, 1}),
            "has the extent -1 in dimension 1, which is not from 0 to 2^32");
  EXPECT_EQ(fault(0x1008, {100, 70}, {72, 1}),
            "has an address that is no multiple of 16 bytes");
  const std::string stride = ", which is no positive multiple of 16 bytes below "
                             "2^40";
  EXPECT_EQ(fault(0x1000, {100, 70}, {70, 1}),
            "has the stride 70 in dimension 0" + stride);
  EXPECT_EQ(fault(0x1000, {100, 70}, {0, 1}),
            "has the stride 0 in dimension 0" + stride);
  EXPECT_EQ(fault(0x1000, {100, 70}, {-8, 1}),
            "has the stride -8 in dimension 0" + stride);
  // 2^39 elements of 2 bytes are 2^40 bytes.
  EXPECT_EQ(fault(0x1000, {100, 70}, {int64_t(1) << 39, 1}),
            "has the stride 549755813888 in dimension 0" + stride);
  EXPECT_EQ(fault(0x1000, {100, 70}, {(int64_t(1) << 39) - 8, 1}), "");
  EXPECT_EQ(fault(0x1000, {100, 70}, {INT64_MAX, 1}),
            "has the stride 9223372036854775807 in dimension 0" + stride);
  EXPECT_EQ(fault(0x1000, {100, 70}, {72, 2}),
            "has the stride 2 in dimension 1, which is not 1");
  // Without elements, only extents count.
  EXPECT_EQ(fault(0x1001, {0, 70}, {-3, 5}), "");
}

/// The refusal of a manifest like maps.json with one piece replaced.
std::string refuse(const std::string &piece, const std::string &other) {
  std::string text = readInput("maps.json");
  size_t place = text.find(piece);
  EXPECT_NE(place, std::string::npos) << piece;
  return refusal(text.replace(place, piece.size(), other));
}

TEST(TensorMapManifest, RefusesWrongOnes) {
  EXPECT_EQ(refusal(readInput("maps.json")), "");
  EXPECT_EQ(refuse("128x64xf16, swizzle", "128x64xf16, swizzles"),
            "kernels[0].arguments[0].type: unknown type "
            "\"tensor_map<128x64xf16, swizzles = 128>\"");
  EXPECT_EQ(refuse("\"ptr<f16>\"", "\"tensor_map<64xf16, swizzle = 0>\""),
            "entries[0].arguments[0].type: only kernels take tensor maps");
  const std::string at = "entries[0].body[0].args[0]";
  EXPECT_EQ(refuse("\"extents\": [0, 1]", "\"extents\": [0, 1, 1]"),
            at + ".tensor_map: as many strides as extents are needed");
  EXPECT_EQ(refuse("\"extents\": [0, 1],\n                          "
                   "\"strides\": [2, 3]",
                   "\"extents\": [0], \"strides\": [3]"),
            at + ": a tensor map of rank 1 cannot be the kernel's \"a\" of type "
                 "tensor_map<128x64xf16, swizzle = 128>");
  EXPECT_EQ(refuse("\"extents\": [0, 1]", "\"extents\": [0, 8]"),
            at + ".tensor_map.extents[1]: there is no node 8");
  EXPECT_EQ(refuse("\"pointer\": {\"arg\": 0}", "\"pointer\": {\"arg\": 2}"),
            at + ".tensor_map.pointer: expected a pointer argument or scratch "
                 "memory");
  EXPECT_EQ(refuse("\"pointer\": {\"arg\": 0}", "\"pointer\": {\"scratch\": 0}"),
            at + ".tensor_map.pointer.scratch: no scratch memory 0 at this "
                 "point");
  EXPECT_EQ(refuse("{\"node\": 1}", "{\"tensor_map\": {\"pointer\": {\"arg\": 0}, "
                                    "\"extents\": [0], \"strides\": [3]}}"),
            "entries[0].body[0].args[1]: a tensor map of rank 1 cannot be the "
            "kernel's \"n\" of type i32");
  EXPECT_EQ(refuse("{\"tensor_map\": {\"pointer\": {\"arg\": 0}, \"extents\": [0, 1],"
                   "\n                          \"strides\": [2, 3]}}",
                   "{\"arg\": 0}"),
            at + ": argument \"p\" of type ptr<f16> cannot be the kernel's "
                 "\"a\" of type tensor_map<128x64xf16, swizzle = 128>");
}

} // namespace
