//===- Plain.h - Layouts in plain numbers, and chance -----------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The agreement program judges each copy twice: with `planCp`, and with a judge
// of its own (Judge.h) that lists places and concludes nothing from strides.
// For the second opinion to be one, the two share no code. What is drawn
// (Draw.h) is therefore a region in plain numbers, the judge reads those, and
// `build` and `spell` make a Layout of them in two ways: through
// `Layout::create` and through its text.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_AGREEMENT_PLAIN_H
#define TCGEN05_TEST_AGREEMENT_PLAIN_H

#include "tcgen05/Layout/Region.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace agreement {

enum { kMem = 0, kLane = 1, kCol = 2 };

struct PlainMode {
  int64_t extent, stride;
  int axis;
};

struct PlainTerm {
  int64_t count, multiplier;
  int axis;
};

/// Memory, lane, column.
using Place = std::array<int64_t, 3>;

/// A layout and the memory under it. Modes are listed flat, outermost first.
struct Plain {
  std::vector<std::vector<PlainMode>> dims;
  std::vector<PlainMode> replica;
  Place offset = {0, 0, 0};
  std::vector<PlainTerm> terms;
  int swizzle = 0;
  int64_t bits = 32, columns = 512, align = 16;
  std::optional<int64_t> storage;
};

/// splitmix64: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// From 0 to n - 1.
  int64_t below(int64_t n) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(n));
  }
  int64_t range(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool percent(int64_t p) { return below(100) < p; }
  int64_t of(std::initializer_list<int64_t> values) {
    return values.begin()[below(static_cast<int64_t>(values.size()))];
  }
  template <typename T> T &in(std::vector<T> &values) {
    return values[static_cast<size_t>(
        below(static_cast<int64_t>(values.size())))];
  }

private:
  uint64_t state;
};

/// The parts of the layout, with parentheses where chance puts them, at most
/// four deep.
tcgen05::layout::Layout::Parts partsOf(const Plain &plain, Random &random);

/// The text of parts that need not be in normal form; nothing if a number has
/// no spelling.
std::optional<std::string> spell(const tcgen05::layout::Layout::Parts &parts,
                                 Random &random);

tcgen05::layout::TmemRegion tmemOf(const Plain &plain,
                                   tcgen05::layout::Layout layout);
tcgen05::layout::SmemRegion smemOf(const Plain &plain,
                                   tcgen05::layout::Layout layout);

/// The product of the extents of a dimension of a well-formed layout.
int64_t sizeOf(const std::vector<PlainMode> &dim);

/// For messages about a disagreement.
std::string describe(const Plain &plain);

} // namespace agreement

#endif // TCGEN05_TEST_AGREEMENT_PLAIN_H
