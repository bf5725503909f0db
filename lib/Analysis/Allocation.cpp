//===- Allocation.cpp - Tensor memory is allocated and freed --------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "tcgen05/Layout/TmemAddress.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tcgen05::check;

static std::string count(int64_t columns) {
  return std::to_string(columns) + (columns == 1 ? " column" : " columns");
}

void tcgen05::check::checkAllocation(const Protocol &protocol,
                                     const Items &items, uint32_t index,
                                     Findings &findings) {
  const Kernel &kernel = protocol.kernel;
  const Event &event = kernel.events[index];
  auto add = [&](bool isError, Operation *op, std::string message,
                 Location where, std::string note) {
    findings.push_back({"allocation",
                        isError,
                        op,
                        std::move(message),
                        {{where, std::move(note)}}});
  };
  for (const Item &item : items) {
    if (item.inDoubt())
      continue;
    const Event &mine = kernel.events[item.event];
    const bool isMine = event.tmem && event.tmem.root == mine.tmem.root;
    switch (item.stage) {
    case Stage::Alive: {
      // One slot that was allocated twice: which of the two is not known.
      const bool isOnly = llvm::none_of(items, [&](const Item &other) {
        return other.stage == Stage::Alive && other.event != item.event &&
               kernel.events[other.event].tmem.root == mine.tmem.root;
      });
      if (event.kind == EventKind::End && kernel.isKernel) {
        add(/*isError=*/false, mine.op,
            "expected tcgen05.dealloc on every path to the end of the kernel, "
            "but got "
            "one without",
            event.op->getLoc(), "the kernel ends here");
      } else if (event.kind == EventKind::Dealloc && isMine && isOnly) {
        if (mine.columns && event.columns && *mine.columns != *event.columns)
          add(/*isError=*/true, event.op,
              "expected nCols to be " + std::to_string(*mine.columns) +
                  " as allocated, but got " + std::to_string(*event.columns),
              mine.op->getLoc(), "allocated here");
        if (mine.group && event.group && mine.group != event.group)
          add(/*isError=*/true, event.op,
              "expected cta_group to be " + std::to_string(mine.group) +
                  " as allocated, but got " + std::to_string(event.group),
              mine.op->getLoc(), "allocated here");
      } else if (isMine && isOnly && mine.columns && event.tmem.terms.empty() &&
                 !event.tmem.inexact) {
        // A copy into a region was looked at where the region was made.
        int64_t columns = 0;
        const int64_t base = tcgen05::layout::columnOf(event.tmem.constant);
        if (event.kind == EventKind::View)
          columns = base + event.columns.value_or(0);
        else if (event.kind == EventKind::Copy && event.bytes == std::nullopt)
          for (const Cells &cells : event.cells)
            columns = std::max(columns, cells.high);
        if (columns > *mine.columns)
          add(/*isError=*/true, event.op,
              (event.kind == EventKind::View ? std::string("expected the view")
                                             : std::string("expected dst")) +
                  " to stay within the " + count(*mine.columns) +
                  " of its allocation, but got " + count(columns),
              mine.op->getLoc(), "allocated here");
      }
      break;
    }
    case Stage::Freed:
      if (event.kind == EventKind::Copy && isMine)
        add(/*isError=*/true, event.op,
            "expected dst to be allocated, but got a copy after its "
            "deallocation",
            mine.op->getLoc(), "deallocated here");
      break;
    case Stage::Relinquished:
      if (event.kind == EventKind::Alloc)
        add(/*isError=*/true, event.op,
            "expected the permit to allocate, but got an allocation after "
            "tcgen05.relinquish_alloc_permit",
            mine.op->getLoc(), "relinquished here");
      break;
    default:
      break;
    }
  }
}
