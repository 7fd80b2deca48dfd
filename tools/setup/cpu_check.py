#===- cpu_check.py - run the shipped kernels on the CPU against NumPy -------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: cpu_check.py --tile-run FILE --kernels FOLDER --work FOLDER [--all]
                    [--tile-opt FILE [--flag FLAG]...]
                    [-- TILE-RUN-ARGUMENT...]

Makes small, ragged inputs for every kernel of FOLDER, computes in float64 what
is to come out, lets tile-run compute and compare, and prints the largest errors.
Rows of tensors are padded, outputs begin with a number that the padding has to
keep. --all runs more sizes and element types; --tile-opt runs what its passes of
level 2 make of the kernels, with each --flag, for example
--flag=--schedule=persistent. Arguments behind -- go to tile-run, for example
--device=gpu --compare=cpu. Exit status 1 when a kernel is wrong, has faults, or
has no case here.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time

import numpy

# What outputs hold before the run.
SENTINEL = 7.0
ERRORS = re.compile(r"(\w+): \d+ elements, largest absolute error (\S+?)"
                    r"(?: at \[.*?\])?, relative (\S+)")


def encode(values, dtype):
    """`values` rounded to a type of Tessera, as it goes into a file."""
    if dtype != "bf16":
        return values.astype({"f16": numpy.float16, "f32": numpy.float32}[dtype])
    bits = values.astype(numpy.float32).view(numpy.uint32)
    # To nearest, ties to even; there are no NaNs here.
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def decode(stored, dtype):
    """The exact values of encode()'s result in float64."""
    if dtype != "bf16":
        return stored.astype(numpy.float64)
    bits = stored.astype(numpy.uint32) << 16
    return bits.view(numpy.float32).astype(numpy.float64)


def operand(values, dtype):
    """What a product multiplies: f32 with 10 bits of fraction, to nearest, ties
    away from zero (tf32, docs/Language.md); other types as they are."""
    if dtype != "f32":
        return values
    bits = values.astype(numpy.float32).view(numpy.uint32)
    rounded = (bits + 0x1000) & ~numpy.uint32(0x1FFF)
    return rounded.view(numpy.float32).astype(numpy.float64)


class Case:
    """One launch: texts or arrays for tile-run, in the entry's order."""

    def __init__(self, kernel, label, seed, **defines):
        self.kernel, self.label, self.defines = kernel, label, defines
        self.random = numpy.random.default_rng(seed)
        self.arguments, self.expected = [], {}

    def tensor(self, shape, dtype, pad=0):
        """Adds a random input; returns its values and the row stride."""
        stored = encode(self.random.uniform(-1, 1, (*shape[:-1], shape[-1] + pad)),
                        dtype)
        self.arguments.append(stored)
        return decode(stored, dtype)[..., :shape[-1]], shape[-1] + pad

    def output(self, values, dtype, pad=0, position=None):
        """Adds an output; returns the row stride. `position` puts it before
        arguments that are there already."""
        wanted = numpy.full((*values.shape[:-1], values.shape[-1] + pad), SENTINEL)
        stored = encode(wanted, dtype)
        wanted[..., :values.shape[-1]] = values
        index = len(self.arguments) if position is None else position
        self.arguments.insert(index, stored)
        self.expected[index] = wanted
        return wanted.shape[-1]

    def scalars(self, *values):
        self.arguments += values


#===------------------------------------------------------------------------===#
# Kernels
#===------------------------------------------------------------------------===#


def vector_add(n, dtype):
    case = Case("vector_add", f"{n} {dtype}", n, T=dtype)
    x, _ = case.tensor((n,), dtype)
    y, _ = case.tensor((n,), dtype)
    case.output(x + y, dtype, pad=5)
    case.scalars(n)
    return case


def softmax(kernel, m, n, dtype):
    case = Case(kernel, f"{m}x{n} {dtype}", m + n, T=dtype)
    x, stride_x = case.tensor((m, n), dtype, pad=3)
    exps = numpy.exp(x - x.max(axis=1, keepdims=True))
    stride_y = case.output(exps / exps.sum(axis=1, keepdims=True), dtype, pad=1,
                           position=0)
    case.scalars(m, n, stride_y, stride_x)
    return case


def norm(kernel, m, n, dtype):
    case = Case(kernel, f"{m}x{n} {dtype}", m + n, T=dtype)
    x, stride_x = case.tensor((m, n), dtype, pad=3)
    weight, _ = case.tensor((n,), dtype)
    eps = 1e-5
    if kernel == "layernorm":
        bias, _ = case.tensor((n,), dtype)
        centred = x - x.mean(axis=1, keepdims=True)
    else:
        bias, centred = 0, x
    scale = numpy.sqrt((centred ** 2).mean(axis=1, keepdims=True) + eps)
    stride_y = case.output(centred / scale * weight + bias, dtype, pad=2, position=0)
    case.scalars(m, n, stride_y, stride_x, eps)
    return case


def column_sum(m, n, dtype):
    case = Case("column_sum", f"{m}x{n} {dtype}", m + n, T=dtype)
    x, stride = case.tensor((m, n), dtype, pad=3)
    case.output(x.sum(axis=0), "f32", pad=4, position=0)
    case.scalars(m, n, stride, 1)
    return case


def matrix(case, shape, dtype, pad, is_by_columns=False):
    """Adds random matrices, perhaps stored by columns; returns them and their
    strides of rows and columns."""
    if not is_by_columns:
        values, stride = case.tensor(shape, dtype, pad)
        return operand(values, dtype), (stride, 1)
    *batch, rows, columns = shape
    values, stride = case.tensor((*batch, columns, rows), dtype, pad)
    return operand(values, dtype).swapaxes(-1, -2), (1, stride)


def name_product(sizes, dtype, by_columns):
    """The label of a case; operands stored by columns are marked."""
    return " ".join(["x".join(map(str, sizes)), dtype,
                     *(f"{each}^T" for each in by_columns)])


def matmul(kernel, m, n, k, dtype, pads=(3, 1, 2), by_columns="", **defines):
    case = Case(kernel, name_product((m, n, k), dtype, by_columns), m + n + k, T=dtype,
                OUT=dtype, **defines)
    transposed = kernel == "matmul_transposed"
    a, strides_a = matrix(case, (k, m) if transposed else (m, k), dtype, pads[0],
                          "A" in by_columns)
    b, strides_b = matrix(case, (n, k) if transposed else (k, n), dtype, pads[1],
                          "B" in by_columns)
    product = a.T @ b.T if transposed else a @ b
    if kernel == "matmul_bias_relu":
        bias, _ = case.tensor((n,), dtype)
        product = numpy.maximum(product + bias, 0)
    stride_c = case.output(product, dtype, pads[2])
    case.scalars(m, n, k, *strides_a, *strides_b, stride_c, 1)
    return case


def batched_matmul(batch, m, n, k, dtype, pads=(3, 1, 2), by_columns=""):
    case = Case("batched_matmul", name_product((batch, m, n, k), dtype, by_columns),
                m + n + k, T=dtype, OUT=dtype)
    a, strides_a = matrix(case, (batch, m, k), dtype, pads[0], "A" in by_columns)
    b, strides_b = matrix(case, (batch, k, n), dtype, pads[1], "B" in by_columns)
    stride_c = case.output(a @ b, dtype, pads[2])
    of_matrix = (max(strides_a) * (k if "A" in by_columns else m),
                 max(strides_b) * (n if "B" in by_columns else k), m * stride_c)
    case.scalars(batch, m, n, k, of_matrix[0], *strides_a, of_matrix[1], *strides_b,
                 of_matrix[2], stride_c, 1)
    return case


def dot_of_dot(m, n, dtype):
    depth = 64
    case = Case("dot_of_dot", f"{m}x{n} {dtype}", m + n, T=dtype, OUT=dtype)
    q, stride_q = case.tensor((m, depth), dtype, pad=3)
    k, stride_k = case.tensor((n, depth), dtype, pad=1)
    v, stride_v = case.tensor((n, depth), dtype)
    scores = decode(encode(q @ k.T, dtype), dtype)
    stride_o = case.output(scores @ v, dtype, pad=2)
    case.scalars(m, n, stride_q, stride_k, stride_v, stride_o)
    return case


PRODUCTS = ("matmul", "matmul_transposed", "matmul_grouped", "matmul_persistent",
            "matmul_bias_relu")


def few_cases():
    """One for each kernel."""
    yield vector_add(2500, "f32")
    yield softmax("softmax", 7, 1000, "f32")
    yield softmax("softmax_naive", 7, 1000, "f32")
    yield norm("layernorm", 7, 1000, "f32")
    yield norm("rmsnorm", 7, 1000, "f32")
    yield column_sum(130, 67, "f32")
    for kernel in PRODUCTS:
        yield matmul(kernel, 130, 67, 45, "f16")
    yield batched_matmul(3, 130, 67, 45, "f16")
    yield dot_of_dot(70, 100, "f16")


def more_cases():
    """Other types, one element, sizes that are multiples of the tile."""
    for dtype in ("f16", "bf16"):
        yield vector_add(1025, dtype)
        for kernel in ("softmax", "softmax_naive"):
            yield softmax(kernel, 3, 513, dtype)
        for kernel in ("layernorm", "rmsnorm"):
            yield norm(kernel, 3, 513, dtype)
        yield column_sum(65, 129, dtype)
    for kernel in PRODUCTS:
        yield matmul(kernel, 65, 129, 33, "bf16", BM=64, BN=64)
        # Rows of whole pieces of 16 bytes: tensor maps, where there are any.
        yield matmul(kernel, 200, 136, 72, "f16", pads=(8, 16, 8), BM=64, BN=64)
        for by_columns in ("B", "A"):
            yield matmul(kernel, 200, 136, 72, "f16", pads=(8, 16, 8),
                         by_columns=by_columns, BM=64, BN=64)
        yield matmul(kernel, 1, 1, 1, "f32", BM=64, BN=64)
        yield matmul(kernel, 128, 64, 64, "f32", BM=64, BN=64)
    yield batched_matmul(2, 1, 65, 33, "f32")
    yield batched_matmul(1, 64, 64, 32, "f16")
    for by_columns in ("B", "A"):
        yield batched_matmul(2, 72, 40, 48, "f16", (8, 0, 8), by_columns)
    yield matmul("matmul", 65, 129, 33, "bf16", by_columns="AB", BM=64, BN=64)
    yield dot_of_dot(1, 65, "bf16")
    yield dot_of_dot(128, 128, "f16")
    yield vector_add(1, "f32")
    yield softmax("softmax", 1, 1, "f32")
    yield norm("layernorm", 1, 1, "f32")


#===------------------------------------------------------------------------===#
# Running
#===------------------------------------------------------------------------===#


def command_of(case, options):
    """tile-run's command line; writes the files that it names."""
    folder = options.work / case.kernel
    folder.mkdir(parents=True, exist_ok=True)
    source = options.kernels / f"{case.kernel}.mlir"
    defines = [f"-D{name}={value}" for name, value in case.defines.items()]
    if options.tile_opt:
        lowered = folder / "lowered.mlir"
        subprocess.run([options.tile_opt, source, *defines, "--emit=mlir",
                        "--stage=tile-gpu", *options.flag, "-o", lowered],
                       check=True)
        source, defines = lowered, []
    command = [options.tile_run, source, f"--kernel={case.kernel}", *defines]
    for index, argument in enumerate(case.arguments):
        if isinstance(argument, numpy.ndarray):
            path = folder / f"{index}.npy"
            numpy.save(path, argument)
            argument = path
        command.append(argument)
    for index, values in case.expected.items():
        path = folder / f"{index}.expected.npy"
        numpy.save(path, values)
        command.append(f"--expect={index}:{path}")
    if "bf16" in case.label and case.kernel == "dot_of_dot":
        # Scores of some units, each rounded to 8 bits, possibly the other way
        # than here.
        command += ["--rtol=0.02", "--atol=0.2"]
    return [str(word) for word in command + options.more]


def run(case, options):
    """Prints one line; True when all is well."""
    start = time.monotonic()
    result = subprocess.run(command_of(case, options), capture_output=True, text=True,
                            check=False)
    seconds = time.monotonic() - start
    found = ERRORS.search(result.stdout)
    if result.returncode or not found:
        print(f"{case.kernel:18} {case.label:18} WRONG, exit code {result.returncode}\n"
              f"{result.stdout}{result.stderr}", end="")
        return False
    print(f"{case.kernel:18} {case.label:18} {found[2]:>10} {found[3]:>10} {seconds:7.2f}")
    return True


def main():
    parser = argparse.ArgumentParser(description="see the top of the file")
    parser.add_argument("--tile-run", required=True, type=pathlib.Path)
    parser.add_argument("--kernels", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tile-opt", type=pathlib.Path)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("more", nargs="*", metavar="TILE-RUN-ARGUMENT")
    options = parser.parse_args()
    print(f"{'kernel on the CPU':18} {'size':18} {'abs. error':>10} {'rel. error':>10} "
          "seconds")
    cases = [*few_cases(), *(more_cases() if options.all else ())]
    good = [run(case, options) for case in cases]
    missing = ({path.stem for path in options.kernels.glob("*.mlir")} -
               {case.kernel for case in cases})
    for kernel in sorted(missing):
        print(f"{kernel:18} has no case")
    print(f"{sum(good)} of {len(good)} agree with float64")
    return 0 if all(good) and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
