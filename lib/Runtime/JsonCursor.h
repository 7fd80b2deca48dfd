//===- JsonCursor.h - checked reading of a JSON document --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place in a JSON document that knows its path, so that every complaint about
// a manifest says where. Readers return an empty optional after a complaint;
// the first one is kept in the Failure that all cursors of a document share.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_RUNTIME_JSONCURSOR_H
#define TESSERA_LIB_RUNTIME_JSONCURSOR_H

#include "tessera/Runtime/Result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tessera::runtime {

class JsonCursor {
public:
  JsonCursor(const nlohmann::json &value, Failure &failure)
      : value(&value), failure(&failure) {}

  /// The member of that name; a complaint if this is no object or lacks it.
  std::optional<JsonCursor> member(const char *name) const;
  /// True if this is an object with such a member.
  bool hasMember(const char *name) const;
  bool isNull() const { return value->is_null(); }
  bool isString() const { return value->is_string(); }
  /// The members of an object, each with its place; a complaint if this is
  /// none.
  std::optional<std::vector<JsonCursor>> members() const;

  /// The number of elements; a complaint if this is no array or a longer one.
  std::optional<size_t> arraySize(size_t limit) const;
  /// An element within arraySize().
  JsonCursor element(size_t index) const;

  /// An integer in [lowest, highest]. A number with a fraction is none.
  std::optional<int64_t> integer(int64_t lowest, int64_t highest) const;
  /// A string without NUL characters, which C strings could not carry.
  std::optional<std::string> string() const;
  /// The same, not empty.
  std::optional<std::string> name() const;
  std::optional<bool> boolean() const;

  /// Records a complaint about this place.
  std::nullopt_t complain(const std::string &text) const;

private:
  JsonCursor(const nlohmann::json &value, Failure &failure, std::string path)
      : value(&value), failure(&failure), path(std::move(path)) {}

  const nlohmann::json *value;
  Failure *failure;
  /// Empty at the root, otherwise for example "entries[0].nodes[3].op".
  std::string path;
};

} // namespace tessera::runtime

#endif // TESSERA_LIB_RUNTIME_JSONCURSOR_H
