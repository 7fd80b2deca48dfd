#!/usr/bin/env bash
#===- setup.sh - install what is missing, configure, build -----------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Usage: tools/setup.sh [TARGET...]
#
# Makes a build folder in which the named CMake targets are up to date (all of
# them when none is named). Each step looks first whether it has anything to do,
# so that a second run takes a second:
#
#   1. Debian packages: LLVM, MLIR and clang 22, lld, CMake, Ninja, ccache, ...
#      Installed as root or through sudo, and only those that are missing.
#   2. ptxas and libdevice, and nvdisasm: an installed CUDA toolkit, else NVIDIA's
#      wheels (setup/cuda-wheels.txt, setup/nvdisasm-wheels.txt), laid out in
#      BUILD/cuda, where tile-opt looks.
#   3. cmake --preset default, or another one
#   4. ninja, with as many jobs as processors and memory allow
#
# Environment:
#   TESSERA_PRESET              preset (default: default); `static` builds for other
#                               machines, where ptxas is looked for, not here
#   TESSERA_BUILD_DIR           build folder (default: build, or build-PRESET)
#   TESSERA_JOBS                number of compile jobs
#   TESSERA_CMAKE_ARGS          further arguments to cmake, split at blanks
#   TESSERA_IGNORE_SYSTEM_CUDA  1: behave as if no CUDA toolkit were installed
#
#===------------------------------------------------------------------------===#

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${TESSERA_PRESET:-default}
build=${TESSERA_BUILD_DIR:-$root/build$([[ $preset == default ]] || echo "-$preset")}
readonly root preset build
# The folder of LLVM's own tools; Debian's packages put it nowhere else.
readonly llvm=/usr/lib/llvm-22

# What a build and a test run need, and nothing that these pull in themselves.
# psutil lets lit end a test that hangs.
packages=(
  clang-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  cmake ninja-build ccache
  libgtest-dev nlohmann-json3-dev python3 python3-numpy python3-psutil)
# Archives that LLVM's archives need; its shared libraries bring their own.
[[ $preset != static ]] || packages+=(libzstd-dev zlib1g-dev)
readonly packages

# Each step with the seconds since the start.
say() { printf '== %3d s: %s\n' "$SECONDS" "$*"; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Installs those of the named packages that are missing.
install_packages() {
  local missing=() package sudo=()
  if ! command -v dpkg-query >/dev/null; then
    [[ -x $llvm/bin/mlir-tblgen ]] ||
      die "no Debian packages here, and no LLVM and MLIR 22 in $llvm"
    return
  fi
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "run as root: apt-get install ${missing[*]}"
    sudo=(sudo)
  fi
  say "installing ${missing[*]}"
  # A third-party source that does not answer must not stop us: what counts is
  # whether the packages can be installed afterwards.
  "${sudo[@]}" apt-get update -qq || true
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# The first of the usual places that holds file $1 (relative to a toolkit's
# root), printed; status 1 when there is none. The order is tile-opt's.
find_in_toolkits() {
  local file=$1 dir on_path
  [[ ${TESSERA_IGNORE_SYSTEM_CUDA:-0} != 1 ]] || return 1
  on_path=$(readlink -f "$(command -v ptxas || echo /-/-/-)")
  for dir in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "${on_path%/bin/ptxas}" \
    /usr/local/cuda /usr/lib/cuda /opt/cuda; do
    if [[ -n $dir && -e $dir/$file ]]; then
      printf '%s\n' "$dir/$file"
      return
    fi
  done
  return 1
}

# Fetches the wheels pinned in setup/$1 and unpacks the files of them that the
# other arguments name into a toolkit's folders below BUILD/cuda.part/cuda.
fetch_wheels() {
  local list=$1 scratch=$build/cuda.part python=python3
  # pip comes with most Pythons, but as a package of its own on Debian.
  if ! python3 -m pip --version >/dev/null 2>&1; then
    install_packages python3-pip
    python=/usr/bin/python3
  fi
  say "fetching ${*:2} (NVIDIA's wheels)"
  rm -rf "$scratch"
  mkdir -p "$scratch"
  "$python" -m pip --disable-pip-version-check download --quiet --no-deps \
    --only-binary=:all: --require-hashes --dest "$scratch/wheels" \
    --requirement "$root/tools/setup/$list" &&
    "$python" "$root/tools/setup/unpack_cuda.py" "$scratch/wheels" \
      "$scratch/cuda" "${@:2}"
}

provide_cuda() {
  local ptxas libdevice
  if [[ -x $build/cuda/bin/ptxas &&
    -e $build/cuda/nvvm/libdevice/libdevice.10.bc ]]; then
    say "ptxas: $build/cuda/bin/ptxas"
    return
  fi
  if ptxas=$(find_in_toolkits bin/ptxas) &&
    libdevice=$(find_in_toolkits nvvm/libdevice/libdevice.10.bc); then
    say "ptxas: $ptxas, libdevice: $libdevice"
    return
  fi
  fetch_wheels cuda-wheels.txt ptxas libdevice.10.bc
  # The folder appears in one step, complete or not at all.
  rm -rf "$build/cuda"
  mv "$build/cuda.part/cuda" "$build/cuda"
  rm -rf "$build/cuda.part"
}

# nvdisasm is no part of some toolkits. It disassembles what others made, so that
# it is taken from anywhere; without it only --emit=sass and its tests are missing.
provide_nvdisasm() {
  local nvdisasm
  if nvdisasm=$(find_in_toolkits bin/nvdisasm || command -v nvdisasm) ||
    nvdisasm=$(ls "$build/cuda/bin/nvdisasm" 2>/dev/null); then
    say "nvdisasm: $nvdisasm"
    return
  fi
  if fetch_wheels nvdisasm-wheels.txt nvdisasm; then
    mkdir -p "$build/cuda/bin"
    mv "$build/cuda.part/cuda/bin/nvdisasm" "$build/cuda/bin/nvdisasm"
  else
    say "no nvdisasm: --emit=sass and its tests need one"
  fi
  rm -rf "$build/cuda.part"
}

configure() {
  local args=(--preset "$preset" -S "$root" -B "$build")
  local log=$build/configure.log # as old as the last run that succeeded
  # A folder that was configured for other sources, or a run that broke off.
  if [[ -e $build/CMakeCache.txt ]]; then
    if [[ -e $build/build.ninja ]] &&
      grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
      # Ninja runs cmake again by itself when a build file changes; presets are
      # not among the files that it watches.
      [[ $root/CMakePresets.json -nt $log || -n ${TESSERA_CMAKE_ARGS:-} ]] ||
        return 0
    else
      args+=(--fresh)
    fi
  fi
  say "configuring $build"
  # shellcheck disable=SC2206 # split at blanks on purpose
  args+=(${TESSERA_CMAKE_ARGS:-})
  (cd "$root" && cmake "${args[@]}" >"$log" 2>&1) || {
    cat "$log" >&2
    rm -f "$log"
    die "cmake failed"
  }
}

# One job for each processor, but no more than one for each 1.5 GiB of memory
# that is free: a source that uses MLIR takes about 1 GiB to compile.
compile_jobs() {
  local processors free_mib
  processors=$(nproc)
  free_mib=$(awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo)
  awk -v p="$processors" -v m="${free_mib:-4096}" \
    'BEGIN { j = int(m / 1536); if (j > p) j = p; print (j < 1 ? 1 : j) }'
}

main() {
  local jobs
  install_packages "${packages[@]}"
  mkdir -p "$build"
  if [[ $preset != static ]]; then
    provide_cuda
    provide_nvdisasm
  fi
  configure
  jobs=${TESSERA_JOBS:-$(compile_jobs)}
  say "building ${*:-everything} with $jobs jobs"
  ninja -C "$build" -j "$jobs" "$@"
  say "set up and built"
}

main "$@"
