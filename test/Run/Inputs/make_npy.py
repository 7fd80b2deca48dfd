"""Usage: make_npy.py FILE TYPE SHAPE FORTRAN VALUE...

Writes a .npy file without NumPy: TYPE such as '<f4', SHAPE such as '(2, 3)',
FORTRAN True or False, the values in the order in which they go into the file.
"""

import struct
import sys

FORMATS = {"f2": "e", "f4": "f", "f8": "d", "i4": "i", "u2": "H", "b1": "?",
           "V2": "H", "V1": "B"}


def main():
    path, kind, shape, order, *values = sys.argv[1:]
    header = (f"{{'descr': '{kind}', 'fortran_order': {order}, "
              f"'shape': {shape}, }}\n").encode()
    number = float if kind[1] == "f" else int
    code = ("<" if kind[0] == "|" else kind[0]) + FORMATS[kind[1:]]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        for value in values:
            file.write(struct.pack(code, number(value)))


main()
