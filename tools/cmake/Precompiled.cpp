//===- Precompiled.cpp - carrier of the precompiled header ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CMake makes a precompiled header only as a part of a target with a source.
// Templates that the header instantiates are emitted here.
//
//===----------------------------------------------------------------------===//
