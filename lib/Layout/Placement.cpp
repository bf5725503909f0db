//===- Placement.cpp - Sums of digits, decided without listing ------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Placement.h"

#include <algorithm>

using namespace tcgen05::layout;

/// How far a digit can take the sum up or down.
static int64_t reachUp(Digit digit) {
  return std::max<int64_t>(0, (digit.extent - 1) * digit.stride);
}
static int64_t reachDown(Digit digit) {
  return std::min<int64_t>(0, (digit.extent - 1) * digit.stride);
}

int64_t DigitSum::min() const {
  int64_t sum = base;
  for (Digit digit : digits)
    sum += reachDown(digit);
  return sum;
}

int64_t DigitSum::max() const {
  int64_t sum = base;
  for (Digit digit : digits)
    sum += reachUp(digit);
  return sum;
}

int64_t DigitSum::at(const Witness &witness) const {
  int64_t sum = base;
  for (size_t i = 0; i < digits.size(); ++i)
    sum += digits[i].stride * witness[i];
  return sum;
}

std::optional<Witness> DigitSum::firstAbove(int64_t limit) const {
  int64_t best = max();
  if (best <= limit)
    return std::nullopt;
  // `best` is what the sum can still become. A digit that lowers it may stay
  // at the least value with which the limit is still exceeded.
  Witness witness(digits.size(), 0);
  for (size_t i = 0; i < digits.size(); ++i) {
    const int64_t stride = digits[i].stride;
    if (stride <= 0)
      continue;
    const int64_t slack = best - limit - 1;
    const int64_t spare = std::min(digits[i].extent - 1, slack / stride);
    witness[i] = digits[i].extent - 1 - spare;
    best -= spare * stride;
  }
  return witness;
}

std::optional<Witness> DigitSum::firstBelow(int64_t limit) const {
  std::vector<Digit> mirrored = digits;
  for (Digit &digit : mirrored)
    digit.stride = -digit.stride;
  return DigitSum(-base, std::move(mirrored)).firstAbove(-limit);
}
