#!/bin/sh
# A ptxas that finds no registers for an instruction of k, or of $LACKS.
cat <<REPORT
ptxas fatal   : (C7602) Insufficient registers (32) to compile instruction at line 61 in function ${LACKS:-k}. Try to compile with register target of 40 or higher.
${MORE}
ptxas fatal   : Ptx assembly aborted due to errors
REPORT
exit 255
