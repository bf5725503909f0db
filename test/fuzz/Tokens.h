//===- Tokens.h - Mutations of MLIR text ------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flipped byte of a module is a syntax error, which says little about a
// dialect. These mutations keep the tokens whole: a number becomes another, a
// word becomes one of the dialect's, a run of tokens or a line is dropped,
// doubled, swapped or taken from another module. One change at a time, so that
// a part of the results still verifies.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_FUZZ_TOKENS_H
#define TCGEN05_TEST_FUZZ_TOKENS_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace fuzz {

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(engine()) % n; }

private:
  std::minstd_rand engine;
};

/// The text with one change.
std::string mutate(const std::string &text, Random &random);

/// Lines of `a` with some of `b` in their place.
std::string cross(const std::string &a, const std::string &b, Random &random);

/// Copies as much of the text as fits, and returns how much that was.
size_t store(const std::string &text, uint8_t *data, size_t max);

} // namespace fuzz

#endif // TCGEN05_TEST_FUZZ_TOKENS_H
