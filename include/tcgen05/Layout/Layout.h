//===- Layout.h - Functions from coordinates to places ----------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout maps a coordinate to one or more places. A place is a position on
// each of three axes: `lane` and `col` (tensor memory: 128 lanes by 512 columns
// of 32 bits) and memory (shared memory, counted in elements, no suffix).
//
//   [128, 4] : [1@lane, 1@col]          row r, word w lies in lane r, column w
//   [(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]
//                                       row r lies in lane 64*(r/32) + r%32,
//                                       and once more 32 lanes further
//   [16, 128, 4] : [512, 4, 1], offset [?6*8192 + 64], swizzle 128B
//                                       shared memory, from one of six stages
//
// A dimension is one mode (`extent : stride`) or a nested tuple of modes, the
// last varying fastest. Dimensions add up: the place of (i, j) is
// offset + f(i) + g(j), and so is each replica of it. That is why the rules of
// this project can be decided by looking at one dimension at a time, and why
// they are decided exactly. The swizzle comes last, on the absolute byte
// address (Swizzle.h).
//
// An offset may hold bounded terms: `?6*512` is 512 * i for some i, 0 <= i < 6,
// known only when the program runs. A layout therefore stands for a finite set
// of placements, and is legal for an instruction if every one of them is.
//
// Layouts are values. `==` compares the text; `equivalent` the functions.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_LAYOUT_H
#define TCGEN05_LAYOUT_LAYOUT_H

#include "tcgen05/Layout/Result.h"
#include "tcgen05/Layout/Swizzle.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tcgen05 {
namespace layout {

/// Where a stride leads. `Memory` is written without a suffix.
enum class Axis : uint8_t { Memory = 0, Lane = 1, Col = 2 };
inline constexpr unsigned kNumAxes = 3;
inline constexpr std::array<Axis, kNumAxes> kAxes = {Axis::Memory, Axis::Lane,
                                                     Axis::Col};

/// `lane`, `col`, or the empty string for memory.
std::string_view name(Axis axis);

/// Nesting (counted in parentheses), rank, replica modes (as many as the rank)
/// and terms of an offset along an axis are bounded, so that no text can
/// exhaust the stack or take long to decide.
inline constexpr unsigned kMaxDepth = 16;
inline constexpr unsigned kMaxRank = 16;
inline constexpr unsigned kMaxTerms = 256;
/// Positions beyond this are malformed. It is far above everything that shared
/// or tensor memory can hold, and low enough for byte arithmetic in 64 bits.
inline constexpr int64_t kMaxPosition = int64_t(1) << 56;

/// A step along one axis: lanes, columns, or elements of memory.
struct Stride {
  int64_t value = 0;
  Axis axis = Axis::Memory;
  friend bool operator==(const Stride &a, const Stride &b) {
    return a.value == b.value && a.axis == b.axis;
  }
};

/// One mode (`extent : stride`), or a tuple of modes if `children` is not
/// empty. The children's order is that of the text: the last varies fastest.
struct Mode {
  int64_t extent = 1;
  Stride stride;
  std::vector<Mode> children = {};

  bool isLeaf() const { return children.empty(); }
  friend bool operator==(const Mode &a, const Mode &b) {
    return a.children == b.children &&
           (!a.isLeaf() || (a.extent == b.extent && a.stride == b.stride));
  }
};

/// A mode without children: the flat view that all arithmetic works on.
struct Leaf {
  int64_t extent;
  Stride stride;
  friend bool operator==(const Leaf &a, const Leaf &b) {
    return a.extent == b.extent && a.stride == b.stride;
  }
};

/// `?count*multiplier`: multiplier * i for one i in [0, count).
struct Term {
  int64_t count;
  int64_t multiplier;
  friend bool operator==(const Term &a, const Term &b) {
    return a.count == b.count && a.multiplier == b.multiplier;
  }
};

/// The offset along one axis: a constant and bounded run-time terms. Normal
/// form: every term takes at least two values, multipliers descend.
struct AxisOffset {
  int64_t constant = 0;
  std::vector<Term> terms = {};
  bool isZero() const { return constant == 0 && terms.empty(); }
  friend bool operator==(const AxisOffset &a, const AxisOffset &b) {
    return a.constant == b.constant && a.terms == b.terms;
  }
};

/// A function from coordinates to places, as above: immutable, and whatever
/// there is of it is well formed.
class Layout {
public:
  /// What `create` checks and brings into normal form.
  struct Parts {
    std::vector<Mode> dims;
    std::vector<Mode> replica;
    std::array<AxisOffset, kNumAxes> offset;
    Swizzle swizzle = Swizzle::None;
  };

  /// A layout of rank zero, which no text spells. Use `create` or `parse`.
  Layout() = default;

  /// Checks extents, the bounds above and overflow; normalises the offset.
  /// Errors have no rule: the layout is malformed.
  static Result<Layout> create(Parts parts);

  /// Reads the text of a layout, without the brackets of the attribute:
  /// `[128, 4] : [1@lane, 1@col]`. Errors say what was expected and where.
  static Result<Layout> parse(std::string_view text);

  /// The text, in normal form. `parse(str())` gives the layout back.
  std::string str() const;

  unsigned rank() const { return parts.dims.size(); }
  const std::vector<Mode> &dims() const { return parts.dims; }
  const std::vector<Mode> &replica() const { return parts.replica; }
  const AxisOffset &offset(Axis axis) const {
    return parts.offset[static_cast<unsigned>(axis)];
  }
  Swizzle swizzle() const { return parts.swizzle; }
  bool hasTerms() const;
  const Parts &getParts() const { return parts; }

  /// The product of the extents of a dimension.
  int64_t size(unsigned dim) const;
  /// All of them.
  std::vector<int64_t> shape() const;
  /// The modes of a dimension, outermost first.
  std::vector<Leaf> leaves(unsigned dim) const;
  /// The modes of a dimension with modes of extent one dropped and modes that
  /// are one stride merged. Two dimensions are equal functions of their linear
  /// index exactly if these lists are equal.
  std::vector<Leaf> coalesced(unsigned dim) const;
  /// The modes of the replicas, outermost first.
  std::vector<Leaf> replicaLeaves() const;

  /// The same layout with another offset or swizzle.
  Result<Layout> withOffset(std::array<AxisOffset, kNumAxes> offset) const;
  Result<Layout> withSwizzle(Swizzle swizzle) const;

  /// The least and the greatest position along `axis`, over all coordinates,
  /// replicas and values of the terms, before swizzling.
  int64_t minPosition(Axis axis) const;
  int64_t maxPosition(Axis axis) const;
  /// True if a stride, replica or offset names `axis` (strides of modes of
  /// extent one included).
  bool usesAxis(Axis axis) const;

  /// True if both are the same function: equal places, replicas as sets, for
  /// every coordinate, over the same set of placements. The swizzles must be
  /// equal, since a layout does not know the size of its elements. Of more than
  /// 1024 distinct replicas, only those that are written alike are equal.
  bool equivalent(const Layout &other) const;
  /// As `equivalent`, the offsets aside.
  bool equivalentUpToOffset(const Layout &other) const;
  /// True if every placement of `other` is one of this layout, where both are
  /// equivalent up to the offset. Exact as `contains` below is.
  bool containsPlacements(const Layout &other) const;

  size_t hash() const;
  friend bool operator==(const Layout &a, const Layout &b) {
    return a.parts.dims == b.parts.dims && a.parts.replica == b.parts.replica &&
           a.parts.offset == b.parts.offset &&
           a.parts.swizzle == b.parts.swizzle;
  }
  friend bool operator!=(const Layout &a, const Layout &b) { return !(a == b); }

private:
  explicit Layout(Parts parts) : parts(std::move(parts)) {}
  Parts parts;
};

/// A displacement in tensor memory.
struct TmemDisplacement {
  int64_t lane = 0;
  int64_t col = 0;
  friend bool operator==(TmemDisplacement a, TmemDisplacement b) {
    return a.lane == b.lane && a.col == b.col;
  }
  friend bool operator<(TmemDisplacement a, TmemDisplacement b) {
    return a.lane != b.lane ? a.lane < b.lane : a.col < b.col;
  }
};

/// The distinct displacements of the replicas, ascending, or an empty list if
/// there are more than `limit` of them.
std::vector<TmemDisplacement> replicaSet(const std::vector<Leaf> &replica,
                                         size_t limit);

/// Where coordinate zero of a layout of tensor memory lies, run-time terms
/// aside: the constant offset, at the first of the replicas.
TmemDisplacement tmemOrigin(const Layout &layout);

/// The values that an offset can take, as a set: true if every value of
/// `inner` is one of `outer`. Exact for spans below 2^20 and for offsets that
/// differ in their constants only; beyond that, false.
bool contains(const AxisOffset &outer, const AxisOffset &inner);

/// Text of a list of modes, for messages: `[4 : 32@lane]`.
std::string str(const std::vector<Mode> &replica);

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_LAYOUT_H
