//===- Swizzle.h - The XOR on shared-memory addresses -----------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory has 32 banks of four bytes. Rows of a tile that all start in
// the same bank collide, so the hardware can scatter the 16-byte chunks of a
// row by XORing the chunk number with the row number:
//
//   a ^ ((a >> 3) & ((2^mode - 1) * 16))      on the absolute byte address a
//
// `mode` is 1, 2 or 3 for rows of 32, 64 or 128 bytes, 0 for none. Bits 7 to 9
// of the address decide, bits 4 to 6 change, so the XOR is its own inverse and
// repeats every 256, 512 or 1024 bytes. Measured on Hopper (the walk is what
// carries over to Blackwell): addition first and in full, then the XOR.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_SWIZZLE_H
#define TCGEN05_LAYOUT_SWIZZLE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tcgen05 {
namespace layout {

/// The swizzle modes; the value is the mode of the formula.
enum class Swizzle : uint8_t { None = 0, B32 = 1, B64 = 2, B128 = 3 };

inline constexpr std::array<Swizzle, 4> kSwizzles = {
    Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128};

constexpr unsigned mode(Swizzle swizzle) {
  return static_cast<unsigned>(swizzle);
}
/// Bytes of a row of the swizzle, and bytes between rows of an eight-row block.
constexpr int64_t rowBytes(Swizzle swizzle) {
  return int64_t(16) << mode(swizzle);
}
/// Bytes after which the XOR repeats: what the base must be a multiple of.
/// Without swizzle this is the 16 bytes that a descriptor can address.
constexpr int64_t period(Swizzle swizzle) {
  return swizzle == Swizzle::None ? 16 : int64_t(128) << mode(swizzle);
}
/// The XOR, on an absolute byte address or on one relative to a base that is a
/// multiple of `period`. Negative addresses keep their sign.
constexpr int64_t apply(Swizzle swizzle, int64_t address) {
  const int64_t mask = ((int64_t(1) << mode(swizzle)) - 1) * 16;
  return address ^ ((address >> 3) & mask);
}
/// `none`, `32B`, `64B`, `128B`.
std::string_view name(Swizzle swizzle);
/// From the number of bytes as in `swizzle 128B`.
std::optional<Swizzle> swizzleOfBytes(int64_t bytes);

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_SWIZZLE_H
