#===- check_style.py - rules on sources that a script can check ------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: check_style.py ROOT

Prints one line `FILE:LINE: what is wrong` for each breach found below the
folders include, lib, tools, test and docs of ROOT; exits 1 when there is one.
FILE is relative to ROOT. Folders named Inputs are not looked into.

  - A FileCheck directive without its colon, or one that FileCheck does not know
    (CHECK-NXT:), is a comment to FileCheck: a check that never fails.
  - The name of a remark is in lower case with dashes: remarks are filtered by it.
  - A file below test/ has at most 300 lines, any other source at most 1000.
"""

import pathlib
import re
import sys

FOLDERS = ("include", "lib", "tools", "test", "docs")
# What counts as a source for the limit on lines.
SOURCES = {".c", ".cmake", ".cpp", ".h", ".md", ".mlir", ".py", ".sh", ".td",
           ".test", ".txt"}
LIT_TESTS = {".mlir", ".test"}
MAX_TEST_LINES = 300
MAX_SOURCE_LINES = 1000

PREFIX_OPTION = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")
# What may follow a prefix, up to the colon.
SUFFIX = re.compile(
    r"(-(NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?(\{LITERAL\})?:")

REMARK = re.compile(r"RemarkOpts::name\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


def check_prefixes(text):
    """Names of the directives that the test's RUN lines turn on."""
    prefixes = {"CHECK"}
    for names in PREFIX_OPTION.findall(text):
        prefixes.update(names.split(","))
    # A longer name first: CHECK-PTX is a prefix of its own, not CHECK with an
    # unknown suffix.
    return sorted(prefixes, key=len, reverse=True)


def bad_directives(text):
    """Yields (line number, directive) for each that FileCheck would ignore."""
    names = "|".join(map(re.escape, check_prefixes(text)))
    directive = re.compile(r"^\s*(?://|#|;)\s*((?:" + names + r")(?![\w]))(\S*)")
    for number, line in enumerate(text.splitlines(), start=1):
        match = directive.match(line)
        if match and not SUFFIX.match(match.group(2)):
            yield number, match.group(1) + match.group(2)


def bad_remark_names(text):
    """Yields (line number, name) for each remark that is not named like-this."""
    for match in REMARK.finditer(text):
        for name in re.findall(r'"([^"]*)"', match.group(1)):
            if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
                yield text.count("\n", 0, match.start()) + 1, name


def problems(root, path):
    """Yields the breaches in one file as printable lines."""
    name = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    limit = MAX_TEST_LINES if name.parts[0] == "test" else MAX_SOURCE_LINES
    if lines > limit:
        yield f"{name}:{limit + 1}: {lines} lines, at most {limit} allowed"
    if path.suffix == ".cpp":
        for number, remark in bad_remark_names(text):
            yield f"{name}:{number}: remark '{remark}' is not named like-this"
    if path.suffix in LIT_TESTS:
        for number, directive in bad_directives(text):
            yield (f"{name}:{number}: '{directive}' is no FileCheck directive "
                   "and would be ignored")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root).parts
            if path.suffix in SOURCES and "Inputs" not in inside:
                found += problems(root, path)
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
