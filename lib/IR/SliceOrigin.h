//===- SliceOrigin.h - Constants in the index of a slice --------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The index of a slice is often a constant, or a product or sum with one, as
// loops and address arithmetic leave it. Each such step belongs into the type
// of the slice, where the verifier and the lowering can use it.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_IR_SLICEORIGIN_H
#define TCGEN05_LIB_IR_SLICEORIGIN_H

#include "tcgen05/Layout/Slice.h"

#include "mlir/IR/Value.h"

namespace tcgen05 {

/// Moves what is constant about an index into the origin: constants, products
/// with a constant, sums with a constant, shifts by a constant. One step; false
/// if there is none, or if the origin would leave 64 bits or become negative.
/// An index that is a constant becomes null.
bool absorb(mlir::Value &index, layout::SliceOrigin &origin);

} // namespace tcgen05

#endif // TCGEN05_LIB_IR_SLICEORIGIN_H
