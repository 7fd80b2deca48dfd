//===- Passes.td - passes on levels 1 and 2 ---*- tablegen -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which the pipeline runs them (lib/Pipelines/TileToCubin.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_PASSES_TD
#define TESSERA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Level 1: tile
//===----------------------------------------------------------------------===//

def TileDefaultLaunchPass : Pass<"tile-default-launch", "::mlir::ModuleOp"> {
  let summary = "give each kernel that no plan launches a plan of its own";
  let description = [{
    The plan takes the kernel's arguments and the grid that the caller gives.
    It is called `NAME` for a kernel `NAME_kernel`, and `NAME_launch` for any
    other name. Facts that the author states about arguments become guards,
    which refuse a launch that breaks them. Runs before any pass changes a
    grid.

    ```mlir
    tile.func @copy_kernel(%p: !tile.ptr<f32>) { ... }
    ```
    becomes, with the kernel unchanged,
    ```mlir
    tile.launch @copy(%p: !tile.ptr<f32>) {
      %x = tile.plan.caller_grid x
      %y = tile.plan.caller_grid y
      %z = tile.plan.caller_grid z
      tile.plan.dispatch @copy_kernel grid(%x, %y, %z) args(%p) : !tile.ptr<f32>
    }
    ```

    Postcondition: every kernel is dispatched by a plan.
  }];
  let dependentDialects = ["::tessera::tile::TileDialect"];
}

def TileStructureBranchesPass
    : Pass<"tile-structure-branches", "::tessera::tile::FuncOp"> {
  let summary = "make conditions and loops of branches between blocks";
  let description = [{
    A function that returns early, or loops, by `cf.br`, `cf.cond_br` and
    `cf.switch` gets one block, with `scf.if`, `scf.index_switch` and
    `scf.while`, by the upstream transformation. Where no value has been
    computed, and none is used, a zero stands, or an argument that points to
    elements of the same type. Blocks that nothing reaches go.

    ```mlir
    tile.func @double_kernel(%p: !tile.ptr<i32>, %n: i32) {
      %pid = tile.program_id x
      %in = arith.cmpi slt, %pid, %n : i32
      cf.cond_br %in, ^work, ^out
    ^work:
      "use"(%p, %pid)
      tile.return
    ^out:
      tile.return
    }
    ```
    becomes
    ```mlir
    tile.func @double_kernel(%p: !tile.ptr<i32>, %n: i32) {
      %pid = tile.program_id x
      %in = arith.cmpi slt, %pid, %n : i32
      scf.if %in {
        "use"(%p, %pid)
      }
      tile.return
    }
    ```

    Postcondition: each function has one block. A branch that cannot be
    structured is an error.
  }];
  let dependentDialects = ["::tessera::tile::TileDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileInlineCallsPass : Pass<"tile-inline-calls", "::mlir::ModuleOp"> {
  let summary = "inline the calls of private functions";
  let description = [{
    Refuses recursion, with a diagnostic at the call; inlines every
    `tile.call` with the upstream inliner and removes the private functions.

    Postcondition: no `tile.call` and no private `tile.func` is left.
  }];
  let dependentDialects = ["::tessera::tile::TileDialect"];
}

def TileCTASwizzlePass : Pass<"tile-cta-swizzle", "::mlir::ModuleOp"> {
  let summary = "reorder the tiles that programs compute";
  let description = [{
    Programs that run at one time share operands in the L2 cache; the order in
    which tiles are numbered decides how many. A kernel qualifies when it splits
    its program id into (row, column) by a quotient (`arith.divsi`,
    `floordivsi`, `divui`) and a remainder (`arith.remsi`, `remui`, or id -
    quotient * divisor) of one divisor that is the same for all programs, when a
    tile loop (`tile.tile_loop`, an `scf.for` or an `scf.while` with a counter)
    splits its tile so, or when it uses program ids x and y as they are. The id
    may be extended to a wider type first, and be divided in both by a divisor
    that is extended likewise. The program that had tile number t then
    computes the tile that comes t-th in another order (TileOrder.h): `grouped`
    goes through `group-m` rows of tiles column by column, the last group may be
    shorter; `column` through all rows; `hilbert` through squares of `group-m`
    along Hilbert's curve; `row` leaves the source's order. For every grid and
    divisor the new numbers are a permutation of the old ones.

    `auto` asks the reuse model (TileReuse.h) at each launch, in the launch
    plan: the rows of a group become a kernel argument, 1 (which is row-major
    order) where what a row of tiles reads fits in `l2-bytes`. What a kernel
    loads beside the loop over its panels, such as a bias, counts once; loads of
    other loops do not count. How many rows a group has otherwise depends on how
    many programs run at one time: `resident-ctas` of each of `sms`
    multiprocessors. Registers and shared memory, which say that, are not
    assigned yet. Where nothing else tells, a multiprocessor is taken to run one
    program, and the remark says so.

    ```mlir
    %pid = tile.program_id x
    %tile_m = arith.divsi %pid, %tiles_n : i32
    %tile_n = arith.remsi %pid, %tiles_n : i32
    ```
    becomes, in essence, for `grouped` with `group-m=8`,
    ```mlir
    %in_group = arith.muli %c8, %tiles_n : i32
    %group = arith.divsi %pid, %in_group : i32
    %first = arith.muli %group, %c8 : i32
    %left = arith.subi %tiles_m, %first : i32
    %rows = arith.minsi %c8, %left : i32
    %number = arith.remsi %pid, %in_group : i32
    %row = arith.remsi %number, %rows : i32
    %tile_m = arith.addi %first, %row : i32
    %tile_n = arith.divsi %number, %rows : i32
    ```

    Where the source guards a division, the formulas do not need the guard:
    they stand outside, for any divisor, and divide by nothing that is zero.

    Precondition: `tile-inline-calls` has run. A kernel that calls functions,
    orders its tiles itself, or waits on memory, or one whose divisor, or bound
    of its tile loop, is not the same for all programs, is left alone, with a
    remark.
  }];
  let options = [
    Option<"order", "order", "::tessera::SwizzleOrder",
           "::tessera::SwizzleOrder::Row", "order of tiles", [{::llvm::cl::values(
             clEnumValN(::tessera::SwizzleOrder::Row, "row", "as in the source"),
             clEnumValN(::tessera::SwizzleOrder::Column, "column",
                        "column by column"),
             clEnumValN(::tessera::SwizzleOrder::Grouped, "grouped",
                        "groups of rows, column by column"),
             clEnumValN(::tessera::SwizzleOrder::Hilbert, "hilbert",
                        "squares along Hilbert's curve"),
             clEnumValN(::tessera::SwizzleOrder::Auto, "auto",
                        "row or grouped, by the reuse model"))}]>,
    Option<"groupM", "group-m", "int32_t", "8",
           "rows of tiles in a group; for hilbert a power of two">,
    Option<"l2Bytes", "l2-bytes", "int64_t", "52428800",
           "size of the L2 cache, for auto">,
    Option<"sms", "sms", "int32_t", "132", "multiprocessors, for auto">,
    Option<"residentCTAs", "resident-ctas", "int32_t", "0",
           "programs that a multiprocessor runs at one time, for auto; 0 where "
           "that is not known">];
  let dependentDialects = ["::tessera::tile::TileDialect",
                           "::mlir::arith::ArithDialect"];
}

def TileWidenOffsetsPass
    : Pass<"tile-widen-offsets", "::tessera::tile::FuncOp"> {
  let summary = "compute the offsets of pointers in 64 bits";
  let description = [{
    The chain of add, sub, mul, extension and shape operations that produces
    the offset of a `tile.addptr` is rebuilt in i64, so that offsets do not wrap
    (see the language's rule on addresses). A value that no such operation
    produces (an argument, a quotient, a loaded index) is sign-extended. Chains
    that carry a zero extension keep it.

    The same is done for scalars that reach an operation on descriptors.

    Postcondition: the offset of every `tile.addptr` is an i64.
  }];
  let dependentDialects = ["::tessera::tile::TileDialect",
                           "::mlir::arith::ArithDialect"];
}

def TileSpecializePass : Pass<"tile-specialize", "::mlir::ModuleOp"> {
  let summary = "clone kernels under argument facts that widen accesses";
  let description = [{
    Finds the facts about a kernel's arguments that would pay: pointers aligned
    to 16 bytes, integers divisible by 16 bytes' worth of elements, strides of
    1. All are assumed at first; those without which at most a sixteenth more
    access instructions are needed are dropped one after the other. When any is
    left, the kernel is cloned under them, and each dispatch of the kernel
    becomes a choice in the launch plan, guarded by the facts, between the clone
    (`NAME$fast`) and the kernel itself. Facts that the author has already
    stated are not guarded again.

    Operands of products may be stored by rows or by columns. Where the facts
    assume a stride of one to be 1, further clones (`NAME$fast2`, ...) assume
    that of its other dimension instead: of the second operand (x W^T), of the
    first (A^T B), then of both. In a kernel of several products these are all
    second operands, each of them, all first ones, each of them, then all. An
    operand's arrays are those whose loaded tiles it is computed of, element by
    element or transposed. The other facts are searched anew for each clone. One
    is made where it takes as few access instructions as the first, to a
    sixteenth, and where the plan may launch it. Other kernels than products
    have one clone.

    At most `max-clones` clones are made of a kernel. Three are all orders of
    one product but A^T B^T, which is rare, and takes as long to compile as each
    of the others.
  }];
  let options = [
    Option<"maxClones", "max-clones", "int32_t", "3",
           "clones of one kernel at most; 0 turns the pass off">];
  let dependentDialects = ["::tessera::tile::TileDialect"];
}

def TilePersistentSchedulePass
    : Pass<"tile-persistent-schedule", "::mlir::ModuleOp"> {
  let summary = "let few programs compute all tiles";
  let description = [{
    The body of a kernel moves into a loop over the program ids of the grid it
    was launched with; program p computes p, p + programs, p + 2 programs, ...
    The launch plan passes the number of tiles (and extents, for grids of two
    or three dimensions) and launches
    min(num_sms * `programs-per-sm`, tiles) programs; with `programs-per-sm=0`
    as many as are resident (`tile.plan.resident_ctas`). The loop is marked
    `tile.tile_loop`: independent, or ordered in a kernel that uses results of
    atomics.

    With `assignment=dynamic` a program takes the next tile that nobody has
    begun, from a counter in scratch memory that the plan sets to zero at each
    launch: for tiles that take unequal times. The counter is asked at the
    beginning of a tile, so that its answer is there at the end, or, where
    `tile-gpu-prefetch-tiles` wants it, when the products have ended.

        first tile = program id      tiles after it = programs + counter++

    Scalar computation that does not depend on the tile moves out of the loop;
    `tile-carry-divisions` then takes the division of the tile out of it.

    ```mlir
    tile.func @k_kernel(%p: !tile.ptr<f32>) {
      %pid = tile.program_id x
      "use"(%p, %pid)
      tile.return
    }
    tile.launch @k(%p: !tile.ptr<f32>, %n: i32) {
      tile.plan.dispatch @k_kernel grid(%n : i32) args(%p) : !tile.ptr<f32>
    }
    ```
    becomes
    ```mlir
    tile.func @k_kernel(%p: !tile.ptr<f32>, %tiles: i32) {
      %first = tile.program_id x
      %programs = tile.num_programs x
      scf.for unsigned %tile = %first to %tiles step %programs : i32 {
        "use"(%p, %tile)
      } {tile.tile_loop = #tile.tile_loop<independent>}
      tile.return
    }
    tile.launch @k(%p: !tile.ptr<f32>, %n: i32) {
      %sms = tile.plan.num_sms
      %resident = tile.plan.mul %sms, 2 : i64
      %programs = tile.plan.min %resident, %n : i64, i32
      tile.plan.dispatch @k_kernel grid(%programs) args(%p, %n) : !tile.ptr<f32>, i32
    }
    ```

    and with `assignment=dynamic`
    ```mlir
    tile.func @k_kernel(%p: !tile.ptr<f32>, %tiles: i32, %next: !tile.ptr<i32>) {
      %first = tile.program_id x
      %programs = tile.num_programs x
      %one = arith.constant 1 : i32
      %end = scf.while (%begun = %first) : (i32) -> i32 {
        %more = arith.cmpi ult, %begun, %tiles : i32
        scf.condition(%more) %begun : i32
      } do {
      ^body(%tile: i32):
        %taken = tile.atomic_rmw add relaxed gpu %next, %one : !tile.ptr<i32>
        "use"(%p, %tile)
        %following = arith.addi %taken, %programs : i32
        scf.yield %following : i32
      } attributes {tile.tile_loop = #tile.tile_loop<independent>}
      tile.return
    }
    tile.launch @k(%p: !tile.ptr<f32>, %n: i32) {
      %sms = tile.plan.num_sms
      %resident = tile.plan.mul %sms, 2 : i64
      %programs = tile.plan.min %resident, %n : i64, i32
      %bytes = tile.plan.constant 4
      %next = tile.plan.scratch %bytes zero : i64 -> !tile.ptr<i32>
      tile.plan.dispatch @k_kernel grid(%programs) args(%p, %n, %next)
        : !tile.ptr<f32>, i32, !tile.ptr<i32>
    }
    ```

    Preconditions: `tile-structure-branches` and `tile-inline-calls` have run;
    a kernel with branches or calls is left alone, with a remark, and so is one
    that waits on memory, that distributes its work over programs itself, or
    that no plan launches.
  }];
  let options = [
    Option<"assignment", "assignment", "::tessera::TileAssignment",
           "::tessera::TileAssignment::Static", "who computes which tile",
           [{::llvm::cl::values(
             clEnumValN(::tessera::TileAssignment::Static, "static",
                        "every so many, known from the start"),
             clEnumValN(::tessera::TileAssignment::Dynamic, "dynamic",
                        "the next one to a program that is ready"))}]>,
    Option<"programsPerSM", "programs-per-sm", "int32_t", "0",
           "programs of a multiprocessor; 0: as many as are resident">];
  let dependentDialects = ["::tessera::tile::TileDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileCarryDivisionsPass
    : Pass<"tile-carry-divisions", "::tessera::tile::FuncOp"> {
  let summary = "divide a loop's counter by carrying quotient and remainder";
  let description = [{
    Where a loop divides its counter by a value d that it does not change, and
    its step is s, the quotient and the remainder of the next iteration follow
    from those of this one, without a division:

        t = r - (|d| - s rem |d|)        carry = t >= 0
        r' = carry ? t : t + |d|         q' = q + s / d + (carry ? sign d : 0)

    They become values that the loop carries. For loops that count through
    tiles (the counter begins at a program id).

    ```mlir
    scf.for %tile = %pid to %tiles step %programs : i32 {
      %row = arith.divsi %tile, %columns : i32
      %column = arith.remsi %tile, %columns : i32
      "use"(%row, %column)
    }
    ```
    becomes, with `%dq`, `%sign`, `%size` and `%rest` computed before the loop,
    ```mlir
    scf.for %tile = %pid to %tiles step %programs iter_args(%row = %q0, %column = %r0) -> (i32, i32) : i32 {
      "use"(%row, %column)
      %t = arith.subi %column, %rest : i32
      %carry = arith.cmpi sge, %t, %zero : i32
      %up = arith.addi %t, %size : i32
      %next_column = arith.select %carry, %t, %up : i32
      %one = arith.select %carry, %sign, %zero : i32
      %step = arith.addi %dq, %one : i32
      %next_row = arith.addi %row, %step : i32
      scf.yield %next_row, %next_column : i32, i32
    }
    ```

    A loop whose iterations run another loop divides as it did, with a remark:
    the inner one would have to hold what is carried, in registers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileRaiseAccessesPass : Pass<"tile-raise-accesses", "::tessera::tile::FuncOp"> {
  let summary = "turn masked pointer accesses into accesses of descriptors";
  let description = [{
    A load or store through a tensor of pointers that is an affine function of
    the tile's coordinates, under a mask that is a conjunction of bounds of
    single coordinates, becomes `tile.desc_load` or `tile.desc_store`:

    ```mlir
    tile.func @tile(%p: !tile.ptr<f32>, %s: i64, %m: i32, %n: i32) { ... }
    ```
    with `load(p + i * s + j, i < m & j < n, 0)` becomes
    ```mlir
    tile.func @tile(%p: !tile.ptr<f32>, %s: i64, %m: i32, %n: i32) {
      %one = arith.constant 1 : i64
      %zero = arith.constant 0 : i32
      %desc = tile.make_desc %p, [%m, %n], [%s, %one]
        : !tile.ptr<f32>, [i32, i32], [i64, i64] -> !tile.desc<16x32xf32>
      %x = tile.desc_load %desc[%zero, %zero] : !tile.desc<16x32xf32>, [i32, i32] -> tensor<16x32xf32>
      tile.return
    }
    ```

    Each dimension has an origin, which the remark names. `array`: offset and
    extent are those of the mask, `start` and `bound` of `start + c < bound`;
    the coordinate has to be bounded by 0 in the mask, or proven not to be
    negative. `tile`: the array begins at the tile, the offset is 0 and the
    extent `bound - start`.

    The new access touches the same memory as the old one and yields the same
    values. What cannot be raised stays, with a remark: gathers; a mask with a
    condition that is no bound (the excluded elements may have no memory);
    `other` that is not zero; a coordinate of the mask that may wrap inside the
    tile. So do rows of consecutive elements, whose pointers are one address
    and constants.

    Tensors that a loop carries and advances by one scalar for all elements
    become that scalar: the loop then carries no pointers.

    A tile that is only transposed for products, `tile.dot (tile.trans
    (tile.desc_load ...)), ...`, is read from the transposed array: extents,
    strides and offsets change places, and the `tile.trans` goes.

    Precondition: offsets have 64 bits (`tile-widen-offsets`).
  }];
  let options = [
    Option<"maxRank", "max-rank", "int32_t", "5",
           "most dimensions of an access that is raised; 0 turns the pass off">];
  let dependentDialects = ["::tessera::tile::TileDialect",
                           "::mlir::arith::ArithDialect"];
}

def TileTensorMapsPass : Pass<"tile-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "let launches make tensor maps of kernels' arrays";
  let description = [{
    A descriptor of rank 2 whose array is a part of one that the launch knows,
    since pointer, extents and strides are the kernel's arguments, gets a tensor
    map of the whole array, as an argument of the kernel, and the place of the
    part in it: `map %map[%row, %col]` on `tile.make_desc`.

    Before:

    ```mlir
    %desc = tile.make_desc (%a + %row * %stride), [%m - %row, %k], [%stride, 1] : …
    ```

    After:

    ```mlir
    %desc = tile.make_desc …, map %a_map[%row, %zero] : !tile.tensor_map<128x64xf16, swizzle = 128> …
    ```

    `%row * %stride` may be a sum that the loop carries from 0 on, where `%row` is
    its counter, which begins at 0, or a multiple of it: pointers that move along
    with what is left of the array.

    Descriptors count that feed a `tile.dot` from a loop with `tile.num_stages`,
    and those of stores in such kernels. The kernel's dispatches have to be
    variants under guards, with which tile-specialize chose between forms of one
    kernel: the guards then also demand what a map needs, extents of 0 or more
    and strides that are no smaller than a row. All forms have to be passed the
    same, computed alike in each variant or before, or memory of their own that
    is alike, and to be refused for the same launches. Facts about the arguments
    say that addresses are multiples of 16 bytes.

    No part may begin before the array, where a map has no elements: `%row` is
    made of program ids, counters and arguments of 0 or more, which the guards
    demand, too, by arithmetic that makes nothing less than 0 of them. A number
    that `scf.while` compares with a limit, without a sign, is not negative in
    its body where the limit is not. Divisors are taken to be positive.

    An array that the kernel writes and then reads, or otherwise than by
    descriptors of maps, gets none, nor one around which atomics order what
    programs do: copies do not wait for threads' accesses, nor those for copies.
    Two arguments may be passed one array, unless one of them has `tile.noalias`
    or `tile.readonly`. Iterations of independent tile loops do not count: none
    loads what an earlier one stores.

    Stores by copies are not ordered with each other. An array gets no map where
    iterations of a loop may store the same elements. They are known to store
    different ones where an offset grows by a tile or more, where two offsets are
    quotient and remainder of the loop's counter or of an odd multiple of it, in
    tiles, and in loops over tiles (`tile.tile_loop`).

    `%row` in `%m - %row` is computed in 32 bits, and `%row` in the address in
    64. Both are one number but where the kernel's own arithmetic wraps, in
    programs whose first row is 2^31 or more. Their accesses were then outside
    of the array; now they do nothing.
  }];
  let dependentDialects = ["::tessera::tile::TileDialect",
                           "::mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// Level 2: tile and tile_gpu
//===----------------------------------------------------------------------===//

def TileGPUAttachTargetPass : Pass<"tile-gpu-attach-target", "::mlir::ModuleOp"> {
  let summary = "name the architecture that is compiled for";
  let description = [{
    Sets `tile_gpu.target` on the module, for the passes that ask what the
    architecture offers. An unknown name is an error.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"",
           "architecture, e.g. sm_90a">];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUTensorizeAtomicsPass
    : Pass<"tile-gpu-tensorize-atomics", "::tessera::tile::FuncOp"> {
  let summary = "make tensors of one element of scalar atomics";
  let description = [{
    One thread performs a scalar atomic, and all of them need its result. As a
    tensor of one element, the result goes the way of replicated tensors
    (`tile-gpu-stage-conversions`). Atomics without uses of the result stay
    scalar.
  }];
  let dependentDialects = ["::tessera::tile::TileDialect"];
}

def TileGPUSelectPass : Pass<"tile-gpu-select", "::tessera::tile::FuncOp"> {
  let summary = "choose the path and width of each access";
  let description = [{
    Attaches `#tile_gpu.access` to every load and store of tensors: the path to
    global memory (always `direct` for now), the dimension along which addresses
    are consecutive, and the widest access, up to 16 bytes, that the contiguity
    of the pointers, their alignment and the constancy of the mask prove. The
    facts come from the affine-access analysis. A remark gives the width and
    what limits it.

    Attaches `#tile_gpu.instruction` to every dot: wgmma, mma.sync or fma, the
    first that the target, the types, the shape and the number of warps allow.
    Of the number of warps only what is given counts; see tile-gpu-choose-warps.
    8-bit floats that the target's mma.sync does not take are converted to f16,
    which contains them, for an instruction of that.
  }];
  let options = [
    Option<"numWarps", "num-warps", "int32_t", "0",
           "warps of a program; 0 lets the author or the compiler choose">];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUChooseWarpsPass
    : Pass<"tile-gpu-choose-warps", "::tessera::tile::FuncOp"> {
  let summary = "fix the number of warps of a program";
  let description = [{
    Sets `tile_gpu.num_warps`: the `num-warps` option if it is not 0, else the
    author's `tile.num_warps`, else a choice. With a dot: the fewest warps whose
    threads have room for accumulators, operands and loads in flight (1 to 16).
    With a reduction: so many that a thread holds 32 elements of the largest
    tensor, since a reduction across warps costs a barrier; else 8 elements (1
    to 16 warps, 32 where a thread would hold more than 64). A remark gives the
    numbers.

    A product whose instruction, `wgmma` or `mma.sync`, takes more registers at
    once than these warps, or the options, leave a thread is refused: they
    cannot be spilled. So is one whose accumulators alone, of all its
    instructions, exceed that (by `mma.sync` where a loop carries them: others
    need not be alive together), and a loop that carries several whose sum does;
    and more warps than a multiprocessor has room for, in the programs that it
    is to hold.
  }];
  let options = [
    Option<"numWarps", "num-warps", "int32_t", "0",
           "warps of a program; 0 lets the author or the compiler choose">,
    Option<"maxRegisters", "max-registers", "int32_t", "0",
           "registers of a thread at most; 0 for the target's limit">,
    Option<"minCTAs", "min-ctas", "int32_t", "1",
           "programs that a multiprocessor is to hold at least">,
    ListOption<"modelKernels", "model-kernels", "std::string",
               "kernels whose tile.num_warps is a model's, for the remark">];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUAssignLayoutsPass
    : Pass<"tile-gpu-assign-layouts", "::tessera::tile::FuncOp"> {
  let summary = "give each tensor a layout";
  let description = [{
    Builds a layout problem (LayoutProblem.h), solves it, verifies the solution
    and applies it: memory accesses want coalesced layouts, elementwise
    operations and control flow tie values together, shape operations and
    reductions relate layouts, and a conversion is put where no layout suits
    both sides. Splats, constants and aranges are rebuilt for each layout.

    What wgmma's A is computed from, element by element and next to the product,
    has the layout in which the instruction reads registers: results of other
    wgmmas have it as they are, and loads that run ahead (`tile.num_stages`) are
    converted to it before the first operation. Not where groups of warps share
    A's rows, each of which would need all of A.

    Precondition: `tile_gpu.num_warps` is set. Postcondition: every tensor has
    a layout. A remark counts the conversions and their bytes.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUSplitReductionsPass
    : Pass<"tile-gpu-split-reductions", "::tessera::tile::FuncOp"> {
  let summary = "split reductions across warps";
  let description = [{
    A reduction whose axis is spread over warps becomes a reduction inside each
    warp, a conversion that brings the partial results together, and a second
    reduction. Only reshapes, a transposition, reductions and a conversion are
    needed:

        tensor<1024xf32>, warps on bits 128 and 256:
        reshape to 2x4x128, transpose to 4x2x128, reshape to 4x256;
        reduce dim 1: tensor<4xf32>;
        convert to a layout in which all warps hold it; reduce.

    Postcondition: no reduction crosses warps.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUStageOperandsPass
    : Pass<"tile-gpu-stage-operands", "::tessera::tile::FuncOp"> {
  let summary = "put the operands of wgmma into shared memory";
  let description = [{
    Replaces each dot whose instruction is wgmma: operands are written to
    buffers, swizzled as the instruction reads them (Wgmma.h), a fence orders
    the writes before the product, and a wait follows it. An operand that loops
    around the dot do not compute is written before them. Products that want a
    value laid out alike read one buffer, if they stand in one block, or if it is
    written before the same loop. An A whose registers are laid out as the
    instruction reads them stays in registers.

    Where both operands come from `tile.desc_load`, the product stops behind the
    last element of k that their arrays hold: its `depth` is what is left of the
    arrays from the tiles on. It has none where no step of the instruction could
    be left out: K is one step, or the arrays are known to end with a tile.

    Before:

    ```mlir
    %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 64, 16>} : …
    ```

    After:

    ```mlir
    %ba = tile_gpu.alloc : !tile_gpu.buffer<64x64xf16, #shared>
    tile_gpu.local_store %a, %ba : …
    %bb = tile_gpu.alloc : !tile_gpu.buffer<64x64xf16, #shared>
    tile_gpu.local_store %b, %bb : …
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %ba, %bb, %c : …
    %d = tile_gpu.wgmma_wait %p pending = 0 : …
    ```

    With `%a` loaded from columns `%i` on of an array of `%k` of them, and `%b`
    from the same rows:

    ```mlir
    %exists = arith.cmpi sgt, %k, %i : i32
    %rest = arith.subi %k, %i : i32
    %least = arith.minui %rest, %c64 : i32
    %depth = arith.select %exists, %least, %c0 : i32
    %p = tile_gpu.wgmma %ba, %bb, %c depth %depth : …
    ```

    Precondition: tensors have layouts. Postcondition: no dot is left whose
    instruction is wgmma. Barriers come later.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUTensorStoresPass
    : Pass<"tile-gpu-tensor-stores", "::tessera::tile::FuncOp"> {
  let summary = "store tiles by way of tensor maps";
  let description = [{
    A `tile.desc_store` to an array with a tensor map writes its tile to shared
    memory, from where one copy writes it to the tensor.

    Before:

    ```mlir
    %v = tile_gpu.convert_layout %x : …
    tile.desc_store %desc[%zero, %zero], %v : …
    ```

    After:

    ```mlir
    %b = tile_gpu.alloc : !tile_gpu.buffer<128x64xf16, #shared>
    tile_gpu.local_store %x, %b : …
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %map[%row, %col] : …
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
    ```

    Precondition: tensors have layouts. Barriers come later.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect",
                           "::mlir::arith::ArithDialect"];
}

def TileGPUStageConversionsPass
    : Pass<"tile-gpu-stage-conversions", "::tessera::tile::FuncOp"> {
  let summary = "lower conversions between threads to shared memory";
  let description = [{
    A `tile_gpu.convert_layout` that moves values between threads becomes an
    alloc, a local store and a local load. The buffer's layout lets both sides
    use wide accesses where they agree on an order. Conversions inside a
    thread stay. The result of an atomic, which only the first of the threads
    that hold copies of an element has, goes the same way to the others.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUAssignStagesPass
    : Pass<"tile-gpu-assign-stages", "::tessera::tile::FuncOp"> {
  let summary = "decide which loads of a loop run ahead";
  let description = [{
    For each `scf.for` with `tile.num_stages = N`, N > 1 (or with any, under
    `num-stages=N`): the loads whose address and mask are known ahead, that
    nothing in the loop writes, and whose work an asynchronous copy can do. The
    loop gets `tile_gpu.distance`, the number of iterations that they run ahead,
    and `tile_gpu.slots`, the number of tensors that each buffer then holds; the
    loads get `tile_gpu.pipelined`, and the product that stays under way from
    one iteration to the next `tile_gpu.in_flight`:

    | read by | distance | slots |
    | --- | --- | --- |
    | wgmma, in flight | N - 2 | N |
    | wgmma, waited for | N - 1 | N |
    | registers | N - 1 | N - 1 |

    Where products read the buffers and all loads are from arrays with tensor
    maps (`tile-tensor-maps`), those do the copies: the loop has
    `tile_gpu.tensor_copies`. Loads into registers that have none, and at most a
    16th of the bytes of the others, then stay where they are. One thread issues
    such copies, and they come after the products of an iteration:

    | read by | distance | slots |
    | --- | --- | --- |
    | wgmma, in flight | N - 1 | N |
    | wgmma, waited for | N | N |

    Where mma.sync reads registers, N is 4 or more, and a thread has registers for
    its accumulators and twice its operands, the loop gets `tile_gpu.reads_ahead`:
    an iteration reads the next one's slot into registers while it multiplies.
    Copies are then N iterations ahead of the products.

    Where no load feeds shared memory, loads into registers are sent through it.

    Copies write zeros where their mask is false. A load with another `other` runs
    ahead where its buffer is read into registers: a select then puts `other` in
    (the remark counts such loads as `FilledWhenRead`). Mask and `other` have the
    layout in which the buffer is read, or are computed of constants, splats and
    aranges alone, so that they can be made again in it. Where wgmma reads the
    buffer, such a load stays.

    Remarks give the shared memory that is taken, why a load stays where it is,
    and why no registers are read ahead. Buffers that do not fit beside what is
    alive with them are refused, with the largest number of stages that does,
    or the nearest tile.
    Precondition: tile-gpu-stage-conversions.
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", "0",
           "stages of every loop that has tile.num_stages; 0 for the author's">];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUAsyncCopiesPass
    : Pass<"tile-gpu-async-copies", "::tessera::tile::FuncOp"> {
  let summary = "turn loads that run ahead into asynchronous copies";
  let description = [{
    Rewrites the loops that tile-gpu-assign-stages marked: a ring of slots in
    place of each buffer, copies into it, a wait, a fence where products read
    it, and a barrier. Iterations still follow each other; `tile_gpu.stage` and
    `tile_gpu.order` on each operation say how tile-gpu-expand-pipeline is to
    overlap them.

    Before:

    ```mlir
    scf.for … {
      %a = tile.load %p, %m, %zero {tile_gpu.pipelined} : …
      %b = tile_gpu.alloc : !tile_gpu.buffer<64x64xf16, #shared>
      tile_gpu.local_store %a, %b : …
      … tile_gpu.wgmma %b, … {tile_gpu.in_flight} : …
    } {tile_gpu.distance = 2 : i32, tile_gpu.slots = 4 : i32}
    ```

    After:

    ```mlir
    %ring = tile_gpu.alloc : !tile_gpu.buffer<64x64xf16, #shared, slots = 4>
    scf.for … iter_args(…, %put = %zero, %get = %zero) {
      %to = tile_gpu.slot %ring[%put] : …
      tile_gpu.async_copy %p, %to, %m : …
      %t = tile_gpu.async_commit
      tile_gpu.async_wait %t pending = 0
      tile_gpu.fence_async
      tile_gpu.barrier
      %b = tile_gpu.slot %ring[%get] : …
      … tile_gpu.wgmma %b, … : …
    }
    tile_gpu.async_wait pending = 0
    ```

    With tensor copies:

    ```mlir
    %full = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<4>
    %ring = tile_gpu.alloc : !tile_gpu.buffer<64x64xf16, #shared, slots = 4>
    scf.for … iter_args(…, %put = %zero, %get = %zero, %parity = %zero) {
      %to = tile_gpu.slot %ring[%put] : …
      tile_gpu.mbarrier_expect %full[%put], 8192 : …
      tile_gpu.tma_load %map[%row, %col], %to, %full[%put] : …
      tile_gpu.mbarrier_wait %full[%get], %parity : …
      %b = tile_gpu.slot %ring[%get] : …
      … tile_gpu.wgmma %b, … : …
      tile_gpu.barrier
    }
    tile_gpu.tma_load_end %full : …
    ```

    In a loop inside of loops, `scf.for` or `scf.while`, those carry slot and
    parity on, since mbarriers keep their phase.

    A load whose `other` is not zero, say, -inf, is read by way of a select, whose
    mask is that of the iteration that reads:

    ```mlir
      tile_gpu.async_copy %p, %to, %m_ahead : …
      …
      %b = tile_gpu.slot %ring[%get] : …
      %v = tile_gpu.local_load %b : …
      …
      %x = arith.select %m, %v, %other : …
    ```

    The loop's fences go with the writes that they were for. A fence stays while
    threads write a buffer before it that a product or a tensor store reads.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect",
                           "::mlir::arith::ArithDialect"];
}

def TileGPUExpandPipelinePass
    : Pass<"tile-gpu-expand-pipeline", "::tessera::tile::FuncOp"> {
  let summary = "overlap the iterations of loops with stages";
  let description = [{
    Pipelines each loop whose operations have `tile_gpu.stage`, by upstream's
    `scf::pipelineForLoop`: the first iterations' copies come before the loop,
    each under the condition that its iteration exists, so that loops of no or
    few iterations stay right; in the loop, copies are skipped near its end.
    Waits leave the groups under way that later iterations have made by then.

    Precondition: operations before the last stage have no effect, or are
    copies. Anything else is an error, and nothing is changed.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileGPUPrefetchTilesPass
    : Pass<"tile-gpu-prefetch-tiles", "::tessera::tile::FuncOp"> {
  let summary = "start the next tile's copies before this tile's results";
  let description = [{
    In a loop over independent tiles (`tile.tile_loop`), `scf.for` or
    `scf.while`, with a pipelined loop inside whose tensor copies come first:
    those of the next tile are issued as soon as this tile's products have
    ended, or, where the inner loop stands under the condition that it runs,
    before the last ones are waited for; they arrive while results are stored.
    Integers that say where a tile lies are computed beside the last products of
    the tile before, and carried from there. Its buffers then live
    through the loop over tiles, side by side, and a store by tensor map is
    waited for when its buffer is written again. Where they are too many bytes,
    results are stored in pieces as wide as a box of the tensor map, through two
    buffers in turns. The loop stays as it is where a multiprocessor would hold
    fewer programs even so.

    A next tile that one thread knows, since it asked a counter, is handed to
    the others by way of shared memory before its copies, by the barrier that
    follows the products.

    Before:

    ```mlir
    scf.for %tile = … {
      scf.if %exists { tile_gpu.tma_load %map[%row, %zero], … }
      scf.for … { … tile_gpu.wgmma … }
      tile_gpu.barrier
      … tile_gpu.tma_store …
    }
    ```

    After:

    ```mlir
    scf.if … { tile_gpu.tma_load … }
    scf.for %tile = … {
      scf.for … { … tile_gpu.wgmma … }
      tile_gpu.barrier
      %next = arith.addi %tile, %step : i32
      scf.if … { … tile_gpu.tma_load %map[%next_row, %zero], … }
      … tile_gpu.tma_store …
    }
    ```

    Where threads copy, the next tile is begun behind the wait for all copies and
    the barrier that follow the loop. Its groups are loop-carried tokens; a tile
    that does not exist, or whose loop does not run, has as many empty groups:

    ```mlir
    %first = scf.if … { tile_gpu.desc_copy … tile_gpu.async_commit … }
    scf.for %tile = … iter_args(%group = %first) {
      scf.for … iter_args(%g = %group) {
        tile_gpu.async_wait %g pending = 0
        …
      }
      tile_gpu.async_wait pending = 0
      tile_gpu.barrier
      %next = scf.if %exists -> (!tile_gpu.token) {
        tile_gpu.desc_copy %next_desc[…], …
        %full = tile_gpu.async_commit
        scf.yield %full
      } else {
        %empty = tile_gpu.async_commit
        scf.yield %empty
      }
      … tile.desc_store …
      scf.yield %next
    }
    tile_gpu.async_wait pending = 0
    ```

    Declined, with a remark, for tiles that are not independent; where all
    buffers together do not fit into shared memory, or a multiprocessor would
    hold fewer programs; where coordinates come from memory, or are known only
    after this tile's results; where copies run ahead of several loops of a
    tile. Copies by threads are also declined where the tile commits other groups,
    accesses slots elsewhere, or has an assertion, which may be about what they
    read.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileGPUAllocateSharedPass
    : Pass<"tile-gpu-allocate-shared", "::tessera::tile::FuncOp"> {
  let summary = "place buffers in shared memory";
  let description = [{
    Gives each `tile_gpu.alloc` an offset, aligned to 16 bytes (128 for buffers
    of at least 128 bytes), such that buffers that are alive at the same time
    do not overlap; a buffer used in a loop but allocated outside lives through
    the whole loop. Room is reused only where the buffers together would
    limit how many CTAs are resident, since reuse costs barriers. Sets
    `tile_gpu.shared_bytes`. More than the target's limit, or than the
    programs that a multiprocessor is to hold leave each other, is an error that
    lists the buffers and says what would fit.
  }];
  let options = [
    Option<"freeBytes", "free-bytes", "int64_t", "-1",
           "bytes up to which no room is reused; -1: what each of the most "
           "CTAs of a multiprocessor may take">,
    Option<"minCTAs", "min-ctas", "int32_t", "1",
           "programs that a multiprocessor is to hold at least">];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

def TileGPUInsertBarriersPass
    : Pass<"tile-gpu-insert-barriers", "::tessera::tile::FuncOp"> {
  let summary = "separate dependent accesses to shared memory by barriers";
  let description = [{
    Follows the accesses since the last barrier, by bytes and through branches
    and loop back edges, and puts a barrier before an access that overlaps an
    earlier one when either is a write. No other barrier is made. A remark
    counts them.

    Precondition: buffers have offsets, and a fence separates what threads write
    from the product or tensor store that reads it.
  }];
  let dependentDialects = ["::tessera::tile_gpu::TileGPUDialect"];
}

#endif // TESSERA_TRANSFORMS_PASSES_TD
