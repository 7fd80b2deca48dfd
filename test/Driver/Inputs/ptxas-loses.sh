#!/bin/sh
# A ptxas with a bad report. The seventh argument is the cubin.
printf 'Cuda compilation tools, release 12.9, V12.9.41\0' > "$7"
cat <<'REPORT'
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
    40 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 40 bytes cumulative stack size, 1024 bytes smem, 380 bytes cmem[0]
ptxas info    : Compile time = 1.614 ms
REPORT
