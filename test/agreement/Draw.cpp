//===- Draw.cpp - Copies that are legal, or nearly so ---------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draw.h"

#include <algorithm>

namespace agreement {

using Modes = std::vector<PlainMode>;

static size_t at(Random &random, size_t n) {
  return static_cast<size_t>(random.below(static_cast<int64_t>(n)));
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Factors of n, outermost first, with a one among them now and then.
static std::vector<int64_t> factors(int64_t n, Random &random) {
  std::vector<int64_t> result;
  while (n > 1 && random.percent(30)) {
    int64_t factor = random.range(2, 8);
    if (n % factor != 0 || n == factor)
      break;
    result.push_back(factor);
    n /= factor;
  }
  result.push_back(n);
  if (random.percent(4))
    result.insert(result.begin() + random.below(int64_t(result.size()) + 1), 1);
  return result;
}

/// A mode as a list of modes that are the same function.
static Modes split(PlainMode mode, Random &random) {
  Modes modes;
  const std::vector<int64_t> parts = factors(mode.extent, random);
  int64_t inner = mode.extent;
  for (int64_t part : parts) {
    inner /= part;
    modes.push_back(
        {part,
         part == 1 ? random.of({0, 1, 7, mode.stride}) : mode.stride * inner,
         mode.axis});
  }
  return modes;
}

static void append(Modes &modes, const Modes &more) {
  modes.insert(modes.end(), more.begin(), more.end());
}

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

static Plain drawDst(unsigned atomIndex, bool cluster,
                     const std::vector<int64_t> &extents, Random &random) {
  const AtomFacts &atom = atoms()[atomIndex];
  Plain dst;
  dst.dims.resize(extents.size() + 2);
  std::vector<std::pair<size_t, size_t>> digits;
  for (size_t dim = 0; dim < extents.size(); ++dim)
    for (int64_t factor : factors(extents[dim], random)) {
      digits.push_back({dim, dst.dims[dim].size()});
      dst.dims[dim].push_back({factor, 0, kCol});
    }
  for (size_t i = digits.size(); i > 1; --i)
    if (random.percent(50))
      std::swap(digits[i - 1], digits[at(random, i)]);

  int64_t unit = atom.words, lanes = 1;
  auto reach = [&](PlainMode &mode, int64_t step, int axis) {
    mode.stride = random.percent(1) ? step / 2 / 4 * 4 : step;
    mode.axis = axis;
    if (mode.extent > 1 && random.percent(15)) {
      dst.offset[static_cast<size_t>(axis)] += (mode.extent - 1) * step;
      mode.stride = -step;
    }
  };
  for (size_t i = digits.size(); i-- > 0;) {
    PlainMode &mode = dst.dims[digits[i].first][digits[i].second];
    if (cluster && digits[i].first == 0 && random.percent(50)) {
      mode.stride = random.percent(70) ? 0 : 4; // ranks share nothing
      continue;
    }
    if (atom.rows == 4 && lanes * mode.extent <= 32 && random.percent(60)) {
      reach(mode, lanes, kLane);
      lanes *= mode.extent;
      continue;
    }
    if (random.percent(10) && unit * mode.extent < 256)
      unit += 4;
    reach(mode, unit, kCol);
    unit *= mode.extent;
  }

  Modes &rows = dst.dims[extents.size()];
  if (atom.rows == 4) {
    append(rows, split({4, 32, kLane}, random));
  } else if (atom.lanes[32 % atom.lanes.size()] == 64) {
    rows = {{2, 64, kLane}};
    append(rows, split({32, 1, kLane}, random));
  } else {
    append(rows, split({atom.rows, 1, kLane}, random));
  }
  append(dst.dims[extents.size() + 1], split({atom.words, 1, kCol}, random));

  if (const auto n = static_cast<int64_t>(atom.replicas.size()); n > 1) {
    const int64_t apart = atom.replicas[1];
    dst.replica = {{n, apart, kLane}};
    if (n == 4 && random.percent(40)) {
      dst.replica = {{2, 64, kLane}, {2, 32, kLane}};
      if (random.percent(50))
        std::swap(dst.replica[0], dst.replica[1]);
    }
    for (PlainMode &mode : dst.replica)
      if (random.percent(15)) {
        dst.offset[kLane] += (mode.extent - 1) * mode.stride;
        mode.stride = -mode.stride;
      }
  }
  if (random.percent(4))
    dst.replica.push_back(
        {random.range(1, 3), 0, random.percent(50) ? kLane : kCol});

  int64_t used = unit;
  if (int64_t slack = 512 - unit; slack > 0) {
    for (int n = random.percent(30) ? int(random.range(1, 2)) : 0; n > 0; --n) {
      const int64_t count = random.range(1, 6);
      const int64_t step = 4 * random.range(0, 16);
      if ((count - 1) * step > slack)
        continue;
      const bool down = random.percent(15);
      if (down)
        dst.offset[kCol] += (count - 1) * step;
      dst.terms.push_back({count, down ? -step : step, kCol});
      slack -= (count - 1) * step;
      used += (count - 1) * step;
    }
    if (random.percent(40)) {
      const int64_t by = 4 * random.range(0, slack / 4);
      dst.offset[kCol] += by;
      used += by;
    }
  }
  if (atom.rows == 4 && lanes < 32 && random.percent(40)) {
    const int64_t room = 32 - lanes;
    if (random.percent(40))
      dst.terms.push_back({room + 1, 1, kLane});
    else
      dst.offset[kLane] += random.range(0, room);
  }
  if (random.percent(50) && used <= 512)
    dst.columns = (used + 3) / 4 * 4;
  return dst;
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Rows and words as modes of two, whose strides are read off the walk of
/// `mode` as a layout in `swizzle` would have to store it.
static void drawTwisted(const AtomFacts &atom, Plain &src, int mode,
                        int64_t start, int64_t ldo, int64_t sdo) {
  const size_t rank = src.dims.size();
  const int64_t base = (int64_t(1) << 40) + start;
  auto strideAt = [&](int64_t row, int64_t word) {
    const int64_t along = mode == 0 ? word / 4 * ldo + word % 4 * 4 : 4 * word;
    const int64_t byte = swizzled(
        mode, base + row / 8 * sdo + row % 8 * (int64_t(16) << mode) + along);
    return (swizzled(src.swizzle, byte) - base) / 4;
  };
  for (int64_t bit = atom.rows / 2; bit > 0; bit /= 2)
    src.dims[rank - 2].push_back({2, strideAt(bit, 0), kMem});
  for (int64_t bit = atom.words / 2; bit > 0; bit /= 2)
    src.dims[rank - 1].push_back({2, strideAt(0, bit), kMem});
}

static Plain drawSrc(unsigned atomIndex, const std::vector<int64_t> &extents,
                     Random &random) {
  const AtomFacts &atom = atoms()[atomIndex];
  Plain src;
  const size_t rank = extents.size() + 2;
  src.dims.resize(rank);
  const int mode = static_cast<int>(random.below(4));
  const bool own = random.percent(75);
  src.swizzle = own ? mode : static_cast<int>(random.below(4));
  const int64_t pitch = int64_t(16) << mode;
  const int64_t block = 8 * pitch;
  int64_t ldo = 16 * random.range(0, 16), sdo = 16 * random.range(0, 64);
  if (random.percent(60))
    sdo = block * random.range(1, 2);
  if (random.percent(50))
    ldo = random.percent(50) ? 128 : 16 * atom.rows;
  if (random.percent(4)) // walks that no descriptor can hold
    (random.percent(50) ? ldo : sdo) = random.of(
        {-16, -128, 8, 24, 136, 200, 1 << 18, (1 << 18) - 16, (1 << 18) + 16});
  int64_t start = 0;
  if (random.percent(60))
    start = 16 * random.range(0, random.percent(30) ? 300 : 8);
  if (!own && random.percent(80))
    start = start / 8 * 1024;

  if (src.swizzle == mode) {
    if (atom.rows > 8)
      append(src.dims[rank - 2], split({atom.rows / 8, sdo / 4, kMem}, random));
    append(src.dims[rank - 2],
           split({std::min<int64_t>(atom.rows, 8), pitch / 4, kMem}, random));
    if (mode == 0 && atom.words == 8)
      src.dims[rank - 1].push_back({2, ldo / 4, kMem});
    append(src.dims[rank - 1],
           split({mode == 0 ? 4 : atom.words, 1, kMem}, random));
  } else {
    drawTwisted(atom, src, mode, start, ldo, sdo);
  }

  // How far origins may move, in elements.
  const int64_t grain = src.swizzle == mode || random.percent(10) ? 4 : 256;
  auto step = [&](int64_t extent) {
    const int64_t room = std::max<int64_t>(1, 20000 / grain / extent);
    return grain * random.range(0, random.percent(50)
                                       ? std::min<int64_t>(room, 64)
                                       : room);
  };
  int64_t origin = start / 4;
  auto turn = [&](int64_t extent, int64_t stride) {
    if (!random.percent(15))
      return stride;
    origin += (extent - 1) * stride;
    return -stride;
  };
  for (size_t dim = 0; dim < extents.size(); ++dim)
    for (int64_t factor : factors(extents[dim], random))
      src.dims[dim].push_back({factor, turn(factor, step(factor)), kMem});
  for (int n = random.percent(40) ? int(random.range(1, 2)) : 0; n > 0; --n) {
    const int64_t count = random.range(1, 8);
    src.terms.push_back({count, turn(count, step(count)), kMem});
  }
  src.offset[kMem] = origin;
  static constexpr int64_t periods[] = {16, 256, 512, 1024};
  src.align = std::max(periods[mode], periods[src.swizzle]);
  if (random.percent(30))
    src.align <<= random.range(0, 5);
  if (random.percent(3))
    src.align = 128;
  if (random.percent(40)) {
    const int64_t end = imageEnd(src);
    src.storage = end + random.of({0, 0, 0, 4, 16, 100, 1024, 4096, -1, -4});
  }
  return src;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Copy drawCopy(Random &random) {
  Copy copy;
  copy.atom = static_cast<unsigned>(random.below(6));
  copy.scope =
      random.percent(60) ? 0 : static_cast<unsigned>(random.range(1, 4));
  const auto &lengths = scopes()[copy.scope].lengths;
  int64_t room = 512 / atoms()[copy.atom].words;
  std::vector<int64_t> extents;
  for (const std::vector<int64_t> &allowed : lengths) {
    int64_t extent = allowed[0] != 0 ? allowed[at(random, allowed.size())]
                                     : random.range(1, 4);
    if (extent > room || (extent == 32 && random.percent(70)))
      extent = 1;
    extents.push_back(extent);
    room /= extent;
  }
  for (int64_t n = random.below(random.percent(10) ? 7 : 4);
       n > 0 && extents.size() < 6; --n) {
    const int64_t extent =
        random.range(1, std::min<int64_t>(room, random.percent(10) ? 32 : 5));
    extents.push_back(extent);
    room /= extent;
  }
  copy.dst = drawDst(copy.atom, copy.scope == 4, extents, random);
  // A leading repeat of one may stand on either side alone.
  std::vector<int64_t> others = extents;
  if (random.percent(5))
    others.insert(others.begin() + static_cast<int64_t>(lengths.size()), 1);
  copy.src = drawSrc(copy.atom, others, random);

  if (random.percent(3)) // long repeats, groups or terms on both sides
    if (extents.size() > 0) {
      const size_t dim = at(random, extents.size());
      const int64_t extent = int64_t(1) << random.range(4, 40);
      copy.dst.dims[dim] = {{extent, random.of({0, 4, 8, 1, -4}), kCol}};
      copy.src.dims[dim] = {{extent, random.of({0, 4, 8, 1, -4}), kMem}};
    }
  const int64_t chance = random.below(100);
  for (int n = chance < 25 ? 0 : chance < 90 ? 1 : 2; n > 0; --n) {
    if (random.percent(3))
      copy.scope = static_cast<unsigned>(random.below(5));
    else if (random.percent(3))
      copy.atom = static_cast<unsigned>(random.below(6));
    else
      mutate(random.percent(50) ? copy.dst : copy.src, random);
  }
  return copy;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Plain drawLayout(Random &random) {
  Plain plain;
  const bool mem = random.percent(40);
  auto axis = [&]() {
    return mem ? int(kMem) : random.percent(50) ? int(kLane) : int(kCol);
  };
  auto stride = [&]() {
    return random.percent(70) ? random.range(-4, 8)
                              : random.of({16, 32, 64, 128, -32});
  };
  plain.dims.resize(static_cast<size_t>(random.range(1, 3)));
  for (Modes &dim : plain.dims)
    for (int64_t n = random.range(1, 3); n > 0; --n) {
      PlainMode mode = {random.range(1, 4), stride(), axis()};
      // One stride with the mode before it, often.
      if (!dim.empty() && random.percent(40)) {
        dim.back().stride = mode.stride * mode.extent;
        dim.back().axis = mode.axis;
      }
      dim.push_back(mode);
    }
  if (!mem)
    for (int64_t n = random.below(3); n > 0; --n)
      plain.replica.push_back({random.range(1, 4), stride(), axis()});
  for (int64_t n = random.below(4); n > 0; --n)
    plain.terms.push_back({random.range(1, 5), stride(), axis()});
  if (random.percent(60))
    plain.offset[static_cast<size_t>(axis())] = random.range(-20, 20);
  if (mem)
    plain.swizzle = static_cast<int>(random.below(4));
  return plain;
}

Plain rewritten(const Plain &plain, Random &random) {
  Plain other = plain;
  for (Modes &dim : other.dims) {
    Modes modes;
    for (const PlainMode &mode : dim)
      append(modes, split(mode, random));
    dim = modes;
  }
  if (random.percent(50))
    std::reverse(other.replica.begin(), other.replica.end());
  for (PlainMode &mode : other.replica)
    if (random.percent(30)) {
      other.offset[static_cast<size_t>(mode.axis)] +=
          (mode.extent - 1) * mode.stride;
      mode.stride = -mode.stride;
    }
  for (PlainTerm &term : other.terms)
    if (random.percent(30)) {
      other.offset[static_cast<size_t>(term.axis)] +=
          (term.count - 1) * term.multiplier;
      term.multiplier = -term.multiplier;
    }
  if (random.percent(50))
    std::reverse(other.terms.begin(), other.terms.end());
  return other;
}

} // namespace agreement
