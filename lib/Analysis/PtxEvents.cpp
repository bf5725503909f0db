//===- PtxEvents.cpp - What instructions of inline PTX mean ---------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <algorithm>

using namespace mlir;
using namespace tcgen05;
using namespace tcgen05::check;

/// As upstream numbers them: what is read and written, results, what is read,
/// the predicate. Structs have a number for each field.
static SmallVector<Value> valuesOf(NVVM::InlinePtxOp ptx) {
  SmallVector<Value> result;
  auto add = [&](Value value, bool isRead) {
    if (auto fields = dyn_cast<LLVM::LLVMStructType>(value.getType()))
      result.append(fields.getBody().size(), Value());
    else
      result.push_back(isRead ? value : Value());
  };
  for (Value value : ptx.getReadWriteArgs())
    add(value, true);
  for (Value value : ptx->getResults())
    add(value, false);
  for (Value value : ptx.getReadOnlyArgs())
    add(value, true);
  if (ptx.getPredicate())
    result.push_back(ptx.getPredicate());
  return result;
}

/// By the constraints, since several outputs are one struct. An output that is
/// tied to an input starts as that one.
static SmallVector<Value> valuesOf(LLVM::InlineAsmOp assembly) {
  SmallVector<Value> result;
  auto operands = assembly.getOperands().begin();
  // LLVM's own parser asserts at some of what is malformed, and nobody has
  // looked.
  SmallVector<StringRef> constraints;
  StringRef(assembly.getConstraints()).split(constraints, ',');
  for (StringRef constraint : constraints) {
    if (constraint.starts_with("~") || constraint.starts_with("!"))
      break; // clobbers and labels come last
    const bool isInput = !constraint.consume_front("=");
    const bool isIndirect = constraint.consume_front("*");
    constraint = constraint.ltrim("&%");
    if (constraint.empty() || constraint.contains('@'))
      return {}; // not for PTX
    Value value;
    if ((isInput || isIndirect) && operands != assembly.getOperands().end())
      value = *operands++;
    result.push_back(isInput && !isIndirect ? value : Value());
    // What an operand is tied to holds the operand at first.
    unsigned tied;
    if (isInput && !constraint.getAsInteger(10, tied) && tied < result.size())
      result[tied] = value;
  }
  return result;
}

Value Extractor::operandOf(const PtxOperand &operand) {
  return operand.operand && *operand.operand < ptxValues.size()
             ? ptxValues[*operand.operand]
             : Value();
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
  address.move(operand.displacement);
  return address;
}

void Extractor::ofPtx() {
  std::string text;
  Value predicate;
  if (auto ptx = dyn_cast<NVVM::InlinePtxOp>(op)) {
    text = ptx.getPtxCode().str();
    std::replace(text.begin(), text.end(), '%', '$'); // as upstream does
    predicate = ptx.getPredicate();
    ptxValues = valuesOf(ptx);
  } else {
    auto assembly = cast<LLVM::InlineAsmOp>(op);
    text = assembly.getAsmString().str();
    ptxValues = valuesOf(assembly);
  }
  for (const PtxInstruction &instruction : parsePtx(text)) {
    StringRef opcode = instruction.opcode;
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
    if (!kind)
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
        addCells(event, parsed->atom, layout::laneOf(event.tmem.constant),
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
