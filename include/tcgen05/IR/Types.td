//===- Types.td - Regions of tensor and shared memory ------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_TYPES_TD
#define TCGEN05_IR_TYPES_TD

include "tcgen05/IR/Attributes.td"

def Tcgen05_TmemType : Tcgen05_Type<"Tmem", "tmem"> {
  let summary = "region of tensor memory";
  let description = [{
    `!tcgen05.tmem<SHAPExELEMENT, LAYOUT (, columns N)?>`: a layout over lanes
    and columns, without swizzle. `columns` says how many columns the region may
    use from its base: a multiple of 4, at most 512, which is the default. The
    base is lane 0 and a column that is a multiple of 4.

    SHAPE is the shape of the layout, nested extents multiplied out. Elements
    are integers or floats of 8, 16, 32 or 64 bits.

    Example:

    ```mlir
    !accumulator = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>, columns 32>
    ```
  }];

  let parameters = (ins
    ArrayRefParameter<"int64_t", "the shape of the layout">:$shape,
    "::mlir::Type":$elementType,
    "::tcgen05::LayoutAttr":$layout,
    "int64_t":$columns);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins
      "::mlir::Type":$elementType, "::tcgen05::LayoutAttr":$layout,
      CArg<"int64_t", "::tcgen05::layout::kColumns">:$columns), [{
      return $_get(elementType.getContext(), layout.toLayout().shape(),
                   elementType, layout, columns);
    }]>
  ];

  let extraClassDeclaration = [{
    /// The border to the ground floor.
    ::tcgen05::layout::TmemRegion toRegion() const;
  }];
}

def Tcgen05_SmemType : Tcgen05_Type<"Smem", "smem"> {
  let summary = "region of shared memory";
  let description = [{
    `!tcgen05.smem<SHAPExELEMENT, LAYOUT (, align BYTES)? (, storage BYTES)?>`: a
    layout over memory, counted in elements, without replicas. `align` divides
    the address that the region was made from, before any offset: a power of
    two, at least 16, which is the default. `storage` says how many bytes belong
    to the region from that address, less than 2^18; the default ends with the
    last byte of the swizzled image, and the two spellings are one type.

    SHAPE is the shape of the layout, nested extents multiplied out. Elements
    are integers or floats of 8, 16, 32 or 64 bits.

    Example:

    ```mlir
    !tile = !tcgen05.smem<128x64xbf16, #tcgen05.layout<[128, 64] : [64, 1], swizzle 128B>, align 1024>
    !part = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1]>, storage 256>
    ```
  }];

  let parameters = (ins
    ArrayRefParameter<"int64_t", "the shape of the layout">:$shape,
    "::mlir::Type":$elementType,
    "::tcgen05::LayoutAttr":$layout,
    "int64_t":$align,
    OptionalParameter<"::std::optional<int64_t>">:$storage);
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins
      "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
      "::tcgen05::LayoutAttr":$layout, "int64_t":$align,
      "::std::optional<int64_t>":$storage), [{
      return $_get(elementType.getContext(), shape, elementType, layout, align,
                   withoutDefault(elementType, layout, storage));
    }]>,
    TypeBuilderWithInferredContext<(ins
      "::mlir::Type":$elementType, "::tcgen05::LayoutAttr":$layout,
      CArg<"int64_t", "::tcgen05::layout::kDefaultAlign">:$align,
      CArg<"::std::optional<int64_t>", "::std::nullopt">:$storage), [{
      return $_get(elementType.getContext(), layout.toLayout().shape(),
                   elementType, layout, align,
                   withoutDefault(elementType, layout, storage));
    }]>
  ];

  let extraClassDeclaration = [{
    /// The border to the ground floor.
    ::tcgen05::layout::SmemRegion toRegion() const;

  private:
    /// `storage`, or nothing if that is what the default would be.
    static ::std::optional<int64_t>
    withoutDefault(::mlir::Type elementType, ::tcgen05::LayoutAttr layout,
                   ::std::optional<int64_t> storage);

  public:
  }];
}

def Tcgen05_AnyRegion
    : AnyTypeOf<[Tcgen05_TmemType, Tcgen05_SmemType],
                "region of tensor or shared memory">;

#endif // TCGEN05_IR_TYPES_TD
