//===- TmemRules.cpp - Rules on the destination: C5 to C9 -----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <algorithm>
#include <array>

namespace tcgen05 {
namespace layout {
namespace cp {

//===----------------------------------------------------------------------===//
// C5: replicas
//===----------------------------------------------------------------------===//

/// The displacements that the hardware gives the copies of a row.
static std::vector<TmemDisplacement> replicasOf(const CpAtom &atom) {
  std::vector<TmemDisplacement> set;
  set.reserve(atom.replicas);
  for (int64_t i = 0; i < atom.replicas; ++i)
    set.push_back({i * atom.replicaStride, 0});
  return set;
}

/// Replicas as a set relative to the first of them, which lies at `first`.
static std::vector<TmemDisplacement> relative(const Layout &layout,
                                              TmemDisplacement &first) {
  size_t limit = 1;
  for (const CpAtom &atom : kCpAtoms)
    limit = std::max(limit, static_cast<size_t>(atom.replicas));
  std::vector<TmemDisplacement> set = replicaSet(layout.replicaLeaves(), limit);
  if (!set.empty())
    first = set.front();
  for (TmemDisplacement &place : set) {
    place.lane -= first.lane;
    place.col -= first.col;
  }
  return set;
}

static std::optional<Error> checkReplicas(const Layout &layout,
                                          const CpAtom &atom,
                                          TmemDisplacement &first) {
  const std::vector<TmemDisplacement> set = relative(layout, first);
  if (set == replicasOf(atom))
    return std::nullopt;
  const std::string got =
      layout.replica().empty() ? "none" : str(layout.replica());
  Error error{"C5", atom.multicast.empty()
                        ? "expected no dst replica for " +
                              std::string(atom.shape) + ", but got " + got
                        : "expected dst replica " + atom.replicaStr() +
                              " for " + std::string(atom.multicast) +
                              ", but got " + got};
  for (const CpAtom &other : kCpAtoms)
    if (other.words == atom.words && set == replicasOf(other) &&
        other.replicas > 1)
      error.notes.push_back("this replica is that of " + other.str());
  return error;
}

//===----------------------------------------------------------------------===//
// C6: rows and words
//===----------------------------------------------------------------------===//

namespace {
/// Where each row and each word lies, relative to row 0 and word 0. The place
/// of a point is the sum of its row's and its word's.
struct Footprint {
  std::vector<TmemDisplacement> rows, words;
  bool operator==(const Footprint &other) const {
    return rows == other.rows && words == other.words;
  }
};
} // namespace

static Footprint footprint(const Layout &layout, const CpAtom &atom) {
  Footprint result;
  const std::vector<Leaf> rows = layout.leaves(layout.rank() - 2);
  const std::vector<Leaf> words = layout.leaves(layout.rank() - 1);
  for (int64_t r = 0; r < atom.rows; ++r)
    result.rows.push_back(
        {evaluate(rows, r, Axis::Lane), evaluate(rows, r, Axis::Col)});
  for (int64_t w = 0; w < atom.words; ++w)
    result.words.push_back(
        {evaluate(words, w, Axis::Lane), evaluate(words, w, Axis::Col)});
  return result;
}

static Footprint footprintOf(const CpAtom &atom) {
  Footprint result;
  for (int64_t r = 0; r < atom.rows; ++r)
    result.rows.push_back({atom.lane(r), 0});
  for (int64_t w = 0; w < atom.words; ++w)
    result.words.push_back({0, w});
  return result;
}

static std::optional<Error> checkRows(const Layout &layout, const CpAtom &atom,
                                      TmemDisplacement origin) {
  const Footprint got = footprint(layout, atom), want = footprintOf(atom);
  if (got == want)
    return std::nullopt;
  // The first wrong point lies in row 0 or has word 0. The first wrong row is
  // in the wrong lane, since no two rows share one, and wrong as a whole.
  Error error{"C6", ""};
  const auto [word, wantWord] =
      std::mismatch(got.words.begin(), got.words.end(), want.words.begin());
  if (word == got.words.end()) {
    const auto [row, wantRow] =
        std::mismatch(got.rows.begin(), got.rows.end(), want.rows.begin());
    error.message = "expected dst row " +
                    std::to_string(row - got.rows.begin()) + " in lane " +
                    std::to_string(origin.lane + wantRow->lane) + " for " +
                    atom.str() + ", but got lane " +
                    std::to_string(origin.lane + row->lane);
  } else {
    const bool inLane = word->lane == 0;
    error.message =
        "expected dst row 0, word " + std::to_string(word - got.words.begin()) +
        (inLane ? " in column " + std::to_string(origin.col + wantWord->col)
                : " in lane " + std::to_string(origin.lane)) +
        " for " + atom.str() + ", but got " +
        (inLane ? "column " + std::to_string(origin.col + word->col)
                : "lane " + std::to_string(origin.lane + word->lane));
  }
  for (const CpAtom &other : kCpAtoms)
    if (got == footprintOf(other))
      error.notes.push_back("this mapping is " + other.str());
  return error;
}

//===----------------------------------------------------------------------===//
// C7 and C8: origins
//===----------------------------------------------------------------------===//

/// `last` is the last column that C8 leaves for an origin.
static std::optional<Error> checkColumns(const Origins &cols, int64_t last) {
  std::bitset<kColumnAlign> bad;
  bad.set();
  bad.reset(0);
  auto witness = cols.sum().firstResidueIn<kColumnAlign>(bad);
  if (!witness)
    return std::nullopt;
  const int64_t got = cols.sum().at(*witness);
  const int64_t below =
      got - (got % kColumnAlign + kColumnAlign) % kColumnAlign;
  Error error{
      "C7", "expected dst column origin to be a multiple of 4, but got " +
                std::to_string(got) + cols.whereSum(*witness, "column origin")};
  if (last < 0)
    return error; // no column is legal
  // Those that C8 takes as well.
  const int64_t low = std::clamp<int64_t>(below, 0, last);
  const int64_t high = std::clamp<int64_t>(below + kColumnAlign, 0, last);
  error.notes.push_back(
      low == high ? "the nearest legal column is " + std::to_string(low)
                  : "the nearest legal columns are " + std::to_string(low) +
                        " and " + std::to_string(high));
  return error;
}

/// One half of C8: origins and what extends from them stay in [0, limit).
static std::optional<Error> checkBounds(const Origins &origins, int64_t extent,
                                        int64_t limit, const char *unit) {
  auto low = origins.sum().firstBelow(0);
  auto high = origins.sum().firstAbove(limit - extent);
  if (!low && !high)
    return std::nullopt;
  // The first in issue order.
  const Witness &witness = !high || (low && *low < *high) ? *low : *high;
  const int64_t first = origins.sum().at(witness);
  return Error{"C8", "expected dst to stay within " + std::to_string(limit) +
                         " " + unit + "s, but got " + unit + "s " +
                         std::to_string(first) + " to " +
                         std::to_string(first + extent - 1) +
                         origins.where(witness)};
}

//===----------------------------------------------------------------------===//
// C9: no cell twice
//===----------------------------------------------------------------------===//

/// Copies are unordered, so no two of one CTA may write the same cell. All have
/// the same footprint: two collide if their lane origins are equal (the rows of
/// all atoms but 4x256b cover all lanes, and those of 4x256b are 32 apart, as
/// their origins are less than 32 apart by C8) and their columns overlap. There
/// is room for 32 * 128 of them at the most, so the search ends soon.
static std::optional<Error> checkOverlap(const CpPlan &plan) {
  const std::vector<GroupAxis> kinds = groupAxes(plan.scope);
  std::vector<const CpAxis *> axes;
  axes.reserve(plan.groups.size() + plan.repeats.size());
  for (const CpAxis &axis : plan.groups)
    axes.push_back(&axis);
  for (const CpAxis &axis : plan.repeats)
    axes.push_back(&axis);
  if (std::all_of(axes.begin(), axes.end(),
                  [](const CpAxis *axis) { return axis->extent == 1; }))
    return std::nullopt;

  constexpr int64_t kLaneOrigins = 32, kBlocks = kColumns / kColumnAlign;
  const int64_t lanes = plan.opcode.atom.rowStride > 1 ? kLaneOrigins : 1;
  const int64_t width = plan.opcode.atom.words / kColumnAlign;
  // The issue that writes each block of four columns, plus one.
  std::vector<int32_t> writer(static_cast<size_t>(lanes * kBlocks), 0);
  std::vector<std::vector<int64_t>> issued;
  std::vector<int64_t> coordinates(axes.size(), 0);
  for (;;) {
    // Terms and ranks move all issues alike: take them as zero.
    int64_t lane = plan.origin.lane, col = plan.origin.col;
    for (size_t i = 0; i < axes.size(); ++i) {
      lane += evaluate(axes[i]->dst, coordinates[i], Axis::Lane);
      col += evaluate(axes[i]->dst, coordinates[i], Axis::Col);
    }
    issued.push_back(coordinates);
    for (int64_t block = 0; block < width; ++block) {
      // In range: C8 has looked at the origin with all terms zero as well.
      const int64_t column = col / kColumnAlign + block;
      int32_t &cell = writer[static_cast<size_t>(lane * kBlocks + column)];
      if (cell == 0) {
        cell = static_cast<int32_t>(issued.size());
        continue;
      }
      const std::vector<int64_t> &other = issued[static_cast<size_t>(cell - 1)];
      const std::string a = nameIssue(plan, other);
      const std::string b = nameIssue(plan, coordinates);
      const std::string_view plural = "repeat ";
      const bool onlyRepeats = kinds.empty();
      return Error{"C9",
                   std::string("expected ") +
                       (onlyRepeats ? "repeats" : "group members and repeats") +
                       " to write distinct cells, but " +
                       (onlyRepeats ? "repeats " + a.substr(plural.size()) +
                                          " and " + b.substr(plural.size())
                                    : a + " and " + b) +
                       " both write lane " + std::to_string(lane) +
                       ", column " + std::to_string(column * kColumnAlign),
                   {"copies are not ordered among each other"}};
    }
    size_t i = axes.size();
    while (i-- > 0) {
      if (i < kinds.size() && kinds[i] == GroupAxis::Rank)
        continue; // each rank has a tensor memory of its own
      if (++coordinates[i] < axes[i]->extent)
        break;
      coordinates[i] = 0;
    }
    if (i == static_cast<size_t>(-1))
      return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//

std::optional<Error> checkDst(const TmemRegion &dst, CpPlan &plan) {
  const CpAtom &atom = plan.opcode.atom;
  const Layout &layout = dst.layout;
  TmemDisplacement origin;
  if (auto error = checkReplicas(layout, atom, origin))
    return error;
  origin.lane += layout.offset(Axis::Lane).constant;
  origin.col += layout.offset(Axis::Col).constant;
  plan.origin.lane = origin.lane;
  plan.origin.col = origin.col;
  plan.dstLaneTerms = layout.offset(Axis::Lane).terms;
  plan.dstColTerms = layout.offset(Axis::Col).terms;
  if (auto error = checkRows(layout, atom, origin))
    return error;

  const Origins lanes(plan, Axis::Lane, origin.lane, plan.dstLaneTerms);
  const Origins cols(plan, Axis::Col, origin.col, plan.dstColTerms);
  if (auto error = checkColumns(cols, dst.columns - atom.words))
    return error;
  if (auto error = checkBounds(lanes, atom.laneSpan(), kLanes, "lane"))
    return error;
  if (auto error = checkBounds(cols, atom.words, dst.columns, "column"))
    return error;
  return checkOverlap(plan);
}

} // namespace cp
} // namespace layout
} // namespace tcgen05
