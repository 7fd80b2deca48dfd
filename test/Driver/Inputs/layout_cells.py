#===- layout_cells.py - check the table of a buffer -----------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: layout_cells.py < TEXT

Reads the cells `OFFSET bBANK` of one buffer of 4-byte elements that begins at
byte 0. Prints how many there are after it has seen that the offsets are a
permutation and that an element's bank is its offset modulo 32.
"""

import re
import sys

cells = [tuple(map(int, cell))
         for cell in re.findall(r"(\d+) b(\d+)\b", sys.stdin.read())]
assert sorted(offset for offset, _ in cells) == list(range(len(cells)))
assert all(bank == offset % 32 for offset, bank in cells)
print(len(cells), "cells")
