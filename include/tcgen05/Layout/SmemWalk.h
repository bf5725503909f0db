//===- SmemWalk.h - The order in which a descriptor is read -----*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shared-memory descriptor does not hold a layout: it holds a start address,
// two strides and a swizzle mode, and the hardware walks from there in an order
// of its own. Row r, word w of an atom is read at the address
//
//   start + (r / 8) * SDO + (r % 8) * (16 << mode)
//         + (mode == 0 ? (w / 4) * LDO + (w % 4) * 4 : w * 4)
//
// with the swizzle applied last, on the absolute address. So eight rows make a
// block whose pitch the mode dictates; SDO leads from block to block, and LDO
// from the first four words to the next four, without swizzle only. A source
// layout is legal if some walk visits its words in its order, and matching is
// reading LDO and SDO off two points and proving all the others.
//
// Source: PTX ISA 9.1, "Shared memory descriptor" and "Canonical layouts";
// measured on Hopper for 64 to 256 rows of 8 words in all modes.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_SMEMWALK_H
#define TCGEN05_LAYOUT_SMEMWALK_H

#include "tcgen05/Layout/Swizzle.h"

#include <cstdint>
#include <string>

namespace tcgen05 {
namespace layout {

/// Rows of a block, and bytes and words of the chunk that is never torn apart.
inline constexpr int64_t kBlockRows = 8;
inline constexpr int64_t kChunkBytes = 16;
inline constexpr int64_t kChunkWords = 4;
inline constexpr int64_t kWordBytes = 4;
/// Shared addresses, and both strides, lie below this.
inline constexpr int64_t kSharedBytes = int64_t(1) << 18;
/// What a stride is set to where the walk cannot observe it.
inline constexpr int64_t kUnobservedLdo = 16;
inline constexpr int64_t kUnobservedSdo = 0;

/// The walk of a descriptor, its start aside. Strides in bytes.
struct SmemWalk {
  int64_t ldo = kUnobservedLdo;
  int64_t sdo = kUnobservedSdo;
  Swizzle swizzle = Swizzle::None;

  /// Bytes from the start to row r and to word w, before swizzling. The walk
  /// is the sum of the two.
  constexpr int64_t rowOffset(int64_t row) const {
    return row / kBlockRows * sdo + row % kBlockRows * rowBytes(swizzle);
  }
  constexpr int64_t wordOffset(int64_t word) const {
    return swizzle == Swizzle::None
               ? word / kChunkWords * ldo + word % kChunkWords * kWordBytes
               : word * kWordBytes;
  }
  /// The byte that is read for row r, word w from `start`.
  constexpr int64_t address(int64_t start, int64_t row, int64_t word) const {
    return apply(swizzle, start + rowOffset(row) + wordOffset(word));
  }
  /// Bytes of the eight-row block that storage must hold for words of a row.
  constexpr int64_t blockBytes(int64_t words) const {
    return kBlockRows * rowBytes(swizzle) +
           (observesLdo(swizzle, words) ? ldo : 0);
  }

  static constexpr bool observesLdo(Swizzle swizzle, int64_t words) {
    return swizzle == Swizzle::None && words > kChunkWords;
  }
  static constexpr bool observesSdo(int64_t rows) { return rows > kBlockRows; }

  /// `ldo = 16, sdo = 128, swizzle = none`
  std::string str() const;

  friend bool operator==(const SmemWalk &a, const SmemWalk &b) {
    return a.ldo == b.ldo && a.sdo == b.sdo && a.swizzle == b.swizzle;
  }
};

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_SMEMWALK_H
