//===- Kernel.cpp - A function and what is known about it -----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "tcgen05/Layout/TmemAddress.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tcgen05::check;

namespace {
/// Branches whose paths meet later than this many blocks may skip anything.
constexpr size_t kMaxBetween = 64;
} // namespace

bool tcgen05::check::isKernelFunction(Operation *op) {
  if (auto function = dyn_cast<gpu::GPUFuncOp>(op))
    return function.isKernel();
  return op->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         op->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

Kernel::Kernel(FunctionOpInterface function, FunctionOpInterface original)
    : function(function), original(original), values(launch),
      conditions(values, dominance) {
  isKernel = isKernelFunction(original);
  findLaunch();
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::vector<Event> found = eventsOf(op, values, conditions);
    if (found.empty())
      return;
    EventMask mask = 0;
    for (Event &event : found) {
      byOp[op].push_back(events.size());
      mask |= bit(event.kind);
      events.push_back(std::move(event));
    }
    for (Operation *at = op; at && at != function; at = at->getParentOp()) {
      EventMask &block = blockMasks[at->getBlock()];
      if ((block & mask) == mask)
        break; // the rest of the way up knows
      block |= mask;
      regionMasks[at->getParentRegion()] |= mask;
    }
  });
}

void Kernel::findLaunch() {
  launch.entry = &function.getFunctionBody().front();
  auto set = [&](ArrayRef<int32_t> size) {
    for (unsigned i = 0; i < 3; ++i)
      launch.block[i] = i < size.size() ? size[i] : 1;
  };
  Operation *op = original;
  if (auto known = op->getAttrOfType<DenseI32ArrayAttr>("known_block_size"))
    set(known.asArrayRef());
  else if (auto known =
               op->getAttrOfType<DenseI32ArrayAttr>("gpu.known_block_size"))
    set(known.asArrayRef());
  launch.required = launch.block[0] != 0;
  if (auto size = op->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName())) {
    set(size.asArrayRef());
    launch.required = true;
  } else if (auto size = op->getAttrOfType<DenseI32ArrayAttr>(
                 NVVM::NVVMDialect::getMaxntidAttrName())) {
    // A bound: the launch may be smaller.
    set(size.asArrayRef());
  }
}

ArrayRef<uint32_t> Kernel::eventsAt(Operation *op) const {
  auto found = byOp.find(op);
  return found == byOp.end() ? ArrayRef<uint32_t>() : found->second;
}

EventMask Kernel::inside(Region *region) const {
  return regionMasks.lookup(region);
}

const Kernel::Between &Kernel::between(Block *branch, Block *successor) {
  std::unique_ptr<Between> &entry = betweens[{branch, successor}];
  if (entry)
    return *entry;
  entry = std::make_unique<Between>();
  Between &result = *entry;
  auto *node = branch->getParent()->hasOneBlock()
                   ? nullptr
                   : postDominance.getNode(branch);
  Block *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  SmallVector<Block *> stack = {successor};
  while (!stack.empty()) {
    Block *block = stack.pop_back_val();
    if (block == join || !result.blocks.insert(block).second)
      continue;
    if (result.blocks.size() > kMaxBetween) {
      result.mask = ~EventMask(0);
      break;
    }
    result.mask |= blockMasks.lookup(block);
    llvm::append_range(stack, block->getSuccessors());
  }
  return result;
}

bool Kernel::Issuers::mayBeOne(const Launch &launch) const {
  if (thread || unknown)
    return true;
  const int64_t threads = launch.threads();
  return (elect || lane) &&
         (wholeWarps || (threads != 0 && threads <= layout::kWarpSize));
}

Kernel::Issuers Kernel::issuersOf(const Event &event) const {
  Issuers result;
  auto add = [&](Literal literal) {
    const Test test = conditions.test(literal);
    switch (test.kind) {
    case Test::None:
      break;
    case Test::Elect:
      result.elect = true;
      break;
    case Test::OneThread:
      result.thread = test.which;
      break;
    case Test::OneLane:
      result.lane = test.which;
      break;
    case Test::OneWarp:
      result.oneWarp = result.wholeWarps = true;
      break;
    case Test::WholeWarps:
      result.wholeWarps = true;
      break;
    case Test::Unknown:
      result.unknown = true;
      break;
    }
  };
  for (Literal literal : conditions.guard(event.guard))
    add(literal);
  for (Literal literal : event.predicate.literals)
    add(literal);
  result.unknown |= event.hasPredicate && event.predicate.literals.empty();
  return result;
}
