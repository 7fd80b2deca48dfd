//===- DescOps.cpp - accesses of arrays in global memory ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.make_desc, tile.desc_load and tile.desc_store.
//
//===----------------------------------------------------------------------===//

#include "AccessClaim.h"
#include "DescAccess.h"
#include "GlobalAccess.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

static Flow runMakeDesc(Program &program, const Instruction &instruction) {
  auto op = cast<tile::MakeDescOp>(instruction.op);
  auto descriptor = std::make_shared<Descriptor>();
  descriptor->base =
      readUnsigned(ElementKind::Pointer, program.get(instruction, 0)->at(0));
  size_t rank = op.getExtents().size();
  for (size_t d = 0; d < rank; ++d) {
    const Tensor &extent = *program.get(instruction, 1 + d);
    descriptor->extents.push_back(readSigned(extent.getKind(), extent.at(0)));
    descriptor->strides.push_back(
        program.get(instruction, 1 + rank + d)->getExactAt(0));
  }
  program.slot(instruction.results[0]).descriptor = std::move(descriptor);
  return Flow::Next;
}

static Flow runDescLoad(Program &program, const Instruction &instruction) {
  auto result = program.make(instruction);
  unsigned width = result->getByteWidth();
  DescTile tile = expandTile(program, instruction, result->getShape(), width);
  checkAccessClaim(program, instruction, tile.pointers, &tile.mask, width);
  GlobalAccess access(program, instruction, 0, width, result->getShape());
  for (int64_t i = 0; i < result->size(); ++i) {
    writeInteger(result->getKind(), result->at(i), 0);
    if (*tile.mask.at(i))
      access.load(tile.pointers.data<uint64_t>()[i], i, result->at(i));
  }
  if (result->getKind() == ElementKind::I1)
    for (int64_t i = 0; i < result->size(); ++i)
      *result->at(i) = *result->at(i) != 0;
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static Flow runDescStore(Program &program, const Instruction &instruction) {
  const Tensor &value =
      *program.get(instruction, instruction.operands.size() - 1);
  unsigned width = value.getByteWidth();
  DescTile tile = expandTile(program, instruction, value.getShape(), width);
  checkAccessClaim(program, instruction, tile.pointers, &tile.mask, width);
  GlobalAccess access(program, instruction, 0, width, value.getShape());
  for (int64_t i = 0; i < value.size(); ++i)
    if (*tile.mask.at(i))
      access.store(tile.pointers.data<uint64_t>()[i], i, value.at(i));
  return Flow::Next;
}

void interpreter::registerDescOps(Registry &registry) {
  registry.add<tile::MakeDescOp>(runMakeDesc);
  registry.add<tile::DescLoadOp>(runDescLoad);
  registry.add<tile::DescStoreOp>(runDescStore);
}
