//===- Properties.cpp - What holds of every layout ------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "tcgen05/Layout/SmemDescriptor.h"

#include <algorithm>

using namespace tcgen05::layout;

namespace agreement {

std::string checkText(const Layout &layout, const Layout::Parts &parts,
                      Random &random) {
  const std::string text = layout.str();
  const Result<Layout> again = Layout::parse(text);
  if (!again)
    return "own text refused: " + again.error().message;
  if (*again != layout || again->hash() != layout.hash())
    return "own text reads back as " + again->str();
  if (again->str() != text)
    return "own text changes to " + again->str();
  if (std::optional<std::string> other = spell(parts, random)) {
    const Result<Layout> spelled = Layout::parse(*other);
    if (!spelled)
      return *other + " refused: " + spelled.error().message;
    if (*spelled != layout)
      return *other + " reads as " + spelled->str();
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The terms in normal form, lanes before columns.
static std::vector<PlainTerm> normalTerms(const Plain &plain) {
  std::vector<PlainTerm> terms;
  for (const PlainTerm &term : plain.terms)
    if (term.count > 1 && term.multiplier != 0)
      terms.push_back(term);
  std::sort(terms.begin(), terms.end(),
            [](const PlainTerm &a, const PlainTerm &b) {
              if (a.axis != b.axis)
                return a.axis < b.axis;
              if (a.multiplier != b.multiplier)
                return a.multiplier > b.multiplier;
              return a.count > b.count;
            });
  return terms;
}

static std::vector<int64_t> drawValues(const std::vector<PlainTerm> &terms,
                                       Random &random) {
  std::vector<int64_t> values;
  for (const PlainTerm &term : terms)
    values.push_back(random.below(term.count));
  return values;
}

std::string checkPlan(const Copy &copy, const Verdict &verdict,
                      const CpPlan &plan, Random &random) {
  const size_t groups = scopes()[copy.scope].lengths.size();
  if (static_cast<int>(plan.walk.swizzle) != verdict.mode ||
      plan.walk.ldo != verdict.ldo || plan.walk.sdo != verdict.sdo)
    return "walk " + plan.walk.str();
  if (plan.descriptorBase !=
      encodeWord(0, verdict.ldo, verdict.sdo, verdict.mode))
    return "descriptor " + std::to_string(plan.descriptorBase);

  Plain dst = copy.dst, src = copy.src;
  dst.terms = normalTerms(dst);
  src.terms = normalTerms(src);
  auto extentsOf = [](const Plain &plain) {
    std::vector<int64_t> extents;
    for (size_t i = 0; i + 2 < plain.dims.size(); ++i)
      extents.push_back(sizeOf(plain.dims[i]));
    return extents;
  };
  const std::vector<int64_t> dstExtents = extentsOf(dst);
  const std::vector<int64_t> srcExtents = extentsOf(src);
  int64_t repeats = 1;
  for (size_t i = groups; i < dstExtents.size(); ++i)
    repeats *= dstExtents[i];
  if (plan.numRepeats() != repeats || plan.align != src.align)
    return "repeats " + std::to_string(plan.numRepeats());

  for (int round = 0; round < 2; ++round) {
    // First all zero, then somewhere.
    const bool zero = round == 0;
    std::vector<int64_t> members, dstValues(dst.terms.size(), 0);
    std::vector<int64_t> srcValues(src.terms.size(), 0);
    for (size_t i = 0; i < groups; ++i)
      members.push_back(zero ? 0 : random.below(dstExtents[i]));
    int64_t saddr = 0, taddr = 0;
    if (!zero) {
      dstValues = drawValues(dst.terms, random);
      srcValues = drawValues(src.terms, random);
      const int64_t room = ((int64_t(1) << 18) - verdict.storage) / src.align;
      saddr = src.align * random.range(0, std::max<int64_t>(room, 0));
      taddr = 4 * random.range(0, (512 - dst.columns) / 4);
    }
    const Result<std::vector<CpIssue>> issues = plan.issues(
        dstValues, srcValues, members, static_cast<uint32_t>(taddr), saddr);
    if (!issues)
      return "issues refused: " + issues.error().message;
    if (static_cast<int64_t>(issues->size()) != repeats)
      return std::to_string(issues->size()) + " issues";
    for (int64_t index = 0; index < repeats; ++index) {
      auto placeIn = [&](const Plain &plain, const std::vector<int64_t> &sizes,
                         const std::vector<int64_t> &values) {
        std::vector<int64_t> at(sizes.size());
        std::copy(members.begin(), members.end(), at.begin());
        int64_t rest = index;
        for (size_t i = sizes.size(); i-- > groups;) {
          at[i] = rest % sizes[i];
          rest /= sizes[i];
        }
        return placeOf(plain, at, values);
      };
      const Place to = placeIn(dst, dstExtents, dstValues);
      const Place from = placeIn(src, srcExtents, srcValues);
      const int64_t lane = to[kLane] + verdict.lowest;
      const CpIssue &issue = (*issues)[static_cast<size_t>(index)];
      if (issue.taddr != static_cast<uint32_t>(lane * 65536 + to[kCol] + taddr))
        return "issue " + std::to_string(index) + " at TMEM address " +
               std::to_string(issue.taddr);
      if (issue.descriptor != encodeWord(saddr + 4 * from[kMem], verdict.ldo,
                                         verdict.sdo, verdict.mode))
        return "issue " + std::to_string(index) + " with descriptor " +
               std::to_string(issue.descriptor);
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

std::string checkEncodings() {
  static constexpr Swizzle modes[] = {Swizzle::None, Swizzle::B32, Swizzle::B64,
                                      Swizzle::B128};
  auto roundTrip = [&](int64_t start, int64_t ldo, int64_t sdo, int mode) {
    const SmemDescriptor descriptor{start, ldo, sdo, modes[mode]};
    const Result<uint64_t> word = descriptor.encode();
    const bool legal = [&] {
      for (int64_t value : {start, ldo, sdo})
        if (value < 0 || value % 16 != 0 || value >= 1 << 18)
          return false;
      return true;
    }();
    if (static_cast<bool>(word) != legal)
      return false;
    if (!legal)
      return true;
    if (*word != encodeWord(start, ldo, sdo, mode))
      return false;
    const Result<SmemDescriptor> back = SmemDescriptor::decode(*word);
    return back && *back == descriptor;
  };
  for (int mode = 0; mode < 4; ++mode)
    for (int64_t value = -64; value <= (1 << 18) + 64; ++value)
      if (!roundTrip(value, 16, 0, mode) || !roundTrip(0, value, 128, mode) ||
          !roundTrip(0x400, 32, value, mode))
        return "descriptor of " + std::to_string(value);
  for (int64_t value : {INT64_MIN, INT64_MIN + 16, INT64_MAX, INT64_MAX - 15})
    if (!roundTrip(value, 16, 0, 0) || !roundTrip(0, value, 0, 1) ||
        !roundTrip(0, 16, value, 2))
      return "descriptor of " + std::to_string(value);

  // All values of the bits outside of the three addresses.
  for (uint64_t high = 0; high < uint64_t(1) << 18; ++high) {
    const uint64_t word = high << 46 | 0x0012000300000045ULL % (1ULL << 46);
    const uint64_t code = high >> 15;
    const bool legal = (high & 0x7fff) == 1 &&
                       (code == 0 || code == 6 || code == 4 || code == 2);
    if (static_cast<bool>(SmemDescriptor::decode(word)) != legal)
      return "word " + std::to_string(word);
  }
  for (uint64_t low = 1; low < 16; ++low) // bits 14, 15, 30, 31
    if (SmemDescriptor::decode(uint64_t(1) << 46 | (low & 3) << 14 |
                               (low >> 2) << 30))
      return "reserved bits " + std::to_string(low);

  for (int64_t lane = -2; lane < 260; ++lane)
    for (int64_t col = -2; col < 1030; ++col) {
      const Result<uint32_t> address = TmemAddress{lane, col}.encode();
      const bool legal = lane >= 0 && lane < 128 && col >= 0 && col < 512;
      if (static_cast<bool>(address) != legal ||
          (legal && *address != static_cast<uint32_t>(lane * 65536 + col)))
        return "TMEM address of " + std::to_string(lane) + ", " +
               std::to_string(col);
      if (lane < 0 || col < 0)
        continue;
      const auto word = static_cast<uint32_t>(lane * 65536 + col);
      const Result<TmemAddress> back = TmemAddress::decode(word);
      if (static_cast<bool>(back) != legal ||
          (legal && (back->lane != lane || back->col != col)))
        return "TMEM word " + std::to_string(word);
    }
  return "";
}

} // namespace agreement
