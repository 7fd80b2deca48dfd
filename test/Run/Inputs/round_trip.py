"""Usage: round_trip.py COPY.mlir FOLDER

Sends arrays of NumPy's through a kernel that copies them, in the versions and
orders that NumPy can write, and compares what comes back bit by bit.
"""

import pathlib
import subprocess
import sys

import numpy
import numpy.lib.format

TYPES = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i8": "i1", "i16": "<i2",
         "i32": "<i4", "i64": "<i8", "i1": "?"}


def main():
    source, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    random = numpy.random.default_rng(1)
    for name, dtype in TYPES.items():
        for version in ((1, 0), (2, 0), (3, 0)):
            for order in "CF":
                values = random.integers(-100, 100, (5, 3, 2))
                array = numpy.asarray(values / 7 if name[0] == "f" else values,
                                      dtype=dtype, order=order)
                with open(folder / "x.npy", "wb") as file:
                    numpy.lib.format.write_array(file, array, version)
                subprocess.run(
                    ["tile-run", source, f"-DT={name}", f"empty:{name}:5x3x2",
                     folder / "x.npy", "30", f"--save=y:{folder}/y.npy"], check=True)
                result = numpy.load(folder / "y.npy")
                assert result.dtype == array.dtype, (result.dtype, array.dtype)
                assert numpy.array_equal(result, array), (name, version, order)


main()
