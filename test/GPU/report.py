#===- report.py - collect the outcomes of checks ---------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Counts checks, prints those that fail, keeps all for results.json."""


class Report:
    """checks is a list of {"name", "problems"}, skipped of {"name", "reason"}.
    A check without problems has passed."""

    def __init__(self):
        self.checks = []
        self.skipped = []

    def check(self, name, problems):
        self.checks.append({"name": name, "problems": list(problems)})
        for problem in problems:
            print(f"FAILED {name}: {problem}", flush=True)

    def skip(self, name, reason):
        self.skipped.append({"name": name, "reason": reason})
        print(f"skipped: {name}: {reason}", flush=True)

    @property
    def failed(self):
        return sum(bool(check["problems"]) for check in self.checks)

    def summary(self):
        passed = len(self.checks) - self.failed
        line = f"{passed} passed, {self.failed} failed"
        return line + (f", {len(self.skipped)} skipped" if self.skipped else "")

    def succeeded(self):
        """Nothing failed, and something was checked."""
        return self.failed == 0 and bool(self.checks)
