#===- print_actions.py - what launches do on a device of some size ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: print_actions.py MANIFEST ENTRY SMS CALL...

As print_plans.py, for a device of SMS multiprocessors, and with the memory that a
plan fills.
"""

import ast
import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import print_plans


def describe(action):
    if action["do"] == "fill":
        name = action["pointer"]["arg"]
        return f"fill {action['bytes']} bytes of {name} with {action['value']}"
    return print_plans.describe(action)


def main():
    manifest, entry, sms, *calls = sys.argv[1:]
    runtime = print_plans.tessera_runtime
    plan = runtime.load(manifest)[entry].plan
    for call in calls:
        try:
            actions = plan(*ast.literal_eval(call), num_sms=int(sms))["actions"]
        except runtime.TesseraError as error:
            print(f"{call}: refused: {error}")
            continue
        print(f"{call}: " + ", ".join(filter(None, map(describe, actions))))


if __name__ == "__main__":
    main()
