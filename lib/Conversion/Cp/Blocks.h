//===- Blocks.h - Which repeats are unrolled --------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repeats of a copy as a loop around unrolled blocks that all look alike.
// What is compared are the displacements themselves, in issue order, so nested
// dimensions and several axes need no cases of their own: 256 repeats along one
// axis are four blocks of 64, and so are 4 times 64, or 8 times 32 that lie one
// behind the other.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_CONVERSION_CP_BLOCKS_H
#define TCGEN05_LIB_CONVERSION_CP_BLOCKS_H

#include "tcgen05/Layout/Cp/Plan.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <cstdint>

namespace tcgen05 {

/// Repeats in equal blocks: `step` from one block to the next, in both
/// operands.
struct Blocks {
  int64_t size;  // repeats in a block
  int64_t count; // blocks
  layout::CpOffset step;

  /// All repeats in one block if they are no more than `limit` and do not
  /// spill, if there is no limit (zero), or if no smaller blocks are alike;
  /// else the largest blocks that are, of up to 64.
  static Blocks of(const layout::CpPlan &plan, int64_t limit) {
    const int64_t repeats = plan.numRepeats();
    if (limit != 0 && (repeats > limit || spills(plan, repeats)))
      for (int64_t size = std::min({limit, kBlock, repeats - 1}); size > 0;
           --size)
        if (repeats % size == 0 && alike(plan, size) && !spills(plan, size))
          return {size, repeats / size, plan.repeat(size)};
    return {repeats, 1, {}};
  }

private:
  /// More repeats than this spill in a loop, in spite of different sources.
  /// (Measured: 64 do not, 128 do.)
  static constexpr int64_t kBlock = 64;

  /// ptxas keeps a descriptor that is used again, in two of about 80 uniform
  /// registers: more than these spill. (Measured: 32 do not, 40 do.) Blocks of
  /// fewer than 64 do not always help: LLVM unrolls a short loop of them again.
  static constexpr size_t kSharedDescriptors = 32;

  /// Whether the first `size` repeats would spill, unrolled.
  static bool spills(const layout::CpPlan &plan, int64_t size) {
    llvm::SmallDenseSet<int64_t, 64> sources;
    for (int64_t i = 0; i < size; ++i)
      sources.insert(plan.repeat(i).bytes);
    return sources.size() > kSharedDescriptors &&
           static_cast<int64_t>(sources.size()) < size;
  }

  /// Whether each repeat lies one and the same step behind the one that is
  /// `size` repeats before it.
  static bool alike(const layout::CpPlan &plan, int64_t size) {
    const layout::CpOffset step = plan.repeat(size);
    for (int64_t i = size, e = plan.numRepeats(); i < e; ++i) {
      const layout::CpOffset from = plan.repeat(i - size), to = plan.repeat(i);
      if (!(to == layout::CpOffset{from.lane + step.lane, from.col + step.col,
                                   from.bytes + step.bytes}))
        return false;
    }
    return true;
  }
};

} // namespace tcgen05

#endif // TCGEN05_LIB_CONVERSION_CP_BLOCKS_H
