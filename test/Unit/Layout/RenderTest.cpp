//===- RenderTest.cpp - pictures of layouts -------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All pictures here were drawn by hand from the bases.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Render.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

LinearLayout make(std::vector<LinearLayout::NamedBases> bases,
                  std::vector<LayoutDim> outs) {
  std::string error;
  auto layout = LinearLayout::create(std::move(bases), std::move(outs), &error);
  EXPECT_TRUE(layout) << error;
  return layout.value_or(LinearLayout());
}

/// Example 1 of LinearLayout.h.
LinearLayout registers4x4() {
  return make(
      {{"register", {{0, 1}}}, {"lane", {{0, 2}, {1, 0}}}, {"warp", {{2, 0}}}},
      {{"dim0", 4}, {"dim1", 4}});
}

/// Example 2: columns xor-ed by the row.
LinearLayout swizzled4x4() {
  return make({{"offset", {{0, 1}, {0, 2}, {1, 1}, {2, 2}}}},
              {{"dim0", 4}, {"dim1", 4}});
}

std::string text(const LinearLayout &layout, GridLimits limits = kTextLimits) {
  LayoutPicture picture;
  picture.layout = layout;
  EXPECT_EQ(checkPicture(picture), "");
  return renderText(picture, limits);
}

int count(const std::string &text, const std::string &part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

} // namespace

TEST(RenderText, Registers) {
  EXPECT_EQ(text(registers4x4()),
            "2 warps x 4 lanes x 2 registers\n"
            "   0         1         2         3\n"
            "0  w0 t0 r0  w0 t0 r1  w0 t1 r0  w0 t1 r1\n"
            "1  w0 t2 r0  w0 t2 r1  w0 t3 r0  w0 t3 r1\n"
            "2  w1 t0 r0  w1 t0 r1  w1 t1 r0  w1 t1 r1\n"
            "3  w1 t2 r0  w1 t2 r1  w1 t3 r0  w1 t3 r1\n");
}

TEST(RenderText, TitleAndColumnWidths) {
  // 16 elements, a lane each: from element 10 on cells are wider.
  LayoutPicture picture;
  picture.title = {"first", "second"};
  picture.layout =
      make({{"register", {}}, {"lane", {{1}, {2}, {4}, {8}}}, {"warp", {}}},
           {{"dim0", 16}});
  EXPECT_EQ(renderText(picture, {8, 4}),
            "first\n"
            "second\n"
            "1 warp x 16 lanes x 1 register\n"
            "    +0         +1         +2         +3\n"
            " 0  w0 t0 r0   w0 t1 r0   w0 t2 r0   w0 t3 r0\n"
            " 4  w0 t4 r0   w0 t5 r0   w0 t6 r0   w0 t7 r0\n"
            " 8  w0 t8 r0   w0 t9 r0   w0 t10 r0  w0 t11 r0\n"
            "12  w0 t12 r0  w0 t13 r0  w0 t14 r0  w0 t15 r0\n");
}

TEST(RenderText, RowsNeedNotDivideTheAxis) {
  EXPECT_EQ(text(LinearLayout::identity1D(4, "lane", "dim0"), {8, 3}),
            "4 lanes\n"
            "   +0  +1  +2\n"
            "0  t0  t1  t2\n"
            "3  t3\n");
}

TEST(RenderText, Replicas) {
  // Lane bit 1 does nothing. The warp bit does what register bit 0 does, so
  // that both together do nothing. First holders have t < 2 and w0.
  EXPECT_EQ(
      text(make({{"register", {{1}}}, {"lane", {{2}, {0}}}, {"warp", {{1}}}},
                {{"dim0", 4}})),
      "2 warps x 4 lanes x 2 registers\n"
      "   +0        +1        +2        +3\n"
      "0  w0 t0 r0  w0 t0 r1  w0 t1 r0  w0 t1 r1\n"
      "Each element is held 4 times; a cell names the first place. The "
      "others: xor any of {t2}, {w1 r1}.\n");
}

TEST(RenderText, LeavesOut) {
  EXPECT_EQ(text(registers4x4(), {1, 2}),
            "2 warps x 4 lanes x 2 registers\n"
            "   0         1\n"
            "0  w0 t0 r0  w0 t0 r1\n"
            "Left out: 3 rows (1..3) and 2 columns (2..3).\n");
  std::string one = text(registers4x4(), {3, 4});
  EXPECT_EQ(one.substr(one.rfind("Left")), "Left out: 1 row (3).\n");
  EXPECT_EQ(text(LinearLayout::identity1D(16, "lane", "dim0"), {2, 2}),
            "16 lanes\n"
            "   +0  +1\n"
            "0  t0  t1\n"
            "2  t2  t3\n"
            "Left out: 12 elements (4..15).\n");
}

TEST(RenderText, Buffer) {
  // Offset o holds row o / 4, column (o % 4) ^ row. 2-byte elements: two a
  // bank.
  LayoutPicture picture;
  picture.layout = swizzled4x4();
  picture.elementBytes = 2;
  EXPECT_EQ(renderText(picture), "16 elements of 2 bytes from byte 0\n"
                                 "   0      1      2      3\n"
                                 "0  0 b0   1 b0   2 b1   3 b1\n"
                                 "1  5 b2   4 b2   7 b3   6 b3\n"
                                 "2  10 b5  11 b5  8 b4   9 b4\n"
                                 "3  15 b7  14 b7  13 b6  12 b6\n");
}

TEST(RenderText, BufferOfWideElementsInTheMiddleOfMemory) {
  // Byte 112 is in bank 28; the third element wraps to bank 0.
  LayoutPicture picture;
  picture.layout = LinearLayout::identity1D(4, "offset", "dim0");
  picture.elementBytes = 8;
  picture.startByte = 112;
  EXPECT_EQ(renderText(picture),
            "4 elements of 8 bytes from byte 112\n"
            "   +0     +1     +2    +3\n"
            "0  0 b28  1 b30  2 b0  3 b2\n"
            "An element lies in 2 banks, of which the first is named.\n");
}

TEST(RenderSvg, Cells) {
  LayoutPicture picture;
  picture.title = {"a < b & c > d\n"};
  picture.layout = registers4x4();
  std::string svg = renderSvg({picture});
  EXPECT_EQ(count(svg, "a &lt; b &amp; c &gt; d "), 1);
  // Threads count on over the warps: row 2 begins with thread 4 of 8.
  for (const char *label : {">0:0<", ">0:1<", ">3:1<", ">4:0<", ">7:1<"})
    EXPECT_EQ(count(svg, label), 1) << label;
  EXPECT_EQ(count(svg, ">8:0<"), 0);
  // 16 cells, two boxes for each of two warps, the background.
  EXPECT_EQ(count(svg, "<rect "), 16 + 4 + 1);
  EXPECT_EQ(count(svg, ">w1: t4..7<"), 1);
  EXPECT_EQ(svg, renderSvg({picture}));
}

TEST(RenderSvg, Colours) {
  // Both registers of a thread look alike; each of the 8 threads has a colour.
  LayoutPicture picture;
  picture.layout = registers4x4();
  std::string svg = renderSvg({picture});
  std::map<std::string, int> cells;
  for (size_t at = svg.find("height=\"20\" fill="); at != std::string::npos;
       at = svg.find("height=\"20\" fill=", at + 1))
    ++cells[svg.substr(at + 18, 7)];
  EXPECT_EQ(cells.size(), 8u);
  for (const auto &[colour, number] : cells)
    EXPECT_EQ(number, 2) << colour;
  // Warp 0 has hue 200, saturation 70 %, and lane 0 lightness 92 %: amplitude
  // 5.6 %, so red 86.4 %, blue 97.6 % and, on the slope, green 93.9 % of 255.
  EXPECT_EQ(cells.count("#dceff8"), 1u);
}

TEST(RenderSvg, BuffersAndPanels) {
  LayoutPicture plain, swizzled;
  plain.layout = LinearLayout::identity1D(64, "offset", "dim0");
  swizzled.layout = swizzled4x4();
  swizzled.elementBytes = 2;
  std::string svg = renderSvg({plain, swizzled}, {1, 16});
  // Offset 15 of the first: bank 15. Of the second: row 3, cut off.
  EXPECT_EQ(count(svg, ">15:15<"), 1);
  EXPECT_EQ(count(svg, ">15:7<"), 0);
  EXPECT_EQ(count(svg, "Left out: 48 elements (16..63)."), 1);
  EXPECT_EQ(count(svg, "Left out: 3 rows (1..3)."), 1);
  EXPECT_EQ(count(svg, ">banks 28..31<"), 2);
  EXPECT_EQ(count(svg, "</svg>"), 1);
}

TEST(RenderCheck, Refuses) {
  LayoutPicture picture;
  EXPECT_EQ(checkPicture(picture),
            "a picture has one or two axes, the tensor has 0");
  picture.layout =
      make({{"lane", {{1, 0, 0}}}}, {{"dim0", 2}, {"dim1", 1}, {"dim2", 1}});
  EXPECT_EQ(checkPicture(picture),
            "a picture has one or two axes, the tensor has 3");
  picture.layout = LinearLayout::identity1D(4, "lane", "x");
  EXPECT_EQ(checkPicture(picture), "axis 0 is named 'x'");
  picture.layout = LinearLayout::identity1D(4, "thread", "dim0");
  EXPECT_EQ(checkPicture(picture),
            "there is no picture of the dimension 'thread'");
  picture.layout = make({{"offset", {{1}}}, {"lane", {{2}}}}, {{"dim0", 4}});
  EXPECT_EQ(checkPicture(picture),
            "there is no picture of the dimension 'offset'");
  picture.layout = LinearLayout::strided1D(2, 2, "lane", "dim0");
  EXPECT_EQ(checkPicture(picture),
            "the layout leaves elements without a place");
}
