//===- TmemAddress.h - Lane and column in 32 bits ---------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor memory is 128 lanes by 512 columns of 32 bits. Its addresses are
// lane << 16 | column, so a displacement is added to an address as a number, as
// long as neither half leaves its range.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_TMEMADDRESS_H
#define TCGEN05_LAYOUT_TMEMADDRESS_H

#include "tcgen05/Layout/Result.h"

#include <cstdint>

namespace tcgen05 {
namespace layout {

inline constexpr int64_t kLanes = 128;
inline constexpr int64_t kColumns = 512;
/// Copies start at columns that are multiples of this (16 bytes).
inline constexpr int64_t kColumnAlign = 4;
/// Bits below the lane.
inline constexpr unsigned kLaneShift = 16;
/// Threads of a warp, each of which reads a lane.
inline constexpr int64_t kWarpSize = 32;

/// The halves of an address or of a displacement, whether they exist or not.
constexpr int64_t laneOf(int64_t address) { return address >> kLaneShift; }
constexpr int64_t columnOf(int64_t address) {
  return address & ((int64_t(1) << kLaneShift) - 1);
}

/// One cell of tensor memory.
struct TmemAddress {
  int64_t lane = 0;
  int64_t col = 0;

  /// Fails if the lane is not in [0, 128) or the column not in [0, 512).
  Result<uint32_t> encode() const;
  /// Fails if the address names a lane or column that does not exist.
  static Result<TmemAddress> decode(uint32_t address);

  /// What is added to an address to move it by (lane, col): modulo 2^32, and
  /// right as long as both halves of the sum stay in their ranges.
  static constexpr int64_t displacement(int64_t lane, int64_t col) {
    return lane * (int64_t(1) << kLaneShift) + col;
  }

  friend bool operator==(const TmemAddress &a, const TmemAddress &b) {
    return a.lane == b.lane && a.col == b.col;
  }
};

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_TMEMADDRESS_H
