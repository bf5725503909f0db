//===- Facts.cpp - Atoms, scopes and what makes a layout ------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

namespace agreement {

static constexpr __int128 kFar = int64_t(1) << 56;

static std::vector<int64_t> lanesOf(int64_t rows, int64_t group, int64_t apart,
                                    int64_t step) {
  std::vector<int64_t> lanes;
  for (int64_t first = 0; first < rows; first += group)
    for (int64_t row = 0; row < group; ++row)
      lanes.push_back(first / group * apart + row * step);
  return lanes;
}

const std::vector<AtomFacts> &atoms() {
  static const std::vector<AtomFacts> table = {
      {"128x256b", "", 128, 8, lanesOf(128, 128, 0, 1), {0}},
      {"128x128b", "", 128, 4, lanesOf(128, 128, 0, 1), {0}},
      {"4x256b", "", 4, 8, {0, 32, 64, 96}, {0}},
      {"64x128b", "warpx2::02_13", 64, 4, lanesOf(64, 64, 0, 1), {0, 64}},
      {"64x128b", "warpx2::01_23", 64, 4, lanesOf(64, 32, 64, 1), {0, 32}},
      {"32x128b", "warpx4", 32, 4, lanesOf(32, 32, 0, 1), {0, 32, 64, 96}},
  };
  return table;
}

const std::vector<ScopeFacts> &scopes() {
  static const std::vector<ScopeFacts> table = {
      {"thread", {}},
      {"warp", {{1, 32}}},
      {"warpgroup", {{1, 4}, {1, 32}}},
      {"cta", {{0}, {1, 32}}},
      {"cluster", {{0}, {0}, {1, 32}}},
  };
  return table;
}

uint64_t encodeWord(int64_t start, int64_t ldo, int64_t sdo, int mode) {
  static constexpr uint64_t codes[] = {0, 6, 4, 2};
  return uint64_t(start / 16) | uint64_t(ldo / 16) << 16 |
         uint64_t(sdo / 16) << 32 | uint64_t(1) << 46 | codes[mode] << 61;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

bool isWellFormed(const Plain &plain) {
  if (plain.dims.empty() || plain.dims.size() > 16)
    return false;
  __int128 total = 1;
  std::array<__int128, 3> low, high;
  for (int axis = 0; axis < 3; ++axis)
    low[axis] = high[axis] = plain.offset[axis];
  auto add = [&](int64_t extent, int64_t stride, int axis) {
    const __int128 reach = (__int128(extent) - 1) * stride;
    (reach < 0 ? low : high)[axis] += reach;
    return extent >= 1 && reach <= kFar && reach >= -kFar;
  };
  auto addMode = [&](const PlainMode &mode) {
    // Every number has a text, which the least of 64 bits has not.
    if (!add(mode.extent, mode.stride, mode.axis) || mode.stride == INT64_MIN)
      return false;
    total *= mode.extent;
    return total <= INT64_MAX;
  };
  for (const std::vector<PlainMode> &dim : plain.dims)
    for (const PlainMode &mode : dim)
      if (!addMode(mode))
        return false;
  for (const PlainMode &mode : plain.replica)
    if (!addMode(mode))
      return false;
  for (const PlainTerm &term : plain.terms)
    if (!add(term.count, term.multiplier, term.axis))
      return false;
  for (int axis = 0; axis < 3; ++axis)
    if (low[axis] < -kFar || high[axis] > kFar || plain.offset[axis] < -kFar ||
        plain.offset[axis] > kFar)
      return false;
  return true;
}

Place placeOf(const Plain &plain, const std::vector<int64_t> &coordinates,
              const std::vector<int64_t> &terms) {
  Place place = plain.offset;
  for (size_t dim = 0; dim < coordinates.size(); ++dim) {
    int64_t rest = coordinates[dim];
    for (size_t i = plain.dims[dim].size(); i-- > 0;) {
      const PlainMode &mode = plain.dims[dim][i];
      place[static_cast<size_t>(mode.axis)] +=
          rest % mode.extent == 0 ? 0 : rest % mode.extent * mode.stride;
      rest /= mode.extent;
    }
  }
  for (size_t i = 0; i < terms.size(); ++i)
    if (terms[i] != 0)
      place[static_cast<size_t>(plain.terms[i].axis)] +=
          terms[i] * plain.terms[i].multiplier;
  return place;
}

} // namespace agreement
