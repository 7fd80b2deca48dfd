//===- JsonCursor.cpp - checked reading of a JSON document ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonCursor.h"

#include <limits>

using nlohmann::json;

namespace tessera::runtime {

std::nullopt_t JsonCursor::complain(const std::string &text) const {
  // Later complaints are consequences of the first.
  if (!*failure)
    *failure = {TESSERA_INVALID_MANIFEST,
                path.empty() ? text : path + ": " + text};
  return std::nullopt;
}

std::optional<JsonCursor> JsonCursor::member(const char *name) const {
  if (!value->is_object())
    return complain("expected an object");
  auto found = value->find(name);
  if (found == value->end())
    return complain(std::string("missing \"") + name + "\"");
  return JsonCursor(*found, *failure,
                    path.empty() ? std::string(name) : path + "." + name);
}

std::optional<std::vector<JsonCursor>> JsonCursor::members() const {
  if (!value->is_object())
    return complain("expected an object");
  std::vector<JsonCursor> cursors;
  for (const auto &item : value->items())
    cursors.push_back(
        JsonCursor(item.value(), *failure,
                   path.empty() ? item.key() : path + "." + item.key()));
  return cursors;
}

bool JsonCursor::hasMember(const char *name) const {
  return value->is_object() && value->find(name) != value->end();
}

std::optional<size_t> JsonCursor::arraySize(size_t limit) const {
  if (!value->is_array())
    return complain("expected an array");
  if (value->size() > limit)
    return complain("more than " + std::to_string(limit) + " elements");
  return value->size();
}

JsonCursor JsonCursor::element(size_t index) const {
  return JsonCursor((*value)[index], *failure,
                    path + "[" + std::to_string(index) + "]");
}

std::optional<int64_t> JsonCursor::integer(int64_t lowest,
                                           int64_t highest) const {
  std::optional<int64_t> number;
  if (value->is_number_unsigned()) {
    uint64_t bits = value->get<uint64_t>();
    if (bits <= uint64_t(std::numeric_limits<int64_t>::max()))
      number = int64_t(bits);
  } else if (value->is_number_integer()) {
    number = value->get<int64_t>();
  } else {
    return complain("expected an integer");
  }
  if (!number || *number < lowest || *number > highest)
    return complain("expected an integer from " + std::to_string(lowest) +
                    " to " + std::to_string(highest) + ", found " +
                    value->dump());
  return number;
}

std::optional<std::string> JsonCursor::string() const {
  if (!value->is_string())
    return complain("expected a string");
  const std::string &text = *value->get_ptr<const std::string *>();
  if (text.find('\0') != std::string::npos)
    return complain("a NUL character in a string");
  return text;
}

std::optional<std::string> JsonCursor::name() const {
  std::optional<std::string> text = string();
  if (text && text->empty())
    return complain("an empty name");
  return text;
}

std::optional<bool> JsonCursor::boolean() const {
  if (!value->is_boolean())
    return complain("expected true or false");
  return value->get<bool>();
}

} // namespace tessera::runtime
