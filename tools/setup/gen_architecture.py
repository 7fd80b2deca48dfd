#===- gen_architecture.py - what the compiler itself tells the documents ---===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: gen_architecture.py --tile-opt FILE [--check] [DOCUMENT]

Rewrites the generated parts of DOCUMENT (docs/Architecture.md) with what
tile-opt prints now. With --check, changes nothing, prints a diff and exits with
1 when a part is out of date. A generated part follows a comment on a line of
its own, which says how it is made:

    <!-- passes: level=tile-gpu -->

a table of the passes of a level, in the order in which they run, up to the
first empty line; and

    <!-- excerpt: stage=tile-gpu-select-NAME from='tile.load' to='tile.store' -->

a block of code, lines of one stage of an example: `of=matmul`, by default
softmax. The stages are those of --dump-dir, by the file's name without number and
extension (the last of those that share a name); `source` is the source itself.
The lines are those from the first that matches the expression `from` (the first
behind one that matches `after`, if given) up to the next that matches `to` (by
default that same line), without those that match `skip`. In these lines values,
registers and layouts are numbered anew; the layouts are defined above them, with
`layouts=shared` or `layouts=none` only those of buffers or none, where an earlier
excerpt has the others.
"""

import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What excerpts are of: kernels of lib/Kernels, with small tiles.
EXAMPLES = {
    "softmax": ["-D", "BLOCK=4096", "--target=sm_90a"],
    "matmul": ["-D", "BM=64", "-D", "BN=32", "-D", "BK=32", "--num-warps=4",
               "--target=sm_90a"],
}
DEFAULT = "softmax"
LEVELS = ("tile", "tile-gpu", "nvvm")

LANGUAGES = {".mlir": "mlir", ".ll": "llvm", ".ptx": "ptx"}
PART = re.compile(
    r"^(<!-- (passes|excerpt): (.*) -->\n)"
    r"(?:```\w*\n(?:(?!```).*\n)*```\n|(?:\|.*\n)+)?", re.MULTILINE)
LAYOUT = re.compile(r"#(layout|shared)\d*\b")
LAYOUT_DEFINITION = re.compile(
    r"^(#(?:layout|shared)\d*) = (.*)$", re.MULTILINE)
DUMP_NAME = re.compile(r"\d+-(.*)")
NUMBERED = re.compile(r"%(r|rd|p|arg|)(\d+)\b")


def source_of(example):
    return ROOT / "lib" / "Kernels" / f"{example}.mlir"


class Compiler:
    """Runs tile-opt on the examples, once for each kind of output."""

    def __init__(self, program):
        self.program = program
        self.dumps = {}
        self.summaries = None

    def dump(self, example, *options):
        """Files of --dump-dir, in order, as (stage, extension, text)."""
        key = (example, *options)
        if key not in self.dumps:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(
                    [self.program, source_of(example), *EXAMPLES[example],
                     *options, "-o", "-", f"--dump-dir={folder}"],
                    check=True, stdout=subprocess.DEVNULL)
                self.dumps[key] = [
                    (DUMP_NAME.match(path.stem).group(1), path.suffix,
                     path.read_text())
                    for path in sorted(pathlib.Path(folder).glob("[0-9]*"))]
        return self.dumps[key]

    def summary(self, name):
        """A pass's summary, as --help prints it."""
        if self.summaries is None:
            self.summaries = subprocess.run(
                [self.program, "--help"], check=True, text=True,
                stdout=subprocess.PIPE).stdout
        found = re.search(rf"^\s*--{re.escape(name)}\s+-\s+(.*)$",
                          self.summaries, re.MULTILINE)
        text = found.group(1).strip().rstrip(".")
        return text[0].lower() + text[1:] if text[1:2].islower() else text

    def stage(self, example, name):
        """The text of a stage and the language that it is in."""
        if name == "source":
            return source_of(example).read_text(), "mlir"
        for stage, extension, text in reversed(self.dump(example,
                                                         "--emit=ptx")):
            if stage == name:
                return text, LANGUAGES[extension]
        sys.exit(f"gen_architecture: there is no stage '{name}'")


def pass_names(compiler, level):
    """(pass, what it runs on) up to a level. A pass on each kernel leaves a
    file for each; only those of the first kernel count."""
    kernels = []
    passes = []
    for stage, extension, text in compiler.dump(DEFAULT, "--emit=mlir",
                                                f"--stage={level}"):
        found = re.search(r"^tile\.func @([\w$]+)", text, re.MULTILINE)
        if stage == "input" or extension != ".mlir":
            continue
        if not found:
            passes.append((stage, "module"))
            continue
        kernel = found.group(1)
        if kernel not in kernels:
            kernels.append(kernel)
        if kernel == kernels[0]:
            passes.append((stage.removesuffix("-" + kernel), "each kernel"))
    return passes


def make_passes(compiler, level):
    passes = pass_names(compiler, level)
    if LEVELS.index(level):
        below = LEVELS[LEVELS.index(level) - 1]
        passes = passes[len(pass_names(compiler, below)):]
    rows = [f"| `{name}` | {on} | {compiler.summary(name)} |\n"
            for name, on in passes]
    return "".join(["| pass | runs on | what it does |\n",
                    "| --- | --- | --- |\n", *rows])


def select(text, stage, fields):
    """Lines of `text` as the comment asks for them."""
    first, last, skip = fields["from"], fields.get("to"), fields.get("skip")
    after = fields.get("after")
    lines, inside = [], False
    for line in text.splitlines():
        if after:
            after = None if re.search(after, line) else after
            continue
        begins = not inside and re.search(first, line)
        inside = inside or bool(begins)
        if not inside:
            continue
        if not skip or not re.search(skip, line):
            lines.append(line)
        if not last or (not begins and re.search(last, line)):
            return lines
    sys.exit(f"gen_architecture: stage '{stage}' has no '{first}' to '{last}'")


def name_layouts(lines, definitions):
    """Numbers the layouts in the lines anew, as MLIR does; puts the definitions of
    those that `definitions` has first."""
    names, counts = {}, {}

    def name(match):
        if match.group() not in names:
            kind = match.group(1)
            count = counts[kind] = counts.get(kind, 0) + 1
            names[match.group()] = f"#{kind}{count - 1 or ''}"
        return names[match.group()]

    lines = [LAYOUT.sub(name, line) for line in lines]
    return [f"{new} = {definitions[old]}" for old, new in names.items()
            if old in definitions] + lines


def renumber(text):
    """Numbers values from 0 and registers from 1, in the order of their first
    use, kind by kind."""
    numbers = {}

    def number(match):
        kind = match.group(1)
        known = numbers.setdefault(kind, {})
        first = 1 if kind in ("r", "rd", "p") else 0
        fresh = known.setdefault(match.group(2), len(known) + first)
        return f"%{kind}{fresh}"

    return NUMBERED.sub(number, text)


def make_excerpt(compiler, fields):
    text, language = compiler.stage(fields.get("of", DEFAULT), fields["stage"])
    lines = select(text, fields["stage"], fields)
    # PTX separates an opcode from its operands by a blank and a tab.
    block = re.sub(r"(?<=\S)[ \t]*\t", " ", textwrap.dedent("\n".join(lines)))
    wanted = fields.get("layouts", "all")
    definitions = {name: layout
                   for name, layout in LAYOUT_DEFINITION.findall(text)
                   if wanted == "all" or name.startswith("#" + wanted)}
    block = "\n".join(name_layouts(block.splitlines(), definitions))
    return f"```{language}\n{renumber(block)}\n```\n"


def regenerate(document, compiler):
    def part(match):
        comment, kind, text = match.group(1), match.group(2), match.group(3)
        fields = dict(word.split("=", 1) for word in shlex.split(text))
        if kind == "passes":
            return comment + make_passes(compiler, fields["level"])
        return comment + make_excerpt(compiler, fields)

    return PART.sub(part, document)


def main():
    parser = argparse.ArgumentParser(
        description="bring the generated parts of a document up to date")
    parser.add_argument("--tile-opt", required=True, help="the compiler")
    parser.add_argument("--check", action="store_true",
                        help="change nothing, fail when a part is out of date")
    parser.add_argument("document", nargs="?", type=pathlib.Path,
                        default=ROOT / "docs" / "Architecture.md")
    options = parser.parse_args()

    old = options.document.read_text(encoding="utf-8")
    new = regenerate(old, Compiler(options.tile_opt))
    if not PART.search(old):
        sys.exit(f"gen_architecture: {options.document} has no generated part")
    if not options.check:
        options.document.write_text(new, encoding="utf-8")
        return 0
    sys.stdout.writelines(difflib.unified_diff(
        old.splitlines(True), new.splitlines(True),
        "as it stands", "as the compiler has it"))
    return int(new != old)


if __name__ == "__main__":
    sys.exit(main())
