//===- FuzzBytecode.cpp - Modules as bytecode -----------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and attributes of the dialect are strings in bytecode, as are names.
// Mutations change letters and digits of strings in place, which keeps all of
// the sections: what else may be wrong with them is for upstream's reader,
// which has assertions of its own, and nearly nothing of it would reach the
// dialect.
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Host.h"
#include "Tokens.h"

#include "llvm/ADT/StringExtras.h"

#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

static bool isBytecode(llvm::StringRef bytes) {
  return bytes.starts_with("ML\xefR");
}

/// Seeds are text; the mutator makes them bytecode. Not those with a memref:
/// one whose parts do not fit is an assertion of upstream's reader, which would
/// end a run every few seconds.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  if (!isBytecode(input) && input.contains("memref<"))
    return -1;
  if (isBytecode(input))
    fuzz::run(input);
  else if (const std::optional<std::string> bytes = fuzz::toBytecode(input))
    fuzz::run(*bytes);
  return 0;
}

/// Where `least` or more printable bytes stand together.
static std::vector<size_t> findText(const uint8_t *data, size_t size,
                                    size_t least = 6) {
  std::vector<size_t> places;
  for (size_t begin = 0, end = 0; begin < size; begin = end + 1) {
    for (end = begin;
         end < size && llvm::isPrint(static_cast<char>(data[end]));)
      ++end;
    if (end - begin >= least)
      for (size_t i = begin; i < end; ++i)
        places.push_back(i);
  }
  return places;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t max, unsigned seed) {
  fuzz::Random random(seed);
  const llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  if (!isBytecode(input)) {
    const std::optional<std::string> bytes = fuzz::toBytecode(input);
    return bytes && bytes->size() <= max ? fuzz::store(*bytes, data, max)
                                         : LLVMFuzzerMutate(data, size, max);
  }
  const std::vector<size_t> places = findText(data, size);
  if (places.empty())
    return size;
  const auto pick = [&] {
    return places[random.below(static_cast<unsigned>(places.size()))];
  };
  for (unsigned n = 1 + random.below(4); n > 0; --n) {
    // Digits say most of what the dialect's attributes say.
    size_t at = pick();
    for (unsigned tries = 0; tries < 8 && !llvm::isDigit(data[at]); ++tries)
      at = pick();
    data[at] = llvm::isDigit(data[at])
                   ? static_cast<uint8_t>('0' + random.below(10))
                   : data[pick()];
  }
  return size;
}
