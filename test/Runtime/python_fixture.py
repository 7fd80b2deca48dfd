#===- python_fixture.py - what the tests of the Python module share --------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Environment: TESSERA_RUNTIME_LIBRARY is libtessera_runtime.so,
TESSERA_CUDA_DRIVER the fake driver.
"""

import json
import os
import sys
import tempfile
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE_FOLDER = os.path.join(HERE, "..", "..", "lib", "Runtime", "python")
MANIFEST = os.path.join(HERE, "Inputs", "scale.json")
sys.dont_write_bytecode = True
sys.path.insert(0, MODULE_FOLDER)

import tessera_runtime  # noqa: E402
from tessera_runtime import TesseraError  # noqa: E402


class Tensor:
    """What the module uses of a torch tensor."""

    def __init__(self, address, dtype="torch.float32", is_cuda=True, device=0):
        self._address = address
        self.dtype = dtype
        self.is_cuda = is_cuda
        self.device = types.SimpleNamespace(index=device)

    def data_ptr(self):
        return self._address

    def get_device(self):
        return self.device.index if self.is_cuda else -1


class Array:
    """An object with __cuda_array_interface__ and nothing else."""

    def __init__(self, address, typestr, shape=(1,), strides=None):
        self.__cuda_array_interface__ = {
            "data": (address, False), "typestr": typestr, "shape": shape,
            "strides": strides, "version": 3}


class Index:
    """An integer of some other library, as numpy's are."""

    def __index__(self):
        return 2000


class RuntimeTestCase(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.log = os.path.join(folder.name, "log")
        os.environ["TESSERA_FAKE_DRIVER_LOG"] = self.log
        os.environ.pop("TESSERA_FAKE_DRIVER_FAIL", None)
        self.kernel = tessera_runtime.load(MANIFEST)
        self.addCleanup(self.kernel.close)

    def launches(self):
        with open(self.log) as lines:
            calls = [json.loads(line) for line in lines]
        return [call for call in calls if call["call"] == "cuLaunchKernel"]

    def check_error(self, text, function, *args, **kwargs):
        with self.assertRaises(TesseraError) as caught:
            function(*args, **kwargs)
        self.assertIn(text, str(caught.exception))
        return caught.exception

    def set_variable(self, name, value):
        """An environment variable, until the end of the test."""
        def change(value):
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self.addCleanup(change, os.environ.get(name))
        change(value)

    def use_torch(self, torch):
        """What the module remembers of a torch in use is forgotten again."""
        sys.modules["torch"] = torch
        tessera_runtime._torch = None
        self.addCleanup(setattr, tessera_runtime, "_torch", None)
        self.addCleanup(sys.modules.pop, "torch", None)
