#===- TesseraHelpers.cmake - functions that declare Tessera's targets ------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Libraries, tools and unit tests are declared with the functions below and in
# no other way, so that all of them agree on flags, on the way MLIR is linked
# and on one precompiled header:
#
#   add_tessera_library(NAME source... [LINK_LIBS lib...] [DEPENDS target...]
#                       [NO_MLIR] [NO_PCH] [EXCEPTIONS])
#   add_tessera_tool(NAME source... [LINK_LIBS lib...] [NO_MLIR] [NO_PCH]
#                    [EXCEPTIONS])
#   add_tessera_unittest(NAME source... [LINK_LIBS lib...] [NO_MLIR] [NO_PCH]
#                        [EXCEPTIONS])
#   tessera_add_subdirectory(FOLDER)
#   tessera_collect_targets(OUT FOLDER)
#
# NO_MLIR keeps LLVM's and MLIR's headers and libraries away from a target (the
# layout algebra, the runtime). EXCEPTIONS turns C++ exceptions on; the code must
# catch them before they leave the library.
#
#===------------------------------------------------------------------------===#

# Built before any source that uses MLIR: all headers made by TableGen.
add_custom_target(tessera-headers)

# What a target needs that uses MLIR. libMLIR.so and libLLVM.so carry their
# include folder with them, so that linking either of them suffices.
foreach(lib MLIR LLVM)
  target_include_directories(${lib} SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
endforeach()
set(TESSERA_MLIR_LIBS MLIR LLVM)

# The same from archives, never mixed with the shared libraries. All archives are
# named: the linker takes only what is needed, and lld resolves them in any order.
# zlib and zstd, which LLVM compresses sections with, come as archives too.
if(TESSERA_STATIC)
  file(GLOB archives
    ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "libMLIR(CAPI|.*Test)")
  find_library(TESSERA_ZLIB_ARCHIVE libz.a REQUIRED)
  find_library(TESSERA_ZSTD_ARCHIVE libzstd.a REQUIRED)
  add_library(TesseraMLIRArchives INTERFACE)
  target_include_directories(TesseraMLIRArchives SYSTEM INTERFACE
    ${MLIR_INCLUDE_DIRS})
  target_link_libraries(TesseraMLIRArchives INTERFACE
    ${archives} ${TESSERA_ZLIB_ARCHIVE} ${TESSERA_ZSTD_ARCHIVE})
  set(TESSERA_MLIR_LIBS TesseraMLIRArchives)
  # For every target that follows, the runtime too.
  add_library(TesseraOldGlibc STATIC ${CMAKE_CURRENT_LIST_DIR}/OldGlibc.c)
  link_libraries(TesseraOldGlibc)
endif()

# Adds FOLDER when it has a build file: a part that is absent (an exported
# subset of the sources) leaves the rest buildable.
function(tessera_add_subdirectory folder)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
    add_subdirectory(${folder})
  endif()
endfunction()

# Sets OUT to the targets declared in FOLDER and below it.
function(tessera_collect_targets out folder)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder ${subfolders})
    tessera_collect_targets(below ${subfolder})
    list(APPEND found ${below})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# Flags, includes and links shared by libraries, tools and tests.
# `no_mlir`, `no_pch`, `exceptions` are booleans; `libs` is a list.
function(_tessera_configure_target name no_mlir no_pch exceptions libs)
  target_include_directories(${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(${name} PUBLIC ${libs})
  if(exceptions)
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fexceptions>)
  else()
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  if(no_mlir)
    return()
  endif()
  target_link_libraries(${name} PUBLIC ${TESSERA_MLIR_LIBS})
  # RTTI as LLVM has it: vtables of LLVM's classes refer to their typeinfo.
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
  add_dependencies(${name} tessera-headers mlir-headers mlir-generic-headers)
  if(TARGET TesseraPCH AND NOT no_pch AND NOT exceptions)
    target_precompile_headers(${name} REUSE_FROM TesseraPCH)
    target_compile_options(${name} PRIVATE
      "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endfunction()

# A static library.
function(add_tessera_library name)
  cmake_parse_arguments(ARG "NO_MLIR;NO_PCH;EXCEPTIONS" ""
    "LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  _tessera_configure_target(${name} "${ARG_NO_MLIR}" "${ARG_NO_PCH}"
    "${ARG_EXCEPTIONS}" "${ARG_LINK_LIBS}")
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# A program in build/bin.
function(add_tessera_tool name)
  cmake_parse_arguments(ARG "NO_MLIR;NO_PCH;EXCEPTIONS" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _tessera_configure_target(${name} "${ARG_NO_MLIR}" "${ARG_NO_PCH}"
    "${ARG_EXCEPTIONS}" "${ARG_LINK_LIBS}")
  set_property(GLOBAL APPEND PROPERTY TESSERA_TOOLS ${name})
endfunction()

# A GoogleTest program, in the folder where lit's GoogleTest format looks for
# it: build/test/Unit/<folder>/<name>, with a name that ends in "Tests".
function(add_tessera_unittest name)
  cmake_parse_arguments(ARG "NO_MLIR;NO_PCH;EXCEPTIONS" "" "LINK_LIBS" ${ARGN})
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "${name}: a unit test's name must end in \"Tests\"")
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  list(APPEND ARG_LINK_LIBS GTest::gtest GTest::gtest_main)
  _tessera_configure_target(${name} "${ARG_NO_MLIR}" "${ARG_NO_PCH}"
    "${ARG_EXCEPTIONS}" "${ARG_LINK_LIBS}")
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set_property(GLOBAL APPEND PROPERTY TESSERA_UNITTESTS ${name})
endfunction()

# The one precompiled header. It holds MLIR headers that do not change from day
# to day and that most sources include anyway; Tessera's own headers stay out,
# for a change of them would rebuild everything.
if(TESSERA_ENABLE_PCH)
  add_library(TesseraPCH OBJECT ${CMAKE_CURRENT_LIST_DIR}/Precompiled.cpp)
  _tessera_configure_target(TesseraPCH FALSE TRUE FALSE "")
  target_compile_options(TesseraPCH PRIVATE
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  target_precompile_headers(TesseraPCH PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/Precompiled.h)
endif()
