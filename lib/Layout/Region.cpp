//===- Region.cpp - Layouts in a memory of a known size -------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Region.h"

#include "tcgen05/Layout/Placement.h"
#include "tcgen05/Layout/SmemWalk.h"

#include <algorithm>

using namespace tcgen05::layout;

static std::optional<Error> checkBits(int64_t bits) {
  if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
    return std::nullopt;
  return Error{"", "expected elements of 8, 16, 32 or 64 bits, but got " +
                       std::to_string(bits) + " bits"};
}

static std::string spelled(Axis axis) {
  return axis == Axis::Memory ? std::string("memory") : std::string(name(axis));
}

/// Bytes that the swizzle leaves in their place: the XOR works inside of them.
static constexpr int64_t kLineBytes = 128;

/// The position of every element before swizzling, in bytes.
static DigitSum imageOf(const SmemRegion &region) {
  const int64_t bytes = region.bits / 8;
  const AxisOffset &offset = region.layout.offset(Axis::Memory);
  std::vector<Digit> digits;
  digits.reserve(offset.terms.size());
  for (const Term &term : offset.terms)
    digits.push_back({term.count, term.multiplier * bytes});
  for (unsigned dim = 0; dim < region.layout.rank(); ++dim)
    for (const Leaf &leaf : region.layout.coalesced(dim))
      digits.push_back({leaf.extent, leaf.stride.value * bytes});
  return DigitSum(offset.constant * bytes, std::move(digits));
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

std::optional<Error> TmemRegion::check() const {
  if (auto error = checkBits(bits))
    return error;
  if (layout.usesAxis(Axis::Memory))
    return Error{"",
                 "expected axes of a tmem layout to be lane and col, but got " +
                     spelled(Axis::Memory),
                 {"write 1@lane or 1@col"}};
  if (layout.swizzle() != Swizzle::None)
    return Error{"", "expected no swizzle in a tmem layout, but got " +
                         std::string(name(layout.swizzle()))};
  if (columns < kColumnAlign || columns > kColumns ||
      columns % kColumnAlign != 0)
    return Error{"",
                 "expected columns to be a multiple of 4 from 4 to 512, but "
                 "got " +
                     std::to_string(columns)};
  return std::nullopt;
}

std::optional<Error> TmemRegion::checkView() const {
  if (layout.hasTerms())
    return Error{"", "expected the layout of a view to have no run-time terms, "
                     "but got " +
                         layout.str()};
  const int64_t limits[] = {kLanes, columns};
  const Axis axes[] = {Axis::Lane, Axis::Col};
  const char *units[] = {"lane", "column"};
  for (unsigned i = 0; i < 2; ++i) {
    const int64_t low = layout.minPosition(axes[i]);
    const int64_t high = layout.maxPosition(axes[i]);
    if (low < 0 || high >= limits[i])
      return Error{"", "expected image to stay within " +
                           std::to_string(limits[i]) + " " + units[i] +
                           "s, but got " + units[i] + "s " +
                           std::to_string(low) + " to " + std::to_string(high)};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

int64_t SmemRegion::imageBytes() const {
  const DigitSum image = imageOf(*this);
  const int64_t bytes = bits / 8, last = image.max();
  int64_t end = last + bytes;
  if (layout.swizzle() == Swizzle::None)
    return end;
  // Only the last line that is touched can hold the last byte.
  const int64_t inLine = last & (kLineBytes - 1);
  const std::bitset<kLineBytes> deficits = image.deficits<kLineBytes>();
  end = last - inLine;
  for (int64_t k = 0; k <= inLine; ++k)
    if (deficits[static_cast<size_t>(k)])
      end = std::max(end, apply(layout.swizzle(), last - k) + bytes);
  return end;
}

std::optional<Error> SmemRegion::check() const {
  if (auto error = checkBits(bits))
    return error;
  for (Axis axis : {Axis::Lane, Axis::Col})
    if (layout.usesAxis(axis))
      return Error{"",
                   "expected axis of an smem layout to be memory, but got " +
                       spelled(axis)};
  if (!layout.replica().empty())
    return Error{"", "expected no replica in an smem layout, but got " +
                         str(layout.replica())};
  if (align < kDefaultAlign || (align & (align - 1)) != 0)
    return Error{"", "expected align to be a power of two of at least 16 "
                     "bytes, but got " +
                         std::to_string(align)};
  if (storage && (*storage < 1 || *storage >= kSharedBytes))
    return Error{"", "expected storage to be from 1 to 262143 bytes, but got " +
                         std::to_string(*storage)};
  if (!storage)
    if (int64_t bytes = imageBytes(); bytes >= kSharedBytes)
      return Error{"",
                   "expected the image to end below 262144 bytes, but got " +
                       std::to_string(bytes)};
  return std::nullopt;
}

std::optional<Error> SmemRegion::checkView() const {
  if (layout.hasTerms())
    return Error{"", "expected the layout of a view to have no run-time terms, "
                     "but got " +
                         layout.str()};
  if (int64_t low = imageOf(*this).min(); low < 0)
    return Error{"",
                 "expected image to start at byte 0 or later, but got byte " +
                     std::to_string(low)};
  return std::nullopt;
}
