//===- NvvmEvents.cpp - What NVVM operations mean -------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tcgen05;
using namespace tcgen05::check;

int Extractor::groupOfOp() {
  for (StringRef name : {"group", "ctaGroup"}) {
    if (!llvm::any_of(op->getName().getAttributeNames(),
                      [&](StringAttr known) { return known.strref() == name; }))
      continue;
    auto group = dyn_cast_or_null<NVVM::CTAGroupKindAttr>(op->getAttr(name));
    return group && group.getValue() == NVVM::CTAGroupKind::CTA_2 ? 2 : 1;
  }
  return op->getName().getStringRef().starts_with("nvvm.tcgen05.mma.ws") ? 1
                                                                         : 0;
}

void Extractor::ofNvvm(StringRef name) {
  std::optional<EventKind> kind =
      llvm::StringSwitch<std::optional<EventKind>>(name)
          .Case("tcgen05.cp", EventKind::Copy)
          .Case("tcgen05.ld", EventKind::Read)
          .Case("tcgen05.alloc", EventKind::Alloc)
          .Case("tcgen05.dealloc", EventKind::Dealloc)
          .Case("tcgen05.relinquish_alloc_permit", EventKind::Relinquish)
          .Case("tcgen05.commit", EventKind::Commit)
          .Case("tcgen05.shift", EventKind::Group)
          .Cases({"mbarrier.try_wait", "mbarrier.try_wait.parity",
                  "mbarrier.test.wait"},
                 EventKind::Wait)
          .Cases({"barrier0", "barrier", "cluster.wait"}, EventKind::Barrier)
          .Case("bar.warp.sync", EventKind::WarpBarrier)
          .Case("stmatrix", EventKind::Store)
          .Default(std::nullopt);
  if (auto fence = dyn_cast<NVVM::Tcgen05FenceOp>(op)) {
    if (fence.getKind() == NVVM::Tcgen05FenceKind::AFTER_THREAD_SYNC)
      add(EventKind::FenceAfter);
    return;
  }
  if (auto fence = dyn_cast<NVVM::FenceProxyOp>(op)) {
    const bool covers = fence.getKind() == NVVM::ProxyKind::async ||
                        fence.getKind() == NVVM::ProxyKind::async_shared;
    if (covers)
      add(EventKind::ProxyFence);
    return;
  }
  if (name == "fence.proxy.sync_restrict") {
    add(EventKind::ProxyFence);
    return;
  }
  if (name.starts_with("tcgen05.mma") && name != "tcgen05.mma_smem_desc") {
    const int group = groupOfOp();
    add(EventKind::Group).group = group;
    for (Value operand : op->getOperands()) {
      auto pointer = dyn_cast<LLVM::LLVMPointerType>(operand.getType());
      if (!pointer || pointer.getAddressSpace() != kTensorAddressSpace)
        continue;
      Event &event = add(EventKind::Mma);
      event.group = group;
      event.tmem = values.address(operand);
      event.cells = {cellsAt(event.tmem, 1)};
    }
    return;
  }
  if (!kind)
    return;
  Event &event = add(*kind);
  event.group = groupOfOp();
  switch (*kind) {
  case EventKind::Copy: {
    auto copy = cast<NVVM::Tcgen05CpOp>(op);
    event.tmem = values.address(copy.getTaddr());
    event.smem = values.address(copy.getSmemDesc());
    const StringRef shape =
        NVVM::stringifyTcgen05CpShape(copy.getShape()).drop_front(6);
    std::string multicast =
        NVVM::stringifyTcgen05CpMulticast(copy.getMulticast()).str();
    if (multicast == "none")
      multicast.clear();
    else if (size_t at = multicast.find('_'); at != std::string::npos)
      multicast.replace(at, 1, "::");
    for (const layout::CpAtom &atom : layout::kCpAtoms)
      if (atom.shape == std::string_view(shape) && atom.multicast == multicast)
        addCells(event, atom, layout::laneOf(event.tmem.constant),
                 cellsAt(event.tmem, 0).low);
    break;
  }
  case EventKind::Read: {
    event.tmem = values.address(op->getOperand(0));
    int64_t words = 1;
    if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType()))
      words = vector.getNumElements();
    const auto shape = cast<NVVM::Tcgen05LdOp>(op).getShape();
    // 32 threads read `words` each; the other shapes have 16 lanes, so twice
    // the columns.
    const bool narrow = shape == NVVM::Tcgen05LdStShape::SHAPE_32X32B ||
                        shape == NVVM::Tcgen05LdStShape::SHAPE_16X32BX2;
    event.cells = {cellsAt(event.tmem, narrow ? words : 2 * words)};
    break;
  }
  case EventKind::Alloc:
    event.smem = values.address(op->getOperand(0));
    event.tmem.root = values.allocationRoot(event.smem);
    event.columns = values.constant(op->getOperand(1));
    break;
  case EventKind::Dealloc:
    event.tmem = values.address(op->getOperand(0));
    event.columns = values.constant(op->getOperand(1));
    break;
  case EventKind::Commit:
  case EventKind::Wait:
  case EventKind::Store:
    event.smem = values.address(op->getOperand(0));
    break;
  default:
    break;
  }
}
