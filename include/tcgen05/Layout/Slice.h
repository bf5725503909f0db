//===- Slice.h - Sub-regions ------------------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice takes `size` consecutive coordinates of each dimension from an
// origin. Strides stay, the offset moves. An origin may depend on a run-time
// value: `constant + value * multiplier` adds the bounded term
// `?count*(multiplier * stride)` to the offset, with the count that keeps the
// slice inside the dimension.
//
//   [64, 32] : [32, 1]   sliced at [8 + %i * 8, 0] to [32, 32]
//   [32, 32] : [32, 1], offset [?4*256 + 256]
//
// Modes that together are one stride are merged first. What is left must
// express the slice: the origin and the size must not cut a mode where the
// stride changes.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_SLICE_H
#define TCGEN05_LAYOUT_SLICE_H

#include "tcgen05/Layout/Layout.h"

#include <cstdint>
#include <vector>

namespace tcgen05 {
namespace layout {

/// Where a slice begins along one dimension: constant + value * multiplier.
struct SliceOrigin {
  int64_t constant = 0;
  /// Zero if the origin is known; positive otherwise.
  int64_t multiplier = 0;
  bool isDynamic() const { return multiplier != 0; }
};

/// How far one step of a dynamic origin moves the slice, along one axis.
struct SliceStep {
  unsigned dim;
  int64_t count;
  Stride stride;
};

struct Slice {
  Layout layout;
  /// One for each dynamic origin and axis that it moves along.
  std::vector<SliceStep> steps;
};

/// Errors name the dimension, and the mode that the slice would cut.
Result<Slice> slice(const Layout &layout,
                    const std::vector<SliceOrigin> &origins,
                    const std::vector<int64_t> &sizes);

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_SLICE_H
