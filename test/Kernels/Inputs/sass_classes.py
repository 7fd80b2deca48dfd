# ===- sass_classes.py - the counts of sass_table.py -----------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: sass_classes.py SCRIPT

Counts the instructions of a text that has some of each class."""

import importlib.util
import sys

TEXT = """
.text.k$fast:
        // k.mlir:1  a line of the source
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 IMAD.MOV R0, RZ, RZ, R2 ;
        /*0020*/                   I2F.RP R4, R7 ;
        /*0030*/                   LDGSTS.E.BYPASS.128 [R249], desc[UR14][R232.64] ;
        /*0040*/              @!P1 BRA `(.L_x_8) ;
.L_x_8:
        /*0050*/                   LDS R1, [R2] ;
        /*0060*/                   HGMMA.64x256x16.F32 R24, gdesc[UR20].tnspB, R24 ;
        /*0070*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0080*/                   NOP ;
        /*0080*/              @!PT LDS RZ, [RZ] ;
        /*0090*/                   STG.E.128 desc[UR4][R2.64], R8 ;
        /*00a0*/                   F2FP.F16.F32.PACK_AB R8, R9, R8 ;
        /*00b0*/                   EXIT ;
.text.k:
        /*0000*/                   EXIT ;
"""


def main():
    spec = importlib.util.spec_from_file_location("sass_table", sys.argv[1])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    counts = module.count(TEXT)
    assert dict(counts) == {"integer": 2, "float": 2, "global": 2, "branch": 2,
                            "shared": 1, "mma": 1, "barrier": 1, "nothing": 2,
                            "total": 11}, counts
    print("counted")


main()
