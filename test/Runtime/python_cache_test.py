#===- python_cache_test.py - what compile() keeps on disk ------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tests the cache of tessera_compiler.py.

Needs what python_fixture.py says, and tile-opt on PATH. tile-opt is called by
way of a script that counts its compilations and says a word on stderr.
"""

import contextlib
import io
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

from python_fixture import HERE, MODULE_FOLDER, RuntimeTestCase, tessera_runtime

import tessera_compiler

SCRIPT = """#!/bin/sh
case "$*" in *--emit*) echo x >> "%s"; echo a remark >&2 ;; esac
exec "%s" "$@"
"""


def overwrite(path, text):
    """Replaces a file's first characters; the index becomes no more than
    them."""
    with open(path, "w" if path.endswith("index") else "r+") as file:
        file.write(text)


class CacheTest(RuntimeTestCase):

    def setUp(self):
        super().setUp()
        self.cache = os.path.join(self.folder, "cache")
        self.set_variable("TESSERA_CACHE_DIR", self.cache)
        self.count = os.path.join(self.folder, "count")
        self.tile_opt = self.write_script("tile-opt-1", SCRIPT)
        self.set_variable("TESSERA_TILE_OPT", self.tile_opt)
        self.source = os.path.join(self.folder, "vector_add.mlir")
        shutil.copy(os.path.join(HERE, "..", "..", "lib", "Kernels",
                                 "vector_add.mlir"), self.source)

    def write_script(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text % (self.count, shutil.which("tile-opt")))
        os.chmod(path, stat.S_IRWXU)
        return path

    def compilations(self, **options):
        """How often tile-opt compiles for one call, with nothing remembered."""
        tessera_compiler._kernels.clear()
        before = self.counted()
        self.said = io.StringIO()
        with contextlib.redirect_stderr(self.said):
            options = {"emit": "ptx", "source": self.source, **options}
            self.kernel = tessera_runtime.compile(**options)
        self.addCleanup(self.kernel.close)
        return self.counted() - before

    def counted(self):
        if not os.path.exists(self.count):
            return 0
        with open(self.count) as file:
            return len(file.readlines())

    def entry(self):
        return os.path.dirname(self.kernel.path)

    def test_equal_calls_compile_once(self):
        self.assertEqual(self.compilations(BLOCK=256), 1)
        self.assertEqual(self.said.getvalue(), "a remark\n")
        first = self.kernel
        self.assertIs(tessera_runtime.compile(self.source, emit="ptx",
                                              BLOCK=256), first)
        self.assertEqual(self.compilations(BLOCK=256), 0)
        self.assertEqual(self.said.getvalue(), "a remark\n")
        self.assertEqual(self.kernel.path, first.path)
        self.assertIsNot(self.kernel, first)
        self.kernel.vector_add(0, 0, 0, 512)
        self.assertEqual(self.launches()[-1]["grid"], [2, 1, 1])
        # The same text elsewhere.
        os.mkdir(os.path.join(self.folder, "other"))
        other = shutil.copy(self.source, os.path.join(self.folder, "other"))
        self.assertEqual(self.compilations(source=other, BLOCK=256), 0)
        # A closed kernel is loaded again.
        self.kernel.close()
        again = tessera_runtime.compile(self.source, emit="ptx", BLOCK=256)
        again.vector_add(0, 0, 0, 512)
        again.close()

    def test_what_differs_compiles_anew(self):
        base = {"BLOCK": 256, "target": "sm_90a"}
        self.compilations(**base)
        for changes in ({"BLOCK": 512}, {"T": "f16"}, {"target": "sm_80"},
                        {"num_warps": 2}, {"flags": ["--maxnreg=64"]}):
            self.assertEqual(self.compilations(**{**base, **changes}), 1,
                             changes)
        # Another name shows in the products: debuggers look for the source.
        renamed = shutil.copy(self.source, os.path.join(self.folder, "b.mlir"))
        self.assertEqual(self.compilations(source=renamed, **base), 1)
        with open(self.source, "a") as file:
            file.write("// a comment\n")
        self.assertEqual(self.compilations(**base), 1)
        # Another compiler, though at the same path and of the same version.
        self.write_script("tile-opt-1", SCRIPT + "# new\n")
        self.assertEqual(self.compilations(**base), 1)
        self.assertEqual(self.compilations(**base), 0)

    def test_the_toolkit_is_a_part_of_the_key(self):
        self.compilations()
        toolkit = os.path.join(self.folder, "toolkit")
        os.makedirs(os.path.join(toolkit, "bin"))
        ptxas = self.write_script("toolkit/bin/ptxas",
                                  "#!/bin/sh\n# %s %s\necho release 99.1\n")
        self.set_variable("CUDA_HOME", toolkit)
        self.assertEqual(self.compilations(), 1)
        self.assertEqual(self.compilations(), 0)
        # A file that a flag names.
        flag = ["--libdevice=" + ptxas]
        self.assertEqual(self.compilations(flags=flag), 1)
        with open(ptxas, "a") as file:
            file.write("# changed\n")
        self.assertEqual(self.compilations(flags=flag), 1)

    def test_damaged_entries_are_made_anew(self):
        self.compilations()
        damages = [
            lambda path: os.truncate(path("vector_add.ptx"), 100),
            lambda path: os.remove(path("vector_add.json")),
            lambda path: os.truncate(path("index"), 7),
            lambda path: os.remove(path("index")),
            lambda path: overwrite(path("index"), "[]  "),
            lambda path: overwrite(path("index"), '{"files": {}, "log": 1} '),
            lambda path: overwrite(path("vector_add.ptx"), "xx"),
        ]
        for damage in damages:
            path = self.entry()
            damage(lambda name: os.path.join(path, name))
            self.assertEqual(self.compilations(), 1)
            self.kernel.vector_add(0, 0, 0, 512)
            self.assertEqual(self.entry(), path)
            self.assertEqual(self.compilations(), 0)
        self.assertEqual(len(os.listdir(self.cache)), 1)

    def test_damage_after_loading_does_not_matter(self):
        self.compilations()
        shutil.rmtree(self.cache)
        self.kernel.vector_add(0, 0, 0, 512)
        self.assertEqual(len(self.launches()), 1)

    def test_processes_at_the_same_time(self):
        code = ("import tessera_runtime\n"
                "k = tessera_runtime.compile(%r, emit='ptx')\n"
                "k.vector_add(0, 0, 0, 512)\n"
                "print(k.path)\n" % self.source)
        environment = dict(os.environ, PYTHONPATH=MODULE_FOLDER,
                           PYTHONDONTWRITEBYTECODE="1")
        runs = [subprocess.Popen([sys.executable, "-c", code], env=environment,
                                 stdout=subprocess.PIPE, text=True)
                for _ in range(6)]
        printed = {run.communicate()[0] for run in runs}
        self.assertEqual([run.returncode for run in runs], [0] * 6)
        self.assertEqual(len(printed), 1)
        self.assertEqual(len(self.launches()), 6)
        # One entry, and nothing half made.
        self.assertEqual(os.listdir(self.cache),
                         [os.path.basename(os.path.dirname(printed.pop()))])
        self.assertEqual(self.compilations(), 0)

    def test_leftovers_are_removed(self):
        for name, age in (("old.tmp", 48 * 3600), ("new.tmp", 60)):
            path = os.path.join(self.cache, name)
            os.makedirs(path)
            os.utime(path, (time.time() - age,) * 2)
        self.compilations()
        self.assertIn("new.tmp", os.listdir(self.cache))
        self.assertNotIn("old.tmp", os.listdir(self.cache))

    def test_where_the_cache_is(self):
        folder = tessera_compiler.cache_folder
        self.assertEqual(folder(), self.cache)
        self.set_variable("TESSERA_CACHE_DIR", None)
        self.set_variable("XDG_CACHE_HOME", "/xdg")
        self.assertEqual(folder(), "/xdg/tessera")
        self.set_variable("XDG_CACHE_HOME", None)
        self.set_variable("HOME", "/home/me")
        self.assertEqual(folder(), "/home/me/.cache/tessera")

    def test_without_a_place_to_keep_things(self):
        # A file where the folder should be.
        with open(self.cache, "w"):
            pass
        for _ in range(2):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.assertEqual(self.compilations(), 1)
            self.assertIn("cannot be kept in " + self.cache,
                          str(caught[0].message))
            # At the caller's line.
            self.assertEqual(caught[0].filename, __file__)
            self.kernel.vector_add(0, 0, 0, 512)


    def test_without_a_place_to_compile_in(self):
        with open(self.cache, "w"):
            pass
        tempfile.tempdir = os.path.join(self.folder, "absent")
        self.addCleanup(setattr, tempfile, "tempdir", None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.check_error("cannot compile " + self.source,
                             self.compilations)


if __name__ == "__main__":
    unittest.main()
