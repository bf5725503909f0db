//===- SmemRules.cpp - Rules on the source: C10 to C14 --------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <algorithm>

namespace tcgen05 {
namespace layout {
namespace cp {

/// The longest period of a swizzle; phases are counted within it.
static constexpr size_t kPhases = period(Swizzle::B128);
/// Bytes inside of which a swizzle moves things.
static constexpr int64_t kLineBytes = 128;

namespace {
/// The atom's source: where each row and word lies, in bytes before swizzling,
/// relative to row 0 and word 0. A point is the sum of both.
struct Source {
  const CpAtom &atom;
  std::vector<Leaf> rowModes, wordModes; // coalesced, in elements
  std::vector<int64_t> rows, words;
  Swizzle swizzle;
  int64_t constant; // the origin, terms, groups and repeats aside

  int64_t row(int64_t r) const { return rows[static_cast<size_t>(r)]; }
  int64_t word(int64_t w) const { return words[static_cast<size_t>(w)]; }
};
} // namespace

static Source sourceOf(const Layout &layout, const CpAtom &atom) {
  Source source{atom,
                layout.coalesced(layout.rank() - 2),
                layout.coalesced(layout.rank() - 1),
                {},
                {},
                layout.swizzle(),
                layout.offset(Axis::Memory).constant * kWordBytes};
  for (int64_t r = 0; r < atom.rows; ++r)
    source.rows.push_back(evaluate(source.rowModes, r, Axis::Memory) *
                          kWordBytes);
  for (int64_t w = 0; w < atom.words; ++w)
    source.words.push_back(evaluate(source.wordModes, w, Axis::Memory) *
                           kWordBytes);
  return source;
}

//===----------------------------------------------------------------------===//
// C10: matching
//===----------------------------------------------------------------------===//

/// The walk of a mode, its strides read off two points. The walk adds first
/// and swizzles last, so the points are un-swizzled with the mode's own XOR.
static SmemWalk readOff(const Source &source, Swizzle swizzle) {
  SmemWalk walk;
  walk.swizzle = swizzle;
  auto stepTo = [&](int64_t displacement) {
    if (swizzle == source.swizzle)
      return displacement;
    return apply(swizzle,
                 apply(source.swizzle, source.constant + displacement)) -
           source.constant;
  };
  if (SmemWalk::observesLdo(swizzle, source.atom.words))
    walk.ldo = stepTo(source.word(kChunkWords));
  if (SmemWalk::observesSdo(source.atom.rows))
    walk.sdo = stepTo(source.row(kBlockRows));
  return walk;
}

/// The layout's own swizzle, decided on merged modes: merging is canonical, so
/// rows and words follow the walk exactly if they merge to its modes.
static bool matchesStrides(const Source &source, const SmemWalk &walk) {
  auto merge = [](std::vector<Leaf> &modes) {
    if (modes.size() == 2 &&
        modes[0].stride.value == modes[1].stride.value * modes[1].extent)
      modes = {{modes[0].extent * modes[1].extent, modes[1].stride}};
  };
  auto mode = [](int64_t extent, int64_t bytes) {
    return Leaf{extent, {bytes / kWordBytes, Axis::Memory}};
  };
  const int64_t pitch = rowBytes(walk.swizzle);
  std::vector<Leaf> rows, words;
  if (SmemWalk::observesSdo(source.atom.rows))
    rows = {mode(source.atom.rows / kBlockRows, walk.sdo),
            mode(kBlockRows, pitch)};
  else
    rows = {mode(source.atom.rows, pitch)};
  if (SmemWalk::observesLdo(walk.swizzle, source.atom.words))
    words = {mode(source.atom.words / kChunkWords, walk.ldo),
             mode(kChunkWords, kWordBytes)};
  else
    words = {mode(source.atom.words, kWordBytes)};
  merge(rows);
  merge(words);
  return source.rowModes == rows && source.wordModes == words;
}

/// A row and a word, or nothing.
using Point = std::optional<std::pair<int64_t, int64_t>>;

/// The first point of the layout's own walk that disagrees. Both sides are
/// swizzled alike, so the origin does not matter.
static Point firstDisagreement(const Source &source, const SmemWalk &walk) {
  for (int64_t r = 0; r < source.atom.rows; ++r)
    for (int64_t w = 0; w < source.atom.words; ++w)
      if (source.row(r) + source.word(w) !=
          walk.rowOffset(r) + walk.wordOffset(w))
        return std::make_pair(r, w);
  return std::nullopt;
}

/// Another swizzle than the layout's matches if it does in every phase.
static bool matchesPhases(const Source &source, const SmemWalk &walk,
                          const std::bitset<kPhases> &phases) {
  for (size_t phase = 0; phase < kPhases; ++phase) {
    if (!phases[phase])
      continue;
    const int64_t origin = static_cast<int64_t>(phase);
    for (int64_t r = 0; r < source.atom.rows; ++r)
      for (int64_t w = 0; w < source.atom.words; ++w)
        if (walk.address(origin, r, w) !=
            apply(source.swizzle, origin + source.row(r) + source.word(w)))
          return false;
  }
  return true;
}

/// Swizzles under which the same strides would be a walk.
static void noteOtherSwizzles(const Source &source, Error &error) {
  for (Swizzle swizzle : kSwizzles) {
    Source other = source;
    other.swizzle = swizzle;
    if (!firstDisagreement(other, readOff(other, swizzle)))
      error.notes.push_back("these strides are a walk with swizzle " +
                            std::string(name(swizzle)));
  }
}

static std::optional<Error> match(const Source &source, const Origins &origins,
                                  CpMatching matching, SmemWalk &walk) {
  walk = readOff(source, source.swizzle);
  if (matching == CpMatching::Strides && matchesStrides(source, walk))
    return std::nullopt;
  const Point point = firstDisagreement(source, walk);
  if (!point)
    return std::nullopt;

  const std::bitset<kPhases> phases = origins.sum().residues<kPhases>();
  for (Swizzle swizzle : kSwizzles) {
    const SmemWalk other = readOff(source, swizzle);
    if (matchesPhases(source, other, phases)) {
      walk = other;
      return std::nullopt;
    }
  }

  const auto [r, w] = *point;
  Error error{
      "C10",
      "expected src row " + std::to_string(r) + ", word " + std::to_string(w) +
          " at byte " + std::to_string(walk.address(source.constant, r, w)) +
          ", but got " +
          std::to_string(apply(source.swizzle, source.constant + source.row(r) +
                                                   source.word(w))),
      {"the walk that was read off: " + walk.str()}};
  noteOtherSwizzles(source, error);
  return error;
}

//===----------------------------------------------------------------------===//
// C11 to C14
//===----------------------------------------------------------------------===//

static std::optional<Error> checkStride(const char *what, int64_t bytes) {
  const std::string expected = std::string("expected src ") + what + " to be ";
  if (bytes % kChunkBytes != 0)
    return Error{"C11", expected + "a multiple of 16 bytes, but got " +
                            std::to_string(bytes)};
  if (bytes < 0 || bytes >= kSharedBytes)
    return Error{"C11", expected + "in 0 to 262128 bytes, but got " +
                            std::to_string(bytes)};
  return std::nullopt;
}

static std::optional<Error> checkOrigins(const Origins &origins) {
  std::bitset<kChunkBytes> bad;
  bad.set();
  bad.reset(0);
  auto witness = origins.sum().firstResidueIn<kChunkBytes>(bad);
  if (!witness)
    return std::nullopt;
  return Error{"C12",
               "expected src origin to be 16-byte aligned, but got byte " +
                   std::to_string(origins.sum().at(*witness)) +
                   origins.where(*witness)};
}

static std::optional<Error> checkAlign(const SmemRegion &src,
                                       const SmemWalk &walk) {
  const Swizzle swizzle = std::max(src.layout.swizzle(), walk.swizzle);
  if (src.align >= period(swizzle))
    return std::nullopt;
  return Error{"C13", "expected src aligned to " +
                          std::to_string(period(swizzle)) +
                          " bytes for swizzle " + std::string(name(swizzle)) +
                          ", but got " + std::to_string(src.align)};
}

/// C14. A swizzle moves bytes inside of lines of 128, so only the last line
/// that is reached needs a closer look: there, every origin less than a line
/// below the greatest, and every point.
static std::optional<Error> checkStorage(const SmemRegion &src,
                                         const CpAtom &atom,
                                         const SmemWalk &walk,
                                         const Origins &origins) {
  if (auto witness = origins.sum().firstBelow(0))
    return Error{"C14", "expected src to start at byte 0 or later, but got "
                        "byte " +
                            std::to_string(origins.sum().at(*witness)) +
                            origins.where(*witness)};

  const int64_t storage = src.storageBytes();
  const int64_t farthest =
      walk.rowOffset(atom.rows - 1) + walk.wordOffset(atom.words - 1);
  const int64_t top = origins.sum().max() + farthest;
  if ((top | (kLineBytes - 1)) + 1 > storage) {
    const auto deficits = origins.sum().deficits<kLineBytes>();
    int64_t end = 0, row = 0, word = 0;
    size_t deficit = 0;
    for (int64_t r = 0; r < atom.rows; ++r)
      for (int64_t w = 0; w < atom.words; ++w) {
        const int64_t below = farthest - walk.rowOffset(r) - walk.wordOffset(w);
        if (below >= kLineBytes)
          continue;
        for (size_t k = 0; k < static_cast<size_t>(kLineBytes); ++k) {
          if (!deficits[k])
            continue;
          const int64_t byte =
              apply(walk.swizzle, top - below - static_cast<int64_t>(k)) +
              kWordBytes;
          if (byte <= end)
            continue;
          end = byte;
          row = r;
          word = w;
          deficit = k;
        }
      }
    if (end > storage)
      return Error{
          "C14",
          "expected src to stay within " + std::to_string(storage) +
              " bytes of storage, but got row " + std::to_string(row) +
              ", word " + std::to_string(word) + " at byte " +
              std::to_string(end - kWordBytes) +
              origins.where(
                  origins.sum().witnessOfDeficit<kLineBytes>(deficit)),
          {"the copy reads " + std::to_string(end) + " bytes from the view"}};
  }
  const int64_t block = walk.blockBytes(atom.words);
  if (storage < block)
    return Error{"C14", "expected src storage of at least " +
                            std::to_string(block) +
                            " bytes for the eight-row block, but got " +
                            std::to_string(storage)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//

std::optional<Error> checkSrc(const SmemRegion &src, CpMatching matching,
                              CpPlan &plan) {
  const CpAtom &atom = plan.opcode.atom;
  for (const Term &term : src.layout.offset(Axis::Memory).terms)
    plan.srcTerms.push_back({term.count, term.multiplier * kWordBytes});
  const Source source = sourceOf(src.layout, atom);
  plan.origin.bytes = source.constant;
  const Origins origins(plan, Axis::Memory, source.constant, plan.srcTerms,
                        kWordBytes);

  if (auto error = match(source, origins, matching, plan.walk))
    return error;
  if (auto error = checkStride("word-group stride", plan.walk.ldo))
    return error;
  if (auto error = checkStride("row-group stride", plan.walk.sdo))
    return error;
  if (auto error = checkOrigins(origins))
    return error;
  if (auto error = checkAlign(src, plan.walk))
    return error;
  return checkStorage(src, atom, plan.walk, origins);
}

} // namespace cp
} // namespace layout
} // namespace tcgen05
