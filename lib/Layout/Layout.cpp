//===- Layout.cpp - Functions from coordinates to places ------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Layout.h"

#include <algorithm>
#include <bitset>
#include <functional>
#include <iterator>
#include <optional>

namespace tcgen05 {
namespace layout {

std::string_view name(Axis axis) {
  constexpr std::array<std::string_view, kNumAxes> names = {"", "lane", "col"};
  return names[static_cast<unsigned>(axis)];
}

static constexpr std::array<Axis, kNumAxes> kAxes = {Axis::Memory, Axis::Lane,
                                                     Axis::Col};

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

/// Magnitudes are compared, so that the least int64 is no special case.
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

//===----------------------------------------------------------------------===//
// Sets and equivalence
//===----------------------------------------------------------------------===//

std::vector<TmemDisplacement> replicaSet(const std::vector<Leaf> &replica,
                                         size_t limit) {
  std::vector<TmemDisplacement> set = {{0, 0}};
  for (const Leaf &leaf : replica) {
    if (leaf.extent == 1 || leaf.stride.value == 0)
      continue;
    // Each step adds a place at least, so the limit bounds all steps together.
    std::vector<TmemDisplacement> next = set;
    const bool lane = leaf.stride.axis == Axis::Lane;
    for (int64_t i = 1; i < leaf.extent; ++i) {
      std::vector<TmemDisplacement> moved = set, both;
      for (TmemDisplacement &place : moved)
        (lane ? place.lane : place.col) += i * leaf.stride.value;
      both.reserve(next.size() + moved.size());
      std::set_union(next.begin(), next.end(), moved.begin(), moved.end(),
                     std::back_inserter(both));
      if (both.size() > limit)
        return {};
      next = std::move(both);
    }
    set = std::move(next);
  }
  return set;
}

/// Spans of offsets that are compared value by value.
static constexpr size_t kMaxSpan = size_t(1) << 20;

static int64_t span(const AxisOffset &offset) {
  int64_t span = 0;
  for (const Term &term : offset.terms)
    span += (term.count - 1) *
            (term.multiplier < 0 ? -term.multiplier : term.multiplier);
  return span;
}

static int64_t least(const AxisOffset &offset) {
  int64_t value = offset.constant;
  for (const Term &term : offset.terms)
    if (term.multiplier < 0)
      value += (term.count - 1) * term.multiplier;
  return value;
}

/// A set of numbers from zero up, one bit each.
using Bits = std::vector<uint64_t>;

/// Word i of the set that holds every member plus `by`.
static uint64_t shiftedWord(const Bits &set, size_t i, size_t by) {
  // Below the first word the index wraps around, and is out of range as well.
  auto at = [&](size_t index) { return index < set.size() ? set[index] : 0; };
  const size_t from = i - by / 64, bits = by % 64;
  return bits == 0 ? at(from) : at(from) << bits | at(from - 1) >> (64 - bits);
}

/// The values of an offset relative to its least one. `set` doubles with the
/// binary digits of the count, so that long terms cost little.
static Bits values(const AxisOffset &offset) {
  Bits set(static_cast<size_t>(span(offset)) / 64 + 1, 0);
  set[0] = 1;
  for (const Term &term : offset.terms) {
    const int64_t step =
        term.multiplier < 0 ? -term.multiplier : term.multiplier;
    for (int64_t reached = 1; reached < term.count;) {
      const int64_t more = std::min(reached, term.count - reached);
      // Downwards: words are read before they change.
      for (size_t i = set.size(); i-- > 0;)
        set[i] |= shiftedWord(set, i, static_cast<size_t>(more * step));
      reached += more;
    }
  }
  return set;
}

bool contains(const AxisOffset &outer, const AxisOffset &inner) {
  const int64_t shift = least(inner) - least(outer);
  if (outer.terms == inner.terms)
    return shift == 0;
  if (shift < 0 || shift + span(inner) > span(outer))
    return false;
  if (static_cast<uint64_t>(span(outer)) >= kMaxSpan)
    return false;
  const Bits all = values(outer), some = values(inner);
  for (size_t i = 0; i < all.size(); ++i)
    if ((shiftedWord(some, i, static_cast<size_t>(shift)) & ~all[i]) != 0)
      return false;
  return true;
}

/// More distinct replicas than lanes times columns make no layout that fits.
static constexpr size_t kMaxReplicas = 1024;

static bool isMemory(const Leaf &leaf) {
  return leaf.stride.axis == Axis::Memory;
}

/// Replicas along lanes and columns, or along memory (as columns), relative to
/// the first of them, and where that one lies. The digits are independent, so
/// that two layouts have one set if they have both of these.
static std::vector<TmemDisplacement> normalReplicas(const Layout &layout,
                                                    TmemDisplacement &first,
                                                    bool inMemory = false) {
  std::vector<Leaf> leaves;
  for (const Leaf &leaf : layout.replicaLeaves())
    if (isMemory(leaf) == inMemory)
      leaves.push_back(leaf);
  std::vector<TmemDisplacement> set = replicaSet(leaves, kMaxReplicas);
  first = set.empty() ? TmemDisplacement{} : set.front();
  for (TmemDisplacement &place : set) {
    place.lane -= first.lane;
    place.col -= first.col;
  }
  return set;
}

TmemDisplacement tmemOrigin(const Layout &layout) {
  TmemDisplacement first;
  normalReplicas(layout, first);
  return {layout.offset(Axis::Lane).constant + first.lane,
          layout.offset(Axis::Col).constant + first.col};
}

bool Layout::equivalentUpToOffset(const Layout &other) const {
  if (swizzle() != other.swizzle())
    return false;
  if (shape() != other.shape())
    return false;
  for (unsigned dim = 0; dim < rank(); ++dim)
    if (coalesced(dim) != other.coalesced(dim))
      return false;
  TmemDisplacement first;
  for (bool inMemory : {false, true}) {
    const std::vector<TmemDisplacement> mine =
        normalReplicas(*this, first, inMemory);
    const std::vector<TmemDisplacement> theirs =
        normalReplicas(other, first, inMemory);
    // Too many to list: only what is written alike is taken to be equal.
    if (mine.empty() || theirs.empty())
      return replicaLeaves() == other.replicaLeaves();
    if (mine != theirs)
      return false;
  }
  return true;
}

bool Layout::containsPlacements(const Layout &other) const {
  // Offsets count from the first replica, wherever the text starts.
  TmemDisplacement mine, theirs, myMemory, theirMemory;
  normalReplicas(*this, mine);
  normalReplicas(other, theirs);
  normalReplicas(*this, myMemory, /*inMemory=*/true);
  normalReplicas(other, theirMemory, /*inMemory=*/true);
  const std::array<int64_t, kNumAxes> shifts = {theirMemory.col - myMemory.col,
                                                theirs.lane - mine.lane,
                                                theirs.col - mine.col};
  for (Axis axis : kAxes) {
    AxisOffset shifted = other.offset(axis);
    shifted.constant += shifts[static_cast<unsigned>(axis)];
    if (!contains(offset(axis), shifted))
      return false;
  }
  return true;
}

bool Layout::equivalent(const Layout &other) const {
  return equivalentUpToOffset(other) && containsPlacements(other) &&
         other.containsPlacements(*this);
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
