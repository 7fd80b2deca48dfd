//===- CApi.cpp - the C API over the runtime ------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function that can fail goes through guarded(), the one place where
// failures become a status and a message and where exceptions (of which running
// out of memory is the one expected) end.
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace tessera::runtime;

/// The C API's opaque type.
struct tessera_module {
  Module module;
};

namespace {

/// A fixed buffer: reporting must not need memory. Longer messages are cut.
thread_local char lastError[4096] = "";

tessera_status report(tessera_status status, const char *text, size_t length) {
  length = std::min(length, sizeof(lastError) - 1);
  std::memcpy(lastError, text, length);
  lastError[length] = '\0';
  return status;
}

tessera_status report(tessera_status status, const char *text) {
  return report(status, text, std::strlen(text));
}

/// Runs `body`, which returns a Failure.
template <typename Body> tessera_status guarded(const Body &body) {
  try {
    if (Failure failure = body())
      return report(failure.status, failure.message.data(),
                    failure.message.size());
    return TESSERA_SUCCESS;
  } catch (const std::bad_alloc &) {
    return report(TESSERA_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &exception) {
    return report(TESSERA_INTERNAL_ERROR, exception.what());
  } catch (...) {
    return report(TESSERA_INTERNAL_ERROR, "unknown exception");
  }
}

constexpr tessera_launch_options kDefaultLaunch = {};

Failure nullArgument(const char *name) {
  return {TESSERA_INVALID_ARGUMENT, std::string(name) + " is null"};
}

/// The folder of `path`, with its slash; empty if `path` names none.
std::string folderOf(const std::string &path) {
  return path.substr(0, path.find_last_of('/') + 1);
}

/// The entry of that name, or the only one if `name` is null.
Result<const Entry *> findEntry(const Manifest &manifest, const char *name) {
  if (!name) {
    if (manifest.entries.size() != 1)
      return Failure{TESSERA_INVALID_ARGUMENT,
                     "the module has " +
                         std::to_string(manifest.entries.size()) +
                         " entries; name one"};
    return &manifest.entries[0];
  }
  if (std::optional<size_t> index = manifest.findEntry(name))
    return &manifest.entries[*index];
  std::string text = "the module has no entry \"" + std::string(name) + "\"";
  for (size_t i = 0; i < std::min<size_t>(manifest.entries.size(), 10); ++i)
    text += (i ? ", " : "; it has ") + manifest.entries[i].name;
  return Failure{TESSERA_NOT_FOUND, text};
}

template <typename Options>
PlanRequest makeRequest(const tessera_argument *arguments, size_t argumentCount,
                        const Options &options) {
  PlanRequest request;
  request.arguments = arguments;
  request.numArguments = argumentCount;
  request.hasGrid = options.has_grid != 0;
  for (size_t i = 0; i < 3; ++i)
    request.grid[i] = options.grid[i];
  return request;
}

Failure launch(Module &module, const Entry &entry,
               const tessera_argument *arguments, size_t argumentCount,
               const tessera_launch_options &options) {
  Result<const DriverApi *> driver = getDriver();
  if (!driver)
    return driver.failure();
  auto stream = static_cast<CuStream>(options.stream);
  Result<ContextCode *> state = module.getContextCode(**driver, stream);
  if (!state)
    return state.failure();
  PlanRequest request = makeRequest(arguments, argumentCount, options);
  request.numSms = (*state)->device.numSms;
  Plan plan(module.getManifest(), entry);
  if (Failure failure = plan.evaluate(request))
    return failure;
  return module.execute(**driver, **state, plan, stream);
}

Failure launchValues(Module &module, size_t index, const uint64_t *values,
                     size_t count, const tessera_launch_options &options) {
  const auto &entries = module.getManifest().entries;
  if (index >= entries.size())
    return {TESSERA_NOT_FOUND,
            "the module has " + std::to_string(entries.size()) +
                " entries, not one of index " + std::to_string(index)};
  const Entry &entry = entries[index];
  // A wrong number is reported by the plan, which reads none of them then.
  size_t known = std::min(count, entry.arguments.size());
  InlineArray<tessera_argument, 64> arguments(known);
  for (size_t i = 0; i < known; ++i) {
    arguments[i].kind = argumentKind(entry.arguments[i].kind);
    std::memcpy(&arguments[i].value, &values[i], sizeof(values[i]));
  }
  return launch(module, entry, arguments.data(), count, options);
}

Failure writePlan(const Manifest &manifest, const char *entryName,
                  const PlanRequest &request, char *buffer, size_t capacity,
                  size_t *length) {
  Result<const Entry *> entry = findEntry(manifest, entryName);
  if (!entry)
    return entry.failure();
  Plan plan(manifest, **entry);
  if (Failure failure = plan.evaluate(request))
    return failure;
  std::string text = toJson(plan);
  if (length)
    *length = text.size();
  if (capacity <= text.size())
    return {TESSERA_BUFFER_TOO_SMALL,
            "the plan needs " + std::to_string(text.size() + 1) + " bytes"};
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return {};
}

const Entry *entryAt(const tessera_module *module, size_t index) {
  if (!module || index >= module->module.getManifest().entries.size())
    return nullptr;
  return &module->module.getManifest().entries[index];
}

const Argument *argumentAt(const tessera_module *module, size_t entryIndex,
                           size_t index) {
  const Entry *entry = entryAt(module, entryIndex);
  if (!entry || index >= entry->arguments.size())
    return nullptr;
  return &entry->arguments[index];
}

Failure occupancy(Module &module, const char *name, int *blocksPerSm) {
  std::optional<size_t> index = module.getManifest().findKernel(name);
  if (!index)
    return {TESSERA_NOT_FOUND,
            "the module has no kernel \"" + std::string(name) + "\""};
  Result<const DriverApi *> driver = getDriver();
  if (!driver)
    return driver.failure();
  Result<ContextCode *> state = module.getContextCode(**driver, nullptr);
  if (!state)
    return state.failure();
  Result<CuFunction> function = module.getFunction(**driver, **state, *index);
  if (!function)
    return function.failure();
  const Kernel &kernel = module.getManifest().kernels[*index];
  if (CuResult error =
          (*driver)->occupancy(blocksPerSm, *function, 32 * kernel.numWarps,
                               size_t(kernel.dynamicSharedBytes)))
    return driverFailure(**driver, error,
                         "the occupancy of kernel \"" + kernel.name + "\"");
  return {};
}

} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

const char *tessera_last_error(void) { return lastError; }

tessera_status tessera_load(const char *manifest_path, tessera_module **out) {
  return guarded([&]() -> Failure {
    if (!manifest_path || !out)
      return nullArgument(manifest_path ? "out" : "manifest_path");
    std::string path = manifest_path;
    Result<std::string> text = readFile(path);
    if (!text)
      return text.failure();
    Result<Manifest> manifest = parseManifest(*text);
    if (!manifest)
      return {manifest.failure().status,
              path + ": " + manifest.failure().message};
    std::string image = manifest->output.empty()
                            ? std::string()
                            : folderOf(path) + manifest->output;
    *out = new tessera_module{{std::move(*manifest), std::move(image), ""}};
    return {};
  });
}

tessera_status tessera_load_from_memory(const char *json, size_t json_length,
                                        const void *image, size_t image_length,
                                        tessera_module **out) {
  return guarded([&]() -> Failure {
    if (!json || !out)
      return nullArgument(json ? "out" : "json");
    Result<Manifest> manifest = parseManifest({json, json_length});
    if (!manifest)
      return manifest.failure();
    std::string bytes;
    if (image)
      bytes.assign(static_cast<const char *>(image), image_length);
    *out = new tessera_module{{std::move(*manifest), "", std::move(bytes)}};
    return {};
  });
}

void tessera_unload(tessera_module *module) { delete module; }

//===----------------------------------------------------------------------===//
// Introspection
//===----------------------------------------------------------------------===//

const char *tessera_target(const tessera_module *module) {
  return module ? module->module.getManifest().target.c_str() : nullptr;
}

size_t tessera_entry_count(const tessera_module *module) {
  return module ? module->module.getManifest().entries.size() : 0;
}

const char *tessera_entry_name(const tessera_module *module, size_t entry) {
  const Entry *found = entryAt(module, entry);
  return found ? found->name.c_str() : nullptr;
}

size_t tessera_entry_argument_count(const tessera_module *module,
                                    size_t entry) {
  const Entry *found = entryAt(module, entry);
  return found ? found->arguments.size() : 0;
}

const char *tessera_entry_argument_name(const tessera_module *module,
                                        size_t entry, size_t argument) {
  const Argument *found = argumentAt(module, entry, argument);
  return found ? found->name.c_str() : nullptr;
}

const char *tessera_entry_argument_type(const tessera_module *module,
                                        size_t entry, size_t argument) {
  const Argument *found = argumentAt(module, entry, argument);
  return found ? found->type.c_str() : nullptr;
}

int tessera_entry_uses_caller_grid(const tessera_module *module, size_t entry) {
  const Entry *found = entryAt(module, entry);
  return found && found->usesCallerGrid;
}

size_t tessera_kernel_count(const tessera_module *module) {
  return module ? module->module.getManifest().kernels.size() : 0;
}

tessera_status tessera_kernel_get_resources(const tessera_module *module,
                                            size_t kernel,
                                            tessera_kernel_resources *out) {
  return guarded([&]() -> Failure {
    if (!module || !out)
      return nullArgument(module ? "out" : "module");
    const auto &kernels = module->module.getManifest().kernels;
    if (kernel >= kernels.size())
      return {TESSERA_INVALID_ARGUMENT,
              "the module has " + std::to_string(kernels.size()) +
                  " kernel(s), not one of index " + std::to_string(kernel)};
    const Kernel &found = kernels[kernel];
    out->name = found.name.c_str();
    out->symbol = found.symbol.c_str();
    out->num_warps = found.numWarps;
    out->dynamic_shared_bytes = found.dynamicSharedBytes;
    out->static_shared_bytes = found.staticSharedBytes;
    out->registers = found.registers.value_or(-1);
    out->spill_store_bytes = found.spillStoreBytes.value_or(-1);
    out->spill_load_bytes = found.spillLoadBytes.value_or(-1);
    out->stack_bytes = found.stackBytes.value_or(-1);
    return {};
  });
}

tessera_status tessera_kernel_occupancy(tessera_module *module,
                                        const char *kernel,
                                        int *blocks_per_sm) {
  return guarded([&]() -> Failure {
    if (!module || !kernel || !blocks_per_sm)
      return nullArgument(!module   ? "module"
                          : !kernel ? "kernel"
                                    : "blocks_per_sm");
    return occupancy(module->module, kernel, blocks_per_sm);
  });
}

tessera_status tessera_device_capability(int *major, int *minor) {
  return guarded([&]() -> Failure {
    if (!major || !minor)
      return nullArgument(major ? "minor" : "major");
    Result<const DriverApi *> driver = getDriver();
    if (!driver)
      return driver.failure();
    Result<Capability> capability = getCapability(**driver);
    if (!capability)
      return capability.failure();
    *major = capability->major;
    *minor = capability->minor;
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

tessera_status tessera_launch(tessera_module *module, const char *entry,
                              const tessera_argument *arguments,
                              size_t argument_count,
                              const tessera_launch_options *options) {
  return guarded([&]() -> Failure {
    if (!module || (!arguments && argument_count))
      return nullArgument(module ? "arguments" : "module");
    Result<const Entry *> found =
        findEntry(module->module.getManifest(), entry);
    if (!found)
      return found.failure();
    return launch(module->module, **found, arguments, argument_count,
                  options ? *options : kDefaultLaunch);
  });
}

tessera_status tessera_launch_values(tessera_module *module, size_t entry,
                                     const uint64_t *values, size_t value_count,
                                     const tessera_launch_options *options) {
  return guarded([&]() -> Failure {
    if (!module || (!values && value_count))
      return nullArgument(module ? "values" : "module");
    return launchValues(module->module, entry, values, value_count,
                        options ? *options : kDefaultLaunch);
  });
}

tessera_status
tessera_plan_json(const tessera_module *module, const char *entry,
                  const tessera_argument *arguments, size_t argument_count,
                  const tessera_plan_options *options, char *buffer,
                  size_t capacity, size_t *length) {
  return guarded([&]() -> Failure {
    if (!module || (!arguments && argument_count))
      return nullArgument(module ? "arguments" : "module");
    if (!buffer && capacity)
      return nullArgument("buffer");
    static const tessera_plan_options kDefaults = {};
    const tessera_plan_options &chosen = options ? *options : kDefaults;
    PlanRequest request = makeRequest(arguments, argument_count, chosen);
    request.numSms = chosen.num_sms;
    return writePlan(module->module.getManifest(), entry, request, buffer,
                     capacity, length);
  });
}
