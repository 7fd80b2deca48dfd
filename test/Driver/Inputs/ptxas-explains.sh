#!/bin/sh
# A ptxas that refuses its input. The fifth argument is the PTX file.
echo "ptxas $5, line 9; error   : no such thing" >&2
exit 255
