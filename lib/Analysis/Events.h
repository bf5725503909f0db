//===- Events.h - What an operation means to the protocol -------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of several dialects and inline PTX become a few kinds of events.
// The analyses know events alone, so a copy is the same to them before and
// after the lowering, and a new instruction is a case in each of the files that
// know operations (Extractor.h).
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_EVENTS_H
#define TCGEN05_LIB_ANALYSIS_EVENTS_H

#include "Conditions.h"
#include "Values.h"

#include <array>

namespace tcgen05 {
namespace check {

enum class EventKind : uint8_t {
  Copy,  ///< tcgen05.cp
  Mma,   ///< reads `cells`
  Group, ///< has a cta_group and nothing else that matters
  Read,  ///< tcgen05.ld
  Alloc,
  Dealloc,
  Relinquish,
  View, ///< tmem_view
  Commit,
  Wait,       ///< on an mbarrier
  FenceAfter, ///< tcgen05.fence::after_thread_sync
  ProxyFence,
  Barrier, ///< of the CTA or cluster
  WarpBarrier,
  Store,  ///< an ordinary store to shared memory
  End,    ///< of the function that is looked at
  Unknown ///< may do anything
};

using EventMask = uint32_t;
inline constexpr EventMask bit(EventKind kind) {
  return EventMask(1) << static_cast<unsigned>(kind);
}

/// Lanes as a mask, columns [low, high).
struct Cells {
  std::array<uint64_t, 2> lanes = {~uint64_t(0), ~uint64_t(0)};
  int64_t low = 0, high = 0;
  bool overlaps(const Cells &other) const {
    return low < other.high && other.low < high &&
           ((lanes[0] & other.lanes[0]) || (lanes[1] & other.lanes[1]));
  }
  /// The first lane, for messages.
  unsigned firstLane(const Cells &other) const;
};

struct Event {
  EventKind kind;
  mlir::Operation *op;
  /// 1 or 2; 0 where the instruction has none.
  int group = 0;
  uint32_t guard = 0;
  /// TMEM: the allocation, and the cells relative to it if they are known.
  Address tmem;
  std::vector<Cells> cells;
  /// Shared memory: the bytes [offset, offset + bytes) of a source or store.
  /// For Commit and Wait the mbarrier, for Alloc the slot.
  Address smem;
  std::optional<int64_t> bytes;
  /// Of Alloc and Dealloc; of a View what it claims.
  std::optional<int64_t> columns;
  /// Instructions that a Copy issues.
  int64_t issues = 1;
  /// Literals of the copy's predicate, beyond the guard.
  bool hasPredicate = false;
  EdgeCondition predicate;
  /// Every thread issues on purpose.
  bool isCollective = false;
  /// What else its execution depends on: leaves of guards and loop bounds.
  llvm::SmallVector<uint32_t, 4> leaves;
};

/// The events of one operation, in order.
std::vector<Event> eventsOf(mlir::Operation *op, Values &values,
                            Conditions &conditions);

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_EVENTS_H
