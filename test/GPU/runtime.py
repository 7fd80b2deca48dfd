#===- runtime.py - load the runtime under test -----------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Where every program of this folder gets tessera_runtime from."""

import os
import pathlib
import sys

LIBRARY = "libtessera_runtime.so"
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "lib/Runtime/python"


def import_runtime(library, build=None):
    """tessera_runtime: from the folder `build` if it has a copy, else from the
    sources. `library` is libtessera_runtime.so, or a folder that holds it, or
    None to let tessera_runtime look for it."""
    places = [pathlib.Path(build), pathlib.Path(build, "lib")] if build else []
    for folder in (*places, SOURCES):
        if (folder / "tessera_runtime.py").is_file():
            sys.path.insert(0, str(folder))
            break
    if library:
        path = pathlib.Path(library)
        if path.is_dir():
            path = path / LIBRARY
        os.environ["TESSERA_RUNTIME_LIBRARY"] = str(path)
    import tessera_runtime
    return tessera_runtime
