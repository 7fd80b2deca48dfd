//===- LocalAccess.h - where a thread's registers lie in a buffer -*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the accesses that go through registers and by asynchronous copies.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CONVERSION_TILEGPUTONVVM_LOCALACCESS_H
#define TESSERA_LIB_CONVERSION_TILEGPUTONVVM_LOCALACCESS_H

#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tessera {

/// How a tensor's places map to the offsets of a buffer.
struct LocalAccess {
  LocalAccess(mlir::RankedTensorType tensor, tile_gpu::BufferType buffer)
      : layout(tile_gpu::getLinearLayout(tensor)) {
    places = *layout.compose(
        *buffer.getLayout().toLinear(buffer.getShape()).invert());
    bytes = tile::getByteWidth(buffer.getElementType());
    width = std::min<int64_t>(places.contiguity(kRegisterDim, kOffsetDim),
                              std::max<int64_t>(1, 16 / bytes));
  }

  /// Pointer to the element that register `reg` of this thread stands for.
  mlir::Value getAddress(ThreadCode &code, mlir::Value base, mlir::Value thread,
                         int64_t reg) const {
    int32_t constant = ThreadCode::registerPart(places, kOffsetDim, reg);
    mlir::Value offset = code.i32(constant);
    // XOR and sum agree where no bit is in both.
    bool sum = ThreadCode::isDisjoint(places, kOffsetDim);
    if (thread)
      offset = sum ? mlir::LLVM::AddOp::create(code.b, thread, offset).getResult()
                   : mlir::LLVM::XOrOp::create(code.b, thread, offset).getResult();
    return mlir::LLVM::GEPOp::create(code.b, base.getType(),
                               code.b.getIntegerType(unsigned(bytes) * 8), base,
                               mlir::ValueRange(offset));
  }

  LinearLayout layout, places;
  int64_t bytes, width;
};
} // namespace tessera

#endif // TESSERA_LIB_CONVERSION_TILEGPUTONVVM_LOCALACCESS_H
