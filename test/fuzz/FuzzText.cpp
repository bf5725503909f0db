//===- FuzzText.cpp - Modules as text -------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Host.h"
#include "Tokens.h"

#include "llvm/Support/xxhash.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  // Bytecode has a target of its own.
  if (text.starts_with("ML\xefR"))
    return -1;
  // Changes of what does not read seldom read: one in eight is built upon.
  const bool kept = llvm::xxh3_64bits(text) % 8 == 0;
  return fuzz::run(text) || kept ? 0 : -1;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t max, unsigned seed) {
  fuzz::Random random(seed);
  if (random.below(16) == 0)
    return LLVMFuzzerMutate(data, size, max);
  const std::string text(reinterpret_cast<const char *>(data), size);
  return fuzz::store(fuzz::mutate(text, random), data, max);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t aSize,
                                            const uint8_t *b, size_t bSize,
                                            uint8_t *out, size_t max,
                                            unsigned seed) {
  fuzz::Random random(seed);
  return fuzz::store(
      fuzz::cross(std::string(reinterpret_cast<const char *>(a), aSize),
                  std::string(reinterpret_cast<const char *>(b), bSize),
                  random),
      out, max);
}
