#===- TesseraCuda.cmake - a ptxas and a libdevice named at configuration ---===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# The build needs nothing of CUDA. tile-opt looks for ptxas and libdevice when it
# runs; a path compiled into it would make two builds differ. Files named here
# are linked into BUILD/cuda, one of the places where it looks:
#
#   BUILD/cuda/bin/ptxas
#   BUILD/cuda/nvvm/libdevice/libdevice.10.bc
#
#===------------------------------------------------------------------------===#

set(TESSERA_PTXAS "" CACHE FILEPATH "ptxas to use instead of the one found")
set(TESSERA_LIBDEVICE "" CACHE FILEPATH
  "libdevice.10.bc to use instead of the one found")

function(_tessera_link_cuda_file file place)
  if(NOT file)
    return()
  endif()
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "no such file: ${file}")
  endif()
  get_filename_component(folder ${CMAKE_BINARY_DIR}/cuda/${place} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${file} ${CMAKE_BINARY_DIR}/cuda/${place} SYMBOLIC)
endfunction()

_tessera_link_cuda_file("${TESSERA_PTXAS}" bin/ptxas)
_tessera_link_cuda_file("${TESSERA_LIBDEVICE}" nvvm/libdevice/libdevice.10.bc)
