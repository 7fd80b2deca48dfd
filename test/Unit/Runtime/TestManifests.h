//===- TestManifests.h - manifests for the runtime's tests ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A manifest with one entry "f" whose nodes and body a test chooses:
//
//   f(p: ptr<f32>, a: i64, b: i64, h: f16)
//
// over the kernels narrow(n: i32), bit(t: i1), byte(c: i8) and
// memory(q: ptr<f32>, h: f16).
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_TESTMANIFESTS_H
#define TESSERA_TEST_UNIT_RUNTIME_TESTMANIFESTS_H

#include "tessera/Runtime/Plan.h"

#include <fstream>
#include <sstream>
#include <string>

namespace tessera::runtime {

inline std::string kernelJson(const std::string &name,
                              const std::string &arguments) {
  return R"({"name": ")" + name + R"(", "symbol": ")" + name +
         R"(", "arguments": )" + arguments +
         R"(, "num_warps": 4, "dynamic_shared_bytes": 0,
            "static_shared_bytes": 0, "registers": null,
            "spill_store_bytes": null, "spill_load_bytes": null,
            "stack_bytes": null})";
}

/// `nodes` and `body` are the elements of those arrays.
inline std::string makeManifest(const std::string &nodes,
                                const std::string &body) {
  return R"({"format": "tessera-manifest", "version": 1, "target": "sm_90a",
    "ptxas": null, "parameters": {}, "output": null, "kernels": [)" +
         kernelJson("narrow", R"([{"name": "n", "type": "i32"}])") + "," +
         kernelJson("bit", R"([{"name": "t", "type": "i1"}])") + "," +
         kernelJson("byte", R"([{"name": "c", "type": "i8"}])") + "," +
         kernelJson("memory", R"([{"name": "q", "type": "ptr<f32>"},
                                  {"name": "h", "type": "f16"}])") +
         R"(], "entries": [{"name": "f", "arguments": [
      {"name": "p", "type": "ptr<f32>"}, {"name": "a", "type": "i64"},
      {"name": "b", "type": "i64"}, {"name": "h", "type": "f16"}],
      "nodes": [)" +
         nodes + R"(], "body": [)" + body + "]}]}";
}

/// The file test/Runtime/Inputs/NAME.
inline std::string readInput(const std::string &name) {
  std::ifstream file(std::string(TESSERA_TEST_INPUTS) + "/" + name,
                     std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The message for a manifest that must be refused; "" if it is accepted.
inline std::string refusal(const std::string &json) {
  Result<Manifest> manifest = parseManifest(json);
  return manifest ? "" : manifest.failure().message;
}

/// The same for makeManifest(nodes, body).
inline std::string refusal(const std::string &nodes, const std::string &body) {
  return refusal(makeManifest(nodes, body));
}

} // namespace tessera::runtime

#endif // TESSERA_TEST_UNIT_RUNTIME_TESTMANIFESTS_H
