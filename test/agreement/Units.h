//===- Units.h - Single inputs with known answers ---------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What chance does not draw: malformed text, opcodes, descriptors, and the
// sentences that the rules promise.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_AGREEMENT_UNITS_H
#define TCGEN05_TEST_AGREEMENT_UNITS_H

#include <string>
#include <vector>

namespace agreement {

/// A check that adds a sentence to `wrong` where `got` is not as expected.
inline auto sameInto(std::vector<std::string> &wrong) {
  return [&wrong](const std::string &what, const std::string &got,
                  const std::string &expected) {
    if (got != expected)
      wrong.push_back(what + ": expected \"" + expected + "\", but got \"" +
                      got + "\"");
  };
}

/// The same for what has to be an error: `result` is a `Result`.
inline auto refusedInto(std::vector<std::string> &wrong) {
  return [same = sameInto(wrong)](const std::string &what, const auto &result,
                                  const std::string &expected) {
    same(what, result ? "a value" : result.error().message, expected);
  };
}

/// What went wrong, one line each.
std::vector<std::string> runUnits();
/// The part about opcodes and scopes.
std::vector<std::string> runOpcodeUnits();
/// The part about plans: sentences and notes.
std::vector<std::string> runPlanUnits();
/// The part about the instructions of plans.
std::vector<std::string> runIssueUnits();
/// The part about slices.
std::vector<std::string> runSliceUnits();
/// The part about the text of layouts.
std::vector<std::string> runTextUnits();

} // namespace agreement

#endif // TCGEN05_TEST_AGREEMENT_UNITS_H
