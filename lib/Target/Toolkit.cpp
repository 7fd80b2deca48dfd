//===- Toolkit.cpp - where ptxas and its companions are -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search is a list of candidate paths, made first and tried afterwards: the
// list is at once what is reported when none of them exists.
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Toolkit.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;

namespace tessera {
namespace {

/// A file of the toolkit: its place under the root and how users name it.
struct ToolkitFile {
  StringRef name;    ///< for messages
  StringRef subpath; ///< below the toolkit's root
  StringRef flag;    ///< the option that overrides the search
  bool isProgram;
};

constexpr ToolkitFile ptxasFile = {"ptxas", "bin/ptxas", "--ptxas-path", true};
constexpr ToolkitFile libdeviceFile = {
    "libdevice.10.bc", "nvvm/libdevice/libdevice.10.bc", "--libdevice", false};
constexpr ToolkitFile nvdisasmFile = {"nvdisasm", "bin/nvdisasm",
                                      "--nvdisasm-path", true};

} // namespace

static std::string joinPath(StringRef root, StringRef subpath) {
  SmallString<256> path(root);
  sys::path::append(path, subpath);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

static bool isUsable(const ToolkitFile &file, StringRef path) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status) || !sys::fs::is_regular_file(status))
    return false;
  return !file.isProgram || sys::fs::can_execute(path);
}

/// The root of the toolkit whose ptxas is on $PATH, or an empty string. The
/// entry on $PATH may be a symbolic link out of the toolkit.
static std::string findRootOnPath() {
  ErrorOr<std::string> program = sys::findProgramByName("ptxas");
  if (!program)
    return {};
  SmallString<256> real;
  if (sys::fs::real_path(*program, real))
    return {};
  return sys::path::parent_path(sys::path::parent_path(real)).str();
}

/// All places where `file` may be, in the order of the header's banner.
static SmallVector<std::string> listCandidates(const ToolkitFile &file,
                                               const ToolkitOptions &options) {
  SmallVector<std::string> paths;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable); root && *root)
      paths.push_back(joinPath(root, file.subpath));
  if (file.isProgram) {
    if (ErrorOr<std::string> program = sys::findProgramByName(file.name))
      paths.push_back(*program);
  } else if (std::string root = findRootOnPath(); !root.empty()) {
    paths.push_back(joinPath(root, file.subpath));
  }
  if (!options.programPath.empty()) {
    StringRef bin = sys::path::parent_path(options.programPath);
    paths.push_back(joinPath(joinPath(bin, "../cuda"), file.subpath));
  }
  for (StringRef root : {"/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"})
    paths.push_back(joinPath(root, file.subpath));
  return paths;
}

static Expected<std::string> find(const ToolkitFile &file,
                                  const std::string &given,
                                  const ToolkitOptions &options) {
  if (!given.empty()) {
    if (isUsable(file, given))
      return given;
    return createStringError(
        Twine(file.flag) + ": '" + given + "' is not " +
        (file.isProgram ? "an executable file" : "a file"));
  }
  SmallVector<std::string> candidates = listCandidates(file, options);
  for (const std::string &path : candidates)
    if (isUsable(file, path))
      return path;
  std::string searched;
  for (const std::string &path : candidates)
    searched += "\n  " + path;
  return createStringError("cannot find " + Twine(file.name) +
                           " of the CUDA toolkit; name it with " + file.flag +
                           "=FILE or set CUDA_HOME. Searched: $PATH and" +
                           searched);
}

Expected<std::string> findPtxas(const ToolkitOptions &options) {
  return find(ptxasFile, options.ptxasPath, options);
}

Expected<std::string> findLibdevice(const ToolkitOptions &options) {
  return find(libdeviceFile, options.libdevicePath, options);
}

Expected<std::string> findNvdisasm(const ToolkitOptions &options) {
  return find(nvdisasmFile, options.nvdisasmPath, options);
}

} // namespace tessera
