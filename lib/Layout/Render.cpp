//===- Render.cpp - pictures of layouts -----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Grid answers what both forms of picture need: how many rows and columns are
// drawn, who holds an element first, who else does. Text and SVG are two ways
// to write it down. All arithmetic is on integers, so that output is the same
// everywhere.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Render.h"

#include "tessera/Layout/DimNames.h"

#include <algorithm>

namespace tessera {

namespace {

/// Shared memory (CUDA C++ Programming Guide, "Shared Memory").
constexpr int64_t kBanks = 32;
constexpr int64_t kBankBytes = 4;
/// Banks of 16 bytes, the widest access of one thread.
constexpr int64_t kChunkBanks = 4;

using Place = std::vector<LinearLayout::NamedValue>;

/// The short form of an input dim, in the order of printing.
constexpr std::pair<const char *, char> kHolderDims[] = {
    {kBlockDim, 'b'}, {kWarpDim, 'w'}, {kLaneDim, 't'}, {kRegisterDim, 'r'}};

int32_t valueOf(const Place &place, std::string_view dim) {
  for (const auto &[name, value] : place)
    if (name == dim)
      return value;
  return 0;
}

/// A picture's elements as cells of rows and columns.
class Grid {
public:
  Grid(const LayoutPicture &picture, GridLimits limits)
      : picture(picture), inverse(*picture.layout.pseudoInvert()) {
    const std::vector<LayoutDim> &dims = picture.layout.outDims();
    if (dims.size() == 2) {
      allRows = dims[0].size;
      allColumns = dims[1].size;
    } else {
      allColumns = std::min(dims[0].size, limits.columns);
      allRows = (dims[0].size + allColumns - 1) / allColumns;
    }
    rows = std::min(allRows, limits.rows);
    columns = std::min(allColumns, limits.columns);
  }

  bool isOneDimensional() const { return picture.layout.outDims().size() == 1; }
  /// The index that a row's heading shows.
  int32_t rowIndex(int32_t row) const {
    return isOneDimensional() ? row * allColumns : row;
  }
  /// Whether the cell holds an element; the last row of a tensor with one axis
  /// may be shorter than the others.
  bool hasElement(int32_t row, int32_t column) const {
    return !isOneDimensional() ||
           rowIndex(row) + column < picture.layout.outDims()[0].size;
  }

  /// The first place of a cell's element.
  Place placeOf(int32_t row, int32_t column) const {
    return inverse.apply(
        isOneDimensional()
            ? Place{{tensorDimName(0), rowIndex(row) + column}}
            : Place{{tensorDimName(0), row}, {tensorDimName(1), column}});
  }

  int64_t byteOf(const Place &place) const {
    return picture.startByte +
           int64_t(valueOf(place, kOffsetDim)) * picture.elementBytes;
  }
  /// The bank of the element's first byte.
  int64_t bankOf(const Place &place) const {
    return byteOf(place) / kBankBytes % kBanks;
  }
  int64_t threadOf(const Place &place) const {
    return int64_t(valueOf(place, kWarpDim)) *
               picture.layout.getInDimSize(kLaneDim) +
           valueOf(place, kLaneDim);
  }

  std::string textOf(const Place &place) const;
  /// Sentences under the grid: replicas, wide elements, what was left out.
  std::vector<std::string> notes() const;

  const LayoutPicture &picture;
  int32_t rows, columns;       ///< Drawn.
  int32_t allRows, allColumns; ///< Of the whole tensor.

private:
  std::string replicasNote() const;
  std::string leftOutNote() const;

  LinearLayout inverse;
};

} // namespace

bool LayoutPicture::isBuffer() const { return layout.hasInDim(kOffsetDim); }

std::string checkPicture(const LayoutPicture &picture) {
  const LinearLayout &layout = picture.layout;
  size_t rank = layout.outDims().size();
  if (rank != 1 && rank != 2)
    return "a picture has one or two axes, the tensor has " +
           std::to_string(rank);
  for (size_t axis = 0; axis < rank; ++axis)
    if (layout.outDims()[axis].name != tensorDimName(static_cast<int>(axis)))
      return "axis " + std::to_string(axis) + " is named '" +
             layout.outDims()[axis].name + "'";
  for (const LayoutDim &dim : layout.inDims()) {
    bool holds =
        std::any_of(std::begin(kHolderDims), std::end(kHolderDims),
                    [&](const auto &known) { return dim.name == known.first; });
    bool alone = dim.name == kOffsetDim && layout.inDims().size() == 1;
    if (!holds && !alone)
      return "there is no picture of the dimension '" + dim.name + "'";
  }
  if (!layout.isSurjective())
    return "the layout leaves elements without a place";
  return {};
}

//===----------------------------------------------------------------------===//
// Cells and notes
//===----------------------------------------------------------------------===//

/// `1 row`, `2 rows`.
static std::string count(int64_t number, const char *noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// `w1 t5 r2` of a layout's dims; without those of value 0 if `sparse`.
static std::string describePlace(const LinearLayout &layout, const Place &place,
                                 bool sparse) {
  std::string text;
  for (const auto &[dim, letter] : kHolderDims) {
    int32_t value = valueOf(place, dim);
    if (!layout.hasInDim(dim) || (sparse && value == 0))
      continue;
    text += (text.empty() ? "" : " ") + std::string(1, letter) +
            std::to_string(value);
  }
  return text;
}

std::string Grid::textOf(const Place &place) const {
  if (picture.isBuffer())
    return std::to_string(valueOf(place, kOffsetDim)) + " b" +
           std::to_string(bankOf(place));
  return describePlace(picture.layout, place, /*sparse=*/false);
}

/// A free bit e contributes L(e), which its pseudo-inverse p = R(L(e)) reaches
/// with other bits: L(e ^ p) = 0. These vectors are a basis of the null space.
std::string Grid::replicasNote() const {
  const LinearLayout &layout = picture.layout;
  std::string vectors;
  int freeBits = 0;
  std::map<std::string, int32_t> freeMasks = layout.freeVariableMasks();
  for (const LayoutDim &dim : layout.inDims())
    for (int bit = 0; bit < layout.getInDimSizeLog2(dim.name); ++bit) {
      if (!(freeMasks[dim.name] >> bit & 1))
        continue;
      ++freeBits;
      Place vector = inverse.apply(layout.apply({{dim.name, 1 << bit}}));
      for (auto &[name, value] : vector)
        if (name == dim.name)
          value ^= 1 << bit;
      vectors += (vectors.empty() ? "{" : ", {") +
                 describePlace(layout, vector, /*sparse=*/true) + "}";
    }
  if (freeBits == 0)
    return {};
  return "Each element is held " + std::to_string(int64_t(1) << freeBits) +
         " times; a cell names the first place. The others: xor any of " +
         vectors + ".";
}

std::string Grid::leftOutNote() const {
  auto part = [](int32_t left, const char *noun, int64_t first, int64_t last) {
    return count(left, noun) + " (" + std::to_string(first) +
           (last > first ? ".." + std::to_string(last) : "") + ")";
  };
  std::string text;
  if (isOneDimensional() && rows < allRows) {
    int32_t size = picture.layout.outDims()[0].size, first = rowIndex(rows);
    text = part(size - first, "element", first, size - 1);
  } else {
    if (rows < allRows)
      text = part(allRows - rows, "row", rows, allRows - 1);
    if (columns < allColumns)
      text += (text.empty() ? "" : " and ") +
              part(allColumns - columns, "column", columns, allColumns - 1);
  }
  return text.empty() ? text : "Left out: " + text + ".";
}

std::vector<std::string> Grid::notes() const {
  std::vector<std::string> notes;
  if (picture.isBuffer() && picture.elementBytes > kBankBytes)
    notes.push_back("An element lies in " +
                    count(picture.elementBytes / kBankBytes, "bank") +
                    ", of which the first is named.");
  for (std::string note : {replicasNote(), leftOutNote()})
    if (!note.empty())
      notes.push_back(std::move(note));
  return notes;
}

/// What a cell means and what the layout's sizes are.
static std::string describeLayout(const LayoutPicture &picture) {
  const LinearLayout &layout = picture.layout;
  if (picture.isBuffer())
    return count(layout.getInDimSize(kOffsetDim), "element") + " of " +
           count(picture.elementBytes, "byte") + " from byte " +
           std::to_string(picture.startByte);
  std::string text;
  for (const auto &[dim, letter] : kHolderDims)
    if (layout.hasInDim(dim))
      text +=
          (text.empty() ? "" : " x ") + count(layout.getInDimSize(dim), dim);
  return text;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Appends a line of cells, each as wide as its column, without blanks at the
/// end. Headings of rows stand to the right, everything else to the left.
static void appendRow(std::string &out, const std::vector<std::string> &cells,
                      const std::vector<size_t> &widths) {
  std::string line(widths[0] - cells[0].size(), ' ');
  line += cells[0];
  for (size_t i = 1; i < cells.size(); ++i)
    line += "  " + cells[i] + std::string(widths[i] - cells[i].size(), ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

std::string renderText(const LayoutPicture &picture, GridLimits limits) {
  Grid grid(picture, limits);
  std::vector<std::vector<std::string>> table(1, {""});
  for (int32_t column = 0; column < grid.columns; ++column)
    table[0].push_back((grid.isOneDimensional() ? "+" : "") +
                       std::to_string(column));
  for (int32_t row = 0; row < grid.rows; ++row) {
    table.push_back({std::to_string(grid.rowIndex(row))});
    for (int32_t column = 0; column < grid.columns; ++column)
      table.back().push_back(grid.hasElement(row, column)
                                 ? grid.textOf(grid.placeOf(row, column))
                                 : "");
  }
  std::vector<size_t> widths(table[0].size(), 0);
  for (const std::vector<std::string> &cells : table)
    for (size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max(widths[i], cells[i].size());

  std::string out;
  for (const std::string &line : picture.title)
    out += line + "\n";
  out += describeLayout(picture) + "\n";
  for (const std::vector<std::string> &cells : table)
    appendRow(out, cells, widths);
  for (const std::string &note : grid.notes())
    out += note + "\n";
  return out;
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

namespace {
/// Lengths in pixels.
constexpr int kCellHeight = 20, kFont = 11, kCharWidth = 7, kMargin = 16;
constexpr int kLineHeight = 16, kHeadingWidth = 48, kSwatchWidth = 150;

/// Writes panels below each other and grows with them.
class SvgWriter {
public:
  void addPanel(const LayoutPicture &picture, GridLimits limits);
  std::string finish() const;

private:
  void text(int x, int y, const char *kind, const std::string &contents);
  void box(int x, int y, int width, int height, const std::string &colour);
  void addCells(const Grid &grid, int cellWidth);
  void addLegend(const Grid &grid, int width);

  std::string body;
  int y = kMargin;
  int width = 0;
};
} // namespace

static std::string escapeXml(const std::string &text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += ' '; // XML has no other control characters.
    else
      out += c;
  }
  return out;
}

/// The colour with a hue in degrees, the saturation 70 % and a lightness in
/// thousandths, as #rrggbb.
static std::string colour(int64_t hue, int64_t lightness) {
  int64_t amplitude = std::min(lightness, 1000 - lightness) * 7 / 10;
  std::string out = "#";
  // HSL to RGB (CSS Color Module Level 3, "HSL color values") in the form
  // L - A * max(-1, min(k - 3, 9 - k, 1)), k = (n + hue / 30) mod 12; here k is
  // counted in degrees.
  for (int64_t n : {0, 240, 120}) {
    int64_t k = (n + hue) % 360;
    int64_t slope =
        std::max<int64_t>(-30, std::min<int64_t>({k - 90, 270 - k, 30}));
    int64_t value = (lightness - amplitude * slope / 30) * 255 / 1000;
    out += "0123456789abcdef"[value / 16];
    out += "0123456789abcdef"[value % 16];
  }
  return out;
}

/// A hue for each number, neighbours far apart: steps of the golden angle.
static int64_t hueOf(int64_t number) { return (200 + number * 137) % 360; }

/// From light to dark; dark enough to see, light enough for black text.
static int64_t lightnessOf(int64_t number, int64_t numbers) {
  return 920 - (numbers > 1 ? 300 * number / (numbers - 1) : 0);
}

static std::string colourOf(const Grid &grid, const Place &place) {
  if (grid.picture.isBuffer()) {
    int64_t bank = grid.bankOf(place);
    return colour(bank / kChunkBanks * 360 / (kBanks / kChunkBanks),
                  lightnessOf(bank % kChunkBanks, kChunkBanks));
  }
  return colour(hueOf(valueOf(place, kWarpDim)),
                lightnessOf(valueOf(place, kLaneDim),
                            grid.picture.layout.getInDimSize(kLaneDim)));
}

/// What stands in a cell of a picture.
static std::string labelOf(const Grid &grid, const Place &place) {
  if (grid.picture.isBuffer())
    return std::to_string(valueOf(place, kOffsetDim)) + ":" +
           std::to_string(grid.bankOf(place));
  return std::to_string(grid.threadOf(place)) + ":" +
         std::to_string(valueOf(place, kRegisterDim));
}

void SvgWriter::text(int x, int y, const char *kind,
                     const std::string &contents) {
  body += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
          "\" class=\"" + kind + "\">" + escapeXml(contents) + "</text>\n";
}

void SvgWriter::box(int x, int y, int width, int height,
                    const std::string &colour) {
  body += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
          "\" width=\"" + std::to_string(width) + "\" height=\"" +
          std::to_string(height) + "\" fill=\"" + colour + "\"/>\n";
}

void SvgWriter::addCells(const Grid &grid, int cellWidth) {
  int left = kMargin + kHeadingWidth;
  for (int32_t column = 0; column < grid.columns; ++column)
    text(left + column * cellWidth + cellWidth / 2, y + kLineHeight - 4, "c",
         (grid.isOneDimensional() ? "+" : "") + std::to_string(column));
  y += kLineHeight;
  for (int32_t row = 0; row < grid.rows; ++row, y += kCellHeight) {
    text(left - 6, y + kCellHeight - 6, "h",
         std::to_string(grid.rowIndex(row)));
    for (int32_t column = 0; column < grid.columns; ++column) {
      if (!grid.hasElement(row, column))
        continue;
      Place place = grid.placeOf(row, column);
      int x = left + column * cellWidth;
      box(x, y, cellWidth, kCellHeight, colourOf(grid, place));
      text(x + cellWidth / 2, y + kCellHeight - 6, "c", labelOf(grid, place));
    }
  }
  y += kLineHeight / 2;
}

/// One swatch a warp (16 bytes of banks), from its lightest to its darkest.
void SvgWriter::addLegend(const Grid &grid, int width) {
  const LinearLayout &layout = grid.picture.layout;
  bool isBuffer = grid.picture.isBuffer();
  int64_t lanes = layout.getInDimSize(kLaneDim);
  int64_t entries =
      isBuffer ? kBanks / kChunkBanks : layout.getInDimSize(kWarpDim);
  int64_t members = isBuffer ? kChunkBanks : lanes;
  int perLine = std::max(1, width / kSwatchWidth);
  for (int64_t entry = 0; entry < entries; ++entry) {
    int x = kMargin + static_cast<int>(entry % perLine) * kSwatchWidth;
    if (entry > 0 && entry % perLine == 0)
      y += kLineHeight;
    int64_t hue = isBuffer ? entry * 360 / entries : hueOf(entry);
    box(x, y, 10, 12, colour(hue, lightnessOf(0, members)));
    box(x + 10, y, 10, 12, colour(hue, lightnessOf(members - 1, members)));
    std::string range = std::to_string(entry * members) + ".." +
                        std::to_string((entry + 1) * members - 1);
    text(x + 26, y + 10, "n",
         isBuffer ? "banks " + range
                  : "w" + std::to_string(entry) + ": t" + range);
  }
  y += kLineHeight + 4;
}

void SvgWriter::addPanel(const LayoutPicture &picture, GridLimits limits) {
  Grid grid(picture, limits);
  size_t longest = 0;
  for (int32_t row = 0; row < grid.rows; ++row)
    for (int32_t column = 0; column < grid.columns; ++column)
      if (grid.hasElement(row, column))
        longest =
            std::max(longest, labelOf(grid, grid.placeOf(row, column)).size());
  int cellWidth = static_cast<int>(longest) * kCharWidth + 8;

  std::vector<std::string> above = picture.title, below = grid.notes();
  above.push_back(describeLayout(picture));
  above.push_back(picture.isBuffer() ? "A cell reads offset:bank."
                                     : "A cell reads thread:register.");
  size_t longestLine = 0;
  for (const std::vector<std::string> *lines : {&above, &below})
    for (const std::string &line : *lines)
      longestLine = std::max(longestLine, line.size());
  int gridWidth = kHeadingWidth + grid.columns * cellWidth;
  int panelWidth =
      std::max({gridWidth, static_cast<int>(longestLine) * kCharWidth,
                4 * kSwatchWidth});
  width = std::max(width, panelWidth);

  auto addLines = [&](const std::vector<std::string> &lines) {
    for (const std::string &line : lines) {
      text(kMargin, y + kFont, "n", line);
      y += kLineHeight;
    }
  };
  addLines(above);
  addCells(grid, cellWidth);
  addLegend(grid, panelWidth);
  addLines(below);
  y += kMargin;
}

std::string SvgWriter::finish() const {
  std::string size = std::to_string(width + 2 * kMargin),
              height = std::to_string(y);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
         size + "\" height=\"" + height + "\" viewBox=\"0 0 " + size + " " +
         height +
         "\">\n"
         "<style>text { font: " +
         std::to_string(kFont) +
         "px monospace; fill: #000 } rect { stroke: #fff } "
         ".c { text-anchor: middle } .h { text-anchor: end }</style>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         body + "</svg>\n";
}

std::string renderSvg(const std::vector<LayoutPicture> &pictures,
                      GridLimits limits) {
  SvgWriter writer;
  for (const LayoutPicture &picture : pictures)
    writer.addPanel(picture, limits);
  return writer.finish();
}

} // namespace tessera
