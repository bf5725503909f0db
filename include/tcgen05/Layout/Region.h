//===- Region.h - Layouts in a memory of a known size -----------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region is a layout together with what is known of the memory under it: how
// many columns it may use, how its address is aligned, how many bytes belong to
// it. These are the parameters of `!tcgen05.tmem` and `!tcgen05.smem`, and the
// operands of `planCp`.
//
// `check` says whether the parameters make sense at all (a type error);
// `checkView` whether a region may be made from a bare address (the image lies
// in the memory that is there). Whether an instruction may use it is a plan's
// question.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_REGION_H
#define TCGEN05_LAYOUT_REGION_H

#include "tcgen05/Layout/Layout.h"
#include "tcgen05/Layout/TmemAddress.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcgen05 {
namespace layout {

/// Tensor memory that a layout leads into: `columns` of them, counted from the
/// view's address, as elements of `bits`.
struct TmemRegion {
  Layout layout;
  int64_t bits = 32;
  int64_t columns = kColumns;
  /// How messages name the element type; `N bits` if empty.
  std::string element = {};

  /// Axes lane and col only, no swizzle, columns a multiple of 4 up to 512.
  std::optional<Error> check() const;
  /// No run-time terms; the image, replicas included, inside 128 lanes and
  /// `columns`.
  std::optional<Error> checkView() const;
};

inline constexpr int64_t kDefaultAlign = 16;

/// Shared memory that a layout leads into, as elements of `bits`, from an
/// address that is a multiple of `align` bytes.
struct SmemRegion {
  Layout layout;
  int64_t bits = 32;
  int64_t align = kDefaultAlign;
  /// Bytes that belong to the region; the image if absent.
  std::optional<int64_t> storage = std::nullopt;
  std::string element = {};

  /// Memory axis only, no replica, a power of two of at least 16 for `align`,
  /// storage below 2^18.
  std::optional<Error> check() const;
  /// No run-time terms; no byte of the image below byte 0.
  std::optional<Error> checkView() const;

  /// One past the last byte of the swizzled image, over all placements.
  int64_t imageBytes() const;
  int64_t storageBytes() const { return storage ? *storage : imageBytes(); }
};

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_REGION_H
