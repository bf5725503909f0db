//===- Driver.cpp - The fuzzers of the ground floor without libFuzzer -----===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the suite, which has any C++ compiler: each target, whose function is
// renamed to `fuzz_TARGET` on the command line, gets its committed inputs and
// changes of them. Nothing guides the search, but the same seed is the same
// run, and an input that ends the process is printed as hex.
//
//   driver SEED EXECUTIONS TARGET FILE...
//
//===----------------------------------------------------------------------===//

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using Input = std::vector<uint8_t>;
using Target = int (*)(const uint8_t *, size_t);

extern "C" {
int fuzz_layout(const uint8_t *data, size_t size);
int fuzz_opcode(const uint8_t *data, size_t size);
int fuzz_descriptor(const uint8_t *data, size_t size);
int fuzz_slice(const uint8_t *data, size_t size);
int fuzz_plan(const uint8_t *data, size_t size);
// All ends are aborts, whose handler shows the input.
const char *__asan_default_options() {
  return "abort_on_error=1:handle_sigill=1";
}
const char *__ubsan_default_options() {
  return "abort_on_error=1:print_stacktrace=1";
}
}

static constexpr struct {
  const char *name;
  Target function;
} kTargets[] = {{"layout", fuzz_layout},
                {"opcode", fuzz_opcode},
                {"descriptor", fuzz_descriptor},
                {"slice", fuzz_slice},
                {"plan", fuzz_plan}};
static constexpr size_t kMaxSize = 256;
static Input input;

static void printInput(int) {
  std::fputs("input: ", stderr);
  for (uint8_t byte : input)
    std::fprintf(stderr, "%02x", byte);
  std::fputc('\n', stderr);
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

static void change(Input &bytes, const std::vector<Input> &corpus,
                   std::mt19937 &random) {
  const auto below = [&](size_t n) { return random() % n; };
  if (bytes.empty())
    bytes.push_back(static_cast<uint8_t>(random()));
  const size_t at = below(bytes.size());
  switch (below(6)) {
  case 0:
    bytes[at] = static_cast<uint8_t>(random());
    break;
  case 1:
    bytes[at] ^= static_cast<uint8_t>(1u << below(8));
    break;
  case 2:
    bytes[at] = bytes[below(bytes.size())];
    break;
  case 3:
    bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
    break;
  case 4:
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 static_cast<uint8_t>(random()));
    break;
  default:
    // The tail of another input.
    const Input &other = corpus[below(corpus.size())];
    const size_t from = below(other.size() + 1);
    bytes.resize(at);
    bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(from),
                 other.end());
  }
  if (bytes.size() > kMaxSize)
    bytes.resize(kMaxSize);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fputs("usage: driver SEED EXECUTIONS TARGET FILE...\n", stderr);
    return 2;
  }
  Target target = nullptr;
  for (const auto &entry : kTargets)
    if (std::strcmp(entry.name, argv[3]) == 0)
      target = entry.function;
  if (!target) {
    std::fprintf(stderr, "expected TARGET to be known, but got %s\n", argv[3]);
    return 2;
  }
  std::vector<Input> corpus;
  for (int i = 4; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file),
                        std::istreambuf_iterator<char>());
  }
  std::mt19937 random(
      static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)));
  if (corpus.empty()) {
    // Bytes that are read as numbers need no example.
    for (int i = 0; i < 64; ++i) {
      corpus.emplace_back(kMaxSize);
      for (uint8_t &byte : corpus.back())
        byte = static_cast<uint8_t>(random());
    }
  }
  std::signal(SIGABRT, printInput);

  const unsigned long executions = std::strtoul(argv[2], nullptr, 10);
  for (unsigned long i = 0; i < executions; ++i) {
    input = corpus[i % corpus.size()];
    if (i >= corpus.size())
      for (size_t n = 1 + random() % 4; n > 0; --n)
        change(input, corpus, random);
    // A copy of the exact size, so that a read behind it is seen.
    const Input copy(input);
    target(copy.data(), copy.size());
  }
  std::printf("%s: %lu executions\n", argv[3], executions);
  return 0;
}
