//===- LayoutText.cpp - Reading layouts -----------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/LayoutGrammar.h"

#include <cctype>

namespace tcgen05 {
namespace layout {

//===----------------------------------------------------------------------===//
// Grammar
//===----------------------------------------------------------------------===//

namespace {
/// One function for each rule of the grammar; false if an error was reported.
class Parser {
public:
  explicit Parser(LayoutTokens &tokens) : tokens(tokens) {}

  std::optional<Layout> layout() {
    Layout::Parts parts;
    if (!extents(parts.dims) || !expect(':', "between shape and strides") ||
        !strides(parts.dims))
      return std::nullopt;
    int seen = 0;
    while (tokens.punctuation(','))
      if (!parameter(parts, seen))
        return std::nullopt;
    Result<Layout> result = Layout::create(std::move(parts));
    if (result)
      return *result;
    tokens.fail(result.error().message);
    return std::nullopt;
  }

private:
  bool fail(const std::string &message) {
    tokens.fail(message);
    return false;
  }

  bool expect(char c, const char *where) {
    if (tokens.punctuation(c))
      return true;
    return fail(std::string("expected '") + c + "' " + where);
  }

  bool integer(int64_t &value, const char *what, bool isSigned) {
    const bool negative = isSigned && tokens.punctuation('-');
    const LayoutTokens::Number number = tokens.integer(value);
    if (number == LayoutTokens::Number::Bad)
      return false;
    if (number == LayoutTokens::Number::Absent)
      return fail(std::string("expected ") + what);
    if (negative)
      value = -value;
    return true;
  }

  bool axis(Axis &axis) {
    std::string word;
    axis = Axis::Memory;
    if (!tokens.symbol(word))
      return true;
    for (Axis candidate : {Axis::Lane, Axis::Col})
      if (name(candidate) == word) {
        axis = candidate;
        return true;
      }
    return fail("expected axis to be lane or col, but got '" + word + "'");
  }

  bool extent(Mode &mode, unsigned depth) {
    if (!tokens.punctuation('(')) {
      if (!integer(mode.extent, "an extent", /*isSigned=*/false))
        return false;
      if (mode.extent < 1)
        return fail("expected extent to be positive, but got " +
                    std::to_string(mode.extent));
      return true;
    }
    if (depth >= kMaxDepth)
      return fail("expected nesting of at most 16 parentheses, but got 17");
    do {
      mode.children.emplace_back();
      if (!extent(mode.children.back(), depth + 1))
        return false;
    } while (tokens.punctuation(','));
    return expect(')', "after the extents of a nested dimension");
  }

  bool stride(Mode &mode) {
    if (mode.isLeaf())
      return integer(mode.stride.value, "a stride for each extent",
                     /*isSigned=*/true) &&
             axis(mode.stride.axis);
    if (!expect('(', "since strides are nested as the shape is"))
      return false;
    for (size_t i = 0; i < mode.children.size(); ++i)
      if ((i > 0 && !expect(',', "since there is a stride for each extent")) ||
          !stride(mode.children[i]))
        return false;
    return expect(')', "after the strides of a nested dimension");
  }

  bool extents(std::vector<Mode> &dims) {
    if (!expect('[', "before the shape of the layout"))
      return false;
    do {
      if (dims.size() == kMaxRank)
        return fail("expected layout to have at most 16 dimensions");
      dims.emplace_back();
      if (!extent(dims.back(), 0))
        return false;
    } while (tokens.punctuation(','));
    return expect(']', "after the shape of the layout");
  }

  bool strides(std::vector<Mode> &dims) {
    if (!expect('[', "before the strides of the layout"))
      return false;
    for (size_t i = 0; i < dims.size(); ++i)
      if ((i > 0 &&
           !expect(',', "since there is a stride for each dimension")) ||
          !stride(dims[i]))
        return false;
    return expect(']', "after the strides of the layout");
  }

  /// What may follow the strides, each once and in this order.
  bool parameter(Layout::Parts &parts, int &seen) {
    auto next = [&](int place, std::string_view word) {
      if (seen >= place || !tokens.keyword(word))
        return false;
      seen = place;
      return true;
    };
    if (next(1, "replica"))
      return replicas(parts.replica);
    if (next(2, "offset"))
      return offsets(parts.offset);
    if (next(3, "swizzle"))
      return swizzle(parts.swizzle);
    static constexpr const char *kRest[] = {
        "expected replica, offset or swizzle", "expected offset or swizzle",
        "expected swizzle", "expected nothing after swizzle"};
    return fail(kRest[seen]);
  }

  bool replicas(std::vector<Mode> &replica) {
    if (!expect('[', "before the replicas"))
      return false;
    do {
      if (replica.size() == kMaxRank)
        return fail("expected at most 16 replica modes");
      replica.emplace_back();
      if (!extent(replica.back(), 0) ||
          !expect(':', "between the extent and the stride of a replica") ||
          !stride(replica.back()))
        return false;
    } while (tokens.punctuation(','));
    return expect(']', "after the replicas");
  }

  bool offsets(std::array<AxisOffset, kNumAxes> &offset) {
    if (!expect('[', "before the offset"))
      return false;
    unsigned given = 0;
    do {
      AxisOffset sum;
      Axis where;
      if (!offsetSum(sum) || !axis(where))
        return false;
      const unsigned bit = 1u << static_cast<unsigned>(where);
      if (given & bit)
        return fail("expected each axis of the offset once, but got " +
                    (where == Axis::Memory ? std::string("memory")
                                           : std::string(name(where))) +
                    " twice");
      given |= bit;
      offset[static_cast<unsigned>(where)] = std::move(sum);
    } while (tokens.punctuation(','));
    return expect(']', "after the offset");
  }

  bool offsetSum(AxisOffset &sum) {
    bool negative = tokens.punctuation('-');
    for (;;) {
      if (tokens.punctuation('?')) {
        Term term{0, 0};
        if (negative)
          return fail("expected '-' before the multiplier of a term, not "
                      "before its '?'");
        if (sum.terms.size() == kMaxTerms)
          return fail("expected at most 256 terms in an offset");
        if (!integer(term.count, "the number of values of an offset term",
                     /*isSigned=*/false) ||
            !expect('*', "between the number of values of an offset term and "
                         "its multiplier") ||
            !integer(term.multiplier, "the multiplier of an offset term",
                     /*isSigned=*/true))
          return false;
        sum.terms.push_back(term);
      } else {
        int64_t value = 0;
        if (!integer(value, "an offset", /*isSigned=*/true))
          return false;
        // Two 63-bit values of one sign overflow in the sum at most by a bit.
        const uint64_t total = static_cast<uint64_t>(sum.constant) +
                               (negative ? -static_cast<uint64_t>(value)
                                         : static_cast<uint64_t>(value));
        if (value > kMaxPosition || value < -kMaxPosition ||
            static_cast<int64_t>(total) > kMaxPosition ||
            static_cast<int64_t>(total) < -kMaxPosition)
          return fail("expected offset to stay within 2^56, but it overflows");
        sum.constant = static_cast<int64_t>(total);
      }
      if (tokens.punctuation('+'))
        negative = false;
      else if (tokens.punctuation('-'))
        negative = true;
      else
        return true;
    }
  }

  bool swizzle(Swizzle &swizzle) {
    int64_t bytes = 0;
    if (!integer(bytes, "swizzle to be 32B, 64B or 128B", /*isSigned=*/false))
      return false;
    std::optional<Swizzle> mode = swizzleOfBytes(bytes);
    if (!mode)
      return fail("expected swizzle to be 32B, 64B or 128B, but got " +
                  std::to_string(bytes));
    swizzle = *mode;
    if (!tokens.keyword("B"))
      return fail("expected swizzle to end in B, as in 128B");
    return true;
  }

  LayoutTokens &tokens;
};
} // namespace

std::optional<Layout> parseLayout(LayoutTokens &tokens) {
  return Parser(tokens).layout();
}

//===----------------------------------------------------------------------===//
// Tokens of a string
//===----------------------------------------------------------------------===//

namespace {
class StringTokens : public LayoutTokens {
public:
  explicit StringTokens(std::string_view text) : text(text) {}

  bool punctuation(char c) override {
    skipSpace();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool keyword(std::string_view expected) override {
    skipSpace();
    if (word() != expected)
      return false;
    at += expected.size();
    return true;
  }
  bool symbol(std::string &name) override {
    skipSpace();
    if (at >= text.size() || text[at] != '@')
      return false;
    ++at;
    name = std::string(word());
    at += name.size();
    return true;
  }
  Number integer(int64_t &value) override {
    skipSpace();
    if (at >= text.size() || !isDigit(text[at]))
      return Number::Absent;
    value = 0;
    for (; at < text.size() && isDigit(text[at]); ++at) {
      const int64_t digit = text[at] - '0';
      if (value > (INT64_MAX - digit) / 10) {
        fail("expected integer to fit in 64 bits");
        return Number::Bad;
      }
      value = value * 10 + digit;
    }
    return Number::Present;
  }
  void fail(const std::string &message) override {
    error = message + " at character " + std::to_string(at + 1);
  }

  bool atEnd() {
    skipSpace();
    return at == text.size();
  }
  std::string error;

private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  }
  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' ||
                                text[at] == '\n' || text[at] == '\r'))
      ++at;
  }
  std::string_view word() const {
    size_t end = at;
    while (end < text.size() && isWord(text[end]))
      ++end;
    return text.substr(at, end - at);
  }

  std::string_view text;
  size_t at = 0;
};
} // namespace

Result<Layout> Layout::parse(std::string_view text) {
  StringTokens tokens(text);
  std::optional<Layout> layout = parseLayout(tokens);
  if (layout && !tokens.atEnd())
    tokens.fail("expected the end of the layout");
  if (!tokens.error.empty())
    return Error{"", tokens.error};
  return *layout;
}

} // namespace layout
} // namespace tcgen05
