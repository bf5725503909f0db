//===- UnitsSlice.cpp - Slices with known answers -------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"

#include "tcgen05/Layout/Slice.h"

using namespace tcgen05::layout;

namespace agreement {

std::vector<std::string> runSliceUnits() {
  std::vector<std::string> wrong;
  const Layout layout =
      *Layout::parse("[(4, 8), 16] : [(100, 10), 1], offset [7]");
  auto taken = [&](const Layout &from, std::vector<SliceOrigin> origins,
                   std::vector<int64_t> sizes, const std::string &expected) {
    const Result<Slice> result = slice(from, origins, sizes);
    const std::string got =
        result ? result->layout.str() : result.error().message;
    if (got != expected)
      wrong.push_back("slice of " + from.str() + ": expected \"" + expected +
                      "\", but got \"" + got + "\"");
  };
  taken(layout, {{8}, {0}}, {8, 16}, "[8, 16] : [10, 1], offset [107]");
  taken(layout, {{2, 8}, {4, 4}}, {4, 4},
        "[4, 4] : [10, 1], offset [?4*100 + ?3*4 + 31]");
  taken(layout, {{0}}, {8, 16},
        "expected a slice origin for each of 2 dimensions, but got 1");
  taken(layout, {{0}, {0}}, {8},
        "expected a slice size for each of 2 dimensions, but got 1");
  taken(layout, {{0}, {0}}, {0, 16},
        "expected slice size in dimension 0 to be in 1 to 32, but got 0");
  taken(layout, {{0}, {0}}, {32, 17},
        "expected slice size in dimension 1 to be in 1 to 16, but got 17");
  taken(layout, {{25}, {0}}, {8, 16},
        "expected slice origin in dimension 0 to be in 0 to 24, but got 25");
  taken(layout, {{0}, {-1}}, {8, 16},
        "expected slice origin in dimension 1 to be in 0 to 0, but got -1");
  taken(layout, {{0, -1}, {0}}, {8, 16},
        "expected slice multiplier in dimension 0 to be positive, but got -1");
  taken(layout, {{0}, {0}}, {12, 16},
        "expected slice size 12 in dimension 0 to leave mode (8 : 10) whole, "
        "but it cuts it");
  taken(layout, {{4}, {0}}, {8, 16},
        "expected slice origin 4 in dimension 0 to leave mode (8 : 10) whole, "
        "but it cuts it");
  taken(layout, {{4}, {0}}, {16, 16},
        "expected slice origin 4 in dimension 0 to leave mode (8 : 10) whole, "
        "but it cuts it");
  taken(layout, {{0, 4}, {0}}, {4, 16},
        "expected slice origins in dimension 0 to lie one stride apart, but "
        "origin 8 crosses into another mode");
  taken(*Layout::parse("[(2, 4)] : [(9@lane, 1@col)]"), {{2}}, {4},
        "expected slice origin 2 in dimension 0 to leave mode (4 : 1@col) "
        "whole, but it cuts it");

  taken(*Layout::parse("[8] : [3]"), {SliceOrigin()}, {4}, "[4] : [3]");
  taken(*Layout::parse("[4, 2] : [0@lane, 1@col]"), {{1}, {0}}, {2, 2},
        "[2, 2] : [0@lane, 1@col]");

  // More origins than are looked at one by one: none may carry.
  const Layout wide = *Layout::parse("[(8192, 8, 8)] : [(1000, 100, 1)]");
  taken(wide, {{0, 64}}, {64}, "[(8, 8)] : [(100, 1)], offset [?8192*1000]");
  taken(wide, {{8, 64}}, {8}, "[8] : [1], offset [?8192*1000 + 100]");
  taken(wide, {{8, 64}}, {16},
        "[(2, 8)] : [(100, 1)], offset [?8192*1000 + 100]");
  taken(wide, {{0, 8}}, {8},
        "expected slice origins in dimension 0 to lie one stride apart, but "
        "they cross mode (8 : 100)");
  taken(wide, {{56, 64}}, {16},
        "expected slice origin 56 in dimension 0 to leave mode (8 : 100) "
        "whole, but it cuts it");
  taken(*Layout::parse("[(8192, 8192)] : [(100000, 1)]"), {{0, 8193}}, {2},
        "[2] : [1], offset [?8191*100001]");
  // Only the last of them, 8190 * 8193, reaches beyond the inner mode.
  taken(*Layout::parse("[(8192, 8192)] : [(100000, 1)]"), {{0, 8193}}, {3},
        "expected slice origin 67100670 in dimension 0 to leave mode (8192 : "
        "1) whole, but it cuts it");
  taken(*Layout::parse("[16384] : [2]"), {{3, 2}}, {1},
        "[1] : [2], offset [?8191*4 + 6]");
  taken(*Layout::parse("[(2, 16384, 2)] : [(100000, 3, 1)]"), {{16384, 2}}, {2},
        "expected slice origins in dimension 0 to lie one stride apart, but "
        "they cross mode (16384 : 3)");
  taken(*Layout::parse("[(2, 16384, 2)] : [(100000, 3, 1)]"), {{0, 2}}, {32768},
        "expected slice origins in dimension 0 to lie one stride apart, but "
        "they cross mode (16384 : 3)");
  taken(*Layout::parse("[(2, 8192, 2)] : [(100000, 3, 1)]"), {{0, 4}}, {2},
        "expected slice origins in dimension 0 to lie one stride apart, but "
        "they cross mode (8192 : 3)");
  taken(*Layout::parse("[(2, 2048, 2)] : [(100000, 3, 1)]"), {{0, 2}}, {2},
        "expected slice origins in dimension 0 to lie one stride apart, but "
        "origin 4096 crosses into another mode");
  taken(*Layout::parse("[(16384, 2)] : [(3, 1)]"), {{0, 2}}, {2},
        "[2] : [1], offset [?16384*3]");
  // Two origins can be further apart than any position is from zero.
  taken(*Layout::parse(
            "[(2, 2, 2)] : [(72057594037927936, -72057594037927936, 0)]"),
        {{2, 3}}, {1},
        "expected offset term to stay within 2^56, but it overflows");
  taken(*Layout::parse("[4, 1] : [3, 5]"), {{1}, {0}}, {1, 1},
        "[1, 1] : [3, 5], offset [3]");
  return wrong;
}

} // namespace agreement
