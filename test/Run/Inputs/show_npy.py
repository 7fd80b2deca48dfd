"""Usage: show_npy.py FILE...

Prints type, shape and elements of .npy files of version 1, read without NumPy.
"""

import ast
import struct
import sys

FORMATS = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i",
           "i8": "q", "b1": "?", "V1": "B", "V2": "H"}


def show(path):
    with open(path, "rb") as file:
        contents = file.read()
    assert contents[:8] == b"\x93NUMPY\x01\x00", contents[:8]
    length, = struct.unpack("<H", contents[8:10])
    start = 10 + length
    assert start % 64 == 0 and contents[start - 1:start] == b"\n"
    header = ast.literal_eval(contents[10:start].decode("latin1"))
    assert sorted(header) == ["descr", "fortran_order", "shape"], header
    assert header["fortran_order"] is False
    kind = header["descr"][1:]
    assert header["descr"][0] == ("|" if kind[1] == "1" or kind[0] == "V" else "<")
    elements = struct.iter_unpack("<" + FORMATS[kind], contents[start:])
    print(kind, header["shape"], *(element for element, in elements))


for name in sys.argv[1:]:
    show(name)
