#===- python_compile_test.py - compiling from Python -----------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tests tessera_runtime.compile: what is compiled, and what is refused.

Needs what python_fixture.py says, and tile-opt on PATH. Emits PTX, for which no
ptxas is needed; the fake driver reads argument sizes from it.
"""

import os
import sys
import types
import unittest

from python_fixture import HERE, RuntimeTestCase, Tensor, tessera_runtime

import tessera_compiler

KERNELS = os.path.join(HERE, "..", "..", "lib", "Kernels")
VECTOR_ADD = os.path.join(KERNELS, "vector_add.mlir")
TEXT = """
tile.func @fill_kernel(%p: !tile.ptr<i32>, %v: i32) {
  tile.store %p, %v : !tile.ptr<i32>
  tile.return
}
tile.launch @fill(%p: !tile.ptr<i32>, %v: i32) {
  %one = tile.plan.constant 1
  tile.plan.dispatch @fill_kernel grid(%one) args(%p, %v) : !tile.ptr<i32>, i32
}
"""


class CompileTest(RuntimeTestCase):

    def setUp(self):
        super().setUp()
        self.set_variable("TESSERA_CACHE_DIR", os.path.join(self.folder, "c"))
        tessera_compiler._kernels.clear()

    def compile(self, source=VECTOR_ADD, **options):
        options.setdefault("emit", "ptx")
        kernel = tessera_runtime.compile(source, **options)
        self.addCleanup(kernel.close)
        return kernel

    def test_two_lines(self):
        k = self.compile(VECTOR_ADD, BLOCK=256)
        k.vector_add(Tensor(0x10000), Tensor(0x20000), Tensor(0x30000), 1000)
        launch, = self.launches()
        # ceil(1000 / 256) programs; 1000 is 0x3e8, and a multiple of 4.
        self.assertEqual(launch["grid"], [4, 1, 1])
        self.assertEqual(launch["args"],
                         ["0000010000000000", "0000020000000000",
                          "0000030000000000", "e8030000"])
        self.assertIn("fast", launch["function"])

    def test_the_devices_target(self):
        # The fake device is of 9.0.
        self.assertEqual(self.compile().target, "sm_90a")
        self.assertEqual(self.compile(target="sm_80").target, "sm_80")
        os.environ["TESSERA_FAKE_DRIVER_FAIL"] = "cuDeviceGetAttribute=719"
        self.check_error("no target is given, and no device can be asked for "
                         "it", self.compile)
        self.assertEqual(self.compile(target="sm_86").target, "sm_86")

    def test_targets_for_capabilities(self):
        compiler = types.SimpleNamespace(
            targets=["sm_80", "sm_86", "sm_90a", "sm_100a"])
        choose = tessera_compiler._device_target
        original = tessera_runtime.device_capability
        self.addCleanup(setattr, tessera_runtime, "device_capability", original)
        for capability, target in [((8, 0), "sm_80"), ((8, 6), "sm_86"),
                                   ((8, 7), "sm_86"), ((8, 9), "sm_86"),
                                   ((9, 0), "sm_90a"), ((10, 0), "sm_100a")]:
            tessera_runtime.device_capability = lambda build: capability
            self.assertEqual(choose(compiler, None), target)
        # A letter binds to one device; nothing runs on an earlier one.
        for capability in ((7, 5), (10, 3), (12, 0)):
            tessera_runtime.device_capability = lambda build: capability
            self.check_error("compiles for none of sm_%d%d" % capability,
                             choose, compiler, None)

    def test_parameters(self):
        float16 = types.SimpleNamespace(__name__="float16")
        for value in ("f16", "torch.float16", float16):
            kernel = self.compile(T=value if value != "torch.float16" else
                                  type("dtype", (), {"__repr__": lambda self:
                                                     "torch.float16"})())
            self.assertEqual(kernel.vector_add.arguments[0][1], "ptr<f16>")
        kernel = self.compile(parameters={"BLOCK": 64, "T": "f64"}, num_warps=1)
        self.assertEqual(kernel.vector_add.arguments[0][1], "ptr<f64>")
        self.assertEqual({needs["num_warps"]
                          for needs in kernel.resources.values()}, {1})
        self.assertEqual(kernel.vector_add.plan(0, 0, 0, 640)["actions"][-1]
                         ["grid"], [10, 1, 1])
        self.check_error("parameter BLOCK is an integer or an element type, "
                         "not 1.5", self.compile, BLOCK=1.5)

    def test_assumed_sizes(self):
        source = os.path.join(KERNELS, "matmul.mlir")
        kernel = self.compile(source,
                              assume={"m": 1024, "n": 1024, "k": 1024})
        # 64 x 128 tiles: 128 programs, and 4 for a product of 100 x 200.
        self.assertEqual({needs["num_warps"]
                          for needs in kernel.resources.values()}, {4})
        for m, n, programs in ((1024, 1024, 128), (100, 200, 4)):
            plan = kernel.matmul.plan(0, 0, 0, m, n, 64, 64, 1, n, 1, n, 1)
            self.assertEqual(plan["actions"][-1]["grid"], [programs, 1, 1])
        self.check_error("assume is a dict of integers by name", self.compile,
                         source, assume={"m": 1.5})
        self.check_error("--assume=x=4: expects an integer argument of an entry",
                         self.compile, source, assume={"x": 4})

    def test_text(self):
        kernel = self.compile(TEXT)
        kernel.fill(0x10000, 7)
        self.assertEqual(self.launches()[-1]["args"],
                         ["0000010000000000", "07000000"])
        self.assertTrue(kernel.path.endswith("kernel.json"))
        self.assertTrue(self.compile(TEXT, name="fill").path.endswith(
            "fill.json"))
        self.check_error("name is a word", self.compile, TEXT, name="a/b")
        self.check_error("name is for a source given as text", self.compile,
                         name="add")

    # What is refused

    def test_diagnostics(self):
        error = self.check_error(
            "tile-opt does not compile kernel.mlir for sm_90a:\n"
            "kernel.mlir:3:3: error: custom op 'tile.stor' is unknown",
            self.compile, TEXT.replace("tile.store", "tile.stor"))
        self.assertIsInstance(error, tessera_runtime.CompileError)
        self.assertTrue(error.diagnostics.startswith("kernel.mlir:3:3: error"))
        # The user's path, not that of a copy.
        path = os.path.join(self.folder, "wrong.mlir")
        with open(path, "w") as file:
            file.write("tile.func @x(%n: i33) {\n  tile.retrn\n}\n")
        error = self.check_error(path + ":2:3: error: ", self.compile, path)
        self.assertNotIn(".tmp", str(error))
        self.check_error("expects a parameter of the source",
                         self.compile, BLOK=64)
        self.check_error("--target=sm_1", self.compile, target="sm_1")
        self.check_error("--num-warps=3", self.compile, num_warps=3)
        # Nothing was kept of what failed.
        self.assertEqual(os.listdir(tessera_compiler.cache_folder()), [])

    def test_sources_that_cannot_be_read(self):
        self.check_error("cannot read /absent.mlir: No such file", self.compile,
                         "/absent.mlir")
        self.check_error("cannot read", self.compile, self.folder)

    def test_options(self):
        self.check_error("emit is \"cubin\" or \"ptx\"", self.compile,
                         emit="sass")
        for flag in ("-o", "--emit=llvm", "-DBLOCK=1", "--dump-dir=x",
                     "-target=sm_80", "--explain"):
            self.check_error("not by way of compile()", self.compile,
                             flags=[flag])
        self.check_error("a flag is a text", self.compile, flags=["x"])
        self.check_error("flags is a list of texts", self.compile,
                         flags="--maxnreg=64")
        self.check_error("error: --absent: no such option",
                         self.compile, flags=["--absent"])
        kernel = self.compile(flags=["--maxnreg=64"])
        with open(kernel.path.replace(".json", ".ptx")) as file:
            self.assertIn(".maxnreg 64", file.read())

    # Finding tile-opt

    def test_a_missing_tile_opt(self):
        self.check_error("/absent/tile-opt is no program (tile_opt=)",
                         self.compile, tile_opt="/absent/tile-opt")
        self.set_variable("TESSERA_TILE_OPT", "/absent/tile-opt")
        self.check_error("/absent/tile-opt is no program (TESSERA_TILE_OPT)",
                         self.compile)
        self.set_variable("TESSERA_TILE_OPT", None)
        self.set_variable("PATH", self.folder)
        self.check_error("cannot find tile-opt: looked for", self.compile)
        self.check_error("is no tile-opt: --version says", self.compile,
                         tile_opt=sys.executable)

    def test_a_named_tile_opt(self):
        found = tessera_compiler._find_tile_opt(None, None)
        build = os.path.dirname(os.path.dirname(found))
        self.set_variable("PATH", "/nowhere")
        self.set_variable("TESSERA_TILE_OPT", found)
        self.compile(BLOCK=128)
        self.set_variable("TESSERA_TILE_OPT", None)
        self.compile(BLOCK=64, tile_opt=found)
        self.assertEqual(tessera_compiler._find_tile_opt(None, build), found)


if __name__ == "__main__":
    unittest.main()
