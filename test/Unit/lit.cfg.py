#===- lit.cfg.py - how lit runs the GoogleTest programs --------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# The suite's root is the build folder: every program below it whose name ends
# in "Tests" is run, and each of its tests is counted by itself.
#
#===------------------------------------------------------------------------===#

import lit.formats

config.name = "Tessera-Unit"
config.suffixes = []
config.excludes = ["CMakeFiles"]
config.test_format = lit.formats.GoogleTest(".", "Tests")
