# ===- evaluate_tiles.py - which tiles the programs of a kernel compute ----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: evaluate_tiles.py IR [--order grouped|column|hilbert|row] [--persistent]
                            [--plane] [--argument]

IR is a module with one kernel of scalars that prints its tile:

    tile.print "row", %row : i32
    tile.print "column", %column : i32

Runs the kernel's arithmetic on 32-bit integers, that wrap and must not be
divided by zero, for every program of random grids, and compares: each tile once,
in the order as it is defined. The kernel's arguments are taken by their names:
columns, group_m (with --argument), and for --persistent tiles, tiles_x, tiles_y.
"""

import argparse
import random
import re

VALUE = re.compile(r"%[\w\-]+")


def wrap(number, bits=32):
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def divide(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BINARY = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b, "divsi": divide,
    "remsi": lambda a, b: a - divide(a, b) * b, "minsi": min, "maxsi": max,
    "andi": lambda a, b: a & b}
COMPARE = {"slt": lambda a, b: a < b, "sle": lambda a, b: a <= b,
           "sgt": lambda a, b: a > b, "sge": lambda a, b: a >= b,
           "eq": lambda a, b: a == b}


class Kernel:
    def __init__(self, text):
        lines = [line.strip() for line in text.splitlines()]
        start = next(i for i, line in enumerate(lines)
                     if line.startswith("tile.func"))
        self.arguments = re.findall(r"%(\w+): i32", lines[start])
        self.body = lines[start + 1:lines.index("tile.return", start)]

    def run(self, arguments, program, grid):
        """The tiles that one program prints, in order."""
        self.values = {"%" + name: arguments[name] for name in self.arguments}
        self.program, self.grid, self.printed = program, grid, []
        self.execute(0, len(self.body))
        rows, columns = self.printed[0::2], self.printed[1::2]
        assert [kind for kind, _ in rows] == ["row"] * len(rows)
        assert [kind for kind, _ in columns] == ["column"] * len(columns)
        return [(row, column) for (_, row), (_, column) in zip(rows, columns)]

    def execute(self, line, end):
        """Runs lines up to `end`; returns what an scf.yield gave."""
        while line < end:
            text = self.body[line]
            if "scf.for" in text:
                line = self.loop(line)
                continue
            if text.startswith("scf.yield"):
                return [self.values[name] for name in VALUE.findall(text)]
            self.step(text)
            line += 1
        return []

    def loop(self, line):
        depth, last = 1, line
        while depth:
            last += 1
            text = self.body[last]
            depth += text.endswith("{") - text.startswith("}")
        head = self.body[line]
        names = VALUE.findall(head.split("->")[0])
        names = names[1 if "iter_args" in head else 0:]
        counter, low, high, step = names[:4]
        carried = list(zip(names[4::2], names[5::2]))
        tile, high = self.values[low], self.values[high]
        current = [self.values[init] for _, init in carried]
        unsigned = "scf.for unsigned" in head
        assert unsigned or high + self.values[step] < 2 ** 31
        while tile < high:
            self.values[counter] = tile
            self.values.update((name, value) for (name, _), value
                               in zip(carried, current))
            current = self.execute(line + 1, last)
            tile += self.values[step]
        return last + 1

    def step(self, text):
        if text.startswith("tile.print"):
            kind, name = re.match(r'tile.print "(\w+)", (%[\w\-]+)', text).groups()
            self.printed.append((kind, self.values[name]))
            return
        if re.match(r"%[\w\-]+ = tile\.(addptr|splat|load) ", text):
            return  # Memory is of no interest.
        result, op, rest = re.match(r"(%[\w\-]+) = ([\w.]+) (.*)", text).groups()
        rest = rest.strip()
        bits = 64 if rest.endswith("i64") else 32
        operands = [self.values[name] for name in VALUE.findall(rest)]
        name = op.split(".")[1]
        if op == "arith.constant":
            value = int(rest.split()[0])
        elif op == "tile.program_id":
            value = self.program["xyz".index(rest)]
        elif op == "tile.num_programs":
            value = self.grid["xyz".index(rest)]
        elif name == "cmpi":
            value = int(COMPARE[rest.split(",")[0]](*operands))
        elif name == "select":
            value = operands[1] if operands[0] else operands[2]
        elif name == "extsi":
            value = operands[0]
        else:
            value = wrap(BINARY[name](*operands), bits)
        self.values[result] = value


def hilbert(side, number):
    """Row and column of a point of the curve, by its recursive definition."""
    if side == 1:
        return 0, 0
    half, quarter = side // 2, side * side // 4
    row, column = hilbert(half, number % quarter)
    return [(column, row), (row + half, column), (row + half, column + half),
            (half - 1 - column, side - 1 - row)][number // quarter]


def define(order, group, rows, columns):
    """The tiles in order, as the order is defined."""
    if order == "row":
        return [(row, column) for row in range(rows) for column in range(columns)]
    if order == "column":
        group = rows
    tiles = []
    for first in range(0, rows, group):
        size = min(group, rows - first)
        if order != "hilbert":
            tiles += [(row, column) for column in range(columns)
                      for row in range(first, first + size)]
            continue
        for left in range(0, columns, group):
            width = min(group, columns - left)
            if size == group == width:
                points = [hilbert(group, i) for i in range(group * group)]
                tiles += [(first + row, left + column) for row, column in points]
            else:
                tiles += [(row, column) for column in range(left, left + width)
                          for row in range(first, first + size)]
    return tiles


def run_all(kernel, options, rows, columns, group, programs):
    """The tiles of all programs: lists, by program."""
    arguments = {"columns": columns, "group_m": group, "tiles": rows * columns,
                 "tiles_x": columns, "tiles_y": rows}
    if options.persistent:
        grids = [((p, 0, 0), (programs, 1, 1)) for p in range(programs)]
    elif options.plane:
        grids = [((x, y, 0), (columns, rows, 1))
                 for y in range(rows) for x in range(columns)]
    else:
        grids = [((p, 0, 0), (rows * columns, 1, 1))
                 for p in range(rows * columns)]
    return [kernel.run(arguments, program, grid) for program, grid in grids]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ir")
    parser.add_argument("--order", default="row")
    parser.add_argument("--group", type=int, default=8)
    parser.add_argument("--persistent", action="store_true")
    parser.add_argument("--plane", action="store_true")
    parser.add_argument("--argument", action="store_true")
    options = parser.parse_args()
    with open(options.ir) as file:
        kernel = Kernel(file.read())
    random.seed(5)
    trials = 25
    for _ in range(trials):
        rows, columns = random.randint(1, 22), random.randint(1, 22)
        group = random.randint(1, 40) if options.argument else options.group
        programs = random.randint(1, rows * columns)
        found = run_all(kernel, options, rows, columns, group, programs)
        wanted = define(options.order, group, rows, columns)
        assert sorted(wanted) == sorted(set(wanted))
        shares = len(found)
        for program, tiles in enumerate(found):
            assert tiles == wanted[program::shares], (rows, columns, group, program)
    print(f"{trials} grids")


main()
