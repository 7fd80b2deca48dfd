#===- plans.py - checks that need no GPU -----------------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Evaluates launch plans: which kernel runs, on which grid, what is refused.

With --dry-run the addresses are invented; on a GPU they are those of the
launch that follows.
"""

from cases import SoftmaxCase
from kernels import clone_problems, dispatches, plan_problems

# Where invented arrays lie: far apart, and aligned as an allocator aligns.
FIRST_ADDRESS, DISTANCE = 0x7F0000000000, 1 << 36


def address(value):
    """The address of a tensor, or the address itself."""
    return value if isinstance(value, int) else value.data_ptr()


def softmax_plan_problems(kernel, case, y, x):
    """The plan of softmax or softmax_naive for arrays or addresses y and x."""
    args = (y, x, case.m, case.n, case.stride_y, case.stride_x)
    plan = kernel.entry.plan(*args, num_sms=132)
    size = kernel.size
    problems = plan_problems(
        kernel, plan, case.m,
        first_wide=kernel.is_wide(address(x), case.stride_x * size),
        last_wide=kernel.is_wide(address(y), case.stride_y * size),
        rest_wide=kernel.is_wide(case.n * size))
    if kernel.source == "softmax_naive":
        problems += scratch_problems(plan, case)
    return problems


def scratch_problems(plan, case):
    """Five kernels, and f32 scratch memory for a matrix and a value a row."""
    sizes = sorted(action["bytes"] for action in plan["actions"]
                   if action["do"] == "scratch")
    wanted = sorted([4 * case.m, 4 * case.m * case.n])
    problems = []
    if sizes != wanted:
        problems.append(f"scratch memory of {sizes} bytes, not {wanted}")
    if len(dispatches(plan)) != 5:
        problems.append(f"{len(dispatches(plan))} kernels, not 5")
    return problems


def vector_plan_problems(kernel, case, x, y, z):
    plan = kernel.entry.plan(x, y, z, case.n, num_sms=132)
    return plan_problems(
        kernel, plan, -(-case.n // kernel.block),
        first_wide=kernel.is_wide(address(x), address(y)),
        last_wide=kernel.is_wide(address(z)),
        rest_wide=kernel.is_wide(case.n * kernel.size))


def expect_error(kernel, report, name, wanted, action):
    """Checks that `action` fails with a message that contains `wanted`."""
    try:
        action()
    except kernel.runtime.TesseraError as error:
        problems = [] if wanted in str(error) else [
            f"the message is {str(error)!r}, without {wanted!r}"]
    else:
        problems = [f"accepted; {wanted!r} was expected"]
    report.check(f"{kernel.name} {name}", problems)


def check_refusals(kernel, report, call, y, x):
    """What has to be an error, for `call` the entry itself or its plan."""
    big = 1 << 31
    if kernel.source == "vector_add":
        bad = (("n too large", "cannot hold", (x, x, y, big)),
               ("n negative", "grid", (x, x, y, -4 * kernel.block)))
    else:
        n = kernel.block + 1
        bad = (("row too long", "a row is longer than BLOCK",
                (y, x, 4, n, n, n)),
               ("row far too long", "a row is longer than BLOCK",
                (y, x, 4, big - 1, 1, 1)),
               ("m too large", "cannot hold", (y, x, big, 1, 1, 1)),
               ("stride too large", "cannot hold", (y, x, 1, 1, 1, big)))
        # The naive plan asks for memory before it has a grid.
        if kernel.source == "softmax":
            bad += (("m negative", "grid", (y, x, -1, 1, 1, 1)),)
    for name, wanted, args in bad:
        expect_error(kernel, report, name, wanted, lambda: call(*args))


def check_largest_grid(kernel, report):
    """The largest sizes that an i32 holds still have a plan."""
    largest = (1 << 31) - 1
    if kernel.source == "vector_add":
        programs, args = -(-largest // kernel.block), (0, 0, 0, largest)
    else:
        programs, args = largest, (0, 0, largest, 1, 1, 1)
    launched = dispatches(kernel.entry.plan(*args, num_sms=132))
    report.check(f"{kernel.name} largest grid", [
        f"{action['kernel']} has the grid {action['grid']}"
        for action in launched if action["grid"] != [programs, 1, 1]])


def check_module(kernel, report):
    """What does not depend on a case."""
    report.check(f"{kernel.name} clones", clone_problems(kernel))
    # A generic kernel holds an address for each element, and may spill; so may
    # one with a forced number of warps.
    if not kernel.forced:
        report.check(f"{kernel.name} spills", [
            f"{name} spills" for name, needs in kernel.module.resources.items()
            if "$" in name and needs["spill_store_bytes"]])
    check_largest_grid(kernel, report)


def dry_run(pairs, kernels, report):
    """Everything that can be checked without a GPU."""
    for kernel in kernels:
        check_module(kernel, report)
        check_refusals(kernel, report, kernel.entry.plan, 0, 0)
    for kernel, case in pairs:
        x = FIRST_ADDRESS + case.offset_x * kernel.size
        y = FIRST_ADDRESS + DISTANCE + case.offset_y * kernel.size
        if isinstance(case, SoftmaxCase):
            problems = softmax_plan_problems(kernel, case,
                                             x if case.in_place else y, x)
        else:
            z = (x if case.in_place else
                 FIRST_ADDRESS + 2 * DISTANCE + case.offset_z * kernel.size)
            problems = vector_plan_problems(kernel, case, x, y, z)
        report.check(f"{kernel.name} plan {case}", problems)
