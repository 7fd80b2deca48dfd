//===- Manifest.cpp - reading a manifest ----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The document, its kernels and the outlines of its entries. Members that the
// format does not define are ignored, so that a compiler may add notes for
// other readers without a new version.
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/Manifest.h"

#include "ManifestReader.h"

#include <limits>
#include <unordered_set>

namespace tessera::runtime {

namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

struct TypeName {
  const char *name;
  TypeKind kind;
};
constexpr TypeName kScalarTypes[] = {
    {"i1", TypeKind::I1},   {"i8", TypeKind::I8},     {"i16", TypeKind::I16},
    {"i32", TypeKind::I32}, {"i64", TypeKind::I64},   {"f16", TypeKind::F16},
    {"f32", TypeKind::F32}, {"bf16", TypeKind::BF16}, {"f64", TypeKind::F64}};

std::optional<TypeKind> parseType(std::string_view text) {
  if (text.size() >= 5 && text.substr(0, 4) == "ptr<" && text.back() == '>')
    return TypeKind::Pointer;
  for (const TypeName &type : kScalarTypes)
    if (text == type.name)
      return type.kind;
  return std::nullopt;
}

/// The type of a kernel's argument, or of an entry's, in `argument`.
bool readType(const JsonCursor &cursor, Argument &argument, bool isKernel) {
  std::optional<std::string> type = cursor.string();
  if (!type)
    return false;
  if (std::optional<TypeKind> kind = parseType(*type)) {
    argument.kind = *kind;
  } else if (std::optional<TensorMapType> map = parseTensorMapType(*type)) {
    if (!isKernel) {
      cursor.complain("only kernels take tensor maps");
      return false;
    }
    argument.kind = TypeKind::TensorMap;
    argument.tensorMap = *map;
  } else {
    cursor.complain("unknown type \"" + *type + "\"");
    return false;
  }
  argument.type = std::move(*type);
  return true;
}

bool readArguments(const JsonCursor &list, std::vector<Argument> &arguments,
                   bool isKernel) {
  std::optional<size_t> size = list.arraySize(limits::kArguments);
  if (!size)
    return false;
  for (size_t i = 0; i < *size; ++i) {
    JsonCursor item = list.element(i);
    std::optional<JsonCursor> nameCursor = item.member("name");
    std::optional<JsonCursor> typeCursor = item.member("type");
    if (!nameCursor || !typeCursor)
      return false;
    std::optional<std::string> name = nameCursor->name();
    Argument argument;
    if (!name || !readType(*typeCursor, argument, isKernel))
      return false;
    argument.name = std::move(*name);
    arguments.push_back(std::move(argument));
  }
  return true;
}

/// Reads the integer member `name` in [lowest, highest] into `out`.
template <typename T>
bool readInteger(const JsonCursor &object, const char *name, int64_t lowest,
                 int64_t highest, T &out) {
  std::optional<JsonCursor> cursor = object.member(name);
  std::optional<int64_t> number =
      cursor ? cursor->integer(lowest, highest) : std::nullopt;
  if (number)
    out = T(*number);
  return number.has_value();
}

/// The same for a member that may be null.
bool readNullableCount(const JsonCursor &object, const char *name,
                       std::optional<int64_t> &out) {
  std::optional<JsonCursor> cursor = object.member(name);
  if (!cursor)
    return false;
  if (!cursor->isNull())
    out = cursor->integer(0, kInt64Max);
  return cursor->isNull() || out;
}

bool readString(const JsonCursor &object, const char *name, std::string &out) {
  std::optional<JsonCursor> cursor = object.member(name);
  std::optional<std::string> text = cursor ? cursor->name() : std::nullopt;
  if (text)
    out = std::move(*text);
  return text.has_value();
}

bool readKernel(const JsonCursor &object, Kernel &kernel) {
  std::optional<JsonCursor> arguments = object.member("arguments");
  // A block has at most 1024 threads, 32 warps, on every target.
  return arguments && readString(object, "name", kernel.name) &&
         readString(object, "symbol", kernel.symbol) &&
         readArguments(*arguments, kernel.arguments, /*isKernel=*/true) &&
         readInteger(object, "num_warps", 1, 32, kernel.numWarps) &&
         readInteger(object, "dynamic_shared_bytes", 0, kInt32Max,
                     kernel.dynamicSharedBytes) &&
         readInteger(object, "static_shared_bytes", 0, kInt32Max,
                     kernel.staticSharedBytes) &&
         readNullableCount(object, "registers", kernel.registers) &&
         readNullableCount(object, "spill_store_bytes",
                           kernel.spillStoreBytes) &&
         readNullableCount(object, "spill_load_bytes", kernel.spillLoadBytes) &&
         readNullableCount(object, "stack_bytes", kernel.stackBytes);
}

bool readKernels(const JsonCursor &root, Manifest &manifest) {
  std::optional<JsonCursor> list = root.member("kernels");
  std::optional<size_t> size =
      list ? list->arraySize(limits::kKernels) : std::nullopt;
  if (!size)
    return false;
  manifest.kernels.resize(*size);
  std::unordered_set<std::string_view> names;
  for (size_t i = 0; i < *size; ++i) {
    JsonCursor item = list->element(i);
    Kernel &kernel = manifest.kernels[i];
    if (!readKernel(item, kernel))
      return false;
    if (!names.insert(kernel.name).second) {
      item.complain("a second kernel \"" + kernel.name + "\"");
      return false;
    }
  }
  return true;
}

bool readEntry(const JsonCursor &object, const Manifest &manifest,
               Entry &entry) {
  std::optional<JsonCursor> arguments = object.member("arguments");
  std::optional<JsonCursor> nodes = object.member("nodes");
  std::optional<JsonCursor> body = object.member("body");
  return arguments && nodes && body && readString(object, "name", entry.name) &&
         readArguments(*arguments, entry.arguments, /*isKernel=*/false) &&
         readExpressions(*nodes, entry) && readActions(*body, manifest, entry);
}

bool readEntries(const JsonCursor &root, Manifest &manifest) {
  std::optional<JsonCursor> list = root.member("entries");
  std::optional<size_t> size =
      list ? list->arraySize(limits::kEntries) : std::nullopt;
  if (!size)
    return false;
  manifest.entries.resize(*size);
  std::unordered_set<std::string_view> names;
  for (size_t i = 0; i < *size; ++i) {
    JsonCursor item = list->element(i);
    Entry &entry = manifest.entries[i];
    if (!readEntry(item, manifest, entry))
      return false;
    if (!names.insert(entry.name).second) {
      item.complain("a second entry \"" + entry.name + "\"");
      return false;
    }
  }
  return true;
}

/// The output is a file name in the manifest's own folder: a manifest must not
/// be able to name any other file of the machine.
bool readOutput(const JsonCursor &root, Manifest &manifest) {
  std::optional<JsonCursor> cursor = root.member("output");
  if (!cursor)
    return false;
  if (cursor->isNull())
    return true;
  std::optional<std::string> name = cursor->name();
  if (!name)
    return false;
  if (name->find_first_of("/\\") != std::string::npos || *name == "." ||
      *name == "..") {
    cursor->complain("expected a file name without a folder");
    return false;
  }
  manifest.output = std::move(*name);
  return true;
}

/// Checks what records how the module was made; launching does not need it.
bool checkProvenance(const JsonCursor &root) {
  std::optional<JsonCursor> ptxas = root.member("ptxas");
  std::optional<JsonCursor> parameters = root.member("parameters");
  if (!ptxas || !parameters || (!ptxas->isNull() && !ptxas->string()))
    return false;
  std::optional<std::vector<JsonCursor>> values = parameters->members();
  if (!values)
    return false;
  for (const JsonCursor &value : *values)
    if (value.isString() ? !value.string()
                         : !value.integer(-kInt64Max - 1, kInt64Max))
      return false;
  return true;
}

/// Checks the format's name and version, before anything whose meaning may
/// depend on them.
bool readVersion(const JsonCursor &root, Failure &failure) {
  std::optional<JsonCursor> formatCursor = root.member("format");
  std::optional<std::string> format =
      formatCursor ? formatCursor->string() : std::nullopt;
  if (!format)
    return false;
  if (*format != "tessera-manifest") {
    formatCursor->complain("expected \"tessera-manifest\"");
    return false;
  }
  int64_t version = 0;
  if (!readInteger(root, "version", 0, kInt64Max, version))
    return false;
  if (version < kOldestManifestVersion || version > kManifestVersion) {
    failure = {TESSERA_UNSUPPORTED_VERSION,
               "the manifest has version " + std::to_string(version) +
                   ", this runtime reads versions " +
                   std::to_string(kOldestManifestVersion) + " to " +
                   std::to_string(kManifestVersion)};
    return false;
  }
  return true;
}

} // namespace

IntegerRange integerRange(TypeKind kind) {
  switch (kind) {
  case TypeKind::I1:
    return {0, 1};
  case TypeKind::I8:
    return {-128, 127};
  case TypeKind::I16:
    return {-32768, 32767};
  case TypeKind::I32:
    return {-kInt32Max - 1, kInt32Max};
  default:
    return {-kInt64Max - 1, kInt64Max};
  }
}

std::optional<size_t> Manifest::findEntry(std::string_view name) const {
  // Manifests have a handful of entries: a scan beats a hash table.
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name == name)
      return i;
  return std::nullopt;
}

std::optional<size_t> Manifest::findKernel(std::string_view name) const {
  for (size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == name)
      return i;
  return std::nullopt;
}

Result<Manifest> parseManifest(std::string_view json) {
  if (json.size() > limits::kManifestBytes)
    return Failure{TESSERA_INVALID_MANIFEST, "the manifest is too large"};
  nlohmann::json document =
      nlohmann::json::parse(json.begin(), json.end(), /*cb=*/nullptr,
                            /*allow_exceptions=*/false);
  if (document.is_discarded())
    return Failure{TESSERA_INVALID_MANIFEST, "the manifest is not valid JSON"};
  Failure failure;
  JsonCursor root(document, failure);
  Manifest manifest;
  if (!readVersion(root, failure) ||
      !readString(root, "target", manifest.target) || !checkProvenance(root) ||
      !readOutput(root, manifest) || !readKernels(root, manifest) ||
      !readEntries(root, manifest))
    return failure;
  return manifest;
}

} // namespace tessera::runtime
