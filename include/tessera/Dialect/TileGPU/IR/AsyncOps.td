//===- AsyncOps.td - copies and products that run beside the program -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multi-buffered shared memory, asynchronous copies into it and asynchronous
// matrix products out of it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILEGPU_IR_ASYNCOPS_TD
#define TESSERA_DIALECT_TILEGPU_IR_ASYNCOPS_TD

def TileGPU_TokenType : TypeDef<TileGPU_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "a group of asynchronous copies";
  let description = [{
    See `tile_gpu.async_commit`.
  }];
}

//===----------------------------------------------------------------------===//
// Asynchronous copies and products
//===----------------------------------------------------------------------===//

def TileGPU_SlotOp : TileGPU_Op<"slot", [Pure,
    TypesMatchWith<"the result is one slot of the buffer", "buffer", "result",
                   "::llvm::cast<BufferType>($_self).getSlotType()">]> {
  let summary = "one of the slots of a buffer";
  let description = [{
    A buffer of several slots holds as many tensors of its shape, one after
    another. `index`, an i32, is in [0, slots).

    ```mlir
    #rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
    tile.func @slot(%i: i32) attributes {tile_gpu.num_warps = 1 : i32} {
      %ring = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #rows, slots = 3>
      %b = tile_gpu.slot %ring[%i] : !tile_gpu.buffer<32xf32, #rows, slots = 3>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_BufferType:$buffer, I32:$index);
  let results = (outs TileGPU_BufferType:$result);
  let assemblyFormat = "$buffer `[` $index `]` attr-dict `:` type($buffer)";
  let builders = [OpBuilder<(ins "::mlir::Value":$buffer, "::mlir::Value":$index), [{
    build($_builder, $_state,
          ::llvm::cast<BufferType>(buffer.getType()).getSlotType(), buffer, index);
  }]>];
}

def TileGPU_AsyncCopyOp : TileGPU_Op<"async_copy", [
    MemoryEffects<[MemRead]>]> {
  let summary = "copy from global to shared memory, without waiting";
  let description = [{
    `buffer[i] = mask[i] ? *ptr[i] : 0`. Where the mask is false memory is not
    touched. The elements arrive when the group of the copy has been waited for
    (`tile_gpu.async_commit`, `tile_gpu.async_wait`); other threads see them
    after a barrier that follows. Until then nothing else may access these
    bytes. `tile_gpu.access` says how wide each copy is: 4, 8 or 16 bytes.

    ```mlir
    #l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
    #rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
    tile.func @copy(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
      %r = tile.arange : tensor<128xi32, #l>
      %s = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #l>
      %ps = tile.addptr %s, %r : tensor<128x!tile.ptr<f32>, #l>, tensor<128xi32, #l>
      %b = tile_gpu.alloc : !tile_gpu.buffer<128xf32, #rows>
      tile_gpu.async_copy %ps, %b {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<128x!tile.ptr<f32>, #l>, !tile_gpu.buffer<128xf32, #rows>
      %t = tile_gpu.async_commit
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %v = tile_gpu.local_load %b : !tile_gpu.buffer<128xf32, #rows> -> tensor<128xf32, #l>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_Tensor:$ptr,
                       Arg<TileGPU_BufferType, "", [MemWrite]>:$buffer,
                       Optional<TileGPU_Tensor>:$mask);
  let assemblyFormat = [{
    $ptr `,` $buffer (`,` $mask^)? attr-dict `:` type($ptr) `,` type($buffer)
    (`,` type($mask)^)?
  }];
  let hasVerifier = 1;
}

def TileGPU_Desc : Type<
    CPred<"::llvm::isa<::tessera::tile::DescType>($_self)">, "a descriptor">;

def TileGPU_DescCopyOp : TileGPU_Op<"desc_copy"> {
  let summary = "copy a tile of an array to shared memory, without waiting";
  let description = [{
    `buffer[c0, c1, ...]` becomes element (offsets[0] + c0, offsets[1] + c1,
    ...) of the array where it exists, and zero where it does not
    (`tile.desc_load`). Otherwise as `tile_gpu.async_copy`; `layout` says which
    thread copies which elements.

    ```mlir
    #l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
    #rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
    tile.func @copy(%p: !tile.ptr<f32>, %n: i32, %i: i32) attributes {tile_gpu.num_warps = 1 : i32} {
      %one = arith.constant 1 : i32
      %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
      %b = tile_gpu.alloc : !tile_gpu.buffer<128xf32, #rows>
      tile_gpu.desc_copy %d[%i], %b layout #l : !tile.desc<128xf32>, [i32], !tile_gpu.buffer<128xf32, #rows>
      %t = tile_gpu.async_commit
      tile_gpu.async_wait %t pending = 0
      tile.return
    }
    ```
  }];
  let arguments = (ins Arg<TileGPU_Desc, "", [MemRead]>:$desc,
                       Variadic<AnyTypeOf<[I32, I64]>>:$offsets,
                       Arg<TileGPU_BufferType, "", [MemWrite]>:$buffer,
                       TileGPU_LayoutAttr:$layout);
  let assemblyFormat = [{
    $desc `[` $offsets `]` `,` $buffer `layout` $layout attr-dict `:`
    type($desc) `,` `[` type($offsets) `]` `,` type($buffer)
  }];
  let extraClassDeclaration = [{
    /// The tile with the layout of the copying threads.
    ::mlir::RankedTensorType getTileType();
  }];
  let hasVerifier = 1;
}

def TileGPU_AsyncCommitOp : TileGPU_Op<"async_commit", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "make a group of the copies issued since the last one";
  let description = [{
    Groups end in the order in which they were made. A group may be empty. The
    token may go through control flow, from one iteration to the next, say. Waits
    count groups, so that on each way to a wait as many have to be made after that
    of its token, empty ones where there is nothing to copy. PTX's
    `cp.async.commit_group`. For an example see `tile_gpu.async_copy`.

    ```mlir
    tile.func @commit() attributes {tile_gpu.num_warps = 1 : i32} {
      %t = tile_gpu.async_commit
      tile.return
    }
    ```
  }];
  let results = (outs TileGPU_TokenType:$token);
  let assemblyFormat = "attr-dict";
}

def TileGPU_AsyncWaitOp : TileGPU_Op<"async_wait", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for a group of copies";
  let description = [{
    Waits until at most `pending` of the groups made last are under way; the
    group of `token`, if there is one, is not to be one of them. Only the
    waiting thread then sees what its own copies brought. PTX's
    `cp.async.wait_group`.

    ```mlir
    tile.func @wait() attributes {tile_gpu.num_warps = 1 : i32} {
      %t = tile_gpu.async_commit
      %u = tile_gpu.async_commit
      tile_gpu.async_wait %t pending = 1
      tile_gpu.async_wait pending = 0
      tile.return
    }
    ```
  }];
  let arguments = (ins Optional<TileGPU_TokenType>:$token, I32Attr:$pending);
  let assemblyFormat =
      "($token^)? `pending` `=` custom<Number>($pending) attr-dict";
  let hasVerifier = 1;
}

def TileGPU_FenceAsyncOp : TileGPU_Op<"fence_async", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "order earlier accesses before asynchronous ones";
  let description = [{
    What this thread wrote to shared memory before, by stores or by
    `async_copy`, is seen by asynchronous products (and bulk copies) after it;
    other threads' writes after a barrier that follows their fence. PTX's
    `fence.proxy.async.shared::cta`.

    ```mlir
    tile.func @fence() attributes {tile_gpu.num_warps = 1 : i32} {
      tile_gpu.fence_async
      tile.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_WgmmaOp : TileGPU_Op<"wgmma", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product out of shared memory, without waiting";
  let description = [{
    `result[m, n] = acc[m, n] + sum_k a[m, k] * b[k, n]`, as `tile.dot`. The
    result is there, and the buffers may be written again, after a
    `tile_gpu.wgmma_wait` that covers it; in between, only another wgmma may use
    it, as its accumulator. Each group of four warps computes its rows. The
    buffers are swizzled as the instruction demands
    (`tessera/Layout/Wgmma.h`), the accumulators laid out as it writes
    them. PTX's `wgmma.fence`, `wgmma.mma_async` and `wgmma.commit_group`.

    `a` may be a tensor instead, whose registers are laid out as the instruction
    reads them. They are read until the wait as well: one that covers the
    product has to come in the same iteration of each loop around it, before
    they are computed again.

    `depth`, an i32, promises that the elements of both operands at k >= depth
    are zero. Steps of the instruction (16 elements of k) that begin there are
    left out, except for the first: the sum is over k < min(K, max(16, r)), with
    r = depth rounded up to a multiple of 16. It is the same in all threads.
    Operands that are not read are in use until the wait all the same. With a
    depth, A is in shared memory.

    ```mlir
    #acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    #b = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
    tile.func private @from_registers(%a: tensor<64x16xf16, #acc>, %b: !tile_gpu.buffer<16x16xf16, #b>, %c: tensor<64x16xf32, #acc>) attributes {tile_gpu.num_warps = 4 : i32} {
      %p = tile_gpu.wgmma %a, %b, %c : tensor<64x16xf16, #acc>, !tile_gpu.buffer<16x16xf16, #b> -> tensor<64x16xf32, #acc>
      %sum = tile_gpu.wgmma_wait %p pending = 0 : tensor<64x16xf32, #acc>
      tile.return
    }
    ```

    Both operands from shared memory:

    ```mlir
    #acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    #a = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
    #b = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
    tile.func @product() attributes {tile_gpu.num_warps = 4 : i32} {
      %a = tile_gpu.alloc : !tile_gpu.buffer<64x16xf16, #a>
      %b = tile_gpu.alloc : !tile_gpu.buffer<16x16xf16, #b>
      %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
      %p = tile_gpu.wgmma %a, %b, %zeros : !tile_gpu.buffer<64x16xf16, #a>, !tile_gpu.buffer<16x16xf16, #b> -> tensor<64x16xf32, #acc>
      %sum = tile_gpu.wgmma_wait %p pending = 0 : tensor<64x16xf32, #acc>
      tile.return
    }
    ```

    The second half of k only where there is something in it:

    ```mlir
    #acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    #a = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
    #b = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
    tile.func private @end_of_k(%a: !tile_gpu.buffer<64x32xf16, #a>, %b: !tile_gpu.buffer<32x16xf16, #b>, %c: tensor<64x16xf32, #acc>, %left: i32) attributes {tile_gpu.num_warps = 4 : i32} {
      %p = tile_gpu.wgmma %a, %b, %c depth %left : !tile_gpu.buffer<64x32xf16, #a>, !tile_gpu.buffer<32x16xf16, #b> -> tensor<64x16xf32, #acc>
      %sum = tile_gpu.wgmma_wait %p pending = 0 : tensor<64x16xf32, #acc>
      tile.return
    }
    ```
  }];
  let arguments = (ins Arg<AnyTypeOf<[TileGPU_BufferType, TileGPU_Tensor]>, "",
                           [MemRead]>:$a,
                       Arg<TileGPU_BufferType, "", [MemRead]>:$b,
                       TileGPU_Tensor:$acc, Optional<I32>:$depth);
  let results = (outs TileGPU_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`depth` $depth^)? attr-dict `:` type($a) `,` type($b)
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Elements of k that one instruction takes: 32 bytes.
    int64_t getStep();
    /// Whether A is a tensor, in registers.
    bool readsRegisters() {
      return ::llvm::isa<::mlir::RankedTensorType>(getA().getType());
    }
  }];
  let hasVerifier = 1;
}

def TileGPU_WgmmaWaitOp : TileGPU_Op<"wgmma_wait", [
    MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["acc", "result"]>]> {
  let summary = "wait for matrix products";
  let description = [{
    Waits until at most `pending` of the products issued last are under way, and
    returns `acc`. Where the product of `acc` may be one of those, only another
    wgmma, as its accumulator, or another wait may use it, also by way of
    control flow. PTX's `wgmma.wait_group`.

    ```mlir
    #acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    #a = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
    #b = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
    tile.func @two_products() attributes {tile_gpu.num_warps = 4 : i32} {
      %a = tile_gpu.alloc : !tile_gpu.buffer<64x16xf16, #a>
      %b = tile_gpu.alloc : !tile_gpu.buffer<16x16xf16, #b>
      %x = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
      %p = tile_gpu.wgmma %a, %b, %x : !tile_gpu.buffer<64x16xf16, #a>, !tile_gpu.buffer<16x16xf16, #b> -> tensor<64x16xf32, #acc>
      %q = tile_gpu.wgmma %a, %b, %x : !tile_gpu.buffer<64x16xf16, #a>, !tile_gpu.buffer<16x16xf16, #b> -> tensor<64x16xf32, #acc>
      // The first has ended, the second need not have.
      %first = tile_gpu.wgmma_wait %p pending = 1 : tensor<64x16xf32, #acc>
      %second = tile_gpu.wgmma_wait %q pending = 0 : tensor<64x16xf32, #acc>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_Tensor:$acc, I32Attr:$pending);
  let results = (outs TileGPU_Tensor:$result);
  let assemblyFormat =
      "$acc `pending` `=` custom<Number>($pending) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TILEGPU_IR_ASYNCOPS_TD
