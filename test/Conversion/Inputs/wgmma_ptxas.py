#===- wgmma_ptxas.py - assemble the matmul for several tiles and stages -----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: wgmma_ptxas.py PTXAS KERNEL FOLDER true|false

With tensor maps or without, prints a line for each configuration: how many
instructions of wgmma there are, whether there are copies, and what is wrong:
tile-opt's error, spills, and each message of ptxas that is more than its report.
"""

import os
import re
import subprocess
import sys

TILES = [(128, 128, 64, 8), (128, 256, 64, 8), (64, 64, 32, 4)]


def assemble(ptxas, ptx, kernels=2):
    """What ptxas says that products done well do not make it say."""
    result = subprocess.run(
        [ptxas, "-v", "-arch=sm_90a", ptx, "-o", ptx + ".cubin"],
        capture_output=True, text=True)
    text = result.stdout + result.stderr
    wrong = re.findall(r".*(?:Potential Performance Loss|\(C7\d+\)|warning|error).*",
                       text)
    wrong += [f"spills: {match}" for match in
              re.findall(r"[1-9]\d* bytes spill \w+", text)]
    if text.count("bytes spill stores") != kernels:
        wrong.append(f"no report of {kernels} kernels: " + text)
    return wrong


def check(ptxas, kernel, ptx, tile, stages, maps):
    m, n, k, warps = tile
    result = subprocess.run(
        ["tile-opt", kernel, "--emit=ptx", "-o", ptx, f"-DBM={m}", f"-DBN={n}",
         f"-DBK={k}", f"--num-warps={warps}", f"--num-stages={stages}",
         f"--tensor-maps={maps}", "--target=sm_90a"], capture_output=True, text=True)
    if result.returncode != 0:
        if os.path.exists(ptx):
            return "half-written"
        return next(line for line in result.stderr.splitlines() if "error:" in line)
    with open(ptx) as file:
        text = file.read()
    products = text.count("wgmma.mma_async")
    copies = ("tensor" if "cp.async.bulk.tensor.2d.shared" in text else
              "some" if "cp.async.c" in text else "0")
    wrong = assemble(ptxas, ptx, kernels=4)
    return "; ".join([f"{products} products, {copies} copies"] + wrong)


def main(ptxas, kernel, folder, maps):
    for tile in TILES:
        for stages in range(1, 6):
            ptx = os.path.join(folder, f"{'-'.join(map(str, tile))}-{stages}.ptx")
            name = "x".join(map(str, tile[:3]))
            print(f"{name}, {tile[3]} warps, {stages} stages:",
                  check(ptxas, kernel, ptx, tile, stages, maps))


if __name__ == "__main__":
    main(*sys.argv[1:])
