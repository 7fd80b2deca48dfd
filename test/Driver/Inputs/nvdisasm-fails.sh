#!/bin/sh
# An nvdisasm that cannot read its file.
for last; do :; done
echo "nvdisasm fatal   : $last is not a supported Elf file" >&2
exit 255
