//===- NamedSource.cpp - parse a source and keep its names ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser's state, which language servers use, knows where each name was
// written; the names themselves are read from the text there.
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/NamedSource.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tessera {

bool isIdentifierChar(char c) {
  return llvm::isAlnum(c) || StringRef("$._-").contains(c);
}

static StringRef readName(SMLoc start, const llvm::MemoryBuffer &buffer) {
  StringRef text(start.getPointer(),
                 buffer.getBufferEnd() - start.getPointer());
  text.consume_front("%");
  return text.take_while(isIdentifierChar);
}

OwningOpRef<ModuleOp> parseNamed(llvm::SourceMgr &sources, MLIRContext *context,
                                 NameObserver observe) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  ParserConfig config(context);
  if (isBytecode(buffer->getMemBufferRef()))
    return parseSourceFile<ModuleOp>(sources, config);

  AsmParserState state;
  Block block;
  LocationAttr location = FileLineColLoc::get(
      context, buffer->getBufferIdentifier(), /*line=*/0, /*column=*/0);
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return {};
  for (const AsmParserState::OperationDefinition &def : state.getOpDefs()) {
    unsigned end = def.op->getNumResults();
    for (const auto &group : llvm::reverse(def.resultGroups)) {
      observe(readName(group.definition.loc.Start, *buffer),
              def.op->getResults().slice(group.startIndex,
                                         end - group.startIndex));
      end = group.startIndex;
    }
  }
  for (const AsmParserState::BlockDefinition &def : state.getBlockDefs())
    for (auto [index, argument] : llvm::enumerate(def.arguments))
      if (argument.loc.isValid())
        observe(readName(argument.loc.Start, *buffer),
                ValueRange(def.block->getArgument(index)));
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, context, location);
}

} // namespace tessera
