#===- lit.cfg.py - how lit runs Tessera's tests ----------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# A test is a *.mlir or *.test file with RUN lines. Python and C files are inputs
# of such tests and never tests by themselves.
#
# Substitutions:
#   %kernels    folder of the shipped kernels, lib/Kernels
#   %source     root of the sources
#   %python     a Python 3 interpreter
#   %inline-layouts  a filter that puts layouts in the place of their names
#   %ptxas      ptxas, with the feature `ptxas`
#   %cc         the C compiler of the build
#   %libdir     folder of libtessera_runtime.so and its Python module
#   %static     folder of the preset `static`, with the feature `static-build`
# tile-opt, tile-run, FileCheck, not, count, split-file and MLIR's tools are
# found through PATH.
#
# Features (REQUIRES: NAME):
#   ptxas       a ptxas is there
#   nvdisasm    an nvdisasm is there
#   no-system-nvdisasm  ... but none where toolkits are installed
#   libdevice   a libdevice.10.bc is there
#   static-build  the preset `static` has been built
#   gpu         the CUDA driver sees a device
#   gpu-sm_XY   ... whose compute capability is X.Y
#   numpy       %python has NumPy
#
#===------------------------------------------------------------------------===#

import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "Tessera"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)

# A test that hangs fails after this many seconds; lit needs psutil for it.
if importlib.util.find_spec("psutil"):
    lit_config.maxIndividualTestTime = 300

# Asks the driver, in a process of its own: a CUDA context does not survive the
# fork by which lit makes its workers. Prints "X Y" for device 0.
CAPABILITY_PROGRAM = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
count, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
assert cuda.cuInit(0) == 0
assert cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
assert cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, 0) == 0
assert cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, 0) == 0
print(major.value, minor.value)
"""


# Where toolkits are installed.
SYSTEM_ROOTS = ["/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"]


def run_python(program):
    """What `program` prints, or None when it fails."""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True,
                         text=True, check=False)
    return run.stdout if run.returncode == 0 else None


def find_cuda_file(place):
    """First toolkit that holds `place`, in the order in which tile-opt looks."""
    roots = [config.environment.get("CUDA_HOME"),
             config.environment.get("CUDA_PATH")]
    ptxas = shutil.which("ptxas")
    if ptxas:
        roots.append(os.path.dirname(os.path.dirname(os.path.realpath(ptxas))))
    roots += [os.path.join(config.tessera_build_dir, "cuda"), *SYSTEM_ROOTS]
    for root in filter(None, roots):
        path = os.path.join(root, place)
        if os.path.exists(path):
            return path
    return None


# The build's tools come before anything of the same name on this machine.
config.environment["PATH"] = os.pathsep.join(
    [config.tessera_tools_dir, config.llvm_tools_dir,
     config.environment["PATH"]])
# Variables of one CHECK block do not leak into the next, and a prefix that no
# line uses is an error: a test that checks nothing fails.
config.environment["FILECHECK_OPTS"] = (
    "-enable-var-scope --allow-unused-prefixes=false")
for name in ("CUDA_HOME", "CUDA_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# A ptxas that was fetched or named for this build wins over the machine's.
build_cuda = os.path.join(config.tessera_build_dir, "cuda")
if os.path.exists(os.path.join(build_cuda, "bin", "ptxas")):
    config.environment["CUDA_HOME"] = build_cuda

config.substitutions += [
    ("%kernels", os.path.join(config.tessera_source_dir, "lib", "Kernels")),
    ("%source", config.tessera_source_dir),
    ("%inline-layouts", sys.executable + " " + os.path.join(
        config.test_source_root, "Inputs", "inline_layouts.py")),
    ("%python", sys.executable),
    ("%cc", config.c_compiler),
    ("%libdir", os.path.join(config.tessera_build_dir, "lib")),
]

ptxas = find_cuda_file("bin/ptxas")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if shutil.which("nvdisasm") or find_cuda_file("bin/nvdisasm"):
    config.available_features.add("nvdisasm")
if not any(os.path.exists(os.path.join(root, "bin/nvdisasm"))
           for root in [*SYSTEM_ROOTS, "/usr", "/"]):
    config.available_features.add("no-system-nvdisasm")
if find_cuda_file("nvvm/libdevice/libdevice.10.bc"):
    config.available_features.add("libdevice")
static = os.path.join(config.tessera_source_dir, "build-static")
if all(os.path.exists(os.path.join(static, file)) for file in
       ("bin/tile-opt", "bin/tile-run", "lib/libtessera_runtime.so")):
    config.available_features.add("static-build")
    config.substitutions.append(("%static", static))

capability = run_python(CAPABILITY_PROGRAM)
if capability:
    config.available_features.add("gpu")
    config.available_features.add("gpu-sm_" + "".join(capability.split()))
if run_python("import numpy") is not None:
    config.available_features.add("numpy")
