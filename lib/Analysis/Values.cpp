//===- Values.cpp - What is known about values ----------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "tcgen05/Layout/TmemAddress.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;
using namespace tcgen05::check;
using tcgen05::layout::kWarpSize;

static constexpr unsigned kMaxLeaves = 8;
static constexpr int64_t kMaxThreads = 1024;

static int64_t clamp(__int128 value) {
  return static_cast<int64_t>(
      std::clamp<__int128>(value, -kUnbounded, kUnbounded));
}

Interval tcgen05::check::operator+(Interval a, Interval b) {
  // An unknown bound stays unknown.
  return {
      a.lo == -kUnbounded || b.lo == -kUnbounded ? -kUnbounded
                                                 : clamp(__int128(a.lo) + b.lo),
      a.hi == kUnbounded || b.hi == kUnbounded ? kUnbounded
                                               : clamp(__int128(a.hi) + b.hi)};
}

Interval tcgen05::check::operator*(Interval a, Interval b) {
  if (!a.isKnown() || !b.isKnown())
    return a.isConstant() && a.lo == 0   ? a
           : b.isConstant() && b.lo == 0 ? b
                                         : Interval{};
  __int128 corners[] = {__int128(a.lo) * b.lo, __int128(a.lo) * b.hi,
                        __int128(a.hi) * b.lo, __int128(a.hi) * b.hi};
  auto [lo, hi] = std::minmax_element(std::begin(corners), std::end(corners));
  return {clamp(*lo), clamp(*hi)};
}

uint32_t Values::numberOf(const std::vector<uint64_t> &key) {
  return numbers.try_emplace(key, numbers.size() + 1).first->second;
}

uint32_t Values::rootOf(const void *name, uint64_t kind) {
  return numberOf({~uint64_t(0), kind, reinterpret_cast<uintptr_t>(name)});
}

std::optional<int64_t> Values::constant(Value value) {
  const Interval range = info(value).range;
  if (!range.isConstant())
    return std::nullopt;
  return range.lo;
}

static bool isCast(Operation *op) {
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
             arith::ExtSIOp, arith::TruncIOp, LLVM::ZExtOp, LLVM::SExtOp,
             LLVM::TruncOp>(op);
}

/// Bits of an integer; an index has 64, and what is no integer none.
static unsigned widthOf(Type type) {
  return type.isIndex()     ? 64
         : type.isInteger() ? type.getIntOrFloatBitWidth()
                            : 0;
}

/// What a cast makes of a number in `range`, and whether it always is the same
/// number. Addresses, of which no range is known, fit in 32 bits.
static std::pair<Interval, bool> castOf(Operation *op, Interval range) {
  const unsigned from = widthOf(op->getOperand(0).getType());
  const unsigned to = widthOf(op->getResult(0).getType());
  const unsigned least = std::min(from, to);
  if (least == 0)
    return {{}, false};
  if (!range.isKnown() && least >= 32)
    return {range, true};
  // Signs are kept but where bits are put in front that are zero. Intervals end
  // before the bits of the widest integers do.
  const bool hasSign =
      to <= from ||
      !isa<arith::IndexCastUIOp, arith::ExtUIOp, LLVM::ZExtOp>(op);
  const int64_t count = int64_t(1) << std::min(least, 60u);
  const int64_t low = hasSign ? -count / 2 : 0;
  if (range.lo >= low && range.hi < low + count)
    return {range, true};
  if (!range.isConstant())
    return {{low, low + count - 1}, false};
  const int64_t bits = range.lo & (count - 1);
  return {Interval::of(bits < low + count ? bits : bits - count), false};
}

Value tcgen05::check::throughCasts(Value value) {
  // Numbers of threads and lanes are less than 2048.
  while (Operation *op = value.getDefiningOp()) {
    if (!isCast(op) || widthOf(value.getType()) < 12)
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool tcgen05::check::isThreadId(Value value) {
  Operation *op = throughCasts(value).getDefiningOp();
  if (auto id = dyn_cast_or_null<gpu::ThreadIdOp>(op))
    return id.getDimension() == gpu::Dimension::x;
  return isa_and_nonnull<NVVM::ThreadIdXOp>(op);
}

/// Operations whose result is a function of their operands alone.
static bool isPureFunction(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() == 1 && isPure(op) &&
         !isa<NVVM::ElectSyncOp>(op);
}

const ValueInfo &Values::info(Value value) {
  SmallVector<Value, 8> stack = {value};
  while (!stack.empty()) {
    Value top = stack.back();
    auto found = infos.find(top);
    if (found != infos.end() && found->second.number != 0) {
      stack.pop_back();
      continue;
    }
    const bool entered = found != infos.end();
    if (!entered)
      infos[top]; // a second visit finds it and does not go down again
    bool waiting = false;
    Operation *op = top.getDefiningOp();
    if (!entered && op && isPureFunction(op))
      for (Value operand : op->getOperands())
        if (!infos.count(operand)) {
          stack.push_back(operand);
          waiting = true;
        }
    if (waiting)
      continue;
    ValueInfo computed = compute(top);
    infos[top] = std::move(computed);
    stack.pop_back();
  }
  return infos[value];
}

ValueInfo Values::compute(Value value) {
  ValueInfo result;
  result.number = rootOf(value.getAsOpaquePointer(), 0);
  result.leaves = {result.number};
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 62) {
    result.range = Interval::of(constant.getSExtValue());
    result.leaves.clear();
    result.number = numberOf({1, static_cast<uint64_t>(result.range.lo)});
    return result;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // The arguments of the kernel are the only ones that never change.
    if (argument.getOwner() == launch.entry)
      return result;
    result.varies = kLoop | kOpaque;
    if (auto loop =
            dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()))
      if (loop.getInductionVar() == value) {
        result.varies = kLoop;
        auto lb = this->constant(loop.getLowerBound());
        auto ub = this->constant(loop.getUpperBound());
        if (lb && ub && *lb < *ub)
          result.range = {*lb, *ub - 1};
      }
    return result;
  }
  return computeOp(value.getDefiningOp(), value);
}

/// The special registers, as far as they say who the thread is.
static std::optional<ValueInfo> specialRegister(Operation *op,
                                                const Launch &launch) {
  auto threads = [&](unsigned dim) {
    return Interval{0,
                    (launch.block[dim] ? launch.block[dim] : kMaxThreads) - 1};
  };
  auto make = [](uint8_t varies, Interval range) {
    ValueInfo result;
    result.varies = varies;
    result.range = range;
    return result;
  };
  // Warps are 32 threads one after the other, in x first: y is the same in each
  // of them if it has rows of whole warps, and so is z of planes.
  auto thread = [&](unsigned dim) {
    uint8_t lane = kLane;
    if (dim != 0) {
      const int64_t before = launch.block[0] * (dim == 2 ? launch.block[1] : 1);
      lane = !launch.required || before == 0 ? kMaybeLane
             : before % kWarpSize == 0       ? 0
                                             : kLane;
    }
    return make(lane | kWarp, threads(dim));
  };
  const Interval natural = {0, INT32_MAX};
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return thread(static_cast<unsigned>(id.getDimension()));
  if (isa<NVVM::ThreadIdXOp>(op))
    return thread(0);
  if (isa<NVVM::ThreadIdYOp>(op))
    return thread(1);
  if (isa<NVVM::ThreadIdZOp>(op))
    return thread(2);
  if (isa<NVVM::LaneIdOp, gpu::LaneIdOp>(op))
    return make(kLane, {0, kWarpSize - 1});
  if (isa<NVVM::WarpIdOp, gpu::SubgroupIdOp>(op))
    return make(kWarp, {0, kMaxThreads / kWarpSize - 1});
  if (isa<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp, gpu::BlockIdOp,
          gpu::ClusterIdOp, gpu::ClusterBlockIdOp, NVVM::ClusterId,
          NVVM::BlockInClusterIdXOp, NVVM::BlockInClusterIdYOp,
          NVVM::BlockInClusterIdZOp, NVVM::ClusterIdXOp, NVVM::ClusterIdYOp,
          NVVM::ClusterIdZOp>(op))
    return make(kCta, natural);
  return std::nullopt;
}

ValueInfo Values::computeOp(Operation *op, Value value) {
  ValueInfo result;
  if (std::optional<ValueInfo> special = specialRegister(op, launch)) {
    result = *special;
    result.number = numberOf(
        {2, reinterpret_cast<uintptr_t>(op->getName().getAsOpaquePointer()),
         reinterpret_cast<uintptr_t>(
             op->getPropertiesAsAttribute().getAsOpaquePointer())});
    result.leaves = {result.number};
    return result;
  }
  if (isa<NVVM::ElectSyncOp>(op)) {
    // Two elections of one warp elect one thread.
    std::vector<uint64_t> key = {3};
    for (Value operand : op->getOperands())
      key.push_back(info(operand).number);
    result.varies = kLane | kWarp | kElected;
    result.range = {0, 1};
    result.number = numberOf(key);
    result.leaves = {result.number};
    return result;
  }
  result.number = rootOf(value.getAsOpaquePointer(), 0);
  result.leaves = {result.number};
  if (!isPureFunction(op)) {
    result.varies = kOpaque;
    if (isa<NVVM::MBarrierTryWaitOp, NVVM::MBarrierTestWaitOp>(op))
      result.varies |= kAwaited;
    // What a shuffle from one lane returns is the same in all of them; so is a
    // vote or a reduction, and what is loaded may be.
    if (!isa<NVVM::ShflOp>(op))
      for (Value operand : op->getOperands()) {
        const uint8_t varies = info(operand).varies;
        result.varies |=
            (varies & kWarp) | (varies & kAnyLane ? kMaybeLane : 0);
      }
    return result;
  }

  result.leaves.clear();
  std::vector<uint64_t> key = {
      4, reinterpret_cast<uintptr_t>(op->getName().getAsOpaquePointer()),
      reinterpret_cast<uintptr_t>(value.getType().getAsOpaquePointer())};
  if (Attribute properties = op->getPropertiesAsAttribute())
    key.push_back(reinterpret_cast<uintptr_t>(properties.getAsOpaquePointer()));
  SmallVector<Interval, 2> ranges;
  unsigned perLane = 0;
  for (Value operand : op->getOperands()) {
    const ValueInfo &known = info(operand);
    perLane += (known.varies & kAnyLane) != 0;
    key.push_back(known.number);
    ranges.push_back(known.range);
    result.varies |= known.varies;
    for (uint32_t leaf : known.leaves)
      if (!llvm::is_contained(result.leaves, leaf))
        result.leaves.push_back(leaf);
  }
  if (result.leaves.size() > kMaxLeaves) {
    result.varies |= kOpaque;
    result.leaves.resize(kMaxLeaves);
  }
  result.number = numberOf(key);

  const bool isTwo = ranges.size() == 2;
  const bool constantRhs = isTwo && ranges[1].isConstant();
  const int64_t rhs = constantRhs ? ranges[1].lo : 0;
  auto mayVary = [&] {
    if (result.varies & kLane)
      result.varies = (result.varies & ~kLane) | kMaybeLane;
  };
  // Without its last five bits, x is the same in a warp's threads if the block
  // is one row or has rows of whole warps. In other blocks this keeps findings
  // back: addresses must differ, and elected threads be several, for certain.
  // Of another number it is not known, and both are left alone.
  auto withoutLane = [&] {
    if (isThreadId(op->getOperand(0)))
      result.varies &= ~kAnyLane;
    mayVary();
  };
  // Two may make up for each other: x - x % 32.
  if (perLane > 1)
    mayVary();
  if (isa<arith::AddIOp, LLVM::AddOp>(op)) {
    result.range = ranges[0] + ranges[1];
  } else if (isa<arith::SubIOp, LLVM::SubOp>(op)) {
    result.range = ranges[0] + ranges[1] * Interval::of(-1);
  } else if (isa<arith::MulIOp, LLVM::MulOp>(op)) {
    result.range = ranges[0] * ranges[1];
    if (constantRhs && rhs == 0)
      result.varies = 0;
  } else if (isa<arith::ShLIOp, LLVM::ShlOp>(op) && constantRhs && rhs >= 0 &&
             rhs < 32) {
    result.range = ranges[0] * Interval::of(int64_t(1) << rhs);
  } else if (isa<arith::AndIOp, LLVM::AndOp>(op) && constantRhs) {
    if (rhs >= 0)
      result.range = {0, rhs};
    if (rhs % kWarpSize == 0)
      withoutLane();
  } else if (isa<arith::ShRUIOp, arith::ShRSIOp, LLVM::LShrOp, LLVM::AShrOp>(
                 op) &&
             constantRhs && rhs >= 0 && rhs < 32 && ranges[0].lo >= 0) {
    if (ranges[0].isKnown())
      result.range = {ranges[0].lo >> rhs, ranges[0].hi >> rhs};
    if (rhs >= 5)
      withoutLane();
  } else if (isa<arith::DivUIOp, arith::DivSIOp, LLVM::UDivOp, LLVM::SDivOp>(
                 op) &&
             constantRhs && rhs > 0 && ranges[0].lo >= 0) {
    if (ranges[0].isKnown())
      result.range = {ranges[0].lo / rhs, ranges[0].hi / rhs};
    if (rhs % kWarpSize == 0)
      withoutLane();
  } else if (isa<arith::RemUIOp, arith::RemSIOp, LLVM::URemOp, LLVM::SRemOp>(
                 op) &&
             constantRhs && rhs > 0 && ranges[0].lo >= 0) {
    result.range = {0, std::min(rhs - 1, ranges[0].hi)};
  } else if (isCast(op)) {
    // A condition is the same before a cast and after it.
    const auto [range, isSame] = castOf(op, ranges[0]);
    result.range = range;
    if (isSame)
      result.number = info(op->getOperand(0)).number;
    else if (range.isConstant())
      result.number = numberOf({1, static_cast<uint64_t>(range.lo)});
  } else if (value.getType().isInteger(1)) {
    result.range = {0, 1};
  }
  return result;
}
