//===- Judge.cpp - The rules of tcgen05.cp by listing everything ----------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include <algorithm>
#include <numeric>

namespace agreement {

static constexpr int64_t kSharedEnd = int64_t(1) << 18;
/// A base that no swizzle sees, so that no address is negative.
static constexpr int64_t kBase = int64_t(1) << 60;

/// The digits of an axis. Of a long one, the first 800 and the last 300: any
/// step but zero has left tensor memory by then (C8), equal steps have met
/// (C9), every phase of a swizzle has come up (C10, C12: 256 words), and all
/// that lies in the last line of 128 bytes is there (C14).
static std::vector<int64_t> digitsOf(int64_t extent) {
  std::vector<int64_t> digits(
      static_cast<size_t>(std::min<int64_t>(extent, 1100)));
  std::iota(digits.begin(), digits.end(), 0);
  if (extent > 1100)
    for (size_t i = 800; i < 1100; ++i)
      digits[i] = extent - 1100 + static_cast<int64_t>(i);
  return digits;
}

static std::vector<Place> placesOf(const std::vector<PlainMode> &modes) {
  std::vector<Place> places = {{0, 0, 0}};
  for (const PlainMode &mode : modes) {
    if (mode.extent == 1)
      continue;
    const std::vector<int64_t> digits = digitsOf(mode.extent);
    std::vector<Place> next;
    next.reserve(places.size() * digits.size());
    for (const Place &place : places)
      for (int64_t digit : digits) {
        next.push_back(place);
        next.back()[static_cast<size_t>(mode.axis)] += digit * mode.stride;
      }
    places = std::move(next);
  }
  return places;
}

static std::vector<PlainMode> termModes(const Plain &plain) {
  std::vector<PlainMode> modes;
  for (const PlainTerm &term : plain.terms)
    modes.push_back({term.count, term.multiplier, term.axis});
  return modes;
}

static Place operator+(const Place &a, const Place &b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// The positions within 127 bytes of the greatest: no other can end up last.
static void addTop(std::vector<int64_t> &top, int64_t extent, int64_t step) {
  std::vector<int64_t> next;
  const int64_t greatest = step > 0 ? (extent - 1) * step : 0;
  const int64_t size = step < 0 ? -step : step;
  for (int64_t at : top)
    for (int64_t k = 0; k < extent && k * size < 128; ++k) {
      next.push_back(at + greatest - k * size);
      if (size == 0)
        break;
    }
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  const int64_t last = next.back();
  next.erase(std::remove_if(next.begin(), next.end(),
                            [&](int64_t at) { return at < last - 127; }),
             next.end());
  top = std::move(next);
}

int64_t imageEnd(const Plain &src) {
  const int64_t bytes = src.bits / 8;
  std::vector<int64_t> top = {kBase + bytes * src.offset[kMem]};
  for (const std::vector<PlainMode> &dim : src.dims)
    for (const PlainMode &mode : dim)
      addTop(top, mode.extent, mode.extent == 1 ? 0 : bytes * mode.stride);
  for (const PlainTerm &term : src.terms)
    addTop(top, term.count, term.count == 1 ? 0 : bytes * term.multiplier);
  int64_t end = 0;
  for (int64_t at : top)
    end = std::max(end, swizzled(src.swizzle, at) + bytes);
  return end - kBase;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool uses(const Plain &plain, int axis) {
  for (const std::vector<PlainMode> &dim : plain.dims)
    for (const PlainMode &mode : dim)
      if (mode.axis == axis)
        return true;
  for (const PlainMode &mode : plain.replica)
    if (mode.axis == axis)
      return true;
  // Terms that take one value are no part of the normal form.
  for (const PlainTerm &term : plain.terms)
    if (term.axis == axis && term.count > 1 && term.multiplier != 0)
      return true;
  return plain.offset[static_cast<size_t>(axis)] != 0;
}

static bool isWidth(int64_t bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool typesExist(const Plain &dst, const Plain &src) {
  if (!isWidth(dst.bits) || !isWidth(src.bits))
    return false;
  if (uses(dst, kMem) || dst.swizzle != 0)
    return false;
  if (dst.columns % 4 != 0 || dst.columns < 4 || dst.columns > 512)
    return false;
  if (uses(src, kLane) || uses(src, kCol) || !src.replica.empty())
    return false;
  if (src.align < 16 || (src.align & (src.align - 1)) != 0)
    return false;
  if (src.storage)
    return *src.storage > 0 && *src.storage < kSharedEnd;
  return imageEnd(src) < kSharedEnd;
}

/// The repeat extents, leading ones dropped.
static std::vector<int64_t> repeatsOf(const Plain &plain, size_t groups) {
  std::vector<int64_t> repeats;
  for (size_t i = groups; i + 2 < plain.dims.size(); ++i)
    if (int64_t size = sizeOf(plain.dims[i]); size != 1 || !repeats.empty())
      repeats.push_back(size);
  return repeats;
}

static bool axesAgree(const Copy &copy) {
  const auto &lengths = scopes()[copy.scope].lengths;
  const size_t groups = lengths.size();
  if (copy.dst.dims.size() < groups + 2 || copy.src.dims.size() < groups + 2)
    return false;
  for (size_t i = 0; i < groups; ++i) {
    const int64_t length = sizeOf(copy.dst.dims[i]);
    if (length != sizeOf(copy.src.dims[i]))
      return false;
    const std::vector<int64_t> &allowed = lengths[i];
    if (allowed[0] != 0 &&
        std::find(allowed.begin(), allowed.end(), length) == allowed.end())
      return false;
  }
  return repeatsOf(copy.dst, groups) == repeatsOf(copy.src, groups);
}

/// Where the terms, each rank and the members and repeats within it lead.
struct Origins {
  std::vector<Place> terms, ranks, others;
};

static Origins originsOf(const Plain &plain, bool cluster) {
  std::vector<PlainMode> others;
  for (size_t i = cluster ? 1 : 0; i + 2 < plain.dims.size(); ++i)
    others.insert(others.end(), plain.dims[i].begin(), plain.dims[i].end());
  Origins origins;
  origins.terms = placesOf(termModes(plain));
  origins.ranks = cluster ? placesOf(plain.dims[0]) : placesOf({});
  origins.others = placesOf(others);
  for (Place &place : origins.terms)
    place = place + plain.offset;
  return origins;
}

/// How many places `placesOf` would list, at most `limit`.
static int64_t listed(const Plain &plain, int64_t limit) {
  int64_t count = 1;
  auto times = [&](int64_t extent) {
    count = std::min(limit, count * std::min<int64_t>(extent, 1100));
  };
  for (size_t i = 0; i + 2 < plain.dims.size(); ++i)
    for (const PlainMode &mode : plain.dims[i])
      times(mode.extent);
  for (const PlainTerm &term : plain.terms)
    times(term.count);
  return count;
}

/// True if some axis is not listed in full.
static bool isLong(const Plain &plain) {
  bool found = false;
  for (const std::vector<PlainMode> &dim : plain.dims)
    for (const PlainMode &mode : dim)
      found |= mode.extent > 1100;
  for (const PlainTerm &term : plain.terms)
    found |= term.count > 1100;
  return found;
}

//===----------------------------------------------------------------------===//
// C5 to C9
//===----------------------------------------------------------------------===//

static std::string judgeDst(const Copy &copy, Verdict &verdict) {
  const AtomFacts &atom = atoms()[copy.atom];
  const Plain &dst = copy.dst;
  int64_t copies = 1;
  for (const PlainMode &mode : dst.replica) // four distinct ones at most
    if (mode.stride != 0 && mode.extent > 1)
      copies = std::max(copies, mode.extent);
  if (copies > 4)
    return "C5";
  std::vector<PlainMode> replicaModes;
  for (const PlainMode &mode : dst.replica)
    if (mode.stride != 0)
      replicaModes.push_back(mode);
  std::vector<Place> replicas = placesOf(replicaModes);
  std::sort(replicas.begin(), replicas.end());
  replicas.erase(std::unique(replicas.begin(), replicas.end()), replicas.end());
  verdict.lowest = replicas[0][kLane];
  if (replicas.size() != atom.replicas.size())
    return "C5";
  for (size_t i = 0; i < replicas.size(); ++i)
    if (replicas[i] != Place{0, verdict.lowest + atom.replicas[i], 0})
      return "C5";

  const std::vector<Place> rows = placesOf(dst.dims[dst.dims.size() - 2]);
  const std::vector<Place> words = placesOf(dst.dims[dst.dims.size() - 1]);
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t word = 0; word < words.size(); ++word)
      if (rows[row] + words[word] !=
          Place{0, atom.lanes[row], static_cast<int64_t>(word)})
        return "C6";

  const bool cluster = copy.scope == 4;
  const Origins origins = originsOf(dst, cluster);
  std::vector<Place> firsts;
  for (const Place &term : origins.terms)
    for (const Place &rank : origins.ranks)
      for (const Place &other : origins.others)
        firsts.push_back(term + rank + other);
  for (const Place &first : firsts)
    if (first[kCol] % 4 != 0)
      verdict.offenders.push_back(std::to_string(first[kCol]));
  if (!verdict.offenders.empty())
    return "C7";
  // Either axis may be named, over all that the atom writes.
  auto offend = [&](const char *unit, int64_t first, int64_t extent,
                    int64_t limit) {
    if (first < 0 || first + extent > limit)
      verdict.offenders.push_back(std::string(unit) + std::to_string(first) +
                                  " to " + std::to_string(first + extent - 1));
  };
  const int64_t lanes = atom.lanes.back() + atom.replicas.back() + 1;
  for (const Place &first : firsts) {
    offend("lanes ", first[kLane] + verdict.lowest, lanes, 128);
    offend("columns ", first[kCol], atom.words, dst.columns);
  }

  // All cells of one instruction, relative to its first.
  std::vector<Place> cells;
  Place low = {0, 0, 0}, high = {0, 0, 0};
  for (const Place &row : rows)
    for (const Place &replica : replicas)
      for (const Place &word : words) {
        cells.push_back(row + replica + word);
        for (size_t axis : {kLane, kCol}) {
          low[axis] = std::min(low[axis], cells.back()[axis]);
          high[axis] = std::max(high[axis], cells.back()[axis]);
        }
      }
  for (const Place &first : firsts)
    if (first[kLane] + low[kLane] < 0 || first[kLane] + high[kLane] >= 128 ||
        first[kCol] + low[kCol] < 0 || first[kCol] + high[kCol] >= dst.columns)
      return "C8";

  // Two at one place write the same cells.
  std::vector<Place> others = origins.others;
  std::sort(others.begin(), others.end());
  if (std::unique(others.begin(), others.end()) != others.end())
    return "C9";
  // Each rank has a tensor memory of its own, and a term moves all alike.
  std::vector<bool> written(128 * 512);
  for (const Place &other : others)
    for (const Place &cell : cells) {
      const Place at = origins.terms[0] + origins.ranks[0] + other + cell;
      const auto index = static_cast<size_t>(at[kLane] * 512 + at[kCol]);
      if (written[index])
        return "C9";
      written[index] = true;
    }
  return "";
}

//===----------------------------------------------------------------------===//
// C10 to C14
//===----------------------------------------------------------------------===//

static int64_t walkStep(int mode, int64_t ldo, int64_t sdo, int64_t row,
                        int64_t word) {
  const int64_t along = mode == 0 ? word / 4 * ldo + word % 4 * 4 : 4 * word;
  return row / 8 * sdo + row % 8 * (int64_t(16) << mode) + along;
}

static std::string judgeSrc(const Copy &copy, Verdict &verdict) {
  const AtomFacts &atom = atoms()[copy.atom];
  const Plain &src = copy.src;
  std::vector<int64_t> rows, words, starts;
  for (const Place &row : placesOf(src.dims[src.dims.size() - 2]))
    rows.push_back(4 * row[kMem]);
  for (const Place &word : placesOf(src.dims[src.dims.size() - 1]))
    words.push_back(4 * word[kMem]);
  const Origins origins = originsOf(src, false);
  for (const Place &term : origins.terms)
    for (const Place &other : origins.others)
      starts.push_back(kBase + 4 * (term + other)[kMem]);
  const int64_t first = starts[0];
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());

  // The XOR sees the lowest ten bits only: one start for each is enough.
  std::vector<int64_t> phases;
  std::array<bool, 1024> seen = {};
  for (int64_t start : starts)
    if (!seen[static_cast<size_t>(start % 1024)]) {
      seen[static_cast<size_t>(start % 1024)] = true;
      phases.push_back(start);
    }

  auto stored = [&](int64_t start, int64_t row, int64_t word) {
    return swizzled(src.swizzle, start + rows[static_cast<size_t>(row)] +
                                     words[static_cast<size_t>(word)]);
  };
  int64_t ldo = 16, sdo = 0;
  auto matches = [&](int mode) {
    ldo = 16;
    sdo = 0;
    if (mode == 0 && atom.words > 4)
      ldo = stored(first, 0, 4) - first;
    if (atom.rows > 8)
      sdo = swizzled(mode, stored(first, 8, 0)) - first;
    for (int64_t start : phases)
      for (int64_t row = 0; row < atom.rows; ++row)
        for (int64_t word = 0; word < atom.words; ++word)
          if (stored(start, row, word) !=
              swizzled(mode, start + walkStep(mode, ldo, sdo, row, word)))
            return false;
    return true;
  };
  int mode = src.swizzle;
  if (!matches(mode)) {
    for (mode = 0; mode < 4; ++mode)
      if (mode != src.swizzle && matches(mode))
        break;
    if (mode == 4)
      return "C10";
  }
  verdict.mode = mode;
  verdict.ldo = ldo;
  verdict.sdo = sdo;
  for (int64_t stride : {ldo, sdo})
    if (stride < 0 || stride % 16 != 0 || stride >= kSharedEnd)
      return "C11";
  for (int64_t start : starts)
    if (start % 16 != 0)
      verdict.offenders.push_back("byte " + std::to_string(start - kBase));
  if (!verdict.offenders.empty())
    return "C12";
  // The type's own XOR and the descriptor's are both on absolute addresses.
  static constexpr int64_t periods[] = {16, 256, 512, 1024};
  if (src.align < periods[mode] || src.align < periods[src.swizzle])
    return "C13";
  verdict.storage = src.storage ? *src.storage : imageEnd(src);
  const bool seesLdo = mode == 0 && atom.words == 8;
  if (verdict.storage < 8 * (16 << mode) + (seesLdo ? ldo : 0))
    verdict.offenders.push_back(std::to_string(verdict.storage));
  // The walk only goes up, so that the first byte below zero is a start.
  int64_t end = 0;
  std::vector<std::string> last;
  std::array<int64_t, 1024> highest = {}; // of each phase: it ends last
  for (int64_t start : starts) {
    if (start < kBase)
      verdict.offenders.push_back("byte " + std::to_string(start - kBase));
    highest[static_cast<size_t>(start % 1024)] = start;
  }
  for (int64_t start : highest) {
    if (start == 0)
      continue;
    for (int64_t row = 0; row < atom.rows; ++row)
      for (int64_t word = 0; word < atom.words; ++word) {
        const int64_t byte =
            swizzled(mode, start + walkStep(mode, ldo, sdo, row, word)) - kBase;
        if (byte + 4 <= verdict.storage || byte + 4 < end)
          continue;
        if (byte + 4 > end)
          last.clear();
        end = byte + 4;
        last.push_back("row " + std::to_string(row) + ", word " +
                       std::to_string(word) + " at byte " +
                       std::to_string(byte));
      }
  }
  verdict.offenders.insert(verdict.offenders.end(), last.begin(), last.end());
  return verdict.offenders.empty() ? "" : "C14";
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

Verdict judge(const Copy &copy) {
  Verdict verdict;
  const AtomFacts &atom = atoms()[copy.atom];
  const Plain &dst = copy.dst, &src = copy.src;
  auto endsIn = [&](const Plain &plain) {
    const size_t rank = plain.dims.size();
    return rank >= 2 && sizeOf(plain.dims[rank - 2]) == atom.rows &&
           sizeOf(plain.dims[rank - 1]) == atom.words;
  };
  if (!typesExist(dst, src))
    verdict.rule = "type";
  else if (dst.bits != 32 || src.bits != 32)
    verdict.rule = "C2";
  else if (!endsIn(dst) || !endsIn(src))
    verdict.rule = "C3";
  else if (!axesAgree(copy))
    verdict.rule = "C4";
  else if (constexpr int64_t limit = 40000;
           listed(dst, limit) == limit || listed(src, limit) == limit)
    verdict.rule = "skip";
  else if (std::string rule = judgeDst(copy, verdict); !rule.empty())
    verdict.rule = rule;
  else
    verdict.rule = judgeSrc(copy, verdict);
  if (isLong(dst) || isLong(src))
    verdict.offenders.clear();
  return verdict;
}

} // namespace agreement
