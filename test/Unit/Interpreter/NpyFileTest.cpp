//===- NpyFileTest.cpp - reading and writing .npy files -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files written byte by byte here, as the format's definition says, and files
// that are broken at random.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/NpyFile.h"

#include "gtest/gtest.h"

#include <random>

using namespace tessera::interpreter;

namespace {

/// A file of a version with this header and data.
std::string makeFile(std::string header, const std::string &data,
                     int version = 1) {
  std::string file = "\x93NUMPY";
  file += char(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += char(header.size() >> (8 * i));
  return file + header + data;
}

std::string makeHeader(const std::string &type, const std::string &shape,
                       const std::string &order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

/// The message of a file that cannot be read, or "".
std::string getError(const std::string &file) {
  llvm::Expected<NpyArray> array = parseNpy(file);
  return array ? "" : llvm::toString(array.takeError());
}

} // namespace

TEST(NpyFile, ReadsAllVersions) {
  for (int version : {1, 2, 3}) {
    auto array =
        parseNpy(makeFile(makeHeader("<i2", "(2, 3)"), "aAbBcCdDeEfF", version));
    ASSERT_TRUE(bool(array)) << version;
    EXPECT_EQ(array->getTypeName(), "i2");
    EXPECT_EQ(array->shape, Shape({2, 3}));
    EXPECT_EQ(std::string(array->bytes.begin(), array->bytes.end()),
              "aAbBcCdDeEfF");
  }
}

TEST(NpyFile, TransposesFortranOrder) {
  // Element [i, j] is the letter number 3 i + j; columns follow each other.
  auto array = parseNpy(makeFile(makeHeader("|u1", "(2, 3)", "True"), "adbecf"));
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(std::string(array->bytes.begin(), array->bytes.end()), "abcdef");
}

TEST(NpyFile, ReadsOtherSpellings) {
  EXPECT_EQ(getError(makeFile("{\"shape\":(),\"descr\":\"|b1\","
                              "\"fortran_order\":False}",
                              "a")),
            "");
  EXPECT_EQ(getError(makeFile(makeHeader("<f8", "(1L,)"), "12345678")), "");
  EXPECT_EQ(getError(makeFile(makeHeader(">u1", "(2,)"), "12")), "");
  EXPECT_EQ(getError(makeFile(makeHeader("<f4", "(0, 5)"), "")), "");
}

TEST(NpyFile, SaysWhatIsWrong) {
  EXPECT_EQ(getError("PK\x03\x04"), "it is no .npy file");
  EXPECT_EQ(getError(""), "it is no .npy file");
  EXPECT_EQ(getError(makeFile(makeHeader("<f4", "(1,)"), "1234", 4)),
            "version 4.0 of the format is not known");
  EXPECT_EQ(getError(makeFile(makeHeader(">f4", "(1,)"), "1234")),
            "elements are big-endian ('>f4')");
  EXPECT_EQ(getError(makeFile(makeHeader("<c8", "(1,)"), "12345678")),
            "elements of type '<c8' are not supported");
  EXPECT_EQ(getError(makeFile("{'descr': [('a', '<f4')], }", "")),
            "records are not supported");
  EXPECT_EQ(getError(makeFile(makeHeader("<f4", "(2, 2)"), "1234")),
            "it is cut short: the header tells of 2x2 elements of 4 bytes, but "
            "4 bytes follow");
  EXPECT_EQ(getError(makeFile(makeHeader("<f4", "(1,)"), "123456")),
            "it has 2 bytes behind the last element");
  EXPECT_EQ(getError(makeFile(makeHeader("<f4", "(-1,)"), "1234")),
            "the shape is not a tuple of extents");
  EXPECT_EQ(getError(makeFile("{'descr': '<f4', 'descr': '<f4'}", "")),
            "the header has a wrong key, 'descr'");
  EXPECT_EQ(getError(makeFile("{'descr': '<f4'}", "")),
            "the header lacks one of descr, fortran_order and shape");
}

TEST(NpyFile, RefusesProductsThatOverflow) {
  // 2^32 * 2^32 is 0 in 64 bits.
  for (const char *shape :
       {"(4294967296, 4294967296)", "(9223372036854775807,)",
        "(99999999999999999999,)", "(1099511627776, 2)"})
    EXPECT_NE(getError(makeFile(makeHeader("<f4", shape), "1234")), "") << shape;
}

TEST(NpyFile, WritesWhatItReads) {
  HostArray array(ElementKind::BF16, {3, 5});
  fillRandom(array, 7);
  std::string file = writeNpy(array);
  // The elements, 30 bytes, begin at a multiple of 64.
  EXPECT_EQ(file.size() % 64, 30u);
  auto read = parseNpy(file);
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->getTypeName(), "V2");
  auto back = toHostArray(std::move(*read), ElementKind::BF16);
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->shape, array.shape);
  EXPECT_EQ(back->bytes, array.bytes);
}

TEST(NpyFile, KnowsWhichTypesFit) {
  auto read = [](const char *type, ElementKind kind) {
    auto array = parseNpy(makeFile(makeHeader(type, "(1,)"),
                                   std::string(type[2] - '0', '\x02')));
    if (!array)
      return llvm::toString(array.takeError());
    auto host = toHostArray(std::move(*array), kind);
    return host ? std::string() : llvm::toString(host.takeError());
  };
  EXPECT_EQ(read("<f2", ElementKind::F16), "");
  EXPECT_EQ(read("<u4", ElementKind::I32), "");
  EXPECT_EQ(read("<u2", ElementKind::BF16), "");
  EXPECT_EQ(read("|V1", ElementKind::F8E5M2), "");
  EXPECT_EQ(read("<f2", ElementKind::BF16), "it holds f2, not bf16");
  EXPECT_EQ(read("<f4", ElementKind::I32), "it holds f4, not i32");
  EXPECT_EQ(read("|V2", ElementKind::F16), "it holds V2, not f16");
  EXPECT_EQ(read("|u1", ElementKind::I1), "it holds u1, not i1");
}

TEST(NpyFile, SurvivesBrokenFiles) {
  std::string whole =
      makeFile(makeHeader("<f4", "(2, 3)", "True"), std::string(24, 'x'));
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(getError(whole.substr(0, length)), "") << length;
  std::mt19937 random(1);
  const std::string favourites = "'\"(){}[],:<>|=-0123456789TF\xff\0 L";
  for (int round = 0; round < 20000; ++round) {
    std::string file = whole;
    for (int edits = 1 + random() % 4; edits > 0; --edits) {
      size_t place = random() % file.size();
      switch (random() % 3) {
      case 0:
        file[place] = favourites[random() % favourites.size()];
        break;
      case 1:
        file.erase(place, 1 + random() % 8);
        break;
      default:
        file.insert(place, random() % 12,
                    favourites[random() % favourites.size()]);
      }
      if (file.empty())
        break;
    }
    llvm::Expected<NpyArray> array = parseNpy(file);
    if (!array)
      llvm::consumeError(array.takeError());
    else
      EXPECT_EQ(int64_t(array->bytes.size()),
                countElements(array->shape) * array->width);
  }
}
