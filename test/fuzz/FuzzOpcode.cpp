//===- FuzzOpcode.cpp - Opcode strings ------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"

#include "tcgen05/Layout/Cp/Atom.h"
#include "tcgen05/Layout/Cp/Target.h"

using namespace tcgen05::layout;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz::Second limit;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  (void)checkCpTarget(text);
  (void)parseCpScope(text);
  const Result<CpOpcode> opcode = CpOpcode::parse(text);
  if (!opcode) {
    fuzz::require(opcode.error().rule == "C1", "opcode errors are C1");
    return 0;
  }
  const std::string printed = opcode->str();
  fuzz::require(text == printed || text == "tcgen05.cp." + printed,
                "only the exact spelling is accepted");
  const Result<CpOpcode> again = CpOpcode::parse(printed);
  fuzz::require(again && *again == *opcode, "the printed text reads back");
  return 0;
}
