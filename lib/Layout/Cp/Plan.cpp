//===- Plan.cpp - Is this copy legal, and how is it issued ----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Cp/Plan.h"

#include "Rules.h"
#include "tcgen05/Layout/SmemDescriptor.h"

#include <algorithm>

namespace tcgen05 {
namespace layout {

using namespace cp;

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

int64_t cp::evaluate(const std::vector<Leaf> &leaves, int64_t index,
                     Axis axis) {
  int64_t position = 0;
  for (size_t i = leaves.size(); i-- > 0;) {
    if (leaves[i].stride.axis == axis)
      position += index % leaves[i].extent * leaves[i].stride.value;
    index /= leaves[i].extent;
  }
  return position;
}

/// The modes of an axis that this operand sees.
static const std::vector<Leaf> &modes(const CpAxis &axis, Axis where) {
  return where == Axis::Memory ? axis.src : axis.dst;
}

static DigitSum makeDigits(const CpPlan &plan, Axis axis, int64_t constant,
                           const std::vector<Term> &terms, int64_t unit) {
  std::vector<Digit> digits;
  digits.reserve(terms.size());
  for (const Term &term : terms)
    digits.push_back({term.count, term.multiplier});
  for (const std::vector<CpAxis> *axes : {&plan.groups, &plan.repeats})
    for (const CpAxis &cpAxis : *axes)
      for (const Leaf &leaf : modes(cpAxis, axis))
        digits.push_back({leaf.extent, leaf.stride.axis == axis
                                           ? leaf.stride.value * unit
                                           : 0});
  return DigitSum(constant, std::move(digits));
}

Origins::Origins(const CpPlan &plan, Axis axis, int64_t constant,
                 const std::vector<Term> &terms, int64_t unit)
    : plan(plan), axis(axis), terms(terms),
      digits(makeDigits(plan, axis, constant, terms, unit)) {}

std::string Origins::coordinates(const Witness &witness) const {
  std::vector<int64_t> values;
  size_t digit = terms.size();
  for (const std::vector<CpAxis> *axes : {&plan.groups, &plan.repeats})
    for (const CpAxis &cpAxis : *axes) {
      int64_t value = 0;
      for (const Leaf &leaf : modes(cpAxis, axis))
        value = value * leaf.extent + witness[digit++];
      values.push_back(value);
    }
  if (std::all_of(values.begin(), values.end(),
                  [](int64_t value) { return value == 0; }))
    return "";
  return nameIssue(plan, values);
}

static std::string joined(std::string first, const std::string &second) {
  if (first.empty() && second.empty())
    return "";
  if (!first.empty() && !second.empty())
    first += ", ";
  return " for " + first + second;
}

std::string Origins::where(const Witness &witness) const {
  std::string stage;
  for (size_t i = 0; i < terms.size(); ++i)
    stage += (i > 0 ? ", " : "") + std::to_string(witness[i]);
  if (terms.size() == 1)
    stage = "stage " + stage;
  else if (terms.size() > 1)
    stage = "stages (" + stage + ")";
  return joined(stage, coordinates(witness));
}

std::string Origins::whereSum(const Witness &witness,
                              const std::string &what) const {
  if (terms.empty())
    return where(witness);
  std::string sum = "a " + what + " of " + std::to_string(digits.constant());
  for (size_t i = 0; i < terms.size(); ++i)
    sum += " + " + std::to_string(terms[i].multiplier) + " * " +
           std::to_string(witness[i]);
  return joined(sum, coordinates(witness));
}

std::string cp::nameIssue(const CpPlan &plan,
                          const std::vector<int64_t> &values) {
  std::string text;
  const std::vector<GroupAxis> axes = groupAxes(plan.scope);
  for (size_t i = 0; i < axes.size(); ++i)
    text += (i > 0 ? ", " : "") + std::string(name(axes[i])) + " " +
            std::to_string(values[i]);
  if (plan.repeats.empty())
    return text;
  text += axes.empty() ? "repeat (" : ", repeat (";
  for (size_t i = axes.size(); i < values.size(); ++i)
    text += (i > axes.size() ? ", " : "") + std::to_string(values[i]);
  return text + ")";
}

//===----------------------------------------------------------------------===//
// C2 to C4
//===----------------------------------------------------------------------===//

/// `(4, 2)`
static std::string tuple(const std::vector<int64_t> &values) {
  std::string text = "(";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + ")";
}

static std::optional<Error> checkElement(const char *operand, int64_t bits,
                                         const std::string &element) {
  if (bits == 32)
    return std::nullopt;
  return Error{"C2",
               std::string("expected ") + operand +
                   " elements of 32 bits, but got " +
                   (element.empty() ? std::to_string(bits) + " bits"
                                    : "'" + element + "'"),
               {"view the same bytes as 32-bit words"}};
}

static std::optional<Error>
checkSuffix(const char *operand, const Layout &layout, const CpAtom &atom) {
  const unsigned rank = layout.rank();
  if (rank >= 2 && layout.size(rank - 2) == atom.rows &&
      layout.size(rank - 1) == atom.words)
    return std::nullopt;
  std::vector<int64_t> got = layout.shape();
  if (rank > 2)
    got.erase(got.begin(), got.end() - 2);
  Error error{"C3", std::string("expected ") + operand + " to end in " +
                        tuple({atom.rows, atom.words}) + " for " +
                        std::string(atom.shape) + ", but got " + tuple(got)};
  for (const CpAtom &other : kCpAtoms)
    if (got == std::vector<int64_t>{other.rows, other.words})
      error.notes.push_back("this shape is that of " + other.str());
  return error;
}

/// The lengths that a group axis may have; empty if any.
static std::vector<int64_t> lengths(GroupAxis axis) {
  if (axis == GroupAxis::Lane)
    return {1, 32};
  if (axis == GroupAxis::WarpInGroup)
    return {1, 4};
  return {};
}

namespace {
/// The group and repeat extents of an operand, leading unit repeats dropped.
struct Leading {
  std::vector<int64_t> groups, repeats;
  unsigned firstRepeat;
};
} // namespace

static Leading leading(const Layout &layout, unsigned numGroups) {
  Leading result;
  for (unsigned dim = 0; dim < numGroups; ++dim)
    result.groups.push_back(layout.size(dim));
  unsigned dim = numGroups;
  while (dim + 2 < layout.rank() && layout.size(dim) == 1)
    ++dim;
  result.firstRepeat = dim;
  for (; dim + 2 < layout.rank(); ++dim)
    result.repeats.push_back(layout.size(dim));
  return result;
}

static std::optional<Error> checkGroups(const char *operand,
                                        const Layout &layout, CpScope scope) {
  const std::vector<GroupAxis> axes = groupAxes(scope);
  std::string names;
  for (GroupAxis axis : axes)
    names += (names.empty() ? "" : ", ") + std::string(name(axis));
  if (layout.rank() < axes.size() + 2)
    return Error{"C4", std::string("expected ") + operand +
                           " to lead with group axes (" + names +
                           ") for scope " + std::string(name(scope)) +
                           ", but got shape " + tuple(layout.shape())};
  for (unsigned i = 0; i < axes.size(); ++i) {
    const std::vector<int64_t> allowed = lengths(axes[i]);
    if (allowed.empty() || std::find(allowed.begin(), allowed.end(),
                                     layout.size(i)) != allowed.end())
      continue;
    return Error{"C4", std::string("expected ") + operand + " " +
                           std::string(name(axes[i])) + " axis to be " +
                           std::to_string(allowed[0]) + " or " +
                           std::to_string(allowed[1]) + " long, but got " +
                           std::to_string(layout.size(i))};
  }
  return std::nullopt;
}

/// C4; fills in the axes of the plan.
static std::optional<Error> checkAxes(const Layout &dst, const Layout &src,
                                      CpPlan &plan) {
  if (auto error = checkGroups("dst", dst, plan.scope))
    return error;
  if (auto error = checkGroups("src", src, plan.scope))
    return error;
  const unsigned numGroups = groupAxes(plan.scope).size();
  const Leading a = leading(dst, numGroups), b = leading(src, numGroups);
  if (a.groups != b.groups)
    return Error{"C4", "expected src group extents " + tuple(a.groups) +
                           ", but got " + tuple(b.groups)};
  if (a.repeats != b.repeats)
    return Error{"C4", "expected src repeat extents " + tuple(a.repeats) +
                           ", but got " + tuple(b.repeats)};
  for (unsigned i = 0; i < numGroups; ++i)
    plan.groups.push_back({a.groups[i], dst.coalesced(i), src.coalesced(i)});
  for (unsigned i = 0; i < a.repeats.size(); ++i)
    plan.repeats.push_back({a.repeats[i], dst.coalesced(a.firstRepeat + i),
                            src.coalesced(b.firstRepeat + i)});
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

Result<CpPlan> planCp(const CpOpcode &opcode, const TmemRegion &dst,
                      const SmemRegion &src, CpScope scope,
                      CpMatching matching) {
  if (auto error = dst.check())
    return *error;
  if (auto error = src.check())
    return *error;
  CpPlan plan{opcode, scope, {}, 0, src.align, {}, {}, {}, {}, {}, {}};
  if (auto error = checkElement("dst", dst.bits, dst.element))
    return *error;
  if (auto error = checkElement("src", src.bits, src.element))
    return *error;
  if (auto error = checkSuffix("dst", dst.layout, opcode.atom))
    return *error;
  if (auto error = checkSuffix("src", src.layout, opcode.atom))
    return *error;
  if (auto error = checkAxes(dst.layout, src.layout, plan))
    return *error;
  if (auto error = checkDst(dst, plan))
    return *error;
  if (auto error = checkSrc(src, matching, plan))
    return *error;
  // C11 has looked at both strides, so that they fit.
  plan.descriptorBase =
      *SmemDescriptor{0, plan.walk.ldo, plan.walk.sdo, plan.walk.swizzle}
           .encode();
  return plan;
}

int64_t CpPlan::numRepeats() const {
  int64_t count = 1;
  for (const CpAxis &axis : repeats)
    count *= axis.extent;
  return count;
}

static void advance(CpOffset &offset, const CpAxis &axis, int64_t coordinate) {
  offset.lane += evaluate(axis.dst, coordinate, Axis::Lane);
  offset.col += evaluate(axis.dst, coordinate, Axis::Col);
  offset.bytes += evaluate(axis.src, coordinate, Axis::Memory) * kWordBytes;
}

CpOffset CpPlan::repeat(int64_t index) const {
  CpOffset offset;
  for (size_t i = repeats.size(); i-- > 0;) {
    advance(offset, repeats[i], index % repeats[i].extent);
    index /= repeats[i].extent;
  }
  return offset;
}

CpOffset CpPlan::group(unsigned axis, int64_t coordinate) const {
  CpOffset offset;
  advance(offset, groups[axis], coordinate);
  return offset;
}

/// Adds the terms' share to `sum`; missing values are zero.
static std::optional<Error> addTerms(const char *operand,
                                     const std::vector<Term> &terms,
                                     const std::vector<int64_t> &values,
                                     size_t first, int64_t &sum) {
  for (size_t i = 0; i < terms.size() && first + i < values.size(); ++i) {
    const int64_t value = values[first + i];
    if (value < 0 || value >= terms[i].count)
      return Error{"", std::string("expected ") + operand + " term " +
                           std::to_string(first + i) + " to be in 0 to " +
                           std::to_string(terms[i].count - 1) + ", but got " +
                           std::to_string(value)};
    sum += value * terms[i].multiplier;
  }
  return std::nullopt;
}

static std::optional<Error> checkCount(const char *what, size_t most,
                                       size_t got) {
  if (got <= most)
    return std::nullopt;
  return Error{"", std::string("expected at most ") + std::to_string(most) +
                       " " + what + ", but got " + std::to_string(got)};
}

Result<std::vector<CpIssue>>
CpPlan::issues(const std::vector<int64_t> &dstValues,
               const std::vector<int64_t> &srcValues,
               const std::vector<int64_t> &groupCoordinates, uint32_t taddr,
               int64_t saddr) const {
  if (auto error =
          checkCount("dst terms", dstLaneTerms.size() + dstColTerms.size(),
                     dstValues.size()))
    return *error;
  if (auto error = checkCount("src terms", srcTerms.size(), srcValues.size()))
    return *error;
  if (auto error = checkCount("group coordinates", groups.size(),
                              groupCoordinates.size()))
    return *error;
  if (taddr >= kColumns || taddr % kColumnAlign != 0)
    return Error{"", "expected taddr to be a column that is a multiple of 4 "
                     "below 512, but got " +
                         std::to_string(taddr)};
  if (saddr < 0 || saddr >= kSharedBytes || saddr % align != 0)
    return Error{"",
                 "expected saddr to be a multiple of " + std::to_string(align) +
                     " bytes below 262144, but got " + std::to_string(saddr)};
  CpOffset start = origin;
  if (auto error = addTerms("dst", dstLaneTerms, dstValues, 0, start.lane))
    return *error;
  if (auto error = addTerms("dst", dstColTerms, dstValues, dstLaneTerms.size(),
                            start.col))
    return *error;
  if (auto error = addTerms("src", srcTerms, srcValues, 0, start.bytes))
    return *error;
  for (size_t i = 0; i < groupCoordinates.size(); ++i) {
    const int64_t value = groupCoordinates[i];
    if (value < 0 || value >= groups[i].extent)
      return Error{"", "expected group coordinate " + std::to_string(i) +
                           " to be in 0 to " +
                           std::to_string(groups[i].extent - 1) + ", but got " +
                           std::to_string(value)};
    advance(start, groups[i], value);
  }
  std::vector<CpIssue> list;
  for (int64_t i = 0, count = numRepeats(); i < count; ++i) {
    const CpOffset step = repeat(i);
    const int64_t address = saddr + start.bytes + step.bytes;
    if (address >= kSharedBytes)
      return Error{"", "expected src addresses to stay below 262144, but got " +
                           std::to_string(address)};
    const int64_t displacement =
        TmemAddress::displacement(start.lane + step.lane, start.col + step.col);
    list.push_back(
        {static_cast<uint32_t>(taddr + static_cast<uint64_t>(displacement)),
         descriptorBase | smem_fields::kStart.insert(
                              static_cast<uint64_t>(address / kChunkBytes))});
  }
  return list;
}

} // namespace layout
} // namespace tcgen05
