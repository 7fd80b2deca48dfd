#!/usr/bin/env python3
# ===- occupancy.py - the occupancy calculator beside the driver's ----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# The launch plan of a persistent kernel has the number of programs that a
# multiprocessor holds, as the compiler counts them. Compares it, for every kernel
# of every manifest of --build (made by tools/setup/build_grid_set.py) whose plan
# has one, with cuOccupancyMaxActiveBlocksPerMultiprocessor. Needs the CUDA driver
# and nothing else. Exit status 1 when one differs or fewer than --least kernels
# were compared.
#
#   occupancy.py --build DIR [--least 20]
#
# ===------------------------------------------------------------------------===#

import argparse
import ctypes
import glob
import json
import os
import sys

NUM_REGISTERS, MAX_DYNAMIC_SHARED = 4, 8  # CUfunction_attribute


class Driver:
    """The functions of libcuda that are needed; an error ends the program."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        if error:
            sys.exit(f"{name}: error {error}")

    def load(self, path):
        module = ctypes.c_void_p()
        self.call("cuModuleLoad", ctypes.byref(module), path.encode())
        return module

    def count(self, module, kernel):
        """Registers of a thread, and resident blocks."""
        function, registers, blocks = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
        shared = kernel["dynamic_shared_bytes"]
        self.call("cuModuleGetFunction", ctypes.byref(function), module,
                  kernel["symbol"].encode())
        self.call("cuFuncGetAttribute", ctypes.byref(registers), NUM_REGISTERS, function)
        self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared)
        self.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(blocks),
                  function, 32 * kernel["num_warps"], ctypes.c_size_t(shared))
        return registers.value, blocks.value


def find_dispatches(body):
    for action in body:
        if action["do"] == "dispatch":
            yield action
        for case in action.get("cases", []):
            yield from find_dispatches(case["body"])


def find_counts(manifest):
    """Resident programs by kernel, where a grid is min(num_sms * number, ...)."""
    counts = {}
    for entry in manifest["entries"]:
        nodes = entry["nodes"]
        for dispatch in find_dispatches(entry["body"]):
            grid = nodes[dispatch["grid"][0]]
            if grid["op"] != "min":
                continue
            product = nodes[grid["args"][0]]
            if product["op"] != "mul" or nodes[product["args"][0]]["op"] != "num_sms":
                continue
            counts[dispatch["kernel"]] = nodes[product["args"][1]]["value"]
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--least", type=int, default=20)
    options = parser.parse_args()
    driver = Driver()
    compared = failed = 0
    for path in sorted(glob.glob(os.path.join(options.build, "*.json"))):
        if "programs-per-sm" in path:
            continue  # The number is the user's.
        with open(path) as file:
            manifest = json.load(file)
        counts = find_counts(manifest)
        if not counts:
            continue
        module = driver.load(path[:-len(".json")] + ".cubin")
        for kernel in manifest["kernels"]:
            registers, blocks = driver.count(module, kernel)
            good = (registers, blocks) == (kernel["registers"], counts[kernel["name"]])
            compared += 1
            failed += not good
            print(f"{'ok    ' if good else 'FAILED'} {os.path.basename(path)} "
                  f"{kernel['name']}: {kernel['num_warps']} warps, {registers} registers, "
                  f"{kernel['dynamic_shared_bytes']} bytes: {blocks} resident, "
                  f"compiler {counts[kernel['name']]}")
    print(f"{compared - failed} of {compared} kernels agree")
    return 1 if failed or compared < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
