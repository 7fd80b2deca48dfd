//===- TMAOps.td - copies of boxes, and the barriers they arrive at ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensor memory accelerator copies boxes between global and shared memory;
// one thread issues a copy. Loads arrive at mbarriers, stores form groups.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILEGPU_IR_TMAOPS_TD
#define TESSERA_DIALECT_TILEGPU_IR_TMAOPS_TD

def TileGPU_MBarrierType : TypeDef<TileGPU_Dialect, "MBarrier"> {
  let mnemonic = "mbarrier";
  let summary = "mbarriers in shared memory";
  let description = [{
    `!tile_gpu.mbarrier<4>`: four of them, 8 bytes each.

    An mbarrier goes through phases, counted from 0. A phase ends when all
    arrivals that it waits for have come and all bytes that were announced have
    been copied; the next one begins with it. A wait names the parity of a
    phase: it lasts until that phase has ended, and passes at once when the
    phase under way has the other parity.
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Size of all of them.
    int64_t getBytes() const { return 8 * getSlots(); }
  }];
}

def TileGPU_TensorMap : Type<
    CPred<"::llvm::isa<::tessera::tile::TensorMapType>($_self)">, "a tensor map",
    "::tessera::tile::TensorMapType">;

//===----------------------------------------------------------------------===//
// Copies of boxes, and mbarriers
//===----------------------------------------------------------------------===//

def TileGPU_MBarrierInitOp : TileGPU_Op<"mbarrier_init", [
    MemoryEffects<[MemAlloc, MemRead, MemWrite]>,
    HasParent<"::tessera::tile::FuncOp">]> {
  let summary = "make mbarriers";
  let description = [{
    Each waits for `arrivals` arrivals a phase. They live to the end of the
    kernel, so that this stands outside of loops. All threads may use them
    afterwards: a barrier is a part of it. `offset`, in bytes, is set by
    `tile-gpu-allocate-shared`; it is a multiple of 16.

    ```mlir
    tile.func @init() attributes {tile_gpu.num_warps = 4 : i32} {
      %full = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<4>
      tile.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$arrivals, OptionalAttr<I32Attr>:$offset);
  let results = (outs TileGPU_MBarrierType:$result);
  let assemblyFormat = [{
    `arrivals` `=` custom<Number>($arrivals) (`offset` `=` $offset^)? attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
}

def TileGPU_MBarrierArriveOp : TileGPU_Op<"mbarrier_arrive", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one arrival at an mbarrier";
  let description = [{
    Thread 0 arrives for the whole program. What other threads did before is
    ordered by a barrier that stands before.

    ```mlir
    tile.func @arrive(%i: i32) attributes {tile_gpu.num_warps = 4 : i32} {
      %empty = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<4>
      tile_gpu.mbarrier_arrive %empty[%i] : !tile_gpu.mbarrier<4>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_MBarrierType:$barriers, I32:$slot);
  let assemblyFormat = "$barriers `[` $slot `]` attr-dict `:` type($barriers)";
}

def TileGPU_MBarrierExpectOp : TileGPU_Op<"mbarrier_expect", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "announce bytes to an mbarrier, and arrive";
  let description = [{
    The phase under way lasts until copies have brought `bytes` bytes, too. They
    are those of whole boxes: what lies outside the tensor counts, as zeros do.
    Thread 0 arrives for the whole program. For an example see
    `tile_gpu.tma_load`.

    ```mlir
    tile.func @expect(%i: i32) attributes {tile_gpu.num_warps = 4 : i32} {
      %full = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<4>
      tile_gpu.mbarrier_expect %full[%i], 16384 : !tile_gpu.mbarrier<4>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_MBarrierType:$barriers, I32:$slot, I32Attr:$bytes);
  let assemblyFormat = [{
    $barriers `[` $slot `]` `,` custom<Number>($bytes) attr-dict
    `:` type($barriers)
  }];
  let hasVerifier = 1;
}

def TileGPU_MBarrierWaitOp : TileGPU_Op<"mbarrier_wait", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for the end of a phase of an mbarrier";
  let description = [{
    Every thread waits until the phase of `parity`, 0 or 1, has ended (see
    `!tile_gpu.mbarrier`), and then sees what its copies brought. No barrier and
    no fence is needed. But between this and what ends the next phase, its last
    arrival or copy, stands a barrier: a thread that is late would take the end
    of the phase after the next one for the end of this one.

    ```mlir
    tile.func @wait(%i: i32, %parity: i32) attributes {tile_gpu.num_warps = 4 : i32} {
      %full = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<4>
      tile_gpu.mbarrier_arrive %full[%i] : !tile_gpu.mbarrier<4>
      tile_gpu.mbarrier_wait %full[%i], %parity : !tile_gpu.mbarrier<4>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_MBarrierType:$barriers, I32:$slot, I32:$parity);
  let assemblyFormat =
      "$barriers `[` $slot `]` `,` $parity attr-dict `:` type($barriers)";
}

def TileGPU_TMAPrefetchOp : TileGPU_Op<"tma_prefetch", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "bring a tensor map near";
  let description = [{
    The first copy then need not wait for the map itself.

    ```mlir
    !map = !tile.tensor_map<64x64xf16, swizzle = 128>
    tile.func @prefetch(%a: !map) attributes {tile_gpu.num_warps = 4 : i32} {
      tile_gpu.tma_prefetch %a : !map
      tile.return
    }
    tile.launch @prefetch_launch(%p: !tile.ptr<f16>, %n: i64) {
      %one = tile.plan.constant 1
      %m = tile.plan.tensor_map %p[%n, %n] strides[%n, %one] : !tile.ptr<f16> -> !map
      tile.plan.dispatch @prefetch grid(%one) args(%m) : !map
    }
    ```
  }];
  let arguments = (ins TileGPU_TensorMap:$map);
  let assemblyFormat = "$map attr-dict `:` type($map)";
}

def TileGPU_TMALoadOp : TileGPU_Op<"tma_load", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy a box from global to shared memory, without waiting";
  let description = [{
    `buffer[i, j] = tensor[c0 + i, c1 + j]`, zero outside the tensor, for
    coordinates `c` in elements, which may be negative. The elements are there
    when the phase under way of the mbarrier has ended, which has to expect
    the buffer's bytes. Until then nothing else may access them. Thread 0 issues
    the copy; accesses of other threads before it are ordered by a barrier, and
    their writes by a `tile_gpu.fence_async` before that barrier.

    The buffer is swizzled as the map says, in rows along the map's last
    dimension (`tessera/Layout/TensorCopy.h`). That may be either dimension of
    the buffer: the transpose of a 128x64 box fills a 64x128 buffer. A buffer
    that is a multiple of the box is filled by several copies, one for each
    panel of 128 bytes of its rows. Leading dimensions of the box that are 1 are
    none of the buffer's.

    ```mlir
    #rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
    !map = !tile.tensor_map<8x64xf16, swizzle = 128>
    !tile = !tile_gpu.buffer<8x64xf16, #rows>
    tile.func @copy_kernel(%a: !map, %b: !map) attributes {tile_gpu.num_warps = 4 : i32} {
      %zero = arith.constant 0 : i32
      %eight = arith.constant 8 : i32
      %pid = tile.program_id x
      %row = arith.muli %pid, %eight : i32
      %full = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<1>
      %t = tile_gpu.alloc : !tile
      tile_gpu.mbarrier_expect %full[%zero], 1024 : !tile_gpu.mbarrier<1>
      tile_gpu.tma_load %a[%row, %zero], %t, %full[%zero] : !map, !tile, !tile_gpu.mbarrier<1>
      tile_gpu.mbarrier_wait %full[%zero], %zero : !tile_gpu.mbarrier<1>
      tile_gpu.tma_store %t, %b[%row, %zero] : !tile, !map
      tile_gpu.tma_store_commit
      tile_gpu.tma_store_wait pending = 0
      tile.return
    }
    tile.launch @copy(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %m: i64, %n: i64) {
      %g = tile.plan.cdiv %m, 8 : i64
      %one = tile.plan.constant 1
      %a = tile.plan.tensor_map %p[%m, %n] strides[%n, %one] : !tile.ptr<f16> -> !map
      %b = tile.plan.tensor_map %q[%m, %n] strides[%n, %one] : !tile.ptr<f16> -> !map
      tile.plan.dispatch @copy_kernel grid(%g) args(%a, %b) : !map, !map
    }
    ```
  }];
  let arguments = (ins TileGPU_TensorMap:$map, Variadic<I32>:$coordinates,
                       TileGPU_BufferType:$buffer,
                       TileGPU_MBarrierType:$barriers, I32:$slot);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `,` $buffer `,` $barriers `[` $slot `]` attr-dict
    `:` type($map) `,` type($buffer) `,` type($barriers)
  }];
  let hasVerifier = 1;
}

def TileGPU_TMALoadEndOp : TileGPU_Op<"tma_load_end", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all copies to these mbarriers have been waited for";
  let description = [{
    A statement, not an action: no copy is under way that arrives at one of
    these mbarriers, so that the buffers which such copies filled may be written
    in other ways after a barrier, and their bytes used for other buffers. The
    interpreter checks it.

    ```mlir
    tile.func @end() attributes {tile_gpu.num_warps = 1 : i32} {
      %full = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<2>
      tile_gpu.tma_load_end %full : !tile_gpu.mbarrier<2>
      tile.return
    }
    ```
  }];
  let arguments = (ins TileGPU_MBarrierType:$barriers);
  let assemblyFormat = "$barriers attr-dict `:` type($barriers)";
}

def TileGPU_TMAStoreOp : TileGPU_Op<"tma_store", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy a box from shared to global memory, without waiting";
  let description = [{
    `tensor[c0 + i, c1 + j] = buffer[i, j]` inside the tensor; nothing is
    written outside, except that a row of the tensor which ends inside a piece
    of 16 bytes is written to the end of that piece. The buffer is as for
    `tile_gpu.tma_load`, where there is an example; it may not be written before the copy's group has been waited for.
    Thread 0 issues the copy: what threads wrote to the buffer is ordered by a
    `tile_gpu.fence_async` and a barrier after it.

    ```mlir
    #rows = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
    #l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
    !map = !tile.tensor_map<32xf32>
    tile.func @store_kernel(%x: f32, %b: !map) attributes {tile_gpu.num_warps = 1 : i32} {
      %zero = arith.constant 0 : i32
      %v = tile.splat %x : f32 -> tensor<32xf32, #l>
      %t = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #rows>
      tile_gpu.local_store %v, %t : tensor<32xf32, #l>, !tile_gpu.buffer<32xf32, #rows>
      tile_gpu.fence_async
      tile_gpu.barrier
      tile_gpu.tma_store %t, %b[%zero] : !tile_gpu.buffer<32xf32, #rows>, !map
      tile_gpu.tma_store_commit
      tile_gpu.tma_store_wait pending = 0
      tile.return
    }
    tile.launch @store(%x: f32, %q: !tile.ptr<f32>, %n: i64) {
      %one = tile.plan.constant 1
      %b = tile.plan.tensor_map %q[%n] strides[%one] : !tile.ptr<f32> -> !map
      tile.plan.dispatch @store_kernel grid(%one) args(%x, %b) : f32, !map
    }
    ```
  }];
  let arguments = (ins TileGPU_BufferType:$buffer, TileGPU_TensorMap:$map,
                       Variadic<I32>:$coordinates);
  let assemblyFormat = [{
    $buffer `,` $map `[` $coordinates `]` attr-dict
    `:` type($buffer) `,` type($map)
  }];
  let hasVerifier = 1;
}

def TileGPU_TMAStoreCommitOp : TileGPU_Op<"tma_store_commit", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "make a group of the stores issued since the last one";
  let description = [{
    Groups end in the order in which they were made. PTX's
    `cp.async.bulk.commit_group`.

    ```mlir
    tile.func @commit_stores() attributes {tile_gpu.num_warps = 1 : i32} {
      tile_gpu.tma_store_commit
      tile.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_TMAStoreWaitOp : TileGPU_Op<"tma_store_wait", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until stores have read their buffers";
  let description = [{
    At most `pending` of the groups made last still read afterwards. Thread 0
    waits, who issued the copies: others may write to the buffers after a
    barrier. A kernel waits for all groups before it ends. What they write to
    global memory is there when the kernel has ended; until then, it is ordered
    with no other access of the same elements. PTX's
    `cp.async.bulk.wait_group.read`.

    ```mlir
    tile.func @wait_stores() attributes {tile_gpu.num_warps = 1 : i32} {
      tile_gpu.tma_store_commit
      tile_gpu.tma_store_wait pending = 0
      tile.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "`pending` `=` custom<Number>($pending) attr-dict";
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TILEGPU_IR_TMAOPS_TD
