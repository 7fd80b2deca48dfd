//===- Passes.td - conversions between levels ---*- tablegen -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_PASSES_TD
#define TESSERA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileGPUToNVVMPass
    : Pass<"convert-tile-gpu-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "lower kernels to one thread's program";
  let description = [{
    Each `tile.func` becomes an `llvm.func` with `nvvm.kernel`. A tensor becomes
    a vector of the elements that the thread holds, in the order of the
    registers of its layout; pointers in tensors become 64-bit addresses.
    `arith` and `math` work on vectors; `scf` stays. Launch plans are not
    touched.

    Preconditions: every tensor has a layout, reductions stay inside warps,
    conversions inside threads, buffers have offsets.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ConvertMathToNVVMPass : Pass<"tile-convert-math", "::mlir::ModuleOp"> {
  let summary = "lower mathematics that has no LLVM instruction";
  let description = [{
    On scalars and vectors, after `convert-tile-gpu-to-nvvm`:

    * `math.exp` and `math.exp2` of f32, f16 and bf16 become `ex2.approx.f32`
      (exp(x) = 2^(x log2 e)); relative error at most 2^-22 + |x| 2^-24;
    * `arith.divf` of the same types becomes `div.full.f32`, of at most 2 ulp;
    * with `tile.precise`, both take libdevice and IEEE division instead;
    * other functions without an instruction become calls of libdevice;
    * rounded integer divisions are expanded;
    * integers of 32 and 64 bits become bf16 with one rounding, and floats i1
      through i32.
  }];
  // convert-to-llvm, which follows, wants the dialect to be there.
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // TESSERA_CONVERSION_PASSES_TD
