//===- Ptxas.cpp - PTX to cubin -------------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Ptxas.h"

#include "RunTool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tessera {

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

const PtxasFunction *PtxasReport::findEntry(StringRef symbol) const {
  auto it = llvm::find_if(functions, [&](const PtxasFunction &function) {
    return function.isEntry && function.symbol == symbol;
  });
  return it == functions.end() ? nullptr : &*it;
}

/// The number before `unit` in a text such as "Used 8 registers, 64 bytes
/// smem", or 0 when the unit does not occur.
static int64_t numberBefore(StringRef text, StringRef unit) {
  size_t position = text.find(unit);
  if (position == StringRef::npos)
    return 0;
  StringRef head = text.take_front(position).rtrim();
  StringRef digits =
      head.take_back(head.size() - (head.find_last_not_of("0123456789") + 1));
  int64_t number = 0;
  return digits.getAsInteger(10, number) ? 0 : number;
}

/// The text between the first pair of single quotes.
static StringRef quoted(StringRef text) {
  return text.split('\'').second.split('\'').first;
}

namespace {
/// Reads the report line by line; `current` indexes the function that the next
/// numbers belong to.
class ReportParser {
public:
  void parseLine(StringRef line) {
    StringRef text = line.trim();
    if (text.empty())
      return;
    if (classifyMessage(text))
      return;
    // "ptxas info    : Compiling entry function 'NAME' for 'sm_90a'"
    if (text.contains("Compiling entry function")) {
      getFunction(quoted(text)).isEntry = true;
      return;
    }
    // "ptxas info    : Function properties for NAME"
    StringRef marker = "Function properties for ";
    if (size_t at = text.find(marker); at != StringRef::npos) {
      getFunction(text.drop_front(at + marker.size()).trim(" '"));
      return;
    }
    if (current)
      parseNumbers(report.functions[*current], text);
  }

  PtxasReport report;

private:
  /// "(C7602) Insufficient registers (24) to compile instruction at line 9 in
  /// function NAME. Try to compile with register target of 28 or higher."
  bool parseShortage(StringRef text) {
    auto [head, tail] = text.split(" in function ");
    int64_t limit = 0;
    if (!head.contains("Insufficient registers (") ||
        head.split('(').second.split('(').second.consumeInteger(10, limit))
      return false;
    auto [symbol, advice] = tail.split(". ");
    report.shortages.push_back(
        {symbol.str(), limit, numberBefore(advice, " or higher")});
    return true;
  }

  /// "(C7511) Potential Performance Loss: wgmma.mma_async instructions are
  /// serialized due to CAUSE in the function 'NAME'"
  bool parseSerialized(StringRef text) {
    auto [head, tail] = text.split("instructions are serialized due to ");
    auto [cause, rest] = tail.split(" in the function '");
    if (rest.empty()) // "... register resources for the function 'NAME'"
      std::tie(cause, rest) = tail.split(" for the function '");
    if (rest.empty())
      return false;
    report.serialized.push_back({rest.split('\'').first.str(), cause.str(),
                                 cause.contains("insufficient register")});
    return true;
  }

  /// Files warnings and errors; true when `text` was one.
  bool classifyMessage(StringRef text) {
    if (parseSerialized(text))
      return true;
    (void)parseShortage(text); // An error all the same.
    if (text.starts_with("ptxas fatal") || text.contains("; error   :") ||
        text.starts_with("ptxas error")) {
      report.errors.push_back(text.str());
      return true;
    }
    if (text.starts_with("ptxas warning") || text.contains("; warning :") ||
        text.contains_insensitive("potential performance loss")) {
      report.warnings.push_back(text.str());
      return true;
    }
    return false;
  }

  static void parseNumbers(PtxasFunction &function, StringRef text) {
    // "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
    if (text.contains("bytes stack frame")) {
      function.stackBytes = numberBefore(text, " bytes stack frame");
      function.spillStoreBytes = numberBefore(text, " bytes spill stores");
      function.spillLoadBytes = numberBefore(text, " bytes spill loads");
    }
    // "ptxas info    : Used 8 registers, used 0 barriers, 512 bytes smem"
    if (text.contains("Used ") && text.contains(" registers")) {
      function.registers = numberBefore(text, " registers");
      function.staticSharedBytes = numberBefore(text, " bytes smem");
    }
  }

  PtxasFunction &getFunction(StringRef symbol) {
    auto it = llvm::find_if(report.functions, [&](const PtxasFunction &known) {
      return known.symbol == symbol;
    });
    current = it - report.functions.begin();
    if (it == report.functions.end()) {
      report.functions.emplace_back();
      report.functions.back().symbol = symbol.str();
    }
    return report.functions[*current];
  }

  std::optional<size_t> current;
};
} // namespace

PtxasReport parsePtxasOutput(StringRef output) {
  ReportParser parser;
  for (StringRef line : llvm::split(output, '\n'))
    parser.parseLine(line);
  return std::move(parser.report);
}

std::string findPtxasVersion(StringRef cubin) {
  // "Cuda compilation tools, release 13.0, V13.0.88", ended by a zero byte.
  StringRef text = cubin.split("Cuda compilation tools, release ").second;
  StringRef version = text.split(", V").second;
  return version.take_while([](char c) { return isDigit(c) || c == '.'; })
      .str();
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

char PtxasFailure::ID = 0;

bool PtxasFailure::isShortage() const {
  return !report.shortages.empty() &&
         llvm::all_of(report.errors, [](StringRef line) {
           return line.contains("Insufficient registers (") ||
                  line.contains("aborted due to errors");
         });
}

void PtxasFailure::log(raw_ostream &out) const { out << message; }

/// The part of ptxas's output that explains a failure.
static std::string explainFailure(int code, StringRef problem, StringRef output,
                                  const PtxasReport &report) {
  std::string text = "ptxas failed";
  if (code > 0)
    text += " (exit code " + std::to_string(code) + ")";
  if (!problem.empty())
    text += ": " + problem.str();
  // One fault of the PTX is often reported for each use of an instruction.
  constexpr size_t kMaxLines = 8;
  if (!report.errors.empty()) {
    ArrayRef<std::string> lines(report.errors);
    for (const std::string &line : lines.take_front(kMaxLines))
      text += "\n  " + line;
    if (lines.size() > kMaxLines)
      text += "\n  and " + std::to_string(lines.size() - kMaxLines) + " more";
  } else if (!output.trim().empty()) {
    text += "\n  " + output.trim().str();
  }
  return text + "\n  (--emit=ptx keeps the PTX that it was given)";
}

Error checkPtxasArgument(StringRef argument) {
  StringRef name = argument.split('=').first;
  if (!name.starts_with("-") || name.trim('-').empty())
    return createStringError("'" + argument +
                             "' is not an option; write -NAME or -NAME=VALUE");
  // Both spellings of each. The first four would break the call or belie the
  // manifest, the others end without a cubin.
  static constexpr StringRef owned[] = {"output-file",
                                        "o",
                                        "gpu-name",
                                        "arch",
                                        "options-file",
                                        "optf",
                                        "compile-only",
                                        "c",
                                        "help",
                                        "version",
                                        "h",
                                        "V",
                                        "dryrun"};
  if (llvm::is_contained(owned, name.ltrim('-')))
    return createStringError("'" + name + "' is set by the compiler");
  return Error::success();
}

Expected<PtxasResult> runPtxas(StringRef path, StringRef ptx, StringRef chip,
                               ArrayRef<std::string> extra) {
  TemporaryFile input, output, log;
  for (auto [file, suffix] :
       {std::pair<TemporaryFile *, StringRef>{&input, "ptx"},
        {&output, "cubin"},
        {&log, "log"}})
    if (Error error = file->create(suffix))
      return std::move(error);
  if (Error error = input.write(ptx))
    return std::move(error);

  SmallVector<StringRef> arguments = {"-v",
                                      "--generate-line-info",
                                      "--gpu-name",
                                      chip,
                                      input.getPath(),
                                      "--output-file",
                                      output.getPath()};
  arguments.append(extra.begin(), extra.end());
  ToolRun run = runTool(path, arguments, log.getPath(), log.getPath());
  std::string messages = hideName(log.read(), input.getPath(), "kernel.ptx");
  PtxasResult result;
  result.report = parsePtxasOutput(messages);
  if (run.code == 0)
    result.cubin = output.read();
  if (run.code != 0 || result.cubin.empty()) {
    std::string text =
        explainFailure(run.code, run.problem, messages, result.report);
    return make_error<PtxasFailure>(std::move(text), std::move(result.report));
  }
  result.version = findPtxasVersion(result.cubin);
  return result;
}

} // namespace tessera
