#===- tessera_runtime.py - launch compiled kernels from Python -------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Launches kernels of Tessera, and compiles them if need be.

    import tessera_runtime
    kernel = tessera_runtime.compile("softmax.mlir", BLOCK=1024)
    kernel.softmax(y, x, m, n, *y.stride()[:1], *x.stride()[:1])

compile() runs tile-opt and keeps what it makes (tessera_compiler.py); load()
takes a manifest that tile-opt has written beside its cubin. Both give a Kernel,
whose entries are called with torch tensors and numbers.

A thin layer over the C API (tessera_runtime.h) that needs nothing but Python's
own library. Arguments, by position or by name, are converted by the types that
the manifest declares:

    ptr<T>              a torch tensor, an object with data_ptr() or with
                        __cuda_array_interface__, an address as an int, or None
                        for a null pointer. An object that says its element type
                        must have T. Strides are arguments of their own: an
                        array need not be contiguous.
    i1, i8, ... i64     an int, a bool, or anything with __index__
    f16, bf16, f32, f64 a float, or anything with __float__ or __index__

Launches are asynchronous on `stream`: an address, an object with `cuda_stream`
(torch) or `ptr` (CuPy), or None. With None, a program that uses torch launches
on torch's current stream, any other on the default stream.

Every failure raises TesseraError.
"""

import ctypes
import json
import operator
import os
import struct
import sys

__all__ = ["CompileError", "Entry", "Kernel", "TesseraError", "compile",
           "device_capability", "load", "strides"]

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


class CompileError(TesseraError):
    """tile-opt has refused a source. `diagnostics` is what it says, which the
    message ends with; places are lines of the source."""

    def __init__(self, message, diagnostics):
        super().__init__("%s\n%s" % (message, diagnostics.rstrip()))
        self.diagnostics = diagnostics


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
        "load_from_memory": (ctypes.c_int, [text, size, text, size,
                                            ctypes.POINTER(module)]),
        "device_capability": (ctypes.c_int, [ctypes.POINTER(ctypes.c_int)] * 2),
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
        # The way of every launch. Without declared types ctypes takes objects
        # of its own as they are, which is faster than converting numbers.
        "launch_values": (ctypes.c_int, None),
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


# The current device and the current stream of a device, as functions of torch;
# None while the program does not use CUDA through torch.
_torch = None


def _find_torch():
    """Sets and returns _torch. torch does not stop CUDA once it has started."""
    global _torch
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None)
    if _torch is None and cuda is not None and cuda.is_initialized():
        # What torch.cuda's functions call, at a tenth of their time.
        fast = getattr(torch, "_C", None)
        _torch = (getattr(fast, "_cuda_getDevice", cuda.current_device),
                  getattr(fast, "_cuda_getCurrentRawStream",
                          lambda device:
                          cuda.current_stream(device).cuda_stream))
    return _torch


# By declared type, the dtypes that fit it: a dtype's name is looked at once, not
# at every launch.
_accepted_dtypes = {}


def _check_dtype(name, declared, dtype):
    """Refuses an array whose elements are not T of the declared ptr<T>."""
    accepted = _accepted_dtypes.setdefault(declared, set())
    if dtype is None or dtype in accepted:
        return
    # "torch.float16", "float16"; numpy's type objects have a __name__.
    found = str(getattr(dtype, "__name__", dtype)).rsplit(".", 1)[-1]
    wanted = declared[len("ptr<"):-1]
    # A type that array libraries do not have cannot be compared.
    if (wanted in _KNOWN_ELEMENTS and
            wanted not in _ELEMENT_TYPES.get(found, ())):
        raise TesseraError("argument %r is %s, the array's elements are %s" %
                           (name, declared, found))
    accepted.add(dtype)


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
    """The device address of an argument for ptr<T>. `device` is torch's current
    device, or None."""
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
    if hasattr(value, "__array_interface__"):
        raise TesseraError("argument %r is not on a CUDA device" % name)
    if isinstance(value, (bool, float)):
        raise TypeError
    return operator.index(value)


# Each gives a Python value as the number that struct packs for a declared type.


def _pointer_number(name, declared, value, device):
    address = _address(name, declared, value, device)
    if not 0 <= address < 2**64:
        raise TesseraError("argument %r: %d is no address" % (name, address))
    return address


def _float_number(name, declared, value, device):
    # float() would read a number out of a text.
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError
    return float(value)


def _integer_number(name, declared, value, device):
    number = operator.index(value)
    if not -2**63 <= number < 2**63:
        raise TesseraError("argument %r is %s, which cannot hold %d" %
                           (name, declared, number))
    return number


# By kind: the letter by which struct packs it, and the conversion.
_KINDS = {_POINTER: ("Q", _pointer_number), _INTEGER: ("q", _integer_number),
          _FLOAT: ("d", _float_number)}


def _kind_of(declared):
    if declared.startswith("ptr<"):
        return _POINTER
    return _FLOAT if declared in _FLOAT_TYPES else _INTEGER


def strides(array):
    """The strides of an array, in elements as kernels count them: what a torch
    tensor's stride() says, and __cuda_array_interface__ (CuPy) in bytes."""
    if hasattr(array, "stride"):
        return tuple(array.stride())
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        raise TesseraError("a %s has no strides" % type(array).__name__)
    size = int(interface["typestr"][2:])
    found = interface.get("strides")
    if found is None:  # C order without gaps
        found, step = [], size
        for extent in reversed(interface["shape"]):
            found.insert(0, step)
            step *= extent
    if any(step % size for step in found):
        raise TesseraError("strides of %s bytes are no multiples of an "
                           "element's %d" % (tuple(found), size))
    return tuple(step // size for step in found)


def _stream_address(stream):
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
    try:
        sizes = [operator.index(size) for size in
                 ((grid,) if hasattr(grid, "__index__") else grid)]
    except TypeError as error:
        raise TesseraError("a grid is an int or up to three of them, not %r" %
                           (grid,)) from error
    if not 1 <= len(sizes) <= 3:
        raise TesseraError("a grid has 1 to 3 dimensions, not %d" % len(sizes))
    options.has_grid = 1
    for i, size in enumerate(sizes + [1] * (3 - len(sizes))):
        if not -2**63 <= size < 2**63:
            raise TesseraError("a grid of %d blocks" % size)
        options.grid[i] = size


# By stream: options without a grid, as ctypes passes them. Never changed, so
# that threads may share them.
_stream_options = {}


def _options_for(address):
    options = _LaunchOptions(address)
    if len(_stream_options) >= 1024:  # Streams of the past.
        _stream_options.clear()
    return _stream_options.setdefault(address, ctypes.byref(options))


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
        self._kinds = [_kind_of(declared) for _, declared in self.arguments]
        # What a launch needs, looked up once.
        self._pack = struct.Struct(
            "=" + "".join(_KINDS[kind][0] for kind in self._kinds)).pack
        self._pointers = [
            (i, _accepted_dtypes.setdefault(declared, set()))
            for i, (_, declared) in enumerate(self.arguments)
            if self._kinds[i] == _POINTER]
        self._launch = library.tessera_launch_values
        self._index = ctypes.c_size_t(index)
        self._count = ctypes.c_size_t(len(self.arguments))

    def __repr__(self):
        return "<tessera entry %s(%s)>" % (
            self.name, ", ".join("%s: %s" % pair for pair in self.arguments))

    def _bind(self, values, named):
        """All values in order, some of them given by name."""
        names = [name for name, _ in self.arguments]
        for name in named:
            if name not in names:
                raise TesseraError("%s has no argument %r; it has %s" % (
                    self.name, name, ", ".join(names) or "none"))
            if name in names[:len(values)]:
                raise TesseraError("argument %r of %s is given twice" % (
                    name, self.name))
        missing = [name for name in names[len(values):] if name not in named]
        if missing:
            raise TesseraError("%s lacks %s" % (self.name, ", ".join(missing)))
        return values + tuple(named[name] for name in names[len(values):])

    def _numbers(self, values, device=None):
        """The numbers for these values, checked against torch's current
        `device` if that is given. The slow way, which says what is wrong."""
        if len(values) != len(self.arguments):
            raise TesseraError("%s takes %d argument(s), not %d" %
                               (self.name, len(self.arguments), len(values)))
        numbers = []
        for (name, declared), kind, value in zip(self.arguments, self._kinds,
                                                 values):
            try:
                numbers.append(_KINDS[kind][1](name, declared, value, device))
            except (TypeError, ValueError, OverflowError) as error:
                raise TesseraError(
                    "argument %r is %s and cannot be a %s" %
                    (name, declared, type(value).__name__)) from error
        return numbers

    def __call__(self, *values, stream=None, grid=None, **named):
        """Launches on `stream` without waiting. `grid` is for entries that take
        their grid from the caller: an int or up to three of them."""
        if named:
            values = self._bind(values, named)
        torch = _torch or _find_torch()
        device = torch[0]() if torch else None
        try:
            # Tensors of torch that need no second look, addresses, numbers.
            numbers = list(values)
            for i, dtypes in self._pointers:
                value = numbers[i]
                if type(value) is int:
                    continue
                if value.dtype in dtypes and value.get_device() == device:
                    numbers[i] = value.data_ptr()
                else:
                    raise ValueError
            packed = self._pack(*numbers)
        except (struct.error, ValueError, TypeError, OverflowError,
                AttributeError, IndexError):
            packed = self._pack(*self._numbers(values, device))
        if stream is not None:
            address = _stream_address(stream)
        else:
            address = torch[1](device) if torch else 0
        if grid is None:
            options = _stream_options.get(address) or _options_for(address)
        else:
            options = _LaunchOptions(address)
            _set_grid(options, grid)
            options = ctypes.byref(options)
        kernel = self._kernel
        status = self._launch(kernel._handle, self._index, packed, self._count,
                              options)
        if status:
            kernel._open_handle()
            kernel._check(status)

    def plan(self, *values, grid=None, num_sms=0, **named):
        """What a call would do, as a dict, without a driver or a GPU."""
        if named:
            values = self._bind(values, named)
        array = (_Argument * len(self.arguments))()
        for out, kind, number in zip(array, self._kinds, self._numbers(values)):
            out.kind = kind
            setattr(out, ("pointer", "integer", "floating")[kind], number)
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

    def __init__(self, path, library, contents=None):
        """`contents`, if given, are the bytes of the manifest and of its cubin,
        which are not read from `path` then."""
        self._library = library
        self._handle = ctypes.c_void_p()
        self.path = os.fspath(path)
        handle = ctypes.byref(self._handle)
        if contents is None:
            self._check(library.tessera_load(os.fsencode(self.path), handle))
        else:
            manifest, image = contents
            self._check(library.tessera_load_from_memory(
                manifest, len(manifest), image, len(image), handle))
        self.resources = self._read_resources()
        self.target = library.tessera_target(self._handle).decode()
        entries = [Entry(self, i)
                   for i in range(library.tessera_entry_count(self._handle))]
        self.entries = {entry.name: entry for entry in entries}
        for name, entry in self.entries.items():
            if name not in self.__dict__ and not hasattr(Kernel, name):
                self.__dict__[name] = entry

    def __getitem__(self, name):
        try:
            return self.entries[name]
        except KeyError:
            raise TesseraError("%s has no entry %r; it has %s" % (
                self.path, name, ", ".join(self.entries) or "none"),
                _NOT_FOUND) from None

    def __getattr__(self, name):
        # Only reached for names that are no attributes. AttributeError keeps
        # hasattr() and copying at work.
        raise AttributeError("%r has no attribute or entry %r; its entries are "
                             "%s" % (type(self).__name__, name, ", ".join(
                                 self.__dict__.get("entries", ())) or "none"))

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


def compile(source, **options):
    """Compiles `source`, a path or a text of several lines, for the current
    device, or takes what an equal call has made before. Upper-case names are the
    source's parameters:

        kernel = tessera_runtime.compile("matmul.mlir", BM=64, T=torch.bfloat16)

    See tessera_compiler.compile for the options."""
    import tessera_compiler
    return tessera_compiler.compile(source, **options)


def device_capability(build=None):
    """The compute capability of the current device, such as (9, 0)."""
    if _torch or _find_torch():
        return tuple(sys.modules["torch"].cuda.get_device_capability())
    library = _open_library(build)
    major, minor = ctypes.c_int(), ctypes.c_int()
    status = library.tessera_device_capability(ctypes.byref(major),
                                               ctypes.byref(minor))
    if status:
        raise TesseraError(
            library.tessera_last_error().decode(errors="replace"), status)
    return major.value, minor.value
