//===- Protocol.h - What is pending at each point ---------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward analysis over MLIR's dense framework. Its state is a set of items:
// a copy that is issued, then committed, then awaited; a store that is not yet
// fenced, or not yet followed by a barrier; an allocation that is alive. Each
// event moves items along and adds its own, and where paths join, the sets are
// united: an item that is there is there on some path.
//
//   store       { store }
//   fence.proxy { store, fenced }
//   barrier     { }
//   cp          { cp issued }
//   commit      { cp committed to @bar }
//   wait @bar   { cp awaited }
//   fence after { }
//
// An item carries the conditions under which it is there. An edge that
// contradicts them drops the item, so that two branches on "one thread is
// elected" are taken together. An edge that skips what would move the item
// along, under a condition of which nothing certain is known, leaves it in
// doubt: it still moves, but is never reported.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_PROTOCOL_H
#define TCGEN05_LIB_ANALYSIS_PROTOCOL_H

#include "Kernel.h"

#include "mlir/Analysis/DataFlow/DenseAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"

#include <memory>

namespace tcgen05 {
namespace check {

enum class Stage : uint8_t {
  // Copies and mma.
  Issued,
  Committed,
  Awaited,
  // Stores.
  Stored,
  Fenced,
  // Allocations.
  Alive,
  Freed,
  Relinquished
};

enum ItemFlag : uint8_t {
  /// Some edge on the way cannot be judged.
  kDoubt = 1,
  /// A store that met a barrier before its fence.
  kCrossed = 2,
  /// Run-time terms are those of an earlier round of a loop.
  kStale = 4,
  /// Already reported, by the rule for reads or for stores.
  kReadReported = 8,
  kStoreReported = 16
};

struct Item {
  /// Index of the copy, store, alloc, dealloc or relinquish.
  uint32_t event;
  uint32_t guard;
  /// Index of the commit, or of the event that frees.
  uint32_t other;
  Stage stage;
  uint8_t flags;

  bool inDoubt() const { return flags & kDoubt; }
  auto key() const { return std::tie(event, guard, other, stage, flags); }
  friend bool operator<(const Item &a, const Item &b) {
    return a.key() < b.key();
  }
  friend bool operator==(const Item &a, const Item &b) {
    return a.key() == b.key();
  }
};

/// Ascending. Shared by all points between two events.
using Items = std::vector<Item>;
using ItemsPtr = std::shared_ptr<const Items>;

/// Two copies' cells, or a copy's and a read's: the first pair that overlaps.
std::optional<std::pair<Cells, Cells>> overlap(const Event &earlier,
                                               const Event &later, bool stale);
/// A source and a store in one buffer that are the same memory as far as can be
/// told.
bool sameMemory(const Event &copy, const Event &store, bool stale);
/// False only if two mbarriers are certainly different.
bool mayBeSameBarrier(const Address &a, const Address &b);

/// How events change items, and what branches do to them.
class Protocol {
public:
  explicit Protocol(Kernel &kernel);

  Items step(const Items &items, uint32_t index) const;
  /// What passes an edge whose branch can skip `skipped`.
  Items pass(const Items &items, const EdgeCondition &condition,
             EventMask skipped,
             const llvm::DenseSet<mlir::Block *> *blocks = nullptr) const;
  /// What goes round a loop.
  Items goRound(const Items &items) const;

  Kernel &kernel;

private:
  bool move(Item &item, uint32_t index) const;
  EventMask movers(const Item &item) const;

  /// Waits that only some threads execute.
  std::vector<uint32_t> threadWaits;
};

class ProtocolLattice : public mlir::dataflow::AbstractDenseLattice {
public:
  using AbstractDenseLattice::AbstractDenseLattice;

  mlir::ChangeResult join(const AbstractDenseLattice &rhs) override;
  mlir::ChangeResult join(const ItemsPtr &other);
  void print(llvm::raw_ostream &os) const override;
  /// Null where nothing arrived.
  const ItemsPtr &get() const { return items; }

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ProtocolLattice)

private:
  ItemsPtr items;
};

class ProtocolAnalysis
    : public mlir::dataflow::DenseForwardDataFlowAnalysis<ProtocolLattice> {
public:
  ProtocolAnalysis(mlir::DataFlowSolver &solver, const Protocol &protocol)
      : DenseForwardDataFlowAnalysis(solver), protocol(protocol) {}

  mlir::LogicalResult visitOperation(mlir::Operation *op,
                                     const ProtocolLattice &before,
                                     ProtocolLattice *after) override;
  void visitBlockTransfer(mlir::Block *block, mlir::ProgramPoint *point,
                          mlir::Block *predecessor,
                          const ProtocolLattice &before,
                          ProtocolLattice *after) override;
  void visitRegionBranchControlFlowTransfer(
      mlir::RegionBranchOpInterface branch, std::optional<unsigned> from,
      std::optional<unsigned> to, const ProtocolLattice &before,
      ProtocolLattice *after) override;
  void visitCallControlFlowTransfer(
      mlir::CallOpInterface call, mlir::dataflow::CallControlFlowAction action,
      const ProtocolLattice &before, ProtocolLattice *after) override;
  void setToEntryState(ProtocolLattice *lattice) override;

private:
  const Protocol &protocol;
};

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_PROTOCOL_H
