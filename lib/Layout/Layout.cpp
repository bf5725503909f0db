//===- Layout.cpp - Functions from coordinates to places ------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Layout.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace tcgen05 {
namespace layout {

std::string_view name(Axis axis) {
  constexpr std::array<std::string_view, kNumAxes> names = {"", "lane", "col"};
  return names[static_cast<unsigned>(axis)];
}

//===----------------------------------------------------------------------===//
// Checks of `create`
//===----------------------------------------------------------------------===//

static Error malformed(std::string message) { return {"", std::move(message)}; }

static Error overflow(const std::string &what) {
  return malformed("expected " + what +
                   " to stay within 2^56, but it overflows");
}

/// a * b for a > 0 and b >= 0, or nothing above `limit`.
static std::optional<int64_t> multiply(int64_t a, int64_t b, int64_t limit) {
  if (b > limit / a)
    return std::nullopt;
  return a * b;
}

static bool isBounded(int64_t value) {
  return value >= -kMaxPosition && value <= kMaxPosition;
}

/// (count - 1) * step, or nothing beyond the bound.
static std::optional<int64_t> reach(int64_t count, int64_t step) {
  if (count == 1 || step == 0)
    return 0;
  if (!isBounded(step))
    return std::nullopt;
  std::optional<int64_t> far =
      multiply(count - 1, step < 0 ? -step : step, kMaxPosition);
  if (far && step < 0)
    return -*far;
  return far;
}

static std::optional<Error> checkMode(const Mode &mode, unsigned depth) {
  if (depth > kMaxDepth)
    return malformed("expected nesting of at most 16 parentheses, but got " +
                     std::to_string(depth));
  if (mode.isLeaf()) {
    if (mode.extent < 1)
      return malformed("expected extent to be positive, but got " +
                       std::to_string(mode.extent));
    // The least int64 has no text: its magnitude does not fit.
    if (mode.stride.value == INT64_MIN ||
        !reach(mode.extent, mode.stride.value))
      return overflow("stride times extent");
    return std::nullopt;
  }
  for (const Mode &child : mode.children)
    if (auto error = checkMode(child, depth + (child.isLeaf() ? 0 : 1)))
      return error;
  return std::nullopt;
}

static void appendLeaves(const Mode &mode, std::vector<Leaf> &leaves) {
  if (mode.isLeaf())
    leaves.push_back({mode.extent, mode.stride});
  for (const Mode &child : mode.children)
    appendLeaves(child, leaves);
}

static std::vector<Leaf> leavesOf(const std::vector<Mode> &modes) {
  std::vector<Leaf> leaves;
  for (const Mode &mode : modes)
    appendLeaves(mode, leaves);
  return leaves;
}

/// Terms with one value go into the constant, multipliers descend.
static std::optional<Error> normalise(AxisOffset &offset) {
  for (const Term &term : offset.terms) {
    if (term.count < 1)
      return malformed("expected the number of values of an offset term to be "
                       "positive, but got " +
                       std::to_string(term.count));
    if (!reach(term.count, term.multiplier))
      return overflow("offset term");
  }
  auto single = [](const Term &term) {
    return term.count == 1 || term.multiplier == 0;
  };
  offset.terms.erase(
      std::remove_if(offset.terms.begin(), offset.terms.end(), single),
      offset.terms.end());
  std::sort(offset.terms.begin(), offset.terms.end(),
            [](const Term &a, const Term &b) {
              return a.multiplier != b.multiplier ? a.multiplier > b.multiplier
                                                  : a.count > b.count;
            });
  if (offset.terms.size() > kMaxTerms)
    return malformed("expected at most 256 terms in an offset, but got " +
                     std::to_string(offset.terms.size()));
  if (!isBounded(offset.constant))
    return overflow("offset");
  return std::nullopt;
}

Result<Layout> Layout::create(Parts parts) {
  if (parts.dims.empty())
    return malformed("expected layout to have at least one dimension");
  if (parts.dims.size() > kMaxRank)
    return malformed("expected layout to have at most 16 dimensions, but got " +
                     std::to_string(parts.dims.size()));
  if (parts.replica.size() > kMaxRank)
    return malformed("expected at most 16 replica modes, but got " +
                     std::to_string(parts.replica.size()));
  int64_t total = 1;
  for (const std::vector<Mode> *modes : {&parts.dims, &parts.replica})
    for (const Mode &mode : *modes) {
      if (auto error = checkMode(mode, mode.isLeaf() ? 0 : 1))
        return *error;
      std::vector<Leaf> leaves;
      appendLeaves(mode, leaves);
      for (const Leaf &leaf : leaves) {
        std::optional<int64_t> product =
            multiply(total, leaf.extent, INT64_MAX);
        if (!product)
          return malformed("expected the product of all extents to be below "
                           "2^63, but it overflows");
        total = *product;
      }
    }
  for (AxisOffset &offset : parts.offset)
    if (auto error = normalise(offset))
      return *error;

  // Every partial sum lies between the extremes, so these are all there is to
  // check. Each reach is at most 2^56 and there may be many: add with care.
  std::vector<Leaf> leaves = leavesOf(parts.dims);
  std::vector<Leaf> replicas = leavesOf(parts.replica);
  leaves.insert(leaves.end(), replicas.begin(), replicas.end());
  for (Axis axis : kAxes) {
    const AxisOffset &offset = parts.offset[static_cast<unsigned>(axis)];
    std::vector<int64_t> reaches;
    for (const Leaf &leaf : leaves)
      if (leaf.stride.axis == axis)
        reaches.push_back(*reach(leaf.extent, leaf.stride.value));
    for (const Term &term : offset.terms)
      reaches.push_back(*reach(term.count, term.multiplier));
    int64_t low = offset.constant, high = offset.constant;
    for (int64_t far : reaches) {
      (far < 0 ? low : high) += far;
      if (!isBounded(low) || !isBounded(high))
        return overflow("positions");
    }
  }
  return Layout(std::move(parts));
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool Layout::hasTerms() const {
  return std::any_of(
      parts.offset.begin(), parts.offset.end(),
      [](const AxisOffset &offset) { return !offset.terms.empty(); });
}

int64_t Layout::size(unsigned dim) const {
  int64_t size = 1;
  for (const Leaf &leaf : leaves(dim))
    size *= leaf.extent;
  return size;
}

std::vector<int64_t> Layout::shape() const {
  std::vector<int64_t> shape;
  shape.reserve(rank());
  for (unsigned dim = 0; dim < rank(); ++dim)
    shape.push_back(size(dim));
  return shape;
}

std::vector<Leaf> Layout::leaves(unsigned dim) const {
  std::vector<Leaf> leaves;
  appendLeaves(parts.dims[dim], leaves);
  return leaves;
}

std::vector<Leaf> Layout::replicaLeaves() const {
  return leavesOf(parts.replica);
}

std::vector<Leaf> Layout::coalesced(unsigned dim) const {
  std::vector<Leaf> merged; // innermost first
  std::vector<Leaf> modes = leaves(dim);
  for (size_t i = modes.size(); i-- > 0;) {
    Leaf leaf = modes[i];
    if (leaf.extent == 1)
      continue;
    if (leaf.stride.value == 0)
      leaf.stride.axis = Axis::Memory; // leads nowhere, on any axis
    if (!merged.empty()) {
      Leaf &inner = merged.back();
      // The product is bounded: it is the reach of `inner` plus one stride.
      if (inner.stride.axis == leaf.stride.axis &&
          leaf.stride.value == inner.stride.value * inner.extent) {
        inner.extent *= leaf.extent;
        continue;
      }
    }
    merged.push_back(leaf);
  }
  std::reverse(merged.begin(), merged.end());
  return merged;
}

Result<Layout>
Layout::withOffset(std::array<AxisOffset, kNumAxes> offset) const {
  Parts changed = parts;
  changed.offset = std::move(offset);
  return create(std::move(changed));
}

Result<Layout> Layout::withSwizzle(Swizzle swizzle) const {
  Parts changed = parts;
  changed.swizzle = swizzle;
  return create(std::move(changed));
}

/// The extreme position along an axis: the sum of what reaches that way.
static int64_t extreme(const Layout &layout, Axis axis, bool up) {
  int64_t position = layout.offset(axis).constant;
  auto add = [&](int64_t count, int64_t step) {
    if ((step > 0) == up)
      position += (count - 1) * step;
  };
  for (const Term &term : layout.offset(axis).terms)
    add(term.count, term.multiplier);
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    for (const Leaf &leaf : layout.leaves(dim))
      if (leaf.stride.axis == axis)
        add(leaf.extent, leaf.stride.value);
  for (const Leaf &leaf : layout.replicaLeaves())
    if (leaf.stride.axis == axis)
      add(leaf.extent, leaf.stride.value);
  return position;
}

int64_t Layout::minPosition(Axis axis) const {
  return extreme(*this, axis, /*up=*/false);
}
int64_t Layout::maxPosition(Axis axis) const {
  return extreme(*this, axis, /*up=*/true);
}

bool Layout::usesAxis(Axis axis) const {
  if (!offset(axis).isZero())
    return true;
  auto names = [&](const Leaf &leaf) { return leaf.stride.axis == axis; };
  for (unsigned dim = 0; dim < rank(); ++dim) {
    std::vector<Leaf> modes = leaves(dim);
    if (std::any_of(modes.begin(), modes.end(), names))
      return true;
  }
  std::vector<Leaf> copies = replicaLeaves();
  return std::any_of(copies.begin(), copies.end(), names);
}

size_t Layout::hash() const {
  size_t seed = parts.dims.size();
  auto mix = [&](int64_t value) {
    seed ^= std::hash<int64_t>()(value) + 0x9e3779b97f4a7c15ULL + (seed << 6) +
            (seed >> 2);
  };
  for (const std::vector<Mode> *modes : {&parts.dims, &parts.replica}) {
    mix(static_cast<int64_t>(modes->size()));
    for (const Leaf &leaf : leavesOf(*modes)) {
      mix(leaf.extent);
      mix(leaf.stride.value);
      mix(static_cast<int64_t>(leaf.stride.axis));
    }
  }
  for (const AxisOffset &offset : parts.offset) {
    mix(offset.constant);
    for (const Term &term : offset.terms) {
      mix(term.count);
      mix(term.multiplier);
    }
  }
  mix(static_cast<int64_t>(mode(parts.swizzle)));
  return seed;
}

} // namespace layout
} // namespace tcgen05
