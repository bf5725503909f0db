//===- Mutate.cpp - One thing changed -------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draw.h"

namespace agreement {

using Modes = std::vector<PlainMode>;

static int64_t drawExtreme(Random &random) {
  const int64_t near = random.range(-2, 2);
  switch (random.below(8)) {
  case 0:
    return INT64_MAX - random.below(3);
  case 1:
    return INT64_MIN + random.below(3);
  case 2:
    return (int64_t(1) << 56) + near;
  case 3:
    return -(int64_t(1) << 56) + near;
  case 4:
    return (int64_t(1) << random.range(16, 62)) + near;
  case 5:
    return -(int64_t(1) << random.range(16, 62)) + near;
  case 6:
    return (int64_t(1) << random.range(6, 20)) + near;
  default:
    return random.range(-70000, 70000);
  }
}

/// Another number in place of one: mostly a neighbour.
static int64_t another(int64_t value, Random &random) {
  const auto plain = static_cast<uint64_t>(value);
  switch (random.below(12)) {
  case 0:
    return static_cast<int64_t>(plain + 1);
  case 1:
    return static_cast<int64_t>(plain - 1);
  case 2:
    return static_cast<int64_t>(plain * 2);
  case 3:
    return value / 2;
  case 4:
    return static_cast<int64_t>(-plain);
  case 5:
    return 0;
  case 6:
  case 7:
    return static_cast<int64_t>(
        plain +
        static_cast<uint64_t>(random.of({-256, -64, -32, -16, -8, -4, -2, 2, 4,
                                         8, 16, 32, 64, 128, 256, 1024})));
  case 8:
    return drawExtreme(random);
  case 9:
    return static_cast<int64_t>(plain + 4 * random.next() % 64);
  default:
    return random.of({1, 4, 8, 16, 32, 64, 128, 256, -4, 3, 12});
  }
}

static int64_t anotherExtent(int64_t value, Random &random) {
  switch (random.below(8)) {
  case 0:
    return value == INT64_MAX ? 1 : value + 1;
  case 1:
    return value < 0 ? 1 : value - 1;
  case 2:
    return value > (1 << 20) || value < 0 ? 2 : value * 2;
  case 3:
    return value / 2;
  case 4:
    return drawExtreme(random);
  default:
    return random.of({0, -1, 1, 2, 3, 4, 5, 8, 32, 33});
  }
}

void mutate(Plain &plain, Random &random) {
  auto anyMode = [&]() -> PlainMode & {
    if (!plain.replica.empty() && random.percent(15))
      return random.in(plain.replica);
    return random.in(random.in(plain.dims));
  };
  auto axis = [&]() { return static_cast<int>(random.below(3)); };
  // Axes of its own kind, mostly.
  const int home = plain.dims[0].empty() ? kMem : plain.dims.back().back().axis;
  auto kin = [&]() {
    if (random.percent(4))
      return axis();
    return home == kMem ? int(kMem) : random.percent(50) ? int(kLane) : kCol;
  };
  switch (random.below(21)) {
  case 0:
  case 1:
  case 2:
  case 3: {
    PlainMode &mode = anyMode();
    mode.stride = another(mode.stride, random);
    return;
  }
  case 4: {
    PlainMode &mode = anyMode();
    mode.extent = anotherExtent(mode.extent, random);
    return;
  }
  case 5:
    anyMode().axis = kin();
    return;
  case 6:
  case 7:
  case 8: {
    int64_t &offset = plain.offset[static_cast<size_t>(kin())];
    offset = another(offset, random);
    return;
  }
  case 9:
    plain.columns = another(plain.columns, random);
    return;
  case 10:
    plain.align = random.percent(80) ? int64_t(1) << random.range(0, 12)
                                     : another(plain.align, random);
    return;
  case 11:
  case 12:
    if (plain.storage || random.percent(30))
      plain.storage = another(plain.storage.value_or(4096), random);
    else if (isWellFormed(plain) && plain.bits == 32)
      plain.storage = imageEnd(plain) + random.range(-40, 8);
    return;
  case 13:
    plain.bits = random.of({8, 16, 32, 64, 0, 31, 33, -32});
    return;
  case 14:
    plain.swizzle = static_cast<int>(random.below(4));
    return;
  case 15:
    if (!plain.terms.empty()) {
      PlainTerm &term = random.in(plain.terms);
      if (random.percent(60))
        term.multiplier = another(term.multiplier, random);
      else
        term.count = anotherExtent(term.count, random);
      return;
    }
    [[fallthrough]];
  case 16:
    plain.terms.push_back(
        {random.percent(90) ? random.range(0, 9) : drawExtreme(random),
         another(4, random), kin()});
    return;
  case 17:
    if (!plain.replica.empty() && random.percent(50))
      plain.replica.erase(plain.replica.begin() +
                          random.below(int64_t(plain.replica.size())));
    else if (random.percent(30) || home != kMem)
      plain.replica.push_back({random.range(1, 5), random.of({0, 32, 64, 16}),
                               random.percent(80) ? int(kLane) : kin()});
    return;
  case 18: {
    Modes &dim = random.in(plain.dims);
    std::swap(random.in(dim), random.in(dim));
    return;
  }
  case 19:
    std::swap(random.in(plain.dims), random.in(plain.dims));
    return;
  default:
    if (random.percent(50))
      plain.dims.insert(
          plain.dims.begin() + random.below(int64_t(plain.dims.size()) + 1),
          Modes{{random.of({1, 1, 2}), random.of({0, 1, 64}), home}});
    else if (plain.dims.size() > 1)
      plain.dims.erase(plain.dims.begin() +
                       random.below(int64_t(plain.dims.size())));
    return;
  }
}

} // namespace agreement
