#===- tessera_runtime.py - launch compiled kernels from Python -------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Launches kernels that Tessera has compiled.

    import tessera_runtime
    kernel = tessera_runtime.load("softmax.json")
    kernel.softmax(y, x, m, n)            # torch tensors and numbers

A thin layer over the C API (tessera_runtime.h) that needs nothing but Python's
own library. Arguments are converted by the types that the manifest declares:

    ptr<T>              a torch tensor, an object with data_ptr() or with
                        __cuda_array_interface__, an address as an int, or None
                        for a null pointer. An object that says its element type
                        must have T.
    i1, i8, ... i64     an int, a bool, or anything with __index__
    f16, bf16, f32, f64 a float, or anything with __float__

Launches are asynchronous on `stream`: an address, an object with `cuda_stream`
(torch) or `ptr` (CuPy), or None. With None, a program that uses torch launches
on torch's current stream, any other on the default stream.

Every failure raises TesseraError.
"""

import ctypes
import json
import operator
import os
import sys

__all__ = ["Entry", "Kernel", "TesseraError", "load"]

# tessera_status
_SUCCESS, _NOT_FOUND, _BUFFER_TOO_SMALL = 0, 5, 9
_STATUS_NAMES = {
    1: "INVALID_ARGUMENT", 2: "INVALID_MANIFEST", 3: "UNSUPPORTED_VERSION",
    4: "IO_ERROR", 5: "NOT_FOUND", 6: "PLAN_ERROR", 7: "REFUSED",
    8: "DRIVER_ERROR", 9: "BUFFER_TOO_SMALL", 10: "OUT_OF_MEMORY",
    11: "INTERNAL_ERROR",
}

# tessera_argument_kind
_POINTER, _INTEGER, _FLOAT = 0, 1, 2

_FLOAT_TYPES = frozenset(("f16", "bf16", "f32", "f64"))

# Element types by the names that array libraries use: numpy's and torch's
# dtype names. A type of the manifest is signless, so i32 takes uint32 as well;
# booleans are stored as bytes.
_ELEMENT_TYPES = {
    "bool": ("i1", "i8"), "int8": ("i8",), "uint8": ("i8",),
    "int16": ("i16",), "uint16": ("i16",), "int32": ("i32",),
    "uint32": ("i32",), "int64": ("i64",), "uint64": ("i64",),
    "float16": ("f16",), "bfloat16": ("bf16",), "float32": ("f32",),
    "float64": ("f64",), "float8_e4m3fn": ("f8E4M3FN",),
    "float8_e5m2": ("f8E5M2",),
}

_KNOWN_ELEMENTS = frozenset(
    name for names in _ELEMENT_TYPES.values() for name in names)

# Element types by __cuda_array_interface__'s typestr without its byte order.
_TYPESTR_NAMES = {
    "b1": "bool", "i1": "int8", "u1": "uint8", "i2": "int16", "u2": "uint16",
    "i4": "int32", "u4": "uint32", "i8": "int64", "u8": "uint64",
    "f2": "float16", "f4": "float32", "f8": "float64",
}


class TesseraError(RuntimeError):
    """A failure of the runtime. `status` is its tessera_status, or None when
    the failure lies on Python's side (a wrong argument, a missing library)."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status
        self.status_name = _STATUS_NAMES.get(status)


#===------------------------------------------------------------------------===#
# The C API
#===------------------------------------------------------------------------===#


class _Value(ctypes.Union):
    _fields_ = [("pointer", ctypes.c_uint64), ("integer", ctypes.c_int64),
                ("floating", ctypes.c_double)]


class _Argument(ctypes.Structure):
    _anonymous_ = ("value",)
    _fields_ = [("kind", ctypes.c_int32), ("value", _Value)]


class _LaunchOptions(ctypes.Structure):
    _fields_ = [("stream", ctypes.c_void_p), ("has_grid", ctypes.c_int),
                ("grid", ctypes.c_int64 * 3)]


class _PlanOptions(ctypes.Structure):
    _fields_ = [("has_grid", ctypes.c_int), ("grid", ctypes.c_int64 * 3),
                ("num_sms", ctypes.c_int32)]


class _Resources(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("symbol", ctypes.c_char_p)] + [
        (name, ctypes.c_int64)
        for name in ("num_warps", "dynamic_shared_bytes",
                     "static_shared_bytes", "registers", "spill_store_bytes",
                     "spill_load_bytes", "stack_bytes")]


def _declare(library):
    """Gives the library's functions their types."""
    module, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    arguments = ctypes.POINTER(_Argument)
    signatures = {
        "last_error": (text, []),
        "load": (ctypes.c_int, [text, ctypes.POINTER(module)]),
        "unload": (None, [module]),
        "target": (text, [module]),
        "entry_count": (size, [module]),
        "entry_name": (text, [module, size]),
        "entry_argument_count": (size, [module, size]),
        "entry_argument_name": (text, [module, size, size]),
        "entry_argument_type": (text, [module, size, size]),
        "entry_uses_caller_grid": (ctypes.c_int, [module, size]),
        "kernel_count": (size, [module]),
        "kernel_get_resources":
            (ctypes.c_int, [module, size, ctypes.POINTER(_Resources)]),
        "kernel_occupancy":
            (ctypes.c_int, [module, text, ctypes.POINTER(ctypes.c_int)]),
        "launch": (ctypes.c_int, [module, text, arguments, size,
                                  ctypes.POINTER(_LaunchOptions)]),
        "plan_json": (ctypes.c_int, [module, text, arguments, size,
                                     ctypes.POINTER(_PlanOptions), text, size,
                                     ctypes.POINTER(size)]),
    }
    for name, (result, parameters) in signatures.items():
        function = getattr(library, "tessera_" + name)
        function.restype = result
        function.argtypes = parameters
    return library


_LIBRARY_NAME = "libtessera_runtime.so"
_libraries = {}


def _library_path(build):
    """The library's path: in the build folder given (its root or its lib), else
    what TESSERA_RUNTIME_LIBRARY names, else beside this file."""
    here = os.path.dirname(os.path.abspath(__file__))
    if build is not None:
        build = os.fspath(build)
        places = [os.path.join(build, _LIBRARY_NAME),
                  os.path.join(build, "lib", _LIBRARY_NAME)]
    elif os.environ.get("TESSERA_RUNTIME_LIBRARY"):
        places = [os.environ["TESSERA_RUNTIME_LIBRARY"]]
    else:
        places = [os.path.join(here, _LIBRARY_NAME)]
    for place in places:
        if os.path.isfile(place):
            return os.path.realpath(place)
    raise TesseraError(
        "cannot find the runtime library: looked for " + ", ".join(places) +
        "; set TESSERA_RUNTIME_LIBRARY or pass build=")


def _open_library(build):
    path = _library_path(build)
    if path not in _libraries:
        try:
            _libraries[path] = _declare(ctypes.CDLL(path))
        except (OSError, AttributeError) as error:
            raise TesseraError("cannot use %s: %s" % (path, error)) from error
    return _libraries[path]


#===------------------------------------------------------------------------===#
# Arguments
#===------------------------------------------------------------------------===#


def _torch_in_use():
    """torch, if this program has imported it and it has started CUDA."""
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None)
    return torch if cuda is not None and cuda.is_initialized() else None


# Pairs of a declared type and a dtype that fit: a dtype's name is looked at
# once, not at every launch.
_accepted_dtypes = set()


def _check_dtype(name, declared, dtype):
    """Refuses an array whose elements are not T of the declared ptr<T>."""
    if dtype is None or (declared, dtype) in _accepted_dtypes:
        return
    # "torch.float16", "float16"; numpy's type objects have a __name__.
    found = str(getattr(dtype, "__name__", dtype)).rsplit(".", 1)[-1]
    wanted = declared[len("ptr<"):-1]
    # A type that array libraries do not have cannot be compared.
    if (wanted in _KNOWN_ELEMENTS and
            wanted not in _ELEMENT_TYPES.get(found, ())):
        raise TesseraError("argument %r is %s, the array's elements are %s" %
                           (name, declared, found))
    _accepted_dtypes.add((declared, dtype))


def _check_device(name, value, current):
    """A kernel runs in the current context: an array elsewhere is a mistake
    that the device would report as an illegal address, or not at all."""
    if getattr(value, "is_cuda", True) is False:
        raise TesseraError("argument %r is not on a CUDA device" % name)
    if current is None:
        return
    index = getattr(getattr(value, "device", None), "index", None)
    if isinstance(index, int) and index != current:
        raise TesseraError(
            "argument %r is on device %d, the current device is %d; launch "
            "within torch.cuda.device(%d)" % (name, index, current, index))


def _address(name, declared, value, device):
    """The device address of an argument for ptr<T>."""
    if type(value) is int:
        return value
    if value is None:
        return 0
    data_ptr = getattr(value, "data_ptr", None)
    if data_ptr is not None:
        _check_device(name, value, device)
        _check_dtype(name, declared, getattr(value, "dtype", None))
        return data_ptr()
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        typestr = interface["typestr"]
        _check_dtype(name, declared, getattr(value, "dtype", None) or
                     _TYPESTR_NAMES.get(typestr[1:], typestr))
        return interface["data"][0]
    if isinstance(value, (bool, float)):
        raise TypeError
    return operator.index(value)


# Each stores a Python value as the C argument of a declared type. `device` is
# torch's current device, or None.


def _store_pointer(name, declared, value, out, device):
    address = _address(name, declared, value, device)
    if not 0 <= address < 2**64:
        raise TesseraError("argument %r: %d is no address" % (name, address))
    out.kind = _POINTER
    out.pointer = address


def _store_float(name, declared, value, out, device):
    out.kind = _FLOAT
    out.floating = float(value)


def _store_integer(name, declared, value, out, device):
    number = operator.index(value)
    # ctypes would drop the high bits without a word.
    if not -2**63 <= number < 2**63:
        raise TesseraError("argument %r is %s, which cannot hold %d" %
                           (name, declared, number))
    out.kind = _INTEGER
    out.integer = number


def _store_for(declared):
    if declared.startswith("ptr<"):
        return _store_pointer
    return _store_float if declared in _FLOAT_TYPES else _store_integer


def _stream_address(stream, torch, device):
    if stream is None:
        if torch is None:
            return 0
        # What current_stream() wraps in an object, at a tenth of its time.
        raw = getattr(getattr(torch, "_C", None), "_cuda_getCurrentRawStream",
                      None)
        return raw(device) if raw else torch.cuda.current_stream().cuda_stream
    for attribute in ("cuda_stream", "ptr"):
        if hasattr(stream, attribute):
            return getattr(stream, attribute)
    try:
        return operator.index(stream)
    except TypeError as error:
        raise TesseraError("a stream cannot be a %s" %
                           type(stream).__name__) from error


def _set_grid(options, grid):
    """One to three numbers of blocks; a dimension left out is 1."""
    sizes = (grid,) if isinstance(grid, int) else tuple(grid)
    if not 1 <= len(sizes) <= 3:
        raise TesseraError("a grid has 1 to 3 dimensions, not %d" % len(sizes))
    options.has_grid = 1
    for i in range(3):
        size = operator.index(sizes[i]) if i < len(sizes) else 1
        if not -2**63 <= size < 2**63:
            raise TesseraError("a grid of %d blocks" % size)
        options.grid[i] = size


#===------------------------------------------------------------------------===#
# Kernels and entries
#===------------------------------------------------------------------------===#


class Entry:
    """What a module offers to launch. Call it with its arguments.

    name            its name
    arguments       a tuple of (name, type) pairs
    uses_caller_grid  whether a call has to say `grid`
    """

    def __init__(self, kernel, index):
        library, handle = kernel._library, kernel._handle
        self._kernel = kernel
        self._name = library.tessera_entry_name(handle, index)
        self.name = self._name.decode()
        self.arguments = tuple(
            (library.tessera_entry_argument_name(handle, index, i).decode(),
             library.tessera_entry_argument_type(handle, index, i).decode())
            for i in range(library.tessera_entry_argument_count(handle, index)))
        self.uses_caller_grid = bool(
            library.tessera_entry_uses_caller_grid(handle, index))
        self._array = _Argument * len(self.arguments)
        self._stores = [(name, declared, _store_for(declared))
                        for name, declared in self.arguments]

    def __repr__(self):
        return "<tessera entry %s(%s)>" % (
            self.name, ", ".join("%s: %s" % pair for pair in self.arguments))

    def _convert(self, values, device=None):
        """The C arguments for these values, checked against torch's current
        `device` if that is given."""
        if len(values) != len(self.arguments):
            raise TesseraError("%s takes %d argument(s), not %d" %
                               (self.name, len(self.arguments), len(values)))
        array = self._array()
        for (name, declared, store), value, out in zip(self._stores, values,
                                                       array):
            try:
                store(name, declared, value, out, device)
            except (TypeError, ValueError, OverflowError) as error:
                raise TesseraError(
                    "argument %r is %s and cannot be a %s" %
                    (name, declared, type(value).__name__)) from error
        return array

    def __call__(self, *values, stream=None, grid=None):
        """Launches on `stream` without waiting. `grid` is for entries that take
        their grid from the caller: an int or up to three of them."""
        torch = _torch_in_use()
        device = torch.cuda.current_device() if torch is not None else None
        array = self._convert(values, device)
        options = _LaunchOptions(_stream_address(stream, torch, device))
        if grid is not None:
            _set_grid(options, grid)
        kernel = self._kernel
        status = kernel._library.tessera_launch(
            kernel._open_handle(), self._name, array, len(array),
            ctypes.byref(options))
        if status:
            kernel._check(status)

    def plan(self, *values, grid=None, num_sms=0):
        """What a call would do, as a dict, without a driver or a GPU."""
        array = self._convert(values)
        options = _PlanOptions(num_sms=num_sms)
        if grid is not None:
            _set_grid(options, grid)
        kernel, length = self._kernel, ctypes.c_size_t()
        buffer = ctypes.create_string_buffer(4096)
        while True:
            status = kernel._library.tessera_plan_json(
                kernel._open_handle(), self._name, array, len(array),
                ctypes.byref(options), buffer, len(buffer),
                ctypes.byref(length))
            if status != _BUFFER_TOO_SMALL:
                break
            buffer = ctypes.create_string_buffer(length.value + 1)
        kernel._check(status)
        return json.loads(buffer.value.decode())


class Kernel:
    """A loaded module. Its entries are attributes and items:
    kernel.softmax(...) is kernel["softmax"](...); the latter also reaches an
    entry that is named like something below.

    path        the manifest's path
    target      what it was compiled for, for example "sm_90a"
    entries     a dict from name to Entry
    resources   a dict from a device kernel's name to a dict of what it needs;
                values are None where the compiler did not run ptxas
    """

    def __init__(self, path, library):
        self._library = library
        self._handle = ctypes.c_void_p()
        self.path = os.fspath(path)
        self._check(library.tessera_load(os.fsencode(self.path),
                                         ctypes.byref(self._handle)))
        self.target = library.tessera_target(self._handle).decode()
        entries = [Entry(self, i)
                   for i in range(library.tessera_entry_count(self._handle))]
        self.entries = {entry.name: entry for entry in entries}
        self.resources = self._read_resources()

    def __getitem__(self, name):
        try:
            return self.entries[name]
        except KeyError:
            raise TesseraError("%s has no entry %r; it has %s" % (
                self.path, name, ", ".join(self.entries) or "none"),
                _NOT_FOUND) from None

    def __getattr__(self, name):
        # Only reached for names that are not attributes. AttributeError keeps
        # hasattr() and copying at work.
        entries = self.__dict__.get("entries", {})
        if name in entries:
            return entries[name]
        raise AttributeError("%r has no attribute or entry %r" %
                             (type(self).__name__, name))

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self.entries))

    def __repr__(self):
        return "<tessera kernel %s: %s>" % (self.path, ", ".join(self.entries))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def occupancy(self, name):
        """How many blocks of a device kernel one multiprocessor of the current
        device holds at once."""
        blocks = ctypes.c_int()
        self._check(self._library.tessera_kernel_occupancy(
            self._open_handle(), name.encode(), ctypes.byref(blocks)))
        return blocks.value

    def close(self):
        """Unloads the module. Its launches must have finished, which is why
        dropping a Kernel does not do it: launches are asynchronous."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._library.tessera_unload(handle)

    def _open_handle(self):
        if self._handle is None:
            raise TesseraError("%s has been closed" % self.path)
        return self._handle

    def _check(self, status):
        if status != _SUCCESS:
            message = self._library.tessera_last_error()
            raise TesseraError(message.decode(errors="replace"), status)

    def _read_resources(self):
        resources = {}
        for i in range(self._library.tessera_kernel_count(self._handle)):
            read = _Resources()
            self._check(self._library.tessera_kernel_get_resources(
                self._handle, i, ctypes.byref(read)))
            values = {name: getattr(read, name) for name, _ in read._fields_
                      if name not in ("name", "symbol")}
            values = {name: None if value < 0 else value
                      for name, value in values.items()}
            values["symbol"] = read.symbol.decode()
            resources[read.name.decode()] = values
        return resources


def load(path, build=None):
    """Loads the manifest at `path`; its cubin is read at the first launch.

    `build` is a folder that holds libtessera_runtime.so, itself or in lib/. By
    default TESSERA_RUNTIME_LIBRARY names the library, or it lies beside this
    file."""
    return Kernel(path, _open_library(build))
