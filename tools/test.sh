#!/usr/bin/env bash
#===- test.sh - set up, build and run all tests ----------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Usage: tools/test.sh [LIT-ARGUMENT...]
#
# Does what setup.sh does, then runs the lit tests and the GoogleTest programs
# together. Ends with the line "N passed, N failed", to which ", N skipped" is
# added when tests were skipped; the reason for each stands above that line. The
# exit status is 0 only when no test failed and at least one passed. Arguments go
# to lit: `tools/test.sh --filter=Layout` runs a part.
#
#===------------------------------------------------------------------------===#

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${TESSERA_BUILD_DIR:-$root/build}

# A build that breaks is a failure to report in the same form.
if ! "$root/tools/setup.sh"; then
  echo "the build failed, no test was run"
  echo "0 passed, 1 failed"
  exit 1
fi
exec /usr/bin/python3 "$root/tools/setup/run_tests.py" "$build" "$@"
