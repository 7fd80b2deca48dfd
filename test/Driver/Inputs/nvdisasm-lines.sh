#!/bin/sh
# An nvdisasm that knows three instructions. The last argument is the cubin: its
# name must not show.
for last; do :; done
test "$1 $2" = "--print-code --print-line-info" || exit 9
cat <<SASS
// $last
	//## File "k.mlir", line 2
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "k.mlir", line 3 inlined at "k.mlir", line 2
        /*0010*/                   NOP ;
	//## File "/elsewhere/other.mlir", line 7
        /*0020*/                   EXIT ;
SASS
