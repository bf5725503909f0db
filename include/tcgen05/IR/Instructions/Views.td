//===- Views.td - Regions made, recast and read off --------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What comes before a copy: regions at addresses, and addresses of regions.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_INSTRUCTIONS_VIEWS_TD
#define TCGEN05_IR_INSTRUCTIONS_VIEWS_TD

include "tcgen05/IR/Types.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tcgen05_TmemViewOp : Tcgen05_Op<"tmem_view", [Pure]> {
  let summary = "make a region from a tensor-memory address";
  let description = [{
    The region at a TMEM address (`lane << 16 | column`), as `tcgen05.alloc`
    yields it. Nothing is allocated or checked at run time: lane 0, the
    alignment of the column and `columns` allocated columns are the caller's
    word.

    The image, replicas included, must lie in 128 lanes and in `columns`; the
    layout has no run-time terms.

    Example:

    ```mlir
    %t = tcgen05.tmem_view %addr : !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>, columns 32>
    ```
  }];
  let arguments = (ins I32:$address);
  let results = (outs Tcgen05_TmemType:$result);
  let assemblyFormat = "$address attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tcgen05_SmemViewOp : Tcgen05_Op<"smem_view", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "make a region from a pointer or a memref in shared memory";
  let description = [{
    The region that starts where `src` starts: a `!llvm.ptr<3>`, or a memref in
    workgroup memory (`#gpu.address_space<workgroup>` or 3) whose element type
    need not be the region's: the bytes are what counts.

    A memref must have static sizes, offset and nonnegative strides, and span
    the region's `storage`. Its offset is part of the address, and must keep the
    alignment.

    Where the buffer is visible (a workgroup attribution, `memref.global`,
    `memref.alloca`, `llvm.mlir.global`, also behind casts and subviews) it must
    be aligned to at least `align` bytes. Behind a bare pointer or an argument,
    alignment is the caller's word.

    No byte of the image may lie below the start; the layout has no run-time
    terms.

    Example:

    ```mlir
    %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
    %m = tcgen05.smem_view %buffer : memref<1024xbf16, #gpu.address_space<workgroup>> -> !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
    ```
  }];
  let arguments = (ins AnyType:$src);
  let results = (outs Tcgen05_SmemType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` type($src) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tcgen05_CastOp : Tcgen05_Op<"cast", [Pure]> {
  let summary = "say more or less about where a region lies";
  let description = [{
    The same region under another type: with a more or less static offset, or
    with an equal layout that is written otherwise. Branches that join, and
    folders that learn an index, need it. Whether the run-time terms have the
    values that a more static type claims is the caller's word.

    Shape and element type stay, and so does the function apart from its offset.
    The offsets that one layout allows include those that the other allows.
    `align` and `storage` may only fall, `columns` stays.

    Example:

    ```mlir
    %2 = tcgen05.cast %stage1 : !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [128]>, storage 1024> -> !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?2*128]>, storage 1024>
    ```
  }];
  let arguments = (ins Tcgen05_AnyRegion:$view);
  let results = (outs Tcgen05_AnyRegion:$result);
  let assemblyFormat = [{
    $view attr-dict `:` qualified(type($view)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// Why a region of type `from` cannot be cast to `to`; empty if it can.
    static ::std::string whyNot(::mlir::Type from, ::mlir::Type to);
  }];
}

def Tcgen05_AddressOp : Tcgen05_Op<"address", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "read off the address of coordinate zero";
  let description = [{
    The address of coordinate zero, offset and run-time terms included: `i32`
    (`lane << 16 | column`) for tensor memory, `!llvm.ptr<3>`, unswizzled, for
    shared memory. This is what the descriptors and operands of other
    instructions take.

    Example:

    ```mlir
    %a = tcgen05.address %t : !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>> -> i32
    ```
  }];
  let arguments = (ins Tcgen05_AnyRegion:$view);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $view attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TCGEN05_IR_INSTRUCTIONS_VIEWS_TD
