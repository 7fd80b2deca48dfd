#!/bin/sh
# An nvdisasm whose kernel `k` stores 24 bytes to local memory and loads 16, the
# numbers of ptxas-loses.sh, in lines 3 and 6; and a function with other accesses.
cat <<'SASS'
	.section	.text.k,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=255"
k:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/elsewhere/k.mlir", line 6
        /*0010*/                   STL.128 [R1], R4 ;
	//## File "/elsewhere/k.mlir", line 3
        /*0020*/               @P0 STL [R1+0x10], R8 ;
        /*0030*/                   LDL.LU R8, [R1+0x10] ;
        /*0040*/                   LDG.E R8, desc[UR4][R2.64] ;
	//## File "/elsewhere/k.mlir", line 6 inlined at "/elsewhere/k.mlir", line 1
        /*0050*/              @!P1 LDL.64 R4, [R1] ;
        /*0060*/                   LDL R6, [R1+0x8] ;
        /*0070*/                   STL [R1+0x14], R9 ;
	.section	.text.other,"ax",@progbits
other:
        /*0000*/                   STL [R1], R8 ;
	.section	.nv.info,"",@progbits
        /*0000*/                   STL [R1], R8 ;
SASS
