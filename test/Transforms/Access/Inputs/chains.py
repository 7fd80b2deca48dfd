#===- chains.py - kernels of expressions that share parts -------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: chains.py LENGTH > KERNELS

Prints kernels in which each of LENGTH values is an operation of the one before with
itself: a walk over the expression takes 2^LENGTH steps. The chain stands where
tile-tensor-maps looks at values.
"""

import sys

LENGTH = int(sys.argv[1])

PRODUCTS = """
!p = !tile.ptr<f16>
!d = !tile.desc<64x32xf16>
!t = tensor<64x32xf16>
tile.func private @products(%x: !t) {
  %y = arith.constant #tile.zero : tensor<32x16xf16>
  %z = arith.constant #tile.zero : tensor<64x16xf32>
  %r = tile.dot %x, %y, %z : !t, tensor<32x16xf16> -> tensor<64x16xf32>
  tile.return
}
"""

KERNEL = """
tile.func @{name}(%a: !p {{tile.divisible_by = 16 : i32}}, %m: i32, %k: i32,
                  %s: i32 {{tile.divisible_by = 8 : i32}},
                  %c: !p {{tile.noalias}}) {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %id = tile.program_id x
{setup}
  %rest = arith.subi %m, %row : i32
  %q = tile.addptr %a, %at : !p, {at}
  %d = tile.make_desc %q, [%rest, %k], [%s, %one]
    : !p, [i32, i32], [i32, i32] -> !d
  scf.for %i = %zero to %k step %step : i32 {{
    %x0 = tile.desc_load %d[%zero, %i] : !d, [i32, i32] -> !t
{body}
    tile.call @products(%x0) : (!t) -> ()
  }} {{tile.num_stages = 3 : i32}}
  tile.return
}}
"""

PLAN = """
tile.func @{name}(%a: !p, %m: i32, %k: i32, %s: i32, %c: !p) {{
  tile.return
}}
tile.launch @{name}_entry(%a: !p, %m: i32, %k: i32, %s: i32, %c: !p) {{
  %g = tile.plan.aligned %a, 16 : !p
  %m0 = tile.plan.add %m, 0 : i32
  tile.plan.variant %g {{
{chain}
    tile.plan.dispatch @{name}$fast grid(%m : i32) args(%a, %m, %k, %last, %c)
      : !p, i32, i32, i64, !p
  }}
  tile.plan.variant else {{
{chain}
    tile.plan.dispatch @{name} grid(%m : i32) args(%a, %m, %k, %last, %c)
      : !p, i32, i32, i64, !p
  }}
}}
"""

AT = "  %at = arith.muli %row, %s : i32"


def chain(prefix, form, last=None):
    """PREFIX0 is given; the last value is `last`."""
    lines = []
    for index in range(1, LENGTH + 1):
        result = last if last and index == LENGTH else f"%{prefix}{index}"
        lines.append("  " + result + " = " + form.format(x=f"%{prefix}{index - 1}"))
    return "\n".join(lines)


def kernel(name, setup, body="", at="i32"):
    print(KERNEL.format(name=name, setup=setup, body=body, at=at))


DOUBLE = "arith.addi {x}, {x} : i32"
SAME = "  %n0 = arith.addi %id, %zero : i32\n"

print(PRODUCTS)
# A tile that is computed of another one than that of the product, and only stored.
kernel("elements", "  %row = arith.muli %id, %one : i32\n" + AT
       + "\n  %e = tile.make_desc %c, [%m, %k], [%s, %one]"
         " : !p, [i32, i32], [i32, i32] -> !d",
       "  %e0 = tile.desc_load %e[%zero, %i] : !d, [i32, i32] -> !t\n"
       + chain("e", "arith.mulf {x}, {x} : !t", "%y")
       + "\n  tile.desc_store %e[%zero, %i], %y : !d, [i32, i32], !t")
# The signs of summands, and what is subtracted.
kernel("sums", SAME + chain("n", DOUBLE, "%row") + "\n" + AT)
kernel("bounds", "  %b = arith.cmpi slt, %id, %m : i32\n"
       "  %n0 = arith.extui %b : i1 to i32\n"
       + chain("n", "arith.select %b, {x}, {x} : i32", "%w")
       + "\n  %row = arith.subi %one, %w : i32\n" + AT)
# Shifts that are computed twice, and in another width.
kernel("widths", SAME + chain("n", DOUBLE, "%row")
       + "\n  %w0 = arith.extsi %n0 : i32 to i64\n"
       + chain("w", "arith.addi {x}, {x} : i64", "%wide")
       + "\n  %ws = arith.extsi %s : i32 to i64"
         "\n  %at = arith.muli %wide, %ws : i64", at="i64")
kernel("bases", "  %row = arith.muli %id, %one : i32\n"
       "  %n0 = arith.muli %row, %s : i32\n" + chain("n", DOUBLE, "%at"))
# What a launch passes.
kernel("plans$fast", "  %row = arith.muli %id, %one : i32\n" + AT)
print(PLAN.format(name="plans",
                  chain=chain("m", "tile.plan.max {x}, {x} : i64, i64", "%last")))
