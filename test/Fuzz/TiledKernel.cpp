//===- TiledKernel.cpp - random products of matrices ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TiledKernel.h"

#include "FilledLoad.h"

#include "tessera/Interpreter/Random.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::fuzz;
using llvm::formatv;

namespace {
/// What computes the tiles. Rows: a loop with stages over the rows of one
/// column of tiles, without one along k, so that tiles are stored where copies
/// run ahead.
enum class Tiles { Grid, Loop, Nest, Rows };

class Writer {
public:
  explicit Writer(uint64_t seed) : random(seed), later(~seed) {
    type = random.pick({"f16", "f16", "bf16"});
    out = random.chance(1, 2) ? "f32" : type;
    bm = random.pick({64, 64, 128});
    bn = random.pick({16, 32, 64, 64, 128});
    bk = random.pick({16, 32, 64});
    turnsA = random.chance(1, 4);
    turnsB = random.chance(1, 4);
    twice = random.chance(1, 5);
    loadsInit = random.chance(1, 4);
    tiles = random.pick({Tiles::Grid, Tiles::Loop, Tiles::Loop, Tiles::Nest});
    if (later.chance(1, 8))
      tiles = Tiles::Rows;
    fills = later.chance(1, 4);
    // Too few rows for wgmma.
    if (fills && later.chance(1, 2))
      bm = 32;
  }

  std::string write();

private:
  void line(const std::string &text) { body += "  " + text + "\n"; }
  /// A descriptor of rows x columns, and its tiles of the given shape.
  void describe(const char *name, const char *rows, const char *columns,
                const std::string &element, int64_t tileRows,
                int64_t tileColumns);
  std::string tile(int64_t rows, int64_t columns, const std::string &element) {
    return formatv("tensor<{0}x{1}x{2}>", rows, columns, element);
  }
  std::string desc(int64_t rows, int64_t columns, const std::string &element) {
    return formatv("!tile.desc<{0}x{1}x{2}>", rows, columns, element);
  }
  void writeConstants();
  void writeTile();
  void writeProduct();
  void writeResult(std::string value);
  void writeA(const char *step);
  void writeB(const char *step);
  void writeRows();
  /// A number times a size of tiles, in 32 bits or in as many as it takes.
  void scale(const char *result, const char *number, int64_t size);
  std::string load(const char *name, const char *row, const char *column,
                   int64_t rows, int64_t columns, const std::string &element);
  /// A tile of A or B, by a descriptor or filled; if it `turns`, the array is
  /// stored the other way.
  void loadOperand(const std::string &result, FilledLoad operand, bool turns);
  void writeBody();

  /// Choices that came later draw from the second: what other seeds give stays.
  interpreter::Random random, later;
  std::string type, out, body;
  int64_t bm, bn, bk;
  /// Whether an operand is stored with k along the other dimension; whether
  /// there are two products, of which the second is added; whether D is loaded.
  bool turnsA, turnsB, twice, loadsInit;
  /// Whether A and B are loaded by pointers, with an 'other'.
  bool fills;
  Tiles tiles;
};
} // namespace

void Writer::describe(const char *name, const char *rows, const char *columns,
                      const std::string &element, int64_t tileRows,
                      int64_t tileColumns) {
  line(formatv("%d{0} = tile.make_desc %{0}, [%{1}, %{2}], [%{2}, %one] : "
               "!tile.ptr<{3}>, [i32, i32], [i32, i32] -> {4}",
               name, rows, columns, element,
               desc(tileRows, tileColumns, element)));
}

std::string Writer::load(const char *name, const char *row, const char *column,
                         int64_t rows, int64_t columns,
                         const std::string &element) {
  return formatv("tile.desc_load %d{0}[%{1}, %{2}] : {3}, [i32, i32] -> {4}",
                 name, row, column, desc(rows, columns, element),
                 tile(rows, columns, element));
}

void Writer::writeConstants() {
  line("%zero = arith.constant 0 : i32");
  line("%one = arith.constant 1 : i32");
  for (auto [name, size] : {std::pair("bm", bm), {"bn", bn}, {"bk", bk}}) {
    line(formatv("%{0} = arith.constant {1} : i32", name, size));
    line(formatv("%log_{0} = arith.constant {1} : i32", name,
                 llvm::Log2_64(size)));
  }
  std::string acc = tile(bm, bn, "f32");
  line(formatv("%zeros = arith.constant dense<0.0> : {0}", acc));
  line(formatv("%halves = arith.constant dense<0.5> : {0}", acc));
  describe("a", turnsA ? "k" : "m", turnsA ? "m" : "k", type, turnsA ? bk : bm,
           turnsA ? bm : bk);
  describe("b", turnsB ? "n" : "k", turnsB ? "k" : "n", type, turnsB ? bn : bk,
           turnsB ? bk : bn);
  describe("c", "m", "n", out, bm, bn);
  if (loadsInit)
    describe("d", "m", "n", "f32", bm, bn);
}

void Writer::scale(const char *result, const char *number, int64_t size) {
  const char *name = size == bm ? "bm" : "bn";
  if (random.chance(4, 5))
    line(formatv("%{0} = arith.shli %{1}, %log_{2} : i32", result, number,
                 name));
  else
    line(formatv("%{0} = arith.muli %{1}, %{2} : i32", result, number, name));
}

void Writer::loadOperand(const std::string &result, FilledLoad operand,
                         bool turns) {
  std::string loaded = turns ? result + "t" : result;
  if (turns) {
    std::swap(operand.starts[0], operand.starts[1]);
    std::swap(operand.extents[0], operand.extents[1]);
    std::swap(operand.shape[0], operand.shape[1]);
  }
  auto [rows, columns] = operand.shape;
  if (fills)
    body += operand.write(loaded, later);
  else
    line(formatv("%{0} = {1}", loaded,
                 load(operand.array, operand.starts[0], operand.starts[1], rows,
                      columns, type)));
  if (turns)
    line(formatv("%{0} = tile.trans %{1}, [1, 0] : {2} -> {3}", result, loaded,
                 tile(rows, columns, type), tile(columns, rows, type)));
}

/// Tile `step` of A along k: %x.
void Writer::writeA(const char *step) {
  loadOperand("x", {"a", type, step, {"row", step}, {"m", "k"}, {bm, bk}},
              turnsA);
}

/// Tile `step` of B along k: %y.
void Writer::writeB(const char *step) {
  loadOperand("y", {"b", type, step, {step, "col"}, {"k", "n"}, {bk, bn}},
              turnsB);
}

/// The loop: %sum.
void Writer::writeProduct() {
  std::string acc = tile(bm, bn, "f32"), a = tile(bm, bk, type),
              b = tile(bk, bn, type);
  std::string init = random.pick({"zeros", "zeros", "halves"});
  if (loadsInit) {
    line("%init = " + load("d", "row", "col", bm, bn, "f32"));
    init = "init";
  }
  line(formatv("%sum = scf.for %i = %zero to %k step %bk iter_args(%acc = "
               "%{0}) -> ({1}) : i32 {{",
               init, acc));
  writeA("i");
  writeB("i");
  line(formatv("%first = tile.dot %x, %y, %acc : {0}, {1} -> {2}", a, b, acc));
  if (twice) {
    line(formatv("%other = tile.dot %x, %y, %{3} : {0}, {1} -> {2}", a, b, acc,
                 random.pick({"zeros", "halves", "first"})));
    line(formatv("%next = arith.maximumf %first, %other : {0}", acc));
  }
  line(formatv("scf.yield %{0} : {1}", twice ? "next" : "first", acc));
  line(formatv("} {{tile.num_stages = {0} : i32}", 1 + random.below(5)));
}

/// Something elementwise, and the store.
void Writer::writeResult(std::string value) {
  std::string acc = tile(bm, bn, "f32");
  for (const char *name : {"scaled", "shown", "moved"}) {
    if (!random.chance(1, 3))
      continue;
    line(formatv("%{0} = arith.{1} %{2}, %{3} : {4}", name,
                 random.pick({"mulf", "addf", "maximumf"}), value,
                 random.pick({"halves", "zeros"}), acc));
    value = name;
  }
  if (out != "f32") {
    line(formatv("%out = tile.convert %{0} : {1} -> {2}", value, acc,
                 tile(bm, bn, out)));
    value = "out";
  }
  line(formatv("tile.desc_store %dc[%row, %col], %{0} : {1}, [i32, i32], {2}",
               value, desc(bm, bn, out), tile(bm, bn, out)));
}

void Writer::writeTile() {
  writeProduct();
  writeResult("sum");
}

/// C is A B of the first columns of A alone.
void Writer::writeRows() {
  line("%pid = tile.program_id x");
  scale("col", "pid", bn);
  writeB("zero");
  line("scf.for %row = %zero to %m step %bm : i32 {");
  writeA("zero");
  line(formatv("%first = tile.dot %x, %y, %{0} : {1}, {2} -> {3}",
               random.pick({"zeros", "halves"}), tile(bm, bk, type),
               tile(bk, bn, type), tile(bm, bn, "f32")));
  writeResult("first");
  line(formatv("} {{tile.num_stages = {0} : i32}", 1 + random.below(5)));
}

/// All tiles of a program.
void Writer::writeBody() {
  if (tiles == Tiles::Rows)
    return writeRows();
  if (tiles == Tiles::Nest) {
    line("scf.for %row = %zero to %m step %bm : i32 {");
    line("scf.for %col = %zero to %n step %bn : i32 {");
    writeTile();
    line("}");
    return line("}");
  }
  line("%pid = tile.program_id x");
  line("%tiles_m = arith.ceildivsi %m, %bm : i32");
  line("%tiles_n = arith.ceildivsi %n, %bn : i32");
  if (tiles == Tiles::Loop) {
    line("%tiles = arith.muli %tiles_m, %tiles_n : i32");
    line("%programs = tile.num_programs x");
    line("scf.for %t = %pid to %tiles step %programs : i32 {");
  }
  const char *number = tiles == Tiles::Loop ? "t" : "pid";
  line(formatv("%tile_m = arith.divsi %{0}, %tiles_n : i32", number));
  line(formatv("%tile_n = arith.remsi %{0}, %tiles_n : i32", number));
  scale("row", "tile_m", bm);
  scale("col", "tile_n", bn);
  writeTile();
  if (tiles == Tiles::Loop)
    line(random.pick({"}", "} {tile.tile_loop = #tile.tile_loop<ordered>}",
                      "} {tile.tile_loop = #tile.tile_loop<independent>}",
                      "} {tile.tile_loop = #tile.tile_loop<independent>}"}));
}

std::string Writer::write() {
  writeConstants();
  writeBody();
  std::string first = formatv("%a: !tile.ptr<{0}>", type);
  std::string others =
      formatv(", %b: !tile.ptr<{0}>, %c: !tile.ptr<{1}>, %d: !tile.ptr<f32>, "
              "%m: i32, %n: i32, %k: i32",
              type, out);
  const char *grid = tiles == Tiles::Grid   ? "%tiles"
                     : tiles == Tiles::Rows ? "%tiles_n"
                     : tiles == Tiles::Loop ? random.pick({"%one", "%two"})
                                            : "%one";
  // With many warps few programs are resident, which keep their number when the
  // next tile's copies have buffers of their own.
  std::string warps;
  if (random.chance(1, 2))
    warps = formatv(" attributes {{tile.num_warps = {0} : i32}",
                    random.pick({4, 8, 16, 32}));
  // A's copies run ahead of stores to C only where these do not change it.
  const char *facts = tiles == Tiles::Rows ? " {tile.readonly}" : "";
  return "tile.func @fuzz_kernel(" + first + facts + others + ")" + warps +
         " {\n" + body + "  tile.return\n}\ntile.launch @fuzz(" + first +
         others + ") {\n" +
         std::string(formatv(
             "  %one = tile.plan.constant 1\n"
             "  %two = tile.plan.constant 2\n"
             "  %tiles_m = tile.plan.cdiv %m, {0} : i32\n"
             "  %tiles_n = tile.plan.cdiv %n, {1} : i32\n"
             "  %tiles = tile.plan.mul %tiles_m, %tiles_n : i64, i64\n"
             "  tile.plan.dispatch @fuzz_kernel grid({2} : i64) args(%a, %b, "
             "%c, %d, %m, %n, %k) : !tile.ptr<{3}>, !tile.ptr<{3}>, "
             "!tile.ptr<{4}>, !tile.ptr<f32>, i32, i32, i32\n}\n",
             bm, bn, grid, type, out));
}

std::string fuzz::makeTiledKernel(uint64_t seed) {
  return Writer(seed).write();
}
