#!/bin/sh
# A ptxas that serializes products. The seventh argument is the cubin.
printf 'Cuda compilation tools, release 12.9, V12.9.41\0' > "$7"
cat <<'REPORT'
ptxas info    : (C7515) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ill formed pipeline stage in the function 'other'
ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'k'
ptxas info    : (C7512) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the function 'other'
ptxas info    : (C7515) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ill formed pipeline stage in the function 'unknown'
ptxas warning : something else
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Used 255 registers
REPORT
