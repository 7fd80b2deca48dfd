#===- python_arguments_test.py - what Python values become -----------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Tests the arguments of tessera_runtime.py (python_fixture.py says what it
needs)."""

import math
import types
import unittest

from python_fixture import (Array, Index, RuntimeTestCase, Tensor, TesseraError,
                            tessera_runtime)


class ArgumentsTest(RuntimeTestCase):

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

    def test_names_of_arguments(self):
        scale = self.kernel.scale
        scale(0x10000, factor=0.5, n=2000, x=0x20000)
        self.assertEqual(self.launches()[-1]["args"],
                         ["0000010000000000", "0000020000000000", "0038",
                          "d0070000"])
        self.assertEqual(scale.plan(0, 0, n=8, factor=0, num_sms=1)["entry"],
                         "scale")
        self.check_error("scale has no argument 'm'; it has y, x, factor, n",
                         scale, 0, 0, 0.5, m=8)
        self.check_error("argument 'y' of scale is given twice", scale, 0, 0,
                         0.5, y=0)
        self.check_error("scale lacks x, n", scale, 0, factor=0.5)

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
        # Once accepted, looked at again all the same.
        scale(0, Tensor(0), 0.5, 8)
        self.check_error("the array's elements are float16", scale, 0,
                         Tensor(0, "torch.float16"), 0.5, 8)
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
        # float() would read it.
        self.check_error("argument 'factor' is f16 and cannot be a str", scale,
                         0, 0, "0.5", 8)
        self.check_error("argument 'factor' is f16 and cannot be a bytes",
                         scale, 0, 0, b"1", 8)
        self.check_error("argument 'factor' is f16 and cannot be a int", scale,
                         0, 0, 10**400, 8)
        self.check_error("argument 'n' is i32 and cannot be a str", scale, 0,
                         0, 0.5, "8")
        self.check_error("argument 'x' is ptr<f32> and cannot be a bool",
                         scale, 0, False, 0.5, 8)
        self.check_error("scale takes 4 argument(s), not 5", scale, 0, 0, 0.5,
                         8, 8)
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

    def test_torch_tensors_elsewhere(self):
        cuda = types.SimpleNamespace(
            is_initialized=lambda: True, current_device=lambda: 1,
            current_stream=lambda device: types.SimpleNamespace(cuda_stream=0))
        self.use_torch(types.SimpleNamespace(cuda=cuda))
        scale, here = self.kernel.scale, Tensor(0x20000, device=1)
        for _ in range(2):
            scale(here, here, 0.5, 2000)
            self.assertEqual(self.launches()[-1]["args"][0],
                             "0000020000000000")
            self.check_error("argument 'x' is on device 0, the current device "
                             "is 1", scale, here, Tensor(0), 0.5, 8)
            self.check_error("argument 'y' is not on a CUDA device", scale,
                             Tensor(0, is_cuda=False, device=1), here, 0.5, 8)
            self.check_error("the array's elements are float16", scale, here,
                             Tensor(0, "torch.float16", device=1), 0.5, 8)

    def test_arrays_of_the_host(self):
        array = types.SimpleNamespace(__array_interface__={}, dtype="float32")
        self.check_error("argument 'x' is not on a CUDA device",
                         self.kernel.scale, 0, array, 0.5, 8)

    # Strides

    def test_strides(self):
        strides = tessera_runtime.strides
        self.assertEqual(strides(types.SimpleNamespace(stride=lambda: (8, 1))),
                         (8, 1))
        self.assertEqual(strides(Array(0, "<f4", (3, 5, 7))), (35, 7, 1))
        self.assertEqual(strides(Array(0, "<f2", (3, 5), (2, 6))), (1, 3))
        self.check_error("no multiples of an element's 4", strides,
                         Array(0, "<f4", (3,), (6,)))
        self.check_error("a list has no strides", strides, [1])


if __name__ == "__main__":
    unittest.main()
