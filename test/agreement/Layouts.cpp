//===- Layouts.cpp - Layouts and slices by listing positions --------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "tcgen05/Layout/Slice.h"

#include <algorithm>
#include <set>

using namespace tcgen05::layout;

namespace agreement {

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

using Places = std::vector<Place>;

static Places sumsOf(const std::vector<PlainMode> &modes) {
  Places places = {{0, 0, 0}};
  for (const PlainMode &mode : modes) {
    Places next;
    for (const Place &place : places)
      for (int64_t i = 0; i < mode.extent; ++i) {
        next.push_back(place);
        next.back()[static_cast<size_t>(mode.axis)] += i * mode.stride;
      }
    places = next;
  }
  return places;
}

static Place sum(const Place &a, const Place &b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// A layout as what it means: its shape, the place of each coordinate relative
/// to coordinate zero, the replicas relative to the least, and where coordinate
/// zero of the least may lie.
struct Meaning {
  std::vector<int64_t> shape;
  Places function;
  std::set<Place> replicas;
  std::set<Place> origins;
  int swizzle;
};

static Meaning meaningOf(const Plain &plain) {
  Meaning meaning;
  std::vector<PlainMode> modes, terms;
  for (const std::vector<PlainMode> &dim : plain.dims) {
    meaning.shape.push_back(sizeOf(dim));
    modes.insert(modes.end(), dim.begin(), dim.end());
  }
  meaning.function = sumsOf(modes);
  const Places copies = sumsOf(plain.replica);
  const Place least = *std::min_element(copies.begin(), copies.end());
  for (const Place &copy : copies)
    meaning.replicas.insert(
        {copy[0] - least[0], copy[1] - least[1], copy[2] - least[2]});
  for (const PlainTerm &term : plain.terms)
    terms.push_back({term.count, term.multiplier, term.axis});
  for (const Place &value : sumsOf(terms))
    meaning.origins.insert(sum(sum(value, plain.offset), least));
  meaning.swizzle = plain.swizzle;
  return meaning;
}

std::string checkLayout(Random &random) {
  const Plain plain = drawLayout(random);
  Plain other = random.percent(70) ? rewritten(plain, random) : plain;
  if (random.percent(50)) {
    mutate(other, random);
    for (std::vector<PlainMode> &dim : other.dims)
      for (PlainMode &mode : dim)
        if (mode.extent > 8 || mode.extent < 1)
          mode.extent = 2;
    for (PlainMode &mode : other.replica)
      if (mode.extent > 8 || mode.extent < 1)
        mode.extent = 2;
    for (PlainTerm &term : other.terms)
      if (term.count > 8 || term.count < 1)
        term.count = 2;
  }
  if (!isWellFormed(other))
    return "";
  const Layout::Parts parts = partsOf(plain, random);
  const Result<Layout> a = Layout::create(parts);
  const Result<Layout> b = Layout::create(partsOf(other, random));
  if (!a || !b)
    return "a layout was refused";
  const std::string pair = a->str() + " and " + b->str() + ": ";
  if (std::string wrong = checkText(*a, parts, random); !wrong.empty())
    return pair + wrong;

  const Meaning mine = meaningOf(plain), theirs = meaningOf(other);
  if (a->shape() != mine.shape)
    return pair + "shape";
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<size_t>(axis);
    std::set<int64_t> positions;
    int64_t function[2] = {0, 0}, copies[2] = {0, 0};
    for (const Place &place : mine.function) {
      function[0] = std::min(function[0], place[i]);
      function[1] = std::max(function[1], place[i]);
    }
    for (const Place &place : mine.replicas) {
      copies[0] = std::min(copies[0], place[i]);
      copies[1] = std::max(copies[1], place[i]);
    }
    for (const Place &origin : mine.origins) {
      positions.insert(origin[i] + function[0] + copies[0]);
      positions.insert(origin[i] + function[1] + copies[1]);
    }
    if (a->minPosition(static_cast<Axis>(axis)) != *positions.begin() ||
        a->maxPosition(static_cast<Axis>(axis)) != *positions.rbegin())
      return pair + "extremes";
  }
  if (mine.origins.size() == 1) {
    const TmemDisplacement origin = tmemOrigin(*a);
    const Place want = *mine.origins.begin();
    if (origin.lane != want[kLane] || origin.col != want[kCol])
      return pair + "origin";
  }
  if (a->hasTerms() != (mine.origins.size() > 1))
    return pair + "terms";

  const bool alike =
      mine.shape == theirs.shape && mine.function == theirs.function &&
      mine.replicas == theirs.replicas && mine.swizzle == theirs.swizzle;
  const bool inside =
      std::includes(mine.origins.begin(), mine.origins.end(),
                    theirs.origins.begin(), theirs.origins.end());
  if (a->equivalentUpToOffset(*b) != alike)
    return pair + (alike ? "should be" : "should not be") +
           " equivalent up to the offset";
  if (a->containsPlacements(*b) != inside)
    return pair + (inside ? "should" : "should not") +
           " contain the placements";
  if (a->equivalent(*b) != (alike && mine.origins == theirs.origins))
    return pair + "equivalence";

  // What memory the image needs.
  const Layout fixed = *a->withOffset({AxisOffset{plain.offset[0], {}},
                                       AxisOffset{plain.offset[1], {}},
                                       AxisOffset{plain.offset[2], {}}});
  Plain still = plain;
  still.terms.clear();
  const Meaning image = meaningOf(still);
  const Place origin = *image.origins.begin();
  const bool mem = mine.swizzle != 0 || fixed.usesAxis(Axis::Memory);
  if (mem) {
    SmemRegion region;
    region.layout = fixed;
    region.bits = random.of({8, 16, 32, 64});
    const int64_t bytes = region.bits / 8, base = int64_t(1) << 40;
    int64_t low = INT64_MAX, end = INT64_MIN;
    for (const Place &place : image.function) {
      const int64_t at = bytes * (origin[kMem] + place[kMem]);
      low = std::min(low, at);
      end = std::max(end, swizzled(mine.swizzle, base + at) - base + bytes);
    }
    if (region.imageBytes() != end)
      return pair + "image ends at " + std::to_string(end) + ", not " +
             std::to_string(region.imageBytes());
    if (region.checkView().has_value() != (low < 0))
      return pair + "view";
  } else {
    TmemRegion region;
    region.layout = fixed;
    region.columns = 4 * random.range(1, 12);
    bool fits = true;
    for (const Place &place : image.function)
      for (const Place &copy : image.replicas) {
        const Place at = sum(sum(origin, place), copy);
        fits &= at[kLane] >= 0 && at[kLane] < 128 && at[kCol] >= 0 &&
                at[kCol] < region.columns;
      }
    if (region.checkView().has_value() == fits)
      return pair + "view of " + std::to_string(region.columns) + " columns";
    region.layout = *a;
    if (a->hasTerms() && !region.checkView())
      return pair + "view with run-time terms";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The extents of the fewest modes that have these positions, innermost first,
/// or an empty list if none have: the first run of one step divides them into
/// equal runs, whose beginnings are modes again.
static std::vector<size_t> modesOf(const Places &places) {
  const size_t n = places.size();
  if (n == 1)
    return {1};
  auto minus = [](const Place &a, const Place &b) {
    return Place{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  };
  const Place step = minus(places[1], places[0]);
  if ((step[0] != 0) + (step[1] != 0) + (step[2] != 0) > 1)
    return {};
  size_t run = 1;
  while (run < n && minus(places[run], places[run - 1]) == step)
    ++run;
  if (n % run != 0)
    return {};
  Places starts;
  for (size_t i = 0; i < n; i += run) {
    starts.push_back(places[i]);
    for (size_t k = 0; k < run; ++k)
      if (minus(places[i + k], places[i]) != minus(places[k], places[0]))
        return {};
  }
  std::vector<size_t> extents = modesOf(starts);
  if (!extents.empty())
    extents.insert(extents.begin(), run);
  return extents;
}

/// True if [first, first + size) is made of whole modes, but for the last.
static bool cutsNoMode(const std::vector<size_t> &extents, size_t first,
                       size_t size) {
  for (size_t extent : extents) {
    if (first % extent + size <= extent)
      return true;
    if (first % extent != 0 || size % extent != 0)
      return false;
    first /= extent;
    size /= extent;
  }
  return true;
}

std::string checkSlice(Random &random, bool &taken) {
  const Plain plain = drawLayout(random);
  const Result<Layout> layout = Layout::create(partsOf(plain, random));
  if (!layout)
    return "a layout was refused";
  std::vector<SliceOrigin> origins;
  std::vector<int64_t> sizes, counts;
  std::vector<Places> tables;
  bool expressible = true;
  std::string text = layout->str() + " at";
  for (const std::vector<PlainMode> &dim : plain.dims) {
    const int64_t n = sizeOf(dim);
    const Places table = sumsOf(dim);
    int64_t size = random.range(1, n);
    if (random.percent(60))
      for (size_t i = 0, inner = 1; i < dim.size(); ++i) {
        inner *= static_cast<size_t>(dim[dim.size() - 1 - i].extent);
        if (n % static_cast<int64_t>(inner) == 0 && random.percent(70))
          size = static_cast<int64_t>(inner);
      }
    SliceOrigin origin;
    origin.constant = random.range(0, n - size);
    if (random.percent(50))
      origin.constant -= origin.constant % size;
    if (random.percent(50))
      origin.multiplier = random.percent(50) ? size : random.range(1, n);
    if (random.percent(3)) {
      size = random.range(-1, n + 1);
      origin.constant = random.range(-1, n + 1);
      origin.multiplier = random.range(-1, 2);
    }
    const bool inside = size >= 1 && origin.constant >= 0 &&
                        origin.constant + size <= n && origin.multiplier >= 0;
    int64_t count = 1;
    if (inside && origin.multiplier > 0)
      count = (n - size - origin.constant) / origin.multiplier + 1;
    expressible &= inside;
    if (inside) {
      auto moved = [&](int64_t value, int64_t i) {
        const int64_t first = origin.constant + value * origin.multiplier;
        const Place &a = table[static_cast<size_t>(first + i)];
        const Place &b = table[static_cast<size_t>(first)];
        return Place{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
      };
      auto start = [&](int64_t value) {
        return table[static_cast<size_t>(origin.constant +
                                         value * origin.multiplier)];
      };
      const std::vector<size_t> extents = modesOf(table);
      expressible &=
          !modesOf(Places(table.begin(), table.begin() + size)).empty();
      for (int64_t value = 0; value < count; ++value) {
        expressible &= cutsNoMode(
            extents,
            static_cast<size_t>(origin.constant + value * origin.multiplier),
            static_cast<size_t>(size));
        for (int64_t i = 0; i < size; ++i)
          expressible &= moved(value, i) == table[static_cast<size_t>(i)];
        for (size_t axis = 0; axis < 3 && count > 1; ++axis)
          expressible &= start(value)[axis] - start(0)[axis] ==
                         value * (start(1)[axis] - start(0)[axis]);
      }
    }
    text += " " + std::to_string(origin.constant) + "+i*" +
            std::to_string(origin.multiplier) + " size " + std::to_string(size);
    origins.push_back(origin);
    sizes.push_back(size);
    counts.push_back(count);
    tables.push_back(table);
  }
  const Result<Slice> result = slice(*layout, origins, sizes);
  taken = static_cast<bool>(result);
  if (taken != expressible)
    return text + (taken ? ": taken, but not expressible"
                         : ": refused, " + result.error().message);
  if (!taken)
    return "";
  if (result->layout.shape() != sizes)
    return text + ": shape of " + result->layout.str();
  // Every point of one placement, where the steps say it lies.
  std::vector<int64_t> values;
  for (int64_t count : counts)
    values.push_back(random.below(count));
  Place base = plain.offset;
  for (const SliceStep &step : result->steps) {
    if (step.count < 2 || step.stride.value == 0)
      return text + ": a step that leads nowhere";
    if (step.count != counts[step.dim])
      return text + ": count " + std::to_string(step.count);
    base[static_cast<size_t>(step.stride.axis)] +=
        values[step.dim] * step.stride.value;
  }
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    const Place &first =
        tables[dim][static_cast<size_t>(origins[dim].constant)];
    base = sum(base, first);
    std::vector<PlainMode> modes;
    for (const Leaf &leaf : result->layout.leaves(static_cast<unsigned>(dim)))
      modes.push_back(
          {leaf.extent, leaf.stride.value, static_cast<int>(leaf.stride.axis)});
    if (sumsOf(modes) !=
        Places(tables[dim].begin(), tables[dim].begin() + sizes[dim]))
      return text + ": positions of " + result->layout.str();
  }
  Place want = plain.offset;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    want = sum(
        want,
        tables[dim][static_cast<size_t>(
            origins[dim].constant + values[dim] * origins[dim].multiplier)]);
  if (base != want)
    return text + ": steps of " + result->layout.str();
  // The offset holds the first origin and, as terms, where the others lie.
  Plain sliced = plain;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    for (size_t axis = 0; axis < 3; ++axis)
      sliced.offset[axis] +=
          tables[dim][static_cast<size_t>(origins[dim].constant)][axis];
  for (const SliceStep &step : result->steps)
    sliced.terms.push_back(
        {step.count, step.stride.value, static_cast<int>(step.stride.axis)});
  for (int axis = 0; axis < 3; ++axis) {
    Layout::Parts parts = partsOf(sliced, random);
    const Result<Layout> whole = Layout::create(parts);
    if (!whole || !(whole->offset(static_cast<Axis>(axis)) ==
                    result->layout.offset(static_cast<Axis>(axis))))
      return text + ": offset of " + result->layout.str();
  }
  return "";
}

} // namespace agreement
