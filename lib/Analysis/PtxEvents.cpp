//===- PtxEvents.cpp - What instructions of inline PTX mean ---------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

using namespace mlir;
using namespace tcgen05;
using namespace tcgen05::check;

Value Extractor::operandOf(const PtxOperand &operand) {
  if (!operand.operand || *operand.operand < op->getNumResults())
    return {};
  const unsigned index = *operand.operand - op->getNumResults();
  return index < op->getNumOperands() ? op->getOperand(index) : Value();
}

Address Extractor::addressOf(const PtxInstruction &instruction,
                             unsigned index) {
  if (index >= instruction.operands.size())
    return {};
  const PtxOperand &operand = instruction.operands[index];
  Value value = operandOf(operand);
  if (!value)
    return {};
  Address address = values.address(value);
  address.offset = address.offset + Interval::of(operand.displacement);
  address.constant += operand.displacement;
  return address;
}

void Extractor::ofPtx(StringRef text, Value predicate) {
  for (const PtxInstruction &instruction : parsePtx(text)) {
    StringRef opcode = instruction.opcode;
    const bool isOurs = opcode.starts_with("tcgen05.");
    auto is = [&](StringRef prefix) { return opcode.starts_with(prefix); };
    std::optional<EventKind> kind;
    if (is("tcgen05.cp."))
      kind = EventKind::Copy;
    else if (is("tcgen05.ld."))
      kind = EventKind::Read;
    else if (is("tcgen05.alloc."))
      kind = EventKind::Alloc;
    else if (is("tcgen05.dealloc."))
      kind = EventKind::Dealloc;
    else if (is("tcgen05.relinquish"))
      kind = EventKind::Relinquish;
    else if (is("tcgen05.commit."))
      kind = EventKind::Commit;
    else if (is("tcgen05.fence::after"))
      kind = EventKind::FenceAfter;
    else if (is("tcgen05.mma") || is("tcgen05.shift"))
      kind = EventKind::Group;
    else if (is("fence.proxy.async"))
      kind = EventKind::ProxyFence;
    else if (is("mbarrier.try_wait") || is("mbarrier.test_wait"))
      kind = EventKind::Wait;
    else if (is("bar.warp.sync"))
      kind = EventKind::WarpBarrier;
    else if (is("bar.sync") || is("barrier.") || is("bar.red"))
      kind = EventKind::Barrier;
    else if (is("st.shared"))
      kind = EventKind::Store;
    else if (is("call") || is("ret") || is("exit"))
      kind = EventKind::Unknown;
    if (!kind || (isOurs && is("tcgen05.wait")))
      continue;
    Event &event = add(*kind);
    if (size_t at = opcode.find("cta_group::"); at != StringRef::npos)
      event.group = opcode.substr(at + 11).starts_with("2") ? 2 : 1;
    switch (*kind) {
    case EventKind::Copy:
      event.tmem = addressOf(instruction, 0);
      event.smem = addressOf(instruction, 1);
      event.smem.inexact = true;
      if (auto parsed = layout::CpOpcode::parse(std::string_view(opcode)))
        addCells(event, parsed->atom, event.tmem.constant >> layout::kLaneShift,
                 cellsAt(event.tmem, 0).low);
      break;
    case EventKind::Dealloc:
    case EventKind::Read:
      event.tmem = addressOf(instruction, *kind == EventKind::Read ? 1 : 0);
      if (*kind == EventKind::Read)
        event.cells = {cellsAt(event.tmem, 1)};
      else if (instruction.operands.size() > 1)
        event.columns = instruction.operands[1].literal;
      break;
    case EventKind::Alloc:
      event.smem = addressOf(instruction, 0);
      event.tmem.root = values.allocationRoot(event.smem);
      if (instruction.operands.size() > 1)
        event.columns = instruction.operands[1].literal;
      break;
    case EventKind::Wait:
      event.smem = addressOf(instruction, 1);
      break;
    case EventKind::Commit:
    case EventKind::Store:
      event.smem = addressOf(instruction, 0);
      break;
    default:
      break;
    }
    Value condition =
        instruction.predicate ? operandOf(*instruction.predicate) : predicate;
    if (condition || instruction.isPredicated) {
      event.hasPredicate = true;
      event.predicate.varies = kOpaque;
      if (condition)
        event.predicate = conditions.edge(condition, true);
    }
  }
}
