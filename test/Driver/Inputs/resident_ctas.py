# ===- resident_ctas.py - recount the resident CTAs of a manifest ----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: resident_ctas.py MANIFEST TARGET

Every dispatch has the grid min(num_sms * CONSTANT, tiles): compares each constant
with what registers, shared memory and warps of the kernel allow.
"""

import json
import sys

# Shared memory of a multiprocessor in KiB, warps, CTAs.
DEVICES = {"sm_86": (100, 48, 16), "sm_90a": (228, 64, 32), "sm_120a": (100, 48, 24)}


def count(kernel, device):
    kib, warps, ctas = device
    shared = kernel["dynamic_shared_bytes"] + kernel["static_shared_bytes"] + 1024
    limits = [ctas, warps // kernel["num_warps"],
              kib * 1024 // (-(-shared // 128) * 128)]
    if kernel["registers"] is not None:
        of_warp = -(-kernel["registers"] * 32 // 256) * 256
        limits.append(16384 // of_warp * 4 // kernel["num_warps"])
    return min(limits)


def find_dispatches(body):
    for action in body:
        if action["do"] == "dispatch":
            yield action
        for case in action.get("cases", []):
            yield from find_dispatches(case["body"])


def main():
    with open(sys.argv[1]) as file:
        manifest = json.load(file)
    kernels = {kernel["name"]: kernel for kernel in manifest["kernels"]}
    checked = 0
    for entry in manifest["entries"]:
        nodes = entry["nodes"]
        for dispatch in find_dispatches(entry["body"]):
            grid = nodes[dispatch["grid"][0]]
            assert grid["op"] == "min", grid
            product = nodes[grid["args"][0]]
            sms, constant = (nodes[i] for i in product["args"])
            assert (product["op"], sms["op"]) == ("mul", "num_sms")
            wanted = count(kernels[dispatch["kernel"]], DEVICES[sys.argv[2]])
            assert constant["value"] == wanted, (dispatch["kernel"], constant, wanted)
            checked += 1
    assert checked == len(kernels) > 0, checked


main()
