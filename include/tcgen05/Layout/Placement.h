//===- Placement.h - Sums of digits, decided without listing ----*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The origins of a copy are many: one for each repeat, each member of a group
// and each value of a run-time term. Along one axis all of them are
//
//   constant + d0 * s0 + d1 * s1 + ...      0 <= di < extent i
//
// a sum over independent digits, outermost first. The rules ask three things
// of such a sum: does it leave an interval, does it hit a residue, and which
// values within a few bytes of its maximum can it take. Each is answered
// exactly, in time that depends on the number of digits and not on their
// extents: a term with a million values costs what one with two costs. The
// answer to the first two is a witness: the first digits, in row-major order,
// for which it happens.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_PLACEMENT_H
#define TCGEN05_LAYOUT_PLACEMENT_H

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tcgen05 {
namespace layout {

/// `stride * d` for a digit d in [0, extent): a mode, a term or a rank.
struct Digit {
  int64_t extent;
  int64_t stride;
};

/// The value of each digit, outermost first.
using Witness = std::vector<int64_t>;

/// A constant and digits that are independent of each other: the set of all
/// sums. Asked for one that breaks a rule, it gives the first in issue order.
class DigitSum {
public:
  /// Positions are bounded as in a Layout, so no sum overflows.
  DigitSum(int64_t constant, std::vector<Digit> digits)
      : base(constant), digits(std::move(digits)) {}

  int64_t constant() const { return base; }
  int64_t min() const;
  int64_t max() const;
  int64_t at(const Witness &witness) const;

  /// The first digits whose sum is above `limit`, or below it.
  std::optional<Witness> firstAbove(int64_t limit) const;
  std::optional<Witness> firstBelow(int64_t limit) const;

  /// The residues of the sums modulo N, a power of two.
  template <size_t N> std::bitset<N> residues() const {
    return residuesFrom<N>(0, residue<N>(base));
  }
  /// The first digits whose sum has a residue in `bad`.
  template <size_t N>
  std::optional<Witness> firstResidueIn(const std::bitset<N> &bad) const;

  /// The deficits below N that sums can have: bit k is set if max() - k is a
  /// sum. Exact.
  template <size_t N> std::bitset<N> deficits() const;
  /// Digits whose sum is max() - deficit, for a deficit of that set.
  template <size_t N> Witness witnessOfDeficit(size_t deficit) const;

private:
  template <size_t N> static size_t residue(int64_t value) {
    return static_cast<size_t>(static_cast<uint64_t>(value) % N);
  }
  template <size_t N>
  static std::bitset<N> rotate(const std::bitset<N> &set, size_t by) {
    return (set << by) | (set >> (N - by));
  }
  /// The set {x + k * stride : x in set, 0 <= k < extent} modulo N.
  template <size_t N>
  static std::bitset<N> spread(std::bitset<N> set, Digit digit) {
    // After N steps a stride is back where it started.
    const int64_t steps = digit.extent < int64_t(N) ? digit.extent : int64_t(N);
    const size_t step = residue<N>(digit.stride);
    if (step == 0)
      return set;
    std::bitset<N> out = set;
    for (int64_t k = 1; k < steps; ++k) {
      set = rotate<N>(set, step);
      if ((out | set) == out)
        break; // a full turn
      out |= set;
    }
    return out;
  }
  template <size_t N>
  std::bitset<N> residuesFrom(size_t first, size_t start) const {
    std::bitset<N> set;
    set.set(start);
    for (size_t i = first; i < digits.size(); ++i)
      set = spread<N>(set, digits[i]);
    return set;
  }

  int64_t base;
  std::vector<Digit> digits;
};

template <size_t N>
std::optional<Witness>
DigitSum::firstResidueIn(const std::bitset<N> &bad) const {
  static_assert((N & (N - 1)) == 0, "N must be a power of two");
  size_t acc = residue<N>(base);
  if ((residuesFrom<N>(0, acc) & bad).none())
    return std::nullopt;
  Witness witness(digits.size(), 0);
  for (size_t i = 0; i < digits.size(); ++i) {
    const size_t step = residue<N>(digits[i].stride);
    // Some value below min(extent, N) works, since the sum repeats after N.
    while ((residuesFrom<N>(i + 1, acc) & bad).none()) {
      acc = (acc + step) % N;
      ++witness[i];
    }
  }
  return witness;
}

template <size_t N> std::bitset<N> DigitSum::deficits() const {
  std::bitset<N> set;
  set.set(0);
  for (const Digit &digit : digits) {
    const uint64_t step =
        digit.stride < 0 ? -uint64_t(digit.stride) : uint64_t(digit.stride);
    if (step == 0 || step >= N)
      continue;
    std::bitset<N> out = set;
    for (int64_t k = 1; k < digit.extent && uint64_t(k) * step < N; ++k)
      out |= set << (size_t(k) * step);
    set = out;
  }
  return set;
}

template <size_t N> Witness DigitSum::witnessOfDeficit(size_t deficit) const {
  // Walk back through the sets that `deficits` went through.
  std::vector<std::bitset<N>> sets(1);
  sets[0].set(0);
  for (const Digit &digit : digits)
    sets.push_back(DigitSum(0, {digit}).deficits<N>());
  for (size_t i = 1; i < sets.size(); ++i) {
    std::bitset<N> sum;
    for (size_t k = 0; k < N; ++k)
      if (sets[i][k])
        sum |= sets[i - 1] << k;
    sets[i] = sum;
  }
  Witness witness(digits.size(), 0);
  for (size_t i = digits.size(); i-- > 0;) {
    const Digit &digit = digits[i];
    const uint64_t step =
        digit.stride < 0 ? -uint64_t(digit.stride) : uint64_t(digit.stride);
    // A step that is zero or long has added nothing: it ends at once.
    int64_t down = 0;
    while (!sets[i][deficit])
      deficit -= step, ++down;
    witness[i] = digit.stride > 0 ? digit.extent - 1 - down : down;
  }
  return witness;
}

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_PLACEMENT_H
