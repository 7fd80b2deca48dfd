#===- python_gpu_test.py - the runtime on a real device --------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Launches the kernels of Inputs/scale.ptx through torch.

What the fake driver cannot show: that the driver accepts what it is given.
Skipped without torch and a CUDA device.

Environment: TESSERA_RUNTIME_LIBRARY is libtessera_runtime.so.
"""

import os
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib", "Runtime", "python"))

import tessera_runtime  # noqa: E402

try:
    import torch
    HAS_GPU = torch.cuda.is_available()
except ImportError:
    HAS_GPU = False


def load_for_device(folder):
    """scale.json, beside the PTX instead of the fake driver's text."""
    with open(os.path.join(HERE, "Inputs", "scale.json")) as source:
        manifest = source.read().replace("scale.fake", "scale.ptx")
    with open(os.path.join(HERE, "Inputs", "scale.ptx")) as source:
        code = source.read()
    for name, text in (("scale.json", manifest), ("scale.ptx", code)):
        with open(os.path.join(folder, name), "w") as target:
            target.write(text)
    return tessera_runtime.load(os.path.join(folder, "scale.json"))


@unittest.skipUnless(HAS_GPU, "needs torch and a CUDA device")
class GpuTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kernel = load_for_device(folder.name)
        self.addCleanup(self.kernel.close)
        self.addCleanup(torch.cuda.synchronize)

    def arrays(self, n):
        x = torch.randn(n, device="cuda")
        return x, torch.full_like(x, -7)

    def test_large_shared_memory_and_half_arguments(self):
        for n in (8, 1024, 1000 * 1000):
            x, y = self.arrays(n)
            self.kernel.scale(y, x, 0.1, n)
            # 0.1 as f16, exactly.
            self.assertTrue(torch.equal(y, x * 0.0999755859375), n)

    def test_fill_scratch_and_narrow_arguments(self):
        # n is not divisible by 8. The kernel leaves ones in its scratch memory,
        # which the next launch's zeroing has to remove.
        for n in (1, 2001, 4095):
            for _ in range(3):
                x, y = self.arrays(n)
                self.kernel.scale(y, x, 0.1, n)
                self.assertTrue(torch.allclose(y, 3 * x + 1, rtol=1e-6,
                                               atol=1e-6), n)

    def test_empty_and_refused(self):
        x, y = self.arrays(8)
        self.kernel.scale(y, x, 0.1, 0)
        with self.assertRaises(tessera_runtime.TesseraError):
            self.kernel.scale(y, x, 0.1, 4097)
        self.assertTrue(torch.equal(y, torch.full_like(y, -7)))

    def test_torchs_streams(self):
        x, y = self.arrays(1 << 20)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            # Long enough that a launch on another stream would come first.
            torch.cuda._sleep(100000000)
            x.mul_(2)
            self.kernel.scale(y, x, 1.0, x.numel())
        stream.synchronize()
        self.assertTrue(torch.equal(y, x))

    def test_graphs(self):
        # Everything is stream-ordered, so that launches can be captured.
        x, y = self.arrays(2001)
        self.kernel.scale(y, x, 0.1, 2001)
        torch.cuda.synchronize()
        y.fill_(-7)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.kernel.scale(y, x, 0.1, 2001)
        self.assertTrue(torch.equal(y, torch.full_like(y, -7)))
        for _ in range(2):
            x.mul_(2)
            graph.replay()
            torch.cuda.synchronize()
            self.assertTrue(torch.allclose(y, 3 * x + 1, rtol=1e-6, atol=1e-6))

    def test_a_new_thread(self):
        # It has no current context until something gives it one.
        x, y = self.arrays(2000)
        torch.cuda.synchronize()
        thread = threading.Thread(
            target=self.kernel.scale, args=(y.data_ptr(), x.data_ptr(), 1.0,
                                            2000), kwargs={"stream": 0})
        thread.start()
        thread.join()
        torch.cuda.synchronize()
        self.assertTrue(torch.equal(y, x))

    def test_occupancy(self):
        # 64 KiB and a reserved KiB for each block.
        shared = torch.cuda.get_device_properties(
            0).shared_memory_per_multiprocessor
        self.assertEqual(self.kernel.occupancy("scale_kernel"),
                         shared // (65 * 1024))

    def test_element_types(self):
        x, y = self.arrays(8)
        with self.assertRaisesRegex(tessera_runtime.TesseraError,
                                    "ptr<f32>, the array's elements are "
                                    "bfloat16"):
            self.kernel.scale(y, x.bfloat16(), 0.1, 8)


if __name__ == "__main__":
    unittest.main()
