//===- Ptx.cpp - What inline PTX does -------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace tcgen05::check;

using Registers = StringMap<PtxOperand>;

/// Addresses wrap around.
static int64_t wrapped(int64_t a, int64_t b) {
  return static_cast<int64_t>(uint64_t(a) + uint64_t(b));
}

static PtxOperand readOperand(StringRef text, const Registers &registers) {
  text = text.trim();
  if (text.consume_front("["))
    text.consume_back("]");
  text = text.trim();
  PtxOperand result;
  auto [name, displacement] = text.split('+');
  name = name.trim();
  int64_t literal;
  if (!displacement.empty() &&
      displacement.trim().getAsInteger(0, result.displacement))
    return {};
  if (!name.getAsInteger(0, literal)) {
    result.literal = literal;
    return result;
  }
  // What the template wrote to `$n` is there, too.
  if (auto found = registers.find(name); found != registers.end()) {
    PtxOperand value = found->second;
    value.displacement = wrapped(value.displacement, result.displacement);
    return value;
  }
  unsigned index;
  if (name.consume_front("$") && !name.getAsInteger(10, index))
    result.operand = index;
  return result.operand ? result : PtxOperand();
}

/// Nothing is known of the registers of a destination: `d`, `p|q`, `{a, b}`.
static void forget(StringRef destination, Registers &registers) {
  SmallVector<StringRef, 4> names;
  destination.trim(" \t\r\n{}").split(names, ',');
  for (StringRef part : names)
    for (StringRef name : {part.split('|').first, part.split('|').second})
      registers[name.trim()] = {};
}

/// Commas inside of brackets and braces do not separate.
static SmallVector<StringRef, 4> splitOperands(StringRef text) {
  SmallVector<StringRef, 4> result;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' || text[i] == '{';
    depth -= text[i] == ']' || text[i] == '}';
    if (text[i] == ',' && depth == 0) {
      result.push_back(text.slice(begin, i));
      begin = i + 1;
    }
  }
  if (!text.drop_front(begin).trim().empty())
    result.push_back(text.drop_front(begin));
  return result;
}

std::vector<PtxInstruction> tcgen05::check::parsePtx(StringRef text) {
  std::vector<PtxInstruction> result;
  Registers registers;
  while (!text.empty()) {
    auto [statement, rest] = text.split(';');
    text = rest;
    statement = statement.trim(" \t\r\n{}");
    // Labels: `LAB_WAIT: mbarrier.try_wait...`
    while (size_t end = statement.find_first_of(" \t\r\n:")) {
      if (end == StringRef::npos || statement[end] != ':' ||
          statement.substr(end).starts_with("::"))
        break;
      statement = statement.substr(end + 1).ltrim(" \t\r\n{}");
    }
    PtxInstruction instruction;
    if (statement.consume_front("@")) {
      instruction.isPredicated = true;
      size_t end = statement.find_first_of(" \t\n");
      StringRef predicate = statement.substr(0, end);
      if (!predicate.starts_with("!"))
        instruction.predicate = readOperand(predicate, registers);
      statement = end == StringRef::npos ? "" : statement.substr(end).ltrim();
    }
    if (statement.empty() || statement.starts_with("."))
      continue;
    size_t end = statement.find_first_of(" \t\n");
    instruction.opcode = statement.substr(0, end);
    SmallVector<StringRef, 4> operands;
    if (end != StringRef::npos)
      operands = splitOperands(statement.substr(end));
    for (StringRef operand : operands)
      instruction.operands.push_back(readOperand(operand, registers));

    // Follow registers; what else writes one makes it unknown.
    const StringRef kind = instruction.opcode.split('.').first;
    if ((kind == "mov" || kind == "add" || kind == "setp") &&
        !operands.empty()) {
      PtxOperand value;
      const bool copies =
          (kind == "mov" && operands.size() == 2) ||
          (instruction.opcode.starts_with("setp.ne") && operands.size() == 3 &&
           instruction.operands[2].literal == 0);
      if (copies) {
        value = instruction.operands[1];
      } else if (kind == "add" && operands.size() == 3 &&
                 instruction.operands[2].literal) {
        value = instruction.operands[1];
        value.displacement =
            wrapped(value.displacement, *instruction.operands[2].literal);
      }
      forget(operands[0], registers);
      if (!instruction.isPredicated)
        registers[operands[0].trim()] = value;
      continue;
    }
    if (!operands.empty())
      forget(operands[0], registers);
    result.push_back(std::move(instruction));
  }
  return result;
}
