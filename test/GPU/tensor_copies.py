#===- tensor_copies.py - checks of tensor copies on a GPU ------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: tensor_copies.py --build DIR --runtime LIBDIR [--dry-run]

Runs the copies that tools/setup/build_tma_set.py makes: each equals its source bit
by bit, with zeros outside of it, and nothing beside the copy is written. With
--dry-run, plans only, without torch and a GPU.
"""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from report import Report
from runtime import import_runtime

BYTES = {"f16": 2, "f32": 4}
# Rows and columns of the source and of the copy: few elements, whole boxes, ragged
# ones, copies that are larger and smaller, and nothing. Rows of copies are whole
# pieces of 16 bytes: a store writes no less.
SHAPES = [(1, 1, 1, 8), (64, 128, 64, 128), (64, 16, 64, 16), (63, 129, 63, 136),
          (65, 127, 65, 128), (130, 777, 130, 776), (1000, 1003, 1000, 1000),
          (100, 70, 200, 304), (200, 300, 100, 72), (3, 5000, 3, 5000),
          (8192, 40, 8192, 40), (0, 7, 0, 8), (7, 0, 7, 0)]


def pitch(columns, size, more):
    """A row of a multiple of 16 bytes, and `more` times as much."""
    unit = 16 // size
    return (max(columns, 1) + unit - 1) // unit * unit + more * unit


def discover(folder):
    """(name, element type, path)"""
    for path in sorted(folder.glob("tma-*.json")):
        kind = path.stem.split("-")[1]
        yield path.stem, kind, path


def check_plan(module, kind, report, name):
    """What the driver would be asked for, on addresses alone."""
    plan = module.registers.plan(65536, 131072, 100, 70, 200, 300, 72, 304)
    dispatch = plan["actions"][0]
    first, second, n = dispatch["args"]
    problems = []
    if dispatch["grid"] != [4, 1, 1]:
        problems.append(f"grid {dispatch['grid']}")
    for argument, extents, strides in ((first, [100, 70], [72, 1]),
                                       (second, [200, 300], [304, 1])):
        if (argument["extents"], argument["strides"]) != (extents, strides):
            problems.append(f"{argument}")
        if f"x{kind}, swizzle = " not in argument["type"]:
            problems.append(argument["type"])
    if n["value"] != 300:
        problems.append(f"{n}")
    report.check(f"{name} plan", problems)


def check_refused(module, runtime, report, name):
    """Tensors without a map."""
    for what, arguments in (("address", (65544, 131072, 100, 70, 200, 300, 72, 304)),
                            ("stride", (65536, 131072, 100, 70, 200, 300, 71, 304)),
                            ("extent", (65536, 131072, 100, -1, 200, 300, 72, 304))):
        try:
            module.registers.plan(*arguments)
            problems = ["was accepted"]
        except runtime.TesseraError as error:
            problems = [] if error.status_name == "PLAN_ERROR" else [str(error)]
        report.check(f"{name} wrong {what}", problems)


def check_copy(entry, kind, shape):
    """Runs one copy; returns what is wrong."""
    import torch
    from checks import DTYPES, Matrix
    m, n, mo, no = shape
    source = Matrix(m, n, pitch(n, BYTES[kind], 2), 0, DTYPES[kind])
    copy = Matrix(mo, no, pitch(no, BYTES[kind], 1), 0, DTYPES[kind])
    source.data.copy_(torch.randn((m, n), device="cuda") * 100)
    expected = torch.zeros((mo, no), dtype=DTYPES[kind], device="cuda")
    rows, columns = min(m, mo), min(n, no)
    expected[:rows, :columns] = source.data[:rows, :columns]
    # Twice: the second time the maps are known.
    for _ in range(2):
        entry(source.data, copy.data, m, n, mo, no, source.data.stride(0),
              copy.data.stride(0))
    torch.cuda.synchronize()
    problems = copy.problems()
    wrong = (copy.data_bits != expected.view(copy.data_bits.dtype)).nonzero()
    if len(wrong):
        row, column = wrong[0].tolist()
        problems.append(f"{len(wrong)} elements are wrong; the first, at ({row}, "
                        f"{column}), is {copy.data[row, column].item()}, not "
                        f"{expected[row, column].item()}")
    return problems


def check_copies(module, kind, report, name):
    for entry in ("direct", "registers"):
        for shape in SHAPES:
            try:
                problems = check_copy(getattr(module, entry), kind, shape)
            except Exception as error:  # pylint: disable=broad-except
                problems = [f"{type(error).__name__}: {error}"]
            report.check(f"{name} {entry} {shape}", problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--runtime", type=pathlib.Path)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    runtime = import_runtime(options.runtime, options.build)
    report = Report()
    for name, kind, path in discover(options.build):
        with runtime.load(str(path)) as module:
            check_plan(module, kind, report, name)
            check_refused(module, runtime, report, name)
            if not options.dry_run:
                check_copies(module, kind, report, name)
    print(report.summary())
    return 0 if report.succeeded() else 1


if __name__ == "__main__":
    sys.exit(main())
