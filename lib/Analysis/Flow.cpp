//===- Flow.cpp - Items along control flow --------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protocol.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::dataflow;
using namespace tcgen05::check;

/// The same list again where nothing happened to it.
static ItemsPtr share(const ItemsPtr &before, Items after) {
  return *before == after ? before : std::make_shared<Items>(std::move(after));
}

ChangeResult ProtocolLattice::join(const ItemsPtr &other) {
  if (!other || items == other)
    return ChangeResult::NoChange;
  if (!items) {
    items = other;
    return ChangeResult::Change;
  }
  if (std::includes(items->begin(), items->end(), other->begin(), other->end()))
    return ChangeResult::NoChange;
  auto united = std::make_shared<Items>();
  std::set_union(items->begin(), items->end(), other->begin(), other->end(),
                 std::back_inserter(*united));
  items = std::move(united);
  return ChangeResult::Change;
}

ChangeResult ProtocolLattice::join(const AbstractDenseLattice &rhs) {
  return join(static_cast<const ProtocolLattice &>(rhs).items);
}

void ProtocolLattice::print(raw_ostream &os) const {
  if (!items) {
    os << "unreached";
    return;
  }
  for (const Item &item : *items)
    os << "event " << item.event << " stage "
       << static_cast<unsigned>(item.stage) << " flags "
       << static_cast<unsigned>(item.flags) << "; ";
}

void ProtocolAnalysis::setToEntryState(ProtocolLattice *lattice) {
  static const ItemsPtr nothing = std::make_shared<Items>();
  propagateIfChanged(lattice, lattice->join(nothing));
}

LogicalResult ProtocolAnalysis::visitOperation(Operation *op,
                                               const ProtocolLattice &before,
                                               ProtocolLattice *after) {
  if (!before.get())
    return success();
  ArrayRef<uint32_t> events = protocol.kernel.eventsAt(op);
  if (events.empty()) {
    propagateIfChanged(after, after->join(before.get()));
    return success();
  }
  Items items = *before.get();
  for (uint32_t event : events)
    items = protocol.step(items, event);
  propagateIfChanged(after, after->join(share(before.get(), std::move(items))));
  return success();
}

void ProtocolAnalysis::visitCallControlFlowTransfer(
    CallOpInterface, CallControlFlowAction, const ProtocolLattice &before,
    ProtocolLattice *after) {
  // Calls to what is known are inlined; these do anything.
  if (before.get())
    setToEntryState(after);
}

void ProtocolAnalysis::visitBlockTransfer(Block *block, ProgramPoint *,
                                          Block *predecessor,
                                          const ProtocolLattice &before,
                                          ProtocolLattice *after) {
  if (!before.get())
    return;
  ItemsPtr items = before.get();
  Kernel &kernel = protocol.kernel;
  if (items->empty()) {
    propagateIfChanged(after, after->join(items));
    return;
  }
  if (std::optional<EdgeCondition> condition =
          kernel.conditions.edge(predecessor, block)) {
    EventMask others = 0;
    llvm::DenseSet<Block *> blocks;
    for (Block *successor : predecessor->getSuccessors())
      if (successor != block) {
        const Kernel::Between &between = kernel.between(predecessor, successor);
        others |= between.mask;
        blocks.insert(between.blocks.begin(), between.blocks.end());
      }
    const EventMask here = kernel.between(predecessor, block).mask;
    items = share(items,
                  protocol.pass(*items, *condition, others & ~here, &blocks));
  }
  if (kernel.dominance.dominates(block, predecessor))
    items = share(items, protocol.goRound(*items));
  propagateIfChanged(after, after->join(items));
}

void ProtocolAnalysis::visitRegionBranchControlFlowTransfer(
    RegionBranchOpInterface branch, std::optional<unsigned> from,
    std::optional<unsigned> to, const ProtocolLattice &before,
    ProtocolLattice *after) {
  if (!before.get())
    return;
  ItemsPtr items = before.get();
  Kernel &kernel = protocol.kernel;
  Operation *op = branch.getOperation();
  auto pass = [&](const EdgeCondition &condition, EventMask skipped,
                  const llvm::DenseSet<Block *> *blocks = nullptr) {
    items = share(items, protocol.pass(*items, condition, skipped, blocks));
  };
  EdgeCondition unknown;
  unknown.varies = kOpaque;
  if (items->empty()) {
    // Nothing to decide.
  } else if (auto choice = dyn_cast<scf::IfOp>(op)) {
    if (!from) {
      const bool isThen = to && *to == 0;
      const EventMask then = kernel.inside(&choice.getThenRegion());
      const EventMask otherwise = kernel.inside(&choice.getElseRegion());
      pass(kernel.conditions.edge(choice.getCondition(), isThen),
           isThen ? otherwise & ~then : then & ~otherwise);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (from && *from == 0 && !to) {
      // Leaving without another round of the body, but for what it began.
      llvm::DenseSet<Block *> blocks;
      loop.getAfter().walk([&](Block *block) { blocks.insert(block); });
      EdgeCondition condition = unknown;
      condition.varies |=
          kernel.values.info(loop.getConditionOp().getCondition()).varies;
      pass(condition,
           kernel.inside(&loop.getAfter()) & ~kernel.inside(&loop.getBefore()),
           &blocks);
    }
    if (from && *from == 1 && to)
      items = share(items, protocol.goRound(*items));
  } else {
    const bool isRound = from && to && *from == *to;
    if (isRound)
      items = share(items, protocol.goRound(*items));
    if (!from) {
      if (auto loop = dyn_cast<scf::ForOp>(op); loop && !to) {
        auto lb = kernel.values.constant(loop.getLowerBound());
        auto ub = kernel.values.constant(loop.getUpperBound());
        if (lb && ub && *lb < *ub)
          return; // it has a first round
      }
      EventMask others = 0, here = 0;
      for (Region &region : op->getRegions())
        (to && *to == region.getRegionNumber() ? here : others) |=
            kernel.inside(&region);
      pass(unknown, others & ~here);
    }
  }
  propagateIfChanged(after, after->join(items));
}
