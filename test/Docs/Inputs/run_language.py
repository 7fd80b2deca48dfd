#===- run_language.py - does the reference promise what compiles -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run_language.py PAGE

Compiles to PTX one kernel for each elementwise operation that a table of PAGE
(docs/Language.md) lists, and each example of it that has a launch plan. Prints
what does not compile and exits with 1, or prints their numbers. Operations of
the rows `further`, `conversions` and `scf` have types of their own, and kernels
below; one that has none is an error.
"""

import re
import subprocess
import sys

ROW = re.compile(r"^\| (`(?:arith|math|scf)`.*?) \| (.*) \|$", re.MULTILINE)
BLOCK = re.compile(r"^```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)
I32, F32, I1 = "tensor<64xi32>", "tensor<64xf32>", "tensor<64xi1>"

# The operands %i, %f, %l and %h are tensors of i32, f32, i64 and f16, %n is an i32;
# what is made is %v.
BY_ROW = {
    "`arith` on integers": ("arith", "%i, %i : " + I32, "i"),
    "`arith` on floats": ("arith", "%f, %f : " + F32, "f"),
    "`arith` on one float": ("arith", "%f : " + F32, "f"),
    "`math` on one float": ("math", "%f : " + F32, "f"),
    "`math` on two floats": ("math", "%f, %f : " + F32, "f"),
    "`math` on integers": ("math", "%i : " + I32, "i"),
}
CONVERSIONS = {
    "extsi": "il", "extui": "il", "trunci": "li", "extf": "hf", "truncf": "fh",
    "sitofp": "if", "uitofp": "if", "fptosi": "fi", "fptoui": "fi",
    "bitcast": "if"}
TYPES = {"i": "i32", "f": "f32", "l": "i64", "h": "f16"}
CHOOSE = f"%v = arith.select %c, %f, %f : {I1}, {F32}"
INDEX = """%x = arith.{0} %n : i32 to index
  %y = arith.{0} %x : index to i32
  %v = tile.splat %y : i32 -> tensor<64xi32>"""
OTHERS = {
    "constant": (f"%v = arith.constant dense<1> : {I32}", "i"),
    "cmpi": (f"%c = arith.cmpi slt, %i, %i : {I32}\n  {CHOOSE}", "f"),
    "cmpf": (f"%c = arith.cmpf olt, %f, %f : {F32}\n  {CHOOSE}", "f"),
    "select": (f"%c = arith.cmpf olt, %f, %f : {F32}\n  {CHOOSE}", "f"),
    "addui_extended": (f"%v, %o = arith.addui_extended %i, %i : {I32}, {I1}", "i"),
    "mulsi_extended": (f"%v, %o = arith.mulsi_extended %i, %i : {I32}", "i"),
    "mului_extended": (f"%v, %o = arith.mului_extended %i, %i : {I32}", "i"),
    "index_cast": (INDEX.format("index_cast"), "i"),
    "index_castui": (INDEX.format("index_castui"), "i"),
    "fma": (f"%v = math.fma %f, %f, %f : {F32}", "f"),
    "fpowi": (f"%v = math.fpowi %f, %i : {F32}, {I32}", "f"),
    "for": (f"""%one = arith.constant 1 : i32
  %v = scf.for %k = %one to %n step %one iter_args(%a = %i) -> ({I32}) : i32 {{
    scf.yield %a : {I32}
  }}""", "i"),
    "if": (f"""%c = arith.cmpi slt, %n, %n : i32
  %v = scf.if %c -> {I32} {{
    scf.yield %i : {I32}
  }} else {{
    %z = arith.addi %i, %i : {I32}
    scf.yield %z : {I32}
  }}""", "i"),
    "while": (f"""%v = scf.while (%a = %i) : ({I32}) -> {I32} {{
    %c = arith.cmpi ne, %n, %n : i32
    scf.condition(%c) %a : {I32}
  }} do {{
  ^bb0(%b: {I32}):
    scf.yield %b : {I32}
  }}""", "i"),
    "index_switch": (f"""%x = arith.index_cast %n : i32 to index
  %y = scf.index_switch %x -> i32
  case 2 {{
    scf.yield %n : i32
  }}
  default {{
    %z = arith.addi %n, %n : i32
    scf.yield %z : i32
  }}
  %v = tile.splat %y : i32 -> {I32}""", "i"),
    "execute_region": (f"""%v = scf.execute_region -> {I32} {{
    scf.yield %i : {I32}
  }}""", "i"),
}


def make_body(row, name):
    """Lines that make %v, and its kind; None for an unknown operation."""
    if row in BY_ROW:
        dialect, operands, kind = BY_ROW[row]
        return f"%v = {dialect}.{name} {operands}", kind
    if row == "`math`, questions":
        return f"%c = math.{name} %f : {F32}\n  {CHOOSE}", "f"
    if name in CONVERSIONS:
        source, kind = CONVERSIONS[name]
        return (f"%v = arith.{name} %{source} : tensor<64x{TYPES[source]}> to "
                f"tensor<64x{TYPES[kind]}>"), kind
    return OTHERS.get(name)


def make_kernel(body, kind):
    lines = ["%r = tile.arange : " + I32]
    for letter, element in TYPES.items():
        pointers = f"tensor<64x!tile.ptr<{element}>>"
        lines += [f"%s{letter} = tile.splat %p{letter} : !tile.ptr<{element}> "
                  f"-> {pointers}",
                  f"%q{letter} = tile.addptr %s{letter}, %r : {pointers}, {I32}",
                  f"%{letter} = tile.load %q{letter} : {pointers}"]
    lines += [body, f"tile.store %q{kind}, %v : "
                    f"tensor<64x!tile.ptr<{TYPES[kind]}>>", "tile.return"]
    arguments = ", ".join(f"%p{letter}: !tile.ptr<{element}>"
                          for letter, element in TYPES.items())
    return (f"tile.func @k(%n: i32, {arguments}) {{\n  " + "\n  ".join(lines) +
            "\n}\n")


def compile_source(text):
    """An empty string, or the first line of what is wrong."""
    run = subprocess.run(["tile-opt", "-", "--emit=ptx"], input=text, text=True,
                         capture_output=True, check=False)
    return run.stderr.splitlines()[0] if run.returncode else ""


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    operations, problems = 0, []
    for row, text in ROW.findall(page):
        for name in re.findall(r"`(\w+)`", text):
            body = make_body(row, name)
            wrong = compile_source(make_kernel(*body)) if body else "no kernel here"
            operations += 1
            if wrong:
                problems.append(f"{row}, {name}: {wrong}")
    examples = [text for text in BLOCK.findall(page)
                if "tile.plan.dispatch" in text]
    for text in examples:
        wrong = compile_source(text)
        if wrong:
            problems.append(f"example:\n{text}{wrong}")
    print("\n".join(problems) or
          f"{operations} operations, {len(examples)} examples")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
