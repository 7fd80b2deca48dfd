#===- unpack_cuda.py - take files of the CUDA toolkit out of wheels --------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: unpack_cuda.py WHEELS DESTINATION NAME...

Copies the files NAME (ptxas, libdevice.10.bc, nvdisasm), wherever the wheels in
the folder WHEELS hold them, to DESTINATION/bin and DESTINATION/nvvm/libdevice:
the layout of an installed toolkit. Fails when one is missing.
"""

import pathlib
import shutil
import sys
import zipfile

# File name in a wheel -> (place below DESTINATION, permissions).
PLACES = {
    "ptxas": ("bin/ptxas", 0o755),
    "nvdisasm": ("bin/nvdisasm", 0o755),
    "libdevice.10.bc": ("nvvm/libdevice/libdevice.10.bc", 0o644),
}


def main():
    wheels, destination = map(pathlib.Path, sys.argv[1:3])
    missing = {name: PLACES[name] for name in sys.argv[3:]}
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                name = pathlib.PurePosixPath(member.filename).name
                if name not in missing:
                    continue
                place, mode = missing.pop(name)
                target = destination / place
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, open(target, "wb") as out:
                    shutil.copyfileobj(source, out)
                target.chmod(mode)
    if missing:
        sys.exit(f"unpack_cuda: not in the wheels: {', '.join(missing)}")


if __name__ == "__main__":
    main()
