#===- check_links.py - relative links that lead nowhere --------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: check_links.py DOCUMENT...

Prints a line for each relative link of a Markdown document whose file, or whose
heading in a Markdown file, does not exist; exits with 1 when there is one. Links
with a scheme are not looked at.
"""

import pathlib
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def prose(path):
    return FENCED.sub("", path.read_text(encoding="utf-8"))


def anchors(path):
    """The anchors that headings get: lower case, blanks as hyphens, and of the
    rest only letters, digits and hyphens."""
    return {re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))
            for heading in HEADING.findall(prose(path))}


def leads_somewhere(document, link):
    place, _, anchor = link.partition("#")
    path = document.parent / place if place else document
    if not path.exists():
        return False
    return not anchor or path.suffix != ".md" or anchor in anchors(path)


def main():
    bad = []
    for document in map(pathlib.Path, sys.argv[1:]):
        for link in LINK.findall(prose(document)):
            if not re.match(r"\w+:", link) and not leads_somewhere(document, link):
                bad.append(f"{document.name}: {link} leads nowhere")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
