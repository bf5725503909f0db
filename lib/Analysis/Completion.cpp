//===- Completion.cpp - Commit, wait, fence, and what is unordered --------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"

using namespace mlir;
using namespace tcgen05::check;

static std::string columnsText(const Cells &a, const Cells &b) {
  const int64_t low = std::max(a.low, b.low),
                high = std::min(a.high, b.high) - 1;
  return "lane " + std::to_string(a.firstLane(b)) + ", column" +
         (low == high
              ? " " + std::to_string(low)
              : "s " + std::to_string(low) + " to " + std::to_string(high));
}

void tcgen05::check::checkCompletion(const Protocol &protocol,
                                     const Items &items, uint32_t index,
                                     Findings &findings) {
  const Kernel &kernel = protocol.kernel;
  const Event &event = kernel.events[index];
  for (const Item &item : items) {
    const Event &mine = kernel.events[item.event];
    if (item.inDoubt() || item.stage > Stage::Awaited)
      continue;
    const bool stale = item.flags & kStale;
    const Location there = mine.op->getLoc();
    auto add = [&](const char *rule, Operation *op, std::string message,
                   Location where, const char *note) {
      findings.push_back(
          {rule, /*isError=*/false, op, std::move(message), {{where, note}}});
    };

    if (event.kind == EventKind::Copy && item.stage != Stage::Awaited)
      if (auto cells = overlap(mine, event, stale)) {
        const bool isMma = mine.kind == EventKind::Mma;
        add("unordered-copies", event.op,
            std::string("expected a commit and a wait between ") +
                (isMma ? "the mma that uses" : "the copy to") +
                " these cells and this copy, but got none: " +
                columnsText(cells->first, cells->second) + " in both",
            there, isMma ? "used here" : "copied here");
      }
    if (mine.kind != EventKind::Copy)
      continue;

    const std::string group =
        "tcgen05.commit of cta_group " + std::to_string(mine.group);
    const bool isReuse = event.kind == EventKind::Store &&
                         !(item.flags & kStoreReported) &&
                         sameMemory(mine, event, stale);
    if (item.stage == Stage::Issued && event.kind == EventKind::End &&
        kernel.isKernel)
      add("uncommitted", mine.op,
          "expected a " + group +
              " after the copy, but got none before the end",
          event.op->getLoc(), "the kernel ends here");
    else if (item.stage == Stage::Issued && isReuse)
      add("uncommitted", mine.op,
          "expected a " + group +
              " after the copy, but got none before a store to its source",
          event.op->getLoc(), "stored here");

    const bool isFree = event.kind == EventKind::Dealloc && event.tmem &&
                        event.tmem.root == mine.tmem.root;
    const bool isRead = event.kind == EventKind::Read &&
                        overlap(mine, event, stale).has_value();
    if ((isFree || isRead) && !(item.flags & kReadReported))
      add("unawaited-read", event.op,
          std::string("expected a commit, an mbarrier wait and "
                      "tcgen05.fence::after_thread_sync, in this order, "
                      "between the copy "
                      "and this ") +
              (isFree ? "dealloc" : "read") + ", but got no " +
              (item.stage == Stage::Issued      ? "commit"
               : item.stage == Stage::Committed ? "wait"
                                                : "fence after the wait"),
          there, "copied here");
  }
}
