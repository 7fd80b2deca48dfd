#===- run_inspect.py - do what docs/Inspect.md says ------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run_inspect.py DOCUMENT FOLDER SOURCES [--without=WORD]...

Runs each line of the document's sh blocks in FOLDER, with paths of lib/ taken from
SOURCES, but no line that has a WORD. The lines of a text block have to occur, in
their order, in what the commands of the block before it print or write with -o. A
command fails with the code of a comment `# exit code N`, and succeeds without one.
"""

import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(line, folder, sources):
    """All that the command prints and writes."""
    line, _, code = line.partition("# exit code")
    words = [str(sources / word) if word.startswith("lib/") else word
             for word in shlex.split(line)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True,
                          check=False)
    if done.returncode != int(code or 0):
        sys.exit(f"{line}\n{done.stderr}")
    text = done.stdout + done.stderr
    if "-o" in words:
        output = folder / words[words.index("-o") + 1]
        text += output.read_text(encoding="utf-8", errors="replace")
    return text


def main():
    document, folder, sources = map(pathlib.Path, sys.argv[1:4])
    without = [option.removeprefix("--without=") for option in sys.argv[4:]]
    output, count = None, 0
    for kind, text in BLOCK.findall(document.read_text(encoding="utf-8")):
        if kind == "sh":
            lines = [line for line in text.splitlines()
                     if not any(word in line for word in without)]
            output = "".join(run(line, folder, sources) for line in lines)
            count += len(lines)
            output = output if lines else None
        elif output is not None:
            at = 0
            for line in text.splitlines():
                found = output.find(line.strip(), at)
                if found < 0:
                    sys.exit(f"not printed here: {line}")
                at = found + len(line.strip())
    print(count, "commands")


if __name__ == "__main__":
    main()
