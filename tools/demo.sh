#!/usr/bin/env bash
#===- demo.sh - compile the shipped kernels and show what came out ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Usage: tools/demo.sh [TARGET]           (default target: sm_90a)
#
# Does what setup.sh does, then compiles every kernel of lib/Kernels for TARGET
# and prints for each its registers, spills, shared memory and warps, as ptxas
# and the manifest report them, and the files written:
#
#   BUILD/demo/KERNEL.ptx, KERNEL.cubin, KERNEL.json (the manifest)
#
# At last it runs every kernel on the CPU, checked, on small ragged inputs, and
# prints the largest errors against float64 (setup/cpu_check.py).
#
#===------------------------------------------------------------------------===#

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${TESSERA_BUILD_DIR:-$root/build}
target=${1:-sm_90a}
out=$build/demo

if [[ $# -gt 1 || $target == -* ]]; then
  echo "usage: tools/demo.sh [TARGET]   (for example sm_90a, the default)" >&2
  exit 2
fi

"$root/tools/setup.sh" tile-opt tile-run tile-lsp-server tessera_runtime
# A ptxas that was fetched or named for this build wins over the machine's.
if [[ -x $build/cuda/bin/ptxas ]]; then
  export CUDA_HOME=$build/cuda
fi

# One question about the target before earlier results are removed.
echo 'tile.func @nothing() { tile.return }' | "$build/bin/tile-opt" - --emit=ptx --target="$target" \
  -o - > /dev/null || exit 1
rm -rf "$out"
mkdir -p "$out"
failed=0
for source in "$root"/lib/Kernels/*.mlir; do
  [[ -e $source ]] || { echo "no kernels in $root/lib/Kernels" >&2; exit 1; }
  name=$(basename "$source" .mlir)
  # The cubin comes last: both runs write the manifest, and only the one that
  # ran ptxas knows the registers.
  for kind in ptx cubin; do
    "$build/bin/tile-opt" "$source" --emit="$kind" --target="$target" \
      -o "$out/$name.$kind" || failed=1
  done
done

/usr/bin/python3 "$root/tools/setup/kernel_table.py" "$out"
echo
/usr/bin/python3 "$root/tools/setup/cpu_check.py" --tile-run "$build/bin/tile-run" \
  --kernels "$root/lib/Kernels" --work "$build/demo-cpu" || failed=1
exit "$failed"
