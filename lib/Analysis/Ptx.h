//===- Ptx.h - What inline PTX does -----------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the template of an inline PTX operation, as far as the protocol needs:
//
//   { .reg .b32 t; ... mov.b32 t, $0; add.s64 d, $1, 128;
//     @p tcgen05.cp.cta_group::1.128x128b [t+8], d; }
//
// gives one instruction with the opcode, the address operand 0 displaced by 8,
// and the predicate. Registers of the template are followed through mov and add
// of a literal.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_PTX_H
#define TCGEN05_LIB_ANALYSIS_PTX_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tcgen05 {
namespace check {

/// `$operand + displacement`; no operand where it could not be followed.
struct PtxOperand {
  std::optional<unsigned> operand;
  int64_t displacement = 0;
  std::optional<int64_t> literal;
};

struct PtxInstruction {
  /// `tcgen05.cp.cta_group::1.128x128b`
  llvm::StringRef opcode;
  std::vector<PtxOperand> operands;
  /// The operand that the predicate is computed from.
  std::optional<PtxOperand> predicate;
  bool isPredicated = false;
};

/// The instructions of a template; declarations, labels and what only moves
/// values between registers are left out.
std::vector<PtxInstruction> parsePtx(llvm::StringRef text);

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_PTX_H
