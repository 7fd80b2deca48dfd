#===- check_static.py - what the static files need of a machine -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: check_static.py [--glibc=2.34] FILE...

Checks that programs and libraries need nothing but the C library: that the
shared libraries they name (readelf -d) are those of glibc, and that no symbol
version (readelf -V) is younger than the given glibc. Prints one line a file;
exits with 1 and the reasons when a file needs more.
"""

import argparse
import re
import subprocess
import sys

# All of them come with glibc.
ALLOWED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0",
           "librt.so.1", "ld-linux-x86-64.so.2"}


def readelf(option, path):
    run = subprocess.run(["readelf", option, "--wide", path],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{path}: {run.stderr.strip()}")
    return run.stdout


def needed_libraries(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path))


def needed_versions(path):
    """Symbol versions in the section .gnu.version_r, such as (2, 34)."""
    text = readelf("-V", path).partition("Version needs section")[2]
    return {tuple(map(int, version.split(".")))
            for version in re.findall(r"Name: GLIBC_([0-9.]+)", text)}


def faults(path, newest):
    libraries = needed_libraries(path)
    versions = needed_versions(path)
    if not versions:
        return ["no symbol of glibc is needed: is this a dynamic ELF file?"]
    found = [f"needs {library}" for library in libraries
             if library not in ALLOWED]
    found += [f"needs GLIBC_{'.'.join(map(str, version))}"
              for version in sorted(versions) if version > newest]
    youngest = ".".join(map(str, max(versions)))
    print(f"{path}: {', '.join(libraries)}; glibc {youngest} or newer")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--glibc", default="2.34")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    newest = tuple(map(int, arguments.glibc.split(".")))
    failed = False
    for path in arguments.files:
        for fault in faults(path, newest):
            print(f"{path}: {fault}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
