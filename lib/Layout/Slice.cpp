//===- Slice.cpp - Sub-regions --------------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Slice.h"

#include <algorithm>
#include <optional>
#include <string>

using namespace tcgen05::layout;

/// Origins up to this many are looked at one by one; beyond that, only those
/// whose multiples never carry from mode to mode are accepted.
static constexpr int64_t kMaxListed = 4096;

namespace {
using Position = std::array<int64_t, kNumAxes>;

/// One dimension: merged modes, outermost first, and the number of coordinates
/// that one step of each spans.
struct Dimension {
  unsigned index;
  int64_t size;
  std::vector<Leaf> modes;
  std::vector<int64_t> spans;

  int64_t digit(size_t mode, int64_t coordinate) const {
    return coordinate / spans[mode] % modes[mode].extent;
  }
  Position position(int64_t coordinate) const {
    Position place = {};
    for (size_t i = 0; i < modes.size(); ++i)
      place[static_cast<unsigned>(modes[i].stride.axis)] +=
          digit(i, coordinate) * modes[i].stride.value;
    return place;
  }
};
} // namespace

static Dimension dimensionOf(const Layout &layout, unsigned index) {
  const std::vector<Leaf> original = layout.leaves(index);
  Dimension dim{index, layout.size(index), layout.coalesced(index), {}};
  // A dimension of one coordinate keeps its stride, whatever it is.
  if (dim.modes.empty())
    dim.modes = {{1, original.back().stride}};
  // Merging forgets where strides of zero do not lead to.
  for (Leaf &mode : dim.modes)
    if (mode.stride.value == 0)
      mode.stride.axis = original.front().stride.axis;
  dim.spans.resize(dim.modes.size());
  int64_t span = 1;
  for (size_t i = dim.modes.size(); i-- > 0;) {
    dim.spans[i] = span;
    span *= dim.modes[i].extent;
  }
  return dim;
}

static std::string inDimension(const Dimension &dim) {
  return " in dimension " + std::to_string(dim.index);
}

static std::string modeText(const Leaf &mode) {
  std::string text = "(" + std::to_string(mode.extent) + " : " +
                     std::to_string(mode.stride.value);
  if (mode.stride.axis != Axis::Memory)
    text += "@" + std::string(name(mode.stride.axis));
  return text + ")";
}

/// Origin and size inside of the dimension; how many values a run-time part
/// may take.
static std::optional<Error> checkBounds(const Dimension &dim,
                                        const SliceOrigin &origin, int64_t size,
                                        int64_t &count) {
  if (size < 1 || size > dim.size)
    return Error{"", "expected slice size" + inDimension(dim) +
                         " to be in 1 to " + std::to_string(dim.size) +
                         ", but got " + std::to_string(size)};
  if (origin.constant < 0 || origin.constant > dim.size - size)
    return Error{"", "expected slice origin" + inDimension(dim) +
                         " to be in 0 to " + std::to_string(dim.size - size) +
                         ", but got " + std::to_string(origin.constant)};
  if (origin.multiplier < 0)
    return Error{"", "expected slice multiplier" + inDimension(dim) +
                         " to be positive, but got " +
                         std::to_string(origin.multiplier)};
  count = origin.isDynamic()
              ? (dim.size - size - origin.constant) / origin.multiplier + 1
              : 1;
  return std::nullopt;
}

/// The mode that `size`, which is in bounds, ends in: those inside of it are
/// taken whole.
static size_t endingMode(const Dimension &dim, int64_t size) {
  size_t mode = dim.modes.size() - 1;
  while (size > dim.spans[mode] * dim.modes[mode].extent)
    --mode;
  return mode;
}

static Error cut(const Dimension &dim, const std::string &what,
                 const Leaf &mode) {
  return Error{"", "expected slice " + what + inDimension(dim) +
                       " to leave mode " + modeText(mode) +
                       " whole, but it cuts it"};
}

/// The origins at which the slice is the same function but for an offset, and
/// moves by the same step from each to the next. The step is written if there
/// is a second one.
static std::optional<Error> checkOrigins(const Dimension &dim,
                                         const SliceOrigin &origin,
                                         int64_t size, int64_t count,
                                         Position &step) {
  const size_t last = endingMode(dim, size);
  const Leaf &mode = dim.modes[last];
  if (size % dim.spans[last] != 0)
    return cut(dim, "size " + std::to_string(size), dim.modes[last + 1]);
  const int64_t taken = size / dim.spans[last];

  const Position first = dim.position(origin.constant);
  auto originText = [&](int64_t value) {
    return "origin " +
           std::to_string(origin.constant + value * origin.multiplier);
  };
  auto checkOne = [&](int64_t value) -> std::optional<Error> {
    const int64_t coordinate = origin.constant + value * origin.multiplier;
    if (coordinate % dim.spans[last] != 0)
      return cut(dim, originText(value), dim.modes[last + 1]);
    if (dim.digit(last, coordinate) + taken > mode.extent)
      return cut(dim, originText(value), mode);
    const Position place = dim.position(coordinate);
    for (unsigned axis = 0; axis < kNumAxes; ++axis) {
      if (value == 1)
        step[axis] = place[axis] - first[axis];
      if (value > 0 && place[axis] - first[axis] != value * step[axis])
        return Error{"", "expected slice origins" + inDimension(dim) +
                             " to lie one stride apart, but " +
                             originText(value) + " crosses into another mode"};
    }
    return std::nullopt;
  };
  if (count <= kMaxListed) {
    for (int64_t value = 0; value < count; ++value)
      if (auto error = checkOne(value))
        return error;
    return std::nullopt;
  }
  // Too many to look at: without a carry the last origin proves all others.
  for (size_t i = 0; i < dim.modes.size(); ++i) {
    const int64_t by = dim.digit(i, origin.multiplier);
    const int64_t room =
        dim.modes[i].extent - 1 - dim.digit(i, origin.constant);
    if (by != 0 && (count - 1) > room / by)
      return Error{"", "expected slice origins" + inDimension(dim) +
                           " to lie one stride apart, but they cross mode " +
                           modeText(dim.modes[i])};
  }
  for (int64_t value : {int64_t(0), int64_t(1), count - 1})
    if (auto error = checkOne(value))
      return error;
  return std::nullopt;
}

static Mode modeOf(const Dimension &dim, int64_t size) {
  const size_t last = endingMode(dim, size);
  std::vector<Mode> modes;
  for (size_t i = last; i < dim.modes.size(); ++i) {
    Mode mode;
    mode.extent = i == last ? size / dim.spans[last] : dim.modes[i].extent;
    mode.stride = dim.modes[i].stride;
    modes.push_back(std::move(mode));
  }
  if (modes.size() == 1)
    return modes.front();
  Mode nested;
  nested.children = std::move(modes);
  return nested;
}

static std::optional<Error> checkRank(const Layout &layout, const char *what,
                                      size_t got) {
  if (got == layout.rank())
    return std::nullopt;
  return Error{"", std::string("expected a slice ") + what + " for each of " +
                       std::to_string(layout.rank()) + " dimensions, but got " +
                       std::to_string(got)};
}

Result<Slice> tcgen05::layout::slice(const Layout &layout,
                                     const std::vector<SliceOrigin> &origins,
                                     const std::vector<int64_t> &sizes) {
  if (auto error = checkRank(layout, "origin", origins.size()))
    return *error;
  if (auto error = checkRank(layout, "size", sizes.size()))
    return *error;
  Layout::Parts parts = layout.getParts();
  std::vector<SliceStep> steps;
  for (unsigned i = 0; i < layout.rank(); ++i) {
    const Dimension dim = dimensionOf(layout, i);
    int64_t count = 1;
    if (auto error = checkBounds(dim, origins[i], sizes[i], count))
      return *error;
    Position step{}; // of the second origin, if there is one
    if (auto error = checkOrigins(dim, origins[i], sizes[i], count, step))
      return *error;
    const Position start = dim.position(origins[i].constant);
    for (unsigned axis = 0; axis < kNumAxes; ++axis) {
      parts.offset[axis].constant += start[axis];
      if (step[axis] == 0)
        continue;
      parts.offset[axis].terms.push_back({count, step[axis]});
      steps.push_back({i, count, {step[axis], static_cast<Axis>(axis)}});
    }
    parts.dims[i] = modeOf(dim, sizes[i]);
  }
  Result<Layout> result = Layout::create(std::move(parts));
  if (!result)
    return result.error();
  return Slice{*result, std::move(steps)};
}
