//===- Slice.td - Sub-regions ------------------------------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_INSTRUCTIONS_SLICE_TD
#define TCGEN05_IR_INSTRUCTIONS_SLICE_TD

include "tcgen05/IR/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tcgen05_SliceOp : Tcgen05_Op<"slice", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "take a part of a region";
  let description = [{
    The part of `view` that begins at an origin and has a size along each
    dimension. An origin is an integer, an index, or
    `constant + index * multiplier`. Strides stay and the offset moves: a
    run-time part becomes a bounded term of the result's layout, with as many
    values as keep the slice inside of the dimension. `align`, `storage` and
    `columns` are inherited.

    Modes of a nested dimension that together are one stride are merged first. A
    slice whose origin or size cuts a mode that is left is an error.

    An index must be at least zero and keep the slice inside of its dimension,
    as with `memref.subview`; nothing checks that at run time.

    The result type is inferred: it may be left out, is always printed, and must
    be the inferred one if it is given.

    Example:

    ```mlir
    %stage = tcgen05.slice %ring[%i * 32, 0] [32, 4] : !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>> -> !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>, storage 2048>
    ```
  }];
  let arguments = (ins
    Tcgen05_AnyRegion:$view,
    Variadic<Index>:$indices,
    DenseI64ArrayAttr:$constants,
    DenseI64ArrayAttr:$multipliers,
    DenseI64ArrayAttr:$sizes);
  let results = (outs Tcgen05_AnyRegion:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;

  let extraClassDeclaration = [{
    /// The origins as the ground floor takes them: a multiplier of zero for
    /// those that are known.
    ::std::vector<::tcgen05::layout::SliceOrigin> getOrigins();
    /// The slice of the view's layout. The op is verified.
    ::tcgen05::layout::Slice getSlice();
    /// The index of a dimension, or null if its origin is known.
    ::mlir::Value getIndex(unsigned dim);
  }];
}

#endif // TCGEN05_IR_INSTRUCTIONS_SLICE_TD
