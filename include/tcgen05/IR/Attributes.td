//===- Attributes.td - The layout attribute ----------------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_ATTRIBUTES_TD
#define TCGEN05_IR_ATTRIBUTES_TD

include "tcgen05/IR/Dialect.td"

def Tcgen05_LayoutAttr : Tcgen05_Attr<"Layout", "layout"> {
  let summary = "where the elements of a region lie";
  let description = [{
    A function from a coordinate to one or more places, written
    `shape : strides (, replica [...])? (, offset [...])? (, swizzle S)?`. Each
    dimension is an extent or a nested tuple of extents, the last varying
    fastest. The suffix of a stride names the axis that it leads along:

    | suffix  | axis                                    |
    |---------|-----------------------------------------|
    | `@lane` | lanes of tensor memory, 128 of them     |
    | `@col`  | columns of tensor memory, 32 bits wide  |
    | none    | shared memory, counted in elements      |

    - `replica [2 : 32@lane]`: every element lies in two places, 32 lanes apart.
    - `offset [16@lane, 8@col]`: where coordinate zero lies. A part that is known
      at run time only is a sum of bounded terms: `offset [?6*512 + 64]` is
      `512 * i + 64` for some `i` with `0 <= i < 6`.
    - `swizzle 32B | 64B | 128B`: the byte address is XORed last.

    Extents are positive, strides of any sign or zero. More than 16 dimensions,
    more than 16 nested parentheses, or positions beyond 64-bit arithmetic are
    malformed.

    Example:

    ```mlir
    #rows = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
    #multicast = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>
    #ring = #tcgen05.layout<[128, 8] : [8, 1], offset [?6*1024], swizzle 32B>
    ```
  }];

  let parameters = (ins
    AttrParameter<"::tcgen05::layout::Layout", "the layout as a plain value",
                  "const ::tcgen05::layout::Layout &">:$value);
  let hasCustomAssemblyFormat = 1;

  let extraClassDeclaration = [{
    /// The border to the ground floor: below it there is no MLIR.
    const ::tcgen05::layout::Layout &toLayout() const { return getValue(); }
  }];
}

#endif // TCGEN05_IR_ATTRIBUTES_TD
