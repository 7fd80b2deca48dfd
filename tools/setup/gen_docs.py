#===- gen_docs.py - the reference pages, from TableGen's records -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: gen_docs.py [--tblgen FILE] [--check] [--docs FOLDER]

Writes the reference pages of FOLDER (docs): Language.md, Operations.md,
LaunchPlan.md, TileGPU.md and Passes.md. Each is a hand-written beginning,
docs/templates/NAME, followed by what mlir-tblgen tells of the operations, types,
attributes and passes, in the order and under the titles of the .td files. With
--check, writes nothing, prints a diff and exits with 1 when a page is out of date.

mlir-tblgen's own pages would be alphabetical, and full of C++ and HTML; what is
dropped are traits, interfaces and C++ types, and tables become lines.
"""

import argparse
import difflib
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
TILE = INCLUDE / "tessera" / "Dialect" / "Tile" / "IR"
TILE_GPU = INCLUDE / "tessera" / "Dialect" / "TileGPU" / "IR"
HEADER = ("<!-- Made by tools/setup/gen_docs.py from docs/templates/{name} and "
          "the .td files. -->\n")

SECTION = re.compile(r"^### (.*)\n", re.MULTILINE)
# A title between two rules of a .td file, or a definition with its mnemonic.
BANNER_OR_DEF = re.compile(
    r"^//===-+===//\n// (?P<title>.*)\n//===-+===//$"
    r'|^def \w+\s*:\s*\w+<"(?P<name>[\w.-]+)"', re.MULTILINE)
ATTRIBUTE_ROW = re.compile(
    r"<tr><td><code>(\w+)</code></td><td>.*?</td><td>(.*?)</td></tr>", re.DOTALL)
# A part of the syntax that C++ parses, by its first parameter.
CUSTOM = re.compile(
    r"custom<\w+>\((type\(\$\w+\)|\$\w+)(?:[^()]|\([^()]*\))*\)")
# A set of keywords: its summary, and the cases with their spelling.
ENUM = re.compile(r'I32EnumAttr<"\w+",\s*"([^"]*)", \[(.*?)\]>', re.DOTALL)
ENUM_CASE = re.compile(r'I32EnumAttrCase<"\w+", \d+, "(\w+)">')
TABLE_ROW = re.compile(r"^\| `(\w+)`(?: &laquo;(\w+)&raquo;)? \| (.*) \|$",
                       re.MULTILINE)


def run_tblgen(tblgen, action, source):
    """What mlir-tblgen prints for `source`; MLIR's own .td files lie beside it."""
    mlir = pathlib.Path(shutil.which(tblgen)).resolve().parents[1] / "include"
    run = subprocess.run([tblgen, *action, "-I", INCLUDE, "-I", mlir, source],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{source.name}: {run.stderr}")
    return run.stdout


def get_order(files, prefix):
    """Titles and names of the .td files in their order: [(title, [name])]."""
    groups = []
    for file in files:
        groups.append(("", []))
        for match in BANNER_OR_DEF.finditer(file.read_text(encoding="utf-8")):
            if match["title"]:
                groups.append((match["title"], []))
            elif match["name"]:
                groups[-1][1].append(prefix + match["name"])
    return groups


def split_sections(text):
    """The sections of level 3 by their heading: {heading: body}."""
    parts = SECTION.split(text)
    return dict(zip(parts[1::2], parts[2::2]))


def read_keywords():
    """The keywords of each enumeration of the .td files, by its summary."""
    return {summary: ENUM_CASE.findall(cases)
            for folder in (TILE, TILE_GPU) for file in sorted(folder.glob("*.td"))
            for summary, cases in ENUM.findall(file.read_text(encoding="utf-8"))}


KEYWORDS = read_keywords()


def describe_attribute(text):
    """Its summary, with the keywords that it stands for."""
    summary = re.sub(r"<details>.*", "", text, flags=re.DOTALL)
    keywords = ", ".join(f"`{word}`" for word in KEYWORDS.get(summary, []))
    return f"{summary}: {keywords}" if keywords else summary


def make_list(title, body):
    """A table of operands or results as one line, without C++ types."""
    if title == "Attributes":
        rows = [(name, "", describe_attribute(text))
                for name, text in ATTRIBUTE_ROW.findall(body)]
    else:
        rows = TABLE_ROW.findall(body)
    items = [f"`{name}` ({kind + ', ' if kind else ''}{text})"
             for name, kind, text in rows]
    return f"{title}: {'; '.join(items)}.\n" if items else ""


def clean(body):
    """The body of a section without what only C++ programmers need."""
    head, *tables = re.split(r"^#### (.*)\n", body, flags=re.MULTILINE)
    head = re.sub(r"^(Traits|Interfaces|Effects): .*\n", "", head,
                  flags=re.MULTILINE)
    head = re.sub(r"^Syntax:\n\n```\n(operation ::= .*?)```\n", r"```\n\1```\n",
                  head, flags=re.MULTILINE | re.DOTALL)
    head = CUSTOM.sub(r"\1", head)
    head = re.sub(r"^Syntax:\n\n```\n[#!].*?```\n", "", head,
                  flags=re.MULTILINE | re.DOTALL)
    lists = [make_list(title.rstrip(":"), table)
             for title, table in zip(tables[::2], tables[1::2])
             if title.rstrip(":") in ("Attributes", "Operands", "Results")]
    text = head.strip() + "\n\n" + "\n".join(filter(None, lists))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def make_operations(page, groups, dialect, select, first="Operations"):
    """The operations for which `select` holds, under their titles; `first` is the
    title of those before the first title."""
    sections = {heading.split("`")[1]: body
                for heading, body in split_sections(page).items()
                if heading.startswith(f"`{dialect}.")}
    known = {name for _, names in groups for name in names}
    if not known.issuperset(sections):
        sys.exit(f"not found in the .td files: {set(sections) - known}")
    text = ""
    for title, names in groups:
        chosen = [name for name in names if name in sections and select(name)]
        if chosen:
            text += f"\n## {title or first}\n"
        for name in chosen:
            text += f"\n### {name}\n\n{clean(sections[name])}"
    return text


def make_part(page, title, mnemonic):
    """The attributes or types of a dialect that have a description."""
    match = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page,
                      re.MULTILINE | re.DOTALL)
    text = ""
    for heading, body in split_sections(match[1] if match else "").items():
        cleaned = clean(body)
        # Enumerations have a summary only; the operations' text covers them.
        if cleaned.count("\n\n") > 0:
            name = mnemonic(re.sub("(Attr|Type)$", "", heading))
            text += f"\n### {name}\n\n{cleaned}"
    return f"\n## {title}\n{text}" if text else ""


def get_description(page):
    """The dialect's own description."""
    return page.split("_\n", 1)[1].split("[TOC]")[0].strip() + "\n"


def make_dialect_pages(tblgen):
    tile = run_tblgen(tblgen, ["-gen-dialect-doc", "-dialect=tile"],
                      TILE / "PlanOps.td")
    gpu = run_tblgen(tblgen, ["-gen-dialect-doc", "-dialect=tile_gpu"],
                     TILE_GPU / "TileGPUOps.td")
    groups = get_order([TILE / "TileOps.td", TILE / "DescOps.td",
                        TILE / "DotOps.td", TILE / "PlanOps.td"], "tile.")
    # A class of the plan adds the first part of the name.
    groups = [(title, [name for given in names
                       for name in (given, given.replace("tile.", "tile.plan.", 1))])
              for title, names in groups]
    in_plan = lambda name: name == "tile.launch" or name.startswith("tile.plan.")
    yield "Language.md", (
        "\n## Parameters, facts and numbers\n\n" + get_description(tile) +
        make_part(tile, "Types", lambda name: {"Pointer": "!tile.ptr",
                                                "Desc": "!tile.desc",
                                                "TensorMap": "!tile.tensor_map"}
                  [name]))
    yield "Operations.md", make_operations(tile, groups, "tile",
                                           lambda name: not in_plan(name))
    yield "LaunchPlan.md", make_operations(tile, groups, "tile", in_plan,
                                           "The entry")
    yield "TileGPU.md", (
        "\n" + get_description(gpu) +
        make_operations(gpu, get_order([TILE_GPU / "TileGPUOps.td",
                                        TILE_GPU / "AsyncOps.td",
                                        TILE_GPU / "TMAOps.td"], "tile_gpu."),
                        "tile_gpu", lambda name: True) +
        make_part(gpu, "Attributes", lambda name: "#tile_gpu." + name.lower()) +
        make_part(gpu, "Types", lambda name: "!tile_gpu." + name.lower()))


def make_passes_page(tblgen):
    text = ""
    for folder, title in (("Transforms", ""), ("Conversion", "Conversions")):
        file = INCLUDE / "tessera" / folder / "Passes.td"
        sections = split_sections(run_tblgen(tblgen, ["-gen-pass-doc"], file))
        for group, names in get_order([file], ""):
            if names:
                text += f"\n## {group or title}\n"
            for name in names:
                body = sections[f"`-{name}`"]
                body = body.replace("#### Options\n\n```\n", "Options:\n\n```\n")
                body = re.sub(r"^```mlir\n((?:(?!```).*\n)*?.*\.\.\.)",
                              r"```mlir,fragment\n\1", body, flags=re.MULTILINE)
                text += f"\n### {name}\n\n{body.strip()}\n"
    return "Passes.md", text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tblgen", default=shutil.which("mlir-tblgen")
                        or "/usr/lib/llvm-22/bin/mlir-tblgen",
                        help="by default that of PATH, else of Debian's package")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs")
    arguments = parser.parse_args()
    if not shutil.which(arguments.tblgen):
        sys.exit(f"there is no {arguments.tblgen}")
    stale = False
    for name, generated in [*make_dialect_pages(arguments.tblgen),
                            make_passes_page(arguments.tblgen)]:
        template = (ROOT / "docs" / "templates" / name).read_text(encoding="utf-8")
        page = HEADER.format(name=name) + template + generated
        file = arguments.docs / name
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        if not arguments.check:
            file.write_text(page, encoding="utf-8")
            continue
        diff = "".join(difflib.unified_diff(
            old.splitlines(True), page.splitlines(True), f"docs/{name}",
            f"docs/{name}, made anew"))
        print(diff, end="")
        stale |= bool(diff)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
