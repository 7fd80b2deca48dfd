#===- TesseraOptions.cmake - compiler flags and the compiler cache ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Directory-wide flags. They follow the way in which LLVM itself was built,
# because LLVM's headers change the layout of classes with them.
#
#===------------------------------------------------------------------------===#

option(TESSERA_USE_CCACHE "Compile through ccache where it is installed" ON)
option(TESSERA_ENABLE_PCH "Precompile MLIR's headers once for all libraries" ON)
option(TESSERA_WERROR "Treat compiler warnings as errors" OFF)
option(TESSERA_STATIC "Link LLVM, MLIR and the C++ library from archives" OFF)

# LLVM without assertions has no ABI-breaking checks. Code compiled without
# NDEBUG against it would see other fields in Value, Pass::Statistic and others
# than the library does: NDEBUG is an ABI flag here, not an optimisation.
if(NOT LLVM_ENABLE_ASSERTIONS)
  add_compile_definitions(NDEBUG)
endif()
separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})

# One position-independence flag for libraries and programs: CMake would give
# programs -fPIE, and clang refuses a precompiled header made with -fPIC there.
add_compile_options(-fPIC)

add_compile_options(
  -Wall -Wextra -Wno-unused-parameter
  "$<$<COMPILE_LANGUAGE:CXX>:-Wno-comment>"
  # __FILE__ is relative to the sources: no build paths in binaries.
  "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/="
  "-ffile-prefix-map=${CMAKE_BINARY_DIR}/=")
if(TESSERA_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(
    -fcolor-diagnostics
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-command-line-argument>")
endif()

# Linking is the step that takes memory: at most one link for each 2 GiB.
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR link_jobs "${memory_mib} / 2048")
if(link_jobs LESS 1)
  set(link_jobs 1)
endif()
set(TESSERA_LINK_JOBS ${link_jobs} CACHE STRING "Links that run at once")
set_property(GLOBAL APPEND PROPERTY JOB_POOLS tessera_link=${TESSERA_LINK_JOBS})
set(CMAKE_JOB_POOL_LINK tessera_link)

# ccache accepts precompiled headers only when it may overlook __TIME__ and the
# macros defined on the command line, and when the header carries no time stamp.
if(TESSERA_USE_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    set(launcher ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${CCACHE_PROGRAM})
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  endif()
endif()
