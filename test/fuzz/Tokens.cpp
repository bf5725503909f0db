//===- Tokens.cpp - Mutations of MLIR text --------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tokens.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

using namespace fuzz;

namespace {
struct Token {
  enum Kind { Number, Word, Other } kind;
  std::string text;
};
} // namespace

// What the dialect's parsers know, and values around them.
static constexpr const char *kWords[] = {"128x256b",
                                         "128x128b",
                                         "4x256b",
                                         "64x128b",
                                         "32x128b",
                                         "warpx2::02_13",
                                         "warpx2::01_23",
                                         "warpx4",
                                         "b8x16.b4x16_p64",
                                         "b8x16.b6x16_p32",
                                         "cta_group::1",
                                         "cta_group::2",
                                         "thread",
                                         "warp",
                                         "warpgroup",
                                         "cta",
                                         "cluster",
                                         "i32",
                                         "f32",
                                         "ui32",
                                         "bf16",
                                         "i8",
                                         "i64",
                                         "index",
                                         "i1",
                                         "tcgen05.cp",
                                         "tcgen05.slice",
                                         "tcgen05.cast",
                                         "tcgen05.address",
                                         "tcgen05.tmem_view",
                                         "tcgen05.smem_view",
                                         "tcgen05.tmem",
                                         "tcgen05.smem",
                                         "tcgen05.layout",
                                         "swizzle 32B",
                                         "swizzle 64B",
                                         "swizzle 128B",
                                         "replica [2 : 32@lane]",
                                         "replica [4 : 32@lane]",
                                         "offset [8@col]",
                                         "offset [?4*8]",
                                         "offset [?2*4@col]",
                                         "offset [-64]",
                                         ", align 16",
                                         ", align 1024",
                                         ", columns 32",
                                         ", columns 512",
                                         ", storage 4096",
                                         "@lane",
                                         "@col",
                                         "(2, 64)",
                                         "(64, 1)",
                                         "((2, 2), 32)",
                                         ", pred %p",
                                         ", scope(warp)",
                                         ", scope(cta)",
                                         "!llvm.ptr<3>",
                                         "?",
                                         "?2*",
                                         "memref<64xi32, 3>",
                                         "<",
                                         ">",
                                         "[",
                                         "]",
                                         "(",
                                         ")",
                                         ",",
                                         ":",
                                         "->",
                                         "=",
                                         "\"",
                                         "{",
                                         "}"};
static constexpr const char *kNumbers[] = {"0",
                                           "1",
                                           "2",
                                           "3",
                                           "4",
                                           "6",
                                           "8",
                                           "12",
                                           "16",
                                           "31",
                                           "32",
                                           "33",
                                           "64",
                                           "100",
                                           "127",
                                           "128",
                                           "129",
                                           "256",
                                           "500",
                                           "508",
                                           "511",
                                           "512",
                                           "513",
                                           "1024",
                                           "2048",
                                           "4096",
                                           "16384",
                                           "65536",
                                           "131072",
                                           "262143",
                                           "262144",
                                           "2147483647",
                                           "2147483648",
                                           "4294967296",
                                           "72057594037927936",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "18446744073709551616"};

template <size_t n>
static const char *pick(const char *const (&list)[n], Random &random) {
  return list[random.below(n)];
}

static bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '$';
}

/// Words with their sigil, runs of digits, and single characters. `128x4xi32`
/// is digits and words in turn, so that an extent alone can change.
static std::vector<Token> split(const std::string &text) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    const auto digit = [&](size_t at) {
      return at < text.size() &&
             std::isdigit(static_cast<unsigned char>(text[at]));
    };
    if (digit(i)) {
      while (digit(i))
        ++i;
      tokens.push_back({Token::Number, text.substr(begin, i - begin)});
      continue;
    }
    const bool sigil = std::strchr("%#!@^", text[i]) && text[i] != '\0';
    if (sigil || isWord(text[i])) {
      ++i;
      while (i < text.size() && isWord(text[i]) && (sigil || !digit(i)))
        ++i;
      tokens.push_back({Token::Word, text.substr(begin, i - begin)});
      continue;
    }
    tokens.push_back({Token::Other, text.substr(i++, 1)});
  }
  return tokens;
}

static std::string join(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

static std::vector<std::string> lines(const std::string &text) {
  std::vector<std::string> all(1);
  for (char c : text) {
    all.back() += c;
    if (c == '\n')
      all.emplace_back();
  }
  return all;
}

static std::string changeNumber(const std::string &text, Random &random) {
  if (random.below(2) || text.size() > 9)
    return pick(kNumbers, random);
  const unsigned value = static_cast<unsigned>(std::stoul(text));
  switch (random.below(5)) {
  case 0:
    return std::to_string(value + 1);
  case 1:
    return std::to_string(value ? value - 1 : 0);
  case 2:
    return std::to_string(uint64_t(value) * 2);
  case 3:
    return std::to_string(value / 2);
  default:
    return "-" + text;
  }
}

static std::string mutateLine(const std::string &text, Random &random) {
  std::vector<std::string> all = lines(text);
  const auto n = static_cast<unsigned>(all.size());
  const unsigned at = random.below(n);
  switch (random.below(3)) {
  case 0:
    all.erase(all.begin() + at);
    break;
  case 1:
    all.insert(all.begin() + random.below(n), std::string(all[at]));
    break;
  default:
    std::swap(all[at], all[random.below(n)]);
  }
  std::string out;
  for (const std::string &line : all)
    out += line;
  return out;
}

std::string fuzz::mutate(const std::string &text, Random &random) {
  std::vector<Token> tokens = split(text);
  if (tokens.empty())
    return pick(kWords, random);
  const auto n = static_cast<unsigned>(tokens.size());
  const unsigned kind = random.below(16);
  // The next token of a kind from a random place on, so that all have a chance.
  const auto find = [&](Token::Kind wanted) {
    const unsigned start = random.below(n);
    for (unsigned i = 0; i < n; ++i)
      if (tokens[(start + i) % n].kind == wanted)
        return (start + i) % n;
    return start;
  };
  if (kind < 7) {
    // Alone, or wherever it stands: extents of a layout are in its shape too.
    const Token token = tokens[find(Token::Number)];
    if (token.kind != Token::Number)
      return text;
    const std::string changed = changeNumber(token.text, random);
    if (random.below(2)) {
      tokens[find(Token::Number)].text = changed;
    } else {
      for (Token &other : tokens)
        if (other.kind == Token::Number && other.text == token.text)
          other.text = changed;
    }
  } else if (kind < 9) {
    const std::string word = tokens[find(Token::Word)].text;
    tokens[find(Token::Word)].text = word;
  } else if (kind < 10) {
    tokens[find(Token::Word)].text = pick(kWords, random);
  } else if (kind < 11) {
    tokens.insert(tokens.begin() + random.below(n),
                  Token{Token::Word, pick(kWords, random)});
  } else if (kind < 12) {
    const unsigned at = random.below(n);
    const unsigned count = std::min(n - at, 1 + random.below(4));
    tokens.erase(tokens.begin() + at, tokens.begin() + at + count);
  } else if (kind < 13) {
    const unsigned at = random.below(n);
    const unsigned count = std::min(n - at, 1 + random.below(8));
    const std::vector<Token> part(tokens.begin() + at,
                                  tokens.begin() + at + count);
    tokens.insert(tokens.begin() + random.below(n), part.begin(), part.end());
  } else {
    return mutateLine(text, random);
  }
  return join(tokens);
}

std::string fuzz::cross(const std::string &a, const std::string &b,
                        Random &random) {
  const std::vector<std::string> first = lines(a), second = lines(b);
  const unsigned at = random.below(static_cast<unsigned>(first.size()));
  const unsigned from = random.below(static_cast<unsigned>(second.size()));
  const unsigned count = 1 + random.below(3);
  std::string out;
  for (unsigned i = 0; i < first.size(); ++i) {
    if (i == at)
      for (unsigned j = from; j < second.size() && j < from + count; ++j)
        out += second[j];
    if (i != at || random.below(2))
      out += first[i];
  }
  return out;
}

size_t fuzz::store(const std::string &text, uint8_t *data, size_t max) {
  const size_t size = std::min(text.size(), max);
  std::memcpy(data, text.data(), size);
  return size;
}
