//===- Events.cpp - What an operation means to the protocol ---------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"
#include "Inline.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tcgen05;
using namespace tcgen05::check;

unsigned Cells::firstLane(const Cells &other) const {
  for (unsigned half : {0u, 1u})
    if (uint64_t common = lanes[half] & other.lanes[half])
      return half * 64 + llvm::countr_zero(common);
  return 0;
}

std::vector<Event> Extractor::run() {
  if (auto copy = dyn_cast<CpOp>(op))
    ofCp(copy);
  else if (auto view = dyn_cast<TmemViewOp>(op))
    ofView(view);
  else if (isa<NVVM::InlinePtxOp, LLVM::InlineAsmOp>(op))
    ofPtx();
  else if (op->getName().getStringRef().starts_with("nvvm."))
    ofNvvm(op->getName().getStringRef().drop_front(5));
  else
    ofOther();
  return std::move(events);
}

Event &Extractor::add(EventKind kind) {
  Event event;
  event.kind = kind;
  event.op = op;
  event.guard = conditions.guardOf(op->getBlock());
  for (Literal literal : conditions.guard(event.guard))
    llvm::append_range(event.leaves, conditions.leaves(literal.number));
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        llvm::append_range(event.leaves, values.info(bound).leaves);
  events.push_back(std::move(event));
  return events.back();
}

void Extractor::ofCp(CpOp copy) {
  const layout::Result<layout::CpPlan> &plan = copy.getPlan();
  Event &event = add(EventKind::Copy);
  event.group = copy.getCtaGroup();
  event.isCollective = copy.getScope() != "thread";
  event.tmem = values.address(copy.getDst());
  event.smem = values.address(copy.getSrc());
  if (Value pred = copy.getPred()) {
    event.hasPredicate = true;
    event.predicate = conditions.edge(pred, true);
  }
  if (!plan)
    return; // not verified; the verifier has said so
  event.issues = plan->numRepeats();
  if (plan->groups.empty() || !event.isCollective) {
    const int64_t lane = layout::laneOf(event.tmem.constant);
    const int64_t column = layout::columnOf(event.tmem.constant);
    for (int64_t i = 0; i < event.issues; ++i) {
      const layout::CpOffset step = plan->repeat(i);
      addCells(event, plan->opcode.atom, lane + plan->origin.lane + step.lane,
               column + plan->origin.col + step.col);
    }
  }
  const layout::SmemRegion region = copy.getSrc().getType().toRegion();
  const int64_t size = region.bits / 8;
  const int64_t low = region.layout.minPosition(layout::Axis::Memory) * size;
  event.smem.move(low);
  event.bytes =
      (region.layout.maxPosition(layout::Axis::Memory) + 1) * size - low;
}

void Extractor::addCells(Event &event, const layout::CpAtom &atom, int64_t lane,
                         int64_t column) {
  Cells cells;
  cells.lanes = {0, 0};
  cells.low = column;
  cells.high = column + atom.words;
  for (int64_t replica = 0; replica < atom.replicas; ++replica)
    for (int64_t row = 0; row < atom.rows; ++row) {
      const int64_t at = lane + atom.lane(row) + replica * atom.replicaStride;
      if (at >= 0 && at < layout::kLanes)
        cells.lanes[at / 64] |= uint64_t(1) << (at % 64);
    }
  event.cells.push_back(cells);
}

Cells Extractor::cellsAt(const Address &address, int64_t columns) {
  Cells cells;
  cells.low = layout::columnOf(address.constant);
  cells.high = cells.low + columns;
  return cells;
}

void Extractor::ofView(TmemViewOp view) {
  Event &event = add(EventKind::View);
  event.tmem = values.address(view.getAddress());
  const layout::TmemRegion region = view.getType().toRegion();
  // 512 is also what is meant when nothing is said: then the image counts.
  event.columns = region.columns != layout::kColumns
                      ? region.columns
                      : region.layout.maxPosition(layout::Axis::Col) + 1;
}

void Extractor::ofStore(Value memory, std::optional<int64_t> bytes,
                        ValueRange indices) {
  Address address = values.address(memory);
  if (!address)
    return;
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (type && !indices.empty()) {
    SmallVector<int64_t> strides;
    int64_t offset;
    auto size = sizeInBytes(type.getElementType());
    if (size && succeeded(type.getStridesAndOffset(strides, offset)) &&
        llvm::all_of(strides, [&](int64_t stride) {
          return strideInBytes(stride, *size).has_value();
        })) {
      for (auto [index, stride, extent] :
           llvm::zip_equal(indices, strides, type.getShape())) {
        // An index stays inside of its extent.
        auto range = values.info(index).range;
        if (!ShapedType::isDynamic(extent))
          range = {std::max<int64_t>(range.lo, 0),
                   std::min(range.hi, extent - 1)};
        address.offset = address.offset + range * Interval::of(stride * *size);
        Address moved;
        values.addTerm(moved, index, 1);
        llvm::append_range(address.terms, moved.terms);
      }
      if (!bytes)
        bytes = *size;
    } else {
      address.inexact = true;
    }
  } else if (type && !bytes) {
    if (auto size = sizeInBytes(type.getElementType());
        size && type.hasStaticShape() && type.getLayout().isIdentity())
      bytes = llvm::checkedMul(type.getNumElements(), *size);
  }
  Event &event = add(EventKind::Store);
  event.smem = std::move(address);
  event.bytes = bytes;
}

void Extractor::ofOther() {
  if (!op->isRegistered() || isa<CallOpInterface, LLVM::CallIntrinsicOp>(op)) {
    add(EventKind::Unknown);
    return;
  }
  if (isa<gpu::BarrierOp>(op)) {
    add(EventKind::Barrier);
  } else if (op->getName().getStringRef().starts_with("nvgpu.mbarrier.") &&
             op->getName().getStringRef().contains("wait")) {
    add(EventKind::Wait);
  } else if (isReturn(op) &&
             isa_and_nonnull<FunctionOpInterface>(op->getParentOp())) {
    add(EventKind::End);
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    ofStore(store.getAddr(), sizeInBytes(store.getValue().getType()));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    ofStore(store.getMemRef(), std::nullopt, store.getIndices());
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    ofStore(store.getBase(), sizeInBytes(store.getVectorType()),
            store.getIndices());
  } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> list;
    effects.getEffectsOnResource(SideEffects::DefaultResource::get(), list);
    for (const MemoryEffects::EffectInstance &effect : list)
      if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue())
        ofStore(effect.getValue(), std::nullopt);
  } else if (op->getNumRegions() != 0 && !isa<RegionBranchOpInterface>(op) &&
             !isa<FunctionOpInterface>(op)) {
    add(EventKind::Unknown);
  }
}

std::vector<Event> tcgen05::check::eventsOf(Operation *op, Values &values,
                                            Conditions &conditions) {
  return Extractor(op, values, conditions).run();
}
