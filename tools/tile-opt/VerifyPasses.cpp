//===- VerifyPasses.cpp - --verify-passes ---------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyPasses.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tessera/Tool/OptionErrors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

static constexpr StringLiteral kDefaultFolder = "verify-failure";
static constexpr unsigned kDefaultInputs = 3, kMostInputs = 1000;

bool VerifyRequest::set(StringRef name, StringRef value, std::string &error) {
  if (name == "verify-dump-dir") {
    folder = value.str();
    if (value.empty())
      error = "--verify-dump-dir needs the name of a folder";
    return !value.empty();
  }
  if (name == "verify-passes" && value.empty()) {
    numInputs = kDefaultInputs;
    return true;
  }
  uint64_t number;
  bool isNumber = !value.getAsInteger(10, number);
  if (name == "verify-seed" && isNumber) {
    seed = number;
    return true;
  }
  if (name == "verify-passes" && isNumber && number >= 1 &&
      number <= kMostInputs) {
    numInputs = number;
    return true;
  }
  error = describeBadValue(
      "--" + name + "=", value,
      name == "verify-passes"
          ? "1 to " + std::to_string(kMostInputs) + ", the number of inputs"
          : "a number that is not negative");
  return false;
}

bool VerifyRequest::extractFrom(SmallVectorImpl<const char *> &arguments,
                                std::string &error) {
  SmallVector<const char *> rest;
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto [name, value] = StringRef(arguments[i]).split('=');
    bool isOption =
        i != 0 && (name.consume_front("--") || name.consume_front("-"));
    if (!isOption || (name != "verify-passes" && name != "verify-seed" &&
                      name != "verify-dump-dir")) {
      rest.push_back(arguments[i]);
      continue;
    }
    if (name != "verify-passes" && value.empty() && i + 1 < arguments.size())
      value = arguments[++i];
    if (!set(name, value, error))
      return false;
  }
  arguments.assign(rest.begin(), rest.end());
  error = check();
  return error.empty();
}

std::string VerifyRequest::check() const {
  if (!isOn())
    return seed || folder ? "--verify-seed and --verify-dump-dir go with "
                            "--verify-passes only"
                          : "";
  std::string name = folder.value_or(kDefaultFolder.str());
  if (sys::fs::exists(name))
    return "'" + name +
           "' exists; what --verify-passes finds goes into a new folder, see "
           "--verify-dump-dir";
  return {};
}

verify::VerifierOptions VerifyRequest::getOptions() const {
  verify::VerifierOptions options;
  options.inputs.numInputs = numInputs;
  options.inputs.seed = seed.value_or(options.inputs.seed);
  options.dumpFolder = folder.value_or(kDefaultFolder.str());
  return options;
}

mlir::LogicalResult runVerified(const std::string &input,
                                const std::string &output,
                                mlir::DialectRegistry &registry,
                                const VerifyRequest &request) {
  std::string error;
  std::unique_ptr<MemoryBuffer> buffer = mlir::openInputFile(input, &error);
  std::unique_ptr<ToolOutputFile> file =
      buffer ? mlir::openOutputFile(output, &error) : nullptr;
  if (!file) {
    errs() << error << "\n";
    return mlir::failure();
  }
  // One for each part of a split input.
  std::vector<std::unique_ptr<verify::PassVerifier>> verifiers;
  mlir::MlirOptMainConfig parsed =
      mlir::MlirOptMainConfig::createFromCLOptions();
  mlir::MlirOptMainConfig config = parsed;
  config.setPassPipelineSetupFn([&](mlir::PassManager &manager) {
    // The verifier reads the whole module while passes run on parts of it.
    manager.getContext()->disableMultithreading();
    verifiers.push_back(
        std::make_unique<verify::PassVerifier>(request.getOptions()));
    verifiers.back()->watch(manager);
    return parsed.setupPassPipeline(manager);
  });
  std::string text;
  raw_string_ostream stream(text);
  mlir::LogicalResult result =
      mlir::MlirOptMain(stream, std::move(buffer), registry, config);
  if (failed(result) || llvm::any_of(verifiers, [](auto &verifier) {
        return verifier->failed();
      }))
    return mlir::failure();
  for (auto &verifier : verifiers)
    errs() << "tile-opt: " << verifier->summarize() << "\n";
  file->os() << text;
  file->keep();
  return mlir::success();
}

} // namespace tessera
