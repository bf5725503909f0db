//===- Plain.cpp - Layouts in plain numbers, and chance -------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plain.h"

using namespace tcgen05::layout;

namespace agreement {

static Mode leafOf(const PlainMode &mode) {
  Mode leaf;
  leaf.extent = mode.extent;
  leaf.stride = {mode.stride, static_cast<Axis>(mode.axis)};
  return leaf;
}

/// A mode that holds the leaves [first, last) in this order.
static Mode nest(const std::vector<PlainMode> &modes, size_t first, size_t last,
                 unsigned depth, Random &random) {
  if (last - first == 1 && (depth == 0 || random.percent(85)))
    return leafOf(modes[first]);
  Mode tuple;
  while (first != last) {
    size_t end = first + 1;
    if (depth > 1 && random.percent(40))
      end =
          first + 1 +
          static_cast<size_t>(random.below(static_cast<int64_t>(last - first)));
    const bool deeper = end - first > 1 || random.percent(5);
    tuple.children.push_back(deeper && depth > 1
                                 ? nest(modes, first, end, depth - 1, random)
                                 : leafOf(modes[first]));
    first = deeper && depth > 1 ? end : first + 1;
  }
  return tuple;
}

Layout::Parts partsOf(const Plain &plain, Random &random) {
  Layout::Parts parts;
  for (const std::vector<PlainMode> &dim : plain.dims)
    parts.dims.push_back(
        nest(dim, 0, dim.size(), dim.size() > 1 ? 4 : 1, random));
  for (const PlainMode &mode : plain.replica)
    parts.replica.push_back(leafOf(mode));
  for (unsigned axis = 0; axis < kNumAxes; ++axis)
    parts.offset[axis].constant = plain.offset[axis];
  for (const PlainTerm &term : plain.terms)
    parts.offset[static_cast<unsigned>(term.axis)].terms.push_back(
        {term.count, term.multiplier});
  parts.swizzle = static_cast<Swizzle>(plain.swizzle);
  return parts;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string suffix(Axis axis) {
  return axis == Axis::Lane ? "@lane" : axis == Axis::Col ? "@col" : "";
}

static std::string extentText(const Mode &mode) {
  if (mode.children.empty())
    return std::to_string(mode.extent);
  std::string text = "(";
  for (const Mode &child : mode.children)
    text += (text.size() > 1 ? ", " : "") + extentText(child);
  return text + ")";
}

static std::string strideText(const Mode &mode) {
  if (mode.children.empty())
    return std::to_string(mode.stride.value) + suffix(mode.stride.axis);
  std::string text = "(";
  for (const Mode &child : mode.children)
    text += (text.size() > 1 ? "," : "") + strideText(child);
  return text + ")";
}

static bool spellable(const Mode &mode) {
  for (const Mode &child : mode.children)
    if (!spellable(child))
      return false;
  return !mode.children.empty() ||
         (mode.stride.value != INT64_MIN && mode.extent >= 0);
}

std::optional<std::string> spell(const Layout::Parts &parts, Random &random) {
  if (parts.dims.empty())
    return std::nullopt;
  std::string extents, strides, text;
  for (const Mode &dim : parts.dims) {
    if (!spellable(dim))
      return std::nullopt;
    extents += (extents.empty() ? "" : ", ") + extentText(dim);
    strides += (strides.empty() ? "" : ", ") + strideText(dim);
  }
  text = "[" + extents + "] : [" + strides + "]";
  if (!parts.replica.empty()) {
    std::string list;
    for (const Mode &mode : parts.replica) {
      if (!spellable(mode))
        return std::nullopt;
      list += (list.empty() ? "" : ", ") + extentText(mode) + " : " +
              strideText(mode);
    }
    text += ", replica [" + list + "]";
  }
  std::string offsets;
  for (unsigned axis : {2u, 0u, 1u}) {
    const AxisOffset &offset = parts.offset[axis];
    if (offset.constant == INT64_MIN)
      return std::nullopt;
    std::vector<std::string> summands;
    for (const Term &term : offset.terms) {
      if (term.count < 0 || term.multiplier == INT64_MIN)
        return std::nullopt;
      summands.push_back("?" + std::to_string(term.count) + "*" +
                         std::to_string(term.multiplier));
    }
    if (offset.constant != 0 || (!summands.empty() && random.percent(10)))
      summands.insert(
          summands.begin() +
              random.below(static_cast<int64_t>(summands.size()) + 1),
          std::to_string(offset.constant));
    if (summands.empty())
      continue;
    std::string sum = summands[0];
    for (size_t i = 1; i < summands.size(); ++i)
      sum += summands[i][0] == '-' ? " - " + summands[i].substr(1)
                                   : " + " + summands[i];
    offsets +=
        (offsets.empty() ? "" : ", ") + sum + suffix(static_cast<Axis>(axis));
  }
  if (!offsets.empty())
    text += ", offset [" + offsets + "]";
  if (parts.swizzle != Swizzle::None)
    text += ", swizzle " +
            std::to_string(16 << static_cast<int>(parts.swizzle)) + "B";
  return text;
}

TmemRegion tmemOf(const Plain &plain, Layout layout) {
  TmemRegion region;
  region.layout = std::move(layout);
  region.bits = plain.bits;
  region.columns = plain.columns;
  return region;
}

SmemRegion smemOf(const Plain &plain, Layout layout) {
  SmemRegion region;
  region.layout = std::move(layout);
  region.bits = plain.bits;
  region.align = plain.align;
  region.storage = plain.storage;
  return region;
}

int64_t sizeOf(const std::vector<PlainMode> &dim) {
  int64_t size = 1;
  for (const PlainMode &mode : dim)
    size *= mode.extent;
  return size;
}

std::string describe(const Plain &plain) {
  Random random(0);
  std::optional<std::string> text = spell(partsOf(plain, random), random);
  return text.value_or("(no text)") + " bits " + std::to_string(plain.bits) +
         " columns " + std::to_string(plain.columns) + " align " +
         std::to_string(plain.align) + " storage " +
         (plain.storage ? std::to_string(*plain.storage) : "image");
}

} // namespace agreement
