#===- fuzz.py - random kernels on a GPU ------------------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: fuzz.py --build DIR [DIR...] --runtime LIBDIR [--dry-run]

Runs what tile-fuzz --export=DIR has written: random kernels, on inputs for which
the interpreter has said what memory holds afterwards. Every byte has to be that, but
of NaN only that it is one; bytes around the buffers stay as they were. With
--dry-run, plans only, without torch and a GPU.
"""

import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from report import Report
from runtime import import_runtime

# Bytes before and behind a buffer that no kernel may write, and what they hold.
GUARD, GUARD_BYTE = 4096, 0xA5

# Of element types with NaN: bytes, and the bits of exponent and fraction.
FLOATS = {"f16": (2, 0x7C00, 0x03FF), "bf16": (2, 0x7F80, 0x007F),
          "f32": (4, 0x7F800000, 0x007FFFFF),
          "f64": (8, 0x7FF0000000000000, 0x000FFFFFFFFFFFFF),
          "f8E5M2": (1, 0x7C, 0x03), "f8E4M3FN": (1, 0x7F, 0x00)}


def is_nan(elements, exponent, fraction):
    """Of integers with a float's bits."""
    if not fraction:  # All bits set.
        return (elements & exponent) == exponent
    return ((elements & exponent) == exponent) & ((elements & fraction) != 0)


def find_wrong(buffer, got, want, compared):
    """The first byte that differs and should not, counted from the buffer's first;
    None for none. Tensors of bytes."""
    import torch
    differs = (got != want) & (compared != 0)
    if not differs.any():
        return None
    if buffer["type"] in FLOATS:
        size, exponent, fraction = FLOATS[buffer["type"]]
        kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size]
        skip = buffer["before"] % size  # In front of the first whole element.
        count = (len(got) - skip) // size * size
        both = [is_nan(bits[skip:skip + count].clone().view(kind), exponent, fraction)
                for bits in (got, want)]
        same = (both[0] & both[1]).repeat_interleave(size)
        differs[skip:skip + count] &= ~same
    return int(differs.nonzero()[0]) if differs.any() else None


class Memory:
    """A buffer between guards: `storage` on the GPU, and where its pointer points."""

    def __init__(self, buffer, contents):
        import torch
        self.buffer, size = buffer, buffer["size"]
        room = -(-max(0, buffer["before"]) // 256) * 256
        self.first = GUARD + room + buffer["misalignment"] - buffer["before"]
        self.storage = torch.full((self.first + size + GUARD,), GUARD_BYTE,
                                  dtype=torch.uint8, device="cuda")
        assert self.storage.data_ptr() % 256 == 0
        self.want = {key: torch.frombuffer(
            bytearray(contents[buffer[key]:buffer[key] + size]), dtype=torch.uint8)
            if size else torch.empty(0, dtype=torch.uint8)
            for key in ("initial", "expected", "compared")}
        self.storage[self.first:self.first + size] = self.want["initial"].cuda()
        self.pointer = self.storage.data_ptr() + self.first + buffer["before"]

    def problems(self):
        after, size = self.storage.cpu(), self.buffer["size"]
        inside = after[self.first:self.first + size]
        around = (after[:self.first], after[self.first + size:])
        problems = []
        if any((part != GUARD_BYTE).any() for part in around):
            problems.append(f"writes outside of {self.buffer['name']}")
        wrong = find_wrong(self.buffer, inside, self.want["expected"],
                           self.want["compared"])
        if wrong is not None:
            problems.append(f"byte {wrong - self.buffer['before']} of "
                            f"{self.buffer['name']} is {int(inside[wrong])}, not "
                            f"{int(self.want['expected'][wrong])}")
        return problems


def call(function, run, pointers, **more):
    """What a run calls an entry, or its plan, with."""
    arguments = [pointers[argument["buffer"]] if "buffer" in argument
                 else argument["value"] for argument in run["arguments"]]
    if "grid" in run:
        more["grid"] = run["grid"]
    return function(*arguments, **more)


def run_once(entry, run, contents):
    """Launches an entry; returns what is wrong."""
    import torch
    memories = [Memory(buffer, contents) for buffer in run["buffers"]]
    call(entry, run, [memory.pointer for memory in memories])
    torch.cuda.synchronize()
    return [problem for memory in memories for problem in memory.problems()]


def plan_once(entry, run):
    """On made-up addresses of the right alignment."""
    addresses = [(i + 1) * 2**40 + buffer["misalignment"]
                 for i, buffer in enumerate(run["buffers"])]
    plan = call(entry.plan, run, addresses, num_sms=132)
    return [] if "actions" in plan else ["no actions"]


def check_kernel(path, runtime, report, dry_run):
    """All runs of a kernel."""
    runs = json.loads(path.with_suffix(".case").read_text())
    contents = path.with_suffix(".bin").read_bytes()
    with runtime.load(str(path)) as module:
        for number, run in enumerate(runs):
            entry = getattr(module, run["entry"])
            name = f"{path.stem} input {number} ({run['input']})"
            try:
                problems = (plan_once(entry, run) if dry_run else
                            run_once(entry, run, contents))
            except Exception as error:  # pylint: disable=broad-except
                problems = [f"{type(error).__name__}: {error}"]
            report.check(name, problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", required=True, nargs="+", type=pathlib.Path)
    parser.add_argument("--runtime", type=pathlib.Path)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    runtime = import_runtime(options.runtime, options.build[0])
    report = Report()
    for folder in options.build:
        for path in sorted(folder.glob("*.json")):
            check_kernel(path, runtime, report, options.dry_run)
    print(report.summary())
    return 0 if report.succeeded() else 1


if __name__ == "__main__":
    sys.exit(main())
