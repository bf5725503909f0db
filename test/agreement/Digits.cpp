//===- Digits.cpp - Sums of digits by listing them ------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "tcgen05/Layout/Layout.h"
#include "tcgen05/Layout/Placement.h"

#include <algorithm>
#include <iterator>
#include <set>

using namespace tcgen05::layout;

namespace agreement {
namespace {

/// Every value of the digits, in row-major order, and the sum that it makes.
struct Listed {
  std::vector<std::pair<Witness, int64_t>> all;

  /// The first whose sum satisfies `what`.
  template <typename What> std::optional<Witness> first(What what) const {
    for (const auto &[witness, sum] : all)
      if (what(sum))
        return witness;
    return std::nullopt;
  }
};

} // namespace

static Listed listOf(int64_t constant, const std::vector<Digit> &digits) {
  Listed listed{{{{}, constant}}};
  for (const Digit &digit : digits) {
    Listed next;
    for (const auto &[witness, sum] : listed.all)
      for (int64_t i = 0; i < digit.extent; ++i) {
        next.all.push_back({witness, sum + i * digit.stride});
        next.all.back().first.push_back(i);
      }
    listed = std::move(next);
  }
  return listed;
}

template <size_t N>
static bool sameResidues(const DigitSum &sum, const Listed &listed,
                         Random &random) {
  std::bitset<N> seen, bad(random.next() & random.next() & random.next());
  auto residue = [](int64_t value) {
    return static_cast<size_t>((value % int64_t(N) + int64_t(N)) % int64_t(N));
  };
  for (const auto &[witness, value] : listed.all)
    seen.set(residue(value));
  return sum.residues<N>() == seen &&
         sum.firstResidueIn<N>(bad) ==
             listed.first([&](int64_t value) { return bad[residue(value)]; });
}

static AxisOffset offsetOf(int64_t constant, const std::vector<Digit> &digits) {
  AxisOffset offset{constant, {}};
  for (const Digit &digit : digits)
    offset.terms.push_back({digit.extent, digit.stride});
  return offset;
}

/// Whether one offset's values are among another's: fewer or longer steps of
/// the same digits, from a value of theirs or beside it.
static bool containsAsListed(int64_t constant, const std::vector<Digit> &digits,
                             const std::set<int64_t> &values, Random &random) {
  std::vector<Digit> fewer;
  for (const Digit &digit : digits)
    if (random.percent(60)) {
      const int64_t longer = random.percent(80) ? 1 : random.range(1, 3);
      fewer.push_back({random.range(1, digit.extent), digit.stride * longer});
    }
  int64_t start = *std::next(values.begin(),
                             random.below(static_cast<int64_t>(values.size())));
  if (random.percent(40))
    start += random.of({-64, -1, 1, 64, constant - start});
  std::set<int64_t> some;
  for (const auto &[witness, value] : listOf(start, fewer).all)
    some.insert(value);
  return contains(offsetOf(constant, digits), offsetOf(start, fewer)) ==
         std::includes(values.begin(), values.end(), some.begin(), some.end());
}

std::string checkDigits(Random &random) {
  std::vector<Digit> digits;
  for (int64_t n = random.below(5); n > 0; --n)
    digits.push_back(
        {random.range(1, 6), random.percent(50)
                                 ? random.range(-9, 9)
                                 : random.of({0, 1, -1, 16, 31, 64, 127, 128,
                                              -128, 129, 1000, -1024})});
  const int64_t constant = random.range(-200, 200);
  const DigitSum sum(constant, digits);
  const Listed listed = listOf(constant, digits);
  std::set<int64_t> values;
  for (const auto &[witness, value] : listed.all) {
    values.insert(value);
    if (sum.at(witness) != value)
      return "sum of digits";
  }
  const int64_t low = *values.begin(), high = *values.rbegin();
  if (sum.min() != low || sum.max() != high || sum.constant() != constant)
    return "extremes of a sum";
  const int64_t limit = random.percent(70) ? random.range(low - 1, high + 1)
                                           : random.of({0, low, high});
  if (sum.firstAbove(limit) !=
      listed.first([&](int64_t value) { return value > limit; }))
    return "first above " + std::to_string(limit);
  if (sum.firstBelow(limit) !=
      listed.first([&](int64_t value) { return value < limit; }))
    return "first below " + std::to_string(limit);
  if (!sameResidues<4>(sum, listed, random) ||
      !sameResidues<16>(sum, listed, random) ||
      !sameResidues<64>(sum, listed, random))
    return "residues";
  if (!containsAsListed(constant, digits, values, random))
    return "values among others";
  constexpr size_t kLine = 128;
  const std::bitset<kLine> deficits = sum.deficits<kLine>();
  for (size_t k = 0; k < kLine; ++k) {
    const int64_t value = high - static_cast<int64_t>(k);
    if (deficits[k] != (values.count(value) > 0))
      return "deficit " + std::to_string(k);
    if (!deficits[k])
      continue;
    const Witness witness = sum.witnessOfDeficit<kLine>(k);
    for (size_t i = 0; i < digits.size(); ++i)
      // A digit that moves nothing has nothing to do with it, and stays zero.
      if (witness[i] < 0 || witness[i] >= digits[i].extent ||
          (digits[i].stride == 0 && witness[i] != 0))
        return "digit out of range";
    if (sum.at(witness) != value)
      return "witness of deficit " + std::to_string(k);
  }
  return "";
}

} // namespace agreement
