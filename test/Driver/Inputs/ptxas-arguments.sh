#!/bin/sh
# A ptxas that tells, as a warning, which options follow the cubin's name, and
# which file directives and bodies it was given. The seventh argument is the
# cubin.
printf 'Cuda compilation tools, release 12.9, V12.9.41\0' > "$7"
ptx=$5
cubin=$7
shift 7
echo "ptxas warning : options: $*"
grep -E 'marker|\.file' "$ptx" | sed 's/^/ptxas warning : ptx: /'
exit 0
