#===- python_runtime_test.py - the Python module over a fake driver --------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tests tessera_runtime.py.

Environment: TESSERA_RUNTIME_LIBRARY is libtessera_runtime.so,
TESSERA_CUDA_DRIVER the fake driver.
"""

import json
import math
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


class Array:
    """An object with __cuda_array_interface__ and nothing else."""

    def __init__(self, address, typestr):
        self.__cuda_array_interface__ = {
            "data": (address, False), "typestr": typestr, "shape": (1,),
            "version": 3}


class Index:
    """An integer of some other library, as numpy's are."""

    def __index__(self):
        return 2000


class RuntimeTest(unittest.TestCase):

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

    # Launching

    def test_launch(self):
        self.kernel.scale(Tensor(0x10000), Tensor(0x20000), 0.5, 2000)
        launch, = self.launches()
        self.assertEqual(launch["function"], "scale_kernel")
        self.assertEqual(launch["grid"], [2, 1, 1])
        self.assertEqual(launch["stream"], 0)
        self.assertEqual(launch["args"], ["0000010000000000",
                                          "0000020000000000", "0038",
                                          "d0070000"])

    def test_items_are_entries(self):
        self.assertIs(self.kernel["scale"], self.kernel.scale)
        error = self.check_error("no entry 'absent'; it has scale, plain",
                                 lambda: self.kernel["absent"])
        self.assertEqual(error.status_name, "NOT_FOUND")
        self.assertFalse(hasattr(self.kernel, "absent"))
        self.assertIn("scale", dir(self.kernel))

    def test_kinds_of_pointers(self):
        pointers = [(Array(0x20000, "<f4"), 0x20000), (0x30000, 0x30000),
                    (None, 0), (2**64 - 16, 2**64 - 16)]
        for pointer, address in pointers:
            self.kernel.scale(0, pointer, 0.5, 2000)
            self.assertEqual(self.launches()[-1]["args"][1],
                             address.to_bytes(8, "little").hex())

    def test_kinds_of_numbers(self):
        self.kernel.scale(0, 0, 2, Index())
        self.assertEqual(self.launches()[-1]["args"][2:], ["0040", "d0070000"])
        self.kernel.scale(0, 0, math.inf, True)
        # n = 1 is not divisible by 8: the other variant, without the factor.
        self.assertEqual(self.launches()[-1]["args"][3], "0100000000000000")

    def test_grid(self):
        self.assertTrue(self.kernel.plain.uses_caller_grid)
        self.kernel.plain(0, 2**40, grid=(7, 8))
        self.kernel.plain(0, 2**40, grid=5)
        self.assertEqual([launch["grid"] for launch in self.launches()],
                         [[7, 8, 1], [5, 1, 1]])
        self.check_error("has no grid of its own", self.kernel.plain, 0, 1)
        self.check_error("1 to 3 dimensions", self.kernel.plain, 0, 1,
                         grid=(1, 2, 3, 4))
        self.check_error("a grid of", self.kernel.plain, 0, 1, grid=2**64 + 1)
        self.check_error("computes its own grid", self.kernel.scale, 0, 0, 0.5,
                         8, grid=1)

    def test_stream(self):
        streams = [0x77, types.SimpleNamespace(cuda_stream=0x78),
                   types.SimpleNamespace(ptr=0x79)]
        for stream in streams:
            self.kernel.scale(0, 0, 0.5, 2000, stream=stream)
        self.assertEqual([launch["stream"] for launch in self.launches()],
                         [0x77, 0x78, 0x79])
        self.check_error("a stream cannot be a str", self.kernel.scale, 0, 0,
                         0.5, 8, stream="fast")

    def test_torchs_stream_and_device(self):
        cuda = types.SimpleNamespace(
            is_initialized=lambda: True,
            current_device=lambda: 1,
            current_stream=lambda: types.SimpleNamespace(cuda_stream=0x80))
        sys.modules["torch"] = types.SimpleNamespace(cuda=cuda)
        self.addCleanup(sys.modules.pop, "torch")
        tensor = Tensor(0x10000, device=1)
        self.kernel.scale(tensor, tensor, 0.5, 2000)
        self.kernel.scale(tensor, tensor, 0.5, 2000, stream=0x81)
        self.assertEqual([launch["stream"] for launch in self.launches()],
                         [0x80, 0x81])
        self.check_error("argument 'x' is on device 0, the current device is 1",
                         self.kernel.scale, tensor, Tensor(0), 0.5, 8)
        # torch's own C module says it faster.
        sys.modules["torch"]._C = types.SimpleNamespace(
            _cuda_getCurrentRawStream=lambda device: 0x90 + device)
        self.kernel.scale(tensor, tensor, 0.5, 2000)
        self.assertEqual(self.launches()[-1]["stream"], 0x91)
        # torch imported but not using CUDA: the default stream.
        cuda.is_initialized = lambda: False
        self.kernel.scale(0, 0, 0.5, 2000)
        self.assertEqual(self.launches()[-1]["stream"], 0)

    # What is refused

    def test_element_types(self):
        scale = self.kernel.scale
        self.check_error(
            "argument 'x' is ptr<f32>, the array's elements are float16", scale,
            0, Tensor(0, "torch.float16"), 0.5, 8)
        self.check_error("the array's elements are float64", scale, 0,
                         Array(0, "<f8"), 0.5, 8)
        self.check_error("the array's elements are <c8", scale, 0,
                         Array(0, "<c8"), 0.5, 8)
        check = tessera_runtime._check_dtype
        # Signless integers and booleans in bytes; types that are not compared.
        for declared, dtype in [("ptr<i32>", "torch.uint32"),
                                ("ptr<i1>", "torch.bool"),
                                ("ptr<bf16>", "torch.bfloat16"),
                                ("ptr<f8E4M3FN>", "torch.float8_e4m3fn"),
                                ("ptr<ptr<f32>>", "torch.int64")]:
            check("x", declared, dtype)
        with self.assertRaises(TesseraError):
            check("x", "ptr<f8E5M2>", "torch.float8_e4m3fn")

    def test_wrong_arguments(self):
        scale = self.kernel.scale
        self.check_error("scale takes 4 argument(s), not 1", scale, 1)
        self.check_error("argument 'n' is i32 and cannot be a float", scale, 0,
                         0, 0.5, 8.0)
        self.check_error("argument 'factor' is f16 and cannot be a str", scale,
                         0, 0, "half", 8)
        self.check_error("argument 'x' is ptr<f32> and cannot be a float",
                         scale, 0, 1.5, 0.5, 8)
        self.check_error("argument 'x': -1 is no address", scale, 0, -1, 0.5, 8)
        self.check_error("not on a CUDA device", scale, 0,
                         Tensor(0, is_cuda=False), 0.5, 8)
        # Beyond i32, and beyond what ctypes would keep.
        error = self.check_error("cannot hold 2147483648", scale, 0, 0, 0.5,
                                 2**31)
        self.assertEqual(error.status_name, "INVALID_ARGUMENT")
        self.check_error("cannot hold %d" % (2**64 + 8), scale, 0, 0, 0.5,
                         2**64 + 8)

    def test_errors_of_the_runtime(self):
        error = self.check_error("a row longer than the block",
                                 self.kernel.scale, 0, 0, 0.5, 4097)
        self.assertEqual(error.status_name, "REFUSED")
        os.environ["TESSERA_FAKE_DRIVER_FAIL"] = "cuLaunchKernel=719"
        error = self.check_error("CUDA_ERROR_LAUNCH_FAILED", self.kernel.scale,
                                 0, 0, 0.5, 2000)
        self.assertEqual(error.status_name, "DRIVER_ERROR")

    def test_manifests_that_cannot_be_loaded(self):
        self.check_error("cannot read", tessera_runtime.load, "/absent.json")
        path = os.path.join(self.folder, "new.json")
        with open(MANIFEST) as source, open(path, "w") as target:
            target.write(source.read().replace('"version": 1', '"version": 3'))
        error = self.check_error("has version 3", tessera_runtime.load, path)
        self.assertEqual(error.status_name, "UNSUPPORTED_VERSION")

    def test_closed(self):
        self.kernel.close()
        self.kernel.close()
        self.check_error("has been closed", self.kernel.scale, 0, 0, 0.5, 8)
        with tessera_runtime.load(MANIFEST) as kernel:
            kernel.scale(0, 0, 0.5, 2000)
        self.check_error("has been closed", kernel.occupancy, "scale_any")

    # Looking

    def test_introspection(self):
        self.assertEqual(self.kernel.target, "sm_90a")
        self.assertEqual(self.kernel.scale.arguments[2], ("factor", "f16"))
        resources = self.kernel.resources["scale_any"]
        self.assertEqual(resources["num_warps"], 8)
        self.assertIsNone(resources["registers"])
        self.assertEqual(self.kernel.resources["scale_kernel"]["registers"], 32)
        self.assertEqual(self.kernel.occupancy("scale_any"), 8)

    def test_plan(self):
        plan = self.kernel.scale.plan(0x10000, 0x20000, 0.5, 5000, num_sms=3)
        self.assertEqual([action["do"] for action in plan["actions"]],
                         ["variant", "dispatch"])
        # min(ceil(5000 / 1024), 3); 5000 is divisible by 8.
        self.assertEqual(plan["actions"][1]["grid"], [3, 1, 1])
        self.assertEqual(plan["actions"][1]["args"][2],
                         {"name": "factor", "type": "f16", "value": 0.5,
                          "bits": 0x3800})
        self.assertFalse(os.path.exists(self.log))

    def test_plans_of_any_length(self):
        with open(MANIFEST) as source:
            manifest = json.load(source)
        body = manifest["entries"][1]["body"]
        manifest["entries"][1]["body"] = body * 100
        path = os.path.join(self.folder, "long.json")
        with open(path, "w") as target:
            json.dump(manifest, target)
        with tessera_runtime.load(path) as kernel:
            plan = kernel.plain.plan(0, 1, grid=1)
        self.assertEqual(len(plan["actions"]), 100)


if __name__ == "__main__":
    unittest.main()
