//===- Sentences.cpp - Do messages tell the truth -------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include <algorithm>

namespace agreement {

/// The numbers of a text, in order.
static std::vector<int64_t> numbersIn(const std::string &text) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9')
      continue;
    const bool negative = i > 0 && text[i - 1] == '-';
    uint64_t value = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      value = 10 * value + static_cast<uint64_t>(text[i] - '0');
    numbers.push_back(static_cast<int64_t>(negative ? -value : value));
  }
  return numbers;
}

/// Takes the numbers after `word` up to `end` off the text.
static std::vector<int64_t>
takeAfter(std::string &text, const std::string &word, const std::string &end) {
  const size_t at = text.find(word);
  if (at == std::string::npos)
    return {};
  size_t stop = text.find(end, at + word.size());
  if (stop == std::string::npos)
    stop = text.size();
  const std::vector<int64_t> numbers =
      numbersIn(text.substr(at + word.size(), stop - at - word.size()));
  text.erase(at, stop - at);
  return numbers;
}

/// C9: both instructions that are named write the cell that is named, run-time
/// terms taken as zero.
static std::string checkCollision(const Copy &copy, const Verdict &verdict,
                                  const std::string &sentence) {
  const size_t but = sentence.find(", but "), both = sentence.find(" both ");
  const size_t between = sentence.find(" and ", but);
  if (but == std::string::npos || both == std::string::npos ||
      between == std::string::npos || between > both)
    return "no pair in";
  const std::vector<int64_t> cell = numbersIn(sentence.substr(both));
  const std::vector<int64_t> pair[] = {
      numbersIn(sentence.substr(but, between - but)),
      numbersIn(sentence.substr(between, both - between))};
  const size_t groups = scopes()[copy.scope].lengths.size();
  const size_t leading = copy.dst.dims.size() - 2;
  if (pair[0] == pair[1] || cell.size() != 2)
    return "one instruction in";
  for (const std::vector<int64_t> &named : pair) {
    if (named.size() < groups || named.size() > leading)
      return "other coordinates in";
    std::vector<int64_t> at(leading, 0);
    const auto repeats = named.begin() + static_cast<ptrdiff_t>(groups);
    std::copy(named.begin(), repeats, at.begin());
    std::copy(repeats, named.end(), at.end() - (named.end() - repeats));
    const Place place = placeOf(copy.dst, at, {});
    const int64_t words = atoms()[copy.atom].words;
    if (place[kLane] + verdict.lowest != cell[0] || cell[1] < place[kCol] ||
        cell[1] >= place[kCol] + words)
      return "another cell in";
  }
  return "";
}

std::string checkSentence(const Copy &copy, const Verdict &verdict,
                          const std::string &sentence) {
  const std::string &rule = verdict.rule;
  if (rule == "C9")
    return checkCollision(copy, verdict, sentence);
  if (rule != "C7" && rule != "C8" && rule != "C12" && rule != "C14")
    return "";
  const size_t got = sentence.find(", but got ");
  const size_t suffix = sentence.find(" for ", got);
  std::string what = sentence.substr(
      got, suffix == std::string::npos ? std::string::npos : suffix - got);
  std::string where =
      suffix == std::string::npos ? "" : sentence.substr(suffix + 5);
  const std::vector<int64_t> claimed = numbersIn(what);
  if (claimed.empty())
    return "no number in";
  if (sentence.find("eight-row block") != std::string::npos)
    return where.empty() ? "" : "a place in";

  const bool isDst = rule == "C7" || rule == "C8";
  Plain plain = isDst ? copy.dst : copy.src;
  const int axis = !isDst                                    ? int(kMem)
                   : what.find("lanes") != std::string::npos ? int(kLane)
                                                             : int(kCol);
  std::vector<PlainTerm> terms;
  for (const PlainTerm &term : plain.terms)
    if (term.axis == axis && term.count > 1 && term.multiplier != 0)
      terms.push_back(term);
  std::sort(terms.begin(), terms.end(),
            [](const PlainTerm &a, const PlainTerm &b) {
              return a.multiplier != b.multiplier ? a.multiplier > b.multiplier
                                                  : a.count > b.count;
            });
  plain.terms = terms;

  std::vector<int64_t> values;
  if (rule == "C7") { // spelled as a sum: constant + multiplier * value + ...
    const std::vector<int64_t> sum =
        takeAfter(where, "a column origin of ", ",");
    for (size_t i = 2; i < sum.size(); i += 2)
      values.push_back(sum[i]);
  } else if (where.find("stages (") == 0) {
    values = takeAfter(where, "stages (", ")");
  } else {
    values = takeAfter(where, "stage ", ",");
  }
  if (values.size() != terms.size())
    return "other stages in";
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] >= terms[i].count)
      return "no such stage in";

  const size_t groups = scopes()[copy.scope].lengths.size();
  const std::vector<int64_t> repeat = takeAfter(where, "repeat (", ")");
  std::vector<int64_t> at(plain.dims.size() - 2, 0);
  const std::vector<int64_t> members = numbersIn(where);
  if (!members.empty() && members.size() != groups)
    return "other group coordinates in";
  std::copy(members.begin(), members.end(), at.begin());
  if (repeat.size() > at.size() - groups)
    return "other repeats in";
  std::copy(repeat.begin(), repeat.end(), at.end() - int64_t(repeat.size()));
  for (size_t i = 0; i < at.size(); ++i)
    if (at[i] < 0 || at[i] >= sizeOf(plain.dims[i]))
      return "no such repeat in";

  const int64_t place = placeOf(plain, at, values)[static_cast<size_t>(axis)];
  int64_t expected = isDst ? place : 4 * place;
  if (axis == kLane)
    expected += verdict.lowest;
  int64_t said = claimed[0];
  if (rule == "C14" && claimed.size() == 3) { // a row and a word before
    const int64_t row = claimed[0], word = claimed[1];
    const int64_t along =
        verdict.mode == 0 ? word / 4 * verdict.ldo + word % 4 * 4 : 4 * word;
    expected = swizzled(verdict.mode,
                        expected + row / 8 * verdict.sdo +
                            row % 8 * (int64_t(16) << verdict.mode) + along);
    said = claimed[2];
  }
  return said == expected
             ? ""
             : "expected " + std::to_string(expected) + " from the place in";
}

} // namespace agreement
