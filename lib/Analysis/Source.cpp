//===- Source.cpp - Stores to the shared memory that is copied ------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"

using namespace mlir;
using namespace tcgen05::check;

void tcgen05::check::checkSource(const Protocol &protocol, const Items &items,
                                 uint32_t index, Findings &findings) {
  const Kernel &kernel = protocol.kernel;
  const Event &event = kernel.events[index];
  for (const Item &item : items) {
    if (item.inDoubt())
      continue;
    const Event &mine = kernel.events[item.event];
    const bool stale = item.flags & kStale;
    if (event.kind == EventKind::Copy &&
        (item.stage == Stage::Stored || item.stage == Stage::Fenced)) {
      if (!sameMemory(event, mine, stale))
        continue;
      const Location store = mine.op->getLoc();
      if (item.stage == Stage::Stored) {
        findings.push_back(
            {"proxy-fence",
             /*isError=*/false,
             event.op,
             std::string("expected fence.proxy.async between the store "
                         "to src and the copy, by the thread that "
                         "stores, but got ") +
                 (item.flags & kCrossed ? "none before the barrier" : "none"),
             {{store, "stored here"}}});
        continue;
      }
      // Who stores alone needs no barrier with itself; who it is, the guards
      // do not always tell.
      const Kernel::Issuers writers = kernel.issuersOf(mine);
      if (writers.mayBeOne(kernel.launch) || writers.elect || writers.lane)
        continue;
      if (kernel.issuersOf(event).unknown)
        continue;
      findings.push_back(
          {"barrier",
           /*isError=*/false,
           event.op,
           "expected a CTA barrier between the fences of the threads that "
           "store to src and the copy, but got none",
           {{store, "stored here"}}});
    }
    if (event.kind == EventKind::Store && mine.kind == EventKind::Copy &&
        (item.stage == Stage::Issued || item.stage == Stage::Committed) &&
        !(item.flags & kStoreReported) && sameMemory(mine, event, stale))
      findings.push_back(
          {"source-reuse",
           /*isError=*/false,
           event.op,
           std::string("expected the copy from this memory to be awaited "
                       "before the store, but got no ") +
               (item.stage == Stage::Issued ? "commit and no mbarrier wait"
                                            : "mbarrier wait"),
           {{mine.op->getLoc(), "copied here"}}});
  }
}
