//===- Patterns.h - patterns of convert-tile-gpu-to-nvvm -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The type conversion and one function a family of patterns.
//
//   scalar            the same; !tile.ptr<T> is !llvm.ptr<1>
//   tensor, layout    vector<R x T>, R registers; pointers are i64 addresses
//   buffer, mbarrier  !llvm.ptr<3>
//   descriptor        struct of base, extents and strides, i64 each
//   tensor map        !llvm.ptr, a parameter of 128 bytes
//
// 8-bit floats are i8: they are converted, no arithmetic is done in them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CONVERSION_TILEGPUTONVVM_PATTERNS_H
#define TESSERA_LIB_CONVERSION_TILEGPUTONVVM_PATTERNS_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tessera {

class ThreadCode;

class TileGPUTypeConverter : public mlir::TypeConverter {
public:
  TileGPUTypeConverter();
  /// The type of an element in a register.
  mlir::Type convertElement(mlir::Type type) const;
};

/// Address spaces of NVPTX.
inline constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3;

void populateElementwisePatterns(const TileGPUTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
void populateConvertPatterns(const TileGPUTypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateShapePatterns(const TileGPUTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateMemoryPatterns(const TileGPUTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateDescPatterns(const TileGPUTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateSharedPatterns(const TileGPUTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateAsyncPatterns(const TileGPUTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateTMAPatterns(const TileGPUTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
void populateReducePatterns(const TileGPUTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateDotPatterns(const TileGPUTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
void populateAtomicPatterns(const TileGPUTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateDiagnosticPatterns(const TileGPUTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
void populateFuncPatterns(const TileGPUTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Diagnoses what reads accumulators after a wait that their product may be
/// under way behind. The patterns take for granted that nothing does.
mlir::LogicalResult checkAccumulators(mlir::ModuleOp module);

/// A pointer to byte `offset` of the CTA's shared memory. Fails, with a
/// diagnostic, where the source uses the name of that memory.
mlir::FailureOr<mlir::Value>
getSharedAddress(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op,
                 int64_t offset);

/// `value`, a scalar or a vector of registers with elements of the float type
/// `from`, with elements of `to`; the target is that of `op`'s module.
mlir::Value convertFloat(ThreadCode &code, mlir::Operation *op,
                         mlir::Value value, mlir::Type from, mlir::Type to,
                         tile::Rounding rounding);
/// What `op` makes of `value`, which holds elements of its source.
mlir::Value convertFloat(ThreadCode &code, tile::ConvertOp op,
                         mlir::Value value);

} // namespace tessera

#endif // TESSERA_LIB_CONVERSION_TILEGPUTONVVM_PATTERNS_H
