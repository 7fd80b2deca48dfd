#===- python_runtime_test.py - the Python module over a fake driver --------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tests launching and looking by tessera_runtime.py (python_fixture.py says
what it needs)."""

import json
import os
import types
import unittest

from python_fixture import MANIFEST, RuntimeTestCase, Tensor, tessera_runtime


class RuntimeTest(RuntimeTestCase):

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
        self.check_error("not 1.5", self.kernel.plain, 0, 1, grid=1.5)
        self.check_error("not ('2', 1)", self.kernel.plain, 0, 1,
                         grid=("2", 1))
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
            get_device_capability=lambda: (8, 6),
            current_stream=lambda device: types.SimpleNamespace(
                cuda_stream=0x7f + device))
        self.use_torch(types.SimpleNamespace(cuda=cuda))
        tensor = Tensor(0x10000, device=1)
        self.kernel.scale(tensor, tensor, 0.5, 2000)
        self.kernel.scale(tensor, tensor, 0.5, 2000, stream=0x81)
        self.assertEqual([launch["stream"] for launch in self.launches()],
                         [0x80, 0x81])
        self.check_error("argument 'x' is on device 0, the current device is 1",
                         self.kernel.scale, tensor, Tensor(0), 0.5, 8)
        self.assertEqual(tessera_runtime.device_capability(), (8, 6))
        # torch's own C module says it faster.
        self.use_torch(types.SimpleNamespace(
            cuda=cuda, _C=types.SimpleNamespace(
                _cuda_getDevice=lambda: 1,
                _cuda_getCurrentRawStream=lambda device: 0x90 + device)))
        self.kernel.scale(tensor, tensor, 0.5, 2000)
        self.assertEqual(self.launches()[-1]["stream"], 0x91)
        # torch imported but not using CUDA: the default stream.
        cuda.is_initialized = lambda: False
        self.use_torch(types.SimpleNamespace(cuda=cuda))
        self.kernel.scale(0, 0, 0.5, 2000)
        self.assertEqual(self.launches()[-1]["stream"], 0)

    # What is refused

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

    def test_capability(self):
        # The fake device says 9.0.
        self.assertEqual(tessera_runtime.device_capability(), (9, 0))
        os.environ["TESSERA_FAKE_DRIVER_FAIL"] = "cuDeviceGetAttribute=719"
        self.check_error("CUDA_ERROR_LAUNCH_FAILED",
                         tessera_runtime.device_capability)

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
