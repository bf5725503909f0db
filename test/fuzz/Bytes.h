//===- Bytes.h - Values from the bytes of a fuzzer --------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each target is one function from bytes to nothing: it must neither crash nor
// trap in a sanitizer, and `require` what always holds. Targets that are not
// about text read their layouts off the bytes directly, so that a flipped bit
// is another stride and not a syntax error.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_FUZZ_BYTES_H
#define TCGEN05_TEST_FUZZ_BYTES_H

#include "tcgen05/Layout/Layout.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace fuzz {

inline void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

/// No input may take a second: of the processor, since the machine may be busy.
class Second {
public:
  ~Second() {
    require((std::clock() - start) / CLOCKS_PER_SEC < 1,
            "an input takes less than a second");
  }

private:
  std::clock_t start = std::clock();
};

class Bytes {
public:
  Bytes(const uint8_t *data, size_t size) : data(data), size(size) {}

  uint8_t byte() {
    if (at == size)
      return 0;
    return data[at++];
  }
  int64_t below(int64_t n) { return byte() % n; }
  int64_t word() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
      value = value << 8 | byte();
    return static_cast<int64_t>(value);
  }
  /// Mostly a number that fits the hardware, sometimes any.
  int64_t number() {
    const uint8_t kind = byte();
    if (kind < 64)
      return int64_t(1) << kind % 16;
    if (kind < 128)
      return static_cast<int8_t>(byte());
    if (kind < 192)
      return 4 * static_cast<int64_t>(byte());
    if (kind < 224)
      return 256 * static_cast<int64_t>(byte()) + byte();
    if (kind < 240)
      return -(int64_t(1) << kind % 16);
    return word();
  }
  int64_t extent() {
    const uint8_t kind = byte();
    return kind < 250 ? 1 + kind % 9 : number();
  }

private:
  const uint8_t *data;
  size_t size, at = 0;
};

inline tcgen05::layout::Mode readMode(Bytes &bytes, bool memory,
                                      unsigned depth = 0) {
  tcgen05::layout::Mode mode;
  const uint8_t kind = bytes.byte();
  if (kind % 4 == 3 && depth < 4) {
    for (int64_t n = 1 + bytes.below(3); n > 0; --n)
      mode.children.push_back(readMode(bytes, memory, depth + 1));
    return mode;
  }
  mode.extent = bytes.extent();
  mode.stride.value = bytes.number();
  const int64_t axis = kind == 4 ? bytes.below(3) : memory ? 0 : 1 + kind / 128;
  mode.stride.axis = static_cast<tcgen05::layout::Axis>(axis);
  return mode;
}

/// What follows the dimensions: replicas, offset, terms, swizzle.
inline void readRest(Bytes &bytes, bool memory,
                     tcgen05::layout::Layout::Parts &parts) {
  using namespace tcgen05::layout;
  const uint8_t kind = bytes.byte();
  if (memory && kind % 2)
    parts.swizzle = static_cast<Swizzle>(kind / 2 % 4);
  if (kind % 16 == 4 || (!memory && kind % 2))
    parts.replica.push_back(readMode(bytes, memory, 3));
  for (unsigned axis = memory ? 0 : 1; axis < (memory ? 1u : 3u); ++axis) {
    if (kind & (16u << axis))
      parts.offset[axis].constant = bytes.number();
    if (kind & 128u)
      for (int64_t n = bytes.below(4); n > 0; --n) {
        const int64_t count = bytes.extent();
        parts.offset[axis].terms.push_back({count, bytes.number()});
      }
  }
}

} // namespace fuzz

#endif // TCGEN05_TEST_FUZZ_BYTES_H
