//===- Passes.h - Passes that look and change nothing -----------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A legal copy still computes garbage, or hangs, when the kernel around it is
// wrong: no proxy fence, no commit, a read before the wait. The copy stays
// explicit and the code around it is the caller's; -tcgen05-check-protocol
// reads that code and says, at the operation, what is missing.
//
//   warning: 'tcgen05.cp' op expected fence.proxy.async between the store to
//            src and the copy, but got none [proxy-fence]
//   note: stored here
//
// Each finding ends in its name. What is reported is certain: where paths,
// addresses or threads cannot be told, the pass is silent.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_ANALYSIS_PASSES_H
#define TCGEN05_ANALYSIS_PASSES_H

#include "mlir/Pass/Pass.h"

#include <array>
#include <memory>
#include <string_view>

namespace tcgen05 {

/// The names of the findings, in the order of the documentation.
inline constexpr std::array<std::string_view, 11> kCheckRules = {
    "mixed-cta-group", "allocation",      "proxy-fence",      "barrier",
    "uncommitted",     "unawaited-read",  "unordered-copies", "source-reuse",
    "issuer",          "uniform-address", "cluster"};

/// `-tcgen05-check-protocol`, with no finding left out.
std::unique_ptr<mlir::Pass> createTcgen05CheckProtocol();

#define GEN_PASS_DECL
#include "tcgen05/Analysis/Passes.h.inc"

/// The passes of this header. `registerTcgen05Passes` calls it.
void registerTcgen05AnalysisPasses();

} // namespace tcgen05

#endif // TCGEN05_ANALYSIS_PASSES_H
