#===- python_finding_test.py - finding the library and the driver ----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tests where tessera_runtime.py finds its library, and what happens without a
driver. Both are decided once a process, so each test runs Python anew.

Environment: TESSERA_RUNTIME_LIBRARY is libtessera_runtime.so,
TESSERA_CUDA_DRIVER the fake driver.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE_FOLDER = os.path.join(HERE, "..", "..", "lib", "Runtime", "python")
MANIFEST = os.path.join(HERE, "Inputs", "scale.json")


class FindingTest(unittest.TestCase):
    def run_python(self, code, **changes):
        environment = dict(os.environ, PYTHONPATH=MODULE_FOLDER,
                           PYTHONDONTWRITEBYTECODE="1")
        for name, value in changes.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        return subprocess.run(
            [sys.executable, "-c", "import tessera_runtime\n" + code],
            env=environment, capture_output=True, text=True)

    def test_a_missing_driver_is_an_error(self):
        result = self.run_python(
            "k = tessera_runtime.load(%r)\n"
            "print(k.scale.plan(0, 0, 0.5, 8, num_sms=1)['entry'])\n"
            "for _ in range(2):\n"
            "  try: k.scale(0, 0, 0.5, 8)\n"
            "  except tessera_runtime.TesseraError as e: print(e)\n" % MANIFEST,
            TESSERA_CUDA_DRIVER="/absent/libcuda.so")
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], "scale", result.stderr)
        # Reported each time, though tried only once.
        self.assertEqual(len(lines), 3)
        for line in lines[1:]:
            self.assertIn("cannot open the CUDA driver: /absent/libcuda.so",
                          line)

    def test_a_wrong_driver_is_an_error(self):
        result = self.run_python(
            "tessera_runtime.load(%r).scale(0, 0, 0.5, 8)" % MANIFEST,
            TESSERA_CUDA_DRIVER=os.environ["TESSERA_RUNTIME_LIBRARY"])
        self.assertIn("lacks cuInit", result.stderr)

    def test_the_library_in_a_build_folder(self):
        library = os.environ["TESSERA_RUNTIME_LIBRARY"]
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "lib"))
            shutil.copy(library, os.path.join(folder, "lib"))
            code = "print(tessera_runtime.load(%r, build=%r).target)"
            result = self.run_python(code % (MANIFEST, folder),
                                     TESSERA_RUNTIME_LIBRARY=None)
            self.assertEqual(result.stdout, "sm_90a\n", result.stderr)

    def test_the_library_beside_the_module(self):
        library = os.environ["TESSERA_RUNTIME_LIBRARY"]
        code = "print(tessera_runtime.load(%r).target)" % MANIFEST
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(MODULE_FOLDER, "tessera_runtime.py"),
                        folder)
            result = self.run_python(code, PYTHONPATH=folder,
                                     TESSERA_RUNTIME_LIBRARY=None)
            self.assertIn("cannot find the runtime library", result.stderr)
            shutil.copy(library, folder)
            result = self.run_python(code, PYTHONPATH=folder,
                                     TESSERA_RUNTIME_LIBRARY=None)
            self.assertEqual(result.stdout, "sm_90a\n", result.stderr)

    def test_only_the_c_api_is_exported(self):
        result = subprocess.run(
            [shutil.which("llvm-nm") or "nm", "-D", "--defined-only", "--format=posix",
             os.environ["TESSERA_RUNTIME_LIBRARY"]],
            capture_output=True, text=True, check=True)
        names = [line.split()[0] for line in result.stdout.splitlines()]
        self.assertIn("tessera_launch", names)
        self.assertEqual([n for n in names if not n.startswith("tessera_")], [])


if __name__ == "__main__":
    unittest.main()
