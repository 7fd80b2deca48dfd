//===- OutputFiles.cpp - several files, written together ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/OutputFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

static Error makeError(StringRef path, std::error_code error) {
  return createStringError(error,
                           "cannot write '" + path + "': " + error.message());
}

static Error writeAndClose(raw_fd_ostream &stream, StringRef contents,
                           StringRef path) {
  stream << contents;
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error ? makeError(path, error) : Error::success();
}

/// True when `path` is to be written as it is, without a rename.
static bool isDirect(StringRef path) {
  sys::fs::file_status status;
  return path == "-" ||
         (!sys::fs::status(path, status) && !sys::fs::is_regular_file(status));
}

Error checkDestination(StringRef path) {
  if (path == "-")
    return Error::success();
  if (sys::fs::is_directory(path))
    return createStringError("cannot write '" + path + "': it is a directory");
  StringRef folder = sys::path::parent_path(path);
  if (!folder.empty() && !sys::fs::is_directory(folder))
    return createStringError("cannot write '" + path +
                             "': there is no folder '" + folder + "'");
  return Error::success();
}

void OutputFiles::add(StringRef path, std::string contents) {
  // A symbolic link is followed: the rename is to replace what it points to.
  SmallString<128> real;
  bool isLink = path != "-" && sys::fs::is_symlink_file(path) &&
                !sys::fs::real_path(path, real);
  files.push_back(
      {isLink ? std::string(real) : path.str(), std::move(contents), {}});
}

Error OutputFiles::writeTemporary(File &file) {
  if (Error error = checkDestination(file.path))
    return error;
  if (isDirect(file.path))
    return Error::success();
  int descriptor;
  SmallString<128> path;
  if (std::error_code error = sys::fs::createUniqueFile(
          file.path + ".%%%%%%.tmp", descriptor, path))
    return makeError(file.path, error);
  file.temporary = std::string(path);
  sys::RemoveFileOnSignal(file.temporary);
  raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  return writeAndClose(stream, file.contents, file.path);
}

void OutputFiles::removeTemporaries() {
  for (File &file : files) {
    if (file.temporary.empty())
      continue;
    sys::fs::remove(file.temporary);
    sys::DontRemoveFileOnSignal(file.temporary);
  }
}

Error OutputFiles::commit() {
  for (File &file : files)
    if (Error error = writeTemporary(file)) {
      removeTemporaries();
      return error;
    }
  // Direct destinations before renames: a pipe may fail, a rename of a file
  // just made beside its destination hardly ever does.
  for (File &file : files) {
    if (!file.temporary.empty())
      continue;
    std::error_code error;
    raw_fd_ostream stream(file.path, error, sys::fs::OF_None);
    Error failure = error ? makeError(file.path, error)
                          : writeAndClose(stream, file.contents, file.path);
    if (failure) {
      removeTemporaries();
      return failure;
    }
  }
  for (File &file : files) {
    if (file.temporary.empty())
      continue;
    if (std::error_code error = sys::fs::rename(file.temporary, file.path)) {
      removeTemporaries();
      return makeError(file.path, error);
    }
    sys::DontRemoveFileOnSignal(file.temporary);
    file.temporary.clear();
  }
  return Error::success();
}

} // namespace tessera
