#===- run_tests.py - run lit and count what it ran -------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run_tests.py BUILD-FOLDER [LIT-ARGUMENT...]

Runs both suites below BUILD-FOLDER/test, the lit tests and the GoogleTest
programs, in one lit run and ends with one line that counts both:

    N passed, N failed[, N skipped]

A GoogleTest program counts as many tests as it holds. An expected failure is a
pass, an unexpected pass, a time-out and a test that could not be resolved are
failures. The exit status is 0 when nothing failed and something passed.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
# Not selected by --filter or left over after --max-failures: not counted.
UNCOUNTED = {"EXCLUDED"}


def find_lit():
    """lit as Debian's llvm-22-tools installs it, unless $LIT names another."""
    return os.environ.get("LIT", "/usr/lib/llvm-22/bin/lit")


def run_lit(build, arguments):
    """Runs lit and passes on what it prints.

    Returns its exit status, its list of results (empty if it broke) and the
    names of the GoogleTest tests that skipped themselves. lit leaves the latter
    out of the results file; they stand in what it prints:

        Skipped Tests (1):
          Tessera-Unit :: Layout/LayoutTests/Suite/Name
    """
    results = build / "test-results.json"
    results.unlink(missing_ok=True)
    command = [sys.executable, find_lit(), "-sv", "--no-progress-bar",
               "--show-skipped", "--output", str(results), *arguments,
               str(build / "test"), str(build / "test" / "Unit")]
    skipped, in_list = [], False
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                          errors="replace") as lit:
        for line in lit.stdout:
            print(line, end="", flush=True)
            if line.startswith("Skipped Tests ("):
                in_list = True
            elif in_list and line.startswith("  "):
                skipped.append(line.strip())
            else:
                in_list = False
    tests = json.loads(results.read_text())["tests"] if results.exists() else []
    return lit.returncode, tests, skipped


def gtest_skip_reason(build, name):
    """The text given to GTEST_SKIP; lit does not keep it, so run once more."""
    folder, _, test = name.partition(" :: ")[2].partition("Tests/")
    program = build / "test" / "Unit" / (folder + "Tests")
    if not program.is_file():
        return "skipped by the test itself"
    # lit writes Suite/Name for Suite.Name; "?" stands for either separator.
    run = subprocess.run(
        [str(program), "--gtest_filter=" + test.replace("/", "?")],
        capture_output=True, text=True, check=False)
    reason = re.search(r": Skipped\n(.*?)\n\n?\[", run.stdout, re.DOTALL)
    return reason.group(1).strip() if reason else "skipped by the test itself"


def skip_reason(test):
    """lit's own words: the features that the test requires and misses."""
    lines = (test["output"] or "").strip().splitlines()
    return lines[0] if lines else "unsupported here"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    start = time.monotonic()
    status, tests, skipped_gtests = run_lit(build, sys.argv[2:])

    tests = [t for t in tests if t["code"] not in UNCOUNTED]
    passed = [t for t in tests if t["code"] in PASSED]
    unsupported = [t for t in tests if t["code"] == "UNSUPPORTED"]
    failed = len(tests) - len(passed) - len(unsupported)
    # lit itself broke, for instance on a wrong configuration file.
    if status != 0 and failed == 0:
        print(f"lit ended with status {status}")
        failed = 1

    skipped = [(t["name"], skip_reason(t)) for t in unsupported]
    skipped += [(name, gtest_skip_reason(build, name))
                for name in skipped_gtests]
    for name, reason in skipped:
        print(f"skipped: {name}: {reason}")
    slowest = sorted(tests, key=lambda t: -(t["elapsed"] or 0))[:3]
    print(f"the tests took {time.monotonic() - start:.1f} s; slowest: " +
          ", ".join(f"{t['name']} {t['elapsed'] or 0:.1f} s" for t in slowest))
    if not passed:
        print("no test passed")
    line = f"{len(passed)} passed, {failed} failed"
    if skipped:
        line += f", {len(skipped)} skipped"
    print(line, flush=True)
    return 0 if failed == 0 and passed else 1


if __name__ == "__main__":
    sys.exit(main())
