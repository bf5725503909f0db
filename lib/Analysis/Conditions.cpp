//===- Conditions.cpp - Under which conditions an op runs -----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conditions.h"
#include "tcgen05/Layout/TmemAddress.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;
using namespace tcgen05::check;
using tcgen05::layout::kWarpSize;

namespace {
constexpr unsigned kMaxDepth = 64;
/// Conditions have numbers apart from those of values.
constexpr uint32_t kComparison = uint32_t(1) << 31;

/// Both dialects number the predicates of integers alike, from `eq` on.
enum class Compare { Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge };

struct Comparison {
  Compare predicate;
  Value lhs, rhs;
};
} // namespace

static std::optional<Comparison> comparisonOf(Value value) {
  if (auto cmp = value.getDefiningOp<arith::CmpIOp>())
    return Comparison{static_cast<Compare>(cmp.getPredicate()), cmp.getLhs(),
                      cmp.getRhs()};
  if (auto cmp = value.getDefiningOp<LLVM::ICmpOp>())
    return Comparison{static_cast<Compare>(cmp.getPredicate()), cmp.getLhs(),
                      cmp.getRhs()};
  return std::nullopt;
}

/// The predicate that is one of eq, slt, sle, ult, ule, and whether that is the
/// negation.
static std::pair<Compare, bool> positive(Compare predicate) {
  switch (predicate) {
  case Compare::Ne:
    return {Compare::Eq, true};
  case Compare::Sge:
    return {Compare::Slt, true};
  case Compare::Sgt:
    return {Compare::Sle, true};
  case Compare::Uge:
    return {Compare::Ult, true};
  case Compare::Ugt:
    return {Compare::Ule, true};
  default:
    return {predicate, false};
  }
}

static bool isAnd(Operation *op) {
  return isa_and_nonnull<arith::AndIOp, LLVM::AndOp>(op);
}
static bool isOr(Operation *op) {
  return isa_and_nonnull<arith::OrIOp, LLVM::OrOp>(op);
}
static bool isXor(Operation *op) {
  return isa_and_nonnull<arith::XOrIOp, LLVM::XOrOp>(op);
}

/// One of these operations, by a constant.
template <typename... Ops>
static bool isBy(Operation *op, std::optional<int64_t> rhs, int64_t expected) {
  return isa<Ops...>(op) && rhs == expected;
}

Test Conditions::classify(Value condition, bool value) {
  if (!(values.info(condition).varies & (kThread | kOpaque)))
    return Test::None;
  if (condition.getDefiningOp<NVVM::ElectSyncOp>())
    return value ? Test::Elect : Test::Unknown;
  std::optional<Comparison> cmp = comparisonOf(condition);
  if (!cmp)
    return Test::Unknown;
  auto [predicate, negated] = positive(cmp->predicate);
  const bool holds = value != negated;
  std::optional<int64_t> rhs = values.constant(cmp->rhs);
  Value lhs = throughCasts(cmp->lhs);
  // `elect != 0` and `elect == 1`, as lowerings write them.
  if (rhs && predicate == Compare::Eq && lhs.getDefiningOp<NVVM::ElectSyncOp>())
    return holds == (*rhs != 0) ? Test::Elect : Test::Unknown;
  if (!rhs || !holds)
    return Test::Unknown;
  const Interval range = values.info(lhs).range;
  const uint8_t varies = values.info(lhs).varies;
  if (varies & (kOpaque | kLoop | kCta))
    return Test::Unknown;
  const bool isUpper = predicate == Compare::Ult || predicate == Compare::Slt;
  if (isThreadId(lhs) && isUpper && *rhs == kWarpSize)
    return Test::OneWarp;
  if (predicate != Compare::Eq && (!isUpper || *rhs != 1))
    return Test::Unknown;
  const int64_t which = isUpper ? 0 : *rhs;
  if (!range.overlaps(Interval::of(which)))
    return Test::Unknown; // nobody passes
  if (isThreadId(lhs))
    return {Test::OneThread, which};
  Operation *op = lhs.getDefiningOp();
  // One thread of a warp, as ptxas knows: measured with 13.0 and 13.5.
  if (isa_and_nonnull<NVVM::LaneIdOp, gpu::LaneIdOp>(op))
    return Test::Elect;
  if (isa_and_nonnull<NVVM::WarpIdOp, gpu::SubgroupIdOp>(op))
    return Test::OneWarp;
  // What is left of the thread id below a warp, and above.
  if (op && op->getNumOperands() == 2 && isThreadId(op->getOperand(0))) {
    const std::optional<int64_t> by = values.constant(op->getOperand(1));
    if (isBy<arith::AndIOp, LLVM::AndOp>(op, by, kWarpSize - 1) ||
        isBy<arith::RemUIOp, arith::RemSIOp, LLVM::URemOp, LLVM::SRemOp>(
            op, by, kWarpSize))
      return {Test::OneLane, which};
    if (isBy<arith::ShRUIOp, arith::ShRSIOp, LLVM::LShrOp, LLVM::AShrOp>(op, by,
                                                                         5) ||
        isBy<arith::DivUIOp, arith::DivSIOp, LLVM::UDivOp, LLVM::SDivOp>(
            op, by, kWarpSize))
      return Test::OneWarp;
  }
  return varies & kAnyLane ? Test::Unknown : Test::WholeWarps;
}

void Conditions::remember(Literal literal, Value condition, Test test) {
  Known &entry = known[literal.number];
  (literal.value ? entry.whenTrue : entry.whenFalse) = test;
  const ValueInfo &info = values.info(condition);
  entry.varies = info.varies;
  entry.leaves = info.leaves;
}

Literal Conditions::literalOf(Value condition, bool value) {
  Literal literal{values.info(condition).number, value};
  if (std::optional<Comparison> cmp = comparisonOf(condition)) {
    auto [predicate, negated] = positive(cmp->predicate);
    literal.value = value != negated;
    std::vector<uint64_t> key = {static_cast<uint64_t>(predicate),
                                 values.info(cmp->lhs).number,
                                 values.info(cmp->rhs).number};
    literal.number =
        comparisons.try_emplace(key, kComparison + comparisons.size())
            .first->second;
  }
  return literal;
}

void Conditions::collect(Value condition, bool value,
                         std::vector<Literal> &literals, unsigned depth) {
  Operation *op = condition.getDefiningOp();
  Test test = classify(condition, value);
  if (depth < kMaxDepth && op && condition.getType().isInteger(1)) {
    if ((isAnd(op) && value) || (isOr(op) && !value)) {
      collect(op->getOperand(0), value, literals, depth + 1);
      collect(op->getOperand(1), value, literals, depth + 1);
      test = Test::None; // its parts say what it says
    } else if (isXor(op)) {
      if (auto rhs = values.constant(op->getOperand(1))) {
        collect(op->getOperand(0), value != (*rhs != 0), literals, depth + 1);
        return;
      }
    }
  }
  literals.push_back(literalOf(condition, value));
  remember(literals.back(), condition, test);
}

EdgeCondition Conditions::edge(Value condition, bool value) {
  EdgeCondition result;
  const ValueInfo &info = values.info(condition);
  result.varies = info.varies;
  result.leaves = info.leaves;
  collect(condition, value, result.literals, 0);
  // `a and b` is false: one of the two is. Deeper trees are left whole.
  Operation *op = condition.getDefiningOp();
  if ((isAnd(op) && !value) || (isOr(op) && value)) {
    for (Value part : op->getOperands()) {
      std::vector<Literal> literals;
      collect(part, !value, literals, 0);
      // The negation of a conjunction is a disjunction of the negations.
      for (Literal literal : literals)
        result.alternatives.push_back({literal.number, !literal.value});
    }
  }
  return result;
}

std::optional<EdgeCondition> Conditions::edge(Block *from, Block *to) {
  Operation *terminator = from->empty() ? nullptr : &from->back();
  Value condition;
  Block *whenTrue = nullptr, *whenFalse = nullptr;
  if (auto branch = dyn_cast_or_null<cf::CondBranchOp>(terminator)) {
    condition = branch.getCondition();
    whenTrue = branch.getTrueDest();
    whenFalse = branch.getFalseDest();
  } else if (auto branch = dyn_cast_or_null<LLVM::CondBrOp>(terminator)) {
    condition = branch.getCondition();
    whenTrue = branch.getTrueDest();
    whenFalse = branch.getFalseDest();
  }
  if (condition && whenTrue != whenFalse)
    return edge(condition, to == whenTrue);
  if (!terminator || terminator->getNumSuccessors() <= 1)
    return std::nullopt;
  EdgeCondition unknown;
  unknown.varies = kOpaque;
  return unknown;
}

uint32_t Conditions::intern(Guard guard) {
  std::sort(guard.begin(), guard.end());
  guard.erase(std::unique(guard.begin(), guard.end()), guard.end());
  auto [found, isNew] = ids.try_emplace(guard, guards.size());
  if (isNew)
    guards.push_back(std::move(guard));
  return found->second;
}

uint32_t Conditions::guardOf(Block *block) {
  // Up the dominator tree and the regions until something is known.
  SmallVector<std::pair<Block *, std::vector<Literal>>> pending;
  uint32_t base = 0;
  for (Block *at = block; at;) {
    if (auto found = blocks.find(at); found != blocks.end()) {
      base = found->second;
      break;
    }
    std::vector<Literal> added;
    Block *next = nullptr;
    Region *region = at->getParent();
    auto *node = region->hasOneBlock() || !dominance.isReachableFromEntry(at)
                     ? nullptr
                     : dominance.getNode(at);
    if (node && node->getIDom() && node->getIDom()->getBlock()) {
      next = node->getIDom()->getBlock();
      // The edge must be the only way in, but for rounds of a loop.
      bool onlyWay = true;
      for (Block *predecessor : at->getPredecessors())
        onlyWay &= predecessor == next || dominance.dominates(at, predecessor);
      if (onlyWay)
        if (std::optional<EdgeCondition> condition = edge(next, at))
          added = condition->literals;
    } else if (Operation *parent = region->getParentOp()) {
      if (auto branch = dyn_cast<scf::IfOp>(parent))
        added = edge(branch.getCondition(), region == &branch.getThenRegion())
                    .literals;
      if (!isa<FunctionOpInterface>(parent))
        next = parent->getBlock();
    }
    pending.push_back({at, std::move(added)});
    at = next;
  }
  for (auto &[at, added] : llvm::reverse(pending)) {
    if (!added.empty()) {
      Guard guard = guards[base];
      guard.insert(guard.end(), added.begin(), added.end());
      base = intern(std::move(guard));
    }
    blocks[at] = base;
  }
  return base;
}

uint32_t Conditions::withoutThread(uint32_t id) {
  if (auto found = withoutThreadOf.find(id); found != withoutThreadOf.end())
    return found->second;
  Guard guard;
  for (Literal literal : guards[id])
    if (!(varies(literal.number) & kThread))
      guard.push_back(literal);
  const uint32_t result = intern(std::move(guard));
  withoutThreadOf[id] = result;
  return result;
}

Test Conditions::test(Literal literal) const {
  auto found = known.find(literal.number);
  if (found == known.end())
    return Test::Unknown;
  return literal.value ? found->second.whenTrue : found->second.whenFalse;
}

ArrayRef<uint32_t> Conditions::leaves(uint32_t number) const {
  auto found = known.find(number);
  return found == known.end() ? ArrayRef<uint32_t>() : found->second.leaves;
}

uint8_t Conditions::varies(uint32_t number) const {
  auto found = known.find(number);
  return found == known.end() ? uint8_t(kOpaque) : found->second.varies;
}
