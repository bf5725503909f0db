//===- LayoutSets.cpp - Sets of places, and equivalence -------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Layout.h"

#include <algorithm>
#include <iterator>

namespace tcgen05 {
namespace layout {

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

/// Sets with more distinct replicas are not compared: hardware makes four.
static constexpr size_t kMaxReplicas = 1024;

static bool isMemory(const Leaf &leaf) {
  return leaf.stride.axis == Axis::Memory;
}

/// Where the first of the replicas lies, along an axis: each mode goes as far
/// down as it does.
static int64_t firstReplica(const Layout &layout, Axis axis) {
  int64_t position = 0;
  for (const Leaf &leaf : layout.replicaLeaves())
    if (leaf.stride.axis == axis && leaf.stride.value < 0)
      position += (leaf.extent - 1) * leaf.stride.value;
  return position;
}

TmemDisplacement tmemOrigin(const Layout &layout) {
  return {layout.offset(Axis::Lane).constant + firstReplica(layout, Axis::Lane),
          layout.offset(Axis::Col).constant + firstReplica(layout, Axis::Col)};
}

/// Replicas along lanes and columns, or along memory (as columns), relative to
/// the first of them; empty if there are too many. The digits are independent,
/// so that two layouts have one set if they have both of these.
static std::vector<TmemDisplacement> normalReplicas(const Layout &layout,
                                                    bool inMemory) {
  std::vector<Leaf> leaves;
  for (const Leaf &leaf : layout.replicaLeaves())
    if (isMemory(leaf) == inMemory)
      leaves.push_back(leaf);
  std::vector<TmemDisplacement> set = replicaSet(leaves, kMaxReplicas);
  if (set.empty())
    return set;
  const TmemDisplacement first = set.front();
  for (TmemDisplacement &place : set) {
    place.lane -= first.lane;
    place.col -= first.col;
  }
  return set;
}

bool Layout::equivalentUpToOffset(const Layout &other) const {
  if (swizzle() != other.swizzle())
    return false;
  if (shape() != other.shape())
    return false;
  for (unsigned dim = 0; dim < rank(); ++dim)
    if (coalesced(dim) != other.coalesced(dim))
      return false;
  for (bool inMemory : {false, true}) {
    const std::vector<TmemDisplacement> mine = normalReplicas(*this, inMemory);
    const std::vector<TmemDisplacement> theirs =
        normalReplicas(other, inMemory);
    // Too many to list: only what is written alike is taken to be equal.
    if (mine.empty() || theirs.empty())
      return replicaLeaves() == other.replicaLeaves();
    if (mine != theirs)
      return false;
  }
  return true;
}

bool Layout::containsPlacements(const Layout &other) const {
  for (Axis axis : kAxes) {
    // Offsets count from the first replica, wherever the text starts.
    AxisOffset shifted = other.offset(axis);
    shifted.constant += firstReplica(other, axis) - firstReplica(*this, axis);
    if (!contains(offset(axis), shifted))
      return false;
  }
  return true;
}

bool Layout::equivalent(const Layout &other) const {
  return equivalentUpToOffset(other) && containsPlacements(other) &&
         other.containsPlacements(*this);
}

} // namespace layout
} // namespace tcgen05
