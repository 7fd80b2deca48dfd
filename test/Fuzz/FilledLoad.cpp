//===- FilledLoad.cpp - loads with something beside zeros -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilledLoad.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::fuzz;
using llvm::formatv;

std::string FilledLoad::tensor(const std::string &type) const {
  return formatv("tensor<{0}x{1}x{2}>", shape[0], shape[1], type);
}

/// Of one dimension: which places there are, and what they add to the offset,
/// for the whole tile.
std::string FilledLoad::writeDimension(unsigned dim) const {
  std::string p = formatv("%{0}{1}", array, dim);
  std::string one = formatv("tensor<{0}xi32>", shape[dim]);
  std::string text = formatv("  {0}r = tile.arange : {1}\n"
                             "  {0}s = tile.splat %{2} : i32 -> {1}\n"
                             "  {0}i = arith.addi {0}r, {0}s : {1}\n"
                             "  {0}n = tile.splat %{3} : i32 -> {1}\n"
                             "  {0}m = arith.cmpi slt, {0}i, {0}n : {1}\n"
                             "  {0}w = tile.splat %{4} : i32 -> {1}\n"
                             "  {0}o = arith.muli {0}i, {0}w : {1}\n",
                             p, one, starts[dim], extents[dim],
                             dim == 0 ? extents[1] : "one");
  for (auto [part, type] : {std::pair("m", "i1"), {"o", "i32"}}) {
    std::string thin = dim == 0 ? formatv("tensor<{0}x1x{1}>", shape[0], type)
                                : formatv("tensor<1x{0}x{1}>", shape[1], type);
    text += formatv("  {0}{1}e = tile.expand_dims {0}{1}, {2} : "
                    "tensor<{3}x{4}> -> {5}\n"
                    "  {0}{1}b = tile.broadcast {0}{1}e : {5} -> {6}\n",
                    p, part, 1 - dim, shape[dim], type, thin, tensor(type));
  }
  return text;
}

/// A constant, or one of two numbers, by the iteration.
std::string FilledLoad::writeOther(interpreter::Random &random) const {
  const char *number = random.pick({"0.5", "1.0", "-0.0"});
  if (random.chance(1, 2))
    return formatv("  %{0}_f = arith.constant dense<{1}> : {2}\n", array,
                   number, tensor(element));
  return formatv("  %{0}_is = arith.cmpi eq, %{1}, %zero : i32\n"
                 "  %{0}_no = arith.constant 2.0 : {2}\n"
                 "  %{0}_yes = arith.constant {3} : {2}\n"
                 "  %{0}_one = arith.select %{0}_is, %{0}_yes, %{0}_no : {2}\n"
                 "  %{0}_f = tile.splat %{0}_one : {2} -> {4}\n",
                 array, step, element, number, tensor(element));
}

std::string FilledLoad::write(const std::string &result,
                              interpreter::Random &random) const {
  std::string pointer = formatv("!tile.ptr<{0}>", element);
  std::string text = writeDimension(0) + writeDimension(1);
  text += formatv("  %{0}_m = arith.andi %{0}0mb, %{0}1mb : {1}\n"
                  "  %{0}_o = arith.addi %{0}0ob, %{0}1ob : {2}\n"
                  "  %{0}_s = tile.splat %{0} : {3} -> {4}\n"
                  "  %{0}_p = tile.addptr %{0}_s, %{0}_o : {4}, {2}\n",
                  array, tensor("i1"), tensor("i32"), pointer, tensor(pointer));
  text += writeOther(random);
  text += formatv("  %{0} = tile.load %{1}_p, %{1}_m, %{1}_f : {2}\n", result,
                  array, tensor(pointer));
  return text;
}
