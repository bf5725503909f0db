//===- Findings.h - The rules of the protocol -------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of findings is a file and a function. Some look at the events of a
// kernel as a whole; the others are asked at each event, with the items that
// are pending before it, and compare the two.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_FINDINGS_H
#define TCGEN05_LIB_ANALYSIS_FINDINGS_H

#include "Protocol.h"

#include <string>
#include <string_view>

namespace tcgen05 {
namespace check {

struct Finding {
  /// One of kCheckRules.
  std::string_view rule;
  bool isError = false;
  mlir::Operation *op = nullptr;
  /// `expected X to be Y, but got Z`
  std::string message;
  std::vector<std::pair<mlir::Location, std::string>> notes;
};

using Findings = std::vector<Finding>;

/// mixed-cta-group and cluster. `hasClusterLaunch`: somebody in sight launches
/// the kernel in clusters.
void findGroups(const Kernel &kernel, bool hasClusterLaunch,
                Findings &findings);
/// issuer and uniform-address.
void findIssuers(const Kernel &kernel, Findings &findings);
/// allocation.
void checkAllocation(const Protocol &protocol, const Items &items,
                     uint32_t index, Findings &findings);
/// proxy-fence, barrier and source-reuse.
void checkSource(const Protocol &protocol, const Items &items, uint32_t index,
                 Findings &findings);
/// uncommitted, unawaited-read and unordered-copies.
void checkCompletion(const Protocol &protocol, const Items &items,
                     uint32_t index, Findings &findings);

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_FINDINGS_H
