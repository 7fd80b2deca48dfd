#===- tessera_compiler.py - compile kernels from Python, once --------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""tessera_runtime.compile(): runs tile-opt, and keeps what it makes on disk.

The cache is the folder TESSERA_CACHE_DIR, else XDG_CACHE_HOME/tessera, else
~/.cache/tessera. An entry is a folder named by a digest over everything that its
files follow from: the source's text and name, parameters, target and flags (with
the contents of files that flags name), tile-opt's version and contents, the
version of ptxas, the contents of libdevice. It may be deleted at any time.

Processes share the cache without locks. An entry is made under a name of its
own and renamed when it is complete: one that exists is whole, and of two that
are made at the same time one stays. Files are read once, checked against the
digests that were stored with them, and loaded from memory: what has been damaged
on disk is made anew, never run.
"""

import hashlib
import json
import operator
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

import tessera_runtime
from tessera_runtime import CompileError, TesseraError

__all__ = ["cache_folder", "compile"]

# Part of each key: entries of another form are never found.
_FORMAT = 1
# No product has this name: theirs have extensions.
_INDEX = "index"
# What an interrupted process left behind is removed after this many seconds.
_STALE_SECONDS = 24 * 3600
# Options that are compile()'s own, or whose point is a file or text beside the
# products, which a cached compilation would not make again.
_NO_FLAGS = frozenset(("o", "emit", "target", "num-warps", "assume", "stage",
                       "dump-dir", "explain", "version", "help"))


def cache_folder():
    """Where compiled kernels are kept."""
    given = os.environ.get("TESSERA_CACHE_DIR")
    if given:
        return os.path.abspath(given)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(
        os.path.expanduser("~"), ".cache")
    return os.path.join(os.path.abspath(base), "tessera")


def _digest(contents):
    return hashlib.sha256(contents).hexdigest()


def _read(path):
    with open(path, "rb") as file:
        return file.read()


#===------------------------------------------------------------------------===#
# The compiler
#===------------------------------------------------------------------------===#


def _find_tile_opt(given, build):
    """The path of tile-opt: the one given or named by TESSERA_TILE_OPT; in the
    build folder given; in ../bin of this file's folder, or beside it; on PATH."""
    named = given or os.environ.get("TESSERA_TILE_OPT")
    if named:
        found = shutil.which(os.fspath(named))
        if not found:
            raise TesseraError("%s is no program (%s)" % (
                named, "tile_opt=" if given else "TESSERA_TILE_OPT"))
        return os.path.realpath(found)
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.join(here, "..", "bin", "tile-opt"),
              os.path.join(here, "tile-opt")]
    if build is not None:
        build = os.fspath(build)
        places = [os.path.join(build, "bin", "tile-opt"),
                  os.path.join(build, "tile-opt")] + places
    found = next(filter(None, map(shutil.which, places + ["tile-opt"])), None)
    if not found:
        raise TesseraError(
            "cannot find tile-opt: looked for %s, and on PATH; set "
            "TESSERA_TILE_OPT or pass tile_opt=" % ", ".join(
                map(os.path.normpath, places)))
    return os.path.realpath(found)


def _run(command):
    """Runs a program; its output is what it says in any case."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
    except OSError as error:
        raise TesseraError("cannot run %s: %s" % (command[0],
                                                  error.strerror)) from error


class _Compiler:
    """A tile-opt, what it compiles for, and what tells it from any other."""

    def __init__(self, path):
        self.path = path
        run = _run([path, "--version"])
        text = run.stdout.decode(errors="replace")
        lines = dict(re.findall(r"^ *(\w+): (.*)$", text, re.MULTILINE))
        if run.returncode or "Targets" not in lines:
            raise TesseraError("%s is no tile-opt: --version says %r" % (
                path, text.strip()[:200]))
        self.targets = lines["Targets"].split(", ")
        # Where the files of the toolkit lie does not matter, but what they are.
        version = re.sub(r"^ *(ptxas|libdevice): .*$", "", text,
                         flags=re.MULTILINE)
        self.identity = [version, _digest(_read(path)),
                         self._describe_ptxas(lines.get("ptxas", "none")),
                         self._describe_file(lines.get("libdevice", "none"))]

    @staticmethod
    def _describe_ptxas(path):
        """Its version is quicker had than the digest of its 40 MB."""
        if not os.path.isfile(path):
            return "none"
        version = _run([path, "--version"]).stdout.decode(errors="replace")
        return "%s %d" % (version, os.stat(path).st_size)

    @staticmethod
    def _describe_file(path):
        return _digest(_read(path)) if os.path.isfile(path) else "none"


# By what a compiler's identity follows from, for the life of the process.
_compilers = {}


def _open_compiler(path):
    stat = os.stat(path)
    key = (path, stat.st_mtime_ns, stat.st_size) + tuple(
        os.environ.get(name) for name in ("PATH", "CUDA_HOME", "CUDA_PATH"))
    if key not in _compilers:
        _compilers[key] = _Compiler(path)
    return _compilers[key]


def _device_target(compiler, build):
    """The target of tile-opt that fits the current device best."""
    try:
        major, minor = tessera_runtime.device_capability(build)
    except TesseraError as error:
        raise TesseraError("no target is given, and no device can be asked for "
                           "it: %s; pass target=, one of %s" % (
                               error, ", ".join(compiler.targets))) from error
    exact = "sm_%d%d" % (major, minor)
    for name in (exact + "a", exact):
        if name in compiler.targets:
            return name
    # A cubin runs on later devices of its major number, unless its target has
    # a letter (CUDA programming guide, "Binary Compatibility").
    older = [name for name in compiler.targets
             if re.fullmatch(r"sm_%d[0-9]" % major, name) and
             int(name[-1]) < minor]
    if older:
        return max(older)
    raise TesseraError("tile-opt compiles for none of %s, the device's; it has "
                       "%s" % (exact, ", ".join(compiler.targets)))


#===------------------------------------------------------------------------===#
# What is asked for
#===------------------------------------------------------------------------===#


def _parameter_text(name, value):
    """A parameter's value as -D takes it: integers, and element types by name
    or as dtypes of torch or numpy."""
    if isinstance(value, str):
        return value
    known = str(getattr(value, "__name__", value)).rsplit(".", 1)[-1]
    if known in tessera_runtime._ELEMENT_TYPES:
        return tessera_runtime._ELEMENT_TYPES[known][0]
    try:
        return str(operator.index(value))
    except TypeError as error:
        raise TesseraError("parameter %s is an integer or an element type, not "
                           "%r" % (name, value)) from error


def _check_flag(flag):
    """Refuses what is no option for compile(); returns the path of a file that
    the flag names, or None."""
    if not isinstance(flag, str) or not flag.startswith("-"):
        raise TesseraError("a flag is a text such as \"--maxnreg=128\", not %r" %
                           (flag,))
    name, _, value = flag.lstrip("-").partition("=")
    if name in _NO_FLAGS or name.startswith("D"):
        raise TesseraError("flag %s: not by way of compile(), which has options "
                           "of its own; run tile-opt for the rest" % flag)
    return value if os.path.isfile(value) else None


def _assume_flags(assume):
    """Sizes to expect, as an option of tile-opt."""
    try:
        sizes = ["%s=%d" % (key, operator.index(assume[key]))
                 for key in sorted(assume)]
    except TypeError as error:
        raise TesseraError("assume is a dict of integers by name, not %r" % (
            assume,)) from error
    return ["--assume=" + ",".join(sizes)] if sizes else []


class _Request:
    """One compilation: the arguments of tile-opt, and all that they stand
    for."""

    def __init__(self, source, name, emit, num_warps, assume, parameters,
                 flags):
        if emit not in ("cubin", "ptx"):
            raise TesseraError("emit is \"cubin\" or \"ptx\", not %r" % (emit,))
        self.emit = emit
        if isinstance(source, str) and "\n" in source:
            if name is not None and not re.fullmatch(r"[\w.+-]+", name):
                raise TesseraError("name is a word, not %r" % (name,))
            self.shown = self.file = (name or "kernel") + ".mlir"
            self.contents = source.encode()
        elif name is not None:
            raise TesseraError("name is for a source given as text")
        else:
            self.shown = os.fspath(source)
            self.file = os.path.basename(self.shown)
            try:
                self.contents = _read(self.shown)
            except OSError as error:
                raise TesseraError("cannot read %s: %s" % (
                    self.shown, error.strerror)) from error
        self.stem = os.path.splitext(self.file)[0]
        self.flags = ["-D%s=%s" % (key, _parameter_text(key, parameters[key]))
                      for key in sorted(parameters)]
        if num_warps is not None:
            self.flags.append("--num-warps=%d" % operator.index(num_warps))
        self.flags += _assume_flags(assume)
        named = [_check_flag(flag) for flag in flags]
        self.flags += flags
        self.files = [_digest(_read(path)) for path in named if path]

    def key(self, compiler, target):
        return _digest(json.dumps(
            [_FORMAT, self.file, _digest(self.contents), self.emit, target,
             self.flags, self.files, compiler.identity]).encode())


#===------------------------------------------------------------------------===#
# Entries of the cache
#===------------------------------------------------------------------------===#


class _Products:
    """What a compilation makes, in memory: files by name, and what tile-opt
    said, which is said again when they come from the cache."""

    def __init__(self, files, log):
        self.files = files
        self.log = log


def _discard(path):
    """Removes an entry or a part of one, whoever else does so too."""
    doomed = tempfile.mkdtemp(suffix=".tmp", dir=os.path.dirname(path))
    try:
        os.rename(path, os.path.join(doomed, "entry"))
    except OSError:
        pass  # Somebody else has removed it.
    shutil.rmtree(doomed, ignore_errors=True)


def _load_entry(path):
    """The products in the folder `path`; None if there are none, or none that
    are what was stored."""
    if not os.path.isdir(path):
        return None
    try:
        index = json.loads(_read(os.path.join(path, _INDEX)))
        files = {name: _read(os.path.join(path, os.path.basename(name)))
                 for name in index["files"]}
        if all(_digest(files[name]) == digest
               for name, digest in index["files"].items()) and files:
            return _Products(files, index["log"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # Cut short, edited, or unreadable: as good as absent.
    try:
        _discard(path)
    except OSError:
        pass
    return None


def _remove_stale(folder):
    """Removes what interrupted processes left behind."""
    limit = time.time() - _STALE_SECONDS
    for entry in os.scandir(folder):
        try:
            if entry.name.endswith(".tmp") and entry.stat().st_mtime < limit:
                shutil.rmtree(entry.path, ignore_errors=True)
        except OSError:
            pass


def _make_folder():
    """A fresh folder to compile in, beside the entries if that can be, else in
    the system's folder for temporary files."""
    folder = cache_folder()
    try:
        os.makedirs(folder, exist_ok=True)
        _remove_stale(folder)
        return tempfile.mkdtemp(suffix=".tmp", dir=folder)
    except OSError as error:
        warnings.warn("compiled kernels cannot be kept in %s: %s" % (
            folder, error.strerror), stacklevel=6)
        return tempfile.mkdtemp(suffix=".tmp")


def _run_tile_opt(request, compiler, target, folder):
    """Compiles into `folder`; the products, or CompileError."""
    # In a folder of its own: its name is free, and shows in the products.
    source = os.path.join(folder, "source", request.file)
    os.mkdir(os.path.dirname(source))
    with open(source, "wb") as file:
        file.write(request.contents)
    output = os.path.join(folder, "%s.%s" % (request.stem, request.emit))
    run = _run([compiler.path, source, "--emit=" + request.emit,
                "--target=" + target, "-o", output] + request.flags)
    log = run.stderr.decode(errors="replace").replace(source, request.shown)
    if run.returncode:
        raise CompileError("tile-opt %s %s for %s:" % (
            "does not compile" if run.returncode == 1 else
            "ended with %d on" % run.returncode, request.shown, target), log)
    names = (os.path.basename(output), request.stem + ".json")
    return _Products({name: _read(os.path.join(folder, name))
                      for name in names}, log)


def _make_entry(request, compiler, target, path):
    """Compiles, and leaves the products in the folder `path` if possible."""
    folder = _make_folder()
    try:
        products = _run_tile_opt(request, compiler, target, folder)
        index = {"files": {name: _digest(contents)
                           for name, contents in products.files.items()},
                 "log": products.log}
        try:
            with open(os.path.join(folder, _INDEX), "w") as file:
                json.dump(index, file)
            if os.path.dirname(folder) == os.path.dirname(path):
                os.rename(folder, path)
        except OSError:
            pass  # An equal entry was faster, or the disk is full.
        return products
    finally:
        shutil.rmtree(folder, ignore_errors=True)


#===------------------------------------------------------------------------===#
# compile
#===------------------------------------------------------------------------===#

# By key and runtime library, those that have not been closed.
_kernels = {}


def compile(source, *, target=None, num_warps=None, assume=None,
            parameters=None, flags=(), name=None, emit="cubin", tile_opt=None,
            build=None, **more):
    """A Kernel of `source`, a path or a text of several lines. Equal calls in
    one process give the same Kernel.

    target      for example "sm_90a"; by default what fits the current device
    num_warps   warps of a program; by default the compiler's choice
    assume      sizes to expect, a dict of arguments of the launch: assume={"m":
                4096, "n": 4096, "k": 4096}; a model then chooses what is not
                given, and the kernel is right for all sizes
    parameters  a dict of the source's parameters (-D); those whose names are no
                options may be given as keyword arguments: BM=128, T="bf16",
                T=torch.bfloat16
    flags       more options of tile-opt, for example ["--maxnreg=128"]
    name        what a text is called in messages and profilers
    emit        "ptx" leaves the last step to the CUDA driver, and needs no ptxas
    tile_opt    the compiler; by default TESSERA_TILE_OPT names it, or it lies in
                the build folder, in ../bin of this module's folder, or on PATH
    build       a folder with libtessera_runtime.so, as for load()

    Raises CompileError with tile-opt's diagnostics."""
    if isinstance(flags, str):
        raise TesseraError("flags is a list of texts such as "
                           "[\"--maxnreg=128\"], not a text")
    request = _Request(source, name, emit, num_warps, assume or {},
                       dict(parameters or {}, **more), list(flags))
    try:
        return _compile(request, target, tile_opt, build)
    except OSError as error:
        raise TesseraError("cannot compile %s: %s" % (
            request.shown, error)) from error


def _compile(request, target, tile_opt, build):
    library = tessera_runtime._open_library(build)
    compiler = _open_compiler(_find_tile_opt(tile_opt, build))
    target = target or _device_target(compiler, build)
    key = request.key(compiler, target)
    kernel = _kernels.get((key, id(library)))
    if kernel is not None and kernel._handle is not None:
        return kernel
    path = os.path.join(cache_folder(), key)
    products = _load_entry(path) or _make_entry(request, compiler, target, path)
    sys.stderr.write(products.log)
    kernel = tessera_runtime.Kernel(
        os.path.join(path, request.stem + ".json"), library,
        (products.files[request.stem + ".json"],
         products.files["%s.%s" % (request.stem, request.emit)]))
    _kernels[key, id(library)] = kernel
    return kernel
