//===- Protocol.cpp - How events move items -------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protocol.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace tcgen05::check;

/// Beyond these, nothing is known: silence, and a bound on time and memory.
static constexpr size_t kMaxItems = 512;
static constexpr size_t kMaxLiterals = 8;
static constexpr unsigned kMaxStores = 8;
/// Committed more than once: every wait may be the one.
static constexpr uint32_t kAnyCommit = ~uint32_t(0);

static bool sameTerms(const Address &a, const Address &b) {
  return a.terms.size() == b.terms.size() &&
         llvm::all_of(a.terms, [&](uint32_t term) {
           return llvm::is_contained(b.terms, term);
         });
}

static bool isSame(const Address &a, const Address &b) {
  return a && a.root == b.root;
}

std::optional<std::pair<Cells, Cells>>
tcgen05::check::overlap(const Event &earlier, const Event &later, bool stale) {
  if (!isSame(earlier.tmem, later.tmem) || earlier.tmem.inexact ||
      later.tmem.inexact)
    return std::nullopt;
  if (!earlier.tmem.terms.empty() || !later.tmem.terms.empty())
    if (stale || !sameTerms(earlier.tmem, later.tmem))
      return std::nullopt;
  for (const Cells &a : earlier.cells)
    for (const Cells &b : later.cells)
      if (a.overlaps(b))
        return std::make_pair(a, b);
  return std::nullopt;
}

bool tcgen05::check::sameMemory(const Event &copy, const Event &store,
                                bool stale) {
  if (!isSame(copy.smem, store.smem))
    return false;
  if (!copy.smem.inexact && !store.smem.inexact && copy.bytes && store.bytes) {
    auto span = [](const Event &event) {
      return event.smem.offset + Interval{0, *event.bytes - 1};
    };
    if (!span(copy).overlaps(span(store)))
      return false;
  }
  // Two stages of a ring need not be one.
  return copy.smem.terms.empty() ||
         (!stale && sameTerms(copy.smem, store.smem));
}

bool tcgen05::check::mayBeSameBarrier(const Address &a, const Address &b) {
  if (!a || !b)
    return true;
  if (a.root != b.root)
    return !(a.named && b.named);
  return a.inexact || b.inexact || a.offset.overlaps(b.offset);
}

Protocol::Protocol(Kernel &kernel) : kernel(kernel) {
  for (auto [index, event] : llvm::enumerate(kernel.events)) {
    if (event.kind != EventKind::Wait)
      continue;
    for (Literal literal : kernel.conditions.guard(event.guard))
      if (kernel.conditions.varies(literal.number) & (kThread | kOpaque)) {
        threadWaits.push_back(index);
        break;
      }
  }
}

/// Moves an item past an event; false if it is gone.
bool Protocol::move(Item &item, uint32_t index) const {
  const Event &event = kernel.events[index];
  const Event &mine = kernel.events[item.event];
  if (event.kind == EventKind::Unknown)
    return false;
  const bool stale = item.flags & kStale;
  auto commitMatches = [&](const Event &wait) {
    return item.other == kAnyCommit ||
           mayBeSameBarrier(kernel.events[item.other].smem, wait.smem);
  };
  // After a barrier what one thread has done holds for all.
  if (event.kind == EventKind::Barrier)
    item.guard = kernel.conditions.withoutThread(item.guard);

  switch (item.stage) {
  case Stage::Issued:
  case Stage::Committed:
  case Stage::Awaited:
    switch (event.kind) {
    case EventKind::Commit:
      if (mine.group && event.group && mine.group != event.group)
        return true;
      if (item.stage == Stage::Issued) {
        item.stage = Stage::Committed;
        item.other = index;
      } else if (item.stage == Stage::Committed && item.other != index) {
        item.other = kAnyCommit;
      }
      return true;
    case EventKind::Wait:
    case EventKind::Barrier:
      if (item.stage != Stage::Committed)
        return true;
      if (event.kind == EventKind::Wait && commitMatches(event)) {
        item.stage = Stage::Awaited;
        // What an mma reads needs no fence.
        return mine.kind == EventKind::Copy;
      }
      // Here this thread may learn what another one has waited for.
      if (llvm::any_of(threadWaits, [&](uint32_t wait) {
            return commitMatches(kernel.events[wait]);
          }))
        item.flags |= kDoubt;
      return true;
    case EventKind::FenceAfter:
      return item.stage != Stage::Awaited;
    case EventKind::Copy:
      return !overlap(mine, event, stale);
    case EventKind::Read:
      if (mine.kind == EventKind::Copy && overlap(mine, event, stale))
        item.flags |= kReadReported;
      return true;
    case EventKind::Dealloc:
      if (mine.kind == EventKind::Copy && isSame(mine.tmem, event.tmem))
        item.flags |= kReadReported;
      return true;
    case EventKind::Store:
      if (mine.kind == EventKind::Copy && item.stage != Stage::Awaited &&
          sameMemory(mine, event, stale))
        item.flags |= kStoreReported;
      return true;
    default:
      return true;
    }
  case Stage::Stored:
  case Stage::Fenced:
    switch (event.kind) {
    case EventKind::ProxyFence:
      // Behind a barrier, a fence helps the thread's own stores only.
      if (!(item.flags & kCrossed) ||
          kernel.issuersOf(mine).mayBeOne(kernel.launch))
        item.stage = Stage::Fenced;
      return true;
    case EventKind::Barrier:
      item.flags |= kCrossed;
      return item.stage != Stage::Fenced;
    case EventKind::Wait:
      return item.stage != Stage::Fenced;
    case EventKind::WarpBarrier:
      return item.stage != Stage::Fenced || !kernel.issuersOf(mine).wholeWarps;
    case EventKind::Copy:
      return !sameMemory(event, mine, stale);
    default:
      return true;
    }
  case Stage::Alive:
    return event.kind != EventKind::Dealloc ||
           (mine.tmem && event.tmem && mine.tmem.root != event.tmem.root);
  case Stage::Freed:
    return event.kind != EventKind::Alloc ||
           (event.tmem && event.tmem.root != mine.tmem.root);
  case Stage::Relinquished:
    return true;
  }
  return true;
}

Items Protocol::step(const Items &items, uint32_t index) const {
  const Event &event = kernel.events[index];
  Items result;
  result.reserve(items.size() + 1);
  unsigned stores = 0;
  for (Item item : items) {
    if (!move(item, index))
      continue;
    stores += item.stage == Stage::Stored &&
              kernel.events[item.event].smem.root == event.smem.root;
    result.push_back(item);
  }
  std::optional<Stage> stage;
  switch (event.kind) {
  case EventKind::Copy:
  case EventKind::Mma:
    stage = Stage::Issued;
    break;
  case EventKind::Store:
    // A few of many stores speak for the others.
    if (event.smem && stores < kMaxStores)
      stage = Stage::Stored;
    break;
  case EventKind::Alloc:
    stage = Stage::Alive;
    break;
  case EventKind::Dealloc:
    if (event.tmem)
      stage = Stage::Freed;
    break;
  case EventKind::Relinquish:
    stage = Stage::Relinquished;
    break;
  default:
    break;
  }
  if (stage)
    result.push_back({index, event.guard, 0, *stage, 0});
  if (result.size() > kMaxItems)
    return {};
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// The kinds of events that an item waits for next.
EventMask Protocol::movers(const Item &item) const {
  const EventMask unknown = bit(EventKind::Unknown);
  switch (item.stage) {
  case Stage::Issued:
    return unknown | bit(EventKind::Commit);
  case Stage::Committed:
    return unknown | bit(EventKind::Wait);
  case Stage::Awaited:
    return unknown | bit(EventKind::FenceAfter);
  case Stage::Stored:
    return unknown | bit(EventKind::ProxyFence);
  case Stage::Fenced:
    return unknown | bit(EventKind::Barrier) | bit(EventKind::Wait) |
           bit(EventKind::WarpBarrier);
  case Stage::Alive:
    return unknown | bit(EventKind::Dealloc);
  case Stage::Freed:
    return unknown | bit(EventKind::Alloc);
  case Stage::Relinquished:
    return unknown;
  }
  return unknown;
}

Items Protocol::pass(const Items &items, const EdgeCondition &condition,
                     EventMask skipped,
                     const llvm::DenseSet<Block *> *blocks) const {
  Items result;
  result.reserve(items.size());
  for (Item item : items) {
    const Guard &guard = kernel.conditions.guard(item.guard);
    auto holds = [&](uint32_t number, bool value) {
      return std::binary_search(guard.begin(), guard.end(),
                                Literal{number, value});
    };
    auto contradicts = [&](Literal literal) {
      return holds(literal.number, !literal.value);
    };
    if (llvm::any_of(condition.literals, contradicts) ||
        (!condition.alternatives.empty() &&
         llvm::all_of(condition.alternatives, contradicts)))
      continue;
    const Event &event = kernel.events[item.event];
    const bool matters =
        (movers(item) & skipped) && !(condition.varies & kAwaited) &&
        // The last round of a loop leaves it.
        !(blocks && blocks->contains(event.op->getBlock())) &&
        llvm::none_of(condition.literals, [&](Literal literal) {
          return holds(literal.number, literal.value);
        });
    if (matters) {
      auto depends = [&](ArrayRef<uint32_t> leaves) {
        return llvm::any_of(leaves, [&](uint32_t leaf) {
          return llvm::is_contained(condition.leaves, leaf);
        });
      };
      bool certain = !(condition.varies & (kThread | kCta | kLoop | kOpaque)) &&
                     guard.size() + condition.literals.size() <= kMaxLiterals &&
                     !depends(event.leaves);
      for (Literal literal : guard)
        certain &= !depends(kernel.conditions.leaves(literal.number));
      if (certain) {
        Guard longer = guard;
        longer.insert(longer.end(), condition.literals.begin(),
                      condition.literals.end());
        item.guard = kernel.conditions.intern(std::move(longer));
      } else {
        item.flags |= kDoubt;
      }
    }
    result.push_back(item);
  }
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Items Protocol::goRound(const Items &items) const {
  Items result = items;
  for (Item &item : result) {
    const Event &event = kernel.events[item.event];
    if (!event.tmem.terms.empty() || !event.smem.terms.empty())
      item.flags |= kStale;
    // What happened in one round only, and which, is not known.
    for (Literal literal : kernel.conditions.guard(item.guard))
      if (kernel.conditions.varies(literal.number) & (kLoop | kOpaque))
        item.flags |= kDoubt;
  }
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}
